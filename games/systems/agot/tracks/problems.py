"""What is odd about a position that was corrected by hand. These are warnings; they block nothing."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import UNITS, house
from games.systems.agot.map import chart, control, fights
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.pieces import Table


def problems(g: Table) -> Iterator[Line]:
    """Armies beyond supply, too many units, units where they cannot be, units that belong to nobody."""
    if not g.objectives:
        return
    for seat in g.seats:
        if not control.fits(g, seat, fights.won(g, seat)):
            yield say(_("%(house)s has armies beyond its supply."), house=house(seat))
        if any(control.pool(g, seat, unit) < 0 for unit in UNITS):
            yield say(_("%(house)s has more units on the map than the box holds."), house=house(seat))
    for key in g.objectives:
        yield from _of_area(g, key)


def _of_area(g: Table, key: str) -> Iterator[Line]:
    area = g.objectives[key]
    if key not in chart.areas():
        return
    if area.size and area.house not in g.armies:
        yield say(_("The units in %(area)s belong to nobody."), area=chart.name(key))
    is_land = chart.kind(key) == chart.LAND
    if (area.ships and is_land) or (area.size > area.ships and not is_land):
        yield say(_("Units stand in %(area)s that cannot be there."), area=chart.name(key))
    if chart.port_of(key) and area.ships > MOST_IN_PORT:
        yield say(_("More than three ships lie in %(area)s."), area=chart.name(key))
