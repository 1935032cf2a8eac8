"""The event's page: what a player is told first, what everybody sees, how the page hears news."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override

from games.hall import commands, event_actions, event_links
from games.hall.models import Event
from games.hall.pages import rounds_and_standings
from games.live import audiences
from games.live.hub import Audience
from games.models import Seat
from games.people.sessions import WHICH
from games.web import clock
from tests.hall.halls import ANNA, first_table, opened, play_round, scores, state
from tests.hall.places import (
    ask,
    card,
    do,
    link,
    page,
    pair_of,
    phone,
    post,
    row,
    said,
    table_of,
    version,
)
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    return opened(4, length=3)


def begin(code: str) -> str:
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def test_who_has_not_checked_in_is_asked_to_and_then_waits() -> None:
    code = opened(0)
    commands.register(code, ANNA, "Anna")
    anna = phone(code, "p1")
    assert "I’m here – check in" in card(anna, code)
    assert do(anna, code, "check-in").status_code == 302
    assert state(code).players["p1"].checked_in
    assert "You are checked in" in card(anna, code)
    assert do(anna, code, "not-here", "another-key-0").status_code == 302
    assert not state(code).players["p1"].checked_in


def test_a_round_that_is_drawn_up_is_nobodys_to_see_until_it_opens(code: str) -> None:
    commands.pair(code, ANNA)
    anna = phone(code, "p1")
    assert "You are checked in" in card(anna, code)
    assert "Table 1" not in page(anna, code)
    assert 'class="pairings"' not in ask(anna, code).content.decode()
    assert ask(anna, code, "event-round", 1).status_code == 404
    commands.open_round(code, ANNA)
    g = state(code)
    here = g.pairing_of("p1", 1)
    rival = g.players[here.rivals("p1")[0]].name
    told = card(anna, code)
    assert f"Table {here.table}" in told
    assert f"against {rival}" in told
    assert "Go to your table" in told
    assert "Round 1 of 3 · A Game of Thrones" in told


def test_who_wants_to_leave_while_a_round_is_drawn_up_is_told_whom_to_ask(code: str) -> None:
    commands.pair(code, ANNA)
    for answer in (do(phone(code, "p1"), code, "not-here"), post(phone(code, "p2"), code, "event-leave")):
        assert answer.status_code == 409
        assert "The organisers must cancel that round first." in said(answer)


def test_one_tap_leads_to_the_table_and_its_seat(code: str) -> None:
    begin(code)
    anna = phone(code, "p1")
    table, seat = table_of(code, "p1")
    answer = do(anna, code, "sit")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{table}/")
    assert Seat.objects.get(match__code=table, key=seat).is_taken
    assert table in anna.session["seats"]
    assert anna.session["seats"][table].keys() == {seat, WHICH}
    other = Seat.objects.exclude(key=seat).get(match__code=table)
    assert not other.is_taken
    again = do(anna, code, "sit", "another-key-0")
    assert again["Location"] == f"/t/{table}/"


def test_a_second_phone_is_asked_before_it_takes_the_seat_over(code: str) -> None:
    begin(code)
    first, second = phone(code, "p1"), phone(code, "p1")
    table, seat = table_of(code, "p1")
    do(first, code, "sit")
    refused = do(second, code, "sit", "another-key-0")
    assert refused.status_code == 409
    assert "Another device has your seat" in said(refused)
    assert table not in second.session.get("seats", {})
    assert do(second, code, "take-over", "another-key-1").status_code == 302
    assert second.session["seats"][table][seat] == Seat.objects.get(match__code=table, key=seat).epoch
    board = first.ask("GET", f"/t/{table}/board?seats={seat}")
    assert board.status_code == 410, "the first phone no longer has the seat"


def test_the_seat_of_somebody_else_is_not_to_be_had(code: str) -> None:
    begin(code)
    stranger = phone(code)
    assert do(stranger, code, "sit").status_code == 403
    assert Seat.objects.filter(is_taken=True).count() == 0


def test_at_a_table_of_several_everybody_is_told_their_house_and_that_of_the_others() -> None:
    code = opened(6, system="agot", size=6, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = next(state(code).at(1))
    seats = dict(zip(table.players, (seat.capitalize() for seat in table.seats), strict=True))
    told = card(phone(code, "p2"), code)
    assert f"You play {seats['p2']}." in told
    others = [f"{state(code).players[key].name} ({seats[key]})" for key in table.players if key != "p2"]
    assert f"against {', '.join(others)}" in told


def test_who_has_a_bye_is_told_so() -> None:
    code = begin(opened(3, length=3))
    g = state(code)
    alone = next(one for one in g.at(1) if one.is_bye).players[0]
    player = phone(code, alone)
    assert "Bye" in card(player, code)
    assert "Go to your table" not in card(player, code)
    assert do(player, code, "sit").status_code == 409


def test_everybody_sees_clock_announcements_pairings_and_standings(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(code)
    commands.start_clock(code, ANNA)
    commands.announce(code, ANNA, "Lunch at noon")
    commands.extend(code, ANNA, 10)
    body = ask(phone(code), code).content.decode()
    running = state(code).rounds["1"]
    assert f'data-until="{running.running_since + 100 * 60}"' in body
    words = page(phone(code), code)
    assert "Lunch at noon" in words
    assert "10 minutes added" in words
    assert "Current standings" not in words, "no one has a rank before a game has a result"
    assert all(player.name in words for player in state(code).players.values())
    monkeypatch.setattr(clock, "seconds", lambda: running.running_since + 65.0)
    commands.pause_clock(code, ANNA)
    assert "98:55" in page(phone(code), code)
    body = ask(phone(code), code).content.decode()
    assert "data-until" not in body
    assert "The clock is paused" in body


def test_a_clock_of_one_table_is_not_everybodys(code: str) -> None:
    begin(code)
    one, _other = pair_of(code)
    commands.extend(code, ANNA, 1, state(code).pairing_of(one, 1).key)
    assert "Your table has 1 minute more." in card(phone(code, one), code)
    commands.extend(code, ANNA, 4, state(code).pairing_of(one, 1).key)
    assert "Your table has 5 minutes more." in card(phone(code, one), code)
    elsewhere = next(key for key in state(code).players if key not in pair_of(code))
    assert "minutes more" not in page(phone(code, elsewhere), code)


def test_a_result_of_the_table_is_on_the_page(code: str) -> None:
    begin(code)
    one, _other = pair_of(code)
    pairing = state(code).pairing_of(one, 1)
    commands.enter_result(code, ANNA, pairing.key, scores(pairing, 9, 4))
    words = page(phone(code), code)
    assert re.search(r"Player \d Club \d 9 Player \d Club \d 4 entered", words)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_how_a_table_stands_is_a_word_with_room_on_a_phone(language: str) -> None:
    with override(language):
        assert max(len(gettext(label)) for label in rounds_and_standings.STATES.values()) <= 12


def test_the_page_asks_for_what_it_has_not(code: str) -> None:
    begin(code)
    anna = phone(code, "p1")
    now, me = str(version(code)), event_links.name_of(row(code, "p1"))
    assert ask(anna, code, "event-board", seen=now, me=me).status_code == 204
    fresh = ask(anna, code, "event-board", seen="1", me=me)
    assert fresh.status_code == 200
    assert fresh.content.decode().startswith('<div id="region"')
    assert ask(anna, code, "event-board", seen=str(version(code) + 1), me=me).status_code == 410
    assert ask(anna, code, "event-board", seen="1", me="p0").status_code == 410, "made for somebody else"
    assert ask(anna, code, "event-board", seen="1", me=me, program="old").status_code == 410
    assert ask(anna, code, "event-stream", me="p0").status_code == 410
    assert "/live/" in ask(anna, code, "event-stream", me=me).json()["url"]


def test_the_stream_shows_each_their_own_card(code: str) -> None:
    begin(code)
    one, other = pair_of(code)
    keys = {key: event_links.name_of(row(code, key)) for key in (one, other)}
    shown = {
        key: audiences.snapshot(f"e-{code}", Audience((name,), "en", "event"))[1]
        for key, name in keys.items()
    }
    assert f'data-me="{one}"' in shown[one]
    assert f'data-me="{other}"' in shown[other]
    assert "data-sits" in shown[one]
    nobody = audiences.snapshot(f"e-{code}", Audience((), "zh-hans", "event"))
    assert nobody[0] == version(code)
    assert "data-sits" not in nobody[1]
    assert "未出结果" in nobody[1]


def test_a_place_that_was_made_worthless_is_held_no_longer(code: str) -> None:
    anna = phone(code, "p1")
    old = link(code, "p1")
    event_links.revoke(row(code, "p1"))
    assert "yours" not in ask(anna, code).content.decode()
    assert do(anna, code, "check-in").status_code == 403
    assert phone(code).ask("POST", old).status_code == 404


def test_a_phone_is_in_two_events_at_once(code: str) -> None:
    second = begin(opened(4, name="Second"))
    anna = phone(second, "p2", phone(code, "p1"))
    assert "Player 1" in card(anna, code)
    assert "Table" in card(anna, second)
    home = anna.ask("GET", "/events").content.decode()
    assert "Your events" in home
    assert "Cup" in home
    assert "Second" in home
    assert "Second" in anna.ask("GET", "/").content.decode()


def test_who_has_left_and_who_vanished_are_told_apart(code: str) -> None:
    begin(code)
    one, other = pair_of(code)
    assert "Your match is not over" in page(phone(code, one), code, "event-leave")
    assert post(phone(code, one), code, "event-leave").status_code == 302
    assert "You have dropped out" in card(phone(code, one), code)
    assert "Your opponent has dropped out" in card(phone(code, other), code)


def test_a_table_of_several_goes_on_without_who_leaves() -> None:
    code = begin(opened(4, system="agot", length=2))
    assert "what a bye is worth" not in page(phone(code, "p1"), code, "event-leave")
    post(phone(code, "p1"), code, "event-leave")
    assert next(iter(state(code).at(1))).state == "open"


def test_an_event_that_is_over_says_who_came_where(code: str) -> None:
    for _round in range(3):
        begin(code)
        for pairing in list(state(code).at(state(code).last.number)):
            commands.enter_result(code, ANNA, pairing.key, scores(pairing, 5, 3))
        commands.close_round(code, ANNA)
        assert ("has no pairings yet" in card(phone(code, "p1"), code)) == (_round < 2)
    assert "All rounds have been played" in card(phone(code, "p1"), code)
    commands.finish(code, ANNA)
    assert "Final place:" in card(phone(code, "p1"), code)
    assert "Final standings" in page(phone(code), code)
    assert "Round 1 of 3" in page(phone(code), code)


@pytest.mark.parametrize(
    "name", ["event", "event-board", "event-stream", "event-standings", "event-register"]
)
def test_an_event_that_is_not_there_is_said_in_a_sentence(name: str) -> None:
    answer = ask(Phone(), "ZZZZZZ", name)
    assert answer.status_code == 404
    assert "There is no event with this code." in said(answer)


def test_the_code_of_an_event_is_found_where_tables_are_joined(code: str) -> None:
    assert Phone().ask("GET", f"/find?code={code.lower()}")["Location"] == f"/e/{code}/"


def test_what_is_kept_for_all_is_never_older_than_the_event(code: str) -> None:
    first = page(phone(code), code)
    commands.announce(code, ANNA, "A new word")
    assert "A new word" not in first
    assert "A new word" in page(phone(code), code)
    event = Event.objects.get(code=code)
    assert event_actions.load(code).event.version == event.version


def test_a_league_shows_the_game_that_is_to_be_played_first() -> None:
    code = begin(opened(4, length=3, days=7))
    begin(code)
    anna = phone(code, "p1")
    assert "Round 1 of 3" in card(anna, code)
    assert "To be played until" in card(anna, code)
    first = state(code).pairing_of("p1", 1)
    commands.enter_result(code, ANNA, first.key, scores(first, 5, 3))
    assert "Round 2 of 3" in card(anna, code)


def test_whoever_runs_the_event_is_led_to_its_organisation() -> None:
    event, organiser = commands.open_event({"system": "tmg", "name": "Cup"}, "Olga")
    olga = Phone()
    path = reverse("helper-link", args=[event.code, event_links.secret(organiser)])
    assert olga.ask("POST", path).status_code == 302
    assert reverse("organise", args=[event.code]) in ask(olga, event.code).content.decode()
    assert reverse("organise", args=[event.code]) not in ask(Phone(), event.code).content.decode()


@pytest.mark.parametrize("shape", [{"kind": "knock-out"}, {"kind": "swiss", "length": 1, "cut": 2}])
def test_who_is_out_of_the_knock_out_waits_for_no_round(shape) -> None:
    code = opened(4, mode="manual-scoring", **shape)
    play_round(code, lambda g, pairing: scores(pairing, 5, 2))
    if "cut" in shape:
        commands.pair(code, ANNA)
        assert all(
            "Round 2 has no pairings yet" in card(phone(code, key), code) for key in state(code).players
        )
        commands.call_off(code, ANNA)
    begin(code)
    plays = {key for one in state(code).at(2) for key in one.players}
    assert len(plays) == 2
    for key in state(code).players:
        assert ("You are out of the knockout" in card(phone(code, key), code)) == (key not in plays)
    play_on = first_table(code)
    commands.enter_result(code, ANNA, play_on.key, scores(play_on, 5, 2))
    commands.close_round(code, ANNA)
    for key in state(code).players:
        assert "All rounds have been played" in card(phone(code, key), code)
