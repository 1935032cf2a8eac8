"""Reads players from a table kept elsewhere: commas, semicolons or tabs, quoted or not.

Every line that cannot be read gets a sentence, and then nothing at all is entered.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from games.core import (
    NAME_GRAPHEMES,
    Line,
    Term,
    Unreadable,
    clean_name,
    clean_note,
    clean_text,
    name_key,
    say,
)
from games.core import gettext_noop as _
from games.hall.rules.event_state import EventState
from games.hall.rules.registration import ALIKE, MOST_PLAYERS

HEADINGS = {
    "name": ("name", "full name", "player", "player name", "spieler", "姓名", "名字", "玩家", "选手"),
    "first": ("first name", "firstname", "given name", "vorname", "名"),
    "last": ("last name", "lastname", "surname", "family name", "nachname", "familienname", "姓", "姓氏"),
    "club": ("club", "team", "verein", "klub", "mannschaft", "俱乐部", "战队", "队伍"),
    "faction": ("faction", "army", "fraktion", "armee", "阵营", "派系"),
}
"""What a column may be called; a table without headings has name, club and faction, in this order."""
NAMES = ("first", "name", "last")
"""The columns that make up a name; next to a column of first names, "name" holds the last names."""
HAN = re.compile(r"[\u3400-\u9fff]+")
SEPARATORS = ";\t,"
STATED = re.compile(r'"?sep=([;,\t]?)"?', re.IGNORECASE)
"""A first line for spreadsheets that names the separator."""
MOST_BYTES = 64 * 1024
MOST_WRONG = 100
"""So many wrong lines are named at once; the next ones once these are corrected."""
LONGEST_FACTION = 80
NOBODY = _("There are no players in this table.")

Entered = tuple[str, str, str]


@dataclass(frozen=True)
class ReadTable:
    """What a table says: players as (name, club, faction), or the wrong lines and what is wrong with each.

    With `has_more`, other lines are wrong as well.
    """

    players: tuple[Entered, ...] = ()
    wrong: tuple[tuple[int, Line], ...] = ()
    has_more: bool = False


def read(raw: str | bytes, g: EventState) -> ReadTable:
    """The players of a pasted table or an uploaded file. Raises `Unreadable` for anything but text."""
    if not raw.strip():
        raise Unreadable(say(NOBODY))
    text = clean_text(raw, MOST_BYTES)
    lines = _lines(text)
    columns = _columns(lines[0].cells) if lines else {}
    if columns:
        lines = lines[1:]
    places = columns or {"name": 0, "club": 1, "faction": 2}
    known = {(name_key(one.name), name_key(one.club)) for one in g.players.values()}
    players: list[Entered] = []
    wrong: list[tuple[int, Line]] = []
    for line in lines:
        try:
            player = _player(line, places)
            alike = (name_key(player[0]), name_key(player[1]))
            if alike in known:
                raise Unreadable(say(ALIKE, name=player[0]))
            known.add(alike)
            players.append(player)
        except Unreadable as unreadable:
            wrong.append((line.number, unreadable.line))
        if len(wrong) > MOST_WRONG or len(players) > MOST_PLAYERS:
            break
    if not players and not wrong:
        raise Unreadable(say(NOBODY))
    if wrong:
        return ReadTable((), tuple(wrong[:MOST_WRONG]), has_more=len(wrong) > MOST_WRONG)
    return ReadTable(tuple(players))


def problems_in_words(wrong: tuple[tuple[int, Line], ...]) -> Line:
    """The wrong lines, in one sentence each."""
    return say(
        _("Nothing was entered. %(lines)s"),
        lines=tuple(
            say(_("Line %(number)s: %(problem)s"), number=number, problem=line) for number, line in wrong
        ),
    )


@dataclass(frozen=True)
class _Row:
    """The cells of a line; `is_closed` is False if a quotation mark opens on it and does not close."""

    number: int
    cells: list[str]
    is_closed: bool


def _lines(text: str) -> list[_Row]:
    """The lines that say anything, split by the separator that the first line names.

    If it names none, it is the one that the first line has most of, or the next with any if that is a player
    with only a name.
    """
    lines = list(enumerate(text.split("\n"), 1))
    stated = STATED.fullmatch(lines[0][1].strip())
    said = [line for _number, line in lines if line.strip()]
    parted = (line for line in said if any(one in line for one in SEPARATORS))
    first = said[0] if said and _columns([said[0].strip()]) else next(parted, "")
    separator = (stated[1] or "\t") if stated else max(SEPARATORS, key=first.count)
    found = [_cells(number, line, separator) for number, line in (lines[1:] if stated else lines)]
    return [row for row in found if any(row.cells)]


def _cells(number: int, line: str, separator: str) -> _Row:
    # Each line is read by itself, or an open quotation mark would pull the next player into the cell.
    reader = csv.reader([line, ""], delimiter=separator)
    try:
        cells = [cell.strip() for cell in next(reader)]
    except csv.Error as error:
        raise Unreadable(say(_("This table cannot be read."))) from error
    return _Row(number, cells, reader.line_num == 1)


def _columns(row: list[str]) -> dict[str, int]:
    """Which column is what, if the first line says so."""
    found = {
        name: at
        for at, cell in enumerate(row)
        for name, called in HEADINGS.items()
        if cell.casefold() in called
    }
    return found if found.keys() & {*NAMES} else {}


def _called(cells: dict[str, str]) -> str:
    """A player's whole name; the two parts of a Chinese name are joined, family name first."""
    parts = [cells[column] for column in NAMES if cells.get(column)]
    is_chinese = len(parts) > 1 and all(HAN.fullmatch(part) for part in parts)
    return "".join(reversed(parts)) if is_chinese else " ".join(parts)


def _player(line: _Row, places: dict[str, int]) -> Entered:
    if not line.is_closed:
        raise Unreadable(say(_("A quotation mark opens on this line and does not close.")))
    row = line.cells
    cells = {name: row[at] if at < len(row) else "" for name, at in places.items()}
    name = clean_name(_called(cells))
    club = _noted(_("Club"), cells.get("club", ""), NAME_GRAPHEMES)
    return name, club, _noted(_("Faction"), cells.get("faction", ""), LONGEST_FACTION)


def _noted(column: str, cell: str, most: int) -> str:
    try:
        return clean_note(cell, most)
    except Unreadable as unreadable:
        line = say(_("%(field)s: %(problem)s"), field=Term(column), problem=unreadable.line)
        raise Unreadable(line, unreadable.status) from None
