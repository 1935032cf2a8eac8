"""The organiser's forms, and what one means for the position: fields, pieces, points.

Rows show which piece is meant, but what is edited is the position: no form here saves a row. It says what was
changed, and `games.match.play.edit` does the rest.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field, replace
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import OperationalError, models, transaction
from django.db.models.query_utils import DeferredAttribute
from django.forms import BaseInlineFormSet
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.admin import piece_fields
from games.admin.piece_fields import TABLE, column
from games.core import KINDS, RequestRefused, State, key_of, say, system
from games.core import gettext_noop as noop
from games.live.hub import Audience
from games.match import play
from games.match.play import lock_match
from games.match.storage import LoadedMatch
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table

logger = logging.getLogger(__name__)


@dataclass
class Edit:
    """All changes of one form; calling it makes them on a position."""

    author: str
    changed: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    added: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    removed: list[tuple[str, str]] = field(default_factory=list)
    points: list[tuple[str, int, str]] = field(default_factory=list)

    def __call__(self, g: State) -> None:
        for kind, key in self.removed:
            remove(g, kind, key)
        for kind, values in self.added:
            add(g, kind, values)
        for kind, key, values in self.changed:
            change(g, kind, key, values)
        for seat, points, reason in self.points:
            g.score(seat, points, reason, author=self.author)


def carry_out(
    code: str, edit: Callable[[State], None], author: str, reason: str, key: str = ""
) -> play.Verdict:
    """Put an edit on a match as one entry in its log; the same `key` with the same edit does it once.

    Raises `RequestRefused` if the rules cannot go on from there, or no page could show it.
    """
    with transaction.atomic():
        verdict = play.edit(code, edit, author, reason, key)
        _draw_for_all(Match.objects.get(code=code))
    return verdict


def _draw_for_all(match: Match) -> None:
    """Draw the table for all who will see it: an edit that breaks their pages is not kept."""
    table = Table(match)
    try:
        for seats in ((), *((seat,) for seat in table.state.seats)):
            boards.html(table, Audience(seats, get_language() or "en", "table"))
    except OperationalError:
        raise
    except Exception as error:
        logger.warning("an edit of match %s that no page can show", match.code, exc_info=error)
        line = say(noop("That would make the match unreadable. Nothing was changed."))
        raise RequestRefused(line, 409, "impossible") from error


def change(g: State, kind: str, key: str, values: dict[str, Any]) -> None:
    """Set fields of a piece, or of the table; a piece named in a mutual field names the other back."""
    if kind == TABLE:
        for name, value in values.items():
            setattr(g, name, value)
        return
    pieces = getattr(g, KINDS[kind])
    if key not in pieces:
        return
    pieces[key] = replace(pieces[key], **values)
    for name, value in values.items():
        if column(system(g.system), kind, name).is_mutual:
            _name_back(pieces, key, name, value)


def add(g: State, kind: str, values: dict[str, Any]) -> str:
    """Put a new piece on the table; returns its key, made from its name."""
    pieces = getattr(g, KINDS[kind])
    key = key_of(values.get("name", ""), pieces, kind)
    piece_type: Any = g.piece_type(kind)
    pieces[key] = piece_type(key=key, **values)
    return key


def remove(g: State, kind: str, key: str) -> None:
    """Take a piece off the table, and its key out of every field that holds it."""
    getattr(g, KINDS[kind]).pop(key, None)
    for path, declared in system(g.system).columns.items():
        if declared.among != kind:
            continue
        where, _slash, name = path.partition("/")
        holders = [g] if where == TABLE else list(getattr(g, KINDS[where]).values())
        for holder in holders:
            _forget(holder, name, key)


def _name_back(pieces: dict[str, Any], key: str, name: str, named: frozenset[str]) -> None:
    for other, piece in pieces.items():
        present = getattr(piece, name)
        wanted = present | {key} if other in named else present - {key}
        if wanted != present:
            setattr(piece, name, wanted)


def _forget(holder: Any, name: str, key: str) -> None:
    held = getattr(holder, name, None)
    if isinstance(held, frozenset) and key in held:
        setattr(holder, name, held - {key})
    elif held == key:
        setattr(holder, name, None)


RESERVED = frozenset({"reason", "seen", "loaded", "piece_kind", "id", "match", "DELETE", "Meta"})
"""Names that a piece's field cannot have, because the form uses them."""


