"""The map at the start, laid out for the number of houses."""

from __future__ import annotations

from games.systems.agot.box import box
from games.systems.agot.map import chart
from games.systems.agot.pieces import Area, Table
from games.systems.agot.tracks import opening, planning, rounds


class Begin(opening.Begin):
    """BASE-02: markers and units start by the number of players; garrisons stand in the home areas."""

    def run(self, g: Table) -> None:
        opening.lay_out(g)
        lay_map(g)
        rounds.begin(g)
        g.goto(planning.Planning)


def lay_map(g: Table, *, with_units: bool = True) -> None:
    """Put every area on the table with what lies in it at the start, or only with its markers.

    AGOT-68: the crest is printed. AGOT-86: with three players most neutral forces close their areas.
    """
    closed = box()["players"][str(len(g.seats))]["closed"]
    for place, key in enumerate(chart.areas()):
        printed, (garrison, neutral) = chart.printed(key), markers(g, key)
        g.objectives[key] = Area(
            key,
            printed["name"],
            printed["kind"],
            garrison=garrison,
            neutral=neutral,
            closed=key in closed,
            order=place,
        )
    for seat in g.seats if with_units else ():
        for key, units in box()["houses"][seat]["units"].items():
            g.objectives[key].house = seat
            for unit, number in units.items():
                if not (g.rules.get("bare_port") and len(g.seats) == FEWEST and chart.port_of(key)):
                    g.objectives[key].add(unit, number)
            if not g.objectives[key].size:
                g.objectives[key].house = ""


def markers(g: Table, key: str) -> tuple[int, int]:
    """The strength of the garrison and of the neutral force that an area has at the start; 0 for none."""
    garrison: int = chart.printed(key).get("garrison", 0) if chart.home_of(key) in g.armies else 0
    neutral: int = box()["players"][str(len(g.seats))]["neutral"].get(key, 0)
    return garrison, neutral


FEWEST = 3
