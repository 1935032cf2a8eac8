"""Matches: the list of tables, and one table with everything on it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.forms import Script
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import actions, bare, commands, facts, filters, points
from games.admin.base import EditingAdmin
from games.admin.columns import TABLE, colour
from games.admin.inlines import INLINES, Pieces, shown
from games.core.system import is_served
from games.match import log
from games.match.log import readable_lines
from games.models import Entry, Match
from games.spacing import together
from games.translation import words

RECENT = 8
"""Entries of the log on a match's own page."""


class Tables(ChangeList):
    """The list of matches, with what the table of each running one waits for."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        facts.add_waiting(self.result_list)


@admin.register(Match)
class MatchAdmin(EditingAdmin):
    """Matches: the list for organisers, and one match with its sides and log."""

    kind = TABLE
    inlines = INLINES
    list_display = ("code", "table", "score", "state", "waiting", "last_tap", "mode_words")
    list_filter = (filters.State, filters.Game, filters.Mode, "created_at", ("is_listed", filters.Listed))
    search_fields = ("code", "armies__name", "units__name")
    search_help_text = gettext_lazy("Code, player or unit")
    ordering = ("-changed_at",)
    actions = actions.ALL
    change_form_template = "admin/games/match/change_form.html"
    change_list_template = "admin/games/match/change_list.html"

    class Media:
        js = (Script("organiser-admin/points.js", defer=True),)

    def match_of(self, row: Any) -> Match:
        return row

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related(facts.with_points())

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Tables

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        mine = [
            path(
                "<path:object_id>/do/",
                view(lambda request, object_id: commands.do(self, request, object_id)),
                name="games_match_do",
            ),
            path(
                "<path:object_id>/points/",
                view(lambda request, object_id: points.give(self, request, object_id)),
                name="games_match_points",
            ),
        ]
        return [*mine, *super().get_urls()]

    # --- the list ------------------------------------------------------------------------------

    @admin.display(description=gettext_lazy("table"))
    def table(self, match: Match) -> str:
        return format_html('<a href="{}">{}</a>', reverse("table", args=[match.code]), _("Open"))

    @admin.display(description=gettext_lazy("score"))
    def score(self, match: Match) -> str:
        return facts.score(match)

    @admin.display(description=gettext_lazy("state"), ordering="round")
    def state(self, match: Match) -> str:
        with facts.speaking(match):
            return facts.state(match)

    @admin.display(description=gettext_lazy("waits for"))
    def waiting(self, match: Match) -> str:
        return getattr(match, "waiting", "")

    @admin.display(description=gettext_lazy("mode"), ordering="mode")
    def mode_words(self, match: Match) -> str:
        with facts.speaking(match):
            return facts.mode(match)

    @admin.display(description=gettext_lazy("last tap"), ordering="changed_at")
    def last_tap(self, match: Match) -> str:
        return _("%(time)s ago") % {"time": timesince(match.changed_at, timezone.now(), depth=1)}

    def heading(self, row: Any) -> tuple[str, str]:
        parts = dict.fromkeys((facts.title(row), facts.mode(row)))
        return _("Match %(code)s") % {"code": row.code}, " · ".join(parts)

    def trail(self, match: Match) -> list[tuple[str, str]]:
        return super().trail(match)[:1]

    # --- one match -----------------------------------------------------------------------------

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The page of a match; a bare one if its game is not installed."""
        match = self.get_object(request, unquote(object_id)) if object_id else None
        if match is not None and not is_served(match.system):
            return bare.page_of_match(self, request, match)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return shown(request, obj) if obj is not None else ()

    def get_inline_formsets(self, request: HttpRequest, *args: Any, **kwargs: Any) -> list[Any]:
        return [Pieces.of(one) for one in super().get_inline_formsets(request, *args, **kwargs)]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        match = kwargs["obj"]
        loaded = self.loaded_of(match)
        context |= {
            "facts": self.facts_of(match),
            "buttons": commands.buttons(match) if self.has_change_permission(request, match) else (),
            "sides": points.sides(loaded),
            "sheet": facts.sheet(loaded),
            "given": points.rows(loaded),
            "recent": recent(match),
            "log_url": f"{reverse('admin:games_entry_changelist')}?match__id__exact={match.pk}",
        }
        if points.may_give(self, request, match):
            context.setdefault("points", points.PointsForm(loaded))
        return super().render_change_form(request, context, *args, **kwargs)

    def facts_of(self, match: Match) -> list[tuple[str, Any]]:
        """The facts above the form: names and values."""
        loaded = self.loaded_of(match)
        waits = facts.ending(match) or facts.waiting(match, loaded)
        altered = log.altered_sentences(loaded.state, match.altered) if match.altered else ()
        told = [
            (_("Table"), self.table(match)),
            (_("State"), facts.state(match)),
            (_("Stopped"), together(words(line) for line in altered)),
            (_("Result") if match.result else _("Waits for"), waits),
            (_("Rules"), _(match.rules.get("title") or "")),
            (_("Opened"), _when(match.created_at)),
            (_("Last tap"), _when(match.changed_at)),
            (_("Finished"), _when(match.finished_at)),
            (_("Seats"), facts.seats(match)),
            (_("Listed"), _("yes") if match.is_listed else _("no")),
        ]
        return [(name, value) for name, value in told if value]

    # --- deleting ------------------------------------------------------------------------------

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return actions.deletion(list(objs))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        actions.delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for match in queryset.order_by("pk"):
            actions.delete(match)


def recent(match: Match) -> list[dict[str, Any]]:
    """The newest entries of the log in the reader's language, as a spectator may read them."""
    entries = Entry.objects.filter(match=match).defer("before", "after").order_by("-version")
    found = []
    for entry in entries[:RECENT]:
        lines = [words(line) for line in readable_lines(entry, None)]
        who = entry.author or colour(match.system, entry.seat)
        found.append(
            {"version": entry.version, "who": "" if lines[0].startswith(who) else who, "lines": lines}
        )
    return found


def _when(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT") if moment else ""
