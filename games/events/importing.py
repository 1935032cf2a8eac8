"""Players from a table that somebody has kept elsewhere: commas, semicolons or tabs, quoted or not.

Every line that cannot be taken gets a sentence, and then nothing at all is entered.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from games.core import validation
from games.core.validation import Unreadable, name_key
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.events.rules.entering import ALIKE
from games.events.rules.pieces import Gathering

HEADINGS = {
    "name": ("name", "player", "spieler", "姓名", "玩家"),
    "club": ("club", "team", "verein", "俱乐部"),
    "faction": ("faction", "army", "fraktion", "阵营"),
}
"""What a column may be called; a table without headings has name, club and faction in this order."""
SEPARATORS = ";\t,"
MOST_BYTES = 64 * 1024
LONGEST_FACTION = 80
NOBODY = _("There are no players in this table.")

Entered = tuple[str, str, str]


@dataclass(frozen=True)
class Read:
    """What a table says: players as (name, club, faction), or the lines that are wrong and why."""

    players: tuple[Entered, ...] = ()
    wrong: tuple[tuple[int, Line], ...] = ()


def read(raw: str | bytes, g: Gathering) -> Read:
    """The players of a pasted table or an uploaded file. Raises `Unreadable` for what is no text."""
    if not raw.strip():
        raise Unreadable(say(NOBODY))
    text = validation.clean_text(raw, MOST_BYTES)
    rows = [(number, row) for number, row in _rows(text) if any(row)]
    columns = _columns(rows[0][1]) if rows else {}
    if columns:
        rows = rows[1:]
    places = columns or {"name": 0, "club": 1, "faction": 2}
    known = {(name_key(one.name), name_key(one.club)) for one in g.players.values()}
    players: list[Entered] = []
    wrong: list[tuple[int, Line]] = []
    for number, row in rows:
        try:
            player = _player(row, places)
            alike = (name_key(player[0]), name_key(player[1]))
            if alike in known:
                raise Unreadable(say(ALIKE, name=player[0]))
            known.add(alike)
            players.append(player)
        except Unreadable as unreadable:
            wrong.append((number, unreadable.line))
    if not players and not wrong:
        raise Unreadable(say(NOBODY))
    return Read((), tuple(wrong)) if wrong else Read(tuple(players))


def told(wrong: tuple[tuple[int, Line], ...]) -> Line:
    """The lines that are wrong in one sentence each."""
    return say(
        _("Nothing was entered. %(lines)s"),
        lines=tuple(
            say(_("Line %(number)s: %(problem)s"), number=number, problem=line) for number, line in wrong
        ),
    )


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, parted by what parts most of the first line."""
    first = text.split("\n", 1)[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(text.split("\n"), delimiter=separator)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Unreadable(say(_("This table cannot be read."))) from error
        yield reader.line_num, [cell.strip() for cell in row]


def _columns(row: list[str]) -> dict[str, int]:
    """Which column is what, if the first line says so."""
    found = {
        name: at
        for at, cell in enumerate(row)
        for name, called in HEADINGS.items()
        if cell.casefold() in called
    }
    return found if "name" in found else {}


def _player(row: list[str], places: dict[str, int]) -> Entered:
    cells = {name: row[at] if at < len(row) else "" for name, at in places.items()}
    name = validation.clean_name(cells["name"])
    club = validation.clean_note(cells.get("club", ""), validation.NAME_GRAPHEMES)
    return name, club, validation.clean_note(cells.get("faction", ""), LONGEST_FACTION)
