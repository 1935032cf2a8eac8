"""The areas of the map as a list by region: what lies in each, and what is printed on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core.words import gettext_noop as _
from games.systems.agot.map import appearance, atlas, chart
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Area

if TYPE_CHECKING:
    from games.systems.agot.page.table import AgotPage

OWN_UNITS, OWN, UNITS, HELD, NOBODYS = range(5)
"""What sorts an area in its list, the most relevant first."""

ICONS = {"supply": _("Supply %(number)s"), "power": _("Power %(number)s")}


def regions(page: AgotPage) -> Iterator[view_models.CardGroup]:
    """The areas by region, each kept until an area or an order in it changes."""
    ways = page.sheet_url("objective")
    for region, keys in chart.by_region().items():
        orders = tuple(map(page.face_down.get, keys))
        group = page.cached_until_any_changes("objectives", _region, region, page.seat, ways, orders)
        if group.cards:
            yield group


def _region(
    page: AgotPage, region: str, _seat: str | None, _ways: str, _orders: tuple[str | None, ...]
) -> view_models.CardGroup:
    """The areas of a region: those with something in them first, the reader's own before others."""
    areas = page.g.objectives
    weights = {key: _weight(page, areas[key]) for key in chart.by_region()[region] if key in areas}
    held = sum(weight != NOBODYS for weight in weights.values())
    note = page.t(_("%(held)s of %(all)s held"), held=held, all=len(weights))
    cards = tuple(card(page, areas[key]) for key in sorted(weights, key=weights.__getitem__))
    return view_models.CardGroup(page.t(chart.REGIONS[region]), cards, note)


def _weight(page: AgotPage, area: Area) -> int:
    """How far down its list an area comes: the reader's units or control, then others', then the rest."""
    held = page.held[area.key]
    is_mine = page.seat is not None and page.seat in (area.house, held)
    if area.house:
        return OWN_UNITS if is_mine else UNITS
    if is_mine:
        return OWN
    return HELD if held else NOBODYS


def card(page: AgotPage, area: Area) -> view_models.Card:
    """The card of an area, kept until something that it shows changes."""
    order = page.face_down.get(area.key, area.order_token)
    is_empty = area.closed and not area.size and not area.token
    sheet_url = "" if is_empty else page.sheet_url(f"objective/{area.key}")
    return page.cached_until_changed(_card, area, page.held[area.key], order, sheet_url)


def _card(page: AgotPage, area: Area, held: str, order: str, sheet_url: str) -> view_models.Card:
    """One area with its units, its token, and what is printed on it."""
    units = (page.words(appearance.counted(unit, area.count(unit))) for unit in area.units)
    return view_models.Card(
        area.key,
        page.t(area.name),
        title=page.t(_(", ")).join(units),
        badges=tuple(_badges(page, area, held, order)),
        state="out" if area.closed else "",
        state_label=page.t(_("Closed")) if area.closed else "",
        mark=page.marks.get(area.house or held, 0),
        sheet_url=sheet_url,
    )


def _badges(page: AgotPage, area: Area, held: str, order: str) -> Iterator[view_models.Badge]:
    """What else is worth knowing about an area."""
    printed = chart.printed(area.key)
    if area.token:
        text = page.t(_("Power token of %(house)s"), house=page.name(area.token))
        yield view_models.Badge(text, tone="hold", mark=page.marks[area.token])
    if order:
        told = _("Order face down") if order == appearance.HIDDEN else order_tokens.ORDERS[order]
        yield view_models.Badge(page.t(told))
    if area.routed:
        yield view_models.Badge(page.t(_("Routed")), "condition", "bad")
    if area.neutral:
        yield view_models.Badge(page.t(_("Neutral force %(strength)s"), strength=area.neutral), "alert")
    if area.garrison:
        yield view_models.Badge(page.t(_("Garrison %(strength)s"), strength=area.garrison))
    if chart.port_of(area.key) and area.house and held != area.house:
        yield view_models.Badge(page.t(_("These ships may be lost")), "alert", "bad")
    if printed.get("fort"):
        yield view_models.Badge(page.t(atlas.SIGNS[printed["fort"]]))
    for icon, words in ICONS.items():
        if printed.get(icon):
            yield view_models.Badge(page.t(words, number=printed[icon]))
