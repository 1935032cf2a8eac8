"""The nine wildling cards: what a wildling victory costs, and what repelling the wildlings brings.

The cards' own wording stays on the cards; here is what each one does, in ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from games.core import Line, Offer, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.agot.pieces import COURT, FIEFDOMS, THRONE, TRACKS, InTurn, Table, house
from games.systems.agot.tracks import supply_muster_power

SILENCE, PREEMPTIVE, CROWS, RAIDERS, MASSING, KING, MAMMOTHS, HORDE, SKINCHANGER = (
    "silence-at-the-wall",
    "preemptive-raid",
    "crow-killers",
    "rattleshirts-raiders",
    "massing-on-the-milkwater",
    "a-king-beyond-the-wall",
    "mammoth-riders",
    "the-horde-descends",
    "skinchanger-scout",
)
CARDS = {
    SILENCE: _("Silence at the Wall"),
    PREEMPTIVE: _("Preemptive Raid"),
    CROWS: _("Crow Killers"),
    RAIDERS: _("Rattleshirt's Raiders"),
    MASSING: _("Massing on the Milkwater"),
    KING: _("A King Beyond the Wall"),
    MAMMOTHS: _("Mammoth Riders"),
    HORDE: _("The Horde Descends"),
    SKINCHANGER: _("Skinchanger Scout"),
}
DECK = len(CARDS)
SECOND_STRENGTH = 6
"""How strong the wildlings are when Preemptive Raid brings them back at once."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card asks of the lowest bidder and of the others, and gives to the highest; "" for nothing."""

    lowest: str = ""
    others: str = ""
    highest: str = ""


TOLD = {
    CROWS: Effect(
        _("Replace every knight of yours by a footman; those without a free footman are lost."),
        _("Replace two knights of yours by footmen; those without a free footman are lost."),
        _("You may replace up to two footmen of yours, anywhere, by knights."),
    ),
    MASSING: Effect(
        _("With more than one house card in hand: discard all of those with the highest strength."),
        _("With more than one house card in hand: discard one of your choice."),
        _("Take all of your discarded house cards back into your hand."),
    ),
    MAMMOTHS: Effect(
        _("Remove three of your units, anywhere."),
        _("Remove two of your units, anywhere."),
        _("You may take one discarded house card of your choice back into your hand."),
    ),
    HORDE: Effect(
        _("Remove two of your units in one castle or stronghold of yours; if you cannot, any two."),
        _("Remove one of your units, anywhere."),
        _("You may muster in one castle or stronghold that you control."),
    ),
}
"""The cards that the houses carry out themselves on the board."""


def resolve(g: Table) -> None:
    """Carry out a card: the highest bidder's reward, or all the penalties, the lowest bidder's first."""
    if not g.marked:
        return
    if g.repelled:
        _reward(g)
        return
    queue = (g.marked, *others(g))
    if g.wildling in TOLD:
        g.call(Carry(queue))
    elif g.wildling in _PENALTIES:
        _PENALTIES[g.wildling](g, queue)
    else:
        g.say(_("Nothing else happens."))


def others(g: Table) -> tuple[str, ...]:
    """AGOT-31: who follows the lowest bidder, in turn order or, if chosen, by rising bid.

    AGOT-32: those who bid the same as the holder of the Iron Throne has placed them.
    """
    rest = [seat for seat in g.turn_order if seat != g.marked and seat in g.bids]
    if g.rules.get("by_bid"):
        places = {seat: place for place, seat in enumerate(g.placed)}
        rest.sort(key=lambda seat: (g.bids[seat], places.get(seat, len(places))))
    return tuple(rest)


def _reward(g: Table) -> None:
    """AGOT-30: only the highest bidder gains something."""
    if g.wildling in TOLD:
        g.call(Carry((g.marked,)))
    elif g.wildling == KING:
        g.call(Rise((g.marked,)))
    elif g.wildling == RAIDERS:
        supply_muster_power.adjust(g, g.marked, g.armies[g.marked].supply + 1)
    elif g.wildling == SKINCHANGER:
        back = g.gain(g.marked, g.bids.get(g.marked, 0))
        g.say(_("%(house)s gets its bid of %(power)s power back."), house=house(g.marked), power=back)
    elif g.wildling == PREEMPTIVE:
        g.say(_("The wildlings attack again at once, without %(house)s."), house=house(g.marked))
    else:
        g.say(_("Nothing else happens."))


