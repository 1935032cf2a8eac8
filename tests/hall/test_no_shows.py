"""Somebody does not come to their table: their opponent says so, and the table ends at the time set."""

from __future__ import annotations

import pytest

from games.hall import commands, event_actions, event_undo
from games.hall.models import EventEntry
from games.hall.rules import round_draw
from games.hall.rules.event_state import LEFT, OPEN, Pairing
from games.hall.rules.standings import standings
from games.match import play
from games.models import Match
from games.web import clock
from tests.hall.halls import ANNA, begun, first_table, opened, refused, scores, state
from tests.hall.places import ask, card, do, phone
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch):
    """Lets minutes go by."""

    def wait(minutes: int) -> None:
        now = clock.seconds() + 60 * minutes
        monkeypatch.setattr(clock, "seconds", lambda: now)

    return wait


def missing(code: str) -> tuple[Pairing, str, str]:
    """A table whose first player has come and says that the second has not."""
    commands.start_clock(code, ANNA)
    found = first_table(code)
    here, absent = found.players
    assert do(phone(code, here), code, f"absent {found.key}").status_code == 302
    return found, here, absent


def test_a_table_ends_at_the_time_set_and_an_undo_lets_it_be_played(later) -> None:
    code = begun(4, no_show=10)
    found, here, absent = missing(code)
    assert "You reported your opponent as absent" in card(phone(code, here), code)
    assert "Your opponent reports that you are absent" in card(phone(code, absent), code)
    assert "Player absent" in page(phone_of(code), code)
    later(9)
    ask(phone(code, here), code)
    assert state(code).pairings[found.key].state == OPEN
    later(1)
    assert "You won" in card(phone(code, here), code), "the next look at the event ends the table"
    ended = state(code).pairings[found.key]
    assert (ended.how, ended.winner, ended.is_played) == (LEFT, here, False)
    assert round_draw.meetings(state(code)).get(here, frozenset()) == frozenset(), "they may still meet"
    entry = EventEntry.objects.filter(event__code=code).latest("version")
    event_undo.undo(code, entry.version, ANNA)
    ask(phone(code, here), code)
    assert state(code).pairings[found.key].state == OPEN
    commands.enter_result(code, ANNA, found.key, scores(found, 5, 3))


def test_who_comes_in_time_plays(later) -> None:
    code = begun(4, no_show=10)
    found, here, absent = missing(code)
    assert "Say that you are here" in str(refused(commands.report_absent, code, ANNA, found.key, absent))
    do(phone(code, absent), code, f"present {found.key}")
    later(30)
    ask(phone(code, here), code)
    assert state(code).pairings[found.key].state == OPEN


def test_who_has_tapped_at_the_table_has_come(later) -> None:
    code = begun(4, no_show=10)
    found, here, absent = missing(code)
    seat = dict(zip(found.players, found.seats, strict=True))[absent]
    play.tap(found.match, seat, "demo:stark", 1, play.new_key())
    later(30)
    ask(phone(code, here), code)
    now = state(code).pairings[found.key]
    assert (now.state, now.absent) == (OPEN, "")


def test_nothing_ends_while_the_clock_is_paused_or_where_no_time_is_set(later) -> None:
    code = begun(4, no_show=10)
    found, _here, _absent = missing(code)
    commands.pause_clock(code, ANNA)
    later(30)
    event_actions.seen_now(code)
    assert state(code).pairings[found.key].state == OPEN
    code = begun(4, no_show=0)
    found, _here, _absent = missing(code)
    later(300)
    event_actions.seen_now(code)
    assert state(code).pairings[found.key].state == OPEN


def test_a_restart_loses_no_deadline(later) -> None:
    """Everything is in the rows: the next action takes over what nobody has looked at."""
    code = begun(4, no_show=10)
    found, here, _absent = missing(code)
    later(20)
    commands.announce(code, ANNA, "Lunch")
    assert state(code).pairings[found.key].winner == here


def test_a_table_of_several_begins_without_somebody_and_an_undo_brings_them_back() -> None:
    code = opened(5, system="agot", size=6)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    found = first_table(code)
    absent, rest = found.players[0], found.players[1:]
    button = f"no_show {found.key} {absent}"
    assert button in page(phone_of(code), code, "organise-table", found.key)
    assert send(phone_of(code), code, button, f"table {found.key}").status_code == 302
    now = state(code).pairings[found.key]
    assert (now.players, len(now.seats), "tyrell" in now.seats) == (rest, 4, False)
    assert Match.objects.get(code=now.match).armies.count() == 4
    assert not Match.objects.filter(code=found.match).exists()
    version = EventEntry.objects.filter(event__code=code).latest("version").version
    event_undo.undo(code, version, ANNA)
    assert state(code).pairings[found.key].players == found.players
    commands.no_show(code, ANNA, found.key, absent)
    version = EventEntry.objects.filter(event__code=code).latest("version").version
    commands.enter_result(code, ANNA, found.key, scores(state(code).pairings[found.key], 7, 5, 4, 2))
    assert "has a result already" in str(refused(event_undo.undo, code, version, ANNA))
    lines = {line.player: line for line in standings(state(code))}
    assert (lines[absent].lost, lines[absent].values["points"]) == (1, 0)
    assert absent not in round_draw.meetings(state(code))
    assert not any(absent in met for met in round_draw.meetings(state(code)).values())


def test_too_few_who_are_left_at_a_table_of_several_have_a_bye() -> None:
    code = opened(3, system="agot", size=3)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    found = first_table(code)
    absent, *rest = found.players
    commands.no_show(code, ANNA, found.key, absent)
    told = {one.players: one.how for one in state(code).at(1)}
    assert told == {(absent,): "loss", **{(key,): "bye" for key in rest}}
    commands.close_round(code, ANNA)


def test_neither_has_come() -> None:
    code = begun(4)
    found = first_table(code)
    assert send(phone_of(code), code, f"no_show {found.key}", f"table {found.key}").status_code == 302
    lines = {line.player: line for line in standings(state(code))}
    assert [(lines[key].lost, lines[key].drawn) for key in found.players] == [(1, 0), (1, 0)]
    assert "You were not at your table" in card(phone(code, found.players[0]), code)
    assert not state(code).pairings[found.key].is_played
    code = begun(4, kind="knock-out")
    assert refused(commands.no_show, code, ANNA, first_table(code).key).status == 409
