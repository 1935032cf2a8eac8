"""Whose request is next: each address's share of the server's time, and a fair queue before the threads.

Taps have threads of their own: they wait for no page, and while they wait for a locked database, pages are
still read. SQLite allows one write at a time, so its taps go one after the other on one thread: taps side by
side would only wait for each other, and each would find the caches of its connection out of date. While its
disk is slow, more of them are let through and saved together (`config.server.shared_commits`).
Of the rest, forms go before reads, and neither kind may hold every thread. Within each kind addresses take
turns, and within an address its tables.

The time that the server works on a request is counted for the address that asked: whatever it asked for, it
costs others as much. Nobody loses anything by it while nobody else is here. But as long as there is anybody
else, an address that has used up its share begins its next request only when time has paid for the earlier
ones. A whole hall behind one address stays far below a share; a robot soon has one, and no more.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Generic, NamedTuple, TypeVar

SHARE = 0.2
"""Seconds of work that an address gets in each second, while others are here."""
AT_ONCE = 0.5
"""Seconds of work that an address which has long asked for nothing gets at once: a hall that sits down."""
MOST_SECONDS = 2.0
"""The longest that an address waits for what it has used: one long export keeps no hall from tapping."""
HERE_SECONDS = 10.0
"""For so long after its last request an address counts as here."""
MOST_KEPT = 10_000
"""Addresses whose use is remembered, before those who have paid are forgotten."""

Waiting = TypeVar("Waiting")


class Asker(NamedTuple):
    """Who asks: an address, and the table that it asks about, if it is about one."""

    address: str
    table: str = ""


class Shares:
    """What each address has used."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.paid: dict[str, float] = {}
        """When everything that an address has used will have been paid for."""
        self.seen: dict[str, float] = {}
        """When an address was last answered, the longest ago first."""

    def spend(self, address: str, seconds: float) -> None:
        """Count work that was done for an address."""
        now = self.clock()
        paid = max(now - AT_ONCE / SHARE, self.paid.pop(address, 0.0)) + seconds / SHARE
        self.paid[address] = min(paid, now + MOST_SECONDS)
        self.seen.pop(address, None)
        self.seen[address] = now
        while self.seen[first := next(iter(self.seen))] < now - HERE_SECONDS:
            del self.seen[first]
        if len(self.paid) > MOST_KEPT:
            self.paid = {debtor: paid for debtor, paid in self.paid.items() if paid > now - AT_ONCE / SHARE}

    def wait(self, address: str) -> float:
        """How many seconds this address waits before its next request; 0 while nobody else is here."""
        now = self.clock()
        late = self.paid.get(address, now) - now
        # The margin absorbs the rounding of sums.
        return late if late > 1e-6 and self.are_others_here(address) else 0.0

    def are_others_here(self, address: str) -> bool:
        """Whether any other address has been answered of late."""
        now = self.clock()
        other = next((seen for seen in reversed(self.seen) if seen != address), None)
        return other is not None and self.seen[other] >= now - HERE_SECONDS


class InTurn(Generic[Waiting]):
    """What waits: addresses take turns, and within an address its tables."""

    def __init__(self) -> None:
        self.by_address: dict[str, dict[str, deque[Waiting]]] = {}
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def count(self, address: str) -> int:
        """How many of this address wait."""
        return sum(map(len, self.by_address.get(address, {}).values()))

    def addresses(self) -> Iterator[str]:
        """The addresses that wait, the next one first."""
        return iter(self.by_address)

    def put(self, asker: Asker, waiting: Waiting) -> None:
        """Let one wait."""
        self.by_address.setdefault(asker.address, {}).setdefault(asker.table, deque()).append(waiting)
        self.size += 1

    def take(self, may: Callable[[str], bool] = lambda _address: True) -> tuple[Asker, Waiting] | None:
        """The next one of the first address that may begin, which then goes to the end; None for nobody."""
        address = next(filter(may, self.by_address), None)
        if address is None:
            return None
        tables = self.by_address.pop(address)
        table = next(iter(tables))
        own = tables.pop(table)
        first = own.popleft()
        self.size -= 1
        if own:
            tables[table] = own
        if tables:
            self.by_address[address] = tables
        return Asker(address, table), first

    def remove(self, asker: Asker, waiting: Waiting) -> None:
        """Let one go that waits no longer."""
        tables = self.by_address[asker.address]
        tables[asker.table].remove(waiting)
        self.size -= 1
        if not tables[asker.table]:
            del tables[asker.table]
        if not tables:
            del self.by_address[asker.address]


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
        waiting = self.waiting.take(self._may_begin)
        if waiting is None:
            return False
        asker, place = waiting
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
        self._set_alarm()

    def _set_alarm(self) -> None:
        """Go on by itself once somebody who waits for nothing but time may begin."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
        lanes = (self.taps, self.forms, self.reads)
        waits = [
            wait
            for lane in lanes
            for address in lane.waiting.addresses()
            if (wait := self.shares.wait(address))
        ]
        if waits:
            self.alarm = asyncio.get_running_loop().call_later(min(waits), self._go_on)
