"""The log of all matches, for reading only: nobody adds to it, changes it or deletes from it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import translation
from games.admin import columns, facts, filters
from games.admin.base import BaseAdmin
from games.match.log import readable_lines
from games.models import Entry, Match
from games.translation import words


@admin.register(Entry)
class EntryAdmin(BaseAdmin):
    """The log of all matches, for reading only."""

    game_at = "match__system"
    list_display = ("version", "code", "sentences", "who", "kind", "remarks", "created_at")
    list_display_links = None
    list_filter = ("kind", "is_final", filters.StateOfMatch, filters.GameOfMatch, "created_at")
    search_fields = ("match__code", "author")
    fields = ("code", "version", "created_at", "who", "kind", "sentences", "remarks")
    ordering = ("-pk",)
    list_per_page = 100

    def get_queryset(self, request: HttpRequest) -> Any:
        found = super().get_queryset(request).select_related("match", "undone_by")
        heavy = ("before", "after", "payload", "key", "draws", "note")
        undone = (f"undone_by__{name}" for name in (*heavy, "sealed"))
        return found.defer(*heavy, *undone, "match__seed", "match__rules")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """A table's code finds its entries by their index: to look into all rows takes seconds."""
        match = Match.objects.filter(code=search_term.strip().upper()).first()
        if match is not None:
            return queryset.filter(match=match), False
        return super().get_search_results(request, queryset, search_term)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("match"), ordering="match__code")
    def code(self, entry: Entry) -> str:
        url = reverse("admin:games_match_change", args=[entry.match_id])
        return format_html('<a href="{}">{}</a>', url, entry.match.code)

    @admin.display(description=gettext_lazy("what happened"))
    def sentences(self, entry: Entry) -> str:
        with translation.override_game(entry.match.system):
            return facts.readable(entry.match, lambda: _sentences(entry))

    @admin.display(description=gettext_lazy("who"), ordering="author")
    def who(self, entry: Entry) -> str:
        return entry.author or columns.colour(entry.match.system, entry.seat) or "—"

    @admin.display(description=gettext_lazy("remarks"))
    def remarks(self, entry: Entry) -> str:
        marks = [_("final")] if entry.is_final else []
        return ", ".join([*marks, _("undone")] if hasattr(entry, "undone_by") else marks)


def _sentences(entry: Entry) -> str:
    sentences = ((words(line),) for line in readable_lines(entry, None))
    return format_html_join(mark_safe("<br>"), "{}", sentences)
