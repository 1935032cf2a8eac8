"""A brought army as rows that people correct, and back: every parsed line is editable (TMG-09)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from games import core
from games.core import IllegalAction, Line, RosterRow, Term, say
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    ENEMY,
    FACTIONS,
    NCU,
    NEUTRAL,
    UNIT,
    Catalogue,
    Fact,
    catalogue,
)
from games.systems.tmg.lists.army_grammar import summary
from games.systems.tmg.lists.army_roster import (
    WHICH_COMMANDER,
    Attachment,
    Roster,
    RosterEntry,
    pieces_of,
    seconds,
    twice,
)
from games.systems.tmg.pieces import COMBAT_KINDS, Table, Unit
from games.systems.tmg.rules import army_muster

KINDS = {
    "infantry": _("Infantry"),
    "cavalry": _("Cavalry"),
    "solo": _("Solo"),
    "war-machine": _("War Machine"),
    "ncu": _("Non-Combat Unit"),
    ATTACHMENT: _("Attachment"),
    ENEMY: _("Enemy attachment"),
}
FIGURES = {"infantry": (12, 4), "cavalry": (12, 6), "solo": (6, 0), "war-machine": (6, 0)}
"""Total wounds and wounds per rank, by kind, for a unit without figures of its own."""


def roster(g: Table, seat: str) -> core.Roster | None:
    """The army that this seat has brought, row by row; None before it has."""
    side = g.armies[seat]
    units = sorted(g.units_of(seat), key=lambda unit: unit.order)
    if not units:
        return None
    rows: list[RosterRow] = []
    names = {unit.name for unit in units}
    for unit in units:
        rows += _rows_of(unit, army_muster.listed_name(unit, names), len(rows), side.commander)
    rows += [RosterRow(name, title, ENEMY, cost) for name, title, cost, _vp in side.captives]
    warnings, unused = core.without_unused(map(_numbered, side.warnings))
    asked = tuple(_asked(row, warnings) for row in rows)
    line = summary(side.faction, side.points, len(units))
    return core.Roster(side.roster, line, asked, warnings, unused, KINDS, attachment=ATTACHMENT)


def amend(g: Table, seat: str, rows: list[RosterRow]) -> None:
    """Replace the army that this seat has brought with that of the corrected rows."""
    army_muster.refuse_late(g, seat)
    if any(row.kind not in KINDS for row in rows):
        raise IllegalAction(say(_("Choose what kind of unit each line is.")), "TMG-09")
    if not any(row.kind in COMBAT_KINDS for row in rows):
        raise IllegalAction(say(_("An army needs at least one Combat Unit.")), "TMG-09")
    leader = next((_titled(row.name, row.title) for row in rows if row.leader), "")
    faction = g.armies[seat].faction
    cards = catalogue(g.entries)
    listed = [(at, row) for at, row in enumerate(rows) if row.kind != ATTACHMENT]
    entries = tuple(_entry(cards, row, _joined(rows, at), faction, leader) for at, row in listed)
    points = sum(entry.points for entry in entries)
    warnings = tuple(_remarks(faction, leader, entries))
    count = sum(entry.kind != ENEMY for entry in entries)
    _known, unused = core.without_unused(map(_numbered, g.armies[seat].warnings), rows)
    amended = Roster(faction, leader, points, None, count, entries, warnings, unused=unused)
    army_muster.bring(g, seat, amended, g.armies[seat].roster)
    units = [row for _at, row in listed if row.kind != ENEMY]
    for unit, row in zip(sorted(g.units_of(seat), key=lambda unit: unit.order), units, strict=True):
        _take_figures(unit, row)


def _remarks(faction: str, leader: str, entries: tuple[RosterEntry, ...]) -> Iterator[Line]:
    """What is odd about corrected rows: what a list that is read gets a remark for, without its lines."""
    if not leader:
        yield say(_("No Commander is marked in this army."))
    if chosen := next((piece for piece in pieces_of(entries) if piece.full_name == leader), None):
        for piece in seconds(entries, chosen):
            yield say(_("%(name)s is a second Commander; an army has one."), name=piece.full_name)
    for name in dict.fromkeys(first.name for _piece, first in twice(entries)):
        yield say(_("%(name)s is more than once in this army."), name=name)
    for piece in pieces_of(entries):
        card = piece.fact
        if faction and card and card.faction not in (faction, NEUTRAL):
            line = _("%(card)s belongs to another faction: %(faction)s.")
            yield say(line, card=card.full_name, faction=Term(FACTIONS[card.faction]))


def _asked(row: RosterRow, warnings: Iterable[tuple[int, Line]]) -> RosterRow:
    """The row, asking which commander it is if its list leaves that open (TMG-11)."""
    for _number, line in warnings:
        cards = line.arguments.get("cards") if line.message == WHICH_COMMANDER else None
        if isinstance(cards, tuple) and _titled(row.name, row.title) in cards:
            own = (str(card).partition(" - ") for card in cards)
            titles = tuple(title for name, _dash, title in own if name == row.name)
            return replace(row, asks=Line(_("Is this your Commander? Please choose.")), titles=titles)
    return row


def _rows_of(unit: Unit, name: str, at: int, commander: str) -> list[RosterRow]:
    attached = [
        RosterRow(name, title, ATTACHMENT, cost, leader=_leads(unit, name, title, commander), joins=at)
        for name, title, cost, *_rest in unit.attachments
    ]
    leads = unit.commander and not any(row.leader for row in attached)
    return [RosterRow(name, unit.title, unit.kind, unit.cost, unit.wounds_total, leads), *attached]


def _leads(unit: Unit, name: str, title: str, commander: str) -> bool:
    """Whether this attachment commands: its unit does, as another may have a namesake."""
    return unit.commander and _titled(name, title) == commander


def _joined(rows: list[RosterRow], at: int) -> list[RosterRow]:
    """The attachments of the row at this place; one that joins no unit joins the first Combat Unit."""
    return [row for row in rows if row.kind == ATTACHMENT and _home(rows, row) == at]


def _home(rows: list[RosterRow], attached: RosterRow) -> int:
    homes = [n for n, row in enumerate(rows) if row.kind in COMBAT_KINDS or row.kind == "ncu"]
    return attached.joins if attached.joins in homes else _first_combat_unit(rows)


def _first_combat_unit(rows: list[RosterRow]) -> int:
    return next(n for n, row in enumerate(rows) if row.kind in COMBAT_KINDS)


def _entry(
    cards: Catalogue, row: RosterRow, attached: list[RosterRow], faction: str, leader: str
) -> RosterEntry:
    kind = UNIT if row.kind in COMBAT_KINDS else NCU if row.kind == "ncu" else ENEMY
    attachments = tuple(
        Attachment(
            0,
            attachment.name,
            attachment.title,
            attachment.cost,
            _fact(cards, attachment, ATTACHMENT, faction, leader),
            attachment.leader,
        )
        for attachment in attached
    )
    commands = row.leader or any(attachment.leader for attachment in attached)
    fact = _fact(cards, row, ATTACHMENT if kind == ENEMY else kind, faction, leader)
    return RosterEntry(0, row.name, row.title, row.cost, kind, attachments, fact, commands)


def _fact(cards: Catalogue, row: RosterRow, kind: str, faction: str, leader: str) -> Fact | None:
    match = cards.find(
        row.name, row.title, kind=kind, faction=faction, cost=row.cost, commander=leader if row.leader else ""
    )
    return match.fact if match else None


def _take_figures(unit: Unit, row: RosterRow) -> None:
    """The row's kind and wounds override the catalogue's."""
    total = row.wounds
    if unit.kind != row.kind:
        usual, unit.rank_size = FIGURES.get(row.kind, (0, 0))
        unit.kind, total = row.kind, total or usual
    if total and unit.wounds_total != total:
        unit.wounds_total = unit.wounds = total


def _numbered(stored: Any) -> tuple[int, Line]:
    """A stored remark with the number of its line."""
    line = Line.from_json(stored)
    number = line.arguments.get("line", 0)
    return (number if isinstance(number, int) else 0), line


def _titled(name: str, title: str) -> str:
    return f"{name} - {title}" if title else name
