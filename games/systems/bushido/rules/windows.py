"""Windows: moments that cost a tap only for a player with a reminder there.

A model's note can be a reminder for a moment. Then its player is asked there, resolves
each effect with one tap in any order, and the match goes on by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import kit
from games.core.steps import Offer, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit

STARTING, FEATS_BEFORE, FEATS_AFTER, END_ADVERSE, END, EXPIRES = (
    "starting",
    "feats-before",
    "feats-after",
    "end-adverse",
    "end",
    "expires",
)
MOMENTS = {
    STARTING: _("Starting Phase"),
    FEATS_BEFORE: _("Before my action (Active feats)"),
    FEATS_AFTER: _("After my action (last Active feats)"),
    END_ADVERSE: _("End Phase, adverse"),
    END: _("End Phase, other"),
    EXPIRES: _("Expires in the End Phase"),
}
"""The moments at which players can be reminded of a model's note."""


class Window(kit.Window[Table]):
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
    """Whether a seat has a model with a reminder at this moment."""
    return any(reminding(g, moment, seat))


def reminding(g: Table, moment: str, seat: str) -> Iterator[Unit]:
    """The models of a seat with a reminder at this moment."""
    noted = [unit for unit in g.units.values() if moment in unit.reminders]
    return (unit for unit in noted if unit.is_in_play and unit.player == seat)


def forget(g: Table) -> None:
    """Forget what was resolved in the previous window."""
    for army in g.armies.values():
        army.resolved = frozenset()
