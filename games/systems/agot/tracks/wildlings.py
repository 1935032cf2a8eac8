"""The wildlings attack: sealed bids, the Night's Watch, the card, the marker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import Anybody, Silent
from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import SPACE, THRONE, house, houses
from games.systems.agot.pieces import House, Table
from games.systems.agot.tracks import clash, wildling_cards
from games.systems.agot.tracks.wildling_cards import CARDS, DECK


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
        g.goto(clash.Bid(clash.WILDLINGS))


class NightWatch(Silent[Table], clash.NightWatch):
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


class Foremost(Step[Table]):
    """AGOT-32: the highest bidder gains or the lowest pays most; the holder of the Iron Throne breaks ties.

    A named choice: the tie is broken before the card is turned over, so that the card cannot sway it.
    """

    rule = "AGOT-32"
    title = _("A tie: who is it?")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(THRONE),) if not g.marked and len(foremost(g)) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for rival in foremost(g):
            yield Offer(f"pick:{rival}", Line(house(rival).message))

    @answer
    def pick(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: it is %(house)s.")
        g.say(line, holder=house(seat), tied=houses(foremost(g)), house=house(rival.key))
        g.marked = rival.key

    def run(self, g: Table) -> None:
        g.marked = g.marked or next(iter(foremost(g)), "")
        line = _("%(house)s is the highest bidder.") if g.repelled else _("%(house)s is the lowest bidder.")
        if g.marked:
            g.say(line, house=house(g.marked))
        g.goto(Payers if g.rules.get("by_bid") and not g.repelled else Reveal)

    def asking(self, g: Table, seat: str | None) -> Line:
        return Line(_("A tie for the highest bid") if g.repelled else _("A tie for the lowest bid"))

    def helping(self, g: Table, seat: str | None) -> Line:
        return _decides(g, foremost(g))


def foremost(g: Table) -> list[str]:
    """The houses with the highest bid if the attack is repelled, otherwise with the lowest."""
    if not g.bids:
        return []
    best = (max if g.repelled else min)(g.bids.values())
    return [seat for seat in g.turn_order if g.bids.get(seat) == best]


class Payers(Step[Table]):
    """AGOT-32: if the others pay by rising bid, the holder of the Iron Throne orders those of one bid."""

    rule = "AGOT-32"
    title = _("A tie: who suffers next?")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(THRONE),) if len(next_to_pay(g)) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for rival in next_to_pay(g):
            yield Offer(f"pays:{rival}", Line(house(rival).message))

    @answer
    def pays(self, g: Table, seat: str, rival: House) -> None:
        line = _("%(holder)s breaks the tie of %(tied)s: next is %(house)s.")
        g.say(line, holder=house(seat), tied=houses(next_to_pay(g)), house=house(rival.key))
        g.placed = (*g.placed, rival.key)
        g.goto(self)

    def run(self, g: Table) -> None:
        if found := next_to_pay(g):
            g.placed = (*g.placed, found[0])
        else:
            g.goto(Reveal)

    def helping(self, g: Table, seat: str | None) -> Line:
        return _decides(g, next_to_pay(g))


def next_to_pay(g: Table) -> list[str]:
    """Of the houses that pay after the lowest bidder and have no turn yet, those with the lowest bid."""
    left = [seat for seat in wildling_cards.others(g) if seat not in g.placed]
    return [seat for seat in left if g.bids[seat] == g.bids[left[0]]]


def _decides(g: Table, tied: list[str]) -> Line:
    """Who bid the same, and who decides between them."""
    line = _("%(houses)s bid %(amount)s each. %(house)s holds the Iron Throne and decides.")
    amount = g.bids[tied[0]] if tied else 0
    return say(line, houses=houses(tied), amount=amount, house=house(g.holder(THRONE)))


class Reveal(Anybody[Table]):
    """AGOT-29: the top wildling card is turned over. After nine attacks the table knows which one it is."""

    rule = "AGOT-29"
    name = "wildling-card"
    title = _("Which wildling card is it?")
    help = _("Reveal the top card of the wildling deck.")

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if not g.wildling else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        known = expected(g)
        for card in CARDS:
            style = "main" if card == known else "plain"
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


STEPS: tuple[type[Step[Table]], ...] = (Attack, NightWatch, Foremost, Payers, Reveal, Aftermath)
