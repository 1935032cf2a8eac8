"""What one line of a pasted warband says, before anybody asks what it means.

Lists come from two builders and from people's hands: `[5 Rice]`, `(5)`, `5 rice`, `2x`, bullets of every
kind, options after a colon, and our own plain form with semicolons. A line is cut in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.core.army_lists import DASHES, first_rows, levelled, unmarked

MAX_LINES = 500
MAX_LENGTH = 1_000
MAX_COUNT = 20
_REACH = 200
"""How far behind the beginning of a card its rice is looked for: farther than any name is long."""

_UNITS = r"rice|reis|米|pts?|points?|pkte?|punkte?|分|点"
_RICE = re.compile(
    rf"[\[(]\s*([-−]?[0-9]{{1,6}})(?:\s*/\s*([0-9]{{1,6}}))?(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?\s*[\])]"
    rf"|[\s:=][{DASHES}:=]?\s*([-−]?[0-9]{{1,6}})\s*(?:{_UNITS})(?!\w)"
    rf"|\s[{DASHES}:=]\s*([0-9]{{1,2}})$"
    rf"|[:=,|]\s*([0-9]{{1,2}})$"
    rf"|(?<=[^\W\d_])([0-9]{{1,2}})\s*[米分点](?!\w)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<!\s[x×])\s+([0-9]{1,2})(?=\s*(?:[+&,]|with |w/|w |mit |[带配]|$))", re.IGNORECASE)
"""A number behind a name with nothing around it, at the end or before further cards."""
_FRONT = re.compile(
    rf"[\[(]\s*([0-9]{{1,2}})\s*(?:{_UNITS}|r)?\.?\s*[\])]\s*[{DASHES}:=]?\s*(?=[^\W\d])"
    rf"|([0-9]{{1,2}})\s*(?:{_UNITS}|r)(?!\w)\.?\s*[{DASHES}:=]?\s*(?=[^\W\d])"
    rf"|([1-9][0-9]|[6-9])(?:\s*[{DASHES}:=]\s*|\s+)(?=[^\W\d])",
    re.IGNORECASE,
)
"""Rice that stands before its name; a small number with nothing around it may be anything else."""
_PRICE = re.compile(rf"[\[(]?\s*([0-9]{{1,6}})(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?\s*[\])]?", re.IGNORECASE)
_BEFORE = re.compile(r"([0-9]{1,6})\s*[x×]\s+", re.IGNORECASE)
_AFTER = re.compile(r"\s+[x×]\s*([0-9]{1,6})$", re.IGNORECASE)
_NUMBER = re.compile(r"[-−]?[0-9]{1,6}")
_FOOTERS = ("created with", "made with", "built with", "exported with", "http://", "https://")
_EDGES = " :,;|" + DASHES
_WORDS = ("with ", "w/", "w ", "mit ", "带", "配")
"""What may stand between a model and what it carries."""
_JOINS = (":", "+", ",", "&", *_WORDS)
"""What may follow a card's rice, before further cards."""
_BLANKS = re.compile(r"\s{2,}")
_JOINED = re.compile(r"\s*[:+,&带配]|\s+(?:with |w/|w |mit )", re.IGNORECASE)
_CARRIED = re.compile(r" (w/|with |w |mit |\+ )| ?([带配])", re.IGNORECASE)
"""The same in the name of a card, before its rice."""
_FRILLS = " #>`*_|"


