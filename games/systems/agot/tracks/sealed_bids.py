"""Sealed bids: the Westeros card Clash of Kings fills the tracks by them, and they repel the wildlings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from games.core import Action, Anybody, Line, Offer, Silent, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.agot.pieces import SPACE, THRONE, TOKENS, TRACKS, House, Table, house, houses
from games.systems.agot.tracks import wildling_cards
from games.systems.agot.tracks.wildling_cards import CARDS, DECK

# --- Clash of Kings ----------------------------------------------------------------------------------


WILDLINGS = "wildlings"
"""What houses bid for that is not a track: the Night's Watch."""


def begin_clash(g: Table) -> None:
    """Start the bids for the three tracks, one after another (AGOT-15)."""
    g.say(_("All three influence tracks are cleared. The houses bid for them again."))
    g.call(Bid(THRONE))


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
            return Line(_("One tap seals a bid. All bids stay hidden until everyone has bid."))
        if mine is None:
            return say(_("Still waiting for %(houses)s."), houses=waiting)
        return say(_("You bid %(amount)s. Still waiting for %(houses)s."), amount=mine, houses=waiting)


BID = "bid"


def _revealed(g: Table, spared: str) -> dict[str, int]:
    """Every bid, revealed; nobody pays more than it has left by now."""
    bids = {}
    for seat in g.seats:
        amount = g.reveal(seat, BID) if BID in g.armies[seat].hidden else 0
        if seat != spared:
            bids[seat] = min(amount, g.armies[seat].power)
    return bids


class TieBreak(Step[Table]):
    """AGOT-18, AGOT-32: the holder of the Iron Throne decides between houses that bid the same."""

    verb: ClassVar[str]

    def tied(self, g: Table) -> list[str]:
        raise NotImplementedError

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(THRONE),) if len(self.tied(g)) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for rival in self.tied(g):
            yield Offer(f"{self.verb}:{rival}", Line(house(rival).message))

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("%(houses)s bid %(amount)s each. %(house)s holds the Iron Throne and decides.")
        tied = self.tied(g)
        amount = g.bids[tied[0]] if tied else 0
        return say(line, houses=houses(tied), amount=amount, house=house(g.holder(THRONE)))


