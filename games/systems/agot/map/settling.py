"""What follows from a change on the map: markers, ports, the count of castles and strongholds, a win."""

from __future__ import annotations

from games.systems.agot.map import control, ports
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import ending


def settle(g: Table) -> None:
    """Apply everything that follows from where units are; all code that moves or removes units ends with it.

    AGOT-90: no garrison stays in an area that another house holds. AGOT-53: ships in a port go with its
    land. AGOT-71: an abandoned home area returns to its house, and counts for it. BASE-09: the seventh castle
    or stronghold wins at once, however it was gained.
    """
    for key in control.overrun(g):
        control.dislodge(g, key)
    ports.settle(g)
    control.recount(g)
    ending.forget_playing_on(g)
    if ending.is_won(g):
        g.call(ending.Reckoning)
