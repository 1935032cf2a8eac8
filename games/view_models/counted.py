"""Numbers that are drawn as marks, as long as anybody can count them.

A number of a match that came in a file may be huge: as many marks would take all memory.
"""

from __future__ import annotations

from games.view_models.board import Space

MOST = 24


def pips(left: int, of: int) -> tuple[bool, ...]:
    """A pip for each of a number, True for those left; none if there are too many."""
    return tuple(at < left for at in range(of)) if of <= MOST else ()


def track(rounds: int | None, now: int) -> tuple[Space, ...]:
    """A space for each round; none if their number is open, or there are too many."""
    spaces = range(1, rounds + 1) if rounds and rounds <= MOST else ()
    return tuple(Space(number, _state(number, now)) for number in spaces)


def _state(space: int, now: int) -> str:
    if space < now:
        return "past"
    return "now" if space == now else ""
