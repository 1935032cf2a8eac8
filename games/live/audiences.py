"""What the streams show: a match's latest view for each audience, as HTML or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import transaction

from games.api.positions import VIEW, audience_json
from games.hall import event_actions as events
from games.hall import rooms
from games.hall.models import Event
from games.hall.organiser import overview
from games.hall.pages import event_page, event_screens
from games.live.hub import Audience, Withheld, hub
from games.match.storage import LoadedMatch
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table, table_of
from games.pages.watching import late, watched
from games.web.database import one_moment


def announce(code: str, version: int, loaded: LoadedMatch) -> None:
    """Tell everyone who listens to a match that it has a new version, and show it as the action left it."""
    table, lock = Table(loaded.match, loaded), Lock()

    def show(audience: Audience) -> str:
        # One audience after the other: they share what the table has computed.
        with lock:
            return _shown(table, audience)

    hub.publish(code, version, show)


def announce_end(instance: Match, **_signal: Any) -> None:
    """Tell everyone who listens to a match that it was deleted, by whomever, once that is committed."""
    transaction.on_commit(partial(hub.end, instance.code))


def announce_event(code: str, version: int) -> None:
    """Tell everyone who listens to an event, or to its wall, that it has a new version."""
    hub.publish(rooms.EVENT + code, version, None)
    announce_table(code, "")


def announce_table(code: str, match: str) -> None:
    """Tell everyone who looks at the wall of an event that one of its tables has changed."""
    room = rooms.WALL + code
    if room in hub.rooms:
        hub.publish(room, rooms.version(room, events.event_of(code)), None)


def drop_from_event(code: str, name: str, epoch: int) -> None:
    """End the streams of somebody whose link is no longer valid."""
    for kind in (rooms.EVENT, rooms.WALL):
        hub.drop(kind + code, name, epoch)


def snapshot(code: str, audience: Audience) -> tuple[int, str]:
    """The current version of a match, or of a room of an event, as an audience sees it."""
    if rooms.is_room(code):
        return _of_event(code, audience)
    with one_moment():
        table = table_of(code)
        return table.match.version, _shown(table, audience)


def _of_event(room: str, audience: Audience) -> tuple[int, str]:
    with one_moment():
        event = events.event_of(rooms.code_of(room))
        shown = EVENT_VIEWS[audience.view]
        return rooms.version(room, event), shown(event.code, audience)


EVENT_VIEWS: dict[str, Callable[[str, Audience], str]] = {
    "event": event_page.html,
    event_screens.VIEW: event_screens.html,
    **overview.VIEWS,
}
"""What an event's streams show, by the kind of view: called with the event's code and the audience."""


def look_at_event(event: Event) -> None:
    """Render an event in every kind of view; raises whatever keeps it from being shown."""
    for view in EVENT_VIEWS:
        _of_event(rooms.EVENT + event.code, Audience((), settings.LANGUAGE_CODE, view))


def _shown(table: Table, audience: Audience) -> str:
    if not audience.seats and late.is_late(table.match):
        raise Withheld
    if audience.view == VIEW:
        return audience_json(table, audience)
    draw = watched.html if audience.view in watched.TEMPLATES else boards.html
    return draw(table, audience)
