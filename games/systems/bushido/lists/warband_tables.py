"""Tables with a column for each figure, and rosters as builders save them, turned into plain lines.

In a table a row of headings says what the columns hold. Every row stays on its line, so that remarks have its
number; a row that does not fit its table is left as it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import suppress

from games.core import Unreadable, say
from games.core import gettext_noop as _
from games.core.army_lists import (
    Element,
    document_of,
    is_document,
    narrowed,
    whole,
)
from games.systems.bushido.lists.warband_cards import (
    plain,
)
from games.systems.bushido.lists.warband_lines import (
    MAX_LENGTH,
    MAX_LINES,
    is_other_game,
    is_total,
    label_of,
    price_of,
)
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
_COLUMN_SPACES = re.compile(r"  +")
_KI_CELL = re.compile(r"(?:[0-9]{1,2}|[xX])\s*/\s*(?:[0-9]{1,2}|[*∞])")
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
    cells = _COLUMN_SPACES.split(bare) if sign == _SPREAD else bare.split(sign)
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
        if 3 <= len(cells) <= len(_USUAL) and _KI_CELL.fullmatch(cells[2]):
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
    name, rice = stated.get(NAME, ""), _rice_cell(stated.get(RICE, ""))
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


def _rice_cell(cell: str) -> str | None:
    """The rice of a row as digits, "" if it has none; None for any other text."""
    if cell in _NOTHING:
        return ""
    found = price_of(cell)
    return None if found is None else str(found)


# --- rosters as builders save them -----------------------------------------------------------------

_DOCUMENT_FIGURES = ("Ki", "Ki Cap", "Wounds")


def text_of(text: str) -> str:
    """A saved roster as plain lines, each force a list of its own; any other text as it is."""
    root = document_of(text)
    if root is None and not is_document(text):
        return text
    if root is None or root.tag != "roster":
        raise Unreadable(say(_("This file is no roster. Please save the warband itself as a roster.")))
    forces = list(root.within("forces", "force"))
    lists = ["\n".join(_force(root, force, is_only=len(forces) == 1)) for force in forces]
    if not lists:
        raise Unreadable(say(_("This roster holds no warband.")))
    return "\n\n".join(lists) + "\n"


def _force(root: Element, force: Element, *, is_only: bool) -> Iterator[str]:
    game = root.get("gameSystemName")
    if is_other_game(game):
        yield f"Game: {_value(game)}"
    yield f"Faction: {_value(force.get('catalogueName'))}"
    if root.get("name"):
        yield f"Name: {_value(root.get('name'))}"
    for limit in root.within("costLimits", "costLimit"):
        if whole(limit.get("value")) > 0 and _is_rice(limit):
            yield f"Limit: {whole(limit.get('value'))}"
    sections: dict[str, list[str]] = {}
    for selection in force.within("selections", "selection"):
        sections.setdefault(_section_of(selection), []).extend(_card_lines(selection))
    for section, lines in sections.items():
        yield from ("", f"+ {section} +", *lines)
    if is_only and any(map(_is_rice, root.within("costs", "cost"))):
        yield from ("", f"Total: {_rice_of(root)}")


def _section_of(selection: Element) -> str:
    """The heading that a selection goes under: its primary category, else by its figures."""
    for category in selection.within("categories", "category"):
        if category.get("primary") == "true" and category.get("name") != "Uncategorised":
            return category.get("name").strip("+ ")
    is_model = selection.get("type") in ("model", "unit") or _models_of(selection)
    return "Profile Cards" if is_model else "Other Cards"


def _card_lines(selection: Element) -> list[str]:
    """A card and what belongs to it: its models with their figures and, below the first, what it carries."""
    if _stands_below(selection):
        return [f"{_name_of(selection)};{_rice_of(selection)}"]
    first, *others = _model_lines(selection)
    below = [one for one in selection.within("selections", "selection") if not _is_recruited(one)]
    return [first, *(f"  {_name_of(one)};{_rice_of(one)}" for one in below), *others]


def _model_lines(selection: Element) -> list[str]:
    """The models of a card and those that come with it; the card's own cost goes to the first."""
    rice, number = _rice_of(selection), _number_of(selection)
    lines = [f"{name};{{}};{figures};{number}" for name, figures in _models_of(selection).items()]
    brought = [one for one in selection.within("selections", "selection") if _is_recruited(one)]
    if not lines and not brought:
        return [f"{_name_of(selection)};{rice};;;{number}"]
    own = [line.format(rice * (at == 0)) for at, line in enumerate(lines)]
    theirs = [line for one in brought for line in _card_lines(one)]
    return [*own, *theirs] if own else [_dearer(theirs[0], rice), *theirs[1:]]


def _dearer(line: str, rice: int) -> str:
    name, stated, figures = line.split(";", 2)
    return f"{name};{int(stated) + rice};{figures}"


def _is_recruited(selection: Element) -> bool:
    return bool(_models_of(selection)) and "Reference" not in _section_of(selection)


def _stands_below(selection: Element) -> bool:
    section = _section_of(selection).casefold()
    return not any(word in section for word in ("profile", "model")) and bool(section)


def _models_of(selection: Element) -> dict[str, str]:
    """The models of a card by name, each as `Ki/cap;wounds`."""
    found: dict[str, str] = {}
    for profile in selection.within("profiles", "profile"):
        told = profile.within("characteristics", "characteristic")
        stated = {one.get("name"): _one_line(one.text) for one in told}
        if any(name in stated for name in _DOCUMENT_FIGURES):
            ki, cap, wounds = (stated.get(name, "") for name in _DOCUMENT_FIGURES)
            found.setdefault(_one_line(profile.get("name")) or _name_of(selection), f"{ki}/{cap};{wounds}")
    return found


def _name_of(selection: Element) -> str:
    return _one_line(selection.get("name")) or "?"


def _one_line(text: str) -> str:
    """Text without the semicolons that separate the parts of a line, and without the sign of a heading."""
    return " ".join(text.replace(";", ",").split()).lstrip("#> ")


def _value(text: str) -> str:
    """Text without the bars that separate headings on one line."""
    return text.replace("|", "/")


def _is_rice(cost: Element) -> bool:
    return "rice" in cost.get("name").casefold()


def _rice_of(selection: Element) -> int:
    return sum(whole(cost.get("value")) for cost in selection.within("costs", "cost") if _is_rice(cost))


def _number_of(selection: Element) -> int:
    return whole(selection.get("number")) or 1
