"""The tactics board: zones that Non-Combat Units claim, and what they do at once."""

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
