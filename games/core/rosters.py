"""Army lists as people bring and correct them, whatever the game."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.words import Line
from games.core.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One line of an army list as people correct it; `joins` is the index of the row it is attached to.

    `facts` are what only this game asks of it, by the name of their cells. `asks` is what its player still
    has to say about it, `titles` the titles to choose from, if any.
    """

    name: str
    title: str = ""
    kind: str = ""
    cost: int = 0
    wounds: int = 0
    leader: bool = False
    joins: int | None = None
    facts: dict[str, str] = field(default_factory=dict)
    asks: Line | None = field(default=None, compare=False)
    titles: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class RowCell:
    """What a form asks of a row beside its name.

    `name` is a field of `RosterRow`, else of its `facts`. `form` says how it is asked: "text", "number" (0 to
    `most`), "kind" (of the roster's), "joins" (which row) or "leader" (this row or another). With `only`,
    just rows of these kinds are asked.
    """

    name: str
    label: str
    form: str = "text"
    most: int = 99
    only: tuple[str, ...] = ()


ROW_CELLS = (
    RowCell("title", _("Title")),
    RowCell("kind", _("Kind"), "kind"),
    RowCell("joins", _("Joins"), "joins"),
    RowCell("cost", _("Cost"), "number"),
    RowCell("wounds", _("Wounds"), "number"),
    RowCell("leader", _("Commander"), "leader"),
)


@dataclass(frozen=True, slots=True)
class Roster:
    """An army as it was brought: its text, its rows, and what was odd about them (line number, sentence).

    `kinds` are the kinds of row, the first for a new one; `cells` what is asked of each row.
    """

    text: str
    summary: Line
    rows: tuple[RosterRow, ...]
    warnings: tuple[tuple[int, Line], ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    cells: tuple[RowCell, ...] = ROW_CELLS


@dataclass(frozen=True, slots=True)
class Listed:
    """One of several lists in a pasted text: its own text, its title, and what it is in a few words."""

    text: str
    title: str
    summary: Line
