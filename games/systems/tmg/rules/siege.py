"""A siege: who attacks and who defends, the Castle Walls, and who scores (TMG-99)."""

from __future__ import annotations

from games.systems.tmg.pieces import WALL, Table, Unit

ATTACKER = "attacker"
"""The fact of a match that names the seat of the Attacker."""

WALLS = ("Castle Wall", "Castle Wall 2", "Castle Wall 3")
"""The walls by the name on their card, numbered like any units with the same name."""


def attacker(g: Table) -> str | None:
    """The seat that attacks; None where there is no siege."""
    return g.facts.get(ATTACKER)


def defender(g: Table) -> str | None:
    """The seat that defends; None where there is no siege."""
    seat = attacker(g)
    return g.rival(seat) if seat else None


def may_score(g: Table, seat: str) -> bool:
    """Whether a side gets Victory Points at all: the Defender gets none."""
    return seat != defender(g)


def set_up_walls(g: Table, seat: str) -> None:
    """The Defender's Castle Walls stand before anybody deploys."""
    for number, called in enumerate(WALLS):
        key = f"wall-{number + 1}"
        g.units[key] = Unit(
            key,
            seat,
            called,
            kind=WALL,
            place="table",
            order=100 + number,
            wounds=g.rules["wall_wounds"],
            wounds_total=g.rules["wall_wounds"],
            gains_no_conditions=True,
            grants_no_vp=True,
            extra_vp=g.rules["wall_points"],
        )
