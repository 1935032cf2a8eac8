"""Forms on the organisers' pages about events: each is tried as a command of `games.hall.commands`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from games.admin import match_commands, match_facts
from games.admin.admin_pages import BareAdmin, BaseAdmin, Game, OnceAdmin, OnceForm, author_of
from games.admin.match_commands import forget_the_gone
from games.core import (
    IllegalAction,
    Line,
    RequestRefused,
    Unreadable,
    clean_name,
    is_served,
    system,
    systems,
    together,
)
from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Announcement, Call, Event, EventEntry, Helper, Pairing, Player, Season
from games.hall.rules import registration
from games.hall.rules.event_results import mark, winner_by
from games.hall.rules.event_state import KINDS, TABLES
from games.hall.rules.standings import CRITERIA, MOST_CRITERIA, SCORINGS, Scoring, ways
from games.hall.seasons.season_standings import points_in
from games.history import commits
from games.history.commits import fresh_code
from games.live import rooms
from games.live.hub import hub
from games.models import Match
from games.translation import gettext as _
from games.translation import words
from games.webhooks import worker


def actor(request: HttpRequest) -> Actor:
    """The organiser in the admin, as the history names them."""
    return Actor("", author_of(request))


class CommandForm(forms.ModelForm):
    """A form whose values are tried as a command during validation, and kept if the rules accept them."""

    who: ClassVar[Actor] = Actor()

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        """Carry out the command; a `RequestRefused` is shown above the form."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors or not self.has_changed():
            return cleaned
        try:
            self.carry_out(cleaned)
        except RequestRefused as refused:
            raise ValidationError(words(refused.line)) from refused
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Save nothing: the command has done so already."""
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class ShownForm(CommandForm):
    """Only what differs from the page as it was shown is changed: another may have set the rest since."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def changed_in(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The fields that somebody has changed, with their values."""
        return {name: cleaned[name] for name in self.changed_data if name in cleaned}


class Ranking(forms.MultiValueField):
    """Ranking criteria in order: one choice for each place, and an empty place has none."""

    def __init__(self, **kwargs: Any) -> None:
        named = [("", "–"), *((name, gettext_lazy(title)) for name, title in CRITERIA.items())]
        labels = [gettext_lazy("Decides first"), *[gettext_lazy("then")] * (MOST_CRITERIA - 1)]
        widgets = [forms.Select({"aria-label": label}, named) for label in labels]
        places = [forms.ChoiceField(choices=named, required=False) for _label in labels]
        super().__init__(places, require_all_fields=False, widget=Selects(widgets), **kwargs)

    def compress(self, data_list: list[str]) -> list[str]:
        return [name for name in data_list if name]


class Selects(forms.MultiWidget):
    """A list to choose from for each place, under one common heading."""

    use_fieldset = True

    def decompress(self, value: list[str] | None) -> list[str]:
        return value or []


class HiddenSelects(Selects):
    """The same lists as they were shown."""

    template_name = "django/forms/widgets/multiple_hidden.html"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__([forms.HiddenInput] * MOST_CRITERIA, attrs)


Ranking.hidden_widget = HiddenSelects


