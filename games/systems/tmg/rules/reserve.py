"""The Reserve: who waits off the table, when and where it may arrive, and what returns to it.

Only modes whose facts name a first round for it (`reserve_from`) have one; in any
other match a unit is in Reserve only because a card or a correction put it there.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.systems.tmg.pieces import Table, Unit


def is_played(g: Table) -> bool:
    """Whether the mode has a Reserve to which destroyed units return (TMG-70)."""
    return bool(g.rules.get("returns"))


def waiting(g: Table, seat: str) -> list[Unit]:
    """The Combat Units that a side has in Reserve."""
    return [unit for unit in g.units_of(seat) if unit.place == "reserve" and unit.is_combat]


def deployable(g: Table, seat: str) -> Iterator[Unit]:
    """The Reserve that may deploy now (TMG-68): a unit destroyed after activating waits a round (TMG-70)."""
    first = g.rules.get("reserve_from")
    if first and g.round >= first:
        yield from (unit for unit in waiting(g, seat) if not unit.activated)


def has_to_wait(g: Table, unit: Unit) -> bool:
    """Whether a unit in Reserve may deploy in the next round and not in this one; the last has no next."""
    waits = all(other is not unit for other in deployable(g, unit.army))
    return waits and g.round < g.rules["rounds"]


def keeps_open(g: Table, seat: str) -> bool:
    """Whether a side may still deploy and has not passed since the last deployment (TMG-19)."""
    return not g.armies[seat].passed and any(True for _unit in deployable(g, seat))


def come(g: Table, unit: Unit) -> None:
    """A unit comes to the table from wherever it waited; what its last destruction scored stays."""
    unit.place, unit.paid = "table", ()
    reopen(g)


def reopen(g: Table) -> None:
    """Somebody deployed, or a round began: players who have passed are asked again."""
    for army in g.armies.values():
        army.passed = False
