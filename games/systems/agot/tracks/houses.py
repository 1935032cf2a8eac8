"""The kit's questions as this game asks them: houses are called by name, and take turns in turn order."""

from __future__ import annotations

from collections.abc import Iterable

from games.core import kit
from games.core.words import Term
from games.systems.agot.box import house
from games.systems.agot.pieces import Table


class Settled(kit.Settled[Table]):
    """Each house says that it is done, and may change its mind until all are."""

    def called(self, g: Table, seat: str) -> Term:
        return house(seat)


class ByTurns(kit.ByTurns[Table]):
    """BASE-07: in turn order houses do one thing each, until no house has anything left to do."""

    def order(self, g: Table) -> Iterable[str]:
        return g.turn_order
