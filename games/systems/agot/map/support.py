"""What a march is worth, and what support could add to it or to the defence against it."""

from __future__ import annotations

from collections.abc import Iterable

from games.systems.agot.map import chart, control
from games.systems.agot.map.moving import marching, planned, waiting
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Area, Table


def support_of(g: Table, place: str, *, is_attack: bool = True) -> dict[str, int]:
    """What each area adjacent to a fight could add to one of its sides with a Support order.

    Where the app knows the orders, what they do add. AGOT-40: ships do not connect areas for support.
    AGOT-49: ships in a port support only in their sea. AGOT-78: siege engines count only for an attack on a
    castle or stronghold, never for its defence. AGOT-91: a garrison supports nobody; land units support no
    fight at sea.
    """
    found: dict[str, int] = {}
    for key in chart.beside(place):
        area = g.objectives[key]
        can = chart.kind(place) == chart.LAND or chart.kind(key) != chart.LAND
        if chart.port_of(key) and chart.kind(place) == chart.LAND:
            can = False
        if area.house and can and _may_support(g, area):
            units = control.strength(place, control.standing(area), is_attack=is_attack)
            if worth := units + order_tokens.value(area.order_token):
                found[key] = worth
    return found


def _may_support(g: Table, area: Area) -> bool:
    """Whether a Support order may lie in an area.

    For orders on the board, only this is known: a Westeros card may forbid them (BASE-05), and an area whose
    March order was resolved this round, or whose units came since orders were placed, has no other.
    """
    if order_tokens.are_open(g):
        return order_tokens.kind(area.order_token) == order_tokens.SUPPORT
    return area.key not in g.orderless and not order_tokens.is_barred(g, order_tokens.SUPPORT)


def most_support(g: Table, seat: str, key: str, place: str) -> int:
    """The most support that a march could get, not counting the area it starts from.

    Where orders lie on the board, one Support order of each house may have a star, and units that enter an
    empty area have no order there.
    """
    near = support_of(planned(g, seat, key), place)
    found = {area: worth for area, worth in near.items() if area != key and g.objectives[area].house}
    return sum(found.values()) + (0 if order_tokens.are_open(g) else _most_stars(g, found))


def _most_stars(g: Table, areas: Iterable[str]) -> int:
    """How many special Support orders may lie in areas: one for each house that may have any (BASE-06)."""
    return sum(order_tokens.may_be_special(g, house) for house in {g.objectives[key].house for key in areas})


def own_strength(g: Table, place: str, order: str) -> int:
    """AGOT-78, AGOT-80: the units that march to a place, and the value of the order."""
    return attack_strength(place, marching(g, place), order)


def attack_strength(place: str, units: dict[str, int], order: str) -> int:
    """What units add up to in an attack, with the value of their order."""
    return control.strength(place, units, is_attack=True) + order_tokens.value(order_tokens.march(order))


def planned_strength(g: Table, seat: str, key: str, place: str, order: str) -> int:
    """AGOT-84: the units that are sent to a place, the order, and all the support that there could be.

    AGOT-79, AGOT-83: neither house cards nor the Valyrian Steel Blade count.
    """
    return own_strength(g, place, order) + most_support(g, seat, key, place)


def possible_strength(g: Table, seat: str, key: str, place: str, order: str) -> int:
    """AGOT-84: the same, with every unit that is not yet sent anywhere sent there as well."""
    rest = control.strength(place, waiting(g, key), is_attack=True)
    return rest + planned_strength(g, seat, key, place, order)


# --- defence -------------------------------------------------------------------------------------


def defence(g: Table, place: str) -> int:
    """What units, garrison and an open Defense order add up to."""
    area = g.objectives[place]
    units = control.strength(place, control.standing(area), is_attack=False)
    return units + garrison(g, place) + defended(area)


def garrison(g: Table, place: str) -> int:
    """AGOT-88: what a garrison adds while its house defends its home area."""
    area = g.objectives[place]
    return area.garrison if area.house in ("", chart.home_of(place)) else 0


def defended(area: Area) -> int:
    """What an open Defense order adds."""
    return (
        order_tokens.value(area.order_token)
        if order_tokens.kind(area.order_token) == order_tokens.DEFENSE
        else 0
    )
