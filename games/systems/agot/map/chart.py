"""The map: what is printed on an area, and which areas are adjacent (AGOT-54 to AGOT-57)."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.core import Line, Term, read_toml
from games.core import gettext_noop as _
from games.systems.agot.pieces import PACKAGE, SHIP

LAND, SEA, PORT = "land", "sea", "port"
POINTS = {"castle": 1, "stronghold": 2}
"""Muster points of a castle or stronghold (AGOT-07)."""

FORTS = {"castle": _("castle"), "stronghold": _("stronghold")}

REGIONS = {
    "north": _("The North"),
    "riverlands": _("The Riverlands and the Iron Islands"),
    "vale": _("The Vale"),
    "westerlands": _("The Westerlands"),
    "crownlands": _("The Crownlands"),
    "reach": _("The Reach"),
    "stormlands": _("The Stormlands"),
    "dorne": _("Dorne"),
    "seas": _("The seas"),
}


def printed_map() -> dict[str, Any]:
    """The 58 areas and what lies between them."""
    return read_toml(PACKAGE, "data/map.toml")


@cache
def printed(area: str) -> dict[str, Any]:
    found: dict[str, Any] = printed_map()["areas"][area]
    return found


def icons(area: str, icon: str) -> int:
    """How many icons of a kind, supply or power, are printed on an area."""
    return int(printed(area).get(icon, 0))


def areas() -> tuple[str, ...]:
    return tuple(printed_map()["areas"])


@cache
def by_region() -> dict[str, tuple[str, ...]]:
    return {
        region: tuple(area for area in areas() if printed(area)["region"] == region) for region in REGIONS
    }


@cache
def kind(area: str) -> str:
    """Land, sea or port."""
    return str(printed(area)["kind"])


@cache
def name(area: str) -> Term:
    return Term(printed(area)["name"])


@cache
def label(area: str) -> Line:
    """The name of an area on its own, as on a button."""
    return Line(printed(area)["name"])


@cache
def beside(area: str) -> tuple[str, ...]:
    """The areas adjacent to an area: rivers separate, bridges join, islands touch only seas."""
    return tuple(printed(area)["beside"])


@cache
def beside_of(area: str, wanted: str) -> tuple[str, ...]:
    return tuple(other for other in beside(area) if kind(other) == wanted)


def takes(area: str, unit: str) -> bool:
    """Whether a unit may stand in an area: land units on land, ships in seas and ports (AGOT-41)."""
    return (unit == SHIP) != (kind(area) == LAND)


@cache
def points(area: str) -> int:
    """Muster points: a stronghold gives two, a castle one (AGOT-07)."""
    return POINTS.get(printed(area).get("fort", ""), 0)


@cache
def forts() -> tuple[str, ...]:
    return tuple(area for area in areas() if points(area))


@cache
def ports() -> tuple[str, ...]:
    return tuple(area for area in areas() if kind(area) == PORT)


@cache
def port_of(area: str) -> str:
    """The land area that a port belongs to; "" for an area that is not a port."""
    return str(printed(area).get("port_of", ""))


def sea_of(port: str) -> str:
    return str(printed(port)["sea"])


@cache
def land_of(area: str) -> str:
    """The land area that decides who controls an area: itself, or the one a port belongs to; "" for a sea."""
    return port_of(area) or ("" if kind(area) == SEA else area)


@cache
def port_at(land: str) -> str:
    """The port of a land area; "" for none."""
    return next((area for area in beside(land) if port_of(area) == land), "")


@cache
def home_of(area: str) -> str:
    """The house whose crest is printed here; "" for none."""
    return str(printed(area).get("home_of", ""))


@cache
def across_river(area: str) -> tuple[str, ...]:
    """The areas that would be adjacent but for a river."""
    pairs = (pair for pair in printed_map()["rivers"] if area in pair)
    return tuple(other for pair in pairs for other in pair if other != area)


def is_split_by_river(one: str, other: str) -> bool:
    """Whether only a river without a bridge keeps two areas apart, which is worth telling the player."""
    return other in across_river(one)
