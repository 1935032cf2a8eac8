"""How tests of corrections ask for them: a duel, a correction, what is offered."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.tests.tables import (
    infantry,
    ncu,
    table,
)


def duel(**rest):
    """Two Combat Units and an NCU a side."""
    return table(
        [infantry("wolves", commander=True), infantry("bears"), ncu("sansa")],
        [infantry("lions", commander=True), infantry("knights"), ncu("tyrion")],
        **rest,
    )


def fixed(g, *actions, note="", seat="red"):
    """The position after these corrections, each "path action"."""
    for action in actions:
        g = engine.adjust(g, seat, *action.split(), note)
    return g


def refused(g, action, note=""):
    """The sentence with which a correction is refused."""
    with pytest.raises(IllegalAction) as caught:
        fixed(g, action, note=note)
    return str(caught.value)


def offer(g, path, action):
    """The correction of this name, or None where it is not offered."""
    return next((found for found in engine.corrections(g, path) if found.action == action), None)


def actions(g, path, verb=""):
    return [found.action for found in engine.corrections(g, path) if found.action.startswith(verb)]