class EventForm(ShownForm):
    """The settings of an event that is open already."""

    mode = forms.ChoiceField(label=gettext_lazy("Mode"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Pairing method"))
    tables = forms.ChoiceField(label=gettext_lazy("Who sits at which table"))
    scoring = forms.ChoiceField(label=gettext_lazy("Tournament points"))
    criteria = Ranking(label=gettext_lazy("Ranking and tiebreaks, in order"), required=False)

    class Meta:
        model = Event
        fields = (
            *(
                "name",
                "mode",
                "kind",
                "size",
                "length",
                "cut",
                "minutes",
                "overtime",
                "no_show",
                "days",
                "first_table",
                "zone",
            ),
            *("tables", "scoring", "criteria", "apart", "is_open", "is_listed", "is_rated", "reach"),
        )
        help_texts: ClassVar = {"length": gettext_lazy("0: by the number of players")}

    def _scorings(self) -> dict[str, Scoring]:
        game = self.instance.system
        return ways(game) if game else SCORINGS

    def _modes(self) -> dict[str, str]:
        game = self.instance.system
        return {mode.slug: mode.title for mode in system(game).modes} if is_served(game) else {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered: tuple[tuple[str, dict[str, str]], ...] = (
            ("mode", self._modes()),
            ("kind", KINDS),
            ("tables", TABLES),
            ("scoring", {slug: scoring.title for slug, scoring in self._scorings().items()}),
        )
        for name, choices in offered:
            if name in self.fields:
                self.fields[name].choices = [(slug, words(Line(text))) for slug, text in choices.items()]  # type: ignore[attr-defined]

        if "criteria" in self.fields:
            chosen = list(self.instance.criteria)
            self.initial["criteria"] = chosen + [""] * (MOST_CRITERIA - len(chosen))

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        commands.change_settings(self.instance.code, self.who, self.changed_in(cleaned))


class OpeningForm(OnceForm):
    """A new event: its game and name; the rest is as usual for the game and can be changed afterwards."""

    system = forms.ChoiceField(label=gettext_lazy("Game"))
    who: ClassVar[Actor] = Actor()

    class Meta:
        model = Event
        fields = ("system", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["system"].choices = [(game.slug, _(game.title)) for game in systems()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.is_known:
            values = {name: cleaned[name] for name in ("system", "name")}
            try:
                self.instance = event_actions.open_event(values, self.who, key=cleaned["key"])
            except RequestRefused as refused:
                raise ValidationError(words(refused.line)) from refused
            return {}  # The rules have set and checked everything.
        return cleaned

    def find_earlier(self, key: str) -> Any:
        entry = event_actions.opening(key)
        return entry and entry.event

    def save(self, commit: bool = True) -> Any:
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class PlayerForm(ShownForm):
    """A player's name, club and faction."""

    class Meta:
        model = Player
        fields = ("name", "club", "faction")

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        player = self.instance
        commands.amend(player.event.code, self.who, player.key, **self.changed_in(cleaned))


class RulingForm(CommandForm):
    """The result of a table of two, as a judge rules it."""

    first = forms.IntegerField()
    second = forms.IntegerField()
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    class Meta:
        model = Pairing
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, name in zip(("first", "second"), named(self.instance), strict=False):
            self.fields[field].label = _("Victory Points of %(name)s") % {"name": name}
        self.initial["seen"] = mark(self.instance)

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        pairing = self.instance
        points = zip(pairing.players, (cleaned["first"], cleaned["second"]), strict=False)
        scores = {player: {**pairing.results.get(player, {}), "vp": vp} for player, vp in points}
        stated = {"scores": scores, **_named_beside(pairing, scores)}
        why, seen = cleaned["reason"], cleaned.get("seen", "")
        try:
            commands.rule(pairing.event.code, self.who, pairing.key, stated, why, seen=seen)
        except RequestRefused:
            # The page that says so shows what stands there now.
            self.data = {**dict(self.data.items()), "seen": self.initial["seen"]}
            raise


def _named_beside(pairing: Pairing, scores: dict[str, dict[str, int]]) -> dict[str, str]:
    """The winner of a result and how it ended, as long as the corrected points say the same as before."""
    if not pairing.results or winner_by(scores) != winner_by(pairing.results):
        return {}
    return {"winner": pairing.winner, "how": pairing.how}


def named(pairing: Pairing) -> list[str]:
    players = Player.objects.filter(event=pairing.event_id, key__in=pairing.players)
    names = dict(players.values_list("key", "name"))
    return [names.get(key, key) for key in pairing.players]


# --- pages -------------------------------------------------------------------------------------------


RECENT = 10


class CommandAdmin(BaseAdmin):
    """A page whose form is a command; rows are also added and deleted by commands, or not at all."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.who = actor(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Do nothing: the form's validation has saved it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadAdmin(CommandAdmin):
    """Rows that can only be read here."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Event)
class EventAdmin(OnceAdmin, CommandAdmin):
    """Events: their settings, who plays, what was done last."""

    form = EventForm
    list_display = ("name", "code", "game", "status", "count", "changed_at")
    list_filter = ("status", Game)
    search_fields = ("name", "code", "players__name")
    readonly_fields = ("pages", "code", "game", "status", "people", "helpers", "recent")
    ordering = ("-changed_at",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(playing=Count("players", distinct=True))

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The page of an event; a bare one if its game is not installed."""
        event = self.get_object(request, unquote(object_id)) if object_id else None
        if event is not None and not is_served(event.system):
            return BareEvent(Event, self.admin_site).changeform_view(request, object_id, *args, **kwargs)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(
            request, obj, change, **({**kwargs, "form": OpeningForm} if obj is None else kwargs)
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        first, *rest = self.readonly_fields
        return ("system", "name", "key") if obj is None else (first, *EventForm.Meta.fields, *rest)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.readonly_fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("events.add_event")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("events.delete_event")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Let those who may delete an event delete all that is its own with it; its tables stay."""
        counts = {event: Player.objects.filter(event=event).count() for event in objs}
        return [f"{event} ({count})" for event, count in counts.items()], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: Event) -> None:
        delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for event in queryset.order_by("pk"):
            delete(event)

    @admin.display(description=gettext_lazy("game"), ordering="system")
    def game(self, event: Event) -> str:
        return _(system(event.system).title) if is_served(event.system) else event.system

    @admin.display(description=gettext_lazy("players"))
    def count(self, event: Any) -> int:
        return event.playing

    @admin.display(description=gettext_lazy("pages"))
    def pages(self, event: Event) -> str:
        """Links to where an event is run and seen, and to its tables here."""
        rows = (
            (reverse("organise", args=[event.code]), _("Organise")),
            (reverse("event", args=[event.code]), _("Event page")),
            (f"{reverse('admin:events_pairing_changelist')}?q={event.code}", _("Pairings")),
        )
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>', rows)

    @admin.display(description=gettext_lazy("players"))
    def people(self, event: Event) -> str:
        players = reverse("admin:events_player_changelist")
        rows = Player.objects.filter(event=event).values_list("pk", "name", "club")
        link = '<a href="{}{}/change/">{}</a> {}'
        return format_html_join(mark_safe("<br>"), link, ((players, *row) for row in rows))

    @admin.display(description=gettext_lazy("helpers"))
    def helpers(self, event: Event) -> str:
        rows = ((str(helper), helper.get_role_display()) for helper in Helper.objects.filter(event=event))
        return format_html_join(mark_safe("<br>"), "{}: {}", rows)

    @admin.display(description=gettext_lazy("event history"))
    def recent(self, event: Event) -> str:
        return history_lines(commits.entries_of(event).order_by("-version")[:RECENT])


class BareEvent(BareAdmin):
    """An event without its game."""

    fields = ("name", "code", "system", "mode", "status", "people", "created_at", "changed_at")

    @admin.display(description=gettext_lazy("players"))
    def people(self, event: Event) -> str:
        rows = Player.objects.filter(event=event).values_list("name", "club")
        return format_html_join(mark_safe("<br>"), "{} · {}", rows)


def delete(event: Event) -> None:
    """Delete an event with all its rows; those who still look at it are told.

    Tables at which people have played stay; those of a demo event are for show only, and go with it.
    """
    with transaction.atomic():
        # Wait for anything in progress there, so that it goes, too.
        Event.objects.select_for_update().filter(pk=event.pk).first()
        for kind in (rooms.EVENT, rooms.WALL):
            transaction.on_commit(partial(hub.end, kind + event.code))
        worker.forget(event.code)
        for match in Match.objects.filter(pairings__event=event) if event.is_demo else ():
            match_commands.delete(match)
        seasons = list(event.seasons.all())
        event.delete()
        for season in seasons:
            if not season.events.exists():
                season.delete()
        forget_the_gone()


def history_lines(entries: Any) -> str:
    rows = ((entry.version, entry.author, sentences(entry)) for entry in entries)
    return format_html_join(mark_safe("<br>"), "{} {} {}", rows)


def sentences(entry: EventEntry) -> str:
    """What an entry of the history says."""
    return together(words(line) for line in commits.lines_for(entry)) or entry.action


def _score_of(pairing: Pairing) -> str:
    return " : ".join(str(pairing.results.get(key, {}).get("vp", "–")) for key in pairing.players)


def _is_of_two(pairing: Pairing) -> bool:
    return len(pairing.players) == 2


@admin.register(Player)
class PlayerAdmin(CommandAdmin):
    """Players of all events; one who was never paired can be taken off the list here."""

    form = PlayerForm
    list_display = ("name", "club", "faction", "event", "checked_in", "dropped")
    list_filter = ("checked_in",)
    search_fields = ("name", "club", "event__code", "event__name")
    fields = ("name", "club", "faction", "event", "checked_in", "dropped")
    readonly_fields = ("event", "checked_in", "dropped")
    ordering = ("-event_id", "order", "pk")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is not None and request.user.has_perm("events.delete_player")

    def delete_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> Any:
        """Refuse at once to delete a player who was paired, not after a question with a false "deleted"."""
        player = self.get_object(request, unquote(object_id))
        if player is not None and self.has_delete_permission(request, player):
            g = event_actions.load_rows(player.event).state
            try:
                registration.refuse_paired(g, player.key, g.pairings.values())
            except IllegalAction as illegal:
                messages.error(request, words(illegal.line))
                return redirect("admin:events_player_change", player.pk)
        return super().delete_view(request, object_id, *args, **kwargs)

    def delete_model(self, request: HttpRequest, obj: Player) -> None:
        try:
            commands.remove(obj.event.code, actor(request), obj.key)
        except RequestRefused as refused:
            messages.error(request, words(refused.line))

    @admin.action(description=gettext_lazy("Make new links"), permissions=["change"])
    def new_links(self, request: HttpRequest, queryset: Any) -> None:
        for player in queryset.select_related("event"):
            commands.new_link(player.event.code, actor(request), player.key)

    actions = ("new_links",)


@admin.register(Pairing)
class PairingAdmin(CommandAdmin):
    """Tables of all events with their results; a judge rules here, with a reason."""

    form = RulingForm
    list_display = ("event", "round", "table", "names", "score", "state", "link")
    list_filter = ("state", "round")
    search_fields = ("event__code", "event__name", "match__code")
    readonly_fields = ("event", "round", "table", "names", "score", "state", "link")
    fields = (*readonly_fields, "first", "second", "reason", "seen")
    ordering = ("-event_id", "-round", "table", "pk")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        may = obj is not None and self.has_change_permission(request, obj)
        return self.fields if may else self.readonly_fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the result can be ruled here: byes and tables of several can only be read."""
        return super().has_change_permission(request, obj) and (obj is None or _is_of_two(obj))

    @admin.display(description=gettext_lazy("players"))
    def names(self, pairing: Pairing) -> str:
        return match_facts.readable(pairing.event, lambda: " – ".join(named(pairing)))

    @admin.display(description=gettext_lazy("result"))
    def score(self, pairing: Pairing) -> str:
        return match_facts.readable(pairing.event, lambda: _score_of(pairing))

    @admin.display(description=gettext_lazy("match"))
    def link(self, pairing: Pairing) -> str:
        if pairing.match_id is None:
            return "—"
        return format_html('<a href="{}">{}</a>', reverse("table", args=[pairing.match_id]), pairing.match_id)


class SeasonForm(forms.ModelForm):
    """A season with its scale."""

    points = forms.CharField(
        label=gettext_lazy("Points by place"), help_text=gettext_lazy("The winner’s first")
    )

    class Meta:
        model = Season
        fields = ("name", "points", "participation", "best", "events")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["points"] = ", ".join(map(str, self.instance.points))

    def clean_name(self) -> str:
        return str(_read(clean_name, self.cleaned_data["name"]))

    def clean_points(self) -> list[int]:
        return list(_read(points_in, self.cleaned_data["points"]))


def _read(reader: Callable[[str], Any], typed: str) -> Any:
    """What was typed, read; a sentence beside the field if it cannot be."""
    try:
        return reader(typed)
    except Unreadable as wrong:
        raise ValidationError(words(wrong.line)) from wrong


@admin.register(Season)
class SeasonAdmin(BaseAdmin):
    """Seasons: their scale and their events; standings are worked out from these."""

    form = SeasonForm
    list_display = ("name", "code", "count", "page")
    search_fields = ("name", "code")
    autocomplete_fields = ("events",)
    ordering = ("-pk",)

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        obj.code = obj.code or fresh_code(Season)
        super().save_model(request, obj, form, change)

    @admin.display(description=gettext_lazy("events"))
    def count(self, season: Season) -> int:
        return season.events.count()

    @admin.display(description=gettext_lazy("pages"))
    def page(self, season: Season) -> str:
        return format_html('<a href="{}">{}</a>', reverse("season", args=[season.code]), _("Season"))


@admin.register(Call)
class CallAdmin(ReadAdmin):
    """Judges' calls and rulings, for reading only."""

    list_display = ("event", "number", "pairing", "question", "ruling", "ruled_by")
    search_fields = ("event__code", "question", "ruling")


@admin.register(Announcement)
class AnnouncementAdmin(ReadAdmin):
    """What was announced at all events; an action takes it down."""

    list_display = ("event", "number", "text", "author", "said", "down")
    search_fields = ("event__code", "event__name", "text")
    fields = ("event", "number", "text", "author", "said", "down")
    ordering = ("-event_id", "-number")
    actions = ("take_down",)

    @admin.display(description=gettext_lazy("announced"))
    def said(self, announcement: Announcement) -> datetime:
        return datetime.fromtimestamp(announcement.said_at, UTC)

    @admin.display(description=gettext_lazy("taken down"))
    def down(self, announcement: Announcement) -> datetime | None:
        return datetime.fromtimestamp(announcement.down_at, UTC) if announcement.down_at is not None else None

    def has_take_down_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("events.change_announcement")

    @admin.action(description=gettext_lazy("Remove"), permissions=["take_down"])
    def take_down(self, request: HttpRequest, queryset: Any) -> None:
        for announcement in queryset.select_related("event"):
            try:
                commands.take_down(announcement.event.code, actor(request), announcement.number)
            except RequestRefused as refused:
                messages.error(request, words(refused.line))


@admin.register(Helper)
class HelperAdmin(ReadAdmin):
    """Who helps at which event."""

    list_display = ("name", "role", "event")
    fields = ("name", "role", "event")
    list_filter = ("role",)


@admin.register(EventEntry)
class RecordAdmin(ReadAdmin):
    """The history of all events, for reading only: nobody adds to it, changes it or deletes from it."""

    list_display = ("event", "version", "said", "author", "created_at")
    search_fields = ("event__code", "author")
    fields = ("event", "version", "said", "author", "note", "created_at")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("event").defer("before", "after")

    @admin.display(description=gettext_lazy("what happened"))
    def said(self, entry: EventEntry) -> str:
        return match_facts.readable(entry.event, lambda: sentences(entry))
