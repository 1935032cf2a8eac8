"""The Westeros card Supply, and everything else that moves a supply marker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import engine
from games.core.steps import Offer, Step, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import HIGHEST_LEVEL, house, limits
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.houses import Together


def begin(g: Table) -> None:
    """Every house adjusts its supply."""
    g.call(Supply)


def adjust(g: Table, seat: str, level: int) -> None:
    """Move a house's marker, never beyond either end (AGOT-01); a fall is noted for AGOT-03."""
    army = g.armies[seat]
    before, army.supply = army.supply, max(0, min(HIGHEST_LEVEL, level))
    army.lowered = army.lowered or army.supply < before
    line = _("%(house)s: supply %(before)s → %(level)s, armies of at most %(sizes)s.")
    g.say(line, house=house(seat), before=before, level=army.supply, sizes=limits(army.supply))


class Supply(Together):
    """AGOT-01: each house counts the supply icons of its areas; its marker goes to that number."""

    rule = "AGOT-01"
    title = _("How many supply icons do you control?")
    meanwhile = _("Counting supply icons: %(house)s")
    help = _("Count them in your areas; more than six count as six.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        now = say(_("Now %(level)s"), level=g.armies[seat].supply)
        yield Offer("level", say(_("Supply icons")), 0, HIGHEST_LEVEL, detail=now)

    @answer
    def level(self, g: Table, seat: str, level: int) -> None:
        g.mark_answered(seat)
        adjust(g, seat, level)

    def go_on(self, g: Table) -> None:
        g.goto(Reconcile)


class Reconcile(Together):
    """AGOT-03: a house with too many or too large armies removes units at once, of its own choice."""

    rule = "AGOT-03"
    title = _("Do your armies fit your new supply?")
    meanwhile = _("Comparing armies with supply: %(house)s")

    def concerned(self, g: Table) -> Iterable[str]:
        return tuple(seat for seat in g.turn_order if g.armies[seat].lowered)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("fits", say(_("My armies fit")), style="main")

    @answer
    def fits(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(house)s's armies fit its supply."), house=house(seat))

    def go_on(self, g: Table) -> None:
        for army in g.armies.values():
            army.lowered = False
        g.end()

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or seat not in engine.asked(g):
            return Line(_("Two or more units in one area are an army."))
        line = _("At level %(level)s: armies of at most %(sizes)s. Remove units until yours fit.")
        return say(line, level=g.armies[seat].supply, sizes=limits(g.armies[seat].supply))


STEPS: tuple[type[Step[Table]], ...] = (Supply, Reconcile)
