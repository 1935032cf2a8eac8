"""What each line of a warband's list says by itself: a card with its rice and figures, or a heading.

A row of a table becomes a line like any other; the headings of its columns say what its cells are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from games.core import DASHES, PIECE_GRAPHEMES, levelled, narrowed, numbered_rows, unmarked
from games.systems.bushido.lists.warband_cards import (
    MODEL,
    RONIN,
    Catalogue,
    Found,
    faction_of,
    plain,
    vocabulary,
)
from games.systems.bushido.rules import figures

MAX_LINES = 500
MAX_LENGTH = 1_000
MAX_COUNT = 20

# --- cards ----------------------------------------------------------------------------------------

_REACH = 200
"""How far behind the beginning of a card its rice is looked for: farther than any name is long."""
_UNITS = r"(?:rice|reis|米|pts?|points?|pkte?|punkte?|分|点)"
_SUM = rf"([0-9]{{1,6}})(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?"
_RICE = re.compile(
    rf"[\[(]\s*([-−]?[0-9]{{1,6}})(?:\s*/\s*([0-9]{{1,6}}))?(?:[.,]0+)?\s*(?:{_UNITS}|r)?\.?\s*[\])]"
    rf"|[\s:=][{DASHES}:=]?\s*([-−]?[0-9]{{1,6}})\s*{_UNITS}(?!\w)"
    rf"|\s[{DASHES}:=]\s*([0-9]{{1,2}})$|[:=,|]\s*([0-9]{{1,2}})$"
    rf"|(?<=[^\W\d_])([0-9]{{1,2}})\s*[米分点](?!\w)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<!\s[x×])\s+([0-9]{1,2})(?=\s*(?:[+&,]|with |w/|w |mit |[带配]|$))", re.IGNORECASE)
"""A number behind a name with nothing around it, at the end or before further cards."""
_FRONT = re.compile(
    rf"(?:[\[(]\s*([0-9]{{1,2}})\s*(?:{_UNITS}|r)?\.?\s*[\])]|([0-9]{{1,2}})\s*(?:{_UNITS}|r)(?!\w)\.?)"
    rf"\s*[{DASHES}:=]?\s*(?=[^\W\d])|([1-9][0-9]|[6-9])(?:\s*[{DASHES}:=]\s*|\s+)(?=[^\W\d])",
    re.IGNORECASE,
)
"""Rice that stands before its name; a small number with nothing around it may be anything else."""
_PRICE = re.compile(rf"[\[(]?\s*{_SUM}\s*[\])]?", re.IGNORECASE)
_BEFORE = re.compile(r"([0-9]{1,6})\s*[x×]\s+", re.IGNORECASE)
_AFTER = re.compile(r"\s+[x×]\s*([0-9]{1,6})$", re.IGNORECASE)
_NUMBER = re.compile(r"[-−]?[0-9]{1,6}")
_EDGES = " :,;|" + DASHES
_JOIN = re.compile(r"[:+,&带配]|with |w/|w |mit ", re.IGNORECASE)
"""What may join a card to the one before it."""
_JOINED = re.compile(r"\s*[:+,&带配]|\s+(?:with |w/|w |mit )", re.IGNORECASE)
_COMMA = re.compile(r",(?![^(\[]*[)\]])")


@dataclass(slots=True, eq=False)
class Entry:
    """A card as a list writes it, and those below it.

    `figures` are the Ki with its cap and the wounds of the plain form (`is_plain`): they alone show for
    certain that it is a model. An impossible cost or count is dropped; `odd` says which of them it was.
    Whether an unknown name `is_card` shows in how it is written.
    """

    line: int
    text: str
    words: str
    rice: int | None = None
    count: int = 1
    odd: str = ""
    figures: tuple[str, str] | None = None
    is_plain: bool = False
    is_card: bool = False
    section: str = ""
    found: Found | None = None
    below: list[Entry] = field(default_factory=list)

    @property
    def is_model(self) -> bool:
        """Whether the catalogue or the plain form says that it is a model."""
        return self.figures is not None or (self.found is not None and not self.found.guessed)

    @property
    def own_rice(self) -> int:
        """What the catalogue says that it costs."""
        return self.found.profile.rice if self.found else 0


class Worth(NamedTuple):
    """A sum of rice: where it is in a text, how much of what limit; loose where other numbers may stand."""

    start: int
    end: int
    rice: int
    limit: int | None = None
    is_loose: bool = False


def worth_in(text: str) -> Worth | None:
    """The first sum of rice that a text names, in brackets or by its unit."""
    match = _RICE.search(text)
    if match is None:
        return None
    first, limit, *others = match.groups()
    rice = int(next(filter(None, (first, *others))).replace("−", "-"))
    return Worth(match.start(), match.end(), rice, int(limit) if limit else None, match[5] is not None)


def price_in(text: str) -> Worth | None:
    """What a card costs: a sum of rice, or a number right behind the name or before it."""
    near = text[:_REACH]
    front, bare = _FRONT.match(near), _BARE.search(near)
    worth = None if front and not front[3] else worth_in(near[: bare.end()] if bare else near)
    if worth is None and front:
        return Worth(0, front.end(), int(front[1] or front[2] or front[3]), is_loose=True)
    return worth or (Worth(bare.start(), bare.end(), int(bare[1]), is_loose=True) if bare else None)


def card(number: int, text: str) -> tuple[Entry, str]:
    """The first card of a line, and what joins it from behind its rice."""
    before = _BEFORE.match(text)
    rest = text[before.end() :] if before else text
    worth = price_in(rest)
    words, behind = (rest[: worth.start], rest[worth.end :]) if worth else (rest, "")
    if worth and not words.strip():
        joined = _JOINED.search(behind)
        at = joined.start() if joined else len(behind)
        words, behind = behind[:at], behind[at:]
    words, behind = words.rstrip(_EDGES), behind.lstrip()
    joins = behind if _JOIN.match(behind) or worth_in(behind) else ""
    counted = before or _AFTER.search(words) or (None if joins else _AFTER.search(f" {behind}"))
    words = words if before else _AFTER.sub("", words)
    entry = _entry(number, text, words, worth.rice if worth else None, int(counted[1]) if counted else 1)
    entry.is_card |= worth is not None and not worth.is_loose
    return entry, joins


def joined(number: int, text: str) -> Iterator[Entry]:
    """The cards behind another: between commas, but not in brackets, and without the word that joins them."""
    for part in _COMMA.split(text):
        rest = part
        while rest:
            bare = rest.strip(" :+,&" + DASHES)
            join = _JOIN.match(bare)
            entry, rest = card(number, bare[join.end() :].lstrip() if join else bare)
            if any(map(str.isalnum, entry.words)):
                yield entry


def _entry(number: int, text: str, words: str, rice: int | None, count: int) -> Entry:
    models = min(max(count, 1), MAX_COUNT)
    odd = "" if models == count else "count"
    if rice is not None and not 0 <= rice <= 99:
        odd, rice = "negative" if rice < 0 else "rice", None
    return Entry(number, text, words, rice, models, odd, is_card=bool(odd))


def _plain(number: int, text: str) -> Entry:
    """A line of the plain form: name; rice; Ki/cap; wounds; count. Only the name is required."""
    cells = text.split(";")[: len(_USUAL)]
    name, rice, ki, wounds, count = (*(cell.strip() for cell in cells), *[""] * (len(_USUAL) - len(cells)))
    amount = int(rice.replace("−", "-")) if _NUMBER.fullmatch(rice) else None
    models = int(count or 1) if (count or "1").isascii() and (count or "1").isdigit() else -1
    entry = _entry(number, ";".join(cells), name, amount, models if len(count) < 7 else -1)
    entry.odd = "rice" if rice and amount is None else entry.odd
    entry.figures = (ki, wounds) if text.count(";") > 1 else None
    entry.is_plain = entry.is_card = True
    return entry


# --- rows -----------------------------------------------------------------------------------------

_HEADS = re.compile(
    r"(?<!\S)(?P<alone>\+\+\s[^+]+\s\+\+(?!\S)|\+\s[^+]+\scards\s\+(?!\S)"
    r"|(?:profile|theme|event|terrain|equipment|enhancement|reference) cards(?!\S))|(?<!\S)(?=#+\s)"
    r"|(?<!\S)(?:faction|fraktion|theme|limit|total|name|warband)\s?:"
    r"|(?<!\S)(?=(?:created|made|built|exported) with\s)",
    re.IGNORECASE,
)
"""Where headings begin in a list without lines; a heading `alone` ends before the next word."""
_FOOTERS = ("created with", "made with", "built with", "exported with", "http://", "https://")
_BLANKS = re.compile(r"\s{2,}")
TABLE = "|"
"""The frame of a row that names the columns of a table."""


class Row(NamedTuple):
    """A line without its bullet, or without the `frame` of a heading: "#", "+", "++", or that of a table."""

    number: int
    text: str
    indent: int = 0
    is_marked: bool = False
    is_below: bool = False
    frame: str = ""

    def card(self, text: str) -> tuple[Entry, str]:
        """The first card of this line, whose words may be these, and what joins it from behind."""
        body, semicolon, more = text.partition(";")
        if more.strip("; ") or (semicolon and worth_in(body) is None):
            return _plain(self.number, text), ""
        entry, behind = card(self.number, body.rstrip())
        entry.is_card |= self.is_marked
        return entry, behind


def numbered(text: str, catalogue: Catalogue | None = None) -> tuple[list[tuple[int, str]], bool]:
    """The rows of a list by number, and whether it goes on; a catalogue tells which an app has wrapped."""
    if catalogue is None:
        return numbered_rows(text, MAX_LINES, _HEADS)
    return numbered_rows(text, MAX_LINES, _HEADS, partial(_belongs, catalogue), catalogue.knows)


def _belongs(catalogue: Catalogue, above: str, row: str) -> bool:
    """Whether a row goes on with the name of the row above it, or has its rice."""
    if max(len(above), len(row)) > _REACH:
        return False
    upper, lower = row_of(0, above), row_of(0, row)
    name, more = upper.card(upper.text)[0], lower.card(lower.text)[0]
    if upper.frame or not name.words or name.is_plain or name.rice is not None:
        return False
    if row.strip()[:1] in ("[", "(") and _PRICE.fullmatch(row.strip()):
        return True
    if lower.frame or lower.is_marked or not more.words or ":" in above:
        return False
    is_both = catalogue.knows(name.words) and catalogue.knows(more.words)
    return not is_both and catalogue.begins(f"{name.words} {more.words}")


def rows_in(rows: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """The rows of a list that say something."""
    sign, columns = "", _NO_COLUMNS
    for number, row in rows:
        bare = narrowed(row) if len(row) <= MAX_LENGTH else ""
        if headed := _headed(bare):
            sign, columns = headed
            yield Row(number, bare, frame=TABLE)
        elif (line := row_of(number, _line_of(bare, sign, columns) or row)).text:
            yield line


def row_of(number: int, text: str) -> Row:
    """One row of a list; it has no text if it says nothing."""
    spread = levelled(text)
    # Looking for rice takes the square of the time that a run of blanks is long.
    text = _BLANKS.sub(" ", spread.lstrip())[:MAX_LENGTH].strip(">`| ")
    if not any(map(str.isalnum, text)) or text.strip(" #*_").casefold().startswith(_FOOTERS):
        return Row(number, "")
    bare = text.strip("# ")
    is_framed = bare.startswith("+") and (bare.endswith("+") or bare.startswith("++"))
    if frame := bare[: bare.startswith("++") + 1] if is_framed else text[: text.startswith("#")]:
        return Row(number, bare.strip("+ "), frame=frame)
    body, is_marked = unmarked(text.strip("#>`| "))
    indent, is_below = len(spread) - len(spread.lstrip()), body.startswith(". ")
    return Row(number, body.removeprefix(". ").strip(), indent, is_marked, is_below)


# --- tables ---------------------------------------------------------------------------------------

_FIGURES = {"rice", "ki", "cap", "wounds"}
_USUAL = ("name", "rice", "ki", "wounds", "count")
"""The columns of a table without headings whose third has Ki with its cap: those of the plain form."""
_NO_COLUMNS: tuple[str, ...] = ()
_SPREAD = "  "
_MOST_CELLS, _LONGEST_HEADING = 20, 30
_COLUMN_SPACES = re.compile(r"  +")
_KI_CELL = re.compile(r"(?:[0-9]{1,2}|[xX])\s*/\s*(?:[0-9]{1,2}|[*∞])")
_COUNTED = re.compile(r"[x×]?\s*([0-9]{1,6})\s*[x×]?", re.IGNORECASE)


def _headed(row: str) -> tuple[str, tuple[str, ...]] | None:
    """The sign between the columns of a row of headings, and what they hold; None for any other row."""
    for sign in ("\t", "|", ";", ",", _SPREAD):
        cells = _cells(row, sign) if sign in row else []
        if not 2 <= len(cells) <= _MOST_CELLS or any(len(cell) > _LONGEST_HEADING for cell in cells):
            continue
        columns = tuple(vocabulary("columns").get(plain(cell), "") for cell in cells)
        figured = sum(column in _FIGURES for column in columns)
        if ("name" in columns and figured) or (figured > 1 and not columns[0]):
            return sign, columns if "name" in columns else ("name", *columns[1:])
    return None


def _cells(row: str, sign: str) -> list[str]:
    """The cells of a row, without the bars around it, without bold type and needless blanks."""
    bare = row.replace("**", "").replace("__", "").strip(" ")
    if sign == "|" and bare.startswith("|"):
        bare = bare[1:].removesuffix("|")
    cells = _COLUMN_SPACES.split(bare) if sign == _SPREAD else bare.split(sign)
    if '"' in bare and sign != _SPREAD:
        with suppress(csv.Error, StopIteration):
            cells = next(csv.reader([bare], delimiter=sign))
    return [" ".join(cell.split()) for cell in cells]


def _line_of(row: str, sign: str, columns: tuple[str, ...]) -> str | None:
    """A row of a table as a line; None if it does not fit these columns, or the usual ones without."""
    if columns:
        return _as_line(_cells(row, sign), columns, row[: len(row) - len(row.lstrip(" "))])
    for usual in (usual for usual in "\t|," if usual in row):
        cells = _cells(row.lstrip("\t"), usual)
        if 3 <= len(cells) <= len(_USUAL) and _KI_CELL.fullmatch(cells[2]):
            return _as_line(cells, _USUAL[: len(cells)], "")
    return None


def _as_line(cells: list[str], columns: tuple[str, ...], indent: str) -> str | None:
    """A row in the plain form, or as a card with its rice if it has no figures; None if it does not fit."""
    while len(cells) > len(columns) and not cells[0]:  # A tab before the first column indents its row.
        cells, indent = cells[1:], f"{indent}  "
    cell = dict.fromkeys(("name", "rice", "ki", "cap", "wounds", "count", "gear", "kind"), "")
    for column, text in reversed(list(zip(columns, cells, strict=False))):
        cell[column] = "" if text in ("-", "–", "—") else text.replace(";", ",")
    name, ki, wounds = cell["name"], "".join((cell["ki"] or cell["cap"]).split()), cell["wounds"]
    ki += "" if "/" in ki or not cell["ki"] else f"/{cell['cap'] or '?'}"
    rice, count = _PRICE.fullmatch(cell["rice"] or "0"), _COUNTED.fullmatch(cell["count"] or "1")
    if len(cells) != len(columns) or not rice or not count or not any(map(str.isalpha, name)):
        return None
    if vocabulary("sums").get(plain(name)) == "total":
        return f"{name}: {rice[1]}"
    if None in (*figures.split_ki(ki), figures.wounds(wounds)):
        return None
    name += f" w/ {cell['gear']}" if cell["gear"] else ""
    price = f" [{rice[1]}]" if cell["rice"] else ""
    section, is_sure = section_of(cell["kind"])
    if section not in ("", MODEL, NOTHING):
        return f"{cell['kind']}{'' if is_sure else ' cards'}: {name}{price}"
    if ki or wounds:
        return f"{indent}{name};{rice[1] if price else ''};{ki};{wounds};{count[1]}"
    times = f"{count[1]}x " if cell["count"] not in ("", "1") else ""
    return f"{indent}{times}{name}{price}"


# --- headings -------------------------------------------------------------------------------------

NOTHING = "nothing"
"""A section that holds no cards: the builder's own switches."""
_SECTION = re.compile(r"(?:faction|ronin)?(.*?)s?(cards?)?")
_IN_BRACKETS = re.compile(r"(?:\(|\[(?=[^\d\]]*\]))([^()\[\]]*)[)\]]")
_SUM_OF = re.compile(r"([0-9]{1,6})(?:\s*/\s*([0-9]{1,6}))?")
_OWN_FORCES = {"", "risensun", "bushido", "bushidorisensun", "warband"}

