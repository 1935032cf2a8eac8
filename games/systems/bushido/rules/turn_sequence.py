"""What the three phases of a turn share: where a turn begins and ends, and their windows.

The phases lead to one another and back to the first. To avoid circular imports, the steps that a later
chapter carries out are declared here, below them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games import core
from games.core import Line, Offer, Silent, Step, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit


class TurnBegins(Step[Table]):
    """BUSH-01: a turn begins with its Starting phase; `starting_phase.VariableTurns` is this step."""

    name = "variable-turns"


class Checks(Step[Table]):
    """BUSH-20: the checks of the End phase; `end_phase.NextCheck` is this step."""

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


# --- windows -----------------------------------------------------------------------------------------


class Window(core.Window[Table]):
    """Each effect of a moment is one tap, in the order its player likes, the Active Player first."""

    def order(self, g: Table) -> Iterable[str]:
        return g.in_order()

    def effects(self, g: Table, seat: str) -> Iterator[Unit]:
        resolved = g.armies[seat].resolved
        return (unit for unit in reminding(g, self.moment, seat) if unit.key not in resolved)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.effects(g, seat):
            yield Offer(
                f"resolve:{unit.key}",
                say(_("%(model)s: done"), model=unit.name),
                detail=Line(unit.note) if unit.note else None,
                style="main",
            )

    @answer
    def resolve(self, g: Table, seat: str, unit: Unit) -> None:
        g.armies[seat].resolved |= {unit.key}
        g.say(_("%(model)s: %(note)s"), model=unit.name, note=unit.note)

    def run(self, g: Table) -> None:
        forget(g)
        self.go_on(g)


def are_reminded(g: Table, moment: str, seat: str) -> bool:
    return any(reminding(g, moment, seat))


def reminding(g: Table, moment: str, seat: str) -> Iterator[Unit]:
    noted = [unit for unit in g.units.values() if moment in unit.reminders]
    return (unit for unit in noted if unit.is_in_play and unit.player == seat)


def forget(g: Table) -> None:
    """Forget what was resolved in the previous window."""
    for army in g.armies.values():
        army.resolved = frozenset()
