"""The end of a turn and the beginning of the next.

The three phases lead to one another and back to the first. To avoid circular imports, the step that
begins a turn is declared here, below them all.
"""

from __future__ import annotations

from games.core.kit import Silent
from games.core.steps import Step
from games.core.system import name_of
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules.windows import forget


class TurnBegins(Step[Table]):
    """BUSH-01: a turn begins with its Starting phase; `starting_phase.VariableTurns` is this step."""

    name = "variable-turns"


class Checks(Step[Table]):
    """BUSH-20: the checks of the End phase; `scoring.NextCheck` is this step."""

    name = "next-check"


def begin_turn(g: Table) -> None:
    """Begin the next turn with its Starting phase (BUSH-01)."""
    g.begin_round(None)
    g.active = g.starter = g.actor = g.feats = ""
    g.acting = g.target = None
    forget(g)
    g.say(_("Turn %(turn)s."), turn=g.round)
    g.goto(TurnBegins)


class DiscardPasses(Silent[Table]):
    """BUSH-24: unspent pass tokens are discarded, and the next turn begins."""

    rule = "BUSH-24"
    title = _("Pass tokens are discarded")

    def run(self, g: Table) -> None:
        for seat in g.seats:
            left, g.armies[seat].passes = g.armies[seat].passes, 0
            if left:
                g.say_count(
                    "%(player)s discards %(count)s pass token.",
                    "%(player)s discards %(count)s pass tokens.",
                    left,
                    player=name_of(g, seat),
                )
        begin_turn(g)
