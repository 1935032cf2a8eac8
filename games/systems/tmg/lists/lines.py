"""What one line of a pasted army list says, before anybody asks what it means.

Lists come from two builders and from people's hands: bullets of every kind,
`( 6 )`, `(6)`, `[6]` and `6 pts`, attachments indented or after `with`.
A line is cut into its parts in one pass over at most 200 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.core.lists import DASHES, first_rows, unmarked
from games.systems.tmg.lists.catalogue import faction_key, plain

MAX_LINES = 200
MAX_LENGTH = 200

_COST = re.compile(
    r"(?:[(\[（]\s*([-−]?[0-9]{1,3}|[Cc])\s*(?:pts?|points?|p)?\.?\s*[)\]）]"
    r"|\s([0-9]{1,3})\s*(?:pts?|points?)\.?"
    r"|\s[-‐‑‒–—―−:=]\s*([0-9]{1,2}))$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:with\s|w/|\+)\s*", re.IGNORECASE)
_JOIN = re.compile(r"\s(?:with|w/|\+)\s", re.IGNORECASE)
_FOOTERS = ("built on", "built with", "made with", "created with", "find list at", "http://", "https://")
_HEADERS = {
    "faction": "faction",
    "commander": "commander",
    "point": "points",
    "total point": "points",
    "total": "points",
    "activation": "activations",
    "total activation": "activations",
}
_HEADERS |= dict.fromkeys(("list", "list name", "name", "army", "army name"), "name")
_IGNORED = {"player", "mode", "version", "season"}
_TITLES = re.compile(r"\s[-‐‑‒–—―−]\s|\s?[–—―]\s?")
_EDGES = " :," + DASHES


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line, or the part of one after a `with`.

    `words` is the name as written, without bullet and cost, empty if the line is too long
    to be one; `marked` says whether a bullet came before it, `joined` whether its own words
    join it to the unit above; `text` is what to quote. A cost below zero counts as none
    (`is_negative`).
    """

    number: int
    text: str
    words: str = ""
    cost: int | None = None
    indent: int = 0
    marked: bool = False
    joined: bool = False
    is_negative: bool = False


def lines_of(text: str) -> tuple[tuple[ListLine, ...], bool]:
    """The lines of a list that say something, and whether it went on beyond the 200 that are read.

    Horizontal rules, blank lines and a builder's advertisement say nothing.
    """
    rows, is_longer = first_rows(text, MAX_LINES)
    return tuple(line for number, row in enumerate(rows, start=1) for line in _parts(number, row)), is_longer


def headers(text: str) -> dict[str, str] | None:
    """What a heading line states (faction, commander, points, activations), or None for any other line."""
    stated: dict[str, str] = {}
    first = True
    for part in text.split("|"):
        key, colon, value = part.partition(":")
        name = plain(key)
        if first and not (colon and (name in _HEADERS or name in _IGNORED)):
            return None
        first = False
        if colon and name in _HEADERS and value.strip():
            stated[_HEADERS[name]] = value.strip()
    return stated


def bare_faction(line: ListLine) -> str | None:
    """The faction that a line names if it says nothing else, as a title does."""
    return None if line.marked or line.cost is not None else faction_key(line.words)


def split_title(words: str) -> tuple[str, str]:
    """Name and sub-title, from `Robb Stark – The Wolf Lord` or with a comma."""
    dash = _TITLES.search(words)
    if dash:
        return words[: dash.start()].strip(), words[dash.end() :].strip()
    name, _comma, title = words.partition(", ")
    return (name.strip(), title.strip()) if title else (words, "")


def _parts(number: int, row: str) -> Iterator[ListLine]:
    if len(row) > MAX_LENGTH and len(row.strip()) > MAX_LENGTH:
        yield ListLine(number, row.strip()[:MAX_LENGTH])
        return
    spread = row.replace("**", "").replace("__", "").expandtabs(4).rstrip()
    text = spread.lstrip(" #>`")
    if not any(c.isalnum() for c in text) or text.casefold().startswith(_FOOTERS):
        return
    indent = len(spread) - len(text)
    body, marked = unmarked(text)
    joined = _JOINED.match(body)
    first, *others = _JOIN.split(body[joined.end() :] if joined else body)
    yield _part(number, first, indent, marked, bool(joined))
    for other in others:
        yield _part(number, other, indent, False, True)


def _part(number: int, text: str, indent: int, marked: bool, joined: bool) -> ListLine:
    text = text.strip(" `_*")
    cost = _COST.search(text)
    if cost is None:
        return ListLine(number, text, text.rstrip(_EDGES), None, indent, marked, joined)
    worth = next(group for group in cost.groups() if group)
    words = text[: cost.start()].rstrip(_EDGES)
    if worth[0] in "-−":
        return ListLine(number, text, words, None, indent, marked, joined, is_negative=True)
    return ListLine(number, text, words, 0 if worth in "Cc" else int(worth), indent, marked, joined)
