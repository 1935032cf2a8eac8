"""What the box holds: houses, tracks, supply table, decks and map, as data and as questions about them."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.core import Term, facts
from games.core import gettext_noop as _

PACKAGE = "games.systems.agot"

HOUSES = {
    "stark": _("Stark"),
    "lannister": _("Lannister"),
    "baratheon": _("Baratheon"),
    "greyjoy": _("Greyjoy"),
    "tyrell": _("Tyrell"),
    "martell": _("Martell"),
}
"""The houses in the order in which they join: a game of three is played by the first three."""

THRONE, FIEFDOMS, COURT = "iron-throne", "fiefdoms", "kings-court"
TRACKS = {THRONE: _("Iron Throne"), FIEFDOMS: _("Fiefdoms"), COURT: _("King's Court")}
"""The three influence tracks in the order of bidding."""
TOKENS = {THRONE: _("Iron Throne token"), FIEFDOMS: _("Valyrian Steel Blade"), COURT: _("Messenger Raven")}
"""The dominance token that goes with first place on each track."""

FOOTMAN, KNIGHT, SIEGE, SHIP = "footman", "knight", "siege-engine", "ship"
UNITS = {FOOTMAN: _("Footman"), KNIGHT: _("Knight"), SIEGE: _("Siege engine"), SHIP: _("Ship")}

RAINS, STORM, SEA, WEB, FEAST = (
    "rains-of-autumn",
    "storm-of-swords",
    "sea-of-storms",
    "web-of-lies",
    "feast-for-crows",
)
"""The cards of the third Westeros deck that forbid orders for a round (BASE-05)."""

SPACE, LAST_SPACE = 2, 12
"""How much strength a space of the wildling track adds, and the strength at which the wildlings attack."""


def box() -> dict[str, Any]:
    return facts.toml(PACKAGE, "data/box.toml")


@cache
def limits(level: int) -> tuple[int, ...]:
    """The largest size of each army at a supply level, largest first (AGOT-02)."""
    return tuple(box()["supply"][str(max(0, min(level, HIGHEST_LEVEL)))])


HIGHEST_LEVEL = 6


def fits(armies: list[int], level: int) -> bool:
    """Whether armies of these sizes keep within a supply level; a single unit is not an army (AGOT-02)."""
    allowed, found = limits(level), sorted((size for size in armies if size > 1), reverse=True)
    return len(found) <= len(allowed) and all(
        size <= most for size, most in zip(found, allowed, strict=False)
    )


@cache
def stars(players: int, place: int) -> int:
    """How many special orders a place on the King's Court track (counted from 1) allows."""
    allowed = box()["players"][str(players)]["stars"]
    return allowed[place - 1] if place <= len(allowed) else 0


def house(seat: str) -> Term:
    """What the log calls a seat: its house."""
    return Term(HOUSES.get(seat, seat))


def houses(seats: tuple[str, ...] | list[str]) -> tuple[Term, ...]:
    """Several houses as one argument of a sentence."""
    return tuple(house(seat) for seat in seats)
