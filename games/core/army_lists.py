"""Reading army lists, for all games: rows made plain, misspelt names, what is not used, and what is read.

A game's own grammar says what the words of a row mean. Whatever it does not use is found here, by its line.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any
from xml.parsers import expat

from games.core.words import Line, Unreadable, say
from games.core.words import gettext_noop as _

DASHES = "-‐‑‒–—―−"
BULLETS = "•◦▪▫‣⁃⁌⁍∙·●○◉■□◆◇❖►▶▸➢➤→›»✓✔✦★☆*~" + DASHES

SURE = 0.86
"""Likeness from which a misspelt name is taken for a known one."""
_APART = 0.04
"""How much closer it must be than the runner-up."""
_LONGEST_COMPARED = 60
_LONGEST_KEY = 40
_LONGEST_ROW = 400
_LONGEST_LIST = 6_000
_FEW_ROWS = 4
"""A text of fewer rows may be a whole list on one line."""
_LEAST_PIECES = 2
"""Not more pieces, or names, are a row that says two things."""
_APOSTROPHES = dict.fromkeys(map(ord, "'’‘‛`´ʼ"))
_NUMBERED = re.compile(r"[0-9]{1,2}(?:[.)、]\s+|[.)、](?=[^\W\d]))")
_STRUCK = re.compile(r"~~(?=\S)(?:(?!~~).)+~~|<(s|del|strike)>.*?</\1>|(?:\S\u0336\s?){2,}", re.IGNORECASE)
"""What somebody has struck out, in the ways of chats, of pages and of phones."""
_TAGS = re.compile(r"\[/?(?:b|i|u|list|\*|(?:size|color|font|quote)(?:=[^\]]{0,40})?)\]", re.IGNORECASE)
"""The tags of forums."""
_PICTURES = ("So", "Sk", "Co")
"""The categories of signs that stand before a line as pictures do: emoji, and icons of a font's own."""
_ATTACHED_SIGNS = "\ufe0f\u200d\u20e3"
_FRAMED = re.compile(
    r"\s*(?:#{1,6}\s*(?P<hashed>.+?)[\s#]*|(?P<sign>\+{1,3}|={2,}|-{3,})\s*(?P<framed>[^\s].*?)\s*(?P=sign))"
)
_SPREAD = re.compile(r"(?<=\s)(?=[•◦▪▫‣⁃●○■□◆❖►▶➤➢✓✔★])|(?<=[)\]][,;|])\s+")
"""Where the next card may begin in a list without lines: before a bullet, or behind a price and a sign."""
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SPOKEN, _LONGEST_NAME = re.compile(r"[^\W_][^\s:;|\[(]*"), 6
_BULLET_BEFORE = re.compile(
    rf"(?<!\S)[.{re.escape(BULLETS)}]\s+(?:[0-9]{{1,2}}\s?[x×]\s+)?$|[0-9]{{1,2}}\s?[x×]\s+$"
)
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "【】〔〕｛｝{}⟨⟩《》⁄∕", "[]()()()()()//"
)
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
    """A row without what is struck out, bold type, full-width signs and tabs; it keeps its indentation."""
    standing = _TAGS.sub("", _STRUCK.sub(" ", row)) if len(row) <= _LONGEST_ROW else row
    plain = narrowed(standing).replace("**", "").replace("__", "").rstrip()
    return _COLUMN.sub(" : ", plain).expandtabs(4)


def unmarked(text: str) -> tuple[str, bool]:
    """A line without its leading bullet or number, and whether it had one."""
    if text[:1] and (text[0] in BULLETS or unicodedata.category(text[0]) in _PICTURES):
        bare = text.lstrip(BULLETS + " " + _ATTACHED_SIGNS)
        return (bare if bare == text or bare[:1].isalnum() else unmarked(bare or " ")[0]), True
    numbered = _NUMBERED.match(text)
    return (text[numbered.end() :], True) if numbered else (text, False)


def framed(row: str) -> str:
    """The words of a heading between signs or behind hashes; "" for any other row."""
    match = _FRAMED.fullmatch(row)
    return "" if match is None else match["hashed"] or match["framed"]


