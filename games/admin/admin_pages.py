"""What all pages of the admin have in common: their lists, filters, and forms that add one thing once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin import BooleanFieldListFilter, SimpleListFilter
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from games.core import Cell, Unreadable, clean_key, systems
from games.match import play
from games.translation import gettext as _
from games.translation import words
from games.web import in_turn

STATES: dict[str, tuple[Promise, dict[str, Any]]] = {
    "lobby": (gettext_lazy("Lobby"), {"finished_at": None, "round": 0}),
    "playing": (gettext_lazy("Playing"), {"finished_at": None, "round__gt": 0}),
    "finished": (gettext_lazy("Finished"), {"finished_at__isnull": False}),
}


class OfMatch(SimpleListFilter):
    """A filter on the match that a row belongs to (`at` is the lookup to it)."""

    at = ""

    def has_output(self) -> bool:
        """Hide the filter where there is only one choice."""
        return len(self.lookup_choices) > 1 or bool(self.value())

    def only(self, queryset: QuerySet, **conditions: Any) -> QuerySet:
        return queryset.filter(**{f"{self.at}{name}": value for name, value in conditions.items()})


class Game(OfMatch):
    title = gettext_lazy("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(game.slug, _(game.title)) for game in systems()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return self.only(queryset, system=self.value()) if self.value() else queryset


class Mode(OfMatch):
    title = gettext_lazy("mode")
    parameter_name = "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(f"{game.slug}:{mode.slug}", _(mode.title)) for game in systems() for mode in game.modes]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        game, _colon, mode = (self.value() or "").partition(":")
        return self.only(queryset, system=game, mode=mode)


class State(OfMatch):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(state, str(words)) for state, (words, _conditions) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return self.only(queryset, **STATES[self.value() or ""][1]) if self.value() in STATES else queryset


class KindFilter(OfMatch):
    """The game and kind of a list of entries: not a choice for its reader, as each kind has its own page."""

    title = gettext_lazy("kind")
    parameter_name = "of"

    def has_output(self) -> bool:
        return False

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(self.value() or "", "")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """All rows: the stock list skips filters without output, so the rows were chosen earlier."""
        return queryset


def of_cell(name: str, cell: Cell) -> type[SimpleListFilter] | None:
    """A filter by words on a fact of the listed entries; None for a fact without choices."""
    among = cell.flags if cell.flags is not None else cell.among
    if among is None or not cell.is_listed:
        return None
    lookup = "icontains" if cell.flags is not None else "exact"
    choices = [(value, _(words)) for value, words in among.items() if value]

    class OfCell(SimpleListFilter):
        title = _(cell.label)
        parameter_name = f"is_{name}"

        def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
            return choices

        def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
            is_known = self.value() in dict(choices)
            return queryset.filter(**{f"facts__{name}__{lookup}": self.value()}) if is_known else queryset

    return OfCell


class Listed(BooleanFieldListFilter):
    """Whether a match is shown among the live tables."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = gettext_lazy("listed")


class GameOfMatch(Game):
    at = "match__"


class StateOfMatch(State):
    at = "match__"


SECRET = frozenset(
    {
        *("seed", "salt", "secret", "hidden", "sealed", "payload", "key"),
        *("move_hash", "asker_hash", "claim_hash", "opened_from", "opening_hash"),
    }
)
"""Columns that nobody may search by: even "none found" would tell something about their values."""


class Fixed:
    """Rows that nobody adds or deletes here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class BaseAdmin(admin.ModelAdmin):
    """A page of the admin: nothing secret can be searched for."""

    game_at: ClassVar[str] = ""
    """The lookup from a row to its game; with it, rows of games that are not installed are not shown."""
    list_per_page = 50
    show_full_result_count = False

    class Media:
        css = {"all": ("organiser-admin/admin.css",)}

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        return rows.filter(**{f"{self.game_at}__in": [g.slug for g in systems()]}) if self.game_at else rows

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = kwargs.get("obj")
        if row is not None:
            context["title"], context["subtitle"] = self.heading(row)
        return super().render_change_form(request, context, *args, **kwargs)

    def heading(self, row: Any) -> tuple[str, str]:
        """The title of a row's page, and where the row belongs."""
        return str(row), str(capfirst(self.opts.verbose_name))

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        if SECRET.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)


class BareAdmin(BaseAdmin):
    """A match or an event whose game is not installed: what can be said without it; it can be deleted."""

    change_form_template = "admin/games/bare.html"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def author_of(request: HttpRequest) -> str:
    """The organiser's name as the log shows it."""
    user: Any = request.user
    return user.get_full_name() or user.get_username()


class OnceForm(forms.ModelForm):
    """A form with a key, by which what it added is found again. The admin validates it in a transaction."""

    key = forms.CharField(required=False, widget=forms.HiddenInput, initial=play.new_key)

    is_known = False
    """Whether the same form added this a moment ago."""

    def find_earlier(self, key: str) -> Any:
        """What a form with this key added earlier; None for nothing."""
        raise NotImplementedError

    def clean_key(self) -> str:
        """The key; "" for a form without one, which cannot be repeated."""
        key = self.cleaned_data["key"]
        try:
            return clean_key(key) if key else ""
        except Unreadable as unreadable:
            raise ValidationError(words(unreadable.line)) from unreadable

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors or not cleaned["key"]:
            return cleaned
        in_turn(f"form {cleaned['key']}")
        if (earlier := self.find_earlier(cleaned["key"])) is not None:
            self.instance, self.is_known = earlier, True
            return {}  # Nothing is copied into what was added earlier.
        return cleaned


class OnceAdmin:
    """What the admin does with such a form: what was added earlier is neither saved nor reported again."""

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save what is new, and nothing else."""
        if not getattr(form, "is_known", False):
            super().save_model(request, obj, form, change)  # type: ignore[misc]

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        """What the admin's history says; None for what was added earlier."""
        if getattr(form, "is_known", False):
            return None
        return super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]

    def log_addition(self, request: Any, obj: Any, message: Any) -> Any:
        """Log what is new, and nothing else."""
        return None if message is None else super().log_addition(request, obj, message)  # type: ignore[misc]
