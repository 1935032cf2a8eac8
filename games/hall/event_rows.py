"""The rows of an event ⇄ its position: the only module that knows both; and its position by its log alone.

A process keeps a position for as long as its rows are those that it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from games.core import Image, diff, keep, plain
from games.hall.models import (
    Announcement,
    Call,
    Event,
    EventEntry,
    Pairing,
    Player,
    Round,
    Team,
    TeamMatch,
)
from games.hall.rules.event_state import EventState
from games.history import commits
from games.history.position_rows import Ids, Kept, Rows, set_columns

MODELS = {
    "player": Player,
    "round": Round,
    "pairing": Pairing,
    "call": Call,
    "announcement": Announcement,
    "team": Team,
    "team_match": TeamMatch,
}
TO_COLUMN = {"match": "match_id"}
"""Fields of a piece whose column has another name: a match is named by its code, which is the key here."""


def _columns(kind: str) -> dict[str, str]:
    """The columns of a kind of piece: one for each field, with its name; a number is its own key."""
    names = EventState.piece_type(kind).field_names()
    return {name: TO_COLUMN.get(name, name) for name in names if name != "key" or "number" not in names}


ROWS = Rows(
    parent="event_id",
    models=MODELS,
    columns={kind: _columns(kind) for kind in EventState.kinds},
    by_number=("round", "call", "announcement"),
)

EVENT_COLUMNS = tuple(name for name in EventState.field_names() if name not in EventState.kinds.values())
"""Fields of the position that are columns of the event: all that do not hold pieces."""


@dataclass
class LoadedEvent:
    """An event's row and its position, with the primary keys needed to write it back.

    `fits` says that the rows were what the log leads to when they were read.
    """

    event: Event
    state: EventState
    ids: Ids = field(default_factory=dict)
    fits: bool = False


def load(event: Event) -> LoadedEvent:
    return load_many([event])[0]


def load_many(events: Iterable[Event]) -> list[LoadedEvent]:
    """The positions of several events, in as many queries as one takes."""
    found = [LoadedEvent(event, _bare(event)) for event in events]
    ROWS.read({loaded.event.pk: (loaded.state, loaded.ids) for loaded in found})
    return found


def save(loaded: LoadedEvent, state: EventState, after: Image) -> list[str]:
    """Write the rows whose values are in `after`; returns the event's columns that were set but not saved."""
    columns = set_columns(loaded.event, state, EVENT_COLUMNS, after)
    ROWS.write(loaded.event.pk, state, loaded.ids, after)
    loaded.state = state
    return columns


def create(event: Event, state: EventState) -> Image:
    """Write the rows of a new position; returns the image of everything, settings left as they are too."""
    settings = {name: plain(getattr(state, name)) for name in EVENT_COLUMNS}
    _before, after = diff(EventState(), state)
    save(LoadedEvent(event, EventState(), {kind: {} for kind in EventState.kinds}), state, after)
    return settings | after


def _bare(event: Event) -> EventState:
    stored: dict[str, Any] = {name: getattr(event, name) for name in EVENT_COLUMNS}
    return EventState.from_json(stored)


def replayed(event: Event, entries: Iterable[EventEntry]) -> EventState:
    """The position that the images of an event's entries lead to."""
    return commits.last_position(entries, EventState(seed=event.seed))


def misfits(event: Event) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    return commits.misfits(commits.entries_of(event).iterator(), EventState(seed=event.seed))


MOST_KEPT = 64

POSITIONS: Kept[LoadedEvent] = Kept(MOST_KEPT)


def position_of(event: Event) -> EventState:
    """The event as its rows say it is. Shared: callers must not change it."""
    return kept(event).state


def kept(event: Event) -> LoadedEvent:
    """What the process keeps of an event, its rows read if that is nothing. Shared like its position."""
    return POSITIONS.find(event.pk, mark_of(event)) or read_again(event)


def read_again(event: Event) -> LoadedEvent:
    """An event by its rows as they are now, whatever the process has kept."""
    return keep_position(load(event), mark_of(event))


def current(event: Event) -> LoadedEvent:
    """An event to act on: what is kept of it, with primary keys of its own."""
    loaded = kept(event)
    ids = {kind: dict(keys) for kind, keys in loaded.ids.items()}
    return LoadedEvent(event, loaded.state, ids, loaded.fits)


def keep_position(loaded: LoadedEvent, mark: tuple[int, str]) -> LoadedEvent:
    """Keep the position that an event has at this `mark`."""
    keep(loaded.state)
    POSITIONS.put(loaded.event.pk, mark, loaded)
    return loaded


def forget(**_signal: Any) -> None:
    """Keep no position: a table was deleted, which changes rows and no log."""
    POSITIONS.clear()


def mark_of(event: Event) -> tuple[int, str]:
    """What tells one moment of an event from another: its version and the fingerprint of its log."""
    return event.version, event.chain