def numbered_rows(
    text: str,
    most: int,
    heads: re.Pattern[str],
    belongs: Callable[[str, str], bool] | None = None,
    knows: Callable[[str], bool] | None = None,
) -> tuple[list[tuple[int, str]], bool]:
    """The first rows of a list by their numbers, and whether it went on.

    A list pasted as one line is taken apart before its bullets and `heads`, behind its prices, and before the
    names that a game `knows`; rows that an app has wrapped are joined where the lower one `belongs` to the
    one above.
    """
    rows, is_longer = first_rows(text, most)
    is_flat = sum(1 for row in rows if row.strip()) < _FEW_ROWS
    whole: list[tuple[int, str]] = []
    for number, row in enumerate(rows, start=1):
        if belongs and whole and row.strip() and whole[-1][0] < number and belongs(whole[-1][1], row):
            whole[-1] = (whole[-1][0], f"{whole[-1][1].rstrip()} {row.strip()}")
            continue
        pieces = _taken_apart(row, heads, knows) if is_flat and len(row) <= _LONGEST_LIST else [row]
        whole += [(number, piece) for piece in pieces]
    return whole, is_longer


def _taken_apart(row: str, heads: re.Pattern[str], knows: Callable[[str], bool] | None) -> list[str]:
    cuts = {edge for head in heads.finditer(row) for edge in (head.start(), head.end("alone")) if edge > 0}
    names = {*_names_in(row, knows)} if knows else set()
    cuts |= names if len(names) > _LEAST_PIECES else set()
    parts = [row[start:end] for start, end in pairwise((0, *sorted(cuts), len(row)))]
    pieces = [piece for part in parts for piece in _SPREAD.split(part) if piece.strip()]
    return pieces if len(pieces) > _LEAST_PIECES else [row]


def _names_in(row: str, knows: Callable[[str], bool]) -> Iterator[int]:
    """Where names begin that a game knows, each as long as it can be, with the bullet before it.

    What stands behind a colon belongs to the name before it.
    """
    words, at = [*_SPOKEN.finditer(row)], 0
    while at < len(words):
        start, ends = words[at].start(), [word.end() for word in words[at : at + _LONGEST_NAME]]
        size = next((size for size in range(len(ends), 0, -1) if knows(row[start : ends[size - 1]])), 0)
        if size and not row[:start].endswith(": "):
            bullet = _BULLET_BEFORE.search(row, 0, start)
            yield bullet.start() if bullet else start
        at += size or 1


class Ledger:
    """The words of a list by their lines, and which of them are not used."""

    def __init__(self, rows: Iterable[tuple[int, str]]) -> None:
        self.rows: dict[int, str] = {}
        self._used: dict[int, set[str]] = {}
        for number, row in rows:
            cut = row if len(row) <= _LONGEST_ROW else f"{row[:_LONGEST_ROW]}…"
            self.rows[number] = f"{self.rows[number]} {cut}" if number in self.rows else cut

    def use(self, number: int, text: str, but: str = "") -> None:
        """Note that the words of this text, on this line, are used; all `but` some."""
        self._used.setdefault(number, set()).update({*_words(text)} - {*_words(but)})

    def drop(self, last: int) -> None:
        """Forget the rows behind this one: a remark says that they were left out."""
        self.rows = {number: row for number, row in self.rows.items() if number <= last}

    def unused(self, needless: Container[str]) -> tuple[Line, ...]:
        """A sentence for each run of words that is not used, unless all of them are `needless`."""
        sentences = (
            say(NOT_USED, line=number, text=phrase)
            for number, row in self.rows.items()
            for phrase in _phrases(row, self._used.get(number, set()), needless)
        )
        return tuple(islice(sentences, _MOST_UNUSED))


def _phrases(row: str, used: Container[str], needless: Container[str]) -> Iterator[str]:
    """The runs of words in a row that are not used, as they are written, from a word that counts to one."""
    start, end = 0, 0
    for word in (*_WORD.finditer(row), None):
        key = folded(word[0]) if word else ""
        if word and key not in used:
            if len(key) > 1 and key not in needless:
                start, end = (start if end else word.start()), word.end()
            continue
        if end:
            is_closed = any(sign in row[start:end] for sign in "([")
            yield row[start : end + is_closed] if row[end : end + 1] in (")", "]") else row[start:end]
        end = 0


def _words(text: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(text)]


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


# --- what a list is once it is read ----------------------------------------------------------------


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


