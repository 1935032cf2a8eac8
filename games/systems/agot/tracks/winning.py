"""How a round and a game end: with seven castles and strongholds, or after round ten by the tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core import ENDINGS as COMMON
from games.core import (
    Argument,
    HandEnd,
    Line,
    Offer,
    Silent,
    Step,
    advance,
    answer,
    ends_now,
    others,
    result_fields,
    say,
    step_of,
)
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control
from games.systems.agot.pieces import THRONE, Table, Together, box, house, houses

SEVEN, CASTLES, LAND, SUPPLY, THRONE_PLACE, TIME_OUT = (
    "seven",
    "castles",
    "land",
    "supply",
    "throne",
    "time-out",
)
ENDINGS = {
    **COMMON,
    SEVEN: _("with seven castles and strongholds"),
    CASTLES: _("with the most castles and strongholds"),
    LAND: _("with the most land areas after a tie"),
    SUPPLY: _("with the highest supply after a tie"),
    THRONE_PLACE: _("by its place on the Iron Throne track after a tie"),
}
LAST_ROUND = "last-round"
"""The cause of an `Ending` that comes by itself before anybody is asked again: round ten is over."""

MOST_LAND = 38


def has_seven(g: Table) -> bool:
    """Whether some house controls enough castles and strongholds to win at once."""
    to_win: int = box()["castles_to_win"]
    return max(g.totals().values(), default=0) >= to_win


def leaders(g: Table) -> tuple[str, ...]:
    points = {seat: g.points(seat) for seat in g.seats}
    most = max(points.values())
    return tuple(seat for seat in g.seats if points[seat] == most)


def measures(g: Table, seat: str) -> tuple[int, ...]:
    """What decides, in this order: castles and strongholds, land, supply, the Iron Throne track."""
    areas = land(g, seat)
    return g.points(seat), areas, g.armies[seat].supply, -g.place(THRONE, seat)


def decided(g: Table) -> tuple[str, str]:
    first, second, *_rest = sorted(g.seats, key=lambda seat: measures(g, seat), reverse=True)
    pairs = zip(measures(g, first), measures(g, second), strict=True)
    at = next(place for place, (own, other) in enumerate(pairs) if own != other)
    how = (CASTLES, LAND, SUPPLY, THRONE_PLACE)[at]
    return first, SEVEN if how == CASTLES and has_seven(g) else how


def conclude(g: Table, winner: str, how: str) -> None:
    g.result = result_fields(g, winner, how)
    g.say(_("%(house)s wins the game."), house=house(winner))


class RoundEnd(Silent[Table]):
    """BASE-09: seven castles and strongholds win; round ten is the last; otherwise the next round begins."""

    rule = "BASE-09"
    title = _("End of the round")

    def run(self, g: Table) -> None:
        if is_over(g):
            g.goto(Reckoning)
            return
        forget_playing_on(g)
        pieces.begin_round(g)
        g.goto(pieces.Westeros)


class Reckoning(Together):
    """BASE-09: the most castles and strongholds win; then land areas, supply, the Iron Throne track.

    A correction may show that the game is not over yet: then the next round begins.
    """

    rule = "BASE-09"
    title = _("A tie: how many land areas do you control?")
    meanwhile = _("A tie, counting land areas: %(house)s")
    help = _("Then supply decides, then the place on the Iron Throne track.")

    def concerned(self, g: Table) -> Iterable[str]:
        tied = leaders(g)
        return tied if len(tied) > 1 and is_over(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("land", say(_("Land areas")), 0, MOST_LAND)

    @answer
    def land(self, g: Table, seat: str, areas: int) -> None:
        g.mark_answered(seat)
        g.armies[seat].land = areas
        g.say_count(
            "%(house)s controls %(count)s land area.",
            "%(house)s controls %(count)s land areas.",
            areas,
            house=house(seat),
        )

    def go_on(self, g: Table) -> None:
        if is_over(g):
            conclude(g, *decided(g))
        else:
            g.goto(RoundEnd)


class TimedReckoning(Reckoning):
    """BASE-09: time is up and all have agreed: houses with equally many castles count their land areas.

    `seats` are those houses. They are asked even if a correction breaks the tie: it ends no game by itself.
    """

    seats: tuple[str, ...] = ()

    def concerned(self, g: Table) -> Iterable[str]:
        return self.seats

    def go_on(self, g: Table) -> None:
        winner, _how = decided(g)
        conclude(g, winner, TIME_OUT)


class Ending(HandEnd[Table]):
    """BASE-09: a correction does not end the game by itself: the houses that would lose are asked first.

    When time is up, the question goes to all the others. They may play on, but not beyond round ten: a wrong
    correction that ends it is undone instead.
    """

    rule = "BASE-09"
    title = _("End the game?")

    how: str

    def voters(self, g: Table) -> Iterable[str]:
        if self.how == TIME_OUT:
            return g.seats
        is_due = ends_now(_without_question(g)) if self.how == LAST_ROUND else has_seven(g)
        return others(g, self.outcome(g)["winner"]) if is_due else ()

    def outcome(self, g: Table) -> dict[str, Any]:
        if self.how == LAST_ROUND:
            return _played_out(g)
        winner, how = decided(g)
        return result_fields(g, winner, TIME_OUT if self.how == TIME_OUT else how)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("end-match", say(_("End the game")), style="main")
        if self.how != LAST_ROUND:
            yield Offer("play-on", say(_("Play on")))

    def conclude(self, g: Table) -> None:
        """After round ten the game goes on, and ends by itself."""
        if self.how == LAST_ROUND:
            g.end()
            return
        if self.is_tied(g) and g.author in g.armies:
            g.goto(TimedReckoning(leaders(g)))
            return
        outcome = self.outcome(g)
        conclude(g, outcome["winner"], outcome["how"])

    def is_tied(self, g: Table) -> bool:
        """Whether time is up with a tie that only the board can break; an organiser waits for nobody."""
        return self.how == TIME_OUT and not g.objectives and len(leaders(g)) > 1

    @answer
    def play_on(self, g: Table, seat: str) -> None:
        if self.how != TIME_OUT:
            g.played_on = tuple(sorted(leaders(g)))
        super().play_on(g, seat)
        ask_first(g)

    def called(self, g: Table, seat: str) -> Argument:
        return house(seat)

    def cause(self, g: Table) -> Line:
        if self.how == TIME_OUT:
            return Line(_("Time is up. End the game with this score?"))
        if self.how == LAST_ROUND:
            return Line(_("With this correction the game ends, as round ten is over. End it?"))
        return say(
            _("%(house)s has seven castles and strongholds. End the game?"), house=house(leaders(g)[0])
        )

    def consequence(self, g: Table) -> Line:
        if self.is_tied(g):
            return say(TimedReckoning.meanwhile, house=houses(leaders(g)))
        return super().consequence(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        line = super().helping(g, seat)
        if self.how != LAST_ROUND:
            return line
        return say(_("%(result)s If the correction is wrong, undo it instead."), result=line)


def ask_first(g: Table) -> None:
    """Ask whether to end the game after a correction that brings a house to seven or would end it at once."""
    forget_playing_on(g)
    if g.result is not None:
        _recompute(g)
    elif g.flow and not isinstance(step_of(g), Ending) and g.round and (how := _due(g)):
        g.call(Ending(how))


def _due(g: Table) -> str:
    """Why a correction would end the game, "" if it would not.

    What ends even if the table plays on with seven is not put to that choice.
    """
    ahead = g.copy()
    ahead.played_on = tuple(sorted(leaders(g)))
    if ends_now(ahead):
        return LAST_ROUND
    return SEVEN if is_won(g) else ""


def _without_question(g: Table) -> Table:
    outer = g.copy()
    outer.end()
    return outer


def _played_out(g: Table) -> dict[str, Any]:
    """The result that the game has once the open question is gone."""
    ahead = _without_question(g)
    advance(ahead)
    return ahead.result or result_fields(g, *decided(g))


def is_over(g: Table) -> bool:
    """Whether the game ends with this round: with seven, or because it is the last one."""
    return is_won(g) or g.round >= box()["rounds"]


def is_won(g: Table) -> bool:
    """Whether a house has reached seven, and the table has not chosen to play on with these leaders."""
    return has_seven(g) and g.played_on != tuple(sorted(leaders(g)))


def forget_playing_on(g: Table) -> None:
    """Playing on with seven holds only while a house has them: reaching seven again wins again (BASE-09)."""
    if not has_seven(g):
        g.played_on = ()


def _recompute(g: Table) -> None:
    """Work out again what the numbers decided: after the end, only an organiser makes corrections."""
    how = (g.result or {}).get("how")
    if how in (SEVEN, CASTLES, LAND, SUPPLY, THRONE_PLACE):
        result = result_fields(g, *decided(g))
        if result != g.result:
            g.result = result
            g.say(_("The result is worked out again."))


# --- places ------------------------------------------------------------------------------------------


def land(g: Table, seat: str) -> int:
    """How many land areas a house has: counted on the map, or without it as its player gave them in a tie."""
    return len(area_control.controlled(g, seat)) if g.objectives else g.armies[seat].land


def tie_breaks(g: Table, seat: str) -> dict[str, int]:
    """Land areas (where they were counted), supply, available power, the place on the Iron Throne track."""
    counted = {"land_areas": land(g, seat)} if g.objectives or g.armies[seat].land else {}
    army = g.armies[seat]
    return {**counted, "supply": army.supply, "power": army.power, "iron_throne": g.place(THRONE, seat)}


def places(g: Table) -> dict[str, int]:
    """BASE-09: the winner first, then by castles and strongholds, land areas, supply, the Iron Throne track.

    No two houses share a place on that track, so no two share one here.
    """
    winner = (g.result or {}).get("winner")
    order = sorted(g.seats, key=lambda seat: (seat == winner, *measures(g, seat)), reverse=True)
    return {seat: place for place, seat in enumerate(order, 1)}


STEPS: tuple[type[Step[Table]], ...] = (RoundEnd, Reckoning, TimedReckoning, Ending)
