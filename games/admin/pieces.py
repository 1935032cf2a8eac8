"""Armies, units and objectives of all matches: to find one and put it right."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import columns, facts, filters
from games.admin.base import EditingAdmin, author_of
from games.admin.edits import Edit, carry_out
from games.admin.forms import ReasonForm
from games.core.system import system
from games.history.verdict import RequestRefused
from games.models import Army, Objective, Unit
from games.translation import words


class PieceAdmin(EditingAdmin):
    """A kind of piece, in all matches."""

    game_at = "match__system"
    list_filter: ClassVar[Any] = (filters.StateOfMatch, filters.GameOfMatch)
    delete_confirmation_template = "admin/games/remove.html"
    ordering = ("-match__changed_at", "pk")

    @admin.display(description=gettext_lazy("match"), ordering="match__code")
    def code(self, row: Any) -> str:
        url = reverse("admin:games_match_change", args=[row.match_id])
        return format_html('<a href="{}">{}</a>', url, row.match.code)

    @admin.display(description=gettext_lazy("game"), ordering="match__system")
    def game(self, row: Any) -> str:
        return facts.title(row.match)

    def heading(self, row: Any) -> tuple[str, str]:
        return str(row), self.whereabouts(row)

    def whereabouts(self, row: Any) -> str:
        """The game and the match that a piece belongs to."""
        return f"{facts.title(row.match)} · {_('Match %(code)s') % {'code': row.match.code}}"

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
    """Sides of all matches."""

    kind = "army"
    list_display = ("player", "colour", "side", "points", "ready", "code", "game")
    search_fields = ("name", "faction", "match__code", "units__name")
    list_select_related = ("match",)

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request).defer("hidden").select_related("match")
        return found.annotate(points=facts.points_of("scores"))

    def heading(self, row: Any) -> tuple[str, str]:
        """The side: its player and its colour, or the colour alone if the player has no name."""
        parts = (row.name, columns.colour(row.match.system, row.key))
        return " · ".join(part for part in parts if part), self.whereabouts(row)

    @admin.display(description=gettext_lazy("player"), ordering="name")
    def player(self, army: Army) -> str:
        return facts.name_of(army.match, army)

    @admin.display(description=gettext_lazy("seat"))
    def colour(self, army: Army) -> str:
        return columns.colour(army.match.system, army.key)

    @admin.display(description=gettext_lazy("faction"), ordering="faction")
    def side(self, army: Army) -> str:
        return columns.value_words(army.match.system, "army", "faction", army.faction)

    @admin.display(description=gettext_lazy("score"), ordering="points")
    def points(self, army: Any) -> int:
        return army.points

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a match keeps its seats."""
        return False


@admin.register(Unit)
class UnitAdmin(PieceAdmin):
    """Units of all matches."""

    kind = "unit"
    list_display = ("name", "player", "where", "activated", "wounds_left", "cost", "code", "game")
    list_filter = (filters.StateOfMatch, filters.GameOfMatch, "activated")
    search_fields = ("name", "army__name", "match__code")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("match", "army").defer("army__hidden")

    @admin.display(description=gettext_lazy("player"), ordering="army__name")
    def player(self, unit: Unit) -> str:
        return facts.name_of(unit.match, unit.army)

    def heading(self, row: Any) -> tuple[str, str]:
        return str(row), f"{facts.name_of(row.match, row.army)} · {self.whereabouts(row)}"

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
        return unit.wounds if columns.has(game, "unit", "wounds", piece) else None

    @admin.display(description=gettext_lazy("place"), ordering="place")
    def where(self, unit: Unit) -> str:
        return columns.value_words(unit.match.system, "unit", "place", unit.place)


@admin.register(Objective)
class ObjectiveAdmin(PieceAdmin):
    """Objectives and areas of all matches."""

    kind = "objective"
    list_display = ("__str__", "claimed_by", "said", "code", "game")
    search_fields = ("name", "match__code", "claimed_by__name")

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request).select_related("match", "claimed_by", "override")
        return found.defer("override__hidden")

    @admin.display(description=gettext_lazy("as the players say"), empty_value="—")
    def said(self, place: Objective) -> str | None:
        return facts.name_of(place.match, place.override) if place.override else None
