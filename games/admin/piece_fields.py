"""The fields of a system's pieces as typed form fields: nobody edits JSON here.

The system's dataclass says what a field is, its corrections and `columns` what it is called and how to show
it. Hidden values, keys and anything without a sensible form field are left out. Every form field knows how a
value is written (`shown`) and sent (`posted`): what a browser did not send has not changed, and neither has
text that reads as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget, AdminTextInputWidget
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from games.core import (
    KINDS,
    NAME_GRAPHEMES,
    NOTE_GRAPHEMES,
    PIECE_GRAPHEMES,
    Column,
    State,
    System,
    Unreadable,
    clean_int,
    clean_note,
    is_served,
    label_of,
    system,
)
from games.match.storage import ROWS, LoadedMatch
from games.models import Match
from games.translation import gettext as _
from games.translation import words

LARGEST = 999_999
LONGEST_LIST = 60
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_COMMA = re.compile(r"[,，、\n]")
_BAR = re.compile(r"[|｜]")


def validated(validate: Callable[..., Any], *args: Any) -> Any:
    """The validated value; a refusal becomes an error of the form."""
    try:
        return validate(*args)
    except Unreadable as unreadable:
        raise ValidationError(words(unreadable.line)) from unreadable


class PieceField(forms.Field):
    """One value as text. `is_optional`: an empty field means None."""

    widget: Any = AdminTextInputWidget

    def __init__(self, *, is_optional: bool = False, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.is_optional = is_optional

    def shown(self, value: Any) -> str:
        """The value as it is written into the field."""
        return "" if value is None else str(value)

    def posted(self, value: Any) -> list[str]:
        """The value as a browser sends it."""
        return [self.shown(value)]

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else self.shown(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is not None and data.replace("\r\n", "\n") != self.shown(initial)


class Text(PieceField):
    """One line of text, as long as validation allows."""

    def __init__(self, limit: int = PIECE_GRAPHEMES, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limit = limit

    def to_python(self, value: Any) -> str | None:
        text = validated(clean_note, value, self.limit)
        return None if self.is_optional and not text else text


class Slug(Text):
    """A word of the rules that is stored as a key: small letters, digits and hyphens."""

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        if text and (len(text) > self.limit or not _SLUG.fullmatch(text)):
            raise ValidationError(_("Please use lower-case letters, digits and hyphens only."))
        return text


class Number(PieceField):
    """A whole number between two bounds."""

    def __init__(self, minimum: int = -LARGEST, maximum: int = LARGEST, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.required = not self.is_optional
        self.minimum, self.maximum = minimum, maximum
        self.widget.attrs |= {"class": "vIntegerField", "inputmode": "numeric", "size": "6"}

    def to_python(self, value: Any) -> int | None:
        if value in self.empty_values:
            return None
        return validated(clean_int, value, self.minimum, self.maximum)


class Switch(forms.BooleanField):
    """On or off."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def posted(self, value: Any) -> list[str]:
        return ["on"] if value else []


def words_of(field: forms.ChoiceField) -> dict[str, str]:
    """The choices of a field: each value, and what it is called."""
    pairs: Any = field.choices
    return dict(pairs)


