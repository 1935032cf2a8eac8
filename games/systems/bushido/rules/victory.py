"""Victory Points: how many there are, which checks are due for them, and who is ahead in each."""

from __future__ import annotations

from games.systems.bushido.pieces import REMOVED, Table
from games.systems.bushido.rules import objectives, scenarios
from games.systems.bushido.rules.scenarios import FRIENDLY, POINTS, SLAIN, Check

NOBODY = "nobody"


def due(g: Table) -> list[tuple[int, Check]]:
    """The checks of this End phase, with their numbers in the scenario."""
    checks = enumerate(scenarios.of(g).checks)
    return [(at, check) for at, check in checks if check.is_due(g.round, is_final=g.is_final)]


def next_check(g: Table) -> str:
    """What the next Victory Point is given for; "" where none is to come."""
    for check in scenarios.of(g).checks:
        if not check.turn.isdigit() or int(check.turn) >= g.round:
            return check.by
    return ""


def available(g: Table) -> int:
    """How many Victory Points the scenario has."""
    return len(scenarios.of(g).checks)


def scored(g: Table) -> int:
    """How many Victory Points both have together."""
    return sum(g.points(seat) for seat in g.seats)


def ahead(g: Table, by: str) -> str:
    """Who is ahead in what a check asks for."""
    if by in (POINTS, FRIENDLY):
        counts = {seat: count(g, seat, by) for seat in g.seats}
        first, second = sorted(g.seats, key=lambda seat: counts[seat], reverse=True)
        return first if counts[first] > counts[second] else NOBODY
    if by == SLAIN:
        alive = [seat for seat in g.seats if not _is_slain(g, seat)]
        return alive[0] if len(alive) == 1 else NOBODY
    return ""


def count(g: Table, seat: str, by: str) -> int:
    """What a seat has of what a check counts."""
    return g.armies[seat].scenario_points if by == POINTS else objectives.friendly(g, seat)


def _is_slain(g: Table, seat: str) -> bool:
    unit = g.units.get(g.armies[seat].vim)
    return unit is not None and unit.place == REMOVED
