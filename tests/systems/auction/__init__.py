"""Six seats bid tokens for three tracks, sealed; ties are ordered by the holder of the throne.

A sketch of what the board game of thrones will need: numeric secret answers,
several at once, a tie-break asked of one seat, and questions within questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from games.core import (
    Army,
    Corrections,
    Mode,
    Objective,
    Offer,
    Silent,
    State,
    Step,
    System,
    Unit,
    answer,
    say,
)
from games.core.corrections import refuse_same

TRACKS = ("throne", "fiefdoms", "court")


@dataclass
class House(Army):
    """A house and the tokens that it has left."""

    power: int = 5


@dataclass
class Table(State[House, Unit, Objective]):
    """The tracks, best first, and the seats still tied for the places being filled."""

    tracks: dict[str, Any] = field(default_factory=dict)
    bids: dict[str, int] = field(default_factory=dict)
    order: tuple[str, ...] = ()


class Bid(Step[Table]):
    """AUC-1: every house seals 0 to all of its tokens; nobody sees an amount before all are in."""

    track: str

    rule = "AUC-1"
    title = "Seal your bid"

    def asked(self, g: Any) -> Iterable[str]:
        return tuple(seat for seat in g.seats if "bid" not in g.armies[seat].hidden)

    def offers(self, g: Any, seat: str) -> Iterator[Offer]:
        yield Offer(f"bid:{self.track}", say("Bid"), minimum=0, maximum=g.armies[seat].power)

    @answer
    def bid(self, g: Any, seat: str, track: str, amount: int) -> None:
        g.hide(seat, "bid", amount)
        g.say("%(house)s has bid", house=g.armies[seat].name)

    def run(self, g: Any) -> None:
        g.bids = {seat: min(g.reveal(seat, "bid"), g.armies[seat].power) for seat in g.seats}
        for seat, amount in g.bids.items():
            g.armies[seat].power -= amount
            g.say("%(house)s bid %(amount)s", house=g.armies[seat].name, amount=amount)
        g.order = ()
        g.goto(Places(self.track))


class Places(Step[Table]):
    """AUC-2: the highest bid takes the first place; the holder of the throne orders those who tie."""

    track: str

    rule = "AUC-2"
    title = "Who of the tied comes first?"

    def tied(self, g: Any) -> list[str]:
        left = [seat for seat in g.seats if seat not in g.order]
        best = max((g.bids[seat] for seat in left), default=0)
        return [seat for seat in left if g.bids[seat] == best]

    def asked(self, g: Any) -> Iterable[str]:
        holder = g.tracks.get("throne", [g.seats[0]])[0]
        return (holder,) if len(self.tied(g)) > 1 else ()

    def offers(self, g: Any, seat: str) -> Iterator[Offer]:
        for tied in self.tied(g):
            yield Offer(f"place:{tied}", say("%(house)s", house=g.armies[tied].name))

    @answer
    def place(self, g: Any, seat: str, tied: str) -> None:
        g.order = (*g.order, tied)

    def run(self, g: Any) -> None:
        if tied := self.tied(g):
            g.order = (*g.order, tied[0])
            return
        g.tracks = {**g.tracks, self.track: list(g.order)}
        g.score(g.order[0], 1, "first on a track", self.track)
        rest = TRACKS[TRACKS.index(self.track) + 1 :]
        if rest:
            g.goto(Bid(rest[0]))
        else:
            g.result = {"winner": max(g.seats, key=g.points), "how": "tracks"}


class Open(Silent[Table]):
    """AUC-0: the tracks are bid for in their order."""

    rule = "AUC-0"

    def run(self, g: Any) -> None:
        g.begin_round(first=None)
        g.goto(Bid(TRACKS[0]))


class Treasury(Corrections[Table]):
    """Tokens that were counted wrong."""

    def of(self, g: Any, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        if kind == "army" and key in g.armies:
            power = g.armies[key].power
            yield Offer(f"power:{key}", say("Power tokens"), minimum=-power, maximum=20 - power)

    @answer
    def power(self, g: Any, seat: str, house: House, change: int) -> None:
        refuse_same(change == 0)
        house.power += change
        g.say("%(house)s: power %(change)+d", house=house.name, change=change)


class Auction(System[Table]):
    slug = "auction"
    title = "Auction"
    state = Table
    seat_names = {
        name: name.title() for name in ("stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell")
    }
    seat_range = (3, 6)
    steps = (Open, Bid, Places)
    modes = (Mode("tracks", "Three tracks", Open),)
    corrections = Treasury
    checklist = ("AUC-0", "AUC-1", "AUC-2")


SYSTEM = Auction()
