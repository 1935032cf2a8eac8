"""An event's television: its sheets, its languages, and the points of tables in play."""

from __future__ import annotations

import re

import pytest

from games.hall import commands
from games.hall.models import Event
from games.hall.pages import event_screens, rounds_and_standings
from games.live import audiences, rooms
from games.live.hub import Audience
from games.models import Army, Match, Score
from tests.hall.halls import ANNA, opened, play_round, scores, state
from tests.hall.places import ask, page, table_of
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def begun(players: int) -> str:
    code = opened(players, length=3)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def sheets(body: str) -> list[str]:
    return re.findall(r'data-sheet="([\w-]+)"', body)


def test_it_turns_through_all_pairings_and_all_places() -> None:
    code = opened(42, length=3)
    assert sheets(ask(Phone(), code, "event-tv").content.decode()) == ["players-1", "players-2"]
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    body = ask(Phone(), code, "event-tv").content.decode()
    assert sheets(body) == ["pairings-1", "pairings-2", "standings-1", "standings-2"]
    assert body.count('class="number"') == 21
    assert body.count("<tr data-players") == 42


def test_it_speaks_the_language_of_its_address() -> None:
    code = begun(4)
    assert "对阵" in ask(Phone(), code, "event-tv", lang="zh-hans").content.decode()
    assert "Pairings" in ask(Phone(), code, "event-tv", lang="en").content.decode()


HOUSES = ("Stark", "Lannister", "Baratheon", "Greyjoy", "Tyrell", "Martell")
PAGES = pytest.mark.parametrize("name", ["event", "event-tv", "event-print-round"])


