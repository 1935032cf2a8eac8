"""First steps: how a game lets a newcomer play one round against themselves, and what it tells them.

A game states where its round begins and, for the questions on the way, a sentence and what to tap. A question
without such a hint is asked in its own words, so a game that states nothing can be tried as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


def _always(_g: Any) -> bool:
    return True


@dataclass(frozen=True)
class Hint:
    """A sentence beside a question, and the tap that goes on from there.

    `step` is the name of the question's step, `action` what may be tapped there, with its number if it takes
    one; with a `path` ("unit/wolves") it is a correction of that piece. A hint applies `when` the position is
    so, and while its action is offered; the first that applies is shown.
    """

    step: str
    action: str
    text: str
    path: str = ""
    when: Callable[[Any], bool] = _always


@dataclass(frozen=True)
class FirstSteps:
    """A round for newcomers.

    Its table has the `mode` ("": the game's first), `seats` players (0: the fewest), these `options`, and by
    seat the `armies` as text. `opening` holds the actions up to where the round begins, one a line, as in a
    transcript; first steps end with `last_round`. `teaches` says what they show, `taps` how many taps the
    `hints` take (0: nobody has counted).
    """

    mode: str = ""
    seats: int = 0
    options: Mapping[str, int] = field(default_factory=dict)
    armies: Mapping[str, str] = field(default_factory=dict)
    opening: str = ""
    last_round: int = 1
    teaches: str = ""
    taps: int = 0
    hints: tuple[Hint, ...] = ()
