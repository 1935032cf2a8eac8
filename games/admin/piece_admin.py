"""Pages that edit the pieces of a match: a match's own, and those of its sides, units and objectives.

The stock admin shows rows and saves rows. Here it still shows rows; saving is one edit of the position,
logged, undoable and told to the phones, through `games.match.play.edit`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import InlineAdminFormSet
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from games import core, translation
from games.admin import admin_pages, match_facts, piece_fields
from games.admin.admin_pages import BaseAdmin, Fixed, author_of
from games.admin.match_edits import (
    Edit,
    EditForm,
    LineForm,
    PieceFormSet,
    ReasonForm,
    bring_up_to_date,
    carry_out,
    piece_form,
)
from games.admin.match_facts import loaded_of
from games.admin.piece_fields import TABLE
from games.core import KINDS, RequestRefused, is_number, is_served, system
from games.match.storage import LoadedMatch, rewound
from games.models import Army, Match, Objective, Round, Unit
from games.translation import gettext as _
from games.translation import words

FARTHEST = 100
"""How many actions behind a page may be and still be brought up to date."""


class EditingAdmin(BaseAdmin):
    """A page with a form that edits a match; `kind` is the kind of piece, or "table"."""

    kind = TABLE
    change_form_template = "admin/games/edit.html"

    def match_of(self, row: Any) -> Match:
        return row.match

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row; the rest of the page then speaks in the words of its game."""
        row = super().get_object(request, object_id, from_field)
        if row is not None and is_served(self.match_of(row).system):
            translation.activate_game(self.match_of(row).system)
        return row

    # --- the form ------------------------------------------------------------------------------

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = piece_form(loaded_of(self.match_of(obj)), self.kind, self.model, EditForm)
        form.refusal = getattr(request, "refusal", "")
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        game = system(self.match_of(obj).system)
        pieces = {} if self.kind == TABLE else getattr(loaded_of(self.match_of(obj)).state, KINDS[self.kind])
        piece = pieces.get(obj.key) if pieces else None
        return without(fieldsets(game, self.kind), piece_fields.foreign(game, self.kind, piece))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    # --- saving is one edit --------------------------------------------------------------------

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """Do nothing: the row follows the position."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        edit = Edit(author_of(request))
        collect(edit, form)
        for formset in formsets:
            for inner_form in formset.forms:
                collect(edit, inner_form, inner_form in formset.deleted_forms)
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
        if not is_number(seen, 6):
            return
        if 0 <= loaded.match.version - int(seen) <= FARTHEST:
            then = rewound(loaded.state, loaded.match, int(seen))
            bring_up_to_date(
                [form, *(inner_form for inline in inlines for inner_form in inline.formset.forms)], then
            )

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save, or show the page again with what was typed and the sentence that says why not."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except RequestRefused as refused:
            request.refusal = words(refused.line)  # type: ignore[attr-defined]
            return super().changeform_view(request, *args, **kwargs)


def fieldsets(game: Any, kind: str) -> list[tuple[Any, dict[str, Any]]]:
    """The most used fields on one line, and the others folded away, four to a line."""
    first = piece_fields.first_names(game, kind)
    rest = [name for name in piece_fields.names(game, kind) if name not in first]
    sets: list[tuple[Any, dict[str, Any]]] = []
    if first:
        sets.append((None, {"fields": (first,) if len(first) > 1 else first}))
    if rest:
        lines = tuple(tuple(rest[start : start + 4]) for start in range(0, len(rest), 4))
        sets.append((_("More"), {"fields": lines, "classes": ("collapse",)}))
    return sets


def without(sets: Any, names: frozenset[str]) -> list[tuple[Any, dict[str, Any]]]:
    """Fieldsets without these fields, and without lines and groups that this leaves empty."""
    fieldsets = []
    for heading, options in sets:
        lines = [
            tuple(name for name in ((line,) if isinstance(line, str) else line) if name not in names)
            for line in options["fields"]
        ]
        if any(lines):
            fieldsets.append((heading, {**options, "fields": tuple(line for line in lines if line)}))
    return fieldsets


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


MOST_NEW = 20
"""How many pieces of one kind can be added in one save; any beyond that are not read."""


class Pieces(InlineAdminFormSet):
    """The forms of a kind of piece, each with the fields that its piece can have."""

    @classmethod
    def of(cls, stock: Any) -> Pieces:
        """The stock admin's forms, without the fields that a piece cannot have."""
        pieces = cls(stock.opts, stock.formset, stock.fieldsets)
        vars(pieces).update(vars(stock))
        return pieces

    def __iter__(self) -> Iterator[Any]:
        for inline_form in super().__iter__():
            form: Any = inline_form.form
            inline_form.fieldsets = without(inline_form.fieldsets, form.foreign)
            yield inline_form