class Places(TieBreak):
    """AGOT-17, AGOT-18: the highest bid comes first and so on; the holder of the Iron Throne breaks ties.

    The holder is the house that has the token at that moment: for the later tracks the new one (AGOT-19).
    """

    rule = "AGOT-18"
    title = _("A tie: who comes first?")
    verb = "place"

    track: str

    def tied(self, g: Table) -> list[str]:
        """Of the houses without a place yet, those with the highest bid."""
        left = [seat for seat in g.seats if seat not in g.placed]
        best = max((g.bids.get(seat, 0) for seat in left), default=0)
        return [seat for seat in left if g.bids.get(seat, 0) == best]

    @answer
    def place(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: place %(place)s goes to %(house)s.")
        place, among = len(g.placed) + 1, houses(self.tied(g))
        g.say(line, holder=house(seat), tied=among, place=place, house=house(rival.key))
        g.placed = (*g.placed, rival.key)
        g.goto(self)

    def run(self, g: Table) -> None:
        if tied := self.tied(g):
            g.placed = (*g.placed, tied[0])
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


# --- the wildlings attack ----------------------------------------------------------------------------


class Attack(Silent[Table]):
    """AGOT-23: the wildlings are as strong as their marker shows; every house bids for the Night's Watch.

    A second attack by Preemptive Raid has its own strength and spares the house named in `spared`.
    """

    rule = "AGOT-23"
    title = _("The wildlings attack")

    strength: int = 0
    spared: str = ""

    def run(self, g: Table) -> None:
        g.strength = self.strength or g.threat
        g.spared, g.marked, g.wildling = self.spared, "", ""
        g.say(_("The wildlings attack with strength %(strength)s."), strength=g.strength)
        g.goto(Bid(WILDLINGS))


class NightWatch(Silent[Table]):
    """AGOT-25, AGOT-26: the sum of all bids is the Night's Watch; a tie repels the wildlings."""

    rule = "AGOT-26"
    title = _("The Night's Watch stands")

    def run(self, g: Table) -> None:
        watch = sum(g.bids.values())
        g.repelled = watch >= g.strength
        line = _("The Night's Watch has %(watch)s against %(strength)s: the wildlings win.")
        if g.repelled:
            line = _("The Night's Watch has %(watch)s against %(strength)s: the wildlings are repelled.")
        g.say(line, watch=watch, strength=g.strength)
        g.goto(Foremost)


class Foremost(TieBreak):
    """AGOT-32: the highest bidder gains or the lowest pays most; the holder of the Iron Throne breaks ties.

    A named choice: the tie is broken before the card is turned over, so that the card cannot sway it.
    """

    rule = "AGOT-32"
    title = _("A tie: who is it?")
    verb = "pick"

    def tied(self, g: Table) -> list[str]:
        """The houses with the highest bid if the attack is repelled, otherwise with the lowest."""
        if not g.bids:
            return []
        best = (max if g.repelled else min)(g.bids.values())
        return [seat for seat in g.turn_order if g.bids.get(seat) == best]

    def asked(self, g: Table) -> Iterable[str]:
        return () if g.marked else super().asked(g)

    @answer
    def pick(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: it is %(house)s.")
        g.say(line, holder=house(seat), tied=houses(self.tied(g)), house=house(rival.key))
        g.marked = rival.key

    def run(self, g: Table) -> None:
        g.marked = g.marked or next(iter(self.tied(g)), "")
        line = _("%(house)s is the highest bidder.") if g.repelled else _("%(house)s is the lowest bidder.")
        if g.marked:
            g.say(line, house=house(g.marked))
        g.goto(Payers if g.rules.get("by_bid") and not g.repelled else Reveal)

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(_("A tie for the highest bid") if g.repelled else _("A tie for the lowest bid"))


class Payers(TieBreak):
    """AGOT-32: if the others pay by rising bid, the holder of the Iron Throne orders those of one bid."""

    rule = "AGOT-32"
    title = _("A tie: who suffers next?")
    verb = "pays"

    def tied(self, g: Table) -> list[str]:
        """Of the houses that pay after the lowest bidder and have no turn yet, those with the lowest bid."""
        left = [seat for seat in wildling_cards.others(g) if seat not in g.placed]
        return [seat for seat in left if g.bids[seat] == g.bids[left[0]]]

    @answer
    def pays(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: next is %(house)s.")
        g.say(line, holder=house(seat), tied=houses(self.tied(g)), house=house(rival.key))
        g.placed = (*g.placed, rival.key)
        g.goto(self)

    def run(self, g: Table) -> None:
        if tied := self.tied(g):
            g.placed = (*g.placed, tied[0])
        else:
            g.goto(Reveal)


class Reveal(Anybody[Table]):
    """AGOT-29: the top wildling card is turned over. After nine attacks the table knows which one it is."""

    rule = "AGOT-29"
    name = "wildling-card"
    title = _("Which wildling card is it?")
    help = _("Reveal the top card of the wildling deck.")

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if not g.wildling else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        expected_card = expected(g)
        for card in CARDS:
            style = "main" if card == expected_card else "plain"
            yield Offer(f"wildling:{card}", Line(CARDS[card]), style=style)

    @answer
    def wildling(self, g: Table, seat: str, card: str) -> None:
        g.wildling = card
        g.say(_("The wildling card is %(card)s."), card=Term(CARDS[card]))

    def run(self, g: Table) -> None:
        g.goto(Aftermath)
        wildling_cards.resolve(g)


def expected(g: Table) -> str:
    """AGOT-33: the card on top, known once all nine have gone below the deck in a known order; else ""."""
    return g.buried[-DECK] if len(g.buried) >= DECK else ""


class Aftermath(Silent[Table]):
    """AGOT-27, AGOT-28, AGOT-33: the marker goes back, bids are lost, the card goes below the deck.

    If the wildlings are repelled, the marker goes to 0; if they win, back two spaces. A named choice: the
    card is carried out first, so that Skinchanger Scout can give a bid back.
    """

    rule = "AGOT-27"
    title = _("The wildlings retreat")

    def run(self, g: Table) -> None:
        g.threat = 0 if g.repelled else max(0, g.threat - 2 * SPACE)
        g.say(_("The wildling threat falls to %(threat)s."), threat=g.threat)
        g.buried = (*g.buried, g.wildling)[-2 * DECK :]
        again = g.repelled and g.wildling == wildling_cards.PREEMPTIVE and g.marked
        g.bids, g.spared = {}, ""
        if again:
            g.goto(Attack(wildling_cards.SECOND_STRENGTH, g.marked))
        else:
            g.end()


STEPS: tuple[type[Step[Table]], ...] = (Bid, Places, Attack, NightWatch, Foremost, Payers, Reveal, Aftermath)
