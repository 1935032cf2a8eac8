"""A brought warband as rows that people correct, and back: every line that was read is editable (BUSH-26)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from games.core import IllegalAction, Line, Roster, RosterRow, RowCell, say, without_unused
from games.core import gettext_noop as _
from games.systems.bushido.lists.warband_cards import CARDS, Catalogue, catalogue
from games.systems.bushido.lists.warband_grammar import Card, Model, Warband
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules import figures, muster_and_deployment

MODEL, THEME = "model", "theme"
KINDS = {MODEL: _("Model"), THEME: _("Theme card"), **CARDS}
CELLS = (
    RowCell("kind", _("Kind"), "kind"),
    RowCell("cost", _("Rice"), "number"),
    RowCell("ki", _("Ki"), only=(MODEL,)),
    RowCell("cap", _("Ki cap"), only=(MODEL,)),
    RowCell("track", _("Wounds"), only=(MODEL,)),
    RowCell("title", _("Carried by"), only=tuple(CARDS)),
)
_BESIDE_ROWS = ("tactician", "regenerate", "tough", "tireless", "note", "reminders")
_FIGURES: dict[str, tuple[Callable[[str], str | None], str]] = {
    "ki": (figures.ki, _("“%(text)s” is not a Ki value. Enter a number, X or nothing.")),
    "cap": (figures.cap, _("“%(text)s” is not a Ki cap. Enter a number, *, ∞ or nothing.")),
    "track": (
        figures.wounds,
        _("“%(text)s” is not a wounds value. Enter a number, Special, Kami or nothing."),
    ),
}


def roster(g: Table, seat: str) -> Roster | None:
    """The warband that this seat has brought, row by row; None before it has.

    What only the match has added is no part of it: summoned models, and the owner in a name that both have.
    """
    brought = (unit for unit in g.units_of(seat) if not unit.summoned)
    units = sorted(brought, key=lambda unit: unit.order)
    if not units:
        return None
    side = g.armies[seat]
    names = [muster_and_deployment.without_owner(g, unit) for unit in units]
    rows = [
        RosterRow(
            _listed_name(name, names),
            kind=MODEL,
            cost=unit.cost,
            facts={"ki": unit.ki_stat, "cap": unit.ki_cap, "track": unit.wounds_stat},
        )
        for unit, name in zip(units, names, strict=True)
    ]
    rows += [RosterRow(side.theme, kind=THEME)] if side.theme else []
    rows += [RosterRow(name, bearer, kind, rice) for name, kind, rice, bearer in side.cards]
    warnings, unused = without_unused(map(_numbered, side.warnings))
    summary = muster_and_deployment.summary(side.faction, side.rice, len(units))
    return Roster(side.roster, summary, tuple(rows), warnings, unused, KINDS, CELLS)


def _numbered(stored: Any) -> tuple[int, Line]:
    number, line = stored
    return number, Line.from_json(line)


def amend(g: Table, seat: str, rows: list[RosterRow]) -> None:
    """Replace the warband that this seat has brought with that of the corrected rows.

    A model that stays keeps what no row asks: notes, and figures noted from its card.
    """
    muster_and_deployment.refuse_late(g, seat)
    had, shared = {unit.key: unit for unit in g.units_of(seat)}, g.shared
    muster_and_deployment.bring(g, seat, _warband(g, seat, rows), g.armies[seat].roster)
    stayed = {unit.key for unit in g.units_of(seat) if unit.key in had and unit.name == had[unit.key].name}
    g.shared = (*g.shared, *(keys for keys in shared if stayed.issuperset(keys)))
    for key in stayed:
        for name in _BESIDE_ROWS:
            setattr(g.units[key], name, getattr(had[key], name))


def _warband(g: Table, seat: str, rows: list[RosterRow]) -> Warband:
    """The warband that corrected rows state; a row with a new name is looked up in the catalogue."""
    listed = [row for row in rows if row.kind in (MODEL, "")]
    if not listed:
        raise IllegalAction(say(_("A warband needs at least one model.")), "BUSH-26")
    if len(listed) > muster_and_deployment.MOST_MODELS:
        line = _("A warband has at most %(most)s models.")
        raise IllegalAction(say(line, most=muster_and_deployment.MOST_MODELS), "BUSH-26")
    side, cards, brought = g.armies[seat], catalogue(g.entries), roster(g, seat)
    before = {row.name for row in brought.rows if row.kind == MODEL} if brought else set()
    warnings: list[tuple[int, Line]] = []
    models = tuple(
        _stated(row) if row.facts and row.name in before else _fresh(cards, row, side.faction, warnings)
        for row in listed
    )
    faction = side.faction or cards.likely_faction(model.name for model in models)
    _known, unused = without_unused(map(_numbered, side.warnings), rows)
    theme = next((row.name for row in rows if row.kind == THEME), "")
    return Warband(faction, theme, None, None, models, tuple(_held(rows)), tuple(warnings), unused=unused)


def _held(rows: list[RosterRow]) -> Iterator[Card]:
    """The cards beside models and the theme; a theme is one too if it costs rice or is not the first."""
    yield from (Card(row.name, row.kind, row.cost, 0, row.title) for row in rows if row.kind in CARDS)
    themes = [row for row in rows if row.kind == THEME]
    yield from (Card(row.name, "card", row.cost, 0) for row in themes if row.cost or row is not themes[0])


def known_names(g: Table, seat: str) -> tuple[str, ...]:
    """The names of the models that this seat's warband may hold."""
    return catalogue(g.entries).names(g.armies[seat].faction)


def _stated(row: RosterRow) -> Model:
    """The model as its row states it."""
    stated = {}
    for name, (read_figure, message) in _FIGURES.items():
        text = row.facts.get(name, "")
        if (figure := read_figure(text)) is None:
            raise IllegalAction(say(message, text=text), "BUSH-26")
        stated[name] = figure
    return Model(row.name, row.cost, stated["ki"], stated["cap"], stated["track"], 1, 0)


def _fresh(cards: Catalogue, row: RosterRow, faction: str, warnings: list[tuple[int, Line]]) -> Model:
    """A row with a new name: a model of the catalogue comes with its own figures."""
    match = cards.find(row.name, faction, row.cost)
    if match is None:
        if not any(row.facts.values()):
            message = _("“%(name)s” is not in the catalogue. Check its numbers.")
            warnings.append((0, say(message, name=row.name)))
        return _stated(row)
    card = match.profile
    if match.guessed:
        message = _("“%(name)s” is not in the catalogue; read as %(card)s.")
        warnings.append((0, say(message, name=row.name, card=card.name)))
    return Model(
        card.name, card.rice, card.ki, card.cap, card.wounds, 1, 0, row.name if match.guessed else ""
    )


def _listed_name(name: str, names: Collection[str]) -> str:
    """A model's name as its list has it, without the number that tells it from a namesake."""
    first, _space, number = name.rpartition(" ")
    return first if number.isdigit() and first in names else name
