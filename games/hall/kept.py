"""What a process keeps of an event for as long as its rows are those that it was made from.

A mark, such as the version and the fingerprint of the log, tells whether they are: after an action of another
process, an organiser's edit or a restored backup it is another one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from games.hall import event_rows
from games.hall.models import Event
from games.hall.rules.event_state import Gathering

Value = TypeVar("Value")

MOST = 64


class Kept(Generic[Value]):
    """Values by key, each with the mark that it was made for; of more than `most`, the oldest go."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[Hashable, tuple[Hashable, Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, mark: Hashable, make: Callable[[], Value]) -> Value:
        """The value that is kept for this key and mark; made if there is none."""
        held = self._held.get(key)
        if held is not None and held[0] == mark:
            return held[1]
        made = make()
        with self._lock:
            self._held[key] = (mark, made)
            self._held.move_to_end(key)
            if len(self._held) > self.most:
                self._held.popitem(last=False)
        return made

    def clear(self) -> None:
        """Keep nothing, as after a restart."""
        with self._lock:
            self._held.clear()


POSITIONS: Kept[Gathering] = Kept(MOST)


def gathering(event: Event) -> Gathering:
    """The event as its rows say it is. Shared: callers must not change it."""
    return POSITIONS.get(event.pk, mark_of(event), lambda: event_rows.load(event).state)


def mark_of(event: Event) -> tuple[int, str]:
    """What tells one moment of an event from another: its version and the fingerprint of its log."""
    return event.version, event.chain
