"""Replay: the board of one moment, and the way from it to the others."""

from __future__ import annotations

from typing import Any

from games.core.words import ViewModel
from games.view_models.board import Board
from games.view_models.controls import Option
from games.view_models.frame import Link, Share
from games.view_models.score import Stroke


class Way(ViewModel):
    """A step to another moment; `version` is 0 and `url` "" if there is none that way."""

    label: str
    icon: str
    version: int = 0
    url: str = ""


class Moment(ViewModel):
    """What happened at one moment, and where to go from there: everything that is fetched with its board.

    `place` says where in the match it is ("Round 2 · 57/214"), `lines` are the sentences of the log,
    `mark` and `who` say whose action it was. `undone` says that it was undone later, "" if it was not. `asks`
    is the open question, `asked` the mark of its seat. `words` are read out: where, and what. `link_url` is
    the full address of this moment. `practice_url` opens a practice table, "" if none can be opened;
    `practice` says where it begins.
    """

    version: int
    place: str
    who: str
    mark: int
    lines: tuple[str, ...]
    undone: str
    asks: str
    asked: int
    words: str
    first: Way
    back: Way
    onward: Way
    last: Way
    link_url: str
    practice_url: str = ""
    practice: str = ""


class Label(ViewModel):
    """A word under a drawing, at `x` per cent of its width."""

    x: float
    text: str


class Course(ViewModel):
    """The points of all seats over the whole match, under a slider: lines in a box of 1000 by 100.

    `rounds` label where each round begins, `text` says in a sentence what the drawing shows.
    """

    text: str
    strokes: tuple[Stroke, ...]
    rounds: tuple[Label, ...] = ()


class Select(ViewModel):
    """A select of the form: its field, its label, its options."""

    name: str
    label: str
    options: tuple[Option, ...]


class ReplayPage(ViewModel):
    """`record/replay.html` around a `Board` and its `Moment`.

    `url` is what the form requests; `last` is the newest version. `eyes` lead to what everybody, or a seat of
    this phone, saw; `fixed` are fields that the form keeps. `key` lets opening a practice table be repeated.
    """

    title: str
    code: str
    back: Link
    url: str
    last: int
    board: Board
    moment: Moment
    course: Course
    choices: tuple[Select, ...]
    skips: bool
    has_undone: bool
    eyes: tuple[Link, ...]
    fixed: tuple[tuple[str, str], ...]
    key: str
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    share: Share | None = None
