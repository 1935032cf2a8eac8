"""Final standings: what tournaments compare between houses, and the places of a finished game."""

from __future__ import annotations

from games.systems.agot.box import THRONE
from games.systems.agot.map import control
from games.systems.agot.pieces import Table


def land(g: Table, seat: str) -> int:
    """How many land areas a house has: counted on the map, or without it as its player gave them in a tie."""
    return len(control.controlled(g, seat)) if g.objectives else g.armies[seat].land


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

    def weight(seat: str) -> tuple[int, ...]:
        army = g.armies[seat]
        return seat == winner, g.points(seat), land(g, seat), army.supply, -g.place(THRONE, seat)

    return {seat: place for place, seat in enumerate(sorted(g.seats, key=weight, reverse=True), 1)}
