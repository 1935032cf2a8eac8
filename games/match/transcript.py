"""A match as text that reads like the game: who tapped what, what the log said, how the match stood.

    game tmg mode=a-game-of-thrones seed=1 points=40
    red   activate:sworn-swords           Stark Sworn Swords activates.
    blue  unit/raiders wounds:raiders:-3  Free Folk Raiders suffers 3 wounds.
    red   army/red points:red:1 "ransom"  Red: +1 Victory Point, ransom.
    = r1 turn:red | red vp0 hand3 | blue vp0 hand3 | centre=red

Only the first line, the seats and the actions are read; tests write the rest again by today's rules, so that
a change of the rules shows as a difference in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games import core
from games.core import State, system

_WRITTEN = re.compile(
    r'(?P<seat>\S+) +(?:(?P<path>table|[a-z]+/\S+) )?(?P<action>\S+)(?: "(?P<note>[^"]*)")?'
)


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a transcript: a tap, or a correction of the piece at `path` with the `note` beside it."""

    seat: str
    action: str
    path: str = ""
    note: str = ""


def opening_state(heading: str) -> State:
    """The fresh position that a transcript's first line opens, its seats without names."""
    word, slug, *settings = heading.split()
    if word != "game":
        raise ValueError("a transcript begins with its game")
    options = dict(setting.split("=", 1) for setting in settings)
    game, mode, seed = system(slug), options.pop("mode"), options.pop("seed")
    count = int(options.pop("seats", game.seat_range[0]))
    names = dict.fromkeys(list(game.seat_names)[:count], "")
    state = game.open(mode, names, seed, {name: int(value) for name, value in options.items()})
    core.advance(state)
    return state


def actions(text: str) -> Iterator[Action]:
    """The actions of a transcript, in their order."""
    yield from written_actions(text.partition("\n")[2])


def written_actions(text: str) -> Iterator[Action]:
    """The actions that these lines of a transcript write."""
    for line in text.splitlines():
        if line.startswith(("=", " ", "#")) or not line.strip():
            continue
        written = _WRITTEN.match(line)
        if written is None:
            raise ValueError(f"no action of a transcript: {line}")
        yield Action(written["seat"], written["action"], written["path"] or "", written["note"] or "")


def positions(text: str) -> Iterator[tuple[Action | None, State]]:
    """Every position of a transcript with the action that led to it; None for the first."""
    state = opening_state(text.splitlines()[0])
    yield None, state
    for action in actions(text):
        state = play_action(state, action)
        yield action, state


def play_action(state: State, action: Action) -> State:
    """The position after an action."""
    if action.path:
        return core.adjust(state, action.seat, action.path, action.action, action.note)
    return core.play(state, action.seat, action.action)
