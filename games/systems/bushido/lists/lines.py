"""What one line of a pasted warband says, before anybody asks what it means.

Lists come from two builders and from people's hands: `[5 Rice]`, `(5)`, `5 rice`, `2x`, bullets of every
kind, options after a colon, and our own plain form with semicolons. A line is cut in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.core.lists import DASHES, first_rows, unmarked

MAX_LINES = 500
MAX_LENGTH = 1_000
MAX_COUNT = 20

_RICE = re.compile(
    r"[\[(（]\s*([-−]?[0-9]{1,6})(?:\s*/\s*([0-9]{1,6}))?(?:\.0+)?\s*(?:rice|r|pts?|points?)?\.?\s*[\])）]"
    rf"|\s[{DASHES}:=]?\s*([-−]?[0-9]{{1,6}})\s*(?:rice|pts?|points?)\b"
    rf"|\s[{DASHES}:=]\s*([0-9]{{1,2}})$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([0-9]{1,6})\s*[x×]\s+", re.IGNORECASE)
_AFTER = re.compile(r"\s+[x×]\s*([0-9]{1,6})$", re.IGNORECASE)
_NUMBER = re.compile(r"[-−]?[0-9]{1,6}")
_FOOTERS = ("created with", "made with", "built with", "exported with", "http://", "https://")
_EDGES = " :,;" + DASHES
_FRILLS = " #>`*_|"


@dataclass(frozen=True, slots=True)
class WarbandLine:
    """One line: its words, without bullet, rice and count, and whatever else it says.

    `head` is a heading's text ("" for none): builders frame it with plus signs, people with hashes.
    `options` are the parts after a colon. `figures` are the plain form's Ki with cap, and wounds: they alone
    show for certain that a line is a model (`is_plain` marks any line of that form). An impossible count,
    rice or name is dropped; `odd` says which of them it was.
    """

    number: int
    text: str
    words: str = ""
    rice: int | None = None
    count: int = 1
    indent: int = 0
    marked: bool = False
    below: bool = False
    head: str = ""
    options: tuple[WarbandLine, ...] = ()
    figures: tuple[str, str] | None = None
    is_plain: bool = False
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Worth:
    """A sum of rice in brackets: where it is in the text, how much it is, and of what limit."""

    start: int
    end: int
    rice: int
    limit: int | None


def lines_of(text: str) -> tuple[tuple[WarbandLine, ...], bool]:
    """The lines of a list that say something, and whether it went on beyond those that are read."""
    rows, is_longer = first_rows(text, MAX_LINES)
    return tuple(line for number, row in enumerate(rows, start=1) for line in _lines(number, row)), is_longer


def worth_in(text: str) -> Worth | None:
    """The first sum of rice that a text names, in brackets or by its unit."""
    found = _RICE.search(text)
    if found is None:
        return None
    number = found[1] or found[3] or found[4]
    limit = int(found[2]) if found[2] else None
    return Worth(found.start(), found.end(), int(number.replace("−", "-")), limit)


def _lines(number: int, row: str) -> Iterator[WarbandLine]:
    spread = row.replace("**", "").replace("__", "").expandtabs(4).rstrip()
    text = spread.lstrip()
    if not any(c.isalnum() for c in text) or text.strip(_FRILLS).casefold().startswith(_FOOTERS):
        return
    if len(text) > MAX_LENGTH:
        yield WarbandLine(number, text[:MAX_LENGTH], text[:MAX_LENGTH], odd="long")
        return
    head = _head(text)
    if head:
        yield WarbandLine(number, text, head=head)
        return
    indent = len(spread) - len(text)
    body, marked = unmarked(text.lstrip("#>`| "))
    below = body.startswith(". ")
    yield _cut(number, body.removeprefix(". ").strip(), indent, marked, below)


def _head(text: str) -> str:
    """The words of a heading, framed by plus signs or introduced by hashes; "" for any other line."""
    bare = text.strip("#> ")
    if bare.startswith("+") and (bare.endswith("+") or bare.startswith("++")):
        return bare.strip()
    return f"# {bare}" if text.startswith("#") else ""


def _cut(number: int, text: str, indent: int, marked: bool, below: bool = False) -> WarbandLine:
    if ";" in text:
        return _plain(number, text, indent, marked)
    before = _BEFORE.match(text)
    count = int(before[1]) if before else 1
    rest = text[before.end() :] if before else text
    worth = worth_in(rest)
    words, rice, behind = rest, None, ""
    if worth:
        words, rice, behind = rest[: worth.start], worth.rice, rest[worth.end :]
    words = words.rstrip(_EDGES)
    after = _AFTER.search(words) or _AFTER.search(behind)
    if after and not before:
        count, words, behind = int(after[1]), _AFTER.sub("", words), _AFTER.sub("", behind)
    options = _options(number, behind) if behind.lstrip().startswith((":", "+", "with ")) else ()
    odd = _odd(rice, count)
    return WarbandLine(
        number, text, words.strip(), _rice(rice), _count(count), indent, marked, below, "", options, odd=odd
    )


def _plain(number: int, text: str, indent: int, marked: bool) -> WarbandLine:
    """A line of the plain form: name; rice; Ki/cap; wounds; count. Only the name is required."""
    name, rice, ki, wounds, count, *_rest = [part.strip() for part in text.split(";")] + [""] * 4
    figures = (ki, wounds) if text.count(";") > 1 else None
    amount = int(rice.replace("−", "-")) if _NUMBER.fullmatch(rice) else None
    models = int(count) if count.isascii() and count.isdigit() and len(count) < 7 else 1 if not count else -1
    odd = "rice" if rice and amount is None else _odd(amount, models)
    return WarbandLine(
        number,
        text,
        name,
        _rice(amount),
        _count(models),
        indent,
        marked,
        figures=figures,
        is_plain=True,
        odd=odd,
    )


def _options(number: int, text: str) -> tuple[WarbandLine, ...]:
    """The parts after a colon; a comma inside brackets separates nothing."""
    parts, depth, part = [], 0, ""
    for letter in text.strip(" :+").removeprefix("with "):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    found = (part.strip() for part in [*parts, part])
    return tuple(_cut(number, part, 0, False, below=True) for part in found if any(map(str.isalnum, part)))


def _rice(stated: int | None) -> int | None:
    return None if stated is None or not 0 <= stated <= 99 else stated


def _count(stated: int) -> int:
    return min(max(stated, 1), MAX_COUNT)


def _odd(rice: int | None, count: int) -> str:
    if rice is not None and _rice(rice) is None:
        return "negative" if rice < 0 else "rice"
    return "count" if _count(count) != count else ""
