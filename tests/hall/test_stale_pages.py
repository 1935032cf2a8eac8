"""What is done with a round names the round that was seen: an older page does nothing to another one."""

from __future__ import annotations

import re

import pytest

from games.core import RequestRefused
from games.hall import commands
from tests.hall.halls import ANNA, opened, play_round, scores, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db
OLDER = "This page was out of date."


def button(code: str, verb: str, name: str = "organise-pairings") -> str:
    """What a button of the organisers' pages posts now."""
    (found,) = set(re.findall(rf'value="({verb} [^"]*)"', page(phone_of(code), code, name)))
    return found


def level(g, pairing):
    return scores(pairing, 5, 2)


def test_two_who_call_a_round_off_at_once_call_off_one_round() -> None:
    code = opened(4, kind="round-robin", length=3, days=7)
    for _round in (1, 2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    phone, pressed = phone_of(code), button(code, "call_off")
    assert send(phone, code, pressed, "pairings", key="of-the-first-0").status_code == 302
    answer = send(phone, code, pressed, "pairings", key="of-the-second-0")
    assert (answer.status_code, OLDER in answer.content.decode()) == (409, True)
    assert list(state(code).rounds) == ["1"]


@pytest.mark.parametrize("verb", ["repair", "swap", "by_hand", "open_round", "call_off", "set_mode"])
def test_a_draft_that_somebody_has_changed_meanwhile_is_looked_at_first(verb: str) -> None:
    code = opened(4)
    commands.pair(code, ANNA)
    pressed = button(code, verb)
    one, other = (pairing.players[0] for pairing in state(code).at(1))
    commands.swap(code, ANNA, one, other)
    before = state(code)
    typed = {"one": one, "other": other, "groups": "Player 1 / Player 2\nPlayer 3 / Player 4"}
    answer = send(phone_of(code), code, pressed, "pairings", mode="manual-scoring", **typed)
    assert (answer.status_code, OLDER in answer.content.decode(), state(code)) == (409, True, before)
    again = button(code, verb)
    answer = send(
        phone_of(code), code, again, "pairings", mode="manual-scoring", key="of-a-new-page", **typed
    )
    assert answer.status_code == 302


def test_the_buttons_of_an_earlier_round_do_nothing_to_the_next_one() -> None:
    code = opened(4, length=2, mode="manual-scoring")
    drawing = button(code, "pair", "organise")
    commands.pair(code, ANNA)
    opening = button(code, "open_round")
    commands.open_round(code, ANNA)
    starting, more = (button(code, verb, "organise") for verb in ("start_clock", "extend"))
    commands.start_clock(code, ANNA)
    play_on = [(one.key, scores(one, 5, 2)) for one in state(code).at(1)]
    for key, told in play_on:
        commands.enter_result(code, ANNA, key, told)
    commands.close_round(code, ANNA)
    phone = phone_of(code)
    assert send(phone, code, drawing).status_code == 409
    reopening = button(code, "reopen")
    commands.pair(code, ANNA)
    assert send(phone, code, opening).status_code == 409
    commands.open_round(code, ANNA)
    before = state(code)
    for pressed in (starting, more, reopening):
        assert send(phone, code, pressed).status_code == 409
    assert state(code) == before
    assert send(phone, code, button(code, "extend", "organise")).status_code == 302
    assert state(code).last.extended == 300


def test_nobody_ends_an_event_that_has_gone_on_meanwhile() -> None:
    code = opened(4, length=1, mode="manual-scoring")
    play_round(code, level)
    ending = button(code, "finish", "organise")
    commands.change_settings(code, ANNA, {"length": 2})
    play_round(code, level)
    answer = send(phone_of(code), code, ending)
    assert (answer.status_code, state(code).status) == (409, "running")
    assert send(phone_of(code), code, button(code, "finish", "organise")).status_code == 302
    assert state(code).status == "over"


def test_a_program_may_name_the_round() -> None:
    code = opened(4, kind="round-robin", length=3, days=7)
    for _round in (1, 2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    with pytest.raises(RequestRefused, match=OLDER):
        commands.call_off(code, ANNA, seen="1")
    commands.call_off(code, ANNA, seen="2")
    assert list(state(code).rounds) == ["1"]
