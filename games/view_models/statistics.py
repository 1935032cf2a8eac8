"""Statistics over matches: tables of numbers with a bar in each row, and a drawing if one helps."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models.controls import Option
from games.view_models.frame import Link
from games.view_models.score import Chart


class Bar(ViewModel):
    """A share as a bar, in per cent of its room: its width, the range of the true value, the even share.

    `low` and `high` are None if no range is given, `even` is None if there is nothing to compare with.
    """

    width: float
    low: float | None = None
    high: float | None = None
    even: float | None = None


class StatRow(ViewModel):
    """One row: what it is about, its numbers, its bar, and where to find more."""

    label: str
    cells: tuple[str, ...]
    bar: Bar | None = None
    url: str = ""


class StatTable(ViewModel):
    """One table of numbers. `note` says how to read it; any `rest` rows are folded below.

    The mark before a column is its shape in the drawing. `csv_url` gives the same table as a file.
    """

    key: str
    title: str
    note: str
    columns: tuple[tuple[int, str], ...]
    rows: tuple[StatRow, ...]
    csv_url: str
    rest: tuple[StatRow, ...] = ()
    chart: Chart | None = None


class Figure(ViewModel):
    """One number in large print, with what it is and a short note on it."""

    value: str
    label: str
    note: str = ""


class StatField(ViewModel):
    """A field of the form that narrows the matches; without `options` it is a date."""

    name: str
    label: str
    value: str = ""
    options: tuple[Option, ...] = ()
    error: str = ""


class StatisticsPage(ViewModel):
    """The statistics of one game's matches, or of all games if there is no form.

    `few` says that there are too few matches to say more, `json_url` has everything for programs. The form is
    open if it `is_narrow`, that is, leaves matches out.
    """

    title: str
    back: Link
    about: str
    figures: tuple[Figure, ...] = ()
    tables: tuple[StatTable, ...] = ()
    fields: tuple[StatField, ...] = ()
    form_url: str = ""
    json_url: str = ""
    few: str = ""
    is_narrow: bool = False
    errors: tuple[str, ...] = ()