class Carry(InTurn):
    """AGOT-31: the lowest bidder first, then the others, carry out the card on the board."""

    rule = "AGOT-31"
    title = _("Carry out the wildling card")
    meanwhile = _("%(house)s carries out the wildling card")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("carried", say(_("Done")), style="main")

    @answer
    def carried(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has carried out %(card)s."), house=house(seat), card=Term(CARDS[g.wildling]))
        self.next(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(CARDS.get(g.wildling, ""))

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat != next(iter(self.seats), ""):
            return super().asking(g, seat)
        effect = TOLD.get(g.wildling, Effect())
        if g.repelled:
            return Line(effect.highest)
        return Line(effect.lowest if self.seats[:1] == (g.marked,) else effect.others)


# --- supply and power ----------------------------------------------------------------------------


def _raid(g: Table, queue: tuple[str, ...]) -> None:
    """Rattleshirt's Raiders: the lowest bidder's supply falls by two, others' by one; armies must fit."""
    for seat in queue:
        supply_muster_power.adjust(g, seat, g.armies[seat].supply - (2 if seat == g.marked else 1))
    g.call(supply_muster_power.Reconcile)


def _scout(g: Table, queue: tuple[str, ...]) -> None:
    """Skinchanger Scout: the lowest bidder loses all available power, the others two."""
    for seat in queue:
        lost = g.discard(seat, g.armies[seat].power if seat == g.marked else 2)
        g.say(_("%(house)s discards %(power)s power."), house=house(seat), power=lost)


# --- influence -----------------------------------------------------------------------------------


def move_to(g: Table, seat: str, track: str, place: int) -> None:
    """Move a house on a track; the others close up, and first place holds the dominance token."""
    order = [other for other in g.track(track) if other != seat]
    order.insert(place - 1, seat)
    g.set_track(track, order)
    line = _("%(house)s moves to place %(place)s of the %(track)s track.")
    g.say(line, house=house(seat), place=g.place(track, seat), track=Term(TRACKS[track]))


def _crown(g: Table, queue: tuple[str, ...]) -> None:
    """A King Beyond the Wall: the lowest bidder falls to the end of every track; the others choose."""
    for track in TRACKS:
        move_to(g, g.marked, track, len(g.seats))
    if queue[1:]:
        g.call(Fall(queue[1:]))


class Fall(InTurn):
    """AGOT-31: A King Beyond the Wall sends each other house to the end of one of two tracks."""

    rule = "AGOT-31"
    title = _("To the last place of which track?")
    meanwhile = _("%(house)s goes to the last place of a track")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for track in (FIEFDOMS, COURT):
            yield Offer(f"last:{track}", Line(TRACKS[track]))

    @answer
    def last(self, g: Table, seat: str, track: str) -> None:
        move_to(g, seat, track, len(g.seats))
        self.next(g)


class Rise(InTurn):
    """AGOT-30: repelling A King Beyond the Wall brings first place on one track and its token."""

    rule = "AGOT-30"
    title = _("To the first place of which track?")
    meanwhile = _("%(house)s goes to the first place of a track")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for track in TRACKS:
            yield Offer(f"first:{track}", Line(TRACKS[track]))

    @answer
    def first(self, g: Table, seat: str, track: str) -> None:
        move_to(g, seat, track, 1)
        self.next(g)


class Preempted(InTurn):
    """AGOT-31: Preemptive Raid costs the lowest bidder two units, or two places on its best track."""

    rule = "AGOT-31"
    title = _("What do you give up?")
    meanwhile = _("%(house)s chooses what to give up")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("lose-units", say(_("Two of my units, anywhere")))
        yield Offer("lose-places", say(_("Two places on my best track")))

    @answer
    def lose_units(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s removes two units."), house=house(seat))
        self.next(g)

    @answer
    def lose_places(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s gives up two places on its best track."), house=house(seat))
        g.goto(BestTrack(seat))


class BestTrack(Step[Table]):
    """AGOT-31: if several tracks are equally good, the holder of the Iron Throne says which one it is."""

    rule = "AGOT-31"
    title = _("%(house)s falls two places: on which track?")

    seat: str

    def tracks(self, g: Table) -> list[str]:
        best = min(g.place(track, self.seat) for track in TRACKS)
        return [track for track in TRACKS if g.place(track, self.seat) == best]

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(THRONE),) if len(self.tracks(g)) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for track in self.tracks(g):
            yield Offer(f"drop:{track}", Line(TRACKS[track]))

    @answer
    def drop(self, g: Table, seat: str, track: str) -> None:
        move_to(g, self.seat, track, g.place(track, self.seat) + 2)
        g.end()

    def run(self, g: Table) -> None:
        self.drop(g, "", self.tracks(g)[0])

    def asking(self, g: Table, seat: str | None) -> Line:
        """It is asked of the holder of the Iron Throne, so the question names the house that falls."""
        return say(self.title, house=house(self.seat))


_PENALTIES: dict[str, Callable[[Table, tuple[str, ...]], None]] = {
    RAIDERS: _raid,
    SKINCHANGER: _scout,
    KING: _crown,
    PREEMPTIVE: lambda g, _queue: g.call(Preempted((g.marked,))),
}

STEPS: tuple[type[Step[Table]], ...] = (Carry, Fall, Rise, Preempted, BestTrack)
