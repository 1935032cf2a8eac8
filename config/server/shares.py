"""Each address's share of the server's time, and whose turn it is.

The time that the server works on a request is counted for the address that asked: whatever it asked for, it
costs others as much. Nobody loses anything by it while nobody else is here. But as long as there is anybody
else, an address that has used up its share begins its next request only when time has paid for the earlier
ones. A whole hall behind one address stays far below a share; a robot soon has one, and no more.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
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
            self.paid = {one: paid for one, paid in self.paid.items() if paid > now - AT_ONCE / SHARE}

    def wait(self, address: str) -> float:
        """How many seconds this address waits before its next request; 0 while nobody else is here."""
        now = self.clock()
        late = self.paid.get(address, now) - now
        # The margin absorbs the rounding of sums.
        return late if late > 1e-6 and self.are_others_here(address) else 0.0

    def are_others_here(self, address: str) -> bool:
        """Whether any other address has been answered of late."""
        now = self.clock()
        other = next((one for one in reversed(self.seen) if one != address), None)
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
