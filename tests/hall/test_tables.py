"""The page of an event's table: the way back, the hall's clock, what was said."""

from __future__ import annotations

import re

import pytest

from games.hall import admin, commands
from games.hall.models import Event
from games.match import play
from tests.hall.halls import ANNA, begun, end, opened, play_round, scores, state
from tests.hall.places import do, pair_of, phone, post, said, table_of, version
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    code = opened(2, length=1, name="Northern Cup")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def test_a_table_of_an_event_leads_back_to_it(code: str) -> None:
    match, _seat = table_of(code, "p1")
    page = Phone().ask("GET", f"/t/{match}/").content.decode()
    assert f'href="/e/{code}/"' in page
    assert set(re.findall(r"\+hall/strip[^\"]*\.(css|js)", page)) == {"css", "js"}
    commands.start_clock(code, ANNA)
    commands.announce(code, ANNA, "Five tables are free")
    strip = Phone().ask("GET", f"/t/{match}/event").content.decode()
    assert "Northern Cup" in strip
    assert "data-until" in strip
    assert "Five tables are free" in strip
    assert Phone().ask("GET", f"/t/{match}/event?seen={version(code)}").status_code == 204


def test_a_table_says_its_number_in_the_hall(code: str) -> None:
    match, _seat = table_of(code, "p1")
    number = state(code).pairing_of("p1", 1).table
    told = said(phone(code, "p1").ask("GET", f"/t/{match}/event"))
    assert told.startswith(f"{state(code).name} Table {number} ")


def test_other_tables_carry_nothing_of_it() -> None:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    page = Phone().ask("GET", f"/t/{match.code}/").content.decode()
    assert "strip" not in page
    assert Phone().ask("GET", f"/t/{match.code}/event").status_code == 410


def test_a_table_outlives_its_event_as_an_ordinary_one(code: str) -> None:
    match, _seat = table_of(code, "p1")
    guest, anna = Phone(), phone(code, "p1")
    do(anna, code, "sit")
    assert guest.ask("GET", f"/t/{match}/event").status_code == 200
    admin.delete(Event.objects.get(code=code))
    page = guest.ask("GET", f"/t/{match}/").content.decode()
    assert code not in page
    assert "strip" not in page
    # A page that was open asks on until it hears so. That is nobody guessing codes.
    asked = {guest.ask("GET", f"/t/{match}/event").status_code for _time in range(40)}
    assert asked == {410}
    end(match, 7, 4)
    assert "Rematch" in anna.ask("GET", f"/t/{match}/").content.decode()


def test_who_plays_at_the_table_may_call_a_judge_from_it(code: str) -> None:
    match, _seat = table_of(code, "p1")
    anna = phone(code, "p1")
    assert do(anna, code, "sit").status_code == 302
    assert f"/e/{code}/judge" in anna.ask("GET", f"/t/{match}/event").content.decode()
    assert f"/e/{code}/judge" not in Phone().ask("GET", f"/t/{match}/event").content.decode()
    post(anna, code, "event-judge", question="")
    assert "A judge has been called." in anna.ask("GET", f"/t/{match}/event").content.decode()


def test_a_table_of_an_earlier_round_leads_to_that_of_the_next() -> None:
    code = opened(4, length=2)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    match, _seat = table_of(code, "p1")
    anna = phone(code, "p1")
    closed = anna.ask("GET", f"/t/{match}/event").content.decode()
    assert f"/e/{code}/judge" not in closed
    assert "Go to table" not in closed
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = state(code).pairing_of("p1", 2).table
    assert f"Go to table {table}" in anna.ask("GET", f"/t/{match}/event").content.decode()
    assert "Go to table" not in Phone().ask("GET", f"/t/{match}/event").content.decode()


def test_a_table_whose_round_was_called_off_says_so_and_leads_to_the_next() -> None:
    code = begun(4)
    match, seat = table_of(code, "p1")
    anna = phone(code, "p1")
    # Somebody has tapped there, so that the table stays.
    play.edit(match, lambda g: g.score(seat, 1, "points"), "Anna", "as played")
    assert said(anna.ask("GET", f"/t/{match}/event")).startswith("Cup Table ")
    commands.call_off(code, ANNA)
    strip = said(anna.ask("GET", f"/t/{match}/event"))
    assert strip.startswith("Cup Cancelled")
    assert "Go to table" not in strip
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = state(code).pairing_of("p1", 1).table
    assert f"Cancelled Go to table {table}" in said(anna.ask("GET", f"/t/{match}/event"))
    assert "Go to table" not in said(Phone().ask("GET", f"/t/{match}/event"))


def test_from_a_table_that_is_over_players_go_back_to_their_event(code: str) -> None:
    match, _seat = table_of(code, "p1")
    anna = phone(code, "p1")
    do(anna, code, "sit")
    end(match, 9, 3)
    first = anna.ask("GET", f"/t/{match}/").context["board"].result.links[0]
    assert (first.label, first.url, first.tone) == ("Back to the event", f"/e/{code}/", "main")


def test_the_extra_time_of_a_table_is_on_its_own_clock(code: str) -> None:
    one, _other = pair_of(code)
    commands.start_clock(code, ANNA)
    commands.extend(code, ANNA, 5, "1-1")
    match, _seat = table_of(code, one)
    assert "5 minutes added" in Phone().ask("GET", f"/t/{match}/event").content.decode()
    assert "minutes added" not in Phone().ask("GET", f"/e/{code}/").content.decode()
