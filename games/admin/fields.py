"""Form fields for the values of a piece: validated first, then of the piece's own type.

Every field knows how a value is written (`shown`) and sent (`posted`). What a browser
did not send has not changed, and neither has text that reads as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget, AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core import validation
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
    except validation.Unreadable as unreadable:
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

    def __init__(self, limit: int = validation.PIECE_GRAPHEMES, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limit = limit

    def to_python(self, value: Any) -> str | None:
        text = validated(validation.clean_note, value, self.limit)
        return None if self.is_optional and not text else text


class Slug(Text):
    """A word of the rules that is stored as a key: small letters, digits and hyphens."""

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        if text and (len(text) > self.limit or not _SLUG.fullmatch(text)):
            raise ValidationError(_("Please write this in small letters, digits and hyphens."))
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
        return validated(validation.clean_int, value, self.minimum, self.maximum)


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
        known = words_of(self)
        if value == "" and "" not in known:
            self.choices, self.required = [("", "—"), *known.items()], False
        elif value and value not in known:
            self.choices = [*known.items(), (value, value)]


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
        known = words_of(self)
        self.choices = [*known.items(), *((key, key) for key in sorted(value or ()) if key not in known)]


class Items(PieceField):
    """Several short texts with commas between them, as a tuple or a set."""

    def __init__(self, kind: type = tuple, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind

    def shown(self, value: Any) -> str:
        return ", ".join(sorted(value) if isinstance(value, frozenset) else value or ())

    def to_python(self, value: Any) -> Any:
        found = [
            validated(validation.clean_note, part, validation.PIECE_GRAPHEMES)
            for part in _COMMA.split(value or "")
        ]
        if len(found) > LONGEST_LIST:
            raise _too_long()
        return self.kind(part for part in found if part)


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
                _("“%(line)s” needs %(count)d parts with bars between them.")
                % {"line": line.strip()[:80], "count": len(self.types)}
            )
        return tuple(_cell(part, kind) for part, kind in zip(parts, self.types, strict=True))


class Reason(Text):
    """Why an organiser does something: everybody can read it in the match's log."""

    def __init__(self, limit: int = validation.NOTE_GRAPHEMES, **kwargs: Any) -> None:
        words = gettext_lazy("All players can read it in the history.")
        super().__init__(limit, required=True, label=gettext_lazy("Reason"), help_text=words, **kwargs)
        self.widget.attrs |= {"class": "vTextField", "autocomplete": "off"}


def _cell(part: str, kind: Any) -> Any:
    if kind is int:
        return validated(validation.clean_int, part, -LARGEST, LARGEST)
    if kind is not str and part not in kind:
        raise ValidationError(_("Only these can stand there: %(keys)s") % {"keys": ", ".join(kind)})
    return validated(validation.clean_note, part, validation.PIECE_GRAPHEMES)


def _too_long() -> ValidationError:
    return ValidationError(_("At most %(limit)d fit here.") % {"limit": LONGEST_LIST})
