"""What a mode with marks gives for a destruction: for a mark on either unit, and for tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules.paying import pay

TOKEN = _("Victory Point token")
FOR_A_MARKED_ENEMY = 2


def is_played(g: Table) -> bool:
    """Whether this match's mode marks units (TMG-96)."""
    return bool(g.rules.get("marks"))


def of(g: Table, unit: Unit) -> Iterator[tuple[int, str]]:
    """Points and reasons beyond the usual ones for a destroyed enemy."""
    if not is_played(g):
        return
    if unit.marked:
        yield FOR_A_MARKED_ENEMY, _("it was marked")
    tokens = sum(number for called, number in unit.counters if called == TOKEN)
    if tokens:
        yield tokens, _("Victory Point tokens on it")


def marked(g: Table, seat: str) -> Iterator[Unit]:
    """The marked units that a seat has on the table."""
    return (unit for unit in g.combat_units(seat) if unit.marked and unit.is_on_table)


class ByWhom(Step[Table]):
    """TMG-96: an enemy that a marked unit destroyed gives 1 more, even if it grants none itself (TMG-48).

    It is asked even about the last enemy, as its point belongs to the match's final score.
    `fallen` is the key of that enemy, `seat` the side that destroyed it; `units` are the keys of the
    marked units that may have done so, even if they fall before that is answered.
    """

    rule = "TMG-96"
    title = _("Which unit destroyed it?")
    help = _("A marked unit scores 1 more for what it destroys.")

    fallen: str
    seat: str
    units: tuple[str, ...] = ()

    def asked(self, g: Table) -> Iterable[str]:
        is_gone = self.fallen in g.units and not g.units[self.fallen].is_on_table
        return (self.seat,) if is_gone and any(True for _unit in self.candidates(g)) else ()

    def candidates(self, g: Table) -> Iterator[Unit]:
        """The marked units that may have destroyed it."""
        return (g.units[key] for key in self.units if key in g.units and g.units[key].marked)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.candidates(g):
            yield Offer(f"by:{unit.key}", say(_("%(unit)s, marked"), unit=unit.name))
        yield Offer("by-another", say(_("Another unit")), style="main")

    @answer
    def by(self, g: Table, seat: str, unit: Unit) -> None:
        fallen = g.units[self.fallen]
        g.say(_("%(unit)s destroyed %(rival)s."), unit=unit.name, rival=fallen.name)
        pay(g, fallen, seat, [(1, _("a marked unit destroyed it"))])
        g.end()

    @answer
    def by_another(self, g: Table, seat: str) -> None:
        g.say(_("No marked unit destroyed %(unit)s."), unit=g.units[self.fallen].name)
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which unit destroyed %(unit)s?"), unit=g.units[self.fallen].name)


def ask(g: Table, unit: Unit, seat: str) -> None:
    """Ask which unit of a seat destroyed this one, if a marked one may have."""
    candidates = tuple(found.key for found in marked(g, seat)) if is_played(g) and unit.is_combat else ()
    if candidates:
        g.call(ByWhom(unit.key, seat, candidates))
