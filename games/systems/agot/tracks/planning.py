"""The Planning phase: orders are placed in secret and turned over together; the raven may change one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import COURT, house, stars
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import action
from games.systems.agot.tracks.houses import NamesHouses, Settled


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
        action.begin(g, action.Raids)

    @answer
    def look(self, g: Table, seat: str) -> None:
        """A card once seen cannot quietly be unseen, so this counts as a reveal."""
        g.revealed = True
        g.say(_("%(house)s looks at the top wildling card."), house=house(seat))
        g.goto(Look)

    @answer
    def rest(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s leaves the Messenger Raven alone."), house=house(seat))
        action.begin(g, action.Raids)


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
        action.begin(g, action.Raids)

    @answer
    def bury(self, g: Table, seat: str) -> None:
        """AGOT-33: the table no longer knows what lies below the deck."""
        g.buried = ()
        g.say(_("%(house)s puts the top wildling card below the deck."), house=house(seat))
        action.begin(g, action.Raids)


STEPS: tuple[type[Step[Table]], ...] = (Planning, Raven, Look)
