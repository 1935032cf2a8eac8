"""The round track, and the phase that begins a round."""

from __future__ import annotations

from games.core.steps import Step
from games.core.words import gettext_noop as _
from games.systems.agot.pieces import Table


class Westeros(Step[Table]):
    """BASE-03: the Westeros phase, which begins every round after the first."""


def begin(g: Table) -> None:
    """Advance the round track: the holder of the Iron Throne leads (BASE-01)."""
    g.begin_round(g.turn_order[0])
    g.cards, g.barred, g.bids, g.placed = (), "", {}, ()
    g.say(_("Round %(number)s."), number=g.round)
