"""Who controls what, by units, then a token, then the crest, and the counts that follow from it."""

from __future__ import annotations

from collections import Counter

from games.core import Step, system
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.pieces import (
    CASTLES,
    FOOTMAN,
    KNIGHT,
    SHIP,
    SIEGE,
    Area,
    Table,
    armies_fit,
    box,
    house,
)


def controller(g: Table, key: str) -> str:
    """The house that controls an area; "" for nobody. AGOT-58: nobody controls a sea.

    AGOT-59, AGOT-70: units, then a power token, then the printed crest. A port goes with its land.
    """
    land = pieces.land_of(key)
    if not land:
        return ""
    area: Area = g.objectives[land]
    return area.house or area.token or _crest(g, area)


def _crest(g: Table, area: Area) -> str:
    home = pieces.home_of(area.key)
    return home if home in g.armies and not area.closed else ""


def controllers(g: Table) -> dict[str, str]:
    return {key: controller(g, key) for key in g.objectives}


def controlled(g: Table, seat: str) -> list[str]:
    return [key for key in g.objectives if pieces.kind(key) == pieces.LAND and controller(g, key) == seat]


def supply(g: Table, seat: str) -> int:
    """The supply icons in a house's areas (AGOT-01)."""
    return sum(pieces.icons(key, "supply") for key in controlled(g, seat))


def income(g: Table, seat: str) -> int:
    """AGOT-21: one power for each icon, and for each port with the house's ships and no enemy ship off it.

    AGOT-66: a power token is not an icon.
    """
    icons = sum(pieces.icons(key, "power") for key in controlled(g, seat))
    ports = (key for key, area in g.objectives.items() if pieces.port_of(key) and area.house == seat)
    return icons + sum(not is_blockaded(g, port) for port in ports)


def is_blockaded(g: Table, port: str) -> bool:
    """Whether an enemy ship lies in the sea off a port."""
    return g.objectives[pieces.sea_of(port)].house not in ("", g.objectives[port].house)


def in_use(g: Table) -> list[str]:
    return [key for key, area in g.objectives.items() if area.routed or area.order_token]


# --- armies --------------------------------------------------------------------------------------


def sizes(g: Table, seat: str, change: dict[str, int] | None = None) -> list[int]:
    """The sizes of a house's groups of units, after a change in their number by area.

    AGOT-42: ships in a port count too; AGOT-87: a garrison does not.
    """
    moved = change or {}
    by_area = {key: g.objectives[key].size for key in occupied(g, seat)}
    for key, number in moved.items():
        by_area[key] = by_area.get(key, 0) + number
    return [size for size in by_area.values() if size > 0]


def fits(g: Table, seat: str, change: dict[str, int] | None = None) -> bool:
    """AGOT-05: whether a house keeps to its supply after a change."""
    supplied = g.armies[seat].supply
    return armies_fit(sizes(g, seat, change), supplied) if change else fits_level(g, seat, supplied)


def fits_level(g: Table, seat: str, level: int) -> bool:
    """Whether the armies of a house, as they stand, keep within a supply level (AGOT-02)."""
    return armies_fit(sizes(g, seat), level)


def occupied(g: Table, seat: str) -> list[str]:
    return [key for key, area in g.objectives.items() if area.house == seat]


def pool(g: Table, seat: str, unit: str) -> int:
    """The units of a kind that a house has left to muster (AGOT-08)."""
    out = sum(g.objectives[key].count(unit) for key in occupied(g, seat))
    all_units: int = box()["units"][unit]["pool"]
    return all_units - out


def strength(area: str, units: dict[str, int], *, is_attack: bool) -> int:
    """The combat strength of units: siege engines count only against a castle or stronghold (AGOT-78)."""
    worth = {FOOTMAN: 1, KNIGHT: 2, SHIP: 1, SIEGE: 4 if is_attack and pieces.points(area) else 0}
    return sum(worth[unit] * number for unit, number in units.items())


def standing(area: Area) -> dict[str, int]:
    """The units in an area that can fight: those that are not routed."""
    return {unit: area.count(unit) - area.routed.count(unit) for unit in area.units}


# --- ways ----------------------------------------------------------------------------------------


def reach(g: Table, seat: str, start: str) -> set[str]:
    """Where units may go from an area, whoever is there.

    AGOT-35: land areas joined by seas with a house's own ships count as adjacent. AGOT-37: only its own ships
    count, and only those in seas; AGOT-38: whatever their order, and even if routed. AGOT-41: land units stay
    on land. AGOT-48: ships move between seas, and between a sea and their house's own ports.
    """
    if pieces.kind(start) != pieces.LAND:
        return {
            key
            for key in pieces.adjacent(start)
            if pieces.kind(key) == pieces.SEA or (pieces.port_of(key) and controller(g, key) == seat)
        }
    reached, seas = set(pieces.adjacent_of(start, pieces.LAND)), [*pieces.adjacent_of(start, pieces.SEA)]
    seen: set[str] = set()
    while seas:
        sea = seas.pop()
        if sea in seen or g.objectives[sea].house != seat:
            continue
        seen.add(sea)
        reached.update(pieces.adjacent_of(sea, pieces.LAND))
        seas += pieces.adjacent_of(sea, pieces.SEA)
    return reached - {start}


