"""The points at which the table may wait: for a question, for a window somebody asked for, or for the end.

A window is open only for the seats that have something registered there: a unit
with a reminder at that moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from games.core import Acknowledged, Line, Offer, Step, answer, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import START_OF_ROUND, Table, Unit
from games.systems.tmg.rules import end_of_match


class Moment(Step[Table]):
    """A point of the match that waits for its seats, unless the match may be over: that is asked first."""

    part_of: ClassVar[type[Step[Table]] | None] = None
    """The step of the clean-up (TMG-74) that this question belongs to, if it is not one of the ten itself."""

    def asked(self, g: Table) -> Iterable[str]:
        return () if end_of_match.pending(g) else self.waits_for(g)

    def run(self, g: Table) -> None:
        if end_of_match.pending(g):
            g.call(end_of_match.Ending)
        else:
            self.go_on(g)

    def waits_for(self, g: Table) -> Iterable[str]:
        return ()

    def is_confirmed(self, g: Table) -> bool:
        """Whether all players are asked to confirm points here, which is their last opportunity (TMG-14)."""
        return False

    def go_on(self, g: Table) -> None:
        raise NotImplementedError


class OfUnit(Moment):
    """What a chosen unit does; its player may still put it back. `unit` is its key."""

    asks: ClassVar[str]
    """The question, which names the unit."""

    unit: str

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.say(_("%(unit)s does nothing yet."), unit=g.units[self.unit].name)
        g.end()

    def go_on(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(self.asks, unit=g.units[self.unit].name)


BACK = Offer("back", say(_("Back")), style="quiet")


class MomentOfAll(Moment, Acknowledged[Table]):
    """A moment at which everybody concerned says once that they are done, in any order."""

    def waits_for(self, g: Table) -> Iterable[str]:
        return self.waiting(g)


class Window(MomentOfAll):
    """A moment that each seat with something registered closes with one tap; the others need none."""

    moment: ClassVar[str]

    def concerned(self, g: Table) -> Iterable[str]:
        return registered(g, self.moment)

    def helping(self, g: Table, seat: str | None) -> Line:
        return self.reminder(g, seat) or Line(self.help)

    def reminder(self, g: Table, seat: str | None) -> Line | None:
        """The reminders of a seat (None: of all) that are due here."""
        asked = [player for player in self.concerned(g) if seat in (None, player)]
        units = [unit for unit in reminding(g, self.moment) if unit.player in asked]
        notes = tuple(f"{unit.name}: {unit.note}" if unit.note else unit.name for unit in units)
        return say(_("Reminder: %(notes)s"), notes=notes) if notes else None


def reminding(g: Table, moment: str) -> list[Unit]:
    """The units with a reminder at this moment, if notes are tracked: those in play.

    At the start of a round those in Reserve are among them, because cards bring units from there then.
    """
    if not g.tracks("notes"):
        return []
    places = ("table", "reserve") if moment == START_OF_ROUND else ("table",)
    return [unit for unit in g.units.values() if moment in unit.reminders and unit.place in places]


def registered(g: Table, moment: str) -> tuple[str, ...]:
    """The seats that have something registered at this moment, the First Player first."""
    seats = {unit.player for unit in reminding(g, moment)}
    return tuple(seat for seat in in_order(g) if seat in seats) if seats else ()


def in_order(g: Table) -> tuple[str, ...]:
    return (g.first, *g.rivals(g.first)) if g.first else g.seats
