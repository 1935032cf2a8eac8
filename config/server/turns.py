"""Whose request is next: a small fair queue in front of the threads that answer.

Taps have threads of their own: they wait for no page, and while they wait for a locked database, pages are
still read. SQLite allows one write at a time, so its taps go one after the other on one thread: taps side by
side would only wait for each other, and each would find the caches of its connection out of date. While its
disk is slow, more of them are let through and saved together (`config.server.shared_commits`).
Of the rest, forms go before reads, and neither kind may hold every thread. Within each kind addresses take
turns, and within an address its tables. An address that has used more than its share of the server's time
waits as long as anybody else is here (`config.server.shares`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from config.server.shares import Asker, InTurn, Shares

LANE_LIMIT, ADDRESS_LIMIT = 2048, 1024
"""Requests that may wait in one lane, and how many of them may come from one address (a club's)."""
PART = 4
"""While others are here, an address has one in so many of the places that it would have alone."""
PATIENCE = 15.0
"""Seconds that a request waits for its turn before it is told to come back."""


class Crowded(Exception):
    """Too many wait already, or this one has waited for too long."""


class Lane:
    """Requests of one kind: `most` at a time, `each` per address; the others wait, addresses in turn."""

    def __init__(self, shares: Shares, most: int, each: int | None = None) -> None:
        self.shares, self.most, self.each = shares, most, each
        self.running: Counter[str] = Counter()
        self.waiting: InTurn[asyncio.Future[None]] = InTurn()

    def wait(self, asker: Asker) -> asyncio.Future[None]:
        """A place in the queue; raises `Crowded`."""
        if self.waiting.count(asker.address) >= ADDRESS_LIMIT or len(self.waiting) >= LANE_LIMIT:
            raise Crowded
        place = asyncio.get_running_loop().create_future()
        self.waiting.put(asker, place)
        return place

    def start_next(self) -> bool:
        """Let the next request begin and send its address to the end of the queue; False where none may."""
        if self.running.total() >= self.most:
            return False
        found = self.waiting.take(self._may_begin)
        if found is None:
            return False
        asker, place = found
        place.set_result(None)
        self.running[asker.address] += 1
        return True

    def _may_begin(self, address: str) -> bool:
        own = self.each or self.most
        if self.shares.are_others_here(address):
            own = max(1, own // PART)
        return self.running[address] < own and not self.shares.wait(address)

    def end(self, address: str) -> None:
        """Count a request of this address as done."""
        self.running[address] -= 1
        if not self.running[address]:
            del self.running[address]


class Turns:
    """The lanes of one process, with threads for taps and for the rest; to be used within its event loop."""

    def __init__(self, taps: int, rest: int, shares: Shares | None = None) -> None:
        self.rest = rest
        self.shares = shares or Shares()
        but_one = max(1, rest - 1)
        self.taps = Lane(self.shares, taps)
        self.forms = Lane(self.shares, but_one, 1)
        self.reads = Lane(self.shares, but_one, max(1, rest // 2))
        self.alarm: asyncio.TimerHandle | None = None
        """Looks again when an address that waits has paid for what it used."""

    @asynccontextmanager
    async def turn(self, lane: Lane, asker: Asker) -> AsyncIterator[None]:
        """Wait for a thread of this lane and hold it within the block; raises `Crowded`."""
        await self._begin(lane, asker)
        try:
            yield
        finally:
            lane.end(asker.address)
            self._go_on()

    async def _begin(self, lane: Lane, asker: Asker) -> None:
        place = lane.wait(asker)
        self._go_on()
        try:
            if not place.done():
                await asyncio.wait([place], timeout=PATIENCE)
        except asyncio.CancelledError:
            self._give_up(lane, asker, place)
            raise
        if not place.done():
            self._give_up(lane, asker, place)
            raise Crowded

    def _give_up(self, lane: Lane, asker: Asker, place: asyncio.Future[None]) -> None:
        if place.done():
            lane.end(asker.address)
            self._go_on()
        else:
            lane.waiting.remove(asker, place)

    def _go_on(self) -> None:
        while self.taps.start_next():
            pass
        while self.forms.running.total() + self.reads.running.total() < self.rest:
            if not self.forms.start_next() and not self.reads.start_next():
                break
        self._look_again()

    def _look_again(self) -> None:
        """Go on by itself once somebody who waits for nothing but time may begin."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
        lanes = (self.taps, self.forms, self.reads)
        waits = [
            wait for lane in lanes for one in lane.waiting.addresses() if (wait := self.shares.wait(one))
        ]
        if waits:
            self.alarm = asyncio.get_running_loop().call_later(min(waits), self._go_on)