@dataclass(frozen=True, slots=True)
class WarbandLine:
    """One line: its words, without bullet, rice and count, and whatever else it says.

    `head` is a heading's text ("" for none): builders frame it with plus signs, people with hashes.
    `options` are the parts after a colon. `figures` are the plain form's Ki with cap, and wounds: they alone
    show for certain that a line is a model (`is_plain` marks any line of that form). An impossible count,
    rice or name is dropped; `odd` says which of them it was. `is_loose` rice makes no unknown name a card.
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
    is_loose: bool = False


@dataclass(frozen=True, slots=True)
class Worth:
    """A sum of rice: where it is in the text, how much it is, and of what limit.

    It is loose right behind a colon or a comma, where numbers of other things may stand.
    """

    start: int
    end: int
    rice: int
    limit: int | None
    is_loose: bool = False


def lines_of(text: str) -> tuple[tuple[WarbandLine, ...], bool]:
    """The lines of a list that say something, and whether it went on beyond those that are read."""
    rows, is_longer = first_rows(text, MAX_LINES)
    return tuple(line for number, row in enumerate(rows, start=1) for line in _lines(number, row)), is_longer


def worth_in(text: str) -> Worth | None:
    """The first sum of rice that a text names, in brackets or by its unit."""
    found = _RICE.search(text)
    if found is None:
        return None
    number = found[1] or found[3] or found[4] or found[5] or found[6]
    limit = int(found[2]) if found[2] else None
    return Worth(found.start(), found.end(), int(number.replace("−", "-")), limit, found[5] is not None)


def price_of(cell: str) -> int | None:
    """The rice that a text states which holds nothing else, such as `16`, `(16)` or `16 Rice`."""
    found = _PRICE.fullmatch(cell)
    return int(found[1]) if found else None


def _lines(number: int, row: str) -> Iterator[WarbandLine]:
    spread = levelled(row)
    # Looking for rice takes the square of the time that a run of blanks is long.
    text = _BLANKS.sub(" ", spread.lstrip())
    if not any(c.isalnum() for c in text) or text.strip(_FRILLS).casefold().startswith(_FOOTERS):
        return
    if len(text) > MAX_LENGTH:
        yield WarbandLine(number, text[:MAX_LENGTH], text[:MAX_LENGTH], odd="long")
        return
    head = _head(text)
    if head:
        yield WarbandLine(number, text, head=head)
        return
    indent = len(spread) - len(spread.lstrip())
    body, marked = unmarked(text.strip("#>`| "))
    below = body.startswith(". ")
    yield _cut(number, body.removeprefix(". ").strip(), indent, marked, below)


def _head(text: str) -> str:
    """The words of a heading, framed by plus signs or introduced by hashes; "" for any other line."""
    bare = text.strip("#> ")
    if bare.startswith("+") and (bare.endswith("+") or bare.startswith("++")):
        return bare
    return f"# {bare}" if text.startswith("#") else ""


def _cut(number: int, text: str, indent: int, marked: bool, below: bool) -> WarbandLine:
    body, _semicolon, more = text.partition(";")
    if more.strip("; ") or (";" in text and worth_in(body) is None):
        return _plain(number, text, indent, marked)
    line, behind = _card(number, body.rstrip(), below)
    return replace(line, indent=indent, marked=marked, options=tuple(_options(number, behind)))


def _card(number: int, text: str, below: bool) -> tuple[WarbandLine, str]:
    """The first card of a line, and what joins it from behind its rice."""
    before = _BEFORE.match(text)
    rest = text[before.end() :] if before else text
    worth = price_in(rest)
    words, rice, behind = (rest[: worth.start], worth.rice, rest[worth.end :]) if worth else (rest, None, "")
    if worth and not words.strip():
        words, behind = _named_behind(behind)
    words, behind = words.rstrip(_EDGES), behind.lstrip()
    joins = behind if behind.startswith(_JOINS) or worth_in(behind) else ""
    after = _AFTER.search(words) or (None if joins else _AFTER.search(f" {behind}"))
    counted = before or after
    count = int(counted[1]) if counted else 1
    words = words if before else _AFTER.sub("", words)
    is_loose = worth is not None and worth.is_loose
    line = WarbandLine(
        number,
        text,
        words,
        _rice(rice),
        _count(count),
        below=below,
        odd=_odd(rice, count),
        is_loose=is_loose,
    )
    return line, joins


def price_in(text: str) -> Worth | None:
    """What a card costs: a sum of rice, or a number right behind the name or before it."""
    near = text[:_REACH]
    front, bare = _FRONT.match(near), _BARE.search(near)
    has_sign = front is not None and front[3] is None
    worth = None if has_sign else worth_in(near[: bare.end()] if bare else near)
    if worth is None and front:
        return Worth(0, front.end(), int(front[1] or front[2] or front[3]), None, is_loose=True)
    return worth or (Worth(bare.start(), bare.end(), int(bare[1]), None, is_loose=True) if bare else None)


def _named_behind(text: str) -> tuple[str, str]:
    """The name that follows its rice, and what joins it from behind."""
    joined = _JOINED.search(text)
    return (text[: joined.start()], text[joined.start() :]) if joined else (text, "")


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


def _options(number: int, text: str) -> Iterator[WarbandLine]:
    """The cards behind another's rice: after a sign that joins them, or with rice of their own."""
    for part in _parted(text):
        joins = part
        while joins:
            bare = _without_word(joins.strip(" :+,&" + DASHES))
            line, joins = _card(number, bare, below=True)
            if any(map(str.isalnum, line.words)):
                yield line


def _without_word(text: str) -> str:
    """A card without the word that joins it to its bearer."""
    return next((text[len(word) :].lstrip() for word in _WORDS if text.casefold().startswith(word)), text)


def carried(line: WarbandLine) -> tuple[WarbandLine, bool] | None:
    """A line whose name holds what its model carries, as in `Kizoko w/ Lantern (17)`, in its parts.

    Only `w/` is certain to be no part of a name.
    """
    found = _CARRIED.search(line.words)
    if found is None or not found.start():
        return None
    options = _options(line.number, line.words[found.end() :].replace(" + ", ", "))
    parted = replace(line, words=line.words[: found.start()], options=(*options, *line.options))
    return parted, found[1] is not None and found[1].casefold() == "w/"


def _parted(text: str) -> Iterator[str]:
    """The parts between commas; a comma inside brackets separates nothing."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _rice(stated: int | None) -> int | None:
    return None if stated is None or not 0 <= stated <= 99 else stated


def _count(stated: int) -> int:
    return min(max(stated, 1), MAX_COUNT)


def _odd(rice: int | None, count: int) -> str:
    if rice is not None and _rice(rice) is None:
        return "negative" if rice < 0 else "rice"
    return "count" if _count(count) != count else ""
