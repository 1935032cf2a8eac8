"""What organisers keep of events: settings, players, pairings, rulings, helpers; and the history, to be read.

A form saves nothing by itself: it becomes a command of `games.events.commands`, in the history of the event
like one that comes from a phone. What the rules refuse is said above the form.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import bare
from games.admin.base import BaseAdmin, author_of
from games.admin.filters import Game
from games.core.system import is_served, system, systems
from games.core.words import Line
from games.events import commands, log, play, rooms
from games.events.models import Call, Event, Helper, Pairing, Player, Record
from games.events.play import Actor
from games.events.rules import drawing
from games.events.rules.scoring import SCORINGS, Scoring, ways
from games.events.rules.standings import CRITERIA
from games.live import carriers
from games.live.hub import hub
from games.match.verdict import RequestRefused
from games.translation import words
from games.webhooks import worker

RECENT = 10


def actor(request: HttpRequest) -> Actor:
    """The organiser at the admin, as the history names them."""
    return Actor("", author_of(request))


class CommandForm(forms.ModelForm):
    """A form whose values are tried as a command while it is checked, and kept if the rules take them."""

    who: ClassVar[Actor] = Actor()

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        """The command; `RequestRefused` is said above the form."""
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
        """Everything is saved already."""
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class EventForm(CommandForm):
    """The settings of an event; with a new one it is opened."""

    mode = forms.CharField(label=gettext_lazy("Mode"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind of pairing"))
    scoring = forms.ChoiceField(label=gettext_lazy("Tournament points"))
    criteria = forms.CharField(label=gettext_lazy("Ranking criteria in their order"), required=False)

    class Meta:
        model = Event
        fields = (
            *("name", "mode", "kind", "size", "length", "cut", "minutes", "overtime", "days", "first_table"),
            *("scoring", "criteria", "apart", "is_open", "is_listed"),
        )

    def _scorings(self) -> dict[str, Scoring]:
        game = self.instance.system
        return ways(game) if game else SCORINGS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told: tuple[tuple[str, dict[str, str]], ...] = (
            ("kind", drawing.KINDS),
            ("scoring", {slug: one.title for slug, one in self._scorings().items()}),
        )
        for name, choices in told:
            if name in self.fields:
                self.fields[name].choices = [(slug, words(Line(text))) for slug, text in choices.items()]  # type: ignore[attr-defined]

        if "criteria" in self.fields:
            self.initial["criteria"] = ", ".join(self.instance.criteria)
            self.fields["criteria"].help_text = ", ".join(CRITERIA)

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        changed = {name: cleaned[name] for name in self.changed_data if name in cleaned}
        if "criteria" in changed:
            changed["criteria"] = [name.strip() for name in changed["criteria"].split(",")]
        commands.change_settings(self.instance.code, self.who, changed)


class OpeningForm(forms.ModelForm):
    """A new event: its game and its name; the rest is as usual for the game and can be changed then."""

    system = forms.ChoiceField(label=gettext_lazy("Game"))
    who: ClassVar[Actor] = Actor()

    class Meta:
        model = Event
        fields = ("system", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["system"].choices = [(game.slug, _(game.title)) for game in systems()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.instance = play.open_event(cleaned, self.who)
            except RequestRefused as refused:
                raise ValidationError(words(refused.line)) from refused
        return cleaned

    def _post_clean(self) -> None:
        """The rules have checked what there is to check."""

    def save(self, commit: bool = True) -> Any:
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class PlayerForm(CommandForm):
    """What a player is called, their club and faction."""

    class Meta:
        model = Player
        fields = ("name", "club", "faction")

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        player = self.instance
        told = (cleaned["name"], cleaned.get("club", ""), cleaned.get("faction", ""))
        commands.amend(player.event.code, self.who, player.key, *told)


class RulingForm(CommandForm):
    """The result of a table of two, as a judge says it."""

    first = forms.IntegerField()
    second = forms.IntegerField()
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    class Meta:
        model = Pairing
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, name in zip(("first", "second"), named(self.instance), strict=False):
            self.fields[field].label = _("Victory Points of %(name)s") % {"name": name}

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        pairing = self.instance
        points = zip(pairing.players, (cleaned["first"], cleaned["second"]), strict=False)
        said = {"scores": {player: {**pairing.results.get(player, {}), "vp": vp} for player, vp in points}}
        commands.rule(pairing.event.code, self.who, pairing.key, said, cleaned["reason"])


class CommandAdmin(BaseAdmin):
    """A page whose form is a command; rows are added and deleted by commands, too, or not at all."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.who = actor(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has done it while it was checked."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadAdmin(CommandAdmin):
    """Rows that are read here and nothing else."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Event)
class EventAdmin(CommandAdmin):
    """Events: what they are, who plays, what was done last."""

    form = EventForm
    list_display = ("name", "code", "game", "status", "count", "changed_at")
    list_filter = ("status", Game)
    search_fields = ("name", "code", "players__name")
    readonly_fields = ("code", "game", "status", "people", "helpers", "recent")
    ordering = ("-changed_at",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(playing=Count("players", distinct=True))

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *args: Any, **kwargs: Any) -> Any:
        """The page of an event; a bare one while its game is not installed."""
        event = self.get_object(request, unquote(object_id)) if object_id else None
        if event is not None and not is_served(event.system):
            return bare.page_of_event(self, request, event)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(
            request, obj, change, **({**kwargs, "form": OpeningForm} if obj is None else kwargs)
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("system", "name") if obj is None else (*EventForm.Meta.fields, *self.readonly_fields)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.readonly_fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("events.add_event")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("events.delete_event")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """An event goes with all that is its own; whoever may delete it may delete that. Its tables stay."""
        told = {event: Player.objects.filter(event=event).count() for event in objs}
        return [f"{event} ({count})" for event, count in told.items()], {}, set(), []

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
        return told_of(log.records_of(event).order_by("-version")[:RECENT])


def delete(event: Event) -> None:
    """Delete an event with all its rows; who still looks at it is told."""
    with transaction.atomic():
        for kind in (rooms.EVENT, rooms.WALL):
            transaction.on_commit(partial(hub.end, kind + event.code))
            carriers.announce("end", kind + event.code)
        worker.forget(event.code)
        event.delete()


def told_of(records: Any) -> str:
    """Entries of the history, a line each."""
    rows = ((record.version, record.author, sentences(record)) for record in records)
    return format_html_join(mark_safe("<br>"), "{} {} {}", rows)


def sentences(record: Record) -> str:
    """What an entry of the history says."""
    return " ".join(words(line) for line in log.lines_of(record)) or record.action


@admin.register(Player)
class PlayerAdmin(CommandAdmin):
    """Players of all events; one who was never paired can be taken off the list here."""

    form = PlayerForm
    list_display = ("name", "club", "faction", "event", "checked_in", "dropped")
    list_filter = ("checked_in",)
    search_fields = ("name", "club", "event__code", "event__name")
    fields = ("name", "club", "faction", "event", "checked_in", "dropped")
    readonly_fields = ("event", "checked_in", "dropped")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is not None and request.user.has_perm("events.delete_player")

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


def named(pairing: Pairing) -> list[str]:
    """The names of those who meet."""
    names = dict(Player.objects.filter(event=pairing.event_id).values_list("key", "name"))
    return [names.get(key, key) for key in pairing.players]


@admin.register(Pairing)
class PairingAdmin(CommandAdmin):
    """Tables of all events with their results; a judge's word is given here, with its reason."""

    form = RulingForm
    list_display = ("event", "round", "table", "names", "score", "state", "link")
    list_filter = ("state", "round")
    search_fields = ("event__code", "event__name", "match__code")
    fields = ("event", "round", "table", "names", "score", "state", "link", "first", "second", "reason")
    readonly_fields = ("event", "round", "table", "names", "score", "state", "link")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        is_of_two = obj is not None and len(obj.players) == 2
        return self.fields if is_of_two else self.readonly_fields

    @admin.display(description=gettext_lazy("players"))
    def names(self, pairing: Pairing) -> str:
        return " – ".join(named(pairing))

    @admin.display(description=gettext_lazy("result"))
    def score(self, pairing: Pairing) -> str:
        return " : ".join(str(pairing.results.get(key, {}).get("vp", "–")) for key in pairing.players)

    @admin.display(description=gettext_lazy("match"))
    def link(self, pairing: Pairing) -> str:
        if pairing.match_id is None:
            return "—"
        return format_html('<a href="{}">{}</a>', reverse("table", args=[pairing.match_id]), pairing.match_id)


@admin.register(Call)
class CallAdmin(ReadAdmin):
    """Judges' calls and rulings, to be read."""

    list_display = ("event", "number", "pairing", "question", "ruling", "ruled_by")
    search_fields = ("event__code", "question", "ruling")


@admin.register(Helper)
class HelperAdmin(ReadAdmin):
    """Who helps at which event."""

    list_display = ("name", "role", "event")
    fields = ("name", "role", "event")
    list_filter = ("role",)


@admin.register(Record)
class RecordAdmin(ReadAdmin):
    """The history of all events, to be read. Nobody adds to it, changes it or deletes from it."""

    list_display = ("event", "version", "said", "author", "created_at")
    search_fields = ("event__code", "author")
    fields = ("event", "version", "said", "author", "note", "created_at")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("event").defer("before", "after")

    @admin.display(description=gettext_lazy("what happened"))
    def said(self, record: Record) -> str:
        return sentences(record)
