"""The tactics board, whose zones Non-Combat Units claim, and tactics cards: how many each side holds, and if
a table lets the app keep them, which.

Cards are known by number, from "c01" on; the ruleset sets how many there are and how many
copies of each. Names come from the players and are open, as are counts and discards; hand and
deck are their owner's secret. The deck is an unordered heap: each draw is made at random when
it is due, so not even its owner can know the next card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core import Argument, FreeActions, Line, Offer, Step, Term, answer, name_of, say, say_count
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Side, Table, Unit

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
    decks: Iterable[dict[str, Any]] = g.rules["own_decks"]
    own = (
        deck
        for deck in decks
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
    """Draw tactics cards, at most what the deck still holds (TMG-79)."""
    if not g.tracks("cards"):
        return
    side = g.armies[seat]
    if side.deck < cards and side.discards and g.rules.get("reshuffles"):
        _refill(g, seat)
    count = min(cards, side.deck)
    if is_tracked(g):
        _draw_at_random(g, seat, count)
    else:
        side.hand += count
        side.deck -= count
    g.lines.append(drawn(g, seat, count))


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


def _draw_at_random(g: Table, seat: str, cards: int) -> None:
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
    _draw_at_random(g, seat, len(held))


def _refill(g: Table, seat: str) -> None:
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


# --- playing a card --------------------------------------------------------------------------------------


HAND_HEADING = _("Hand")
LASTS = {
    TURN: _("This turn"),
    ROUND: _("This round"),
    GAME: _("This game"),
    CONDITION: _("Until its condition"),
}


class Hand(FreeActions[Table]):
    """TMG-89, TMG-90: a player may play a tactics card at any time; nobody else sees which cards are held.

    A played card is face up: on the discard pile, or with a unit for as long as it says.
    """

    name = "hand"
    rule = "TMG-90"

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        is_discarding = bool(g.flow) and g.question.step == "discard"
        if not g.round or not is_tracked(g) or g.armies[seat].in_play or is_discarding:
            return
        for key in sorted(set(hand(g, seat))):
            words = {"card": called(g, seat, key)}
            label = say(_("Play %(card)s, to the discard pile"), **words)
            yield Offer(f"play:{key}", label, group=HAND_HEADING, is_secret=True)
            label = say(_("Play %(card)s, onto a unit"), **words)
            yield Offer(f"lay:{key}", label, group=HAND_HEADING, is_secret=True)

    @answer
    def play(self, g: Table, seat: str, key: str) -> None:
        leave_hand(g, seat, key)
        discard(g, seat, key)
        g.say(_("%(player)s plays %(card)s."), player=name_of(g, seat), card=called(g, seat, key))

    @answer
    def lay(self, g: Table, seat: str, key: str) -> None:
        leave_hand(g, seat, key)
        g.armies[seat].in_play = key
        g.say(_("%(player)s plays %(card)s."), player=name_of(g, seat), card=called(g, seat, key))
        g.call(LayCard(seat))


class LayCard(Step[Table]):
    """TMG-90: a card that was played onto a unit stays there; its player, `seat`, says which unit it is."""

    rule = "TMG-90"
    title = _("Which unit does the card stay with?")
    help = _("Tap the unit, of either side.")

    seat: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if g.armies[self.seat].in_play else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in g.units.values():
            if unit.is_on_table:
                yield Offer(f"on:{unit.key}", say(_("On %(unit)s"), unit=unit.name), about=f"unit/{unit.key}")
        yield Offer("to-pile", say(_("To the discard pile")), style="quiet")

    @answer
    def on(self, g: Table, seat: str, unit: Unit) -> None:
        card = called(g, seat, g.armies[seat].in_play)
        g.say(_("%(card)s is for %(unit)s."), card=card, unit=unit.name)
        g.goto(HowLong(seat, unit.key))

    @answer
    def to_pile(self, g: Table, seat: str) -> None:
        side = g.armies[seat]
        discard(g, seat, side.in_play)
        g.say(_("%(card)s goes to the discard pile."), card=called(g, seat, side.in_play))
        side.in_play = ""
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        card = called(g, self.seat, g.armies[self.seat].in_play)
        return say(_("Which unit does %(card)s stay with?"), card=card)


class HowLong(Step[Table]):
    """TMG-90: a card stays for the turn, the round or the game, or until a condition is met.

    Cards for the turn or the round are cleared when it ends (E16); all others end by a tap.
    `seat` has played the card, `unit` is the key of the unit that it stays with.
    """

    rule = "TMG-90"
    title = _("How long does the card stay?")
    help = _("Turn and round cards end automatically; end others with a tap in the unit’s details.")

    seat: str
    unit: str

    def asked(self, g: Table) -> Iterable[str]:
        unit = g.units.get(self.unit)
        is_there = unit is not None and unit.is_on_table
        return (self.seat,) if is_there and g.armies[self.seat].in_play else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for expiry, words in LASTS.items():
            yield Offer(f"until:{expiry}", Line(words))
        yield Offer("back", say(_("Back")), style="quiet")

    @answer
    def until(self, g: Table, seat: str, expiry: str) -> None:
        unit, side = g.units[self.unit], g.armies[seat]
        unit.cards = (*unit.cards, (side.in_play, seat, expiry))
        line = _("%(card)s stays with %(unit)s: %(time)s.")
        card = called(g, seat, side.in_play)
        g.say(line, card=card, unit=unit.name, time=Term(EXPIRIES[expiry]))
        side.in_play = ""
        g.end()

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s chooses another unit."), player=name_of(g, seat))
        g.goto(LayCard(seat))

    def run(self, g: Table) -> None:
        """The unit has left the table meanwhile. Cards fall with their unit, so another one is chosen."""
        g.goto(LayCard(self.seat))

    def asking(self, g: Table, seat: str | None) -> Line:
        card = called(g, self.seat, g.armies[self.seat].in_play)
        return say(_("How long does %(card)s stay?"), card=card)


STEPS: tuple[type[Step[Table]], ...] = (LayCard, HowLong)


SWAPPED = "swapped"
"""The fact of a match that names the zones whose effects were replaced when they were claimed."""


def occupy(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone, whose effect works at once."""
    stand(g, unit, zone)
    if cards := (g.zone_entry(zone.key) or {}).get("draws"):
        draw(g, unit.player, cards)