class OneOf(forms.ChoiceField):
    """One of several values; `is_optional` also allows none."""

    def __init__(
        self, choices: Iterable[tuple[str, str]] = (), *, is_optional: bool = False, **kwargs: Any
    ) -> None:
        blank = [("", "—")] if is_optional else []
        super().__init__(choices=[*blank, *choices], required=not is_optional, **kwargs)
        self.is_optional = is_optional

    def to_python(self, value: Any) -> Any:
        return super().to_python(value) or (None if self.is_optional else "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is not None and data != (initial or "")

    def posted(self, value: Any) -> list[str]:
        return [value or ""]

    def allow(self, value: Any) -> None:
        """Accept the present value, whether it is among the choices or not."""
        labels = words_of(self)
        if value == "" and "" not in labels:
            self.choices, self.required = [("", "—"), *labels.items()], False
        elif value and value not in labels:
            self.choices = [*labels.items(), (value, value)]


class Several(forms.MultipleChoiceField):
    """Any number of several values, in no order."""

    # Boxes, because in a list one click without the right key unselects all the others.
    widget = forms.CheckboxSelectMultiple

    def __init__(self, choices: Iterable[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(choices=list(choices), required=False, **kwargs)

    def clean(self, value: Any) -> frozenset[str]:
        return frozenset(super().clean(value))

    def posted(self, value: Any) -> list[str]:
        return sorted(value)

    def allow(self, value: Any) -> None:
        """Accept the present values, whether they are among the choices or not."""
        labels = words_of(self)
        self.choices = [*labels.items(), *((key, key) for key in sorted(value or ()) if key not in labels)]


class Items(PieceField):
    """Several short texts with commas between them, as a tuple or a set."""

    def __init__(self, kind: type = tuple, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind

    def shown(self, value: Any) -> str:
        return ", ".join(sorted(value) if isinstance(value, frozenset) else value or ())

    def to_python(self, value: Any) -> Any:
        parts = [validated(clean_note, part, PIECE_GRAPHEMES) for part in _COMMA.split(value or "")]
        if len(parts) > LONGEST_LIST:
            raise _too_long()
        return self.kind(part for part in parts if part)


class Rows(PieceField):
    """Rows of short texts and numbers, one per line, with bars between the parts.

    `cells` are the parts: name, and `str`, `int` or the keys allowed there.
    """

    widget = AdminTextareaWidget

    def __init__(self, cells: tuple[tuple[str, Any], ...], **kwargs: Any) -> None:
        names = " | ".join(_(name) for name, _type in cells)
        super().__init__(help_text=_("One per line: %(parts)s") % {"parts": names}, **kwargs)
        self.types = [kind for _name, kind in cells]
        self.widget.attrs |= {"rows": 2}

    def shown(self, value: Any) -> str:
        return "\n".join(" | ".join(str(cell) for cell in row) for row in value or ())

    def to_python(self, value: Any) -> tuple[tuple[Any, ...], ...]:
        lines = [line for line in (value or "").splitlines() if line.strip()]
        if len(lines) > LONGEST_LIST:
            raise _too_long()
        return tuple(self._row(line) for line in lines)

    def _row(self, line: str) -> tuple[Any, ...]:
        parts = [part.strip() for part in _BAR.split(line)]
        if len(parts) != len(self.types):
            raise ValidationError(
                _("“%(line)s” needs %(count)d parts separated by |.")
                % {"line": line.strip()[:80], "count": len(self.types)}
            )
        return tuple(_cell(part, kind) for part, kind in zip(parts, self.types, strict=True))


class Reason(Text):
    """Why an organiser does something: everybody can read it in the match's log."""

    def __init__(self, limit: int = NOTE_GRAPHEMES, **kwargs: Any) -> None:
        words = gettext_lazy("All players can read it in the history.")
        super().__init__(limit, required=True, label=gettext_lazy("Reason"), help_text=words, **kwargs)
        self.widget.attrs |= {"class": "vTextField", "autocomplete": "off"}


def _cell(part: str, kind: Any) -> Any:
    if kind is int:
        return validated(clean_int, part, -LARGEST, LARGEST)
    if kind is not str and part not in kind:
        raise ValidationError(_("Allowed values: %(keys)s") % {"keys": ", ".join(kind)})
    return validated(clean_note, part, PIECE_GRAPHEMES)


def _too_long() -> ValidationError:
    return ValidationError(_("At most %(limit)d fit here.") % {"limit": LONGEST_LIST})


TABLE = "table"
"""Stands for the position itself where a kind of piece is expected."""

NEVER = frozenset({"key", "hidden", "number"})
_NOT_THE_TABLES = frozenset({*State().field_names()} - {"round"})
_LIMITS = {"army/name": NAME_GRAPHEMES}

Maker = Callable[..., forms.Field]

MAKERS: dict[Any, Maker] = {
    bool: Switch,
    int: Number,
    int | None: partial(Number, is_optional=True),
    str: Text,
    str | None: partial(Text, is_optional=True),
    tuple[str, ...]: partial(Items, tuple),
    frozenset[str]: partial(Items, frozenset),
}
"""The declared type of a field → its form field."""

PICKERS: dict[Any, Maker] = {
    str: OneOf,
    str | None: partial(OneOf, is_optional=True),
    frozenset[str]: Several,
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
    if row is not None and not column(game, kind, name).label:
        return capfirst(str(row.verbose_name))
    return capfirst(_(message(game, kind, name)))


def message(game: System, kind: str, name: str) -> str:
    """The message id of what a field is called: by its column, by its correction, or else by its own name."""
    shown = column(game, kind, name).label or label_of(game.corrections, kind, name)
    return shown or name.replace("_", " ")


def messages(game: System) -> Iterator[str]:
    """Every message id that a system's forms need in addition to its own sentences."""
    for kind in (TABLE, *KINDS):
        for name in names(game, kind):
            shown = column(game, kind, name)
            if shown.label or _row_field(kind, name) is None:
                yield message(game, kind, name)
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
    if isinstance(field, OneOf | Several):
        labels = words_of(field)
        chosen = sorted(value) if isinstance(value, frozenset) else [value] if value else []
        return ", ".join(labels.get(key, key) for key in chosen) or "—"
    return (field.shown(value) if isinstance(field, PieceField) else str(value)) or "—"


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
        return Rows
    if shown.among is not None:
        return PICKERS.get(made_of)
    if isinstance(_row_field(kind, name), models.SlugField):
        return Slug
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
