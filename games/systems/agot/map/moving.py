"""Units on the march: what is planned for them, and how they move once the plan is complete."""

from __future__ import annotations

from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import UNITS
from games.systems.agot.map import chart, control, orderless
from games.systems.agot.map.settling import settle
from games.systems.agot.pieces import Group, Table


def waiting(g: Table, key: str) -> dict[str, int]:
    """The units of an area that the march has not sent anywhere yet; routed ones stay."""
    found = control.standing(g.objectives[key])
    for _place, unit, number in g.moving:
        found[unit] = found.get(unit, 0) - number
    return {unit: number for unit, number in found.items() if number > 0}


def marching(g: Table, place: str) -> dict[str, int]:
    """The units that the march sends to a place, by kind."""
    found: dict[str, int] = {}
    for other, unit, number in g.moving:
        if other == place:
            found[unit] = found.get(unit, 0) + number
    return found


def attackers(g: Table, seat: str, key: str, place: str) -> dict[str, int]:
    """The units in the open fight of those that set out: a card may have killed some before it is decided."""
    area = g.objectives[key]
    alive = control.standing(area) if area.house == seat else {}
    found = {unit: min(number, alive.get(unit, 0)) for unit, number in marching(g, place).items()}
    return {unit: number for unit, number in found.items() if number}


def told(group: Group) -> Line:
    """A group of units and where it goes."""
    place, unit, number = group
    line = _("%(count)s × %(unit)s to %(area)s")
    return say(line, count=number, unit=Term(UNITS[unit]), area=chart.name(place))


def forget(g: Table) -> None:
    """Start planning the march from scratch."""
    g.moving, g.leaving = (), False


def planned(g: Table, seat: str, key: str) -> Table:
    """The map as it will be once every group of the march that does not fight has moved."""
    ahead = g.copy()
    for group in peaceful(g, seat):
        carry(ahead, seat, key, group)
    return ahead


def peaceful(g: Table, seat: str) -> tuple[Group, ...]:
    """The groups of the march that go where nobody defends."""
    return tuple(group for group in g.moving if not control.is_fight(g, seat, group[0]))


# --- going ---------------------------------------------------------------------------------------


def carry(g: Table, seat: str, key: str, group: Group) -> None:
    """Move a group to its destination: as many of its units as still stand where it starts."""
    place, unit, number = group
    area = g.objectives[key]
    number = min(number, control.standing(area).get(unit, 0)) if area.house == seat else 0
    if number:
        area.add(unit, -number)
        enter(g, seat, place, unit, number)


def enter(g: Table, seat: str, place: str, unit: str, number: int) -> None:
    """Move units into an area that nobody defends.

    AGOT-61: their house's own token stays under them. AGOT-64, AGOT-65: another house's goes to the pool.
    """
    orderless.come(g, seat, place)
    area = g.objectives[place]
    area.house = seat
    area.add(unit, number)
    control.discard_token(g, place)


def move_in(g: Table, seat: str, key: str) -> None:
    """Move the winners of a fight into the area that they attacked."""
    for group in g.moving:
        carry(g, seat, key, group)
    forget(g)
    settle(g)
