"""Catalogue entries: facts of a game, such as cards, that organisers may add to or change.

The rules never fetch them: the code that loads a position from the database sets its `entries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Facts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """One fact of a catalogue entry: its label, the values it is chosen from (if any), how it is written.

    `among` are the values of which the fact holds one (with only "yes" or nothing it is a tick box). `flags`
    are values of which it holds any number, separated by spaces; a flag that ends in a hyphen takes a number
    after it. `parts` are several values in a row, each with its own choices. `is_listed` heads a column.
    """

    label: str
    among: Mapping[str, str] | None = None
    help: str = ""
    flags: Mapping[str, str] | None = None
    parts: tuple[Mapping[str, str], ...] = ()
    is_listed: bool = False


@dataclass(frozen=True)
class EntryKind:
    """A kind of catalogue entry that a game understands; `title` names all of them, with their game.

    `check` raises `Unreadable` for a slug and facts that the game cannot read; `planted` are the entries that
    ship with the game; `called` says what to call one.
    """

    title: str
    cells: Mapping[str, Cell]
    check: Callable[[str, Facts], object]
    planted: Callable[[], Iterable[tuple[str, Facts]]]
    called: Callable[[Facts], str]


@dataclass(frozen=True, eq=False)
class Entries:
    """All entries of a game as they stood when an action began: by kind, by slug."""

    kinds: Mapping[str, Mapping[str, Facts]]

    def of(self, kind: str) -> Mapping[str, Facts]:
        """The entries of one kind by slug."""
        return self.kinds.get(kind, {})


NONE = Entries({})
