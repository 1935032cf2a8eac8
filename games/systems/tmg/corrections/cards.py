"""Corrections of tactics cards: counts where the players hold the cards, piles where the app does.

Corrections are open to everybody and a hand is its owner's secret, so they touch only what lies
open. Only the owner draws into a hand that the app keeps, or takes a card back.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import refuse_same, stepper, written
from games.core.steps import Corrections, IllegalAction, Offer, answer
from games.core.system import name_of
from games.core.validation import PIECE_GRAPHEMES
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.headings import CARDS, NAMES
from games.systems.tmg.pieces import Side, Table, Unit
from games.systems.tmg.rules import tactics_cards as decks

LARGEST_HAND = 20
MOST_DRAWN = 5


class CardCorrections(Corrections[Table]):
    """Hands, decks and discard piles, and cards that stay with a unit."""

    def cards_of(self, g: Table, side: Side) -> Iterator[Offer]:
        """Corrections of a side's cards that are open at any time: its hand limit and the cards' names."""
        label = say(_("Added to hand limit"))
        yield from stepper(f"hand-bonus:{side.key}", label, side.hand_bonus, -3, 5, CARDS)
        if decks.is_tracked(g):
            detail = say(_("Type it in the field below."))
            for key in decks.keys(g):
                label = say(_("Name %(card)s"), card=decks.called(g, side.key, key))
                yield Offer(f"name-card:{side.key}:{key}", label, detail=detail, group=NAMES)

    def counted_cards(self, g: Table, side: Side) -> Iterator[Offer]:
        """Corrections once the match has begun: card counts or, with decks in the app, moves of cards."""
        if decks.is_tracked(g):
            for key in sorted(set(side.discards) & set(decks.keys(g))):
                label = say(_("Return %(card)s to the hand"), card=decks.called(g, side.key, key))
                yield Offer(f"recover:{side.key}:{key}", label, group=CARDS)
        else:
            yield from stepper(f"hand:{side.key}", say(_("Cards in hand")), side.hand, 0, LARGEST_HAND, CARDS)
            deck = max(g.rules["deck"], side.deck)
            yield from stepper(f"deck:{side.key}", say(_("Cards in the deck")), side.deck, 0, deck, CARDS)
        if side.deck:
            most = min(side.deck, MOST_DRAWN)
            yield Offer(f"draw:{side.key}", say(_("Draw cards")), 1, most, group=CARDS)

    def cards_with(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """The cards that stay with a unit; a tap ends each."""
        for key, seat, _expiry in dict.fromkeys(unit.cards):
            if key not in decks.keys(g):
                continue
            label = say(_("%(card)s ends"), card=decks.called(g, seat, key))
            yield Offer(f"end-card:{unit.key}:{seat}-{key}", label, group=CARDS)

    @answer
    def hand(self, g: Table, seat: str, side: Side, change: int) -> None:
        refuse_same(change == 0)
        side.hand += change
        _tell(g, side)

    @answer
    def deck(self, g: Table, seat: str, side: Side, change: int) -> None:
        refuse_same(change == 0)
        side.deck += change
        _tell(g, side)

    @answer
    def hand_bonus(self, g: Table, seat: str, side: Side, change: int) -> None:
        refuse_same(change == 0)
        side.hand_bonus += change
        line = _("%(player)s: hand limit %(change)s.")
        g.say(line, player=name_of(g, side.key), change=f"{side.hand_bonus:+d}")

    @answer
    def draw(self, g: Table, seat: str, side: Side, cards: int) -> None:
        """TMG-89: only its owner changes a hand that the app keeps."""
        if decks.is_tracked(g):
            _refuse_others(g, seat, side)
        decks.draw(g, side.key, cards)

    @answer
    def recover(self, g: Table, seat: str, side: Side, key: str) -> None:
        """TMG-89: only the owner takes a card back from the discard pile."""
        _refuse_others(g, seat, side)
        decks.recover(g, side.key, key)
        line = _("%(player)s returns %(card)s to the hand.")
        g.say(line, player=name_of(g, side.key), card=decks.called(g, side.key, key))

    @answer
    def name_card(self, g: Table, seat: str, side: Side, key: str) -> None:
        """TMG-88: the players know what their cards are called; the app does not."""
        number = int(key[1:])
        called = written(g, _("Please type the name in the field below."), PIECE_GRAPHEMES)
        names = [*side.card_names, *[""] * (len(decks.keys(g)) - len(side.card_names))]
        refuse_same(names[number - 1] == called)
        before = decks.called(g, side.key, key)
        names[number - 1] = called
        decks.rename(g, side.key, tuple(names))
        line = _("%(player)s: %(card)s is now called %(name)s.")
        g.say(line, player=name_of(g, side.key), card=before, name=called)

    @answer
    def end_card(self, g: Table, seat: str, unit: Unit, card: str) -> None:
        """TMG-90: a tap ends a card that stays for the game or until a condition is met."""
        found = next(one for one in unit.cards if f"{one[1]}-{one[0]}" == card)
        decks.end(g, unit, found)


def _refuse_others(g: Table, seat: str, side: Side) -> None:
    if seat != side.key:
        line = _("Only %(player)s can do that: it changes a hand that nobody else sees.")
        raise IllegalAction(Line(line, {"player": name_of(g, side.key)}), "TMG-89")


def _tell(g: Table, side: Side) -> None:
    one, several = (
        _("%(player)s: 1 card in hand, %(deck)s in the deck."),
        _("%(player)s: %(hand)s cards in hand, %(deck)s in the deck."),
    )
    g.say(one if side.hand == 1 else several, player=name_of(g, side.key), hand=side.hand, deck=side.deck)