def is_defended(g: Table, seat: str, key: str) -> bool:
    """Whether a house would have to fight there: enemy units, or another house's garrison (AGOT-89).

    AGOT-65: a power token alone, or a crest alone, does not defend.
    """
    area: Area = g.objectives[key]
    if area.house not in ("", seat):
        return True
    return area.garrison > 0 and pieces.home_of(key) != seat


def is_fight(g: Table, seat: str, key: str) -> bool:
    """AGOT-85: whether entering uses up a march's one fight: enemies, a garrison, a neutral force."""
    return is_defended(g, seat, key) or g.objectives[key].neutral > 0


# --- the victory track ---------------------------------------------------------------------------


def castles(g: Table) -> Counter[str]:
    return Counter([controller(g, key) for key in pieces.forts() if key in g.objectives])


def castles_now(g: Table) -> Counter[str]:
    """The same while a fight is open.

    AGOT-62: an area that its attackers have left counts for its token or crest, although they still stand
    there.
    """
    counts, key = castles(g), left_by_attackers(g)
    if not key or not pieces.points(key):
        return counts
    area: Area = g.objectives[key]
    return counts - Counter([area.house]) + Counter([area.token or _crest(g, area)])


def recount(g: Table) -> None:
    """Write down castles and strongholds won and lost since the last count."""
    held, counted = castles_now(g), g.totals()
    for seat in g.seats:
        change = held[seat] - counted.get(seat, 0)
        if change:
            g.score(seat, change, CASTLES)


def disband(g: Table, key: str) -> None:
    """AGOT-90: a garrison leaves the game for good."""
    g.objectives[key].garrison = 0
    g.say(_("The garrison of %(area)s is removed from the game."), area=pieces.name(key))


def dispel(g: Table, key: str) -> None:
    """AGOT-85: a neutral force leaves the game."""
    g.objectives[key].neutral = 0
    g.say(_("The neutral force in %(area)s is removed from the game."), area=pieces.name(key))


def takes_neutral(area: Area) -> bool:
    """Whether a neutral force may be in an area: not with a house's units or token."""
    return not area.house and not area.token


def takes_garrison(area: Area) -> bool:
    """Whether a garrison may be in its home area: not with another house's units or token (AGOT-70)."""
    return {area.house, area.token} <= {"", pieces.home_of(area.key)}


def overrun(g: Table) -> list[str]:
    """The areas with a neutral force or garrison that cannot be there with what a house has there."""
    return [
        key
        for key, area in g.objectives.items()
        if (area.neutral and not takes_neutral(area)) or (area.garrison and not takes_garrison(area))
    ]


def dislodge(g: Table, key: str) -> None:
    """Remove the neutral force or garrison that cannot share its area with what a house has there."""
    area: Area = g.objectives[key]
    if area.neutral and not takes_neutral(area):
        dispel(g, key)
    if area.garrison and not takes_garrison(area):
        disband(g, key)


def discard_token(g: Table, key: str) -> None:
    """AGOT-64: a power token goes to the pool where units of another house are now."""
    area: Area = g.objectives[key]
    if area.token and area.house and area.token != area.house:
        line = _("The power token of %(house)s in %(area)s goes to the pool.")
        g.say(line, house=house(area.token), area=pieces.name(key))
        area.token = ""


def leave_dead(g: Table, key: str, unit: str, number: int = 1, *, routed_first: bool = False) -> None:
    """Take units off the board. Routed ones go last, or first if they would fall anyway."""
    area: Area = g.objectives[key]
    area.add(unit, -number)
    routed = [other for other in area.routed if other != unit]
    lying = area.routed.count(unit)
    keep = min(max(0, lying - number) if routed_first else lying, area.count(unit))
    area.routed = tuple(sorted((*routed, *[unit] * keep))) if area.size else ()


def replace(g: Table, key: str, unit: str, by: str) -> None:
    """Turn a unit into one of another kind: a standing one if there is one; a routed one stays routed."""
    area: Area = g.objectives[key]
    if not standing(area).get(unit):
        routed = list(area.routed)
        routed[routed.index(unit)] = by
        area.routed = tuple(sorted(routed))
    area.add(by, 1)
    area.add(unit, -1)


# --- the open fight: its attackers stand where they set out from until it is over --------------------


class Fight(Step[Table]):
    """A question of a fight, from who won it to where the beaten go."""

    @property
    def origin(self) -> str:
        raise NotImplementedError


def left_by_attackers(g: Table) -> str:
    """The area that the attackers of the open fight have left without a unit; "" for none.

    Units that a march only plans to move have left nothing yet.
    """
    area = g.objectives.get(_origin(g))
    if area is None or not area.size or area.size > sum(number for _place, _unit, number in g.moving):
        return ""
    return area.key


def won_by_attackers(g: Table, seat: str) -> dict[str, int]:
    """How many units more or fewer a house has in each area once it wins the open fight that it began.

    AGOT-05: supply is tested on where a march ends; until then its attackers may be one army too many.
    """
    area = g.objectives.get(_origin(g))
    if area is None or area.house != seat:
        return {}
    changes = {area.key: 0}
    for place, _unit, number in g.moving:
        changes[place] = changes.get(place, 0) + number
        changes[area.key] -= number
    return changes


def _origin(g: Table) -> str:
    named = system(g.system).step_named
    steps = ((named(g, question.step), question.about) for question in g.flow)
    return next((step.read(about).origin for step, about in steps if issubclass(step, Fight)), "")
