"""What the forms of a result ask: the same of a player as of an organiser."""

from __future__ import annotations

from typing import Any

import pytest

from games.events.rules.pieces import Pairing
from games.views.hall import reporting
from games.views.organiser import results_form
from tests.events.halls import gathering


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"criteria": ("points", "lot")}, ["vp"]),
        ({"criteria": ("points", "destroyed", "lot")}, ["vp", "destroyed"]),
        ({"criteria": ("points", "vim", "scenario", "lot")}, ["vp", "scenario", "vim"]),
        ({"criteria": ("points", "lot"), "size": 6}, ["vp", "place"]),
        ({"criteria": ("points", "destroyed", "lot"), "size": 6}, ["vp", "destroyed", "place"]),
    ],
)
def test_a_result_is_asked_for_what_the_ranking_needs(fields: dict[str, Any], asked: list[str]) -> None:
    g = gathering(2, **fields)
    pairing = Pairing("1-1", 1, 1, tuple(g.players))
    player = next(iter(g.players))
    reported = [name for name in reporting._names(g, pairing) if name.endswith(player)]
    entered = next(results_form.fields_of(g, pairing, {})).fields
    assert [name.removesuffix(f"-{player}") for name in reported] == asked
    assert [field.name.removesuffix(f"-{player}") for field in entered] == asked
