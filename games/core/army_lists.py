"""Army lists, for all games: how they are read, shown and corrected."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache

from games.core.words import Line
from games.core.words import gettext_noop as _

DASHES = "-‐‑‒–—―−"
BULLETS = "•◦▪▫‣⁃⁌⁍∙·●○◉■□◆◇❖►▶▸➢➤→›»✓✔✦★☆*~" + DASHES

SURE = 0.86
"""Likeness from which a misspelt name is taken for a known one."""
_APART = 0.04
"""How much closer it must be than the runner-up."""
_LONGEST_COMPARED = 60
_LONGEST_KEY = 40
_APOSTROPHES = dict.fromkeys(map(ord, "'’‘‛`´ʼ"))
_NUMBERED = re.compile(r"[0-9]{1,2}(?:[.)、]\s+|[.)、](?=[^\W\d]))")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans("【】⁄∕", "[]//")
_COLUMN = re.compile(r"(?<=\S)[ ]*\t\s*(?=[0-9]{1,2}\s*$)")
"""What is before the last column of a row from a spreadsheet, if that is a price."""


def first_rows(text: str, most: int) -> tuple[list[str], bool]:
    """The first rows of a list, and whether there is any text below the last one read."""
    rows = text.split("\n", most)
    is_longer = len(rows) > most and bool(rows.pop().strip())
    return rows, is_longer


def narrowed(text: str) -> str:
    """A text with the usual signs and digits for full-width ones, as Chinese keyboards write them.

    The slash of a fraction, which phones write between two numbers, is one like any other.
    """
    return text if text.isascii() else text.translate(_WIDE)


def levelled(row: str) -> str:
    """A row of a list without bold type, full-width signs and tabs; its indentation is kept, in spaces."""
    plain = narrowed(row).replace("**", "").replace("__", "").rstrip()
    return _COLUMN.sub(" : ", plain).expandtabs(4)


def unmarked(text: str) -> tuple[str, bool]:
    """A line without its leading bullet or number, and whether it had one."""
    if text[0] in BULLETS:
        return text.lstrip(BULLETS + " "), True
    numbered = _NUMBERED.match(text)
    return (text[numbered.end() :], True) if numbered else (text, False)


def folded(words: str) -> str:
    """Words without what people spell differently: case, accents, quotes, dashes, other punctuation."""
    plain = unicodedata.normalize("NFKD", words.translate(_APOSTROPHES)).casefold().replace("&", " and ")
    plain = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join(plain.split())


class Likeness:
    """How like some folded words other spellings are; words that are too long match nothing."""

    def __init__(self, words: str) -> None:
        self.is_comparable = 0 < len(words) <= _LONGEST_COMPARED
        self._length = len(words)
        self._matcher = SequenceMatcher(autojunk=False)
        self._matcher.set_seq2(words if self.is_comparable else "")

    def to(self, spellings: Iterable[str], least: float) -> float:
        """How alike the closest of these folded spellings is, from 0 to 1; 0 below `least`."""
        if not self.is_comparable:
            return 0.0
        return max((self._to(spelling, least) for spelling in spellings), default=0.0)

    def _to(self, spelling: str, least: float) -> float:
        # Names of such different lengths cannot be that alike; this test is cheaper than the matcher.
        if 2 * min(len(spelling), self._length) < least * (len(spelling) + self._length):
            return 0.0
        self._matcher.set_seq1(spelling)
        if self._matcher.quick_ratio() < least:
            return 0.0
        ratio = self._matcher.ratio()
        return ratio if ratio >= least else 0.0


def surest(scores: Mapping[str, float]) -> str | None:
    """The one name that clearly fits best; None if two come close or there is none."""
    best = sorted(scores.items(), key=lambda scored: -scored[1])[:2]
    if not best or (len(best) == 2 and best[0][1] - best[1][1] < _APART):
        return None
    return best[0][0]


def key_of(name: str, taken: Container[str], kind: str = "unit") -> str:
    """A key for a new piece: its name in lower case and hyphens, numbered if that is taken."""
    stem = _stem(name, kind)
    number, key = 1, stem
    while key in taken:
        number += 1
        key = f"{stem}-{number}"
    return key


@lru_cache(maxsize=1024)
def _stem(name: str, kind: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")[:_LONGEST_KEY].strip("-")
    return plain if plain[:1].isalpha() else f"{kind}-{plain}".strip("-")


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
