"""What the page shows of a unit's printed card: numbers by the ranks it has left, costs, attachments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games import view_models
from games.core.words import gettext_noop as _
from games.core.words import say_count
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import catalogue
from games.systems.tmg.pieces import Unit
from games.systems.tmg.rules import carrying

if TYPE_CHECKING:
    from games.systems.tmg.page.table import TmgPage


def profile(page: TmgPage, path: str) -> view_models.Profile | None:
    """The costs of a unit and its attachments, and its numbers if known; None for other pieces."""
    kind, _slash, key = path.partition("/")
    unit = page.g.units.get(key) if kind == "unit" else None
    if unit is None:
        return None
    known = army_cards.known_stats(page.g.entries).get(unit.card)
    lines = tuple(_lines(page, unit))
    if known is None:
        return view_models.Profile(lines=lines)
    numbers = (
        (page.t(_("Speed")), str(carrying.speed(page.g, unit) or known.speed)),
        (page.t(_("Defence")), known.defence),
        (page.t(_("Morale")), known.morale),
    )
    attacks = tuple(_attack(page, unit, attack) for attack in known.attacks)
    return view_models.Profile(numbers, attacks, known.abilities, lines, _season(page, unit, known))


def _attack(page: TmgPage, unit: Unit, attack: army_cards.Attack) -> view_models.AttackRow:
    """An attack, its current dice marked while the app counts wounds and the unit has any left (TMG-39)."""
    is_counted = page.g.tracks("wounds") and unit.wounds > 0
    now = attack.at(army_cards.lost_ranks(unit)) if is_counted else None
    dice = tuple(map(str, attack.dice))
    return view_models.AttackRow(
        page.t(army_cards.RANGES.get(attack.kind, "")), attack.name, attack.hit, dice, now
    )


def _lines(page: TmgPage, unit: Unit) -> Iterator[str]:
    """The unit and its attachments with their titles and costs."""
    yield _priced(page, unit.name, unit.title, unit.cost)
    for name, title, cost, *_owner in unit.attachments:
        yield _priced(page, name, title, cost)


def _priced(page: TmgPage, name: str, title: str, cost: int) -> str:
    points = page.words(say_count("%(count)s point", "%(count)s points", cost))
    return " · ".join(part for part in (f"{name}, {title}" if title else name, points) if part)


def _season(page: TmgPage, unit: Unit, known: army_cards.Stats) -> str:
    """The season of the numbers, if the catalogue's card is of another."""
    card = catalogue(page.g.entries).by_id.get(unit.card)
    if card is None or not known.version or card.version == known.version:
        return ""
    line = _("Numbers of %(season)s; the army list is read with the card of %(other)s.")
    return page.t(line, season=known.version, other=card.version or "?")
