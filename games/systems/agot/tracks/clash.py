"""Sealed bids, and the Westeros card Clash of Kings, which uses them to fill the three tracks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Action, Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import THRONE, TOKENS, TRACKS, house, houses
from games.systems.agot.pieces import House, Table

WILDLINGS = "wildlings"
"""What houses bid for that is not a track: the Night's Watch."""


def begin(g: Table) -> None:
    """Start the bids for the three tracks, one after another (AGOT-15)."""
    g.say(_("All three influence tracks are cleared. The houses bid for them again."))
    g.call(Bid(THRONE))


class NightWatch(Step[Table]):
    """AGOT-25: bids against the wildlings make up the Night's Watch; `wildlings` carries it out."""


class Bid(Step[Table]):
    """AGOT-16: each house seals any part of its available power; once all have, all bids are revealed.

    A house without power bids nothing. A sealed bid may be changed until the last one is in.
    """

    rule = "AGOT-16"
    title = _("Seal your bid")

    track: str

    def bidders(self, g: Table) -> list[str]:
        """The houses that choose a bid: all that have power and are not spared."""
        spared = self.spared(g)
        return [seat for seat in g.turn_order if g.armies[seat].power > 0 and seat != spared]

    def spared(self, g: Table) -> str:
        """The house that does not bid; only an attack of the wildlings spares one."""
        return g.spared if self.track == WILDLINGS else ""

    def open(self, g: Table) -> list[str]:
        """The houses whose bid is still out."""
        return [seat for seat in self.bidders(g) if BID not in g.armies[seat].hidden]

    def asked(self, g: Table) -> Iterable[str]:
        return tuple(self.bidders(g)) if self.open(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if BID in g.armies[seat].hidden:
            yield Offer("unseal", say(_("Change my bid")), style="quiet")
            return
        yield Offer(f"bid:{self.track}", say(_("Power tokens")), 0, g.armies[seat].power)

    @answer
    def bid(self, g: Table, seat: str, track: str, amount: int) -> None:
        g.hide(seat, BID, amount)
        g.say(_("%(house)s has bid."), house=house(seat))

    @answer
    def unseal(self, g: Table, seat: str) -> None:
        g.withdraw(seat, BID)
        g.say(_("%(house)s changes its bid."), house=house(seat))

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        if action.verb == "bid" and BID in g.armies[seat].hidden:
            return Line(_("Your bid is sealed. To change it, tap “Change my bid”."))
        return None

    def run(self, g: Table) -> None:
        """AGOT-20, AGOT-28: a house loses the power that it bid, whatever the outcome."""
        g.bids, g.placed = _revealed(g, self.spared(g)), ()
        for seat in g.turn_order:
            if seat in g.bids:
                g.armies[seat].power -= g.bids[seat]
                g.say(_("%(house)s bid %(amount)s."), house=house(seat), amount=g.bids[seat])
        g.goto(NightWatch if self.track == WILDLINGS else Places(self.track))

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat and BID in g.armies[seat].hidden:
            return Line(_("Your bid is sealed"))
        if self.track == WILDLINGS:
            return say(_("Bid against the wildlings: strength %(strength)s"), strength=g.strength)
        return say(_("Bid for the %(track)s track"), track=Term(TRACKS[self.track]))

    def helping(self, g: Table, seat: str | None) -> Line:
        mine, waiting = g.armies[seat].hidden.get(BID) if seat else None, houses(self.open(g))
        if seat is None or seat in self.open(g):
            return Line(_("One tap seals. Nobody sees an amount before all have bid."))
        if mine is None:
            return say(_("Still waiting for %(houses)s."), houses=waiting)
        return say(_("You bid %(amount)s. Still waiting for %(houses)s."), amount=mine, houses=waiting)


BID = "bid"


def _revealed(g: Table, spared: str) -> dict[str, int]:
    """Every bid, revealed; nobody pays more than it has left by now."""
    found = {}
    for seat in g.seats:
        amount = g.reveal(seat, BID) if BID in g.armies[seat].hidden else 0
        if seat != spared:
            found[seat] = min(amount, g.armies[seat].power)
    return found


class Places(Step[Table]):
    """AGOT-17, AGOT-18: the highest bid comes first and so on; the holder of the Iron Throne breaks ties.

    The holder is the house that has the token at that moment: for the later tracks the new one (AGOT-19).
    """

    rule = "AGOT-18"
    title = _("A tie: who comes first?")

    track: str

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(THRONE),) if len(tied(g)) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for rival in tied(g):
            yield Offer(f"place:{rival}", Line(house(rival).message))

    @answer
    def place(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: place %(place)s goes to %(house)s.")
        place, among = len(g.placed) + 1, houses(tied(g))
        g.say(line, holder=house(seat), tied=among, place=place, house=house(rival.key))
        g.placed = (*g.placed, rival.key)
        g.goto(self)

    def run(self, g: Table) -> None:
        if found := tied(g):
            g.placed = (*g.placed, found[0])
            return
        g.set_track(self.track, g.placed)
        first, token = house(g.placed[0]), Term(TOKENS[self.track])
        g.say(_("%(track)s: %(houses)s."), track=Term(TRACKS[self.track]), houses=houses(g.placed))
        g.say(_("%(house)s takes the %(token)s."), house=first, token=token)
        rest = list(TRACKS)[list(TRACKS).index(self.track) + 1 :]
        if rest:
            g.goto(Bid(rest[0]))
        else:
            g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("%(track)s: a tie for place %(place)s")
        return say(line, track=Term(TRACKS[self.track]), place=len(g.placed) + 1)

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("%(houses)s bid %(amount)s each. %(house)s holds the Iron Throne and decides.")
        found = tied(g)
        amount = g.bids[found[0]] if found else 0
        return say(line, houses=houses(found), amount=amount, house=house(g.holder(THRONE)))


def tied(g: Table) -> list[str]:
    """Of the houses without a place yet, those with the highest bid."""
    left = [seat for seat in g.seats if seat not in g.placed]
    best = max((g.bids.get(seat, 0) for seat in left), default=0)
    return [seat for seat in left if g.bids.get(seat, 0) == best]


STEPS: tuple[type[Step[Table]], ...] = (Bid, Places)
