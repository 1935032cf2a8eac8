"""What tests read from any game and position: steps, offers, who is asked, what was said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import Offer, State, Step, System, engine


def all_steps(game: System[Any]) -> Iterator[type[Step[Any]]]:
    """Every step of a game, once for each mode that plays it."""
    for mode in game.modes:
        yield from game.steps_of(mode.slug)


def offered(g: State, seat: str) -> list[str]:
    """What this seat may tap, with a number's range after its action: "hurt:centre 1-12"."""
    return [_written(offer) for offer in engine.offers(g, seat)]


def taps(g: State) -> Iterator[tuple[str, str]]:
    """Every seat and action that may be tapped, with each number spelled out."""
    for seat in engine.to_act(g):
        for offer in engine.offers(g, seat):
            if offer.minimum is None:
                yield seat, offer.action
            else:
                yield from ((seat, f"{offer.action}:{n}") for n in range(offer.minimum, offer.maximum + 1))


def _written(offer: Offer) -> str:
    return offer.action if offer.minimum is None else f"{offer.action} {offer.minimum}-{offer.maximum}"


def asks(g: State) -> str:
    """The step that is open and the seats that it waits for: "turn red"."""
    return " ".join((g.question.step, *engine.to_act(g)))


def said(g: State) -> str:
    """What the last action wrote into the log."""
    return "\n".join(str(line) for line in g.lines)
