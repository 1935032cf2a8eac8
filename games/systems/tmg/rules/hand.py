"""Playing tactics cards from a hand that the app keeps: at any time, to the discard pile or onto a unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import engine
from games.core.steps import FreeActions, Offer, Step, answer
from games.core.system import name_of
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import decks
from games.systems.tmg.rules.cleanup import Discard

HAND = _("Hand")
LASTS = {
    decks.TURN: _("This turn"),
    decks.ROUND: _("This round"),
    decks.GAME: _("This game"),
    decks.CONDITION: _("Until its condition"),
}


class Hand(FreeActions[Table]):
    """TMG-89, TMG-90: a player may play a tactics card at any time; nobody else sees which cards are held.

    A played card is face up: on the discard pile, or with a unit for as long as it says.
    """

    name = "hand"
    rule = "TMG-90"

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not g.round or not decks.is_tracked(g) or g.armies[seat].in_play or _is_discarding(g):
            return
        for key in sorted(set(decks.hand(g, seat))):
            words = {"card": decks.called(g, seat, key)}
            label = say(_("Play %(card)s, to the discard pile"), **words)
            yield Offer(f"play:{key}", label, group=HAND, is_secret=True)
            label = say(_("Play %(card)s, onto a unit"), **words)
            yield Offer(f"lay:{key}", label, group=HAND, is_secret=True)

    @answer
    def play(self, g: Table, seat: str, key: str) -> None:
        decks.leave_hand(g, seat, key)
        decks.discard(g, seat, key)
        g.say(_("%(player)s plays %(card)s."), player=name_of(g, seat), card=decks.called(g, seat, key))

    @answer
    def lay(self, g: Table, seat: str, key: str) -> None:
        decks.leave_hand(g, seat, key)
        g.armies[seat].in_play = key
        g.say(_("%(player)s plays %(card)s."), player=name_of(g, seat), card=decks.called(g, seat, key))
        g.call(LayCard(seat))


def _is_discarding(g: Table) -> bool:
    return isinstance(engine.step_of(g), Discard)


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
        card = decks.called(g, seat, g.armies[seat].in_play)
        g.say(_("%(card)s is for %(unit)s."), card=card, unit=unit.name)
        g.goto(HowLong(seat, unit.key))

    @answer
    def to_pile(self, g: Table, seat: str) -> None:
        side = g.armies[seat]
        decks.discard(g, seat, side.in_play)
        g.say(_("%(card)s goes to the discard pile."), card=decks.called(g, seat, side.in_play))
        side.in_play = ""
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        card = decks.called(g, self.seat, g.armies[self.seat].in_play)
        return say(_("Which unit does %(card)s stay with?"), card=card)


class HowLong(Step[Table]):
    """TMG-90: a card stays for the turn, the round or the game, or until a condition is met.

    Cards for the turn or the round are cleared when it ends (E16); all others end by a tap.
    `seat` has played the card, `unit` is the key of the unit that it stays with.
    """

    rule = "TMG-90"
    title = _("How long does the card stay?")
    help = _("After the turn or the round it goes by itself, otherwise by a tap in its unit's details.")

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
        decks.attach(unit, seat, side.in_play, expiry)
        line = _("%(card)s stays with %(unit)s: %(time)s.")
        card = decks.called(g, seat, side.in_play)
        g.say(line, card=card, unit=unit.name, time=Term(decks.EXPIRIES[expiry]))
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
        card = decks.called(g, self.seat, g.armies[self.seat].in_play)
        return say(_("How long does %(card)s stay?"), card=card)


STEPS: tuple[type[Step[Table]], ...] = (LayCard, HowLong)
