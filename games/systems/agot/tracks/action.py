"""The Action phase: raids, marches, consolidation, each in turn order; then castles are counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from games.core.kit import Anybody
from games.core.steps import Offer, Step, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import FEAST, SEA, box, house, houses
from games.systems.agot.pieces import CASTLES, Table
from games.systems.agot.tracks import ending, income
from games.systems.agot.tracks.houses import Together


class Orders(Anybody[Table]):
    """One kind of order, resolved at the table house by house in turn order."""

    following: ClassVar[type[Step[Table]]]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("resolved", say(_("All resolved")), style="main")

    @answer
    def resolved(self, g: Table, seat: str) -> None:
        g.say(_("%(orders)s: all resolved."), orders=Line(self.title))
        begin(g, self.following)

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("In turn order: %(houses)s. %(help)s")
        return say(line, houses=houses(g.turn_order), help=Line(self.help))


class Realms(Together):
    """BASE-09: at the end of a round every house says how many castles and strongholds it controls."""

    rule = "BASE-09"
    title = _("Your castles and strongholds?")
    meanwhile = _("Counting castles and strongholds: %(house)s")
    help = _("Seven win at once.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        now = g.points(seat)
        yield Offer("same", say(_("Still %(castles)s"), castles=now), style="main")
        yield Offer("castles", say(_("Castles and strongholds")), 0, box()["castles_to_win"])

    @answer
    def same(self, g: Table, seat: str) -> None:
        self.castles(g, seat, g.points(seat))

    @answer
    def castles(self, g: Table, seat: str, castles: int) -> None:
        g.mark_answered(seat)
        count(g, seat, castles)

    def go_on(self, g: Table) -> None:
        g.goto(ending.RoundEnd)


def count(g: Table, seat: str, castles: int, author: str = "") -> None:
    """Record how many castles and strongholds a house has: the change is what it scores now."""
    change = castles - g.points(seat)
    if change:
        g.score(seat, change, CASTLES, author=author)
    g.say_count(
        "%(house)s controls %(count)s castle or stronghold.",
        "%(house)s controls %(count)s castles and strongholds.",
        castles,
        house=house(seat),
    )


class Consolidation(Together):
    """BASE-07: Consolidate Power orders bring one power, and one more for each power icon of their area.

    AGOT-51: in a port one power, or none while an enemy ship lies off it.
    """

    rule = "BASE-07"
    title = _("Power from Consolidate Power orders?")
    meanwhile = _("Counting the power gained: %(house)s")
    help = _(
        "On land one for each order, and one for each power icon in its area. "
        "In a port one, or none while an enemy ship is off it; at sea none."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("none", say(_("None")))
        yield Offer("consolidate", say(_("Power gained")), 1, income.MOST)

    @answer
    def none(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(house)s consolidates no power."), house=house(seat))

    @answer
    def consolidate(self, g: Table, seat: str, power: int) -> None:
        g.mark_answered(seat)
        income.receive(g, seat, power)

    def go_on(self, g: Table) -> None:
        g.goto(Realms)


class Marches(Orders):
    """BASE-07: March orders are resolved one at a time, house by house in turn order."""

    rule = "BASE-07"
    title = _("March orders")
    help = _("Power tokens that are left behind are entered in the details of their house.")
    following = Consolidation


class Raids(Orders):
    """AGOT-50: Raid orders are resolved in turn order; a port and its sea raid each other, a port no land."""

    rule = "BASE-07"
    title = _("Raid orders")
    help = _(
        "A house that raids a Consolidate Power order gains one power; the raided house discards one if it "
        "has any. "
        "A port raids only its sea, and is raided only from there."
    )
    following = Marches


WITHOUT: dict[str, tuple[type[Step[Table]], type[Step[Table]]]] = {
    SEA: (Raids, Marches),
    FEAST: (Consolidation, Realms),
}
"""By Westeros card that forbids a kind of order: the step left out that round, and the step that follows."""


def begin(g: Table, step: type[Step[Table]]) -> None:
    """Go on with a kind of order; BASE-05: nobody is asked about a kind that a card forbids this round."""
    left_out, following = WITHOUT.get(g.barred, (None, step))
    g.goto(following if step is left_out else step)


STEPS: tuple[type[Step[Table]], ...] = (Raids, Marches, Consolidation, Realms)