class PieceInline(admin.StackedInline):
    """Pieces of one kind, with the fields of the match's system."""

    kind = ""
    extra = 0
    formset = PieceFormSet
    show_change_link = True
    template = "admin/games/pieces.html"

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        loaded = loaded_of(obj)
        kwargs |= {"form": self.form_of(loaded), **limits(self, loaded)}
        return super().get_formset(request, obj, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return fieldsets(system(obj.system), self.kind)

    def form_of(self, loaded: LoadedMatch) -> Any:
        """The form class of this kind of piece."""
        return piece_form(loaded, self.kind, self.model, LineForm)


class ArmyInline(Fixed, PieceInline):
    """The sides of a match."""

    model = Army
    kind = "army"
    template = "admin/edit_inline/stacked.html"

    def form_of(self, loaded: LoadedMatch) -> Any:
        """The form with all fields: armies are few, so each is shown whole."""
        return piece_form(loaded, self.kind, self.model)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("hidden")


class UnitInline(PieceInline):
    model = Unit
    kind = "unit"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("army").defer("army__hidden")


class ObjectiveInline(PieceInline):
    model = Objective
    kind = "objective"

    def get_queryset(self, request: HttpRequest) -> Any:
        objectives = super().get_queryset(request).select_related("claimed_by", "override")
        return objectives.defer("override__hidden")


class RoundInline(Fixed, PieceInline):
    model = Round
    kind = "round"
    show_change_link = False


def shown(request: HttpRequest, match: Match) -> tuple[Any, ...]:
    """The kinds that a match uses, and for a submitted page those that it came with."""
    sent = request.POST if request.method == "POST" else {}
    return tuple(
        inline
        for inline in INLINES
        if is_used(inline.kind, match) or f"{KINDS[inline.kind]}-TOTAL_FORMS" in sent
    )


def is_used(kind: str, match: Match) -> bool:
    """Whether a match has such pieces or may still get them; objectives are laid before round 1."""
    loaded = loaded_of(match)
    if kind not in PLAIN or getattr(loaded.state, KINDS[kind]):
        return True
    is_laid = kind == "objective" and loaded.state.round > 0
    return loaded.state.types[kind] is not PLAIN[kind] and not is_laid


def limits(inline: Any, loaded: LoadedMatch) -> dict[str, Any]:
    """Options of a formset: how many forms it may have, and that it takes no fields from the rows."""
    most = len(getattr(loaded.state, KINDS[inline.kind])) + MOST_NEW
    # A 0 from the stock admin means that nothing may be added.
    return {"fields": (), "max_num": 0 if inline.max_num == 0 else most, "absolute_max": most}


PLAIN: dict[str, type[core.Piece]] = {"unit": core.Unit, "objective": core.Objective}
"""The kinds that not every game has: a game without one leaves the core's own class."""

INLINES: tuple[Any, ...] = (ArmyInline, UnitInline, ObjectiveInline, RoundInline)


class PieceAdmin(EditingAdmin):
    """A kind of piece, in all matches."""

    game_at = "match__system"
    list_filter: ClassVar[Any] = (admin_pages.StateOfMatch, admin_pages.GameOfMatch)
    delete_confirmation_template = "admin/games/remove.html"
    ordering = ("-match__changed_at", "pk")

    @admin.display(description=gettext_lazy("match"), ordering="match__code")
    def code(self, row: Any) -> str:
        url = reverse("admin:games_match_change", args=[row.match_id])
        return format_html('<a href="{}">{}</a>', url, row.match.code)

    @admin.display(description=gettext_lazy("game"), ordering="match__system")
    def game(self, row: Any) -> str:
        return match_facts.title(row.match)

    def heading(self, row: Any) -> tuple[str, str]:
        return str(row), self.whereabouts(row)

    def whereabouts(self, row: Any) -> str:
        """The game and the match that a piece belongs to."""
        return f"{match_facts.title(row.match)} · {_('Match %(code)s') % {'code': row.match.code}}"

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Ask for the reason; if it is not valid, ask again, and remove nothing."""
        form = ReasonForm(request.POST if request.method == "POST" else None)
        if form.is_bound and form.is_valid():
            try:
                return super().delete_view(request, object_id, extra_context)
            except RequestRefused as refused:
                form.add_error("reason", words(refused.line))
        title = _("Remove from the match")
        # The stock page asks for confirmation whenever the request is not a POST.
        request.method, request.POST = "GET", QueryDict()
        return super().delete_view(
            request, object_id, {"form": form, "title": title, **(extra_context or {})}
        )

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Take the piece off the table, as one edit with its reason."""
        reason = ReasonForm(request.POST)
        reason.is_valid()
        edit = Edit(author_of(request), removed=[(self.kind, obj.key)])
        carry_out(self.match_of(obj).code, edit, edit.author, reason.cleaned_data["reason"])

    def get_actions(self, request: HttpRequest) -> Any:
        """No actions: a removal is an edit of one match, with its reason."""
        return {}


@admin.register(Army)
class ArmyAdmin(PieceAdmin):
    kind = "army"
    list_display = ("player", "colour", "side", "points", "ready", "code", "game")
    search_fields = ("name", "faction", "match__code", "units__name")
    list_select_related = ("match",)

    def get_queryset(self, request: HttpRequest) -> Any:
        armies = super().get_queryset(request).defer("hidden").select_related("match")
        return armies.annotate(points=match_facts.points_of("scores"))

    def heading(self, row: Any) -> tuple[str, str]:
        """The side: its player and its colour, or the colour alone if the player has no name."""
        parts = (row.name, piece_fields.colour(row.match.system, row.key))
        return " · ".join(part for part in parts if part), self.whereabouts(row)

    @admin.display(description=gettext_lazy("player"), ordering="name")
    def player(self, army: Army) -> str:
        return match_facts.name_of(army.match, army)

    @admin.display(description=gettext_lazy("seat"))
    def colour(self, army: Army) -> str:
        return piece_fields.colour(army.match.system, army.key)

    @admin.display(description=gettext_lazy("faction"), ordering="faction")
    def side(self, army: Army) -> str:
        return piece_fields.value_words(army.match.system, "army", "faction", army.faction)

    @admin.display(description=gettext_lazy("score"), ordering="points")
    def points(self, army: Any) -> int:
        return army.points

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a match keeps its seats."""
        return False


@admin.register(Unit)
class UnitAdmin(PieceAdmin):
    kind = "unit"
    list_display = ("name", "player", "where", "activated", "wounds_left", "cost", "code", "game")
    list_filter = (admin_pages.StateOfMatch, admin_pages.GameOfMatch, "activated")
    search_fields = ("name", "army__name", "match__code")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("match", "army").defer("army__hidden")

    @admin.display(description=gettext_lazy("player"), ordering="army__name")
    def player(self, unit: Unit) -> str:
        return match_facts.name_of(unit.match, unit.army)

    def heading(self, row: Any) -> tuple[str, str]:
        return str(row), f"{match_facts.name_of(row.match, row.army)} · {self.whereabouts(row)}"

    @admin.display(description=gettext_lazy("wounds left"), ordering="wounds", empty_value="—")
    def wounds_left(self, unit: Unit) -> int | None:
        """The wounds left; None for a unit that has no wounds."""
        game = system(unit.match.system)
        own = {"key": unit.key, "army": unit.army.key, "kind": unit.kind}
        try:
            piece = game.state.piece_type("unit").from_json({**unit.extra, **own})
        except (AttributeError, LookupError, TypeError, ValueError):
            # Somebody has altered the row: nothing is known about it, but the list must show the others.
            return None
        return unit.wounds if piece_fields.has(game, "unit", "wounds", piece) else None

    @admin.display(description=gettext_lazy("place"), ordering="place")
    def where(self, unit: Unit) -> str:
        return piece_fields.value_words(unit.match.system, "unit", "place", unit.place)


@admin.register(Objective)
class ObjectiveAdmin(PieceAdmin):
    """Objectives and areas of all matches."""

    kind = "objective"
    list_display = ("__str__", "claimed_by", "said", "code", "game")
    search_fields = ("name", "match__code", "claimed_by__name")

    def get_queryset(self, request: HttpRequest) -> Any:
        objectives = super().get_queryset(request).select_related("match", "claimed_by", "override")
        return objectives.defer("override__hidden")

    @admin.display(description=gettext_lazy("set by the players"), empty_value="—")
    def said(self, place: Objective) -> str | None:
        return match_facts.name_of(place.match, place.override) if place.override else None
