"""Bushido's question of who fights back stands beside a model only while nobody has said what it did."""

from __future__ import annotations

import pytest

from games.core import say
from games.live.hub import Audience
from games.match import play, undoing
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table, table_after
from games.systems.bushido.tests.tables import table
from tests.playing import Playing

pytestmark = pytest.mark.django_db

ASKED = "It was a melee: who fights back?"


def is_asked(shown: Table, *seats: str) -> bool:
    acting = boards.board(shown, Audience(seats, "en", "table")).acting
    return acting is not None and ASKED in [group.title for group in acting.groups]


def opened() -> Match:
    return play.create_match(Match(), table(), say("A table."))


def fresh(match: Match) -> Table:
    return Table(Match.objects.get(pk=match.pk))


@pytest.mark.parametrize("seats", [("red",), ("red", "blue")], ids=["a phone", "a shared device"])
def test_it_is_asked_only_after_an_action_without_a_name(seats: tuple[str, ...]) -> None:
    match = opened()
    playing = Playing(match)
    playing.tap("red", "simple:goshi")
    assert is_asked(fresh(match), *seats)
    playing.tap("blue", "simple:oni")
    playing.tap("red", "act:goshi")
    playing.tap("red", "walk")
    assert not is_asked(fresh(match), *seats)
    playing.adjust("red", "unit/goshi", "ki:goshi:1")
    assert not is_asked(fresh(match), *seats)


def test_an_undone_walk_names_nothing() -> None:
    match = opened()
    playing = Playing(match)
    for seat, action in (("red", "simple:goshi"), ("blue", "act:oni"), ("blue", "walk")):
        playing.tap(seat, action)
    for version in (4, 3):
        undoing.ask(match.code, "blue", version, play.new_key())
    assert is_asked(fresh(match), "red")


def test_the_answer_to_the_tap_reads_no_more_of_the_log_for_it() -> None:
    match = opened()
    play.tap(match.code, "red", "act:goshi", 1, play.new_key())
    verdict = play.tap(match.code, "red", "walk", 2, play.new_key())
    shown = table_after(verdict, match.code)
    assert not is_asked(shown, "red")
    assert "recent" not in vars(shown)
