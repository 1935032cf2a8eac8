"""Matches: the list of tables, one table with everything on it, its points, and the log of all matches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import Script
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy

from games import translation, view_models
from games.admin import admin_pages, match_commands, match_facts, piece_fields
from games.admin.admin_pages import BareAdmin, BaseAdmin, Fixed, author_of
from games.admin.match_edits import Edit, carry_out
from games.admin.piece_admin import INLINES, EditingAdmin, Pieces, shown
from games.admin.piece_fields import TABLE, colour
from games.core import PIECE_GRAPHEMES, RequestRefused, Unreadable, clean_key, is_served, system, together
from games.history.commits import lines_for
from games.match import play, storage
from games.match.storage import LoadedMatch, readable_lines
from games.models import Entry, Match, Score
from games.translation import gettext as _
from games.translation import words

MOST = 999
PREFIX = "points"


class PointsForm(forms.Form):
    """How many points each side gains or loses now, and why.

    What was scored is never changed: a correction is another row. A number is added to the points at the
    time of saving, so a player's tap in between does no harm; `key` makes a repeated save the same save.
    """

    key = forms.Field(widget=forms.HiddenInput, required=False)
    reason = piece_fields.Reason(PIECE_GRAPHEMES)

    def __init__(self, loaded: LoadedMatch, sent: Any = None) -> None:
        super().__init__(sent, prefix=PREFIX, initial={"key": play.new_key()})
        self.loaded = loaded
        for number, seat in enumerate(loaded.state.seats, 1):
            field = piece_fields.Number(
                -MOST, MOST, is_optional=True, label=piece_fields.seat_name(loaded.state, seat)
            )
            field.widget = forms.NumberInput(attrs=_touch(field.label))
            field.widget.attrs["id"] = f"id_{PREFIX}-side-{number}"
            self.fields[f"side-{seat}"] = field

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.given:
            raise ValidationError(_("No points yet. Choose a number next to a side."))
        return cleaned

    def clean_reason(self) -> str:
        reason = self.cleaned_data["reason"]
        most = Score._meta.get_field("reason").max_length or 0
        if len(reason) > most:
            raise ValidationError(_("Too long. Please shorten it."))
        return reason

    def clean_key(self) -> str:
        try:
            return clean_key(self.cleaned_data["key"])
        except Unreadable:
            # Without its key a save still counts, but counts again if it is sent again.
            return play.new_key()

    @property
    def given(self) -> list[tuple[str, int]]:
        """The sides whose points change, and by how much."""
        sides = ((seat, self.cleaned_data.get(f"side-{seat}")) for seat in self.loaded.state.seats)
        return [(seat, change) for seat, change in sides if change]

    @property
    def sides(self) -> list[dict[str, Any]]:
        """The rows of the score table: the side, its points, and its field."""
        return [{**side, "field": self[f"side-{side['seat']}"]} for side in sides(self.loaded)]


def sides(loaded: LoadedMatch) -> list[dict[str, Any]]:
    """Every side with its name, its colour and its points."""
    g = loaded.state
    return [
        {
            "seat": seat,
            "mark": mark,
            "name": piece_fields.seat_name(g, seat),
            "colour": piece_fields.colour(g.system, seat) if g.armies[seat].name else "",
            "points": g.points(seat),
        }
        for mark, seat in view_models.marked(g.seats)
    ]


def rows(loaded: LoadedMatch) -> list[tuple[str, str, str, str, str, str]]:
    """What was given so far, newest first: round, side, points, reason, what it was for, who gave it."""
    g = loaded.state
    return [
        (
            words(system(g.system).round_name(score.round)),
            piece_fields.seat_name(g, score.seat),
            f"{score.points:+d}",
            piece_fields.translated(score.reason),
            piece_fields.translated(score.source),
            piece_fields.translated(score.author),
        )
        for score in reversed(g.scores.values())
    ]


def may_give(model_admin: Any, request: HttpRequest, match: Match) -> bool:
    """Whether this person may give points: they may change the match and add points."""
    user: Any = request.user
    return model_admin.has_change_permission(request, match) and user.has_perm("games.add_score")


def give(model_admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Give the points as one edit of the match; if something is not valid, ask again with what was typed."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    match = model_admin.get_object(request, object_id)
    if match is None:
        raise Http404
    if not may_give(model_admin, request, match):
        raise PermissionDenied
    form = PointsForm(match_facts.loaded_of(match), request.POST)
    if form.is_valid() and (said := _given(model_admin, request, match, form)):
        model_admin.message_user(request, said)
        return HttpResponseRedirect(reverse("admin:games_match_change", args=[match.pk]))
    # The stock page would save whatever was posted.
    request.method, request.POST = "GET", QueryDict()
    return model_admin.changeform_view(request, object_id, extra_context={"points": form})


def _given(model_admin: Any, request: HttpRequest, match: Match, form: PointsForm) -> str:
    """What the log says about it; "" if the match cannot go on from there, with the sentence in the form."""
    reason, key = form.cleaned_data["reason"], form.cleaned_data["key"]
    edit = Edit(author_of(request), points=[(seat, change, reason) for seat, change in form.given])
    try:
        verdict = carry_out(match.code, edit, edit.author, reason, key)
    except RequestRefused as refused:
        form.add_error(None, words(refused.line))
        return ""
    entry = Entry.objects.get(match=match, version=verdict.version)
    sentences = together(words(line) for line in lines_for(entry, None))
    if not verdict.is_replay:
        model_admin.log_change(request, match, sentences)
    return sentences


def _touch(label: Any) -> dict[str, Any]:
    return {
        "aria-label": label,
        "step": 1,
        "min": -MOST,
        "max": MOST,
        "placeholder": "0",
        "autocomplete": "off",
    }


RECENT = 8
"""Entries of the log on a match's own page."""


