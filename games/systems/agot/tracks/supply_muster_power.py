"""The Westeros cards Supply, Mustering and Game of Thrones, and all that moves a supply marker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Offer, Step, answer, asked, say
from games.core import gettext_noop as _
from games.systems.agot.pieces import HIGHEST_LEVEL, InTurn, Table, Together, house, limits

# --- Supply ------------------------------------------------------------------------------------------


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
        now = say(_("Currently %(level)s"), level=g.armies[seat].supply)
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
        if seat is None or seat not in asked(g):
            return Line(_("Two or more units in one area are an army."))
        line = _("At level %(level)s: armies of at most %(sizes)s. Remove units until yours fit.")
        return say(line, level=g.armies[seat].supply, sizes=limits(g.armies[seat].supply))


# --- Mustering ---------------------------------------------------------------------------------------


class Mustering(InTurn):
    """AGOT-06: in turn order each house musters in all its castles and strongholds."""

    rule = "AGOT-06"
    title = _("Muster in your castles and strongholds")
    meanwhile = _("%(house)s musters in its castles and strongholds")
    help = _(
        "A castle has 1 point, a stronghold 2. Footman or ship 1, knight or siege engine 2; "
        "a footman there becomes either for 1. Keep to your supply; what is not spent is lost."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("mustered", say(_("All mustered")), style="main")

    @answer
    def mustered(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has mustered."), house=house(seat))
        self.next(g)


# --- Game of Thrones ---------------------------------------------------------------------------------


MOST_POWER = 15
"""More than any house has gained at once."""


def receive(g: Table, seat: str, wanted: int) -> None:
    """Take power from the pool and say so; a house has only twenty tokens (BASE-08)."""
    gained = g.gain(seat, wanted)
    total = g.armies[seat].power
    line = _("%(house)s gains %(gained)s power and has %(total)s.")
    g.say(line, house=house(seat), gained=gained, total=total)
    if gained < wanted:
        g.say(_("The pool of %(house)s is empty."), house=house(seat))


class Income(Together):
    """AGOT-21: one power for each power icon, and one for each port with the house's ships and a free sea."""

    rule = "AGOT-21"
    title = _("How much power do you gain?")
    meanwhile = _("Counting the power gained: %(house)s")
    help = _("1 per power icon you control, and 1 per port with your ships and no enemy ship in its sea.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        last = say(_("Last time %(power)s"), power=g.armies[seat].income)
        yield Offer("income", say(_("Power gained")), 0, MOST_POWER, detail=last)

    @answer
    def income(self, g: Table, seat: str, power: int) -> None:
        g.mark_answered(seat)
        g.armies[seat].income = power
        receive(g, seat, power)


STEPS: tuple[type[Step[Table]], ...] = (Supply, Reconcile, Mustering, Income)