def stand(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone; the claim stands whatever replaces the zone's effect (TMG-34).

    An NCU already on another zone or on a sector moves there.
    """
    leave(g, unit)
    zone.claimed_by, unit.sector = unit.key, None
    _note_swapped(g, [key for key in swapped(g) if key != zone.key])
    g.say(_("%(unit)s activates and claims %(zone)s."), unit=unit.name, zone=Term(zone.name))


def leave(g: Table, unit: Unit) -> None:
    for zone in g.zones():
        if zone.claimed_by == unit.key:
            zone.claimed_by = None


def working(g: Table, unit: Unit) -> list[str]:
    """The zones that a unit has claimed and whose own effects work, by key."""
    return [zone.key for zone in g.zones() if zone.claimed_by == unit.key and zone.key not in swapped(g)]


def swapped(g: Table) -> list[str]:
    """The claimed zones whose own effects were replaced by something else (TMG-34), by key."""
    return list(g.facts.get(SWAPPED, ()))


def swap(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone whose effect is replaced by something else."""
    stand(g, unit, zone)
    _note_swapped(g, [*swapped(g), zone.key])


def forget_swapped(g: Table) -> None:
    """The zones are free again, and each has its own effect."""
    _note_swapped(g, [])


def _note_swapped(g: Table, keys: list[str]) -> None:
    """Keep the swapped zones in the match's facts while there are any."""
    if keys != swapped(g):
        others = {name: fact for name, fact in g.facts.items() if name != SWAPPED}
        g.facts = {**others, SWAPPED: keys} if keys else others


def set_up(g: Table) -> None:
    """Lay out the zones of the ruleset, all empty (TMG-32)."""
    for entry in g.rules["zones"]:
        _add(g, entry)


def add(g: Table, key: str) -> None:
    """Add one of the ruleset's extra zones; it works like any other (TMG-32)."""
    _add(g, next(entry for entry in missing(g) if entry["key"] == key))


def missing(g: Table) -> tuple[dict[str, str], ...]:
    """The extra zones of the ruleset that are not on the board yet: each can be added once a game."""
    return tuple(entry for entry in g.rules["extra_zones"] if entry["key"] not in g.objectives)


def _add(g: Table, entry: dict[str, str]) -> None:
    order = 100 + len(g.objectives)
    g.objectives[entry["key"]] = Place(entry["key"], name=entry["name"], kind="zone", order=order)


def free(g: Table) -> list[Place]:
    return [place for place in g.objectives.values() if place.kind == "zone" and place.claimed_by is None]


def is_full(g: Table) -> bool:
    """Whether every zone is claimed, and there is no sector to stand on instead (TMG-30, TMG-97)."""
    return not any(
        place.kind == "sector" or (place.kind == "zone" and place.claimed_by is None)
        for place in g.objectives.values()
    )


def holders(g: Table, zone: Place) -> tuple[str, ...]:
    """The seats that control a zone: of the NCU on it, and the one that counts as its controller (TMG-33)."""
    claimants = [g.units[zone.claimed_by].player] if zone.claimed_by in g.units else []
    others = [zone.counts_for] if zone.counts_for else []
    return tuple(dict.fromkeys((*claimants, *others)))


# --- sectors -----------------------------------------------------------------------------------------


LEAST_IN_SECTOR = 5
"""Army points that a side needs in a sector to control it (TMG-97)."""


def sector_points(g: Table, sector: Place, seat: str) -> int:
    """A seat's army points in a sector, attachments included."""
    return _standing(g).get(sector.key, {}).get(seat, 0)


def _standing(g: Table) -> dict[str, dict[str, int]]:
    standing: dict[str, dict[str, int]] = {}
    for unit in g.units.values():
        if unit.sector and unit.is_on_table:
            there = standing.setdefault(unit.sector, dict.fromkeys(g.seats, 0))
            there[unit.player] = there.get(unit.player, 0) + unit.worth_to(unit.army)
    return standing


def sector_controller(g: Table, sector: Place) -> str | None:
    """TMG-97: the seat with at least five army points there and more than the opponent."""
    held = _standing(g).get(sector.key)
    if held is None:
        return None
    first, second = sorted(g.seats, key=lambda seat: held[seat], reverse=True)[:2]
    return first if held[first] >= LEAST_IN_SECTOR and held[first] > held[second] else None


def sector_controllers(g: Table) -> dict[str, str | None]:
    return {sector.key: sector_controller(g, sector) for sector in g.sectors()}


def enter_sector(g: Table, unit: Unit, sector: Place) -> None:
    """A unit stands in the sector that most of its tray is in; on a tie its opponent says which.

    An NCU stands there instead of on a zone.
    """
    leave(g, unit)
    unit.sector = sector.key
    g.say(_("%(unit)s stands in: %(sector)s."), unit=unit.name, sector=Term(sector.name))


def leave_sector(g: Table, unit: Unit) -> None:
    unit.sector = None
    g.say(_("%(unit)s stands in no sector."), unit=unit.name)
