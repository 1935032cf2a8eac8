"""A league lasts for weeks: its pages ask nobody to be in a hall."""

from __future__ import annotations

import pytest

from games.hall import commands, event_actions
from tests.hall.halls import ANNA, by_chance, play_round, state
from tests.hall.places import card, phone
from tests.hall.test_organiser import page, phone_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    """A league of three, none of whom has checked in."""
    event = event_actions.open_event(
        {"system": "tmg", "name": "Winter", "kind": "round-robin", "days": 7}, ANNA
    )
    commands.import_table(event.code, ANNA, "Ada\nBo\nCy")
    return event.code


def test_players_of_a_league_are_not_asked_to_check_in(code: str) -> None:
    ada = phone(code, "p1")
    for number in (1, 2):
        told = card(ada, code)
        assert f"Round {number} has no pairings yet" in told
        assert "hall" not in told
        assert "heck" not in told
        play_round(code, by_chance(number))


def test_organisers_of_a_league_check_nobody_in(code: str) -> None:
    olga, key = phone_of(code), next(iter(state(code).players))
    for name, about in (("organise", ()), ("organise-players", ()), ("organise-player", (key,))):
        shown = page(olga, code, name, *about)
        assert "heck" not in shown.partition("<main")[2].replace('"#i-check"', ""), name
        assert "not here yet" not in shown
    assert "3 players" in page(olga, code, "organise-players")


def test_a_league_of_one_needs_more_players(code: str) -> None:
    for key in list(state(code).players)[1:]:
        commands.remove(code, ANNA, key)
    assert "Enter players" in page(phone_of(code), code)


def test_tables_of_rounds_that_overlap_are_awaited_by_the_numbers_of_both(code: str) -> None:
    for _round in range(2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    assert "Waiting for tables 1.1, 2.1" in page(phone_of(code), code)
