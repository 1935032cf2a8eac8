"""Mends: what a game's rules did otherwise in earlier versions, so that older matches are known by it.

A match keeps how many mends its game had when it was opened. What a mend stores is stored only in matches
that were opened since, so that the log of an older one still says what its rules do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MENDS = "mends"
"""The rule of a match that says how many mends its game had when it was opened."""


@dataclass(frozen=True)
class Mend:
    """One change of a game's rules. A game only ever appends to its list of them.

    `told` says in English what has been done otherwise since, for the organiser's commands. `steps` are the
    questions that were asked or answered otherwise before; none if older matches are played on as they were.
    `pieces` are the kinds of pieces ("objective") whose corrections led to something else before.
    """

    name: str
    told: str
    steps: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()


def known(mends: tuple[Mend, ...]) -> dict[str, int]:
    """What a match that is opened now keeps about its game's mends; nothing for a game without any."""
    return {MENDS: len(mends)} if mends else {}


def since(mends: tuple[Mend, ...], rules: dict[str, Any]) -> tuple[Mend, ...]:
    """The mends that were made after a match with these rules was opened."""
    return mends[rules.get(MENDS, 0) :]
