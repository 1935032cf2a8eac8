"""Sectors: parts of the table that a side controls by the army points that stand there."""

from __future__ import annotations

from games.core import Term
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import tactics_board

LEAST = 5
"""Army points that a side needs in a sector to control it (TMG-97)."""


def points(g: Table, sector: Place, seat: str) -> int:
    """A seat's army points in a sector, attachments included."""
    return _standing(g).get(sector.key, {}).get(seat, 0)


def _standing(g: Table) -> dict[str, dict[str, int]]:
    standing: dict[str, dict[str, int]] = {}
    for unit in g.units.values():
        if unit.sector and unit.is_on_table:
            there = standing.setdefault(unit.sector, dict.fromkeys(g.seats, 0))
            there[unit.player] = there.get(unit.player, 0) + unit.worth_to(unit.army)
    return standing


def controller(g: Table, sector: Place) -> str | None:
    """TMG-97: the seat with at least five army points there and more than the opponent."""
    held = _standing(g).get(sector.key)
    if held is None:
        return None
    first, second = sorted(g.seats, key=lambda seat: held[seat], reverse=True)[:2]
    return first if held[first] >= LEAST and held[first] > held[second] else None


def controllers(g: Table) -> dict[str, str | None]:
    return {sector.key: controller(g, sector) for sector in g.sectors()}


def enter(g: Table, unit: Unit, sector: Place) -> None:
    """A unit stands in the sector that most of its tray is in; on a tie its opponent says which.

    An NCU stands there instead of on a zone.
    """
    tactics_board.leave(g, unit)
    unit.sector = sector.key
    g.say(_("%(unit)s stands in: %(sector)s."), unit=unit.name, sector=Term(sector.name))


def leave(g: Table, unit: Unit) -> None:
    unit.sector = None
    g.say(_("%(unit)s stands in no sector."), unit=unit.name)
