"""Who writes next: SQLite lets one connection write at a time, and has those that wait look in now and then.

Whoever looks in at the right moment goes first, and somebody else may wait for long. So within a process
writers form a queue: taps first, because they are short and somebody waits for each; but nobody waits longer
than a moment for taps that came later. Other programs that write are waited for as SQLite does.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG_SECONDS = 0.5
"""Who has waited for so long goes before every tap."""

_thread = threading.local()


@contextmanager
def urgent() -> Iterator[None]:
    """What this thread writes inside the block goes before what is not urgent."""
    _thread.is_urgent = True
    try:
        yield
    finally:
        _thread.is_urgent = False


class Place:
    """A thread's place in the queue."""

    def __init__(self, now: float) -> None:
        self.since = now
        self.turn = threading.Lock()
        self.turn.acquire()


class Writers:
    """A queue of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.is_taken = False
        self.first: deque[Place] = deque()
        self.rest: deque[Place] = deque()

    def enter(self, patience: Callable[[], float]) -> bool:
        """Wait for a turn; False if it has not come within `patience()` seconds, asked only if need be."""
        with self.lock:
            if not self.is_taken:
                self.is_taken = True
                return True
            queue = self.first if getattr(_thread, "is_urgent", False) else self.rest
            place = Place(self.clock())
            queue.append(place)
        if place.turn.acquire(timeout=patience()):
            return True
        with self.lock:
            if place not in queue:
                return True  # The turn came at the last moment.
            queue.remove(place)
            return False

    def leave(self) -> None:
        """Give the turn to the next."""
        with self.lock:
            has_waited = self.rest and self.clock() - self.rest[0].since >= LONG_SECONDS
            queue = self.rest if has_waited or not self.first else self.first
            if queue:
                queue.popleft().turn.release()
            else:
                self.is_taken = False
