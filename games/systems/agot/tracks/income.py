"""The Westeros card Game of Thrones: power from the areas and ports that a house holds."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.agot.box import house
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.houses import Together

MOST = 15
"""More than any house has gained at once."""


def begin(g: Table) -> None:
    """Every house takes its power."""
    g.call(Income)


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
    help = _(
        "One for each power icon you control, and one for each port with your ships and no enemy ship off it."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        last = say(_("Last time %(power)s"), power=g.armies[seat].income)
        yield Offer("income", say(_("Power gained")), 0, MOST, detail=last)

    @answer
    def income(self, g: Table, seat: str, power: int) -> None:
        g.mark_answered(seat)
        g.armies[seat].income = power
        receive(g, seat, power)


STEPS: tuple[type[Step[Table]], ...] = (Income,)