class PieceForm(forms.ModelForm):
    """One piece of the position, with a typed form field for each of its fields.

    `Meta.exclude` has all of them: the row is not what is edited, so nothing is copied into it or checked.
    """

    loaded: LoadedMatch
    piece_kind: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.instance = kwargs.get("instance")
        self.piece = self.piece_in(self.loaded.state) if self.instance and self.instance.pk else None
        kwargs["initial"] = {**self.present(), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        self.foreign = piece_fields.foreign(system(self.loaded.match.system), self.piece_kind, self.piece)
        for name in self.foreign & self.fields.keys():
            del self.fields[name]
        for name in self.own:
            field = self.fields[name]
            if isinstance(field, piece_fields.OneOf | piece_fields.Several):
                self._fit(name, field)
            self._tell_reader(name, field)

    @property
    def own(self) -> tuple[str, ...]:
        """The fields that belong to the piece."""
        return tuple(name for name in self._meta.labels or {} if name in self.fields)

    def piece_in(self, state: State) -> Any:
        """The piece of a position that this form's row stands for."""
        if self.piece_kind == TABLE:
            return state
        row: Any = self.instance
        key = str(row.number) if self.piece_kind == "round" else row.key
        return getattr(state, KINDS[self.piece_kind]).get(key)

    def present(self) -> dict[str, Any]:
        """The values in the position, or what a new piece starts with."""
        labels = self._meta.labels or {}
        if self.piece is not None:
            return {name: getattr(self.piece, name) for name in labels}
        if self.piece_kind == TABLE:
            return {}
        declared = self.loaded.state.piece_type(self.piece_kind).__dataclass_fields__  # type: ignore[attr-defined]
        return {name: _start(declared[name]) for name in labels if name in declared}

    def changes(self) -> dict[str, Any]:
        """The fields whose values were changed, typed as the piece wants them."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name in self.own}

    def everything(self) -> dict[str, Any]:
        """All values of a new piece."""
        return {name: self.cleaned_data[name] for name in self.own}

    @property
    def summary(self) -> list[tuple[str, str]]:
        """The most used fields of the piece as it stands, in words, without those that say nothing."""
        if self.piece is None:
            return []
        game = system(self.loaded.match.system)
        first = (name for name in piece_fields.first_names(game, self.piece_kind) if name in self.fields)
        pairs = ((self.fields[name], getattr(self.piece, name)) for name in first if name != "name")
        said = ((field, value) for field, value in pairs if value or type(value) is int)
        return [
            ("", str(field.label)) if value is True else (str(field.label), piece_fields.read(value, field))
            for field, value in said
        ]

    @property
    def is_blank(self) -> bool:
        """Whether this is the template that the page's script copies for a new piece."""
        return str(self.prefix).endswith("__prefix__")

    @property
    def is_open(self) -> bool:
        """Whether this form has something to look at: it is new, was changed, or has an error."""
        return self.piece is None or (self.is_bound and self.has_changed())

    def _fit(self, name: str, field: Any) -> None:
        """Accept the present value, keep a piece from naming itself, give a new piece a first value."""
        game = system(self.loaded.match.system)
        if (
            self.piece is not None
            and piece_fields.column(game, self.piece_kind, name).among == self.piece_kind
        ):
            field.choices = [choice for choice in field.choices if choice[0] != self.piece.key]
        field.allow(self.initial.get(name))
        if field.required and self.initial.get(name) is None:
            self.initial[name] = next((key for key, _label in field.choices), None)

    def _tell_reader(self, name: str, field: forms.Field) -> None:
        """Let read-only pages find the value, in words where the row has a key."""
        if self.piece is None:
            return
        column = getattr(type(self.instance), name, None)
        is_key = isinstance(field, piece_fields.OneOf) and isinstance(column, DeferredAttribute)
        if column is None or (is_key and not column.field.is_relation):
            setattr(self.instance, name, piece_fields.read(self.initial.get(name), field))


class LineForm(PieceForm):
    """A piece among many on a match's page: only the most used fields. Its own page has them all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = piece_fields.first_names(system(self.loaded.match.system), self.piece_kind)
        for name in self.own if self.piece is not None else ():
            if name not in first:
                del self.fields[name]


class EditForm(PieceForm):
    """A form to be saved, with the reason and the version of the table that it was made from."""

    refusal = ""
    """What the rules said when they were given these values."""

    reason = piece_fields.Reason()
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["seen"] = self.loaded.match.version

    def clean(self) -> dict[str, Any]:
        """The values, with the table locked until they are saved.

        `RequestRefused` (404) if it was deleted meanwhile.
        """
        cleaned = super().clean() or self.cleaned_data
        match = self.loaded.match
        now = lock_match(match.code).version
        if cleaned.get("seen") == str(now) and now == match.version:
            if self.refusal:
                raise ValidationError(self.refusal)
            return cleaned
        moved = _("The match changed while this page was open. Nothing was saved.")
        what = _("Your changes are still below. Check them, then save.")
        raise ValidationError([ValidationError(moved, code="stale"), ValidationError(what, code="stale")])

    @property
    def is_stale(self) -> bool:
        """Whether the table had changed since the page was made."""
        return self.has_error(NON_FIELD_ERRORS, "stale")


class PieceFormSet(BaseInlineFormSet):
    """Several pieces of one kind. It saves nothing itself."""

    new_objects: list[Any] = []
    changed_objects: list[Any] = []
    deleted_objects: list[Any] = []

    def validate_unique(self) -> None:
        """Check nothing: the admin makes the keys, so they cannot clash."""


def bring_up_to_date(forms_of_page: Iterable[Any], then: State) -> None:
    """Let a stale page show the table as it is, along with what the organiser had changed.

    `then` is the position that the page was made from: a value that reads as it did then is
    not a change, and gives way to the present value.
    """
    for form in forms_of_page:
        if form.piece is None:
            continue
        form.data = form.data.copy()
        before = form.piece_in(then)
        for name in form.own if before is not None else ():
            field, bound = form.fields[name], form[name]
            if not field.has_changed(getattr(before, name), bound.data):
                form.data.setlist(bound.html_name, field.posted(form.initial[name]))
        if "seen" in form.fields:
            form.data["seen"] = str(form.initial["seen"])


def piece_form(
    loaded: LoadedMatch, kind: str, row: type[models.Model], base: type[PieceForm] = PieceForm
) -> Any:
    """The form of a kind of piece as the match's system declares it."""
    made = piece_fields.form_fields(loaded, kind)
    labels = {name: field.label for name, field in made.items()}
    if reserved := RESERVED & made.keys():
        raise TypeError(f"the admin needs these names for itself: {sorted(reserved)}")
    if "name" in made and kind != "army":
        made["name"].required = True
    meta = type("Meta", (), {"model": row, "fields": (), "exclude": tuple(made), "labels": labels})
    maker: Any = type(base)
    return maker("PieceForm", (base,), {**made, "Meta": meta, "loaded": loaded, "piece_kind": kind})


def _start(declared: Any) -> Any:
    if declared.default_factory is not MISSING:
        return declared.default_factory()
    return None if declared.default is MISSING else declared.default


class RulingForm(forms.Form):
    """Who wins a match that an organiser ends, and why."""

    DRAW = "="

    winner = forms.ChoiceField(label=gettext_lazy("Winner"), widget=forms.RadioSelect)
    reason = piece_fields.Reason()

    def __init__(self, *args: Any, seats: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"].choices = [*seats, (self.DRAW, _("A draw"))]  # type: ignore[attr-defined]


class ReasonForm(forms.Form):
    """Why an organiser does something."""

    reason = piece_fields.Reason()
