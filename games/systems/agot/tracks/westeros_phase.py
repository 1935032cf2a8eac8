"""The Westeros phase: three cards are turned over, the wildlings gather, the cards are resolved in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from games.core import Anybody, Line, Offer, Silent, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.pieces import (
    COURT,
    FEAST,
    FIEFDOMS,
    LAST_SPACE,
    RAINS,
    SEA_OF_STORMS,
    SPACE,
    STORM,
    THRONE,
    TOKENS,
    WEB,
    Table,
    house,
)
from games.systems.agot.tracks import planning_and_action, sealed_bids, supply_muster_power

SUPPLY, MUSTERING, CLASH, INCOME, ATTACK = (
    "supply",
    "mustering",
    "clash-of-kings",
    "game-of-thrones",
    "wildlings-attack",
)
BLADES, WINGS, SWORD = "a-throne-of-blades", "dark-wings-dark-words", "put-to-the-sword"
WINTER, SUMMER = "winter-is-coming", "last-days-of-summer"

CARDS = {
    SUPPLY: _("Supply"),
    MUSTERING: _("Mustering"),
    BLADES: _("A Throne of Blades"),
    SUMMER: _("Last Days of Summer"),
    WINTER: _("Winter Is Coming"),
    INCOME: _("Game of Thrones"),
    CLASH: _("Clash of Kings"),
    WINGS: _("Dark Wings, Dark Words"),
    SWORD: _("Put to the Sword"),
    STORM: _("Storm of Swords"),
    RAINS: _("Rains of Autumn"),
    SEA_OF_STORMS: _("Sea of Storms"),
    WEB: _("Web of Lies"),
    FEAST: _("Feast for Crows"),
    ATTACK: _("Wildlings Attack"),
}
"""The names of the Westeros cards."""

DECKS = (
    (SUPPLY, MUSTERING, BLADES, SUMMER, WINTER),
    (INCOME, CLASH, WINGS, SUMMER, WINTER),
    (ATTACK, SWORD, STORM, RAINS, SEA_OF_STORMS, WEB, FEAST),
)
"""The cards of the three decks."""

ICONS = frozenset({BLADES, SUMMER, WINGS, STORM, RAINS, SEA_OF_STORMS, WEB, FEAST})
"""The cards with a wildling icon."""

BARS = {
    STORM: _("No Defense orders this round"),
    RAINS: _("No March +1 orders this round"),
    SEA_OF_STORMS: _("No Raid orders this round"),
    WEB: _("No Support orders this round"),
    FEAST: _("No Consolidate Power orders this round"),
}
"""What a card of the third deck forbids in the next Planning phase."""


class Turn(Anybody[Table], pieces.Westeros):
    """BASE-03: one card of each deck is turned over. Winter shuffles its deck, and another is turned over."""

    rule = "BASE-03"
    name = pieces.Westeros.name
    title = _("Which Westeros card is it?")

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if len(g.cards) < len(DECKS) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for card in DECKS[len(g.cards)]:
            detail = Line(_("Wildling icon")) if card in ICONS else None
            yield Offer(f"card:{card}", Line(CARDS[card]), detail=detail)

    @answer
    def card(self, g: Table, seat: str, card: str) -> None:
        deck = len(g.cards) + 1
        g.say(_("Deck %(deck)s: %(card)s."), deck=_ROMAN[deck], card=Term(CARDS[card]))
        if card == WINTER:
            g.say(_("That deck is shuffled and another card is revealed."))
        else:
            g.cards = (*g.cards, card)
        g.goto(Turn)

    def run(self, g: Table) -> None:
        g.goto(EventState)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Deck %(deck)s: which card is it?"), deck=_ROMAN[len(g.cards) + 1])

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(_("Reveal one card of each deck; they are resolved afterwards, in order."))


_ROMAN = {1: "I", 2: "II", 3: "III"}


class EventState(Silent[Table]):
    """AGOT-22: each wildling icon moves the threat one space; at 12 the wildlings attack before the cards."""

    rule = "AGOT-22"
    title = _("The wildlings gather")

    def run(self, g: Table) -> None:
        icons = sum(card in ICONS for card in g.cards)
        g.goto(Resolve(1))
        if icons:
            g.threat = min(LAST_SPACE, g.threat + SPACE * icons)
            g.say(_("The wildling threat rises to %(threat)s."), threat=g.threat)
        if g.threat >= LAST_SPACE:
            g.call(sealed_bids.Attack)


class Resolve(Silent[Table]):
    """BASE-03: the three cards are resolved in the order of their decks."""

    rule = "BASE-03"
    title = _("The cards are resolved")

    at: int

    def run(self, g: Table) -> None:
        if self.at > len(g.cards):
            g.goto(planning_and_action.Planning)
            return
        g.goto(Resolve(self.at + 1))
        resolve(g, g.cards[self.at - 1])


def resolve(g: Table, card: str) -> None:
    if card in BARS:
        g.barred = card
        g.say(_("%(bar)s."), bar=Term(BARS[card]))
    elif card in _CALLS:
        _CALLS[card](g)


class HolderChooses(Step[Table]):
    """BASE-04: the holder of a dominance token chooses what its card does, or that nothing happens."""

    rule = "BASE-04"
    token: ClassVar[str] = THRONE
    choices: ClassVar[tuple[str, ...]] = ()

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(self.token),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for card in self.choices:
            detail = Line(BARS[card]) if card in BARS else None
            yield Offer(f"choose:{card}", Line(CARDS[card]), detail=detail)
        yield Offer("choose:nothing", say(_("Nothing")))

    @answer
    def choose(self, g: Table, seat: str, card: str) -> None:
        chosen = Term(CARDS.get(card, _("Nothing")))
        g.say(_("%(house)s chooses: %(card)s."), house=house(seat), card=chosen)
        g.end()
        resolve(g, card)

    def asking(self, g: Table, seat: str | None) -> Line:
        holder = g.holder(self.token)
        if seat == holder:
            return Line(self.title)
        line = _("%(house)s chooses with the %(token)s")
        return say(line, house=house(holder), token=Term(TOKENS[self.token]))


class ThroneOfBlades(HolderChooses):
    """BASE-04: the holder of the Iron Throne chooses Supply, Mustering or neither."""

    title = _("A Throne of Blades: what happens?")
    token = THRONE
    choices = (SUPPLY, MUSTERING)


class DarkWings(HolderChooses):
    """BASE-04: the holder of the Messenger Raven chooses Game of Thrones, Clash of Kings or neither."""

    title = _("Dark Wings, Dark Words: what happens?")
    token = COURT
    choices = (INCOME, CLASH)


class PutToTheSword(HolderChooses):
    """BASE-04: the holder of the Valyrian Steel Blade forbids March +1, Defense, or nothing."""

    title = _("Put to the Sword: what is forbidden?")
    token = FIEFDOMS
    choices = (RAINS, STORM)


_CALLS: dict[str, Callable[[Table], None]] = {
    SUPPLY: lambda g: g.call(supply_muster_power.Supply),
    MUSTERING: lambda g: g.call(supply_muster_power.Mustering(g.turn_order)),
    INCOME: lambda g: g.call(supply_muster_power.Income),
    CLASH: sealed_bids.begin_clash,
    ATTACK: lambda g: g.call(sealed_bids.Attack),
    BLADES: lambda g: g.call(ThroneOfBlades),
    WINGS: lambda g: g.call(DarkWings),
    SWORD: lambda g: g.call(PutToTheSword),
}


STEPS: tuple[type[Step[Table]], ...] = (Turn, EventState, Resolve, ThroneOfBlades, DarkWings, PutToTheSword)