NOT_USED = _("Line %(line)d: “%(text)s” was not used.")
_MOST_UNUSED = 60

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

    `unused` says what of its text stands in no row. `kinds` are the kinds of row, the first for a new one and
    `attachment`, if any, for one that joins another; `cells` what is asked of each row.
    """

    text: str
    summary: Line
    rows: tuple[RosterRow, ...]
    warnings: tuple[tuple[int, Line], ...] = ()
    unused: tuple[Line, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    cells: tuple[RowCell, ...] = ROW_CELLS
    attachment: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """One of several lists in a pasted text: its own text, its title, and what it is in a few words."""

    text: str
    title: str
    summary: Line


def without_unused(
    remarks: Iterable[tuple[int, Line]], rows: Iterable[RosterRow] = ()
) -> tuple[tuple[tuple[int, Line], ...], tuple[Line, ...]]:
    """The remarks on a list, and what of it is not used: not even as the name of one of these rows."""
    every, names = tuple(remarks), {row.name for row in rows}
    unused = (line for _number, line in every if line.message == NOT_USED)
    return (
        tuple((number, line) for number, line in every if line.message != NOT_USED),
        tuple(line for line in unused if line.arguments["text"] not in names),
    )


# --- files that builders save ---------------------------------------------------------------------

_KEPT = {
    *("costLimits", "costLimit", "costs", "cost", "forces", "force", "selections", "selection"),
    *("profiles", "profile", "characteristics", "characteristic", "categories", "category"),
}
_SINGULAR = {"categories": "category"}
_DEEPEST = 60
_MOST_ELEMENTS = 100_000
_LONGEST_FIGURE = 40
_BLANK = "\ufeff \t\n"
"""What may come before a document without being a part of it."""


@dataclass(slots=True)
class Element:
    """An element of a document of a document that says something about an army."""

    tag: str
    attributes: Mapping[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, name: str) -> str:
        """An attribute on one line, "" if there is none."""
        return " ".join(self.attributes.get(name, "").split())

    def within(self, *tags: str) -> Iterator[Element]:
        """The elements at the end of this path of tags."""
        if not tags:
            yield self
            return
        for child in self.children:
            if child.tag == tags[0]:
                yield from child.within(*tags[1:])


def is_document(text: str) -> bool:
    """Whether a text is XML."""
    return text.lstrip(_BLANK).startswith(("<?xml", "<roster", "<!"))


def document_of(text: str) -> Element | None:
    """A document as a tree of elements: XML, or JSON with the same names; None for any other text.

    A document type ends the reading, so there is no entity to expand and nothing to fetch; depth and size
    are bounded.
    """
    if is_document(text):
        return _parsed(text)
    if text.lstrip(_BLANK)[:1] not in ("{", "["):
        return None
    try:
        return _tree("list", json.loads(text.lstrip(_BLANK)), 0)
    except (ValueError, RecursionError):
        return None


def _tree(tag: str, value: Any, depth: int) -> Element:
    if depth > _DEEPEST:
        raise Unreadable(say(_("This file is not a valid roster.")))
    if isinstance(value, dict):
        if tag == "list" and isinstance(value.get("roster"), dict):
            return _tree("roster", value["roster"], depth)
        plain = {key: _figure_text(item) for key, item in value.items() if not isinstance(item, dict | list)}
        parts = [_tree(key, item, depth + 1) for key, item in value.items() if isinstance(item, dict | list)]
        return Element(tag, plain, parts, plain.get("$text", ""))
    if isinstance(value, list):
        return Element(
            tag, {}, [_tree(_SINGULAR.get(tag, tag.removesuffix("s")), item, depth + 1) for item in value]
        )
    return Element(tag, {"name": _figure_text(value)})


def _figure_text(value: object) -> str:
    return "true" if value is True else "" if value is None or value is False else str(value)


class _Builder:
    """Builds the elements worth keeping, and skips whatever is inside others."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.open: list[Element | None] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > _MOST_ELEMENTS or len(self.open) > _DEEPEST:
            raise Unreadable(say(_("This file is not a valid roster.")))
        parent = self.open[-1] if self.open else None
        name = tag.rpartition(":")[2]
        element = None
        if not self.open or (parent is not None and name in _KEPT):
            element = Element(name, attributes)
            if parent is None:
                self.root = element
            else:
                parent.children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def say(self, text: str) -> None:
        element = self.open[-1] if self.open else None
        if element is not None and element.tag == "characteristic" and len(element.text) < _LONGEST_FIGURE:
            element.text += text

    def refuse(self, *_declared: Any) -> None:
        raise Unreadable(say(_("This file declares a document type, which no roster needs.")))


def _parsed(text: str) -> Element | None:
    parser, builder = expat.ParserCreate(), _Builder()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.say
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.EntityDeclHandler = builder.refuse
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(text.lstrip(_BLANK), True)
    except expat.ExpatError:
        raise Unreadable(
            say(_("This roster is damaged or cut off. Please copy or save all of it again."))
        ) from None
    return builder.root


def whole(text: str) -> int:
    """A number such as "16.0" as a whole one; 0 for anything else or an absurd size."""
    digits = text.partition(".")[0].strip()
    is_number = digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit()
    return int(digits) if is_number and len(digits) < 6 else 0
