"""The standings on pages and on paper: columns, halves, criteria in words."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from django.conf import settings
from django.utils.translation import override

from games.core import isolated
from games.hall import commands
from games.hall.pages import rounds_and_standings
from games.hall.rules import standings
from games.hall.rules.event_state import Pairing, Round
from tests.hall.halls import ANNA, by_chance, gathering, opened, play_round, scores, state
from tests.hall.places import ask, page, phone, version

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    code = opened(5, length=3)
    play_round(code, lambda g, pairing: scores(pairing, 7, 7))
    return code


def test_a_draw_is_half_a_win_and_a_bye_is_told(code: str) -> None:
    words = page(phone(code), code, "event-standings")
    assert "½" in words
    assert "Standings after round 1" in words
    assert "A bye is worth: Games won 1" in words
    assert words.count("1 bye ") == 1


def test_a_minus_is_as_long_as_the_plus_beside_it() -> None:
    assert rounds_and_standings.number("difference", -3) == "−3"
    assert rounds_and_standings.number("wins", Fraction(3, 2)) == "1½"
    assert rounds_and_standings.number("difference", Fraction(-5, 2)) == "−2½"
    assert rounds_and_standings.number("difference", Fraction(-1, 2)) == "−½"


def test_the_criteria_stand_in_their_order_and_in_words(code: str) -> None:
    words = page(phone(code), code, "event-standings")
    g = state(code)
    names = [name for name, _meaning in rounds_and_standings.meanings(g, standings.criteria(g))]
    assert names[:2] == ["Games won", "Victory points"]
    places = [words.index(f"{name} ·") for name in names]
    assert places == sorted(places)
    assert "A draw counts as half a win." in words


def test_a_line_says_what_puts_it_above_the_next_one_where_that_is_a_tie_break() -> None:
    code = opened(8, length=3, mode="manual-scoring", seed="2", criteria=("wins", "difference", "lot"))
    play_round(code, by_chance(3))
    g = state(code)
    lines, shown = standings.standings(g), page(phone(code), code, "event-standings")
    paper = page(phone(code), code, "event-print-standings")
    whys = {line.decided for line in lines}
    assert {"wins", "difference"} <= whys
    for line, following in pairwise(lines):
        own, other = (
            rounds_and_standings.number("difference", one.values["difference"]) for one in (line, following)
        )
        why = (
            f"Above {isolated(g.called(following.player))} by: Difference of victory points, {own} to {other}"
        )
        is_decided = line.decided == "difference"
        assert (why in shown, why in paper) == (is_decided, is_decided), line
    assert "Above" not in page(phone(code), code)


def test_paper_has_the_same_standings(code: str) -> None:
    printed = page(phone(code), code, "event-print-standings")
    assert all(player.name in printed for player in state(code).players.values())
    assert "Tiebreaks, in order" in printed
    assert "Player 1" in page(phone(code), code, "event-print-round", 1)
    assert ask(phone(code), code, "event-print-round", 2).status_code == 404


def test_the_standings_ask_for_what_they_have_not(code: str) -> None:
    now = version(code)
    assert ask(phone(code), code, "event-standings-board", seen=str(now)).status_code == 204
    commands.announce(code, ANNA, "Lunch")
    assert ask(phone(code), code, "event-standings-board", seen=str(now)).status_code == 200
    assert ask(phone(code), code, "event-standings-board", seen="1", program="old").status_code == 410


def test_the_public_page_shows_the_best_and_leads_to_all() -> None:
    code = opened(14, length=3)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    body = ask(phone(code), code).content.decode()
    assert body.count("<tr data-players") == 12
    assert "All standings" in body
    assert ask(phone(code), code, "event-standings").content.decode().count("<tr data-players") == 14


def test_nothing_is_ranked_before_a_round() -> None:
    code = opened(4)
    assert "Nothing has been played yet." in page(phone(code), code, "event-standings")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("opponents-wins", Fraction(7, 12), "58.3%"),
        ("wins", Fraction(1, 2), "½"),
        ("wins", Fraction(5, 2), "2½"),
        ("vp", 12, "12"),
        ("vim", -3, "3"),
        ("vim", -99, "–"),
    ],
)
def test_values_are_told_as_players_write_them(name: str, value: int | Fraction, told: str) -> None:
    assert rounds_and_standings.number(name, value) == told


@pytest.mark.parametrize(("language", "told"), [("en", "0.67"), ("de", "0,67")])
def test_a_fraction_is_written_as_its_reader_writes_it(language: str, told: str) -> None:
    with override(language):
        assert rounds_and_standings.number("strength", Fraction(2, 3)) == told


def test_who_has_left_is_told_apart_from_their_faction() -> None:
    code = opened(2, length=1)
    commands.amend(code, ANNA, "p1", "Zoe", "North", "Stark")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.drop(code, ANNA, "p1")
    assert "North · Stark (dropped out)" in " ".join(page(phone(code), code, "event-standings").split())


@pytest.mark.parametrize("sheet", ["hall/hall.css", "hall/print.css", "watching/embed.css"])
def test_numbers_of_a_ranking_stay_in_one_piece(sheet: str) -> None:
    rules = (settings.BASE_DIR / "static" / sheet).read_text()
    assert re.search(r"\.ranking (?:td|:is\(td, thead th\)) \{[^}]*white-space: nowrap", rules)


@pytest.mark.parametrize("name", ["event-standings", "event-print-standings"])
def test_before_the_first_round_no_page_has_an_empty_table(name: str) -> None:
    shown = page(phone(code := opened(1)), code, name)
    assert "Nothing has been played yet." in shown
    assert "<table" not in shown


def test_a_division_says_what_decides_between_two_who_are_not_neighbours_among_all() -> None:
    g = gathering(4, criteria=("wins", "vp", "difference"), divisions=("Open", "Beginners"))
    for key, player in g.players.items():
        player.division = "Open" if key in ("p1", "p3") else "Beginners"
    g.rounds["1"] = Round("1", 1, g.mode, state="open")
    for table, (one, other) in enumerate((("p1", "p4"), ("p2", "p3")), 1):
        points = {one: {"vp": 10 - table}, other: {"vp": 6 - table}}
        g.pairings[f"1-{table}"] = Pairing(
            f"1-{table}", 1, table, (one, other), state="entered", results=points, winner=one, how="finished"
        )
    whole = standings.standings(g)
    assert [(line.player, line.decided) for line in whole[:3]] == [("p1", "vp"), ("p2", "wins"), ("p4", "vp")]
    ours = standings.among(g, whole, {"p1", "p3"})
    assert [(line.player, line.rank, line.decided) for line in ours] == [("p1", 1, "wins"), ("p3", 2, "")]
    theirs = rounds_and_standings.ranking(g, explains=True, division="Beginners")
    assert [(row.rank, row.key) for row in theirs.rows] == [(1, "p2"), (2, "p4")]
