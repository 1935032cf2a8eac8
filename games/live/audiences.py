"""From a committed change to the streams: who is told, and what each audience is shown (HTML or JSON)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from games.api.matches import VIEW, audience_json
from games.hall.event_actions import event_of
from games.hall.models import Event
from games.hall.organiser import overview
from games.hall.pages import event_page, event_screens
from games.history.signals import (
    event_changed,
    event_table_changed,
    link_revoked,
    match_changed,
    requests_changed,
    seat_freed,
)
from games.live import rooms
from games.live.hub import Audience, Withheld, hub
from games.match.storage import LoadedMatch
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table, table_of
from games.pages.watching import watch
from games.web import one_moment


@receiver(match_changed)
def announce(version: int, loaded: LoadedMatch, **_signal: Any) -> None:
    """Tell everyone who listens to a match that it has a new version, and show it as the action left it."""
    table, lock = Table(loaded.match, loaded), Lock()

    def show(audience: Audience) -> str:
        # One audience after the other: they share what the table has computed.
        with lock:
            return _shown(table, audience)

    hub.publish(loaded.match.code, version, show)


@receiver(post_delete, sender=Match)
def announce_end(instance: Match, **_signal: Any) -> None:
    """Tell everyone who listens to a match that it was deleted, by whomever, once that is committed."""
    transaction.on_commit(partial(hub.end, instance.code))


@receiver(event_changed)
def announce_event(code: str, version: int, **_signal: Any) -> None:
    """Tell everyone who listens to an event, or to its wall, that it has a new version."""
    hub.publish(rooms.EVENT + code, version, None)
    announce_table(event=code)


@receiver(event_table_changed)
def announce_table(event: str, **_signal: Any) -> None:
    """Tell everyone who looks at the wall of an event that one of its tables has changed."""
    room = rooms.WALL + event
    if room in hub.rooms:
        hub.publish(room, rooms.version(room, event_of(event)), None)


@receiver(seat_freed)
def end_streams(code: str, seat: str, epoch: int, **_signal: Any) -> None:
    """End the streams of a phone that has lost its seat."""
    hub.drop(code, seat, epoch)


@receiver(link_revoked)
def end_streams_of_event(code: str, holder: str, epoch: int, **_signal: Any) -> None:
    """End the streams of somebody whose link is no longer valid."""
    for kind in (rooms.EVENT, rooms.WALL):
        hub.drop(kind + code, holder, epoch)


@receiver(requests_changed)
def refresh(code: str, **_signal: Any) -> None:
    """Show the players of a match who asks for a seat."""
    hub.refresh(code)


def snapshot(code: str, audience: Audience) -> tuple[int, str]:
    """The current version of a match, or of a room of an event, as an audience sees it."""
    if rooms.is_room(code):
        return _of_event(code, audience)
    with one_moment():
        table = table_of(code)
        return table.match.version, _shown(table, audience)


def _of_event(room: str, audience: Audience) -> tuple[int, str]:
    with one_moment():
        event = event_of(rooms.code_of(room))
        shown = EVENT_VIEWS[audience.view]
        return rooms.version(room, event), shown(event.code, audience)


EVENT_VIEWS: dict[str, Callable[[str, Audience], str]] = {
    "event": event_page.html,
    **event_screens.VIEWS,
    **overview.VIEWS,
}
"""What an event's streams show, by the kind of view: called with the event's code and the audience."""


def draw_event(event: Event) -> None:
    """Render an event in every kind of view; raises whatever keeps it from being shown."""
    for view in EVENT_VIEWS:
        _of_event(rooms.EVENT + event.code, Audience((), settings.LANGUAGE_CODE, view))


def _shown(table: Table, audience: Audience) -> str:
    if not audience.seats and watch.is_late(table.match):
        raise Withheld
    if audience.view == VIEW:
        return audience_json(table, audience)
    draw = watch.html if audience.view in watch.TEMPLATES else boards.html
    return draw(table, audience)
