"""Questions that several houses are asked at once, and what most steps of this game have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import house, houses
from games.systems.agot.pieces import Table


class Together(Step):
    """Every house that is concerned answers once, in any order; then the game goes on."""

    def concerned(self, g: Table) -> Iterable[str]:
        """The houses that are asked."""
        return g.seats

    def waiting(self, g: Table) -> tuple[str, ...]:
        """The houses that have yet to answer."""
        return tuple(seat for seat in self.concerned(g) if not g.armies[seat].done)

    def asked(self, g: Table) -> Iterable[str]:
        return self.waiting(g)

    def run(self, g: Table) -> None:
        g.reopen()
        self.go_on(g)

    def go_on(self, g: Table) -> None:
        """What follows when all have answered."""
        g.end()


class Settled(Together):
    """Each says that it is done, and may think again until all are."""

    yes = Offer("done", say(_("Done")), style="main")
    no = Offer("not-yet", say(_("Not yet")), style="quiet")
    answered = _("You are done")

    def asked(self, g: Table) -> Iterable[str]:
        return tuple(self.concerned(g)) if self.waiting(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield self.no if g.armies[seat].done else self.yes

    def done(self, g: Table, seat: str) -> None:
        g.armies[seat].done = True
        g.say(_("%(house)s is done."), house=house(seat))

    def not_yet(self, g: Table, seat: str) -> None:
        g.armies[seat].done = False
        g.say(_("%(house)s will choose again."), house=house(seat))

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(self.answered if seat and g.armies[seat].done else self.title)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or not g.armies[seat].done:
            return super().helping(g, seat)
        return say(_("Still waiting for %(houses)s."), houses=houses(self.waiting(g)))


class InTurn(Step):
    """Houses are asked one after the other; the question's `about` names those who are left."""

    def asked(self, g: Table) -> Iterable[str]:
        return g.question.about[:1]

    def run(self, g: Table) -> None:
        g.end()

    def next(self, g: Table) -> None:
        """Ask the one after."""
        rest = g.question.about[1:]
        if rest:
            g.goto(self.name, *rest)
        else:
            g.end()


class ByTurns(Step):
    """BASE-07: houses do one thing each in turn order, round and round, until none has anything left to do.

    The question's `about` names the houses that are left, the next one first.
    """

    def left(self, g: Table) -> tuple[str, ...]:
        """The houses that have not said that they are through, the next one first."""
        return () if g.question.about == OVER else g.question.about or g.turn_order

    def next(self, g: Table, seat: str) -> tuple[str, ...]:
        """The houses as they are asked after this one has done something."""
        return (*self.left(g)[1:], seat)

    def asked(self, g: Table) -> Iterable[str]:
        return self.left(g)[:1]

    def leave_out(self, g: Table) -> None:
        """The house whose turn it is has nothing left to do."""
        g.goto(self.name, *(self.left(g)[1:] or OVER))


OVER = ("over",)
"""What stands in `about` once nobody is left."""


class Anybody(Step):
    """One answer for the whole table, from whoever taps first."""

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats
