"""The fields of a system's pieces as typed form fields: nobody edits JSON here.

The system's dataclass says what a field is, its `columns` how to show it. Hidden values,
keys and anything without a sensible form field are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.admin import fields
from games.core import validation
from games.core.state import KINDS, State
from games.core.system import Column, System, is_served, system
from games.match.storage import ROWS, LoadedMatch
from games.models import Match

TABLE = "table"
"""Stands for the position itself where a kind of piece is expected."""

NEVER = frozenset({"key", "hidden", "number"})
_NOT_THE_TABLES = frozenset({*State().field_names()} - {"round"})
_LIMITS = {"army/name": validation.NAME_GRAPHEMES}

Maker = Callable[..., forms.Field]

MAKERS: dict[Any, Maker] = {
    bool: fields.Switch,
    int: fields.Number,
    int | None: partial(fields.Number, is_optional=True),
    str: fields.Text,
    str | None: partial(fields.Text, is_optional=True),
    tuple[str, ...]: partial(fields.Items, tuple),
    frozenset[str]: partial(fields.Items, frozenset),
}
"""The declared type of a field → its form field."""

PICKERS: dict[Any, Maker] = {
    str: fields.OneOf,
    str | None: partial(fields.OneOf, is_optional=True),
    frozenset[str]: fields.Several,
}
"""The declared type of a field with choices → its form field."""


def names(game: System, kind: str) -> tuple[str, ...]:
    """The editable fields of a kind of piece (or of the table), in order."""
    return tuple(name for name in _declared(game, kind) if _maker(game, kind, name) is not None)


def first_names(game: System, kind: str) -> tuple[str, ...]:
    """The fields shown at once; the others fold away."""
    return tuple(name for name in names(game, kind) if column(game, kind, name).is_first)


def form_fields(loaded: LoadedMatch, kind: str) -> dict[str, forms.Field]:
    """A form field for each field that can be edited."""
    game = system(loaded.match.system)
    return {name: form_field(loaded, kind, name) for name in names(game, kind)}


def form_field(loaded: LoadedMatch, kind: str, name: str) -> forms.Field:
    """The form field of one field of a piece."""
    game = system(loaded.match.system)
    maker = _maker(game, kind, name)
    assert maker is not None, f"{kind}/{name} has no form field"
    shown = column(game, kind, name)
    arguments: dict[str, Any] = {"label": label(game, kind, name)}
    if shown.among is not None:
        arguments["choices"] = choices(loaded.state, shown.among)
    elif shown.cells:
        arguments["cells"] = tuple(
            (part, tuple(getattr(loaded.state, KINDS[cell])) if isinstance(cell, str) else cell)
            for part, cell in shown.cells
        )
    else:
        arguments |= _bounds(kind, name)
    return maker(**arguments)


def column(game: System, kind: str, name: str) -> Column:
    """What the system says about a field."""
    return game.columns.get(f"{kind}/{name}", Column())


def has(game: System, kind: str, name: str, piece: Any) -> bool:
    """Whether a piece has this field: pieces of one kind do not all have the same fields."""
    of = column(game, kind, name).of
    return of is None or of(piece)


def foreign(game: System, kind: str, piece: Any) -> frozenset[str]:
    """The fields that this piece cannot have; a piece that does not exist yet may still get any."""
    if piece is None or kind == TABLE:
        return frozenset()
    return frozenset(name for name in names(game, kind) if not has(game, kind, name, piece))


def label(game: System, kind: str, name: str) -> str:
    """What people call a field."""
    row = _row_field(kind, name)
    label = column(game, kind, name).label
    if not label and row is not None:
        return capfirst(str(row.verbose_name))
    return capfirst(_(label or message(name)))


def message(name: str) -> str:
    """The message id of a field without a label: its own name in words."""
    return name.replace("_", " ")


def messages(game: System) -> Iterator[str]:
    """Every message id that a system's forms need in addition to its own sentences."""
    for kind in (TABLE, *KINDS):
        for name in names(game, kind):
            shown = column(game, kind, name)
            if shown.label or _row_field(kind, name) is None:
                yield shown.label or message(name)
            if shown.among is not None and not isinstance(shown.among, str):
                yield from shown.among.values()
            yield from (part for part, _type in shown.cells)


def choices(state: State, among: Any) -> list[tuple[str, str]]:
    """Values and their words; `among` is that of a `Column`."""
    if not isinstance(among, str):
        return [(value, _(words)) for value, words in among.items()]
    if among == "army":
        return [(key, seat_name(state, key)) for key in state.armies]
    if among == "unit":
        return [
            (unit.key, f"{unit.name} · {seat_name(state, unit.army)}")
            for seat in state.seats
            for unit in state.units_of(seat)
        ]
    return [(key, getattr(piece, "name", key)) for key, piece in getattr(state, KINDS[among]).items()]


def seat_name(state: State, seat: str | None) -> str:
    """A player's name, or the seat's colour if the player has none."""
    army = state.armies.get(seat or "")
    if army is None:
        return seat or ""
    return army.name or colour(state.system, army.key)


def colour(slug: str, seat: str) -> str:
    """What a game calls a seat; the seat's key if the game is gone."""
    return translated(system(slug).seat_names.get(seat, seat)) if is_served(slug) else seat


def translated(text: str) -> str:
    """Stored words in the reader's language; "" stays ""."""
    return _(text) if text else ""


def value_words(slug: str, kind: str, name: str, value: str) -> str:
    """A stored value in words, if its system has any for it."""
    among = column(system(slug), kind, name).among
    return translated(among.get(value, value) if among is not None and not isinstance(among, str) else value)


def read(value: Any, field: forms.Field) -> str:
    """A value in words, for those who may only look."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(field, fields.OneOf | fields.Several):
        known = fields.words_of(field)
        chosen = sorted(value) if isinstance(value, frozenset) else [value] if value else []
        return ", ".join(known.get(key, key) for key in chosen) or "—"
    return (field.shown(value) if isinstance(field, fields.PieceField) else str(value)) or "—"


def _declared(game: System, kind: str) -> tuple[str, ...]:
    if kind == TABLE:
        return tuple(name for name in game.state.field_names() if name not in _NOT_THE_TABLES)
    return tuple(name for name in game.state.piece_type(kind).field_names() if name not in NEVER)


def _maker(game: System, kind: str, name: str) -> Maker | None:
    shown = column(game, kind, name)
    declared = game.state if kind == TABLE else game.state.piece_type(kind)
    made_of = declared.type_of(name)
    if shown.is_hidden:
        return None
    if shown.cells:
        return fields.Rows
    if shown.among is not None:
        return PICKERS.get(made_of)
    if isinstance(_row_field(kind, name), models.SlugField):
        return fields.Slug
    return MAKERS.get(made_of)


def _bounds(kind: str, name: str) -> dict[str, Any]:
    """The limits of the row's column, for fields that have one."""
    row = _row_field(kind, name)
    if isinstance(row, models.PositiveSmallIntegerField):
        return {"minimum": 0, "maximum": 32_767}
    if isinstance(row, models.SmallIntegerField):
        return {"minimum": -32_768, "maximum": 32_767}
    if isinstance(row, models.SlugField):
        return {"limit": row.max_length, "widget": AdminTextInputWidget(attrs={"class": "", "size": "12"})}
    if f"{kind}/{name}" in _LIMITS:
        return {"limit": _LIMITS[f"{kind}/{name}"]}
    return {}


def _row_field(kind: str, name: str) -> Any:
    row = Match if kind == TABLE else ROWS[kind]
    try:
        return row._meta.get_field(name)
    except FieldDoesNotExist:
        return None
