"""The facts of a catalogue entry as form fields: choices are shown in words, and stored as before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.admin import fields
from games.core.system import Cell

LONGEST = 400
MOST = 99

Cells = Mapping[str, Cell]


def form_fields(cells: Cells) -> dict[str, forms.Field]:
    """A form field for each fact, and one for each flag that takes a number."""
    return {name: field for cell in cells for name, field in _fields(cell, cells[cell])}


def initial(cells: Cells, facts: Mapping[str, str]) -> dict[str, Any]:
    """The initial values of these fields."""
    found: dict[str, Any] = {}
    for name, cell in cells.items():
        text = facts.get(name, "")
        if cell.flags is None:
            found[name] = text == "yes" if _is_switch(cell) else text
            continue
        found[name] = [word for word in text.split() if word in cell.flags]
        for flag in _numbered(cell):
            written = (word.removeprefix(flag) for word in text.split() if word.startswith(flag))
            found[_of_flag(name, flag)] = next(written, None)
    return found


def facts_of(cells: Cells, cleaned: Mapping[str, Any]) -> dict[str, str]:
    """The facts that were chosen and typed, in the form that an imported table states them."""
    return {name: _fact(name, cell, cleaned) for name, cell in cells.items()}


def in_words(cell: Cell, text: str) -> str:
    """A fact in words."""
    if cell.flags is not None:
        return " · ".join(_flag_words(cell.flags, word) for word in text.split())
    if cell.parts:
        words = zip(text.split(), cell.parts, strict=False)
        return " · ".join(_words(part, word) for word, part in words)
    return _words(cell.among, text) if cell.among is not None else text


def _fields(name: str, cell: Cell) -> Iterator[tuple[str, forms.Field]]:
    label, help_text = _(cell.label), _(cell.help) if cell.help else ""
    if cell.flags is not None:
        yield name, Flags(cell, label=label, help_text=help_text)
        for flag in _numbered(cell):
            yield _of_flag(name, flag), fields.Number(0, MOST, is_optional=True, label=_(cell.flags[flag]))
    elif cell.parts:
        yield name, Parts(cell.parts, label=label, help_text=help_text)
    elif _is_switch(cell):
        yield name, forms.BooleanField(required=False, label=label, help_text=help_text)
    elif cell.among is not None:
        required = "" not in cell.among
        yield (
            name,
            forms.ChoiceField(
                choices=_choices(cell.among), required=required, label=label, help_text=help_text
            ),
        )
    else:
        yield name, fields.Text(LONGEST, label=label, help_text=help_text)


def _fact(name: str, cell: Cell, cleaned: Mapping[str, Any]) -> str:
    value = cleaned.get(name)
    if cell.flags is None:
        return ("yes" if value else "") if _is_switch(cell) else value or ""
    numbers = ((flag, cleaned.get(_of_flag(name, flag))) for flag in _numbered(cell))
    return " ".join([*(value or ()), *(f"{flag}{number}" for flag, number in numbers if number)])


class Flags(forms.MultipleChoiceField):
    """Boxes to tick, one for each flag."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, cell: Cell, **kwargs: Any) -> None:
        known = {flag: words for flag, words in (cell.flags or {}).items() if flag[-1] != "-"}
        super().__init__(choices=_choices(known), required=False, **kwargs)


class Parts(forms.MultiValueField):
    """Several choices in a row, stored with spaces between them; choices not made are left out."""

    def __init__(self, parts: tuple[Mapping[str, str], ...], label: str, **kwargs: Any) -> None:
        lists = [[("", "—"), *_choices(part)] for part in parts]
        selects = [
            forms.Select(choices=choices, attrs={"aria-label": f"{label} {number}"})
            for number, choices in enumerate(lists, 1)
        ]
        made = tuple(forms.ChoiceField(choices=choices, required=False) for choices in lists)
        super().__init__(
            made, widget=Row(selects), required=False, require_all_fields=False, label=label, **kwargs
        )

    def compress(self, data_list: Any) -> str:
        return " ".join(value for value in data_list if value)


class Row(forms.MultiWidget):
    """The choices of `Parts` side by side."""

    def decompress(self, value: Any) -> list[Any]:
        words = (value or "").split()
        return [*words, *("" for _rest in self.widgets[len(words) :])]


def _numbered(cell: Cell) -> list[str]:
    return [flag for flag in cell.flags or () if flag[-1] == "-"]


def _of_flag(name: str, flag: str) -> str:
    return f"{name}_{flag[:-1]}"


def _is_switch(cell: Cell) -> bool:
    return cell.among is not None and set(cell.among) == {"", "yes"}


def _choices(among: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(value, _words(among, value)) for value in among]


def _words(among: Mapping[str, str], value: str) -> str:
    label = among.get(value, value)
    return _(label) if label else ""


def _flag_words(flags: Mapping[str, str], word: str) -> str:
    for flag in flags:
        if flag[-1] == "-" and word.startswith(flag):
            return f"{_(flags[flag])}: {word.removeprefix(flag)}"
    return _words(flags, word)
