"""What all admin pages that edit a match have in common.

The stock admin shows rows and saves rows. Here it still shows rows; saving is one edit of
the position, logged, undoable and told to the phones, through `games.match.play.edit`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games import translation
from games.admin import columns, facts
from games.admin.columns import TABLE
from games.admin.edits import Edit, carry_out
from games.admin.forms import EditForm, bring_up_to_date, piece_form
from games.core import validation
from games.core.state import KINDS
from games.core.system import is_served, system, systems
from games.history.verdict import RequestRefused
from games.match.moments import rewound
from games.match.storage import LoadedMatch
from games.models import Match
from games.translation import words

FARTHEST = 100
"""How many actions behind a page may be and still be brought up to date."""

SECRET = frozenset(
    {
        "seed",
        "salt",
        "secret",
        "hidden",
        "sealed",
        "payload",
        "move_hash",
        "asker_hash",
        "claim_hash",
        "opened_from",
        "opening_hash",
        "key",
    }
)
"""Columns that nobody may search by: even "none found" would tell something about their values."""


class BaseAdmin(admin.ModelAdmin):
    """A page of the admin: nothing secret can be searched for."""

    game_at: ClassVar[str] = ""
    """The lookup from a row to its game; with it, rows of games that are not installed are not shown."""
    list_per_page = 50
    show_full_result_count = False

    class Media:
        css = {"all": ("organiser-admin/admin.css",)}

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request)
        return found.filter(**{f"{self.game_at}__in": [g.slug for g in systems()]}) if self.game_at else found

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


class EditingAdmin(BaseAdmin):
    """A page with a form that edits a match; `kind` is the kind of piece, or "table"."""

    kind = TABLE
    change_form_template = "admin/games/edit.html"

    def match_of(self, row: Any) -> Match:
        """The match that a row belongs to."""
        return row.match

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row; the rest of the page then speaks in the words of its game."""
        row = super().get_object(request, object_id, from_field)
        if row is not None and is_served(self.match_of(row).system):
            translation.activate_game(self.match_of(row).system)
        return row

    def loaded_of(self, row: Any) -> LoadedMatch:
        """The position that a row is part of, read once per request."""
        return facts.loaded_of(self.match_of(row))

    # --- the form ------------------------------------------------------------------------------

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = piece_form(self.loaded_of(obj), self.kind, self.model, EditForm)
        form.refusal = getattr(request, "refusal", "")
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        game = system(self.match_of(obj).system)
        pieces = {} if self.kind == TABLE else getattr(self.loaded_of(obj).state, KINDS[self.kind])
        piece = pieces.get(obj.key) if pieces else None
        return without(fieldsets(game, self.kind), columns.foreign(game, self.kind, piece))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    # --- saving is one edit --------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """Do nothing: the row follows the position."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        edit = Edit(author_of(request))
        collect(edit, form)
        for formset in formsets:
            for one in formset.forms:
                collect(edit, one, formset.can_delete and formset._should_delete_form(one))
        self.carry_out(request, form.instance, edit, form.cleaned_data["reason"])

    def carry_out(self, request: HttpRequest, row: Any, edit: Edit, reason: str) -> None:
        """Put the edit on the match; raises `RequestRefused` if the rules cannot go on from there."""
        match = self.match_of(row)
        row.is_edited = carry_out(match.code, edit, edit.author, reason).version != match.version

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        return form.cleaned_data["reason"]

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, message) if getattr(obj, "is_edited", True) else None

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if obj.is_edited:
            return super().response_change(request, obj)
        self.message_user(request, _("Nothing was changed."), messages.WARNING)
        return HttpResponseRedirect(request.get_full_path())

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        match = self.match_of(kwargs["obj"])
        context["trail"] = self.trail(match)
        form = context["adminform"].form
        if form.is_bound and form.is_stale:
            self._bring_up_to_date(form, context["inline_admin_formsets"])
        return super().render_change_form(request, context, *args, **kwargs)

    def trail(self, match: Match) -> list[tuple[str, str]]:
        """The way to this page: addresses and words."""
        matches = (reverse("admin:games_match_changelist"), _("Matches"))
        return [matches, (reverse("admin:games_match_change", args=[match.pk]), match.code)]

    def _bring_up_to_date(self, form: Any, inlines: Any) -> None:
        loaded = form.loaded
        seen = form.data.get("seen", "")
        if not validation.is_number(seen, 6):
            return
        if 0 <= loaded.match.version - int(seen) <= FARTHEST:
            then = rewound(loaded.state, loaded.match, int(seen))
            bring_up_to_date([form, *(one for inline in inlines for one in inline.formset.forms)], then)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save, or show the page again with what was typed and the sentence that says why not."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except RequestRefused as refused:
            request.refusal = words(refused.line)  # type: ignore[attr-defined]
            return super().changeform_view(request, *args, **kwargs)


def fieldsets(game: Any, kind: str) -> list[tuple[Any, dict[str, Any]]]:
    """The most used fields on one line, and the others folded away, four to a line."""
    first = columns.first_names(game, kind)
    rest = [name for name in columns.names(game, kind) if name not in first]
    sets: list[tuple[Any, dict[str, Any]]] = []
    if first:
        sets.append((None, {"fields": (first,) if len(first) > 1 else first}))
    if rest:
        lines = tuple(tuple(rest[start : start + 4]) for start in range(0, len(rest), 4))
        sets.append((_("More"), {"fields": lines, "classes": ("collapse",)}))
    return sets


def without(sets: Any, names: frozenset[str]) -> list[tuple[Any, dict[str, Any]]]:
    """Fieldsets without these fields, and without lines and groups that this leaves empty."""
    found = []
    for heading, options in sets:
        lines = [
            tuple(name for name in ((line,) if isinstance(line, str) else line) if name not in names)
            for line in options["fields"]
        ]
        if any(lines):
            found.append((heading, {**options, "fields": tuple(line for line in lines if line)}))
    return found


def collect(edit: Edit, form: Any, is_removed: bool = False) -> None:
    """Note what a form changes."""
    is_new = form.instance.pk is None
    if is_removed:
        if not is_new and form.piece is not None:
            edit.removed.append((form.piece_kind, form.piece.key))
    elif is_new and form.piece_kind != TABLE:
        if form.has_changed():
            edit.added.append((form.piece_kind, form.everything()))
    elif form.has_changed() and (changes := form.changes()):
        key = "" if form.piece_kind == TABLE else form.piece.key
        edit.changed.append((form.piece_kind, key, changes))


def author_of(request: HttpRequest) -> str:
    """The organiser's name as the log shows it."""
    user: Any = request.user
    return user.get_full_name() or user.get_username()
