"""Rate limits: in the memory of a single serving process, or shared by all processes.

A whole club sits behind one address, so taps are limited for each seat; an address is limited only in what a
stranger could guess or flood: codes, logins, imports. The right code, link or token always works, however
many wrong ones came from anywhere: only wrong ones count, and only they have to wait.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from games.core.validation import TEXT_BYTES
from games.web import shared
from games.web.clients import address
from games.web.refusals import pause

PIECE = 8 * 1024
"""Bytes of an army list that count as one: more than any list has that is played with."""
LONGEST = 1 + TEXT_BYTES // PIECE
"""The pieces of the longest list that is read."""

View = Callable[..., HttpResponse]
Key = Callable[[HttpRequest], str]


class Limit:
    """`burst` at once and `rate` a second after that, for each key.

    One number for each key: the moment at which everything taken will have been paid for (a token bucket seen
    from the other side). A limit with a `name` holds across all processes if several may serve.
    """

    def __init__(
        self, burst: int, rate: float, clock: Callable[[], float] = time.monotonic, name: str = ""
    ) -> None:
        self.name = name
        self.cost = 1 / rate
        self.credit = burst / rate
        self.clock = clock
        self.paid: dict[str, float] = {}
        self.lock = threading.Lock()

    def take(self, key: str, amount: float = 1) -> float:
        """0 if it may be done now; otherwise the seconds to wait, and nothing is taken."""
        cost = amount * self.cost
        if self.is_shared:
            return shared.take(f"{self.name} {key}", cost, self.credit)
        with self.lock:
            now = self.clock()
            if late := self._late(key, now, cost):
                return late
            if len(self.paid) > 10_000:
                self.paid = {key: until for key, until in self.paid.items() if until > now}
            self.paid[key] = max(now, self.paid.get(key, now)) + cost
            return 0.0

    def wait(self, key: str) -> float:
        """The seconds until one could be taken; nothing is taken."""
        if self.is_shared:
            return shared.wait(f"{self.name} {key}", self.cost, self.credit)
        with self.lock:
            return self._late(key, self.clock(), self.cost)

    def _late(self, key: str, now: float, cost: float) -> float:
        late = max(now, self.paid.get(key, now)) + cost - now - self.credit
        # The margin absorbs the rounding of sums, so that a burst is exact.
        return late if late > 1e-6 else 0.0

    @property
    def is_shared(self) -> bool:
        """Whether other processes take from it too."""
        return bool(self.name) and _is_for_several()

    def forget(self) -> None:
        """Start afresh with every key."""
        if self.is_shared:
            shared.forget()
        with self.lock:
            self.paid.clear()


@cache
def _is_for_several() -> bool:
    """Whether the database is one that several processes use."""
    return connection.vendor == "postgresql"


def per_minute(name: str, burst: int, rate: float) -> Limit:
    """A limit of `burst` at once and `rate` a minute after that, for all processes."""
    return Limit(burst, rate / 60, name=name)


TAPS = Limit(30, 3, name="taps")
"""For each seat: thirty taps at once, three a second after that."""
LISTS = per_minute("lists", 120, 30)
"""For each seat, in pieces of a list: army lists, each of which is read, and kept for ever."""
ALL_LISTS = per_minute("all lists", 240, 120)
"""For each address, which may be a whole club's: the same, but only lists that are longer than usual."""
CODES = per_minute("codes", 30, 10)
"""For each address: codes, links and tokens that opened nothing."""
MOVES = per_minute("moves", 10, 10)
"""For each device at each table: moving codes, right or wrong. Six letters are too few to be tried freely."""
ALL_MOVES = per_minute("all moves", 60, 60)
"""For each address, which may be a whole club's: the same, as anybody can come back as another device."""
LINKS = per_minute("links", 30, 10)
"""For each seat and each place at an event: devices that take it by its link. Each gets a session."""
LOGINS = per_minute("logins", 10, 5)
"""For each address, and for each device that was signed in before: wrong passwords."""
LOGIN_NAMES = per_minute("login names", 20, 10)
"""For each name, from any address: wrong passwords."""
SECOND_FACTORS = per_minute("second factors", 6, 2)
"""For each organiser who gave the password, from any address: second-factor codes, right or wrong."""
IMPORTS = per_minute("imports", 20, 20)
"""For each address: matches imported and lists read over the API."""
IMPORTED = per_minute("imported", 16, 8)
"""For each address: megabytes of imported matches. Four of the largest at once, two a minute after that."""
OPENINGS = per_minute("openings", 240, 60)
"""For each address, which may be a whole club's: tables opened."""
REGISTRATIONS = per_minute("registrations", 40, 10)
"""For each address, which may be a whole club's, at each event: players who register."""
STATISTICS = per_minute("statistics", 60, 30)
"""For each address, which may be a whole club's: statistics that are not cached from the last minute."""
JOINS = per_minute("joins", 240, 240)
"""For each address, which may be a whole club's: seats asked for, tables turned (for a session)."""


def too_fast(request: HttpRequest, limit: Limit, key: str, amount: float = 1) -> HttpResponse | None:
    """Take one, or another amount, from the limit; the refusal (429) if that is not left."""
    return refusal_for(request, limit.take(key, amount))


def refusal_for(request: HttpRequest, seconds: float) -> HttpResponse | None:
    """The refusal (429) for somebody who has to wait this long; None for no wait."""
    if not seconds:
        return None
    wait = math.ceil(seconds)
    sentence = ngettext(
        "That was too fast. Please try again in %(seconds)d second.",
        "That was too fast. Please try again in %(seconds)d seconds.",
        wait,
    ) % {"seconds": wait}
    return pause(request, 429, sentence, wait)


def list_too_soon(request: HttpRequest, key: str = "") -> HttpResponse | None:
    """Count a request that brings an army list by its size; the refusal (429) if there were too many.

    Without the `key` of a seat only the address is counted: openings have a limit of their own.
    """
    more = min(int(request.META.get("CONTENT_LENGTH") or 0) // PIECE, LONGEST - 1)
    wait = ALL_LISTS.take(address(request), more) if more else 0.0
    return refusal_for(request, wait or (LISTS.take(key, 1 + more) if key else 0.0))


def wrong_guess(request: HttpRequest) -> HttpResponse | None:
    """Count a code, link or token that opened nothing; the refusal (429) if there were too many."""
    return too_fast(request, CODES, address(request))


def limited(limit: Limit, key: Key | None = None) -> Callable[[View], View]:
    """Limit how often a view may be posted to for each key (by default the address)."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                refusal = too_fast(request, limit, (key or address)(request))
                if refusal is not None:
                    return refusal
            return view(request, *args, **kwargs)

        return guarded

    return decorate
