"""Random play that several tests look at: played once, since a position once reached never changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.core import Offer, State, System, engine
from games.match import random_play

CLOSELY, THEN = 100, 16
"""How many of a match's first taps are all checked closely, and the interval between later ones."""


@dataclass
class Tap:
    """What was tapped, and the positions before and after it."""

    seat: str
    action: str
    before: State
    after: State

    @cached_property
    def stored(self) -> dict[str, Any]:
        """The position after it, as stored."""
        return self.after.to_json()

    @cached_property
    def offers(self) -> dict[str, tuple[Offer, ...]]:
        """What each seat may tap after it."""
        return {seat: engine.offers(self.after, seat) for seat in self.after.seats}


@dataclass
class Walk:
    """A whole match of random taps."""

    game: System
    start: State
    taps: list[Tap]
    luck: random.Random

    @property
    def closely(self) -> Iterator[Tap]:
        """The taps for checks too slow to make at each: the first ones, some later ones, the last."""
        for number, tap in enumerate(self.taps):
            if number < CLOSELY or number % THEN == 0 or tap.after.result is not None:
                yield tap


def walk(played: tuple[System, str, int, dict[str, int]], seed: int) -> Walk:
    """The match that this seed leads to in a case; tests continue with its `luck`."""
    game, mode, seats, options = played
    luck = random.Random(seed)
    before = start = random_play.fresh_state(game, mode, seed, seats, options)
    taps = []
    for seat, action, after in random_play.play(start, luck, game.longest):
        taps.append(Tap(seat, action, before, after))
        before = after
    return Walk(game, start, taps, luck)
