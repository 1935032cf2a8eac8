"""Tables with a column for each figure, as spreadsheets and chats have them, turned into plain lines.

A row of headings says what the columns hold. Every row stays on its line, so that remarks have its number;
a row that does not fit its table is left as it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import suppress

from games.core.army_lists import narrowed
from games.systems.bushido.lists.catalogue import plain
from games.systems.bushido.lists.headings import is_total, label_of
from games.systems.bushido.lists.lines import MAX_LENGTH, MAX_LINES, price_of
from games.systems.bushido.rules import figures

NAME, RICE, KI, CAP = "name", "rice", "ki", "cap"
WOUNDS, COUNT, GEAR, KIND = "wounds", "count", "gear", "kind"

_COLUMNS = {
    **dict.fromkeys(("name", "model", "models", "modelname", "profile", "card"), NAME),
    **dict.fromkeys(("modell", "modelle", "profil", "karte", "figur", "名称", "模型", "名字", "卡牌"), NAME),
    **dict.fromkeys(("rice", "ricecost", "cost", "costs", "price", "points", "pts"), RICE),
    **dict.fromkeys(("reis", "reiskosten", "kosten", "preis", "punkte", "米", "费用", "花费", "点数"), RICE),
    **dict.fromkeys(("ki", "kistat", "kistatistic", "kiwert", "气"), KI),
    **dict.fromkeys(("kicap", "cap", "maxki", "kimax", "kilimit", "kigrenze", "气上限", "上限"), CAP),
    **dict.fromkeys(("wounds", "wound", "wunden", "wundpunkte", "伤", "伤口", "生命", "生命值"), WOUNDS),
    **dict.fromkeys(("count", "qty", "quantity", "number", "anzahl", "menge", "数量"), COUNT),
    **dict.fromkeys(("equipment", "gear", "cards", "upgrades", "enhancements", "carries"), GEAR),
    **dict.fromkeys(("type", "kind", "category", "typ", "art", "kategorie", "类型", "种类"), KIND),
    **dict.fromkeys(("ausrustung", "karten", "verbesserungen", "装备", "强化"), GEAR),
}
"""What a column holds, by its heading."""
_USUAL = (NAME, RICE, KI, WOUNDS, COUNT)
"""The columns of a table without headings whose third has Ki with its cap: those of the plain form."""
_NO_COLUMNS: tuple[str, ...] = ()
_SIGNS, _SPREAD = "\t|;,", "  "
"""What stands between columns."""
_NOTHING = ("", "-", "–", "—")
_MOST_CELLS, _LONGEST_HEADING = 20, 30
_SPACES = re.compile(r"  +")
_KI = re.compile(r"(?:[0-9]{1,2}|[xX])\s*/\s*(?:[0-9]{1,2}|[*∞])")
_COUNTED = re.compile(r"[x×]?\s*([0-9]{1,6})\s*[x×]?", re.IGNORECASE)


def flattened(text: str) -> str:
    """A text whose tables are plain lines; any other text as it is."""
    rows = text.split("\n", MAX_LINES)
    return "\n".join([*_flattened(rows[:MAX_LINES]), *rows[MAX_LINES:]])


def _flattened(rows: list[str]) -> Iterator[str]:
    sign, columns = "", _NO_COLUMNS
    for row in rows:
        bare = narrowed(row) if len(row) <= MAX_LENGTH else ""
        if bare and (found := _headed(bare)):
            sign, columns = found
            yield ""
        elif bare and columns:
            yield _as_line(_cells(bare, sign), columns, _indent(bare)) or row
        else:
            yield _unheaded(bare) or row


def _headed(row: str) -> tuple[str, tuple[str, ...]] | None:
    """The sign between the columns of a row of headings, and what they hold; None for any other row."""
    for sign in (*(one for one in _SIGNS if one in row), _SPREAD):
        cells = _cells(row, sign)
        if not 2 <= len(cells) <= _MOST_CELLS or any(len(cell) > _LONGEST_HEADING for cell in cells):
            continue
        columns = tuple(_COLUMNS.get(plain(cell), "") for cell in cells)
        figured = sum(1 for column in columns if column not in ("", NAME, COUNT, GEAR, KIND))
        if NAME in columns and figured:
            return sign, columns
        if figured > 1 and not columns[0]:
            return sign, (NAME, *columns[1:])
    return None


def _cells(row: str, sign: str) -> list[str]:
    """The cells of a row, without the bars around it, without bold type and needless blanks."""
    bare = row.replace("**", "").replace("__", "").strip(" ")
    if sign == "|" and bare.startswith("|"):
        bare = bare[1:].removesuffix("|")
    cells = _SPACES.split(bare) if sign == _SPREAD else bare.split(sign)
    if '"' in bare and sign != _SPREAD:
        with suppress(csv.Error, StopIteration):
            cells = next(csv.reader([bare], delimiter=sign))
    return [" ".join(cell.split()) for cell in cells]


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip(" "))]


def _unheaded(row: str) -> str | None:
    """A row in the order of the plain form between other signs, such as `name, rice, Ki/cap, wounds`."""
    for sign in "\t|,":
        cells = _cells(row.lstrip("\t"), sign) if sign in row else []
        if 3 <= len(cells) <= len(_USUAL) and _KI.fullmatch(cells[2]):
            return _as_line(cells, _USUAL[: len(cells)])
    return None


def _as_line(cells: list[str], columns: tuple[str, ...], indent: str = "") -> str | None:
    """A row as a plain line, or as a card with its rice if it has no figures; None if it does not fit."""
    while len(cells) > len(columns) and not cells[0]:  # A tab before the first column indents its row.
        cells, indent = cells[1:], f"{indent}  "
    if len(cells) != len(columns):
        return None
    stated: dict[str, str] = {}
    for column, cell in zip(columns, cells, strict=True):
        stated.setdefault(column, cell.replace(";", ","))
    name, rice = stated.get(NAME, ""), _rice(stated.get(RICE, ""))
    ki, wounds = _ki(stated.get(KI, ""), stated.get(CAP, "")), stated.get(WOUNDS, "")
    counted = _COUNTED.fullmatch(stated.get(COUNT) or "1")
    if not any(map(str.isalpha, name)) or rice is None or counted is None:
        return None
    if is_total(name):
        return f"{name}: {rice}"
    if None in (*figures.split_ki(ki), figures.wounds(wounds)):
        return None
    if (gear := stated.get(GEAR, "")) not in _NOTHING:
        name = f"{name} w/ {gear}"
    if label := label_of(stated.get(KIND, "")):
        return f"{label} {name} [{rice or 0}]"
    if ki or wounds:
        return f"{indent}{name};{rice};{ki};{wounds};{counted[1]}"
    times = f"{counted[1]}x " if int(counted[1]) > 1 else ""
    return f"{indent}{times}{name} [{rice}]" if rice else f"{indent}{times}{name}"


def _ki(gains: str, most: str) -> str:
    """Ki and its cap, in one column or two; a cap that no column has is unknown."""
    if not gains or "/" in gains:
        return "".join((gains or most).split())
    return f"{gains}/{most or '?'}"


def _rice(cell: str) -> str | None:
    """The rice of a row as digits, "" if it has none; None for any other text."""
    if cell in _NOTHING:
        return ""
    found = price_of(cell)
    return None if found is None else str(found)