@PAGES
def test_who_plays_which_house_is_said_where_tables_of_several_are(name: str) -> None:
    code = opened(6, system="agot", size=6, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = next(state(code).at(1))
    assert sorted(table.seats) == sorted(house.lower() for house in HOUSES)
    shown = page(Phone(), code, name, *([1] if "round" in name else []))
    for player, seat in zip(table.players, table.seats, strict=True):
        pair = (state(code).players[player].name, seat.capitalize())
        assert " ".join(reversed(pair) if name == "event-tv" else pair) in shown
    signs = re.findall(r'class="mark s(\d)"', ask(Phone(), code, "event-tv").content.decode())
    assert signs == [str(3 + HOUSES.index(seat.capitalize())) for seat in table.seats]


@PAGES
def test_no_colour_is_said_of_two_at_a_table(name: str) -> None:
    shown = page(Phone(), begun(4), name, *([1] if "round" in name else []))
    assert "Player 1" in shown
    assert "Red" not in shown


def test_a_tap_at_a_table_changes_its_version_and_its_points() -> None:
    code = begun(4)
    event = Event.objects.get(code=code)
    before = rooms.version(rooms.WALL + code, event)
    match, seat = table_of(code, "p1")
    found = Match.objects.get(code=match)
    army = Army.objects.get(match=found, key=seat)
    Score.objects.create(match=found, army=army, number=1, round=1, points=4)
    Match.objects.filter(pk=found.pk).update(version=found.version + 1)
    assert ask(Phone(), code, "event-tv-news", seen=str(before)).status_code == 200
    version, shown = audiences.snapshot(f"w-{code}", Audience((), "en", "event-tv"))
    assert version == before + 1
    assert "<b>4</b>" in shown
    assert ask(Phone(), code, "event-tv-news", seen=str(version)).status_code == 204
    told = ask(Phone(), code, "event-scores").json()
    assert sorted(next(iter(told.values()))) == ["0", "4"]


def test_another_program_has_it_loaded_again() -> None:
    code = begun(4)
    assert ask(Phone(), code, "event-tv-news", seen="1", program="old").status_code == 410
    assert ask(Phone(), code, "event-tv-stream", program="old").status_code == 410
    assert "/live/" in ask(Phone(), code, "event-tv-stream").json()["url"]


def test_a_television_without_its_event_says_so_and_tries_again() -> None:
    answer = ask(Phone(), "ZZZZZZ", "event-tv")
    assert answer.status_code == 404
    assert 'http-equiv="refresh"' in answer.content.decode()


def test_tables_of_six_have_room_for_all_their_players() -> None:
    code = opened(42, system="agot", size=6, length=3)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.start_clock(code, ANNA)
    body = ask(Phone(), code, "event-tv").content.decode()
    assert sheets(body) == ["pairings-1", "pairings-2"]
    assert 'class="at-tables several"' in body
    assert body.count('class="player"') == 42


@pytest.mark.parametrize(
    ("name", "at_table", "at_place"),
    [
        ("Bo Wu", 1, 1),
        ("Little Jill Tilt", 1, 1),
        ("Mamma Wowman Mum", 1, 2),
        ("Twenty-four Broad Letters!", 2, 2),
        ("欧阳修远慕容云海", 1, 1),
        ("欧阳修远慕容云海诸", 1, 2),
        ("欧阳修远慕容云海诸葛孔明司马相", 2, 2),
        ("Bartholomew Fitzgerald-Montgomery", 2, 3),
    ],
)
def test_a_broad_name_has_more_lines_on_a_television(name: str, at_table: int, at_place: int) -> None:
    row = rounds_and_standings.PairingRow("1-1", 1, (rounds_and_standings.Paired("p1", name),), "", "")
    assert row.lines == at_table
    assert rounds_and_standings.StandingRow(1, "p1", name, "", "", "", ()).lines == at_place


def seating(players: int) -> str:
    """An event of so many whose first round was opened a moment ago."""
    code = opened(0, length=3)
    names = (f"Éva Name{number:03}" if number % 2 else f"Zoe Mark{number:03}" for number in range(players))
    commands.import_table(code, ANNA, "\n".join(names))
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def shown_of(code: str, part: str = "") -> event_screens.TvHall:
    return event_screens.hall_of(Event.objects.get(code=code), part)


def test_while_people_look_for_their_tables_they_are_listed_by_surname() -> None:
    code = seating(200)
    sheets = shown_of(code).sheets
    listed = [one for sheet in sheets for one in sheet.players]
    assert [sheet.title for sheet in sheets] == ["M", "M", "M – N", "N", "N", "N"]
    assert [one.surname for one in listed] == sorted(one.surname for one in listed)
    assert len(listed) == 200
    g = state(code)
    where = {one.name: int(one.where) for one in listed}
    assert where == {g.called(key): one.table for one in g.at(1) for key in one.players}


def test_two_hundred_find_their_tables_within_a_minute() -> None:
    shown = shown_of(seating(200))
    assert len(shown.sheets) * shown.seconds <= 60
    assert shown.seconds >= 6


def test_a_television_shows_the_points_once_the_clock_runs() -> None:
    code = seating(60)
    assert {sheet.key[:5] for sheet in shown_of(code).sheets} == {"names"}
    commands.start_clock(code, ANNA)
    assert {sheet.key[:8] for sheet in shown_of(code).sheets} == {"pairings"}


def test_several_screens_share_the_lists_and_each_has_its_own_part() -> None:
    code = seating(200)
    parts = [shown_of(code, f"{number}/3") for number in (1, 2, 3)]
    keys = [[one.name for sheet in one.sheets for one in sheet.players] for one in parts]
    assert [name for part in keys for name in part] == [
        one.name for sheet in shown_of(code).sheets for one in sheet.players
    ]
    assert [len(one.sheets) for one in parts] == [2, 2, 2]
    body = ask(Phone(), code, "event-tv", part="2/3").content.decode()
    assert keys[1][0].split()[1] in body
    assert keys[0][0].split()[1] not in body
    frame = audiences.snapshot(rooms.WALL + code, Audience((), "en", event_screens.VIEW, "3/3"))[1]
    assert keys[2][-1].split()[1] in frame
    assert keys[1][0].split()[1] not in frame


@pytest.mark.parametrize("part", ["4/3", "0/3", "x", "1/99"])
def test_a_part_that_there_is_not_is_the_whole(part: str) -> None:
    body = ask(Phone(), seating(60), "event-tv", part=part).content.decode()
    assert "Mark000" in body
    assert "Name059" in body


def test_an_announcement_leaves_room_for_fewer_lines() -> None:
    code = seating(36)
    commands.start_clock(code, ANNA)
    assert [len(sheet.pairings) for sheet in shown_of(code).sheets] == [12, 6]
    commands.announce(code, ANNA, "Lunch")
    assert [len(sheet.pairings) for sheet in shown_of(code).sheets] == [10, 8]


def test_what_is_over_begins_with_its_final_standings() -> None:
    code = opened(4, length=1)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    body = ask(Phone(), code, "event-tv").content.decode()
    assert sheets(body) == ["pairings-1", "standings-1"]
    assert "<h3>Round 1 of 1</h3>" in body
    commands.finish(code, ANNA)
    body = ask(Phone(), code, "event-tv").content.decode()
    assert sheets(body) == ["standings-1", "pairings-1"]
    assert re.findall(r"<h3>(.*?)</h3>", body) == ["Final standings", "Round 1 of 1"]


def test_two_of_one_name_have_their_clubs_on_every_sheet() -> None:
    code = opened(0, length=3)
    commands.import_table(code, ANNA, "Bo;Leeds\nBO;York\nZoe;Leeds")
    commands.check_in_all(code, ANNA)
    told = {"Bo (Leeds)", "BO (York)", "Zoe"}
    assert named(code) == told
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    shown = event_screens.hall_of(Event.objects.get(code=code))
    assert {one.name for sheet in shown.sheets for row in sheet.pairings for one in row.players} == told
    assert {row.name for sheet in shown.sheets if sheet.standings for row in sheet.standings.rows} == told


def named(code: str) -> set[str]:
    """The names on the television's sheets of players."""
    shown = event_screens.hall_of(Event.objects.get(code=code))
    return {one.name for sheet in shown.sheets for one in sheet.players}
