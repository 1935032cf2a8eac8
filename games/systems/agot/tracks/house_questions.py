"""The kit's questions as this game asks them: houses are called by name, and take turns in turn order."""

from __future__ import annotations

from collections.abc import Iterable

from games import core
from games.core import Line, Step, Term, asked, say
from games.core import gettext_noop as _
from games.systems.agot.pieces import Table, house, houses


class NamesHouses(Step[Table]):
    """A question that says “you” to the houses that it is put to: everybody else reads which they are."""

    meanwhile = ""
    """What the others read in place of the question: `%(house)s` are the houses that have yet to answer."""

    def answering(self, g: Table) -> tuple[str, ...]:
        """The houses whose answer is out."""
        return asked(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat in asked(g):
            return super().asking(g, seat)
        return say(self.meanwhile, house=houses(self.answering(g)))

    def helping(self, g: Table, seat: str | None) -> Line:
        return super().helping(g, seat) if seat in asked(g) else Line("")


class Settled(NamesHouses, core.Settled[Table]):
    """Each house says that it is done, and may change its mind until all are."""

    def answering(self, g: Table) -> tuple[str, ...]:
        return self.waiting(g)

    def called(self, g: Table, seat: str) -> Term:
        return house(seat)


class Together(NamesHouses, core.Together[Table]):
    """Every house that is concerned answers once, in any order."""


class InTurn(NamesHouses, core.InTurn[Table]):
    """Houses are asked one after the other."""


class ByTurns(NamesHouses, core.ByTurns[Table]):
    """BASE-07: in turn order houses do one thing each, until no house has anything left to do."""

    def order(self, g: Table) -> Iterable[str]:
        return g.turn_order


# --- the beginning of a round ------------------------------------------------------------------------


class Westeros(Step[Table]):
    """BASE-03: the Westeros phase, which begins every round after the first."""


def begin_round(g: Table) -> None:
    """Advance the round track: the holder of the Iron Throne leads (BASE-01)."""
    g.begin_round(g.turn_order[0])
    g.cards, g.barred, g.bids, g.placed = (), "", {}, ()
    g.say(_("Round %(number)s."), number=g.round)
