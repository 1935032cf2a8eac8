"""How many rounds an event has: the knock-out adds its own, and none where there is none."""

from __future__ import annotations

import pytest

from games.events.rules import drawing
from tests.events.halls import gathering


@pytest.mark.parametrize(("cut", "rounds"), [(0, 5), (2, 6), (4, 7), (8, 8)])
def test_only_a_knock_out_adds_rounds(cut: int, rounds: int) -> None:
    assert drawing.rounds_in_all(gathering(16, length=5, cut=cut)) == rounds
