"""Answers that took too long: one line in the log says what took most of it; the admin shows the newest."""

from __future__ import annotations

import logging
import time
from typing import NamedTuple

from games.core import gettext_noop as _
from games.monitoring import spent as parts
from games.monitoring.spent import Spent

log = logging.getLogger("roundtable.slow")

SLOW_SECONDS = 0.5
"""From here on an answer is slow enough to be noticed, and is logged."""
MEANT_TO_BE_SLOW = frozenset({"POST admin:login"})
"""Password checks are slow, so that nobody can try many."""

ELSEWHERE = "elsewhere"
PARTS = {
    parts.WAITING: _("waiting for a thread"),
    parts.SAVING: _("saving to the disk"),
    parts.DRAWING: _("drawing the board"),
    ELSEWHERE: _("the program and its database"),
}
"""Where most of an answer's time can go, in words for people."""


class Slow(NamedTuple):
    """A slow answer: when (seconds since 1970), to which page, how long it took, and most of it where."""

    at: float
    page: str
    seconds: float
    part: str


class SlowAnswers:
    """How many answers of this process were slow, and the newest of them."""

    def __init__(self) -> None:
        self.count = 0
        self.newest: Slow | None = None

    def note(self, page: str, seconds: float, spent: Spent) -> None:
        """Count and log an answer if it was slow."""
        if seconds < SLOW_SECONDS or page in MEANT_TO_BE_SLOW:
            return
        part = slowest_part(seconds, spent)
        self.count += 1
        self.newest = Slow(time.time(), page, seconds, part)
        log.warning("slow answer: %s took %d ms, most of it %s", page, seconds * 1000, PARTS[part])


def slowest_part(seconds: float, spent: Spent) -> str:
    """Where most of an answer's time went, as one of `PARTS`."""
    took = {**spent.seconds, ELSEWHERE: seconds - sum(spent.seconds.values())}
    return max(took, key=lambda part: took[part])


slow_answers = SlowAnswers()
