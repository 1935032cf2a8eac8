"""Entering a list of players, as a conversation: which letters, which columns, who that makes, what is left.

Nothing is kept between its steps: each form holds the text and what was said about it so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from games.core import Line, RequestRefused, Unreadable, ViewModel, is_number, say
from games.core import gettext_noop as noop
from games.hall import pasted_players
from games.hall.event_actions import position_of
from games.hall.organiser.organiser_page import Field, FieldGroup, Made, Visit
from games.hall.pasted_players import (
    CLUB,
    DIVISION,
    FACTION,
    FIRST,
    LAST,
    NAME,
    NOBODY,
    UNUSED,
    Columns,
    ReadTable,
)
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Button, Option
from games.web import table_files, uploads
from games.web.table_files import Reading

FIRST_CELLS = 3
"""So many cells of a column tell what it holds."""
COLUMN = "column-"
SHOWN = "columns_shown"


class ListLine(ViewModel):
    """One line of a list of players and the sentence about it."""

    number: int
    text: str
    sentence: str


class UnusedCells(ViewModel):
    """A column that is not used, and what it holds."""

    label: str
    cells: str


class Choice(ViewModel):
    """A text that the file may be: its letters or its sheet, and its first words."""

    name: str
    sample: str
    text: str


def importing(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """A player list as it is read, with what each column is taken for; entered as a whole or not at all."""
    choices: list[Reading] = []
    text, table, refused = sent.get("text", ""), ReadTable(), ""
    if request.method == "POST":
        try:
            choices = table_files.readings(_sent_by(request))
            certain = pasted_players.certain(choices)
            if certain:
                text = certain.text
                table = pasted_players.read(text, position_of(visit.event), columns_of(sent), recall=True)
        except Unreadable as unreadable:
            refused = words(unreadable.line)
    players, divisions = table.players, visit.event.divisions
    asked = _asked(choices) if choices and not table.rows and not refused else ""
    values = {
        "text": text,
        "is_open": not (players or asked),
        "choices": tuple(
            Choice(choice.name, choice.sample(choices), choice.text)
            for choice in choices
            if choice.text != text
        ),
        "asked": asked,
        "columns": _columns(table, has_divisions=bool(divisions)) if table.rows else None,
        "shown": as_line(table.columns),
        "heads": (_("Player’s name"), _("Club"), _("Faction"), *([_("Division")] if divisions else [])),
        "players": tuple(enumerate(players, 1)),
        "wrong": _lines(text, table.wrong),
        "remarks": _lines(text, table.remarks),
        "unused": tuple(UnusedCells(words(label), " · ".join(cells)) for label, cells in table.unused),
        "counted": refused or _counted(table),
        "button": Button("import", _entering(len(players)), "main", "check") if players else None,
        "url": reverse("organise-preview", args=[visit.code]),
    }
    return _("Paste a list"), values


def stated_in(sent: Mapping[str, Any]) -> Columns | None:
    """The columns that a form enters. Raises `RequestRefused` (409) if they are not those that it showed."""
    columns = columns_of(sent)
    if columns and as_line(columns) != sent.get(SHOWN, ""):
        line = noop("The columns have changed. Check the players again.")
        raise RequestRefused(say(line), 409, "stale")
    return columns


def columns_of(sent: Mapping[str, Any]) -> Columns | None:
    """What a form says about the columns; None if it says nothing."""
    said = {name.removeprefix(COLUMN): meaning for name, meaning in sent.items() if name.startswith(COLUMN)}
    places = {int(at): meaning for at, meaning in said.items() if is_number(at, 3)}
    if not places:
        return None
    head = sent.get("head", "")
    meanings = tuple(places.get(at, UNUSED) for at in range(1 + max(places)))
    return Columns(meanings, int(head) if is_number(head, 5) else 0)


def as_line(columns: Columns) -> str:
    """What a form says about the columns, on one line."""
    return " ".join([str(columns.head), *(meaning or "-" for meaning in columns.meanings)])


def _sent_by(request: HttpRequest) -> str | bytes:
    """The file that was chosen, or the list that was pasted."""
    chosen = request.FILES.get("file")
    raw = request.POST.get("text", "") if chosen is None else chosen.read(uploads.MOST_BYTES + 1)
    if not raw.strip():
        raise Unreadable(say(NOBODY))
    return raw


def _asked(choices: list[Reading]) -> str:
    if {choice.name for choice in choices} <= {*table_files.PAGES.values()}:
        return _("The file does not say how its letters are encoded. Which of these is right?")
    return _("The file has several sheets. Which of them holds the players?")


def _columns(table: ReadTable, *, has_divisions: bool) -> FieldGroup:
    """What each column is taken for, as fields that can be changed."""
    meanings = {
        NAME: _("Player’s name"),
        FIRST: _("First name"),
        LAST: _("Last name"),
        CLUB: _("Club"),
        FACTION: _("Faction"),
        **({DIVISION: _("Division")} if has_divisions else {}),
        UNUSED: _("not used"),
    }
    fields = [
        Field(
            f"{COLUMN}{at}",
            words(table.label(at)),
            "select",
            options=tuple(Option(value, label, value == meaning) for value, label in meanings.items()),
            help=" · ".join(table.cells(at)[:FIRST_CELLS]),
        )
        for at, meaning in enumerate(table.columns.meanings)
        if table.headings[at] or table.cells(at)
    ]
    return FieldGroup(_("What the columns are"), (_head(table), *fields))


def _head(table: ReadTable) -> Field:
    """Which line holds the headings: that which was found, the first one, or none."""
    number = table.columns.head
    lines = [row for row in table.rows if row.number in (table.rows[0].number, number)]
    options = [
        Option(str(row.number), " · ".join(filter(None, row.cells))[:60], row.number == number)
        for row in lines
    ]
    return Field("head", _("Headings"), "select", options=(*options, Option("0", _("none"), not number)))


def _lines(text: str, about: Iterable[tuple[int, Line]]) -> tuple[ListLine, ...]:
    lines = text.splitlines()
    return tuple(
        ListLine(number, "".join(lines[number - 1 : number])[:200], words(line)) for number, line in about
    )


def _counted(table: ReadTable) -> str:
    if not table.wrong:
        return ""
    if table.has_more:
        line = _("More than %(count)s lines have errors. Correct these and check again.")
        return line % {"count": len(table.wrong)}
    line = ngettext(
        "%(count)s line has an error. Correct it and check again.",
        "%(count)s lines have errors. Correct them and check again.",
        len(table.wrong),
    )
    return line % {"count": len(table.wrong)}


def _entering(count: int) -> str:
    return ngettext("Enter %(count)s player", "Enter %(count)s players", count) % {"count": count}
