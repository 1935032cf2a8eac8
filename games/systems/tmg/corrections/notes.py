"""Corrections of what lies beside a unit: counters of any name, a note, and when to be reminded of it."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import switch, written
from games.core.steps import Corrections, IllegalAction, Offer, answer
from games.core.validation import NOTE_GRAPHEMES
from games.core.words import Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.headings import COUNTERS, NOTE, noun
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import destruction as wounds
from games.systems.tmg.rules.moments_of_play import MOMENTS

MOST_COUNTERS = 12


class NoteCorrections(Corrections[Table]):
    """Counters and notes of a unit."""

    def counters_of(self, unit: Unit) -> Iterator[Offer]:
        """One more or one fewer of each of a unit's counters, and a new counter by name."""
        for called in counters(unit):
            number = wounds.counted(unit, called)
            if number < wounds.COUNTERS.get(called, wounds.COUNTER_LIMIT):
                label = say(_("%(counter)s: add 1"), counter=Term(called))
                yield Offer(f"more:{unit.key}:{noun(called)}", label, value=number, group=COUNTERS)
            if number:
                label = say(_("%(counter)s: remove 1"), counter=Term(called))
                yield Offer(f"less:{unit.key}:{noun(called)}", label, value=number, group=COUNTERS)
        if len(unit.counters) < MOST_COUNTERS:
            detail = say(_("Type its name in the field below."))
            yield Offer(f"counter:{unit.key}", say(_("Another counter")), detail=detail, group=COUNTERS)

    @answer
    def more(self, g: Table, seat: str, unit: Unit, counter: str) -> None:
        wounds.count(g, unit, _counter(unit, counter), 1)

    @answer
    def less(self, g: Table, seat: str, unit: Unit, counter: str) -> None:
        wounds.count(g, unit, _counter(unit, counter), -1)

    @answer
    def counter(self, g: Table, seat: str, unit: Unit) -> None:
        called = written(g, _("Please type the counter's name in the field below."))
        same = next((known for known in counters(unit) if noun(known) == noun(called)), called)
        if wounds.counted(unit, same) >= wounds.COUNTERS.get(same, wounds.COUNTER_LIMIT):
            raise IllegalAction(say(_("%(unit)s has as many of these as it can."), unit=unit.name), "TMG-44")
        wounds.count(g, unit, same, 1)

    def notes_of(self, unit: Unit) -> Iterator[Offer]:
        """A unit's note, and the moments at which to remind players of it."""
        detail = say(_("Type it in the field below. Leave the field empty to remove the note."))
        yield Offer(f"note:{unit.key}", say(_("Change the note")), detail=detail, group=NOTE)
        for moment, called in MOMENTS.items():
            on, off = f"remind:{unit.key}:{moment}", f"forget:{unit.key}:{moment}"
            label = say(_("Remind me: %(moment)s"), moment=Term(called))
            yield switch(moment in unit.reminders, on, off, label, NOTE)

    @answer
    def note(self, g: Table, seat: str, unit: Unit) -> None:
        unit.note = written(g, "", NOTE_GRAPHEMES) if g.note.strip() else ""
        if unit.note:
            g.say(_("Note on %(unit)s: %(note)s"), unit=unit.name, note=unit.note)
        else:
            g.say(_("The note on %(unit)s is taken away."), unit=unit.name)

    @answer
    def remind(self, g: Table, seat: str, unit: Unit, moment: str) -> None:
        unit.reminders |= {moment}
        line = _("Reminder set for %(unit)s: %(moment)s.")
        g.say(line, unit=unit.name, moment=Term(MOMENTS[moment]))

    @answer
    def forget(self, g: Table, seat: str, unit: Unit, moment: str) -> None:
        unit.reminders -= {moment}
        line = _("Reminder removed for %(unit)s: %(moment)s.")
        g.say(line, unit=unit.name, moment=Term(MOMENTS[moment]))


def counters(unit: Unit) -> tuple[str, ...]:
    """The names of a unit's own counters, then of the usual ones."""
    own = tuple(called for called, _number in unit.counters)
    return (*own, *(called for called in wounds.COUNTERS if called not in own))


def _counter(unit: Unit, key: str) -> str:
    return next(called for called in counters(unit) if noun(called) == key)
