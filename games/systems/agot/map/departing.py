"""A march sets out: the plan is complete, and its units move or begin their fight."""

from __future__ import annotations

from games.core.words import gettext_noop as _
from games.systems.agot.box import house
from games.systems.agot.map import chart
from games.systems.agot.map.combat import Battle
from games.systems.agot.map.moving import carry, peaceful, told
from games.systems.agot.map.settling import settle
from games.systems.agot.pieces import Table


def depart(g: Table, seat: str, key: str, order: str) -> None:
    """Carry out the whole plan. Units that go into a fight stay where they came from until it is over.

    AGOT-62: the token is laid before the fight, and stays if the fight is lost.
    """
    gone = peaceful(g, seat)
    g.moving = tuple(group for group in g.moving if group not in gone)
    if g.leaving:
        _leave_token(g, seat, key)
    for group in gone:
        carry(g, seat, key, group)
    if gone:
        g.say(_("%(house)s has marched: %(groups)s."), house=house(seat), groups=tuple(map(told, gone)))
    g.end()
    if g.moving:
        place = g.moving[0][0]
        g.say(_("%(house)s attacks: %(groups)s."), house=house(seat), groups=tuple(map(told, g.moving)))
        g.call(Battle(seat, key, place, order))
    elif not gone:
        g.say(_("%(house)s moves nobody."), house=house(seat))
    settle(g)


def _leave_token(g: Table, seat: str, key: str) -> None:
    """AGOT-60, AGOT-63: lay one available token, unless one lies there already."""
    g.leaving = False
    if g.armies[seat].power and not g.objectives[key].token:
        g.armies[seat].power -= 1
        g.objectives[key].token = seat
        g.say(_("%(house)s leaves a power token in %(area)s."), house=house(seat), area=chart.name(key))
