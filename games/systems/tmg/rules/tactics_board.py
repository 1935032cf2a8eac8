"""The zones of the tactics board, which Non-Combat Units claim; sectors, which army points hold."""

from __future__ import annotations

from games.core import Term
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import tactics_cards

SWAPPED = "swapped"
"""The fact of a match that names the zones whose effects were replaced when they were claimed."""


def occupy(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone, whose effect works at once."""
    stand(g, unit, zone)
    if cards := (g.zone_entry(zone.key) or {}).get("draws"):
        tactics_cards.draw(g, unit.player, cards)


def stand(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone; the claim stands whatever replaces the zone's effect (TMG-34).

    An NCU already on another zone or on a sector moves there.
    """
    leave(g, unit)
    zone.claimed_by, unit.sector = unit.key, None
    _note_swapped(g, [key for key in swapped(g) if key != zone.key])
    g.say(_("%(unit)s activates and claims %(zone)s."), unit=unit.name, zone=Term(zone.name))


def leave(g: Table, unit: Unit) -> None:
    for zone in g.zones():
        if zone.claimed_by == unit.key:
            zone.claimed_by = None


def working(g: Table, unit: Unit) -> list[str]:
    """The zones that a unit has claimed and whose own effects work, by key."""
    return [zone.key for zone in g.zones() if zone.claimed_by == unit.key and zone.key not in swapped(g)]


def swapped(g: Table) -> list[str]:
    """The claimed zones whose own effects were replaced by something else (TMG-34), by key."""
    return list(g.facts.get(SWAPPED, ()))


def swap(g: Table, unit: Unit, zone: Place) -> None:
    """Put an NCU on an empty zone whose effect is replaced by something else."""
    stand(g, unit, zone)
    _note_swapped(g, [*swapped(g), zone.key])


def forget_swapped(g: Table) -> None:
    """The zones are free again, and each has its own effect."""
    _note_swapped(g, [])


def _note_swapped(g: Table, keys: list[str]) -> None:
    """Keep the swapped zones in the match's facts while there are any."""
    if keys != swapped(g):
        others = {name: fact for name, fact in g.facts.items() if name != SWAPPED}
        g.facts = {**others, SWAPPED: keys} if keys else others


def set_up(g: Table) -> None:
    """Lay out the zones of the ruleset, all empty (TMG-32)."""
    for entry in g.rules["zones"]:
        _add(g, entry)


def add(g: Table, key: str) -> None:
    """Add one of the ruleset's extra zones; it works like any other (TMG-32)."""
    _add(g, next(entry for entry in missing(g) if entry["key"] == key))


def missing(g: Table) -> tuple[dict[str, str], ...]:
    """The extra zones of the ruleset that are not on the board yet: each can be added once a game."""
    return tuple(entry for entry in g.rules["extra_zones"] if entry["key"] not in g.objectives)


def _add(g: Table, entry: dict[str, str]) -> None:
    order = 100 + len(g.objectives)
    g.objectives[entry["key"]] = Place(entry["key"], name=entry["name"], kind="zone", order=order)


def free(g: Table) -> list[Place]:
    return [place for place in g.objectives.values() if place.kind == "zone" and place.claimed_by is None]


def is_full(g: Table) -> bool:
    """Whether every zone is claimed, and there is no sector to stand on instead (TMG-30, TMG-97)."""
    return not any(
        place.kind == "sector" or (place.kind == "zone" and place.claimed_by is None)
        for place in g.objectives.values()
    )


def holders(g: Table, zone: Place) -> tuple[str, ...]:
    """The seats that control a zone: of the NCU on it, and the one that counts as its controller (TMG-33)."""
    claimants = [g.units[zone.claimed_by].player] if zone.claimed_by in g.units else []
    others = [zone.counts_for] if zone.counts_for else []
    return tuple(dict.fromkeys((*claimants, *others)))


# --- sectors -----------------------------------------------------------------------------------------


LEAST_IN_SECTOR = 5
"""Army points that a side needs in a sector to control it (TMG-97)."""


def sector_points(g: Table, sector: Place, seat: str) -> int:
    """A seat's army points in a sector, attachments included."""
    return _standing(g).get(sector.key, {}).get(seat, 0)


def _standing(g: Table) -> dict[str, dict[str, int]]:
    standing: dict[str, dict[str, int]] = {}
    for unit in g.units.values():
        if unit.sector and unit.is_on_table:
            there = standing.setdefault(unit.sector, dict.fromkeys(g.seats, 0))
            there[unit.player] = there.get(unit.player, 0) + unit.worth_to(unit.army)
    return standing


def sector_controller(g: Table, sector: Place) -> str | None:
    """TMG-97: the seat with at least five army points there and more than the opponent."""
    held = _standing(g).get(sector.key)
    if held is None:
        return None
    first, second = sorted(g.seats, key=lambda seat: held[seat], reverse=True)[:2]
    return first if held[first] >= LEAST_IN_SECTOR and held[first] > held[second] else None


def sector_controllers(g: Table) -> dict[str, str | None]:
    return {sector.key: sector_controller(g, sector) for sector in g.sectors()}


def enter_sector(g: Table, unit: Unit, sector: Place) -> None:
    """A unit stands in the sector that most of its tray is in; on a tie its opponent says which.

    An NCU stands there instead of on a zone.
    """
    leave(g, unit)
    unit.sector = sector.key
    g.say(_("%(unit)s stands in: %(sector)s."), unit=unit.name, sector=Term(sector.name))


def leave_sector(g: Table, unit: Unit) -> None:
    unit.sector = None
    g.say(_("%(unit)s stands in no sector."), unit=unit.name)