Heading = dict[str, Any]
"""What a heading states: the list's faction, theme and name, its total and its limit of rice, its player.

`game` is what it says the list is for; `section` what stands below it, "" for unknown cards. A `title` is a
name in a line that looks like a card, so it is none below the first card.
"""


def heading(row: Row) -> Heading | None:
    """What a line states as a heading, or None if it is not one."""
    if row.frame == TABLE:
        return {}
    if not row.frame and row.card(row.text)[0].is_plain:
        return None
    for stated in (None if row.frame else _keyed(row.text), summed(row.text)):
        if stated is not None:
            return stated
    worth = worth_in(row.text) if row.frame else price_in(row.text)
    if not row.frame and (row.is_marked or (worth and worth.is_loose)):
        return None
    behind = row.text[worth.end :] if worth and row.frame else ""
    bare = f"{row.text[: worth.start if worth else None]}{behind}".strip(_EDGES + "+")
    section, is_sure = section_of(bare)
    is_apart = not (row.frame or worth or row.is_below or row.indent)
    is_section = is_apart and (is_sure or row.text.rstrip(" *_").endswith(":"))
    if section and (is_section or row.frame in ("+", "#")):
        return {"section": section}
    return _titled(row.frame, bare, _stated(total=worth.rice, limit=worth.limit) if worth else {})


