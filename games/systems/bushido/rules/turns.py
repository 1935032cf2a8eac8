"""A turn ends and the next begins; its Starting, Main and End phase stand above, and come round to here."""

from __future__ import annotations

from games.core.kit import Silent
from games.core.steps import Step
from games.core.system import name_of
from games.core.words import gettext_noop as _
from games.core.words import say_count
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules.windows import forget


class TurnBegins(Step):
    """BUSH-01: the step with which a turn begins, by its name: `starting_phase.VariableTurns` plays it."""

    name = "variable-turns"


def begin_turn(g: Table) -> None:
    """The next turn: its Starting phase."""
    g.begin_round(None)
    g.active = g.starter = g.feats = ""
    g.acting = g.target = None
    forget(g)
    g.say(_("Turn %(turn)s."), turn=g.round)
    g.goto(TurnBegins)


class DiscardPasses(Silent):
    """BUSH-24: unspent pass tokens are discarded, and the next turn begins."""

    rule = "BUSH-24"
    title = _("Pass tokens are discarded")

    def run(self, g: Table) -> None:
        for seat in g.seats:
            left, g.armies[seat].passes = g.armies[seat].passes, 0
            if left:
                line = say_count(
                    "%(player)s discards %(count)s pass token.",
                    "%(player)s discards %(count)s pass tokens.",
                    left,
                    player=name_of(g, seat),
                )
                g.lines.append(line)
        begin_turn(g)
