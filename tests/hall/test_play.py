"""Whole events through the commands: rows, log, undo, repeated taps."""

from __future__ import annotations

import pytest

from games.hall import commands
from games.hall.models import Event
from games.hall.rules import standings
from games.history import commits
from games.models import Match
from tests.hall.halls import ANNA, by_chance, opened, play_round, state

pytestmark = pytest.mark.django_db


def test_an_event_is_played_to_its_standings():
    code = opened(9, length=3)
    for _round in range(3):
        play_round(code, by_chance(1))
    commands.finish(code, ANNA)
    g = state(code)
    assert g.status == "over"
    assert len(g.rounds) == 3
    assert [line.rank for line in standings.standings(g)] == list(range(1, 10))
    assert commits.faults(Event.objects.get(code=code)) == []
    met = [frozenset(one.players) for one in g.pairings.values() if not one.is_bye]
    assert len(set(met)) == len(met) == 12
    byes = [one.players[0] for one in g.pairings.values() if one.is_bye]
    assert len(set(byes)) == 3
    assert Match.objects.count() == 12
