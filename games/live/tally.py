"""How many streams other processes carry: the limits for a seat, a table and an address span all of them."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

KEPT_SECONDS = 7.0
"""How long a process's counts are valid: three times the interval at which it repeats them."""
SHARE = 8
"""A count below one part in so many of its limit is not announced: nobody needs to know about every phone."""


class Tally:
    """Streams of other processes, as announced by them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.told: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        """What is counted ("address 192.0.2.1") → process → how many, and until when that is valid."""

    def hear(self, process: str, counts: Mapping[str, int]) -> None:
        """Take in how many streams a process says that it carries."""
        until = self.clock() + KEPT_SECONDS
        for key, count in counts.items():
            self.told[key][process] = (count, until)

    def count(self, key: str) -> int:
        """How many streams all the others carry together."""
        now = self.clock()
        return sum(count for count, until in self.told.get(key, {}).values() if until > now)

    def tidy(self) -> None:
        """Forget what is no longer valid."""
        now = self.clock()
        for key, said in list(self.told.items()):
            kept = {process: value for process, value in said.items() if value[1] > now}
            if kept:
                self.told[key] = kept
            else:
                del self.told[key]


def worth_telling(counts: Iterable[tuple[str, int]], limits: Mapping[str, int]) -> dict[str, int]:
    """The counts ("seat K7QWXM red", 2) that are a fair part of the limit that their first word names."""
    return {key: count for key, count in counts if count * SHARE >= limits[key.partition(" ")[0]]}
