"""Events in the admin: settings, players, pairings, rulings and helpers, and the history for reading.

A form saves nothing by itself: it becomes a command of `games.hall.commands`, in the event's history like
one that comes from a phone. If the rules refuse it, their sentence is shown above the form.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import actions, bare, facts
from games.admin.base import BaseAdmin
from games.admin.filters import Game
from games.admin.forgetting import forget_the_gone
from games.admin.once import OnceAdmin
from games.core.steps import IllegalAction
from games.core.system import is_served, system
from games.hall import commands, event_rows, helping, judging, rooms
from games.hall.admin_forms import EventForm, OpeningForm, PlayerForm, RulingForm, actor, named
from games.hall.models import Announcement, Call, Event, EventEntry, Helper, Pairing, Player
from games.hall.rules import entering
from games.history import logbook
from games.history.verdict import RequestRefused
from games.live.hub import hub
from games.models import Match
from games.spacing import together
from games.translation import words
from games.webhooks import worker

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
            return bare.page_of_event(self, request, event)
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
            (reverse("event", args=[event.code]), _("Page of the event")),
            (f"{reverse('admin:events_pairing_changelist')}?q={event.code}", _("Pairings")),
        )
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>', rows)

    @admin.display(description=gettext_lazy("players"))
    def people(self, event: Event) -> str:
        rows = (
            (reverse("admin:events_player_change", args=[player.pk]), player.name, player.club)
            for player in Player.objects.filter(event=event)
        )
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a> {}', rows)

    @admin.display(description=gettext_lazy("helpers"))
    def helpers(self, event: Event) -> str:
        rows = ((str(helper), helper.get_role_display()) for helper in Helper.objects.filter(event=event))
        return format_html_join(mark_safe("<br>"), "{}: {}", rows)

    @admin.display(description=gettext_lazy("event history"))
    def recent(self, event: Event) -> str:
        return history_lines(logbook.entries_of(event).order_by("-version")[:RECENT])


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
            actions.delete(match)
        event.delete()
        forget_the_gone()


def history_lines(entries: Any) -> str:
    """Entries of the history, one line each."""
    rows = ((entry.version, entry.author, sentences(entry)) for entry in entries)
    return format_html_join(mark_safe("<br>"), "{} {} {}", rows)


def sentences(entry: EventEntry) -> str:
    """What an entry of the history says."""
    return together(words(line) for line in logbook.lines_for(entry)) or entry.action


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
            g = event_rows.load(player.event).state
            try:
                entering.refuse_paired(g, player.key, g.pairings.values())
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
            helping.new_link(player.event.code, actor(request), player.key)

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
        return facts.readable(pairing.event, lambda: " – ".join(named(pairing)))

    @admin.display(description=gettext_lazy("result"))
    def score(self, pairing: Pairing) -> str:
        return facts.readable(pairing.event, lambda: _score_of(pairing))

    @admin.display(description=gettext_lazy("match"))
    def link(self, pairing: Pairing) -> str:
        if pairing.match_id is None:
            return "—"
        return format_html('<a href="{}">{}</a>', reverse("table", args=[pairing.match_id]), pairing.match_id)


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
    def said(self, one: Announcement) -> datetime:
        return datetime.fromtimestamp(one.said_at, UTC)

    @admin.display(description=gettext_lazy("taken down"))
    def down(self, one: Announcement) -> datetime | None:
        return datetime.fromtimestamp(one.down_at, UTC) if one.down_at is not None else None

    def has_take_down_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("events.change_announcement")

    @admin.action(description=gettext_lazy("Take down"), permissions=["take_down"])
    def take_down(self, request: HttpRequest, queryset: Any) -> None:
        for one in queryset.select_related("event"):
            try:
                judging.take_down(one.event.code, actor(request), one.number)
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
        return facts.readable(entry.event, lambda: sentences(entry))