class Tables(ChangeList):
    """The list of matches, with what the table of each running one waits for."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        match_facts.add_waiting(self.result_list)


@admin.register(Match)
class MatchAdmin(EditingAdmin):
    """Matches: the list for organisers, and one match with its sides and log."""

    kind = TABLE
    inlines = INLINES
    list_display = ("code", "table", "score", "state", "waiting", "last_tap", "mode_words")
    list_filter = (
        admin_pages.State,
        admin_pages.Game,
        admin_pages.Mode,
        "created_at",
        ("is_listed", admin_pages.Listed),
    )
    search_fields = ("code", "armies__name", "units__name")
    search_help_text = gettext_lazy("Code, player or unit")
    ordering = ("-changed_at",)
    actions = match_commands.ALL
    change_form_template = "admin/games/match/change_form.html"
    change_list_template = "admin/games/match/change_list.html"

    class Media:
        js = (Script("organiser-admin/points.js", defer=True),)

    def match_of(self, row: Any) -> Match:
        return row

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related(match_facts.with_points())

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Tables

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        mine = [
            path(
                "<path:object_id>/do/",
                view(lambda request, object_id: match_commands.do(self, request, object_id)),
                name="games_match_do",
            ),
            path(
                "<path:object_id>/points/",
                view(lambda request, object_id: give(self, request, object_id)),
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
        return match_facts.score(match)

    @admin.display(description=gettext_lazy("state"), ordering="round")
    def state(self, match: Match) -> str:
        with match_facts.in_words_of_game(match):
            return match_facts.state(match)

    @admin.display(description=gettext_lazy("waits for"))
    def waiting(self, match: Match) -> str:
        return getattr(match, "waiting", "")

    @admin.display(description=gettext_lazy("mode"), ordering="mode")
    def mode_words(self, match: Match) -> str:
        with match_facts.in_words_of_game(match):
            return match_facts.mode(match)

    @admin.display(description=gettext_lazy("last tap"), ordering="changed_at")
    def last_tap(self, match: Match) -> str:
        return _("%(time)s ago") % {"time": timesince(match.changed_at, timezone.now(), depth=1)}

    def heading(self, row: Any) -> tuple[str, str]:
        parts = dict.fromkeys((match_facts.title(row), match_facts.mode(row)))
        return _("Match %(code)s") % {"code": row.code}, " · ".join(parts)

    def trail(self, match: Match) -> list[tuple[str, str]]:
        return super().trail(match)[:1]

    # --- one match -----------------------------------------------------------------------------

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The page of a match; a bare one if its game is not installed."""
        match = self.get_object(request, unquote(object_id)) if object_id else None
        if match is not None and not is_served(match.system):
            return BareMatch(Match, self.admin_site).changeform_view(request, object_id, *args, **kwargs)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return shown(request, obj) if obj is not None else ()

    def get_inline_formsets(self, request: HttpRequest, *args: Any, **kwargs: Any) -> list[Any]:
        return [Pieces.of(formset) for formset in super().get_inline_formsets(request, *args, **kwargs)]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        match = kwargs["obj"]
        loaded = match_facts.loaded_of(match)
        context |= {
            "facts": self.facts_of(match),
            "buttons": match_commands.buttons(match) if self.has_change_permission(request, match) else (),
            "sides": sides(loaded),
            "sheet": match_facts.sheet(loaded),
            "given": rows(loaded),
            "recent": recent(match),
            "log_url": f"{reverse('admin:games_entry_changelist')}?match__id__exact={match.pk}",
        }
        if may_give(self, request, match):
            context.setdefault("points", PointsForm(loaded))
        return super().render_change_form(request, context, *args, **kwargs)

    def facts_of(self, match: Match) -> list[tuple[str, Any]]:
        """The facts above the form: names and values."""
        loaded = match_facts.loaded_of(match)
        waits = match_facts.ending(match) or match_facts.waiting(match, loaded)
        altered = storage.altered_sentences(loaded.state, match.altered) if match.altered else ()
        facts = [
            (_("Table"), self.table(match)),
            (_("State"), match_facts.state(match)),
            (_("Stopped"), together(words(line) for line in altered)),
            (_("Result") if match.result else _("Waits for"), waits),
            (_("Rules"), _(match.rules.get("title") or "")),
            (_("Opened"), _when(match.created_at)),
            (_("Last tap"), _when(match.changed_at)),
            (_("Finished"), _when(match.finished_at)),
            (_("Seats"), match_facts.seats(match)),
            (_("Listed"), _("yes") if match.is_listed else _("no")),
        ]
        return [(name, value) for name, value in facts if value]

    # --- deleting ------------------------------------------------------------------------------

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return match_commands.deletion(list(objs))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        match_commands.delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for match in queryset.order_by("pk"):
            match_commands.delete(match)


