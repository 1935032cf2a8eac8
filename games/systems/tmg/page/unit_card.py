"""A unit on the table's page: what is left of it, what it does, where it stands, and its printed card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core import COMMA, Term, say_count
from games.core import gettext_noop as _
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import catalogue
from games.systems.tmg.pieces import CONDITIONS, Place, Unit
from games.systems.tmg.rules import objective_tokens, table_facts, tactics_cards
from games.systems.tmg.rules.destruction import CONDITION_NAMES

if TYPE_CHECKING:
    from games.systems.tmg.page.miniatures_page import TmgPage

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


def card(page: TmgPage, unit: Unit) -> view_models.Card:
    path = f"unit/{unit.key}"
    look, words = STATES.get(table_facts.state_of(page.g, unit), ("", ""))
    return view_models.Card(
        unit.key,
        unit.name,
        unit.title,
        attached=tuple(_titled(name, title) for name, title, *_rest in unit.attachments),
        gauge=page.gauge(unit),
        badges=(*_own(page, unit), *_around(page, unit)),
        state=look,
        state_label=page.t(words),
        leader=page.t(_("Commander")) if unit.commander else "",
        text=unit.note,
        sheet_url=page.sheet_url(path),
        read=page.is_read_only,
        offer=page.take_offer(path),
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
    for place in g.objectives.values():
        if place.claimed_by == unit.key:
            yield _place(page, unit, place)
    if speed := objective_tokens.speed(g, unit):
        yield view_models.Badge(page.t(_("Speed %(speed)s, no March"), speed=speed), "alert")
    if any(place.silences == unit.key for place in g.objectives.values()):
        yield view_models.Badge(page.t(_("No abilities")), "alert", "bad")
    for key in sorted(unit.engaged_with):
        if key in g.units:
            yield view_models.Badge(g.units[key].name, "fight", "fight")
    if unit.sector in g.objectives:
        yield view_models.Badge(page.t(g.objectives[unit.sector].name), "objective")
    if not g.round and unit.is_on_table:
        yield view_models.Badge(page.t(_("Deployed")), "check", "good")
    yield from _cards_with(page, unit)
    yield from _influence(page, unit)


def _influence(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    if unit.influences in page.g.units:
        yield view_models.Badge(page.t(_("Influences %(unit)s"), unit=page.g.units[unit.influences].name))
    for other in page.g.units.values():
        if other.influences == unit.key:
            words = page.t(_("Influenced by %(unit)s"), unit=other.name)
            yield view_models.Badge(words, mark=page.marks[other.player])


def _cards_with(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """The tactics cards that stay with a unit, and how long."""
    for key, seat, expiry in unit.cards:
        words = f"{page.called(seat, key)} · {page.t(tactics_cards.EXPIRIES.get(expiry, expiry))}"
        yield view_models.Badge(words, "cards", mark=page.marks[seat])


def _place(page: TmgPage, unit: Unit, place: Place) -> view_models.Badge:
    held = place.kind == "zone" or objective_tokens.controller(page.g, place) == unit.player
    icon = icon_of(place.key) if place.kind == "zone" else "objective"
    return view_models.Badge(_called(page, unit, place), icon, "hold" if held else "lost")


def icon_of(zone: str) -> str:
    """The icon of a zone of the tactics board; one without its own gets the objectives' icon."""
    return zone if zone in ZONE_ICONS else "objective"


def _called(page: TmgPage, unit: Unit, place: Place) -> str:
    """Where a unit stands, and who contests it there."""
    rivals = objective_tokens.outranking(page.g, unit) if place.kind == "token" else ()
    names = page.t(COMMA).join(rival.name for rival in rivals)
    if names:
        return page.t(_("%(place)s, contested by %(rivals)s"), place=Term(place.name), rivals=names)
    return page.t(place.name)


def _titled(name: str, title: str) -> str:
    return f"{name}, {title}" if title else name


# --- the printed card -------------------------------------------------------------------------------------


def profile(page: TmgPage, path: str) -> view_models.Profile | None:
    """The costs of a unit and its attachments, and its numbers if known; None for other pieces."""
    kind, _slash, key = path.partition("/")
    unit = page.g.units.get(key) if kind == "unit" else None
    if unit is None:
        return None
    printed = army_cards.known_stats(page.g.entries).get(unit.card)
    lines = tuple(_lines(page, unit))
    if printed is None:
        return view_models.Profile(lines=lines)
    numbers = (
        (page.t(_("Speed")), str(objective_tokens.speed(page.g, unit) or printed.speed)),
        (page.t(_("Defence")), printed.defence),
        (page.t(_("Morale")), printed.morale),
    )
    attacks = tuple(_attack(page, unit, attack) for attack in printed.attacks)
    return view_models.Profile(numbers, attacks, printed.abilities, lines, _season(page, unit, printed))


def _attack(page: TmgPage, unit: Unit, attack: army_cards.Attack) -> view_models.AttackRow:
    """An attack, its current dice marked while the app counts wounds and the unit has any left (TMG-39)."""
    is_counted = page.g.tracks("wounds") and unit.wounds > 0
    now = attack.at(army_cards.lost_ranks(unit)) if is_counted else None
    dice = tuple(map(str, attack.dice))
    return view_models.AttackRow(
        page.t(army_cards.RANGES.get(attack.kind, "")), attack.name, attack.hit, dice, now
    )


def _lines(page: TmgPage, unit: Unit) -> Iterator[str]:
    yield _priced(page, unit.name, unit.title, unit.cost)
    for name, title, cost, *_owner in unit.attachments:
        yield _priced(page, name, title, cost)


def _priced(page: TmgPage, name: str, title: str, cost: int) -> str:
    points = page.words(say_count("%(count)s point", "%(count)s points", cost))
    return " · ".join(part for part in (f"{name}, {title}" if title else name, points) if part)


def _season(page: TmgPage, unit: Unit, printed: army_cards.Stats) -> str:
    """The season of the numbers, if the catalogue's card is of another."""
    card = catalogue(page.g.entries).by_id.get(unit.card)
    if card is None or not printed.version or card.version == printed.version:
        return ""
    line = _("Shows %(season)s numbers; the army list uses the %(other)s card.")
    return page.t(line, season=printed.version, other=card.version or "?")
