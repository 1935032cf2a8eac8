"""What two players say of their game on their phones: reports, agreeing, contesting, calling a judge."""

from __future__ import annotations

import pytest

from games.hall import commands
from games.hall.event_actions import Actor
from tests.hall.halls import ANNA, begun, first_table, opened, state
from tests.hall.places import agreeing, ask, card, do, page, pair_of, phone, post, said

pytestmark = pytest.mark.django_db
JUDGE = Actor("helper-9", "Marta", "judge")


@pytest.fixture
def code() -> str:
    """An event whose first round is open."""
    return begun(4)


def test_a_report_counts_once_the_opponent_agrees(code: str) -> None:
    one, other = pair_of(code)
    first, second = phone(code, one), phone(code, other)
    form = {f"vp-{one}": "7", f"vp-{other}": "5", "winner": ""}
    assert post(first, code, "event-result", **form).status_code == 302
    names = {key: state(code).players[key].name for key in (one, other)}
    assert f"You reported: {names[one]} 7, {names[other]} 5, {names[one]} wins" in card(first, code)
    assert f"{names[one]} reports" in card(second, code)
    assert do(second, code, agreeing(second, code)).status_code == 302
    g = state(code)
    assert g.pairing_of(one, 1).state == "agreed"
    assert g.pairing_of(one, 1).winner == one
    assert "You won" in card(first, code)
    assert "You lost" in card(second, code)
    assert post(second, code, "event-contest", reason="It was 7 to 7").status_code == 302
    assert "A judge will decide" in card(first, code)


def test_whoever_agrees_has_read_all_that_counts(code: str) -> None:
    """Points destroyed decide the ranking, too, and only one of the two may have stated them."""
    one, other = pair_of(code)
    first, second = phone(code, one), phone(code, other)
    names = {key: state(code).players[key].name for key in (one, other)}
    told = f"Points destroyed: {names[one]} 40, {names[other]} 0"
    form = {f"vp-{one}": "7", f"vp-{other}": "5", f"destroyed-{one}": "40", f"destroyed-{other}": "0"}
    assert post(first, code, "event-result", **form).status_code == 302
    assert told in card(first, code)
    assert told in card(second, code)
    # A report without these numbers agrees with one that has them.
    post(second, code, "event-result", **{f"vp-{one}": "7", f"vp-{other}": "5"})
    assert state(code).pairing_of(one, 1).state == "agreed"
    assert told in card(second, code)


def test_nobody_agrees_with_another_report_than_they_have_read(code: str) -> None:
    """The opponent reported another score just before the tap."""
    one, other = pair_of(code)
    first, second = phone(code, one), phone(code, other)
    for points in ("5", "50"):
        seen = agreeing(second, code) if points == "50" else ""
        form = {f"vp-{one}": points, f"vp-{other}": "4", "winner": ""}
        assert post(first, code, "event-result", **form, key=f"key-of-report-{points}").status_code == 302
    for old in (seen, f"agree-{one}"):
        answer = do(second, code, old, f"key-of-tap-{old}"[:24])
        assert (answer.status_code, "Check again" in said(answer)) == (409, True)
    assert state(code).pairing_of(one, 1).state == "reported"
    assert do(second, code, agreeing(second, code), "another-key-0").status_code == 302
    assert state(code).pairing_of(one, 1).results[one]["vp"] == 50


def test_another_report_is_contested_and_bad_numbers_lose_nothing(code: str) -> None:
    one, other = pair_of(code)
    first, second = phone(code, one), phone(code, other)
    wrong = post(first, code, "event-result", **{f"vp-{one}": "many", f"vp-{other}": "5", "winner": ""})
    assert wrong.status_code == 422
    assert 'value="5"' in wrong.content.decode()
    assert state(code).pairing_of(one, 1).claims == {}
    post(first, code, "event-result", **{f"vp-{one}": "7", f"vp-{other}": "5", "winner": ""})
    post(second, code, "event-result", **{f"vp-{one}": "5", f"vp-{other}": "7", "winner": ""})
    assert state(code).pairing_of(one, 1).state == "contested"
    assert do(second, code, "agree-p99", "another-key-0").status_code == 409


def test_at_a_table_of_several_a_report_counts_once_all_agree() -> None:
    code = opened(4, system="agot", size=4)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    found = first_table(code)
    phones = [phone(code, key) for key in found.players]
    asked = ask(phones[0], code, "event-result").content.decode()
    assert all(f"({house})" in asked for house in ("Stark", "Lannister", "Baratheon", "Greyjoy"))
    form = {f"vp-{key}": str(7 - at) for at, key in enumerate(found.players)}
    assert post(phones[0], code, "event-result", **form).status_code == 302
    names = [state(code).players[key].name for key in found.players]
    assert f"Still to agree: {', '.join(names[1:])}" in card(phones[0], code)
    for at, other in enumerate(phones[1:], 1):
        assert state(code).pairings[found.key].state == "reported", "one of them has not said anything"
        assert do(other, code, agreeing(other, code), f"key-of-phone-{at}").status_code == 302
    decided = state(code).pairings[found.key]
    assert (decided.state, decided.winner) == ("agreed", found.players[0])


def test_who_has_left_a_table_of_several_is_not_waited_for() -> None:
    code = opened(4, system="agot", size=4)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    found = first_table(code)
    commands.drop(code, ANNA, found.players[-1])
    stated = {"scores": {key: {"vp": 7 - at} for at, key in enumerate(found.players[:3])}}
    for key in found.players[:3]:
        commands.report(code, Actor(key, "", "player"), found.key, key, stated)
    assert state(code).pairings[found.key].state == "agreed"


def test_a_judge_is_called_once_and_is_said_to_come(code: str) -> None:
    one, other = pair_of(code)
    first, second = phone(code, one), phone(code, other)
    assert post(first, code, "event-judge", question="Does terrain block?").status_code == 302
    assert "A judge has been called" in card(second, code)
    assert post(second, code, "event-judge", key="another-key-0").status_code == 422
    commands.answer_call(code, JUDGE, state(code).calls.popitem()[1].number)
    assert "Marta is coming to your table." in card(first, code)
    assert "Call a judge" not in card(first, code)
    assert len(state(code).calls) == 1
    assert "terrain" not in page(phone(code), code)
