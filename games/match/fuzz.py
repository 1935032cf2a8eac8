"""Random play: robots that only ever tap what is offered, for fuzzing, tests and benchmarks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from games.core import engine
from games.core.state import State
from games.core.steps import Offer
from games.core.system import System, system

ONWARDS = 0.9
"""How often a robot looks only at seats that have yet to answer."""


def ways(game: System, mode: str) -> Iterator[dict[str, int]]:
    """The options to try a mode with: the usual ones, and for the first mode each of the game's variants."""
    yield {}
    if mode == game.modes[0].slug:
        yield from game.variants


def fresh_state(
    game: System, mode: str, seed: int, seats: int | None = None, options: Mapping[str, int] | None = None
) -> State:
    """A fresh position of a game with the fewest seats, or as many as asked for, and with these options."""
    count = seats or game.seat_range[0]
    names = dict(list(game.seat_names.items())[:count])
    state = game.open(mode, names, f"seed-{seed}", dict(options or {}))
    engine.advance(state)
    return state


def tap_of(offer: Offer, luck: random.Random) -> str:
    """An action that the offer covers: itself, or with a number from its range."""
    if offer.minimum is None or offer.maximum is None:
        return offer.action
    return f"{offer.action}:{luck.randint(offer.minimum, offer.maximum)}"


def tap(state: State, luck: random.Random) -> tuple[str, str]:
    """A seat and an action that it may tap now; a seat that has answered seldom changes its mind."""
    seat = _seat(state, luck)
    return seat, tap_of(luck.choice(engine.offers(state, seat)), luck)


def _seat(state: State, luck: random.Random) -> str:
    """A seat that can answer, mostly one that has yet to; stops at the first that it finds."""
    asked, onwards = list(engine.asked(state)), luck.random() < ONWARDS
    if len(asked) == 1:  # A lone seat always has an answer.
        return luck.choice(asked)
    answered = []
    while asked:
        seat = luck.choice(asked)
        if engine.has_to_answer(state, seat) if onwards else engine.answers(state, seat):
            return seat
        asked.remove(seat)
        answered.append(seat)
    return luck.choice([seat for seat in answered if engine.answers(state, seat)])


def correction(state: State, luck: random.Random) -> tuple[str, str, str] | None:
    """A seat, a path and a correction that the game offers there; None if there is none."""
    corrections = system(state.system).corrections_step
    path = luck.choice(sorted(corrections.paths(state)))
    offered = engine.corrections(state, path)
    if not offered:
        return None
    return luck.choice(state.seats), path, tap_of(luck.choice(offered), luck)


def play(state: State, luck: random.Random, longest: int) -> Iterator[tuple[str, str, State]]:
    """Play to the end: seat, action and the position after each tap. Raises if the end never comes."""
    engine.keep(state)
    for _count in range(longest):
        if state.result is not None:
            return
        seat, action = tap(state, luck)
        state = engine.play(state, seat, action)
        yield seat, action, state
    if state.result is None:
        raise RuntimeError(f"{state.system} did not end within {longest} taps")
