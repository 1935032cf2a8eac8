"""Matches whose numbers are known."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from games.core import system
from games.match import play
from games.models import Match
from games.systems.tmg.pieces import Unit as Tray

NAMES = {"red": "Anna", "blue": ""}


def opened(game: str, mode: str, names: dict[str, str]) -> Match:
    return play.open_match(game, mode, names)


def position(match: Match):  # type: ignore[no-untyped-def]
    """A position of the match's game to be filled by hand."""
    names = dict(match.armies.values_list("key", "name"))
    return system(match.system).open(match.mode, names, "seed", {})


@pytest.fixture
def skirmish(db):  # type: ignore[no-untyped-def]
    """Anna leads 3 : 1 after two rounds; she has lost 5 points of her army and destroyed 7 and 4."""
    match = opened("tmg", "a-game-of-thrones", NAMES)
    g = position(match)
    g.armies["red"].faction, g.armies["red"].points = "stark", 40
    g.armies["blue"].points = 38
    for key, seat, cost, place in (
        ("wolves", "red", 5, "destroyed"),
        ("swords", "red", 6, "table"),
        ("riders", "blue", 7, "destroyed"),
        ("raiders", "blue", 4, "destroyed"),
        ("giant", "blue", 9, "reserve"),
    ):
        g.units[key] = Tray(key, seat, name=key, kind="infantry", cost=cost, place=place)
    g.begin_round("blue")
    g.score("red", 2, "Objectives", "Centre")
    g.begin_round("red")
    g.score("red", 1, "Objectives", "East")
    g.score("blue", 1, "Objectives", "West")
    return match, g


@pytest.fixture(autouse=True)
def _counted_again():  # type: ignore[no-untyped-def]
    """Nothing of what another test has counted is told again."""
    cache.clear()
    yield
    cache.clear()