def _keyed(text: str) -> Heading | None:
    """`Faction: Ito Clan`, `Limit: 100`; several may share a line, separated by bars."""
    stated: Heading = {}
    for part in text.split("|"):
        key, colon, value = part.partition(":")
        name = vocabulary("keys").get(plain(key))
        if not colon or name is None:
            return None
        stated[name] = value.strip(" *_") if name != "player" else part
    total, limit = (_SUM_OF.search(stated.pop(name, "")) for name in ("total", "limit"))
    stated["faction"] = _faction(stated.get("faction", ""))
    most = limit[1] if limit else total[2] if total else None
    return _stated(**stated, total=int(total[1]) if total else None, limit=int(most or 0))


def _titled(frame: str, bare: str, sums: Heading) -> Heading | None:
    """`Faction - List name`, as New Recruit writes, or `List name (Faction)`; a frame makes any heading."""
    first, *name = re.split(rf"\s[{DASHES}]\s", bare, maxsplit=1)
    owner = "".join(_IN_BRACKETS.findall(bare)[-1:]).strip()
    beside = _IN_BRACKETS.sub("", bare).strip()
    beside = beside if is_other_game(beside) else ""
    faction, is_ours = faction_of(owner), bool(owner) and not is_other_game(owner)
    if faction_of(first):
        stated = _stated(faction=faction_of(first), name="".join(name).strip())
    elif not frame:
        is_title = sums and faction != RONIN and (faction or is_ours)
        return sums | _stated(faction=faction) | {"title": beside} if is_title else None
    elif faction or is_ours:
        stated = _stated(faction=faction, name="" if faction and frame == "++" else beside)
    elif frame == "++":
        stated = _stated(faction=_faction(owner), game=beside if owner or sums else "")
    else:
        stated = _stated(faction=_faction(owner), name=bare if frame == "#" else "")
    return sums | stated | ({"section": ""} if frame in ("+", "#") else {})


