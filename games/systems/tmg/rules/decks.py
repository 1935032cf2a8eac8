"""The tactics deck, if a table lets the app keep it: deck, hand, cards in play, discard pile.

Cards are known by number, from "c01" on; the ruleset sets how many there are and how many
copies of each. Names come from the players and are open, as are counts and discards; hand and
deck are their owner's secret. The deck is an unordered heap: each draw is made at random when
it is due, so not even its owner can know the next card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.core.system import name_of
from games.core.words import Argument, Line, say, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Side, Table, Unit

HAND, DECK = "hand", "deck"
TURN, ROUND, GAME, CONDITION = "turn", "round", "game", "condition"
EXPIRIES = {
    TURN: _("this turn"),
    ROUND: _("this round"),
    GAME: _("this game"),
    CONDITION: _("until its condition"),
}
"""How long a card stays with a unit (TMG-90)."""


def is_tracked(g: Table) -> bool:
    """Whether the app keeps the decks of this match; otherwise it only counts cards."""
    return bool(g.rules.get("decks"))


def keys(g: Table) -> tuple[str, ...]:
    """The different cards of a deck (TMG-88)."""
    return tuple(f"c{number:02}" for number in range(1, g.rules["deck"] // g.rules["copies"] + 1))


def commanders(g: Table, side: Side) -> int:
    """How many of the different cards are the commander's, in place of as many of the faction's (TMG-88)."""
    leader = side.commander.partition(" - ")[0]
    known: Iterable[dict[str, Any]] = g.rules["own_decks"]
    own = (
        deck
        for deck in known
        if deck.get("commander", leader) == leader and deck.get("faction", side.faction) == side.faction
    )
    cards: int = next(own, {"cards": g.rules["commander_cards"]})["cards"]
    return cards


def called(g: Table, seat: str, key: str) -> Argument:
    """What its player calls a card; an unnamed one goes by its number, an organiser's own by its key."""
    if key not in keys(g):
        return key
    side, number = g.armies[seat], int(key[1:])
    given = side.card_names[number - 1] if number <= len(side.card_names) else ""
    if given:
        return given
    if number > len(keys(g)) - commanders(g, side):
        return say(_("Commander card %(number)s"), number=number)
    return say(_("Card %(number)s"), number=number)


def rename(g: Table, seat: str, names: tuple[str, ...]) -> None:
    """Give the cards of a deck their names, the first ones first."""
    g.armies[seat].card_names = names[: len(keys(g))]


# --- hand, deck, discard pile ------------------------------------------------------------------------


def hand(g: Table, seat: str) -> list[str]:
    """The cards in a hand; none for a reader who may not see them."""
    return _kept(g, seat, HAND)


def build(g: Table, seat: str) -> None:
    """Make a deck, with as many copies of each card as the ruleset says (TMG-88)."""
    g.hide(seat, DECK, sorted(keys(g) * g.rules["copies"]))
    g.hide(seat, HAND, [])


def draw(g: Table, seat: str, cards: int) -> None:
    """Draw cards at random from the deck."""
    heap, held = _kept(g, seat, DECK), hand(g, seat)
    for _card in range(cards):
        held.append(heap.pop(g.chance(len(heap))))
    _keep(g, seat, held, heap)


def redeal(g: Table, seat: str) -> None:
    """Shuffle a hand that nobody may know back into its deck, and draw as many cards again."""
    if not all(isinstance(g.armies[seat].hidden.get(what), list) for what in (HAND, DECK)):
        return
    held = hand(g, seat)
    _keep(g, seat, [], [*held, *_kept(g, seat, DECK)])
    draw(g, seat, len(held))


def refill(g: Table, seat: str) -> None:
    """Shuffle the discard pile back into the deck; only if a ruleset allows it."""
    side = g.armies[seat]
    _keep(g, seat, hand(g, seat), [*_kept(g, seat, DECK), *side.discards])
    side.discards = ()
    g.say(_("%(player)s shuffles the discard pile into the deck."), player=name_of(g, seat))


def leave_hand(g: Table, seat: str, key: str) -> None:
    """Take a card out of the hand, for everybody to see."""
    g.reveal_one(seat, HAND, key)
    g.armies[seat].hand = len(hand(g, seat))


def discard(g: Table, seat: str, key: str) -> None:
    """Lay a card face up on its player's discard pile."""
    g.armies[seat].discards = (*g.armies[seat].discards, key)


def recover(g: Table, seat: str, key: str) -> None:
    """Take a card from the discard pile back into the hand."""
    pile = list(g.armies[seat].discards)
    pile.remove(key)
    g.armies[seat].discards = tuple(pile)
    _keep(g, seat, [*hand(g, seat), key], _kept(g, seat, DECK))


def _kept(g: Table, seat: str, what: str) -> list[str]:
    """A hidden heap of cards; empty if it is another player's, or masked in an export."""
    kept = g.armies[seat].hidden.get(what)
    return list(kept) if isinstance(kept, list) else []


def _keep(g: Table, seat: str, held: list[str], heap: list[str]) -> None:
    """Store both sorted, so that they reveal nothing about the order in which cards came."""
    g.hide(seat, HAND, sorted(held))
    g.hide(seat, DECK, sorted(heap))
    side = g.armies[seat]
    side.hand, side.deck = len(held), len(heap)


# --- cards with a unit -------------------------------------------------------------------------------


def attach(unit: Unit, seat: str, key: str, expiry: str) -> None:
    """A played card stays with a unit as long as it says (TMG-90)."""
    unit.cards = (*unit.cards, (key, seat, expiry))


def end(g: Table, unit: Unit, card: tuple[str, str, str]) -> None:
    """A card with a unit is over and goes to its player's discard pile."""
    left = list(unit.cards)
    left.remove(card)
    unit.cards = tuple(left)
    key, seat, _expiry = card
    discard(g, seat, key)
    g.say(_("%(card)s on %(unit)s ends."), card=called(g, seat, key), unit=unit.name)


def expire(g: Table, expiry: str) -> None:
    """End every card that lasts until now, the turn's or the round's end (E16); others end only by a tap.

    If players keep their decks themselves, no card stays with a unit.
    """
    if not is_tracked(g):
        return
    for key in _holding(g, expiry):
        unit = g.units[key]
        for card in unit.cards:
            if card[2] == expiry:
                end(g, unit, card)


def _holding(g: Table, expiry: str) -> list[str]:
    """The units with a card of this expiry."""
    return [key for key, unit in g.units.items() if unit.cards and expiry in {card[2] for card in unit.cards}]


def fall(g: Table, unit: Unit) -> None:
    """Cards with a unit that leaves the table go with it, each to its player's discard pile."""
    for card in unit.cards:
        end(g, unit, card)


def in_all(g: Table, seat: str) -> int:
    """All cards of a side, wherever they are."""
    side = g.armies[seat]
    attached = sum(owner == seat for unit in g.units.values() for _key, owner, _expiry in unit.cards)
    return side.hand + side.deck + len(side.discards) + attached + bool(side.in_play)


def drawn(g: Table, seat: str, cards: int) -> Line:
    """The sentence about a draw: how many, never which."""
    side = g.armies[seat]
    return say_count(
        "%(player)s draws %(count)s card: %(hand)s in hand, %(deck)s in the deck.",
        "%(player)s draws %(count)s cards: %(hand)s in hand, %(deck)s in the deck.",
        cards,
        player=name_of(g, seat),
        hand=side.hand,
        deck=side.deck,
    )
