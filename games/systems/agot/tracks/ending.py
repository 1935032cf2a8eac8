"""How a game ends: with seven castles and strongholds, or after the tenth round by the tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core import engine
from games.core.ends import HandEnd, ends_now, others, result_fields
from games.core.steps import Offer, Step, answer
from games.core.system import ENDINGS as COMMON
from games.core.words import Argument, Line, say
from games.core.words import gettext_noop as _
from games.systems.agot import standings
from games.systems.agot.box import THRONE, box, house
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.houses import Together

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
MOST_LAND = 38


def has_seven(g: Table) -> bool:
    """Whether some house controls enough castles and strongholds to win at once."""
    to_win: int = box()["castles_to_win"]
    return max(g.totals().values(), default=0) >= to_win


def leaders(g: Table) -> tuple[str, ...]:
    """The houses with the most castles and strongholds."""
    points = {seat: g.points(seat) for seat in g.seats}
    most = max(points.values())
    return tuple(seat for seat in g.seats if points[seat] == most)


def measures(g: Table, seat: str) -> tuple[int, ...]:
    """What decides, in this order: castles and strongholds, land, supply, the Iron Throne track."""
    areas = standings.land(g, seat)
    return g.points(seat), areas, g.armies[seat].supply, -g.place(THRONE, seat)


def decided(g: Table) -> tuple[str, str]:
    """The winner as the table stands, and what decided it."""
    first, second, *_rest = sorted(g.seats, key=lambda seat: measures(g, seat), reverse=True)
    pairs = zip(measures(g, first), measures(g, second), strict=True)
    at = next(place for place, (one, other) in enumerate(pairs) if one != other)
    how = (CASTLES, LAND, SUPPLY, THRONE_PLACE)[at]
    return first, SEVEN if how == CASTLES and has_seven(g) else how


def conclude(g: Table, winner: str, how: str) -> None:
    """End the match: record who won, and how."""
    g.result = result_fields(g, winner, how)
    g.say(_("%(house)s wins the game."), house=house(winner))


class Reckoning(Together):
    """BASE-09: the most castles and strongholds win; then land areas, supply, the Iron Throne track."""

    rule = "BASE-09"
    title = _("A tie: how many land areas do you control?")
    meanwhile = _("A tie, counting land areas: %(house)s")
    help = _("Then supply decides, then the place on the Iron Throne track.")

    def concerned(self, g: Table) -> Iterable[str]:
        tied = leaders(g)
        return tied if len(tied) > 1 else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("land", say(_("Land areas")), 0, MOST_LAND)

    @answer
    def land(self, g: Table, seat: str, areas: int) -> None:
        g.armies[seat].done, g.armies[seat].land = True, areas
        g.say_count(
            "%(house)s controls %(count)s land area.",
            "%(house)s controls %(count)s land areas.",
            areas,
            house=house(seat),
        )

    def go_on(self, g: Table) -> None:
        conclude(g, *decided(g))


class Ending(HandEnd[Table]):
    """BASE-09: a correction does not end the game by itself: the houses that would lose are asked first.

    When time is up, the question goes to all the others.
    """

    rule = "BASE-09"
    title = _("End the game?")

    how: str

    def voters(self, g: Table) -> Iterable[str]:
        if self.how == TIME_OUT:
            return g.seats
        return others(g, decided(g)[0]) if has_seven(g) else ()

    def outcome(self, g: Table) -> dict[str, Any]:
        winner, how = decided(g)
        return result_fields(g, winner, TIME_OUT if self.how == TIME_OUT else how)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("end-match", say(_("End the game")), style="main")
        yield Offer("play-on", say(_("Play on")))

    def conclude(self, g: Table) -> None:
        outcome = self.outcome(g)
        conclude(g, outcome["winner"], outcome["how"])

    @answer
    def play_on(self, g: Table, seat: str) -> None:
        if self.how != TIME_OUT:
            g.played_on = tuple(sorted(leaders(g)))
        super().play_on(g, seat)

    def called(self, g: Table, seat: str) -> Argument:
        return house(seat)

    def cause(self, g: Table) -> Line:
        if self.how == TIME_OUT:
            return Line(_("Time is up. End the game with this score?"))
        return say(
            _("%(house)s has seven castles and strongholds. End the game?"), house=house(leaders(g)[0])
        )


def ask_first(g: Table) -> None:
    """Ask whether to end the game after a correction that brings a house to seven or would end it at once."""
    forget_playing_on(g)
    if g.result is not None:
        _recompute(g)
    elif g.flow and not isinstance(engine.step_of(g), Ending) and g.round and (is_won(g) or ends_now(g)):
        g.call(Ending(SEVEN if has_seven(g) else TIME_OUT))


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


STEPS: tuple[type[Step[Table]], ...] = (Reckoning, Ending)
