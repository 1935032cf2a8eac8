"""Corrections of what a model's card says: its figures, and the note that players write on it."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import refuse_same, stepper, switch, written
from games.core.steps import Corrections, Offer, answer
from games.core.validation import NOTE_GRAPHEMES
from games.core.words import Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.corrections.headings import FIGURES, NOTE
from games.systems.bushido.pieces import MOMENTS, Table, Unit
from games.systems.bushido.rules import wounds_and_ki
from games.systems.bushido.rules.muster_and_deployment import recount

MOST_FIGURE, MOST_KI = 10, 30


class CardCorrections(Corrections[Table]):
    """What may be corrected on the card of a model."""

    def note_of(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """The note on a model's card, and the moments at which players are reminded of it."""
        detail = say(_("Type it in the field below."))
        yield Offer(f"note:{unit.key}", say(_("Note on its card")), detail=detail, group=NOTE)
        if unit.note:
            yield Offer(f"forget:{unit.key}", say(_("Remove its note")), group=NOTE)
            for moment, label in MOMENTS.items():
                on, off = f"remind:{unit.key}:{moment}", f"let-be:{unit.key}:{moment}"
                title = say(_("Remind me: %(moment)s"), moment=Term(label))
                yield switch(moment in unit.reminders, on, off, title, NOTE)

    def figures_of(self, unit: Unit) -> Iterator[Offer]:
        """The figures of a model's card."""
        yield from stepper(f"tactician:{unit.key}", say(_("Tactician")), unit.tactician, 0, 3, FIGURES)
        regenerate = say(_("Regenerate"))
        yield from stepper(f"regenerate:{unit.key}", regenerate, unit.regenerate, 0, 5, FIGURES)
        yield from stepper(f"tough:{unit.key}", say(_("Tough")), unit.tough, 0, 5, FIGURES)
        label = say(_("Tireless"))
        yield switch(unit.tireless, f"tireless:{unit.key}", f"tires:{unit.key}", label, FIGURES)
        if unit.tracks_wounds:
            label = say(_("Total wounds"))
            yield from stepper(f"wounds-total:{unit.key}", label, unit.wounds_total, 1, 30, FIGURES)
        if unit.gain is not None:
            yield from stepper(f"gain:{unit.key}", say(_("Ki each turn")), unit.gain, 0, MOST_FIGURE, FIGURES)
        if unit.cap is not None:
            yield from stepper(f"cap:{unit.key}", say(_("Ki cap")), unit.cap, 0, MOST_KI, FIGURES)
        yield from stepper(f"rice:{unit.key}", say(_("Rice")), unit.cost, 0, 99, FIGURES)

    @answer
    def note(self, g: Table, seat: str, unit: Unit) -> None:
        unit.note = written(g, _("Please type the note in the field below."), NOTE_GRAPHEMES)
        g.say(_("%(model)s: %(note)s"), model=unit.name, note=unit.note)

    @answer
    def forget(self, g: Table, seat: str, unit: Unit) -> None:
        unit.note, unit.reminders = "", frozenset()
        g.say(_("%(model)s: its note is gone."), model=unit.name)

    @answer
    def remind(self, g: Table, seat: str, unit: Unit, moment: str) -> None:
        unit.reminders |= {moment}
        g.say(_("Reminder set for %(model)s: %(moment)s."), model=unit.name, moment=Term(MOMENTS[moment]))

    @answer
    def let_be(self, g: Table, seat: str, unit: Unit, moment: str) -> None:
        unit.reminders -= {moment}
        g.say(_("Reminder removed for %(model)s: %(moment)s."), model=unit.name, moment=Term(MOMENTS[moment]))

    @answer
    def tactician(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.tactician += _real(change)
        self._tell(g, unit, _("Tactician"), unit.tactician)

    @answer
    def regenerate(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.regenerate += _real(change)
        self._tell(g, unit, _("Regenerate"), unit.regenerate)

    @answer
    def tough(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.tough += _real(change)
        self._tell(g, unit, _("Tough"), unit.tough)

    @answer
    def tireless(self, g: Table, seat: str, unit: Unit) -> None:
        unit.tireless = True
        g.say(_("%(model)s is Tireless."), model=unit.name)

    @answer
    def tires(self, g: Table, seat: str, unit: Unit) -> None:
        unit.tireless = False
        g.say(_("%(model)s is not Tireless."), model=unit.name)

    @answer
    def wounds_total(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.wounds_total += _real(change)
        unit.wounds_stat = str(unit.wounds_total)
        unit.wounds = max(0, min(unit.wounds_total, unit.wounds + max(0, change)))
        self._tell(g, unit, _("Total wounds"), unit.wounds_total)

    @answer
    def gain(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.ki_stat = str((unit.gain or 0) + _real(change))
        self._tell(g, unit, _("Ki each turn"), unit.gain or 0)

    @answer
    def cap(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.ki_cap = str((unit.cap or 0) + _real(change))
        wounds_and_ki.fill_ki(g, unit)
        self._tell(g, unit, _("Ki cap"), unit.cap or 0)

    @answer
    def rice(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        unit.cost += _real(change)
        recount(g, unit.army)
        self._tell(g, unit, _("Rice"), unit.cost)

    def _tell(self, g: Table, unit: Unit, what: str, now: int) -> None:
        g.say(_("%(model)s: %(what)s %(now)s."), model=unit.name, what=Term(what), now=now)


def _real(change: int) -> int:
    refuse_same(change == 0)
    return change