class BareMatch(BareAdmin):
    """A match without its game."""

    fields = ("code", "system", "mode", "state", "score", "seats", "created_at", "changed_at", "finished_at")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related(match_facts.with_points())

    @admin.display(description=gettext_lazy("state"))
    def state(self, match: Match) -> str:
        return match_facts.state(match)

    @admin.display(description=gettext_lazy("score"))
    def score(self, match: Match) -> str:
        return match_facts.score(match)

    @admin.display(description=gettext_lazy("Seats"))
    def seats(self, match: Match) -> str:
        return match_facts.seats(match)


def recent(match: Match) -> list[dict[str, Any]]:
    """The newest entries of the log in the reader's language, as a spectator may read them."""
    entries = Entry.objects.filter(match=match).defer("before", "after").order_by("-version")
    newest = []
    for entry in entries[:RECENT]:
        lines = [words(line) for line in readable_lines(entry, None)]
        who = entry.author or colour(match.system, entry.seat)
        newest.append(
            {"version": entry.version, "who": "" if lines[0].startswith(who) else who, "lines": lines}
        )
    return newest


def _when(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT") if moment else ""


@admin.register(Entry)
class EntryAdmin(Fixed, BaseAdmin):
    """The log of all matches, for reading only."""

    game_at = "match__system"
    list_display = ("version", "code", "sentences", "who", "kind", "remarks", "created_at")
    list_display_links = None
    list_filter = ("kind", "is_final", admin_pages.StateOfMatch, admin_pages.GameOfMatch, "created_at")
    search_fields = ("match__code", "author")
    fields = ("code", "version", "created_at", "who", "kind", "sentences", "remarks")
    ordering = ("-pk",)
    list_per_page = 100

    def get_queryset(self, request: HttpRequest) -> Any:
        entries = super().get_queryset(request).select_related("match", "undone_by")
        heavy = ("before", "after", "payload", "key", "draws", "note")
        undone = (f"undone_by__{name}" for name in (*heavy, "sealed"))
        return entries.defer(*heavy, *undone, "match__seed", "match__rules")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """A table's code finds its entries by their index: to look into all rows takes seconds."""
        match = Match.objects.filter(code=search_term.strip().upper()).first()
        if match is not None:
            return queryset.filter(match=match), False
        return super().get_search_results(request, queryset, search_term)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("match"), ordering="match__code")
    def code(self, entry: Entry) -> str:
        url = reverse("admin:games_match_change", args=[entry.match_id])
        return format_html('<a href="{}">{}</a>', url, entry.match.code)

    @admin.display(description=gettext_lazy("what happened"))
    def sentences(self, entry: Entry) -> str:
        with translation.override_game(entry.match.system):
            return match_facts.readable(entry.match, lambda: _sentences(entry))

    @admin.display(description=gettext_lazy("who"), ordering="author")
    def who(self, entry: Entry) -> str:
        return entry.author or piece_fields.colour(entry.match.system, entry.seat) or "—"

    @admin.display(description=gettext_lazy("remarks"))
    def remarks(self, entry: Entry) -> str:
        marks = [_("final")] if entry.is_final else []
        return ", ".join([*marks, _("undone")] if hasattr(entry, "undone_by") else marks)


def _sentences(entry: Entry) -> str:
    sentences = ((words(line),) for line in readable_lines(entry, None))
    return format_html_join(mark_safe("<br>"), "{}", sentences)
