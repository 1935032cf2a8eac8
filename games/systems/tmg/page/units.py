"""A unit's card on the table's page: what is left of it, what it does, where it stands and whom it fights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core.words import COMMA, Term
from games.core.words import gettext_noop as _
from games.systems.tmg.page import cards
from games.systems.tmg.pieces import CONDITIONS, Place, Unit
from games.systems.tmg.rules import claims, table_facts
from games.systems.tmg.rules.destruction import CONDITION_NAMES

if TYPE_CHECKING:
    from games.systems.tmg.page.table import TmgPage

STATES = {
    "ready": ("ready", ""),
    "acting": ("acting", _("Acting")),
    "done": ("done", _("Activated")),
    "barred": ("done", _("Cannot activate this round")),
    "destroyed": ("out", _("Destroyed")),
    "reserve": ("away", _("In Reserve")),
    "unplaced": ("", ""),
}
"""What a unit is doing → the look of its card, and the words for it."""

ZONE_ICONS = frozenset({"crown", "wealth", "letters", "swords", "horse"})

Badges = tuple[view_models.Badge, ...]


def card(page: TmgPage, unit: Unit) -> view_models.Card:
    """A unit's card, cached until anything on it changes."""
    path = f"unit/{unit.key}"
    told = (table_facts.state_of(page.g, unit), page.g.untracked, page.is_read_only)
    ways = (page.sheet_url(path), page.take_offer(path))
    around = tuple(_around(page, unit)) if _has_neighbours(page, unit) else ()
    return page.cached_until_changed(_card, unit, *told, *ways, around)


def _has_neighbours(page: TmgPage, unit: Unit) -> bool:
    """Whether other pieces may add to a unit's card; for most units none do."""
    is_named = unit.key in page.claimed or unit.key in page.influencing or unit.key in page.silenced
    names_others = unit.engaged_with or unit.sector or unit.cards or unit.influences
    return bool(is_named or names_others or not page.g.round)


def _card(
    page: TmgPage,
    unit: Unit,
    state: str,
    _untracked: frozenset[str],
    is_read_only: bool,
    sheet_url: str,
    offer: view_models.Offer | None,
    around: Badges,
) -> view_models.Card:
    look, words = STATES.get(state, ("", ""))
    return view_models.Card(
        unit.key,
        unit.name,
        unit.title,
        attached=tuple(_titled(name, title) for name, title, *_rest in unit.attachments),
        gauge=page.gauge(unit) if page.has_gauge(unit) else None,
        badges=(*_own(page, unit), *around),
        state=look,
        state_label=page.t(words),
        leader=page.t(_("Commander")) if unit.commander else "",
        text=unit.note,
        sheet_url=sheet_url,
        read=is_read_only,
        offer=offer,
    )


def _own(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """Badges from the unit itself."""
    if page.g.tracks("conditions"):
        for condition in CONDITIONS:
            if condition in unit.conditions:
                yield view_models.Badge(page.t(CONDITION_NAMES[condition]), "condition", "bad")
        for name, count in unit.counters:
            yield view_models.Badge(f"{page.t(name)} {count}")
    if unit.marked:
        yield view_models.Badge(page.t(_("Marked")), "alert", "bad")
    if unit.order_used:
        yield view_models.Badge(page.t(_("Order used")), "check")
    if unit.pool is not None:
        yield view_models.Badge(page.t(_("Tokens %(count)s"), count=unit.pool))
    if unit.lent_to:
        yield view_models.Badge(page.t(_("Changed side")), mark=page.marks[unit.lent_to])
    if unit.kept:
        yield view_models.Badge(page.t(_("Keep it on its zone")), "check")


def _around(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """Badges that depend on other pieces as well."""
    g = page.g
    for place in page.claimed.get(unit.key, ()):
        yield _place(page, unit, place)
    if speed := claims.speed(g, unit):
        yield view_models.Badge(page.t(_("Speed %(speed)s, no March"), speed=speed), "alert")
    if unit.key in page.silenced:
        yield view_models.Badge(page.t(_("No abilities")), "alert", "bad")
    for key in sorted(unit.engaged_with):
        if key in g.units:
            yield view_models.Badge(g.units[key].name, "fight", "fight")
    if unit.sector in g.objectives:
        yield view_models.Badge(page.t(g.objectives[unit.sector].name), "objective")
    if not g.round and unit.is_on_table:
        yield view_models.Badge(page.t(_("Deployed")), "check", "good")
    yield from cards.badges(page, unit)
    if unit.influences in g.units:
        yield view_models.Badge(page.t(_("Influences %(unit)s"), unit=g.units[unit.influences].name))
    for other in page.influencing.get(unit.key, ()):
        words = page.t(_("Influenced by %(unit)s"), unit=other.name)
        yield view_models.Badge(words, mark=page.marks[other.player])


def _place(page: TmgPage, unit: Unit, place: Place) -> view_models.Badge:
    held = place.kind == "zone" or page.places["tokens"][place.key]["controller"] == unit.player
    icon = icon_of(place.key) if place.kind == "zone" else "objective"
    return view_models.Badge(_called(page, unit, place), icon, "hold" if held else "lost")


def icon_of(zone: str) -> str:
    """The icon of a zone of the tactics board; one without its own gets the objectives' icon."""
    return zone if zone in ZONE_ICONS else "objective"


def _called(page: TmgPage, unit: Unit, place: Place) -> str:
    """Where a unit stands, and who contests it there."""
    rivals = claims.outranking(page.g, unit) if place.kind == "token" else ()
    names = page.t(COMMA).join(rival.name for rival in rivals)
    if names:
        return page.t(_("%(place)s, contested by %(rivals)s"), place=Term(place.name), rivals=names)
    return page.t(place.name)


def _titled(name: str, title: str) -> str:
    return f"{name}, {title}" if title else name