def _stated(**stated: str | int | None) -> Heading:
    return {name: value for name, value in stated.items() if value or (name == "total" and value == 0)}


def summed(text: str) -> Heading | None:
    """`Total 33 rice` or `2 rice left`: a sum of what stands above or is not spent, and no card."""
    worth = price_in(text)
    word = (plain(text[: worth.start]) or plain(text[worth.end :])) if worth else ""
    meaning = vocabulary("sums").get(word)
    if worth and meaning == "total":
        return _stated(total=worth.rice, limit=worth.limit)
    return {} if meaning else None


def labelled(row: Row) -> tuple[str | None, str]:
    """The section that a line names before its first card, as in `Events: Sudden Rain (1)`, and what follows.

    A faction before a colon begins its models.
    """
    label, _colon, rest = row.text.partition(":")
    section, is_sure = section_of(label)
    is_card = any(map(str.isalpha, row.card(rest.strip())[0].words)) and not row.card(row.text)[0].is_plain
    if is_card and (is_sure or faction_of(label)):
        return (section if is_sure else MODEL), rest.strip()
    return None, row.text


def section_of(words: str) -> tuple[str, bool]:
    """The section that words name, "" for none; and whether they can only be a heading, and no card."""
    key = plain(words)
    # Without its “Ronin”, a heading of such models would be one of other cards.
    if heading := MODEL if faction_of(words) == RONIN else vocabulary("headings").get(key):
        return heading, True
    match = _SECTION.fullmatch(key)
    name, cards = (match[1], match[2]) if match else ("", "")
    section = vocabulary("sections").get(name, "") if name else "card" if cards else ""
    return section, bool(section) and key.endswith(("s", "card", "terrain", "equipment"))


def is_other_game(stated: str) -> bool:
    """Whether a list says that it is for another game."""
    return plain(stated) not in _OWN_FORCES and "bushido" not in plain(stated)


def _faction(stated: str) -> str:
    """A faction by its own name if it is one of the game's, else as written, cut to a name's length.

    What stands behind it, such as the rice that it may cost, is no part of it.
    """
    worth = worth_in(stated)
    return faction_of(stated[: worth.start] if worth else stated) or stated[:PIECE_GRAPHEMES]
