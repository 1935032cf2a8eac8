"""Order tokens on the phones: fifteen a house, placed in secret, turned over together, resolved one by one.

A table that lays its tokens on the board needs little of this; `are_open` tells the two apart. Until all are
turned over, a house's orders are in its `hidden` and only their number is known; after that in their areas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from games.core import Line, Term, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.pieces import COURT, FEAST, RAINS, SEA_OF_STORMS, STORM, WEB, Area, Table, box, stars
from games.systems.agot.tracks import planning_and_action

MARCH, DEFENSE, SUPPORT, RAID, CONSOLIDATE = "march", "defense", "support", "raid", "consolidate"

ORDERS = {
    "march-minus": _("March −1"),
    "march-zero": _("March +0"),
    "march-plus": _("March +1 ★"),
    "defense": _("Defense +1"),
    "defense-star": _("Defense +2 ★"),
    "support": _("Support"),
    "support-star": _("Support +1 ★"),
    "raid": _("Raid"),
    "raid-star": _("Raid ★"),
    "consolidate": _("Consolidate Power"),
    "consolidate-star": _("Consolidate Power ★"),
}
"""The order tokens, each kind once; those with a star are the special ones."""

BARRED = {RAINS: "march-plus", STORM: DEFENSE, SEA_OF_STORMS: RAID, WEB: SUPPORT, FEAST: CONSOLIDATE}
"""What a Westeros card of the third deck forbids: one order, or all of a kind (BASE-05)."""


MARCHES = ("minus", "zero", "plus")
"""The values of the March orders, as answers name them; a house has one of each."""


CONSOLIDATES = (CONSOLIDATE, f"{CONSOLIDATE}-star")
"""The Consolidate Power orders, the special one last."""


def march(value: str) -> str:
    return f"{MARCH}-{value}"


def are_open(g: Table) -> bool:
    """Whether the app knows the orders on the map, because they were given on the phones."""
    return bool(g.rules.get("orders"))


def are_face_down(g: Table) -> bool:
    """Whether orders are still being placed, and not turned over yet."""
    return any(question.step == planning_and_action.Planning.name for question in g.flow)


def has_confirmed(g: Table, seat: str) -> bool:
    """Whether a house has placed all its orders, whatever else is being asked meanwhile."""
    asked = (question.number for question in g.flow if question.step == planning_and_action.Planning.name)
    return g.armies[seat].answered in asked


@cache
def kind(order: str) -> str:
    """What an order does: march, defense, support, raid or consolidate; "" for none."""
    return order.partition("-")[0]


@cache
def value(order: str) -> int:
    return int(box()["orders"][order]["value"]) if order else 0


@cache
def has_star(order: str) -> bool:
    """Whether an order is a special one; the King's Court track limits how many a house may place."""
    return bool(box()["orders"][order].get("star", False))


@cache
def numbers() -> dict[str, int]:
    return {order: token["number"] for order, token in box()["orders"].items()}


@cache
def term(order: str) -> Term:
    """An order as the log names it."""
    return Term(ORDERS[order])


@cache
def order_in(area: str, order: str) -> Line:
    return say(_("%(order)s in %(area)s"), order=term(order), area=pieces.name(area))


# --- placing -------------------------------------------------------------------------------------


def is_barred(g: Table, order: str) -> bool:
    """Whether the third Westeros card forbids an order this round."""
    return _bars(g.barred, order)


def _bars(card: str, order: str) -> bool:
    return BARRED.get(card) in (order, kind(order))


def most_special(g: Table, seat: str) -> int:
    """How many special orders the King's Court track allows a house (BASE-06)."""
    return stars(len(g.seats), g.place(COURT, seat))


def may_be_special(g: Table, seat: str) -> bool:
    """Whether the King's Court track allows a house any special order, or did when orders were placed.

    A house card may change the track after that, and so may a correction, where the app had it wrong.
    """
    could = seat in g.court and stars(len(g.seats), g.court.index(seat) + 1) > 0
    return could or most_special(g, seat) > 0


def may_lie(g: Table, seat: str, order: str) -> bool:
    """Whether a house can have laid an order on the board this round: BASE-05, BASE-06."""
    return not is_barred(g, order) and (may_be_special(g, seat) or not has_star(order))


def left(g: Table, seat: str, placed: Mapping[str, str]) -> tuple[str, ...]:
    """The kinds of token that a house may still place: BASE-05, BASE-06."""
    return _left(tuple(sorted(placed.values())), most_special(g, seat), g.barred)


@lru_cache(maxsize=4096)
def _left(used: tuple[str, ...], stars: int, card: str) -> tuple[str, ...]:
    """The kinds of token left after these, within the limit of special ones and the Westeros card's ban."""
    may_have_star = sum(map(has_star, used)) < stars
    return tuple(
        order
        for order, number in numbers().items()
        if used.count(order) < number and (may_have_star or not has_star(order)) and not _bars(card, order)
    )


def lying(g: Table, seat: str) -> dict[str, str]:
    """The orders of a house that lie open on the map, by area."""
    return _lying(g).get(seat, {})


def _lying(g: Table) -> dict[str, dict[str, str]]:
    orders: dict[str, dict[str, str]] = {}
    for key, area in g.objectives.items():
        if area.order_token:
            orders.setdefault(area.house, {})[key] = area.order_token
    return orders


# --- resolving -----------------------------------------------------------------------------------


def of_kind(g: Table, seat: str, wanted: str) -> Iterator[str]:
    return (key for key, order in lying(g, seat).items() if kind(order) == wanted)


def houses_with(g: Table, wanted: str) -> set[str]:
    return {house for house, orders in _lying(g).items() if wanted in map(kind, orders.values())}


def remove(area: Area) -> str:
    order, area.order_token = area.order_token, ""
    return order
