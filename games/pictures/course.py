"""The points of a whole match as lines under a slider, one step for each entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from games.view_models.replay import Course, Label
from games.view_models.score import Stroke

WIDTH, HEIGHT = 1000, 100
CLOSEST = 5.0
"""The least distance between the names of two rounds, in per cent of the width."""


def course(
    text: str, marks: Sequence[int], points: Sequence[tuple[int, ...]], rounds: Sequence[tuple[int, str]]
) -> Course:
    """The lines of all seats: the `points` after each entry; `rounds` give where each begins and its name."""
    values = [0, *(value for each in points for value in each)]
    low, high = min(values), max(*values, min(values) + 1)
    strokes = tuple(
        Stroke(mark, _steps([each[place] for each in points], low, high)) for place, mark in enumerate(marks)
    )
    return Course(text, strokes, tuple(_apart(rounds, len(points))))


def along(place: int, count: int) -> float:
    """How far along the slider an entry is, in per cent; the first one is number 0."""
    return round(100 * place / max(count - 1, 1), 2)


def _steps(values: Sequence[int], low: int, high: int) -> str:
    """A line that stays level and steps where the number changes."""

    def up(value: int) -> str:
        return f"{HEIGHT - HEIGHT * (value - low) / (high - low):.0f}"

    steps = "".join(
        f"H{WIDTH / 100 * along(place, len(values)):.0f}V{up(now)}"
        for place, (before, now) in enumerate(pairwise(values), 1)
        if before != now
    )
    return f"M0 {up(values[0])}{steps}H{WIDTH}"


def _apart(rounds: Iterable[tuple[int, str]], count: int) -> Iterable[Label]:
    """The names of the rounds, without those that would overlap another."""
    end = -CLOSEST
    for place, name in rounds:
        x = along(place, count)
        if x >= end + CLOSEST:
            yield Label(x, name)
            end = x
