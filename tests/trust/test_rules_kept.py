"""A match keeps the rules that it began with, whatever becomes of rulesets and catalogues meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NoReturn

import pytest

from games import catalogue
from games.core import system
from games.match import play, random_play, storage
from games.models import CatalogueEntry, Match
from games.systems.tmg import ruleset

pytestmark = pytest.mark.django_db


def nobody_reads(*_arguments: object) -> NoReturn:
    raise AssertionError("a match in play has read a ruleset of today")


def played(game: str, mode: str, meanwhile: Callable[[], None]) -> dict[str, object]:
    """The position after sixty taps, in the middle of which something happens to today's rules."""
    names = list(system(game).seat_names)[: system(game).seat_range[0]]
    match = play.open_match(game, mode, {name: name for name in names}, seed="kept rules")
    luck = random.Random(6)
    for number in range(60):
        if number == 25:
            meanwhile()
        match = Match.objects.get(pk=match.pk)
        state = storage.load(match).state
        if state.result is None:
            seat, action = random_play.tap(state, luck)
            play.tap(match.code, seat, action, match.version, play.new_key())
    return storage.load(Match.objects.get(pk=match.pk)).state.to_json()


@pytest.mark.parametrize("mode", ["a-game-of-thrones", "a-clash-of-kings", "winds-of-winter"])
def test_a_table_of_miniatures_never_reads_its_ruleset_again(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile() -> None:
        monkeypatch.setattr(ruleset, "read", nobody_reads)
        monkeypatch.setattr(ruleset, "every", nobody_reads)

    as_ever = played("tmg", mode, lambda: None)
    assert played("tmg", mode, meanwhile) == as_ever


@pytest.mark.parametrize(("game", "mode"), [("tmg", "a-game-of-thrones"), ("bushido", "risen-sun")])
def test_a_catalogue_that_an_organiser_changes_changes_no_table_in_play(game: str, mode: str) -> None:
    catalogue.plant(game)
    as_ever = played(game, mode, lambda: None)

    def meanwhile() -> None:
        rows = list(CatalogueEntry.objects.filter(system=game))
        for row in rows:
            row.facts = {name: raised(value) for name, value in row.facts.items()}
            row.version += 1
        CatalogueEntry.objects.bulk_update(rows, ["facts", "version"], batch_size=100)
        assert len(rows) > 10

    assert played(game, mode, meanwhile) == as_ever


def raised(value: object) -> object:
    return value + 1 if type(value) is int else value
