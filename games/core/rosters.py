"""Army lists as people bring and correct them, whatever the game."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.words import Line
from games.core.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One line of an army list as people correct it; `joins` is the index of the row it is attached to.

    `facts` are what only this game has of it, by the name of their cells. `asks` is what its player
    has to say about it, `titles` what its title may be where it is chosen.
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

    `name` is a field of `RosterRow`, else of its `facts`. `form` says how it is asked: "text",
    "number" (0 to `most`), "kind" (of the roster's), "joins" (which row) or "leader" (this row or
    another). With `only`, rows of other kinds are not asked.
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
    RowCell("cost", _("Points"), "number"),
    RowCell("wounds", _("Wounds"), "number"),
    RowCell("leader", _("Commander"), "leader"),
)


@dataclass(frozen=True, slots=True)
class Roster:
    """An army as it was brought: its text, its rows, and what was odd about them (line number, sentence).

    `kinds` are what a row can be, the first for a new one; `cells` what is asked of each.
    """

    text: str
    summary: Line
    rows: tuple[RosterRow, ...]
    warnings: tuple[tuple[int, Line], ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    cells: tuple[RowCell, ...] = ROW_CELLS


@dataclass(frozen=True, slots=True)
class Listed:
    """One of several lists in a pasted text: its own text, what it is called, what it is in a few words."""

    text: str
    title: str
    summary: Line
