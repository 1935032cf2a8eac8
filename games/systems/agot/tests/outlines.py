"""The corners of the map's outlines, to be measured."""

from __future__ import annotations

import re
from functools import cache

from games.systems.agot.page.map_drawing import Point


@cache
def rings(path: str) -> tuple[tuple[Point, ...], ...]:
    """The corners of an outline: its rim, then the rims of the islands in it."""
    return tuple(_ring(one) for one in path.split("M") if one)


def _ring(path: str) -> tuple[Point, ...]:
    numbers = [int(number) for number in re.findall(r"-?\d+", path)]
    x, y, found = 0, 0, []
    for right, down in zip(numbers[::2], numbers[1::2], strict=True):
        x, y = x + right, y + down
        found.append((x, y))
    return tuple(found)
