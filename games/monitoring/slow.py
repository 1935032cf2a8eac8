"""Responses that took too long: one line in the log that says why, and the slowest of the last hour."""

from __future__ import annotations

import logging
import threading
import time
from typing import NamedTuple

from games.core.words import gettext_noop as _
from games.monitoring import spent as kinds
from games.monitoring.spent import Spent

log = logging.getLogger("roundtable.slow")

SLOW_SECONDS = 0.5
"""From here on a response is slow enough to be noticed, and is logged."""
HOUR = 3600.0
MOST = 10
MEANT_TO_BE_SLOW = frozenset({"POST admin:login"})
"""Password checks are slow, so that nobody can try many."""

ELSEWHERE = "elsewhere"
REASONS = {
    kinds.WAITING: _("waiting for a thread"),
    kinds.LOCK: _("waiting for another writer"),
    kinds.DATABASE: _("asking the database"),
    kinds.SAVING: _("saving to the disk"),
    kinds.DRAWING: _("drawing the board"),
    ELSEWHERE: _("the program itself"),
}
"""Where most of a response's time can go, in words for people."""


class Slow(NamedTuple):
    """One response: when (seconds since 1970), which page, how long, and where most of that went.

    `reason` is one of `REASONS`.
    """

    at: float
    page: str
    status: int
    seconds: float
    reason: str


class Slowest:
    """The slowest responses of the last hour in this process, slowest first."""

    def __init__(self) -> None:
        self.found: list[Slow] = []
        self.lock = threading.Lock()

    def note(self, one: Slow) -> None:
        """Keep a response as long as it is among the slowest."""
        with self.lock:
            recent = [each for each in self.found if is_recent(each.at, one.at)]
            self.found = sorted([*recent, one], key=lambda each: -each.seconds)[:MOST]

    def has_room(self, seconds: float, now: float) -> bool:
        """Whether a response of this length would be among the slowest of the hour before `now`."""
        return sum(is_recent(each.at, now) and each.seconds > seconds for each in self.found) < MOST

    def look(self, now: float | None = None) -> list[Slow]:
        """The slowest responses of the hour before `now`."""
        until = time.time() if now is None else now
        return [each for each in self.found if is_recent(each.at, until)]


def is_recent(at: float, now: float) -> bool:
    """Whether a moment is within the hour before `now`, or as near after it: clocks are set back."""
    return abs(now - at) < HOUR


slowest = Slowest()


def note(page: str, status: int, seconds: float, spent: Spent) -> None:
    """Remember a response and, if it was slow, log why."""
    if page in MEANT_TO_BE_SLOW:
        return
    now = time.time()
    if seconds < SLOW_SECONDS and not slowest.has_room(seconds, now):
        return
    slowest.note(Slow(now, page, status, seconds, reason(seconds, spent)))
    if seconds >= SLOW_SECONDS:
        facts = {"page": page, "status": status, "milliseconds": round(seconds * 1000)}
        facts |= {f"{what}_milliseconds": round(took * 1000) for what, took in spent.seconds.items()}
        facts["statements"] = spent.statements
        log.warning(
            "slow answer: %s took %d ms, most of it %s (%d statements)",
            page,
            seconds * 1000,
            REASONS[reason(seconds, spent)],
            spent.statements,
            extra={"facts": facts},
        )


def reason(seconds: float, spent: Spent) -> str:
    """Where most of a response's time went, as one of `REASONS`."""
    parts = dict(spent.seconds)
    # Drawing may ask the database too: that time is counted under both.
    parts[ELSEWHERE] = seconds - sum(parts.values())
    return max(parts, key=lambda name: parts[name])
