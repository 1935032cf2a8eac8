"""Whose request is next: a small fair queue in front of the threads that answer.

Taps have threads of their own: they wait for no page, and while they wait for a locked database, pages are
still read. SQLite allows one write at a time, so its taps go one after the other on one thread: taps side by
side would only wait for each other, and each would find the caches of its connection out of date. While its
disk is slow, more of them are let through and saved together (`config.serving.shared_commits`).
Of the rest, forms go before reads, and neither kind may hold every thread. Within each kind addresses take
turns, so that a stranger who asks for pages without end is one of many.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LANE_LIMIT, ADDRESS_LIMIT = 2048, 1024
"""Requests that may wait in one lane, and how many of them may come from one address (a club's)."""
PATIENCE = 8.0
"""Seconds that a request waits for its turn before it is told to come back."""


class Crowded(Exception):
    """Too many wait already, or this one has waited for too long."""


class Lane:
    """Requests of one kind: `most` at a time, `each` per address; the others wait, addresses in turn."""

    def __init__(self, most: int, each: int | None = None) -> None:
        self.most, self.each = most, each
        self.running: Counter[str] = Counter()
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def wait(self, address: str) -> asyncio.Future[None]:
        """A place in the queue; raises `Crowded`."""
        own = self.waiting.get(address, ())
        if len(own) >= ADDRESS_LIMIT or sum(map(len, self.waiting.values())) >= LANE_LIMIT:
            raise Crowded
        place = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(address, deque()).append(place)
        return place

    def leave(self, address: str, place: asyncio.Future[None]) -> None:
        """Give up a place in the queue."""
        self.waiting[address].remove(place)
        if not self.waiting[address]:
            del self.waiting[address]

    def start_next(self) -> bool:
        """Let the next request begin and send its address to the end of the queue; False where none may."""
        if self.running.total() >= self.most:
            return False
        address = next((name for name in self.waiting if self.running[name] < (self.each or self.most)), None)
        if address is None:
            return False
        places = self.waiting.pop(address)
        places.popleft().set_result(None)
        if places:
            self.waiting[address] = places
        self.running[address] += 1
        return True

    def end(self, address: str) -> None:
        """Count a request of this address as done."""
        self.running[address] -= 1
        if not self.running[address]:
            del self.running[address]


class Turns:
    """The lanes of one process, with threads for taps and for the rest; to be used within its event loop."""

    def __init__(self, taps: int, rest: int) -> None:
        self.rest = rest
        but_one = max(1, rest - 1)
        self.taps = Lane(taps)
        self.forms = Lane(but_one)
        self.reads = Lane(but_one, max(1, rest // 2))

    @asynccontextmanager
    async def turn(self, lane: Lane, address: str) -> AsyncIterator[None]:
        """Wait for a thread of this lane and hold it within the block; raises `Crowded`."""
        await self._begin(lane, address)
        try:
            yield
        finally:
            lane.end(address)
            self._go_on()

    async def _begin(self, lane: Lane, address: str) -> None:
        place = lane.wait(address)
        self._go_on()
        try:
            if not place.done():
                await asyncio.wait([place], timeout=PATIENCE)
        except asyncio.CancelledError:
            self._give_up(lane, address, place)
            raise
        if not place.done():
            self._give_up(lane, address, place)
            raise Crowded

    def _give_up(self, lane: Lane, address: str, place: asyncio.Future[None]) -> None:
        if place.done():
            lane.end(address)
            self._go_on()
        else:
            lane.leave(address, place)

    def _go_on(self) -> None:
        while self.taps.start_next():
            pass
        while self.forms.running.total() + self.reads.running.total() < self.rest:
            if not self.forms.start_next() and not self.reads.start_next():
                break
