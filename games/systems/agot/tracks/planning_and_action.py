"""The game begins; the Planning phase, and the Action phase: raids, marches, consolidation, castles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from games.core import Anybody, Line, Offer, Silent, Step, answer, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.pieces import (
    CASTLES,
    COURT,
    FEAST,
    SEA_OF_STORMS,
    SPACE,
    TRACKS,
    NamesHouses,
    Settled,
    Table,
    Together,
    box,
    house,
    houses,
    stars,
)
from games.systems.agot.tracks import supply_muster_power, winning

# --- the game begins ---------------------------------------------------------------------------------


class Gather(Settled):
    """BASE-02: three to six houses sit down; the game begins when all of them are ready."""

    rule = "BASE-02"
    title = _("Is your house ready?")
    meanwhile = _("Not ready yet: %(house)s")
    help = _(
        "Set up the board as the rulebook says for this number of players. The app begins with "
        "the same numbers."
    )
    answered = _("Your house is ready")
    yes = Offer("ready", say(_("Ready")), style="main")
    no = Offer("not-yet", say(_("Not ready yet")), style="quiet")

    @answer
    def ready(self, g: Table, seat: str) -> None:
        g.armies[seat].ready = True
        g.mark_answered(seat)
        g.say(_("%(house)s is ready."), house=house(seat))

    @answer
    def not_yet(self, g: Table, seat: str) -> None:
        g.armies[seat].ready = False
        super().not_yet(g, seat)

    def go_on(self, g: Table) -> None:
        g.goto(Begin)


class Begin(Silent[Table]):
    """BASE-02: tracks, supply, power and victory markers start by the number of players."""

    rule = "BASE-02"
    title = _("The game begins")

    def run(self, g: Table) -> None:
        lay_out(g)
        pieces.begin_round(g)
        g.goto(Planning)


def lay_out(g: Table) -> None:
    players = box()["players"][str(len(g.seats))]
    for track in TRACKS:
        g.set_track(track, players[track])
    for seat in g.seats:
        start, army = box()["houses"][seat], g.armies[seat]
        army.power, army.supply = start["power"], start["supply"]
        g.score(seat, start["castles"], CASTLES)
    g.threat = SPACE


# --- the Planning phase ------------------------------------------------------------------------------


class ModeChange(Step[Table]):
    """BASE-11: before orders are placed the table may bring in the map or the orders, or leave them out.

    The steps of `mode_change` carry it out.
    """


class Planning(Settled):
    """BASE-12: every house places an order in each area with its units. AGOT-74: nobody shows any order.

    AGOT-46: a port with ships also needs an order; a garrison alone gets none (AGOT-91).
    """

    rule = "BASE-12"
    title = _("Place your orders face down")
    meanwhile = _("Still placing orders: %(house)s")
    answered = _("Your orders are placed")
    yes = Offer("placed", say(_("All my orders are placed")), style="main")
    no = Offer("not-yet", say(_("Change my orders")), style="quiet")

    def asked(self, g: Table) -> Iterable[str]:
        return () if g.becoming else super().asked(g)

    def run(self, g: Table) -> None:
        if g.becoming:
            g.goto(ModeChange)
        else:
            super().run(g)

    @answer
    def placed(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(house)s has placed its orders."), house=house(seat))

    def go_on(self, g: Table) -> None:
        g.say(_("All orders are revealed."))
        g.goto(Raven)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.has_answered(seat):
            return super().helping(g, seat)
        most = stars(len(g.seats), g.place(COURT, seat))
        if not most:
            return Line(_("One in every area and port with your units; none special."))
        line = _("One in every area and port with your units; at most %(stars)s special.")
        return say(line, stars=most)


class Raven(NamesHouses):
    """BASE-06: the holder of the Messenger Raven may swap an order, or look at the top wildling card."""

    rule = "BASE-06"
    title = _("Do you use the Messenger Raven?")
    meanwhile = _("%(house)s may use the Messenger Raven")
    help = _(
        "Swap one of your orders, or look at the top wildling card and leave it or put it below the deck."
    )

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(COURT),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("swap", say(_("Swap an order")))
        yield Offer("look", say(_("Look at the top wildling card")))
        yield Offer("rest", say(_("Skip")), style="quiet")

    @answer
    def swap(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s swaps an order."), house=house(seat))
        begin_orders(g, Raids)

    @answer
    def look(self, g: Table, seat: str) -> None:
        """A card once seen cannot quietly be unseen, so this counts as a reveal."""
        g.revealed = True
        g.say(_("%(house)s looks at the top wildling card."), house=house(seat))
        g.goto(Look)

    @answer
    def rest(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s leaves the Messenger Raven alone."), house=house(seat))
        begin_orders(g, Raids)


class Look(NamesHouses):
    """BASE-06: a house that has looked at the top wildling card leaves it or puts it below the deck."""

    rule = "BASE-06"
    title = _("You have looked: where does the wildling card go?")
    meanwhile = _("%(house)s looks at the top wildling card")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(COURT),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("keep", say(_("Leave it on top")))
        yield Offer("bury", say(_("Put it below the deck")))

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s leaves the wildling card on top."), house=house(seat))
        begin_orders(g, Raids)

    @answer
    def bury(self, g: Table, seat: str) -> None:
        """AGOT-33: the table no longer knows what lies below the deck."""
        g.buried = ()
        g.say(_("%(house)s puts the top wildling card below the deck."), house=house(seat))
        begin_orders(g, Raids)


# --- the Action phase --------------------------------------------------------------------------------


class Orders(Anybody[Table]):
    """One kind of order, resolved at the table house by house in turn order."""

    following: ClassVar[type[Step[Table]]]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("resolved", say(_("All resolved")), style="main")

    @answer
    def resolved(self, g: Table, seat: str) -> None:
        g.say(_("%(orders)s: all resolved."), orders=Line(self.title))
        begin_orders(g, self.following)

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
        yield Offer("same", say(_("No change: %(castles)s"), castles=now), style="main")
        yield Offer("castles", say(_("Castles and strongholds")), 0, box()["castles_to_win"])

    @answer
    def same(self, g: Table, seat: str) -> None:
        self.castles(g, seat, g.points(seat))

    @answer
    def castles(self, g: Table, seat: str, castles: int) -> None:
        g.mark_answered(seat)
        count(g, seat, castles)

    def go_on(self, g: Table) -> None:
        g.goto(winning.RoundEnd)


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
        "Land: 1 per order, plus 1 per power icon in its area. Port: 1, or 0 with an enemy ship in "
        "its sea. Sea: 0."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("none", say(_("None")))
        yield Offer("consolidate", say(_("Power gained")), 1, supply_muster_power.MOST_POWER)

    @answer
    def none(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(house)s consolidates no power."), house=house(seat))

    @answer
    def consolidate(self, g: Table, seat: str, power: int) -> None:
        g.mark_answered(seat)
        supply_muster_power.receive(g, seat, power)

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
    SEA_OF_STORMS: (Raids, Marches),
    FEAST: (Consolidation, Realms),
}
"""By Westeros card that forbids a kind of order: the step left out that round, and the step that follows."""


def begin_orders(g: Table, step: type[Step[Table]]) -> None:
    """Go on with a kind of order; BASE-05: nobody is asked about a kind that a card forbids this round."""
    left_out, following = WITHOUT.get(g.barred, (None, step))
    g.goto(following if step is left_out else step)


STEPS: tuple[type[Step[Table]], ...] = (
    Gather,
    Begin,
    Planning,
    Raven,
    Look,
    Raids,
    Marches,
    Consolidation,
    Realms,
)
