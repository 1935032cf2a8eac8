"""What follows wherever areas have changed: markers, ports, castles and strongholds, the seventh of them."""

from __future__ import annotations

from games.systems.agot.map import control, ports
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import ending


def settle(g: Table) -> None:
    """See to all that follows from who stands where; whatever moves or removes units ends with it.

    AGOT-90: no garrison stays where another house stands. AGOT-53: ships in a port go with its land.
    AGOT-71: a home that is left returns to its house, and counts for it. BASE-09: the seventh castle or
    stronghold wins the moment it is reached, however that was.
    """
    for key in control.overrun(g):
        control.dislodge(g.objectives[key])
    ports.settle(g)
    control.recount(g)
    ending.forget_playing_on(g)
    if ending.is_won(g):
        g.call(ending.Reckoning)
