"""The position of an event that a process keeps for as long as its rows are those that it was made from."""

from __future__ import annotations

from games.hall import event_rows
from games.hall.models import Event
from games.hall.rules.event_state import Gathering
from games.history.position_rows import Kept

MOST = 64

POSITIONS: Kept[Gathering] = Kept(MOST)


def gathering(event: Event) -> Gathering:
    """The event as its rows say it is. Shared: callers must not change it."""
    return POSITIONS.get(event.pk, mark_of(event), lambda: event_rows.load(event).state)


def mark_of(event: Event) -> tuple[int, str]:
    """What tells one moment of an event from another: its version and the fingerprint of its log."""
    return event.version, event.chain
