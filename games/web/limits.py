"""Rate limits: in the memory of a single serving process, or shared by all processes.

A whole club sits behind one address, so taps are limited for each seat; an address is limited only in what a
stranger could guess or flood: codes, logins, imports. The right code, link or token always works, however
many wrong ones came from anywhere: only wrong ones count, and only they have to wait.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from games.core import TEXT_BYTES
from games.web.network import address
from games.web.refusals import pause

PIECE = 8 * 1024
"""Bytes of an army list that count as one: more than any list has that is played with."""
LONGEST_LIST = 1 + TEXT_BYTES // PIECE
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
            return take_shared(f"{self.name} {key}", cost, self.credit)
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
            return wait_shared(f"{self.name} {key}", self.cost, self.credit)
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
        if self.is_shared:
            forget_shared()
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
    seconds = limit.take(key, amount)
    return refusal_for(request, seconds) if seconds else None


def refusal_for(request: HttpRequest, seconds: float) -> HttpResponse:
    """The refusal (429) for somebody who has to wait this long."""
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
    more = min(int(request.META.get("CONTENT_LENGTH") or 0) // PIECE, LONGEST_LIST - 1)
    wait = ALL_LISTS.take(address(request), more) if more else 0.0
    wait = wait or (LISTS.take(key, 1 + more) if key else 0.0)
    return refusal_for(request, wait) if wait else None


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


MARGIN = 1e-6
"""Absorbs the rounding of sums, so that a burst is exact."""
NOW = "extract(epoch FROM clock_timestamp())::float8"
# More than the credit is never owed, so this was written before the database's clock was set back.
PAID_AT = f"CASE WHEN paid_at > {NOW} + %(credit)s + 60 THEN {NOW} ELSE paid_at END"
KEPT_AT = PAID_AT.replace("paid_at", "kept.paid_at")
# The first item is paid for after its cost; later ones once everything before them is paid for too.
TAKE = f"""
    INSERT INTO games_allowance AS kept (key, paid_at) VALUES (%(key)s, {NOW} + %(cost)s)
    ON CONFLICT (key) DO UPDATE SET paid_at = greatest({KEPT_AT} + %(cost)s, excluded.paid_at)
    WHERE {KEPT_AT} + %(cost)s - (excluded.paid_at - %(cost)s) - %(credit)s <= {MARGIN}
"""  # noqa: S608 - our own words
WAIT = f"""
    SELECT greatest({PAID_AT}, {NOW}) + %(cost)s - {NOW} - %(credit)s FROM games_allowance WHERE key = %(key)s
"""  # noqa: S608 - our own words
TIDY = f"DELETE FROM games_allowance WHERE paid_at < {NOW}"  # noqa: S608 - our own words


def take_shared(key: str, cost: float, credit: float) -> float:
    """0 if it may be done now; otherwise the seconds to wait, and nothing is taken."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE, _parameters(key, cost, credit))
        if cursor.rowcount:
            return 0.0
    # The limit may have recovered in between: then the wait is a moment, not zero.
    return wait_shared(key, cost, credit) or MARGIN


def wait_shared(key: str, cost: float, credit: float) -> float:
    """The seconds until one could be taken; nothing is taken."""
    with connection.cursor() as cursor:
        cursor.execute(WAIT, _parameters(key, cost, credit))
        row = cursor.fetchone()
    late = row[0] if row else cost - credit
    return late if late > MARGIN else 0.0


def tidy_shared() -> None:
    """Delete the rows of keys that are back at their full limit."""
    with connection.cursor() as cursor:
        cursor.execute(TIDY)


def forget_shared() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_allowance")


def _parameters(key: str, cost: float, credit: float) -> dict[str, Any]:
    """The parameters of a statement. The key is stored as a keyed hash, as an address is personal data."""
    hidden = salted_hmac("roundtable limit", key, algorithm="sha256").hexdigest()[:40]
    return {"key": hidden, "cost": cost, "credit": credit}


DAY_SECONDS = 24 * 60 * 60
LEAST_STORED = 1536
"""Bytes that an action costs at least: its entry, with the indexes, and what else it changes."""
TIMES = 2.5
"""How much larger a longer request may become: rows, images before and after, salts and fingerprints."""
OPENING_STORES = 256 * 1024
"""Bytes of a new table with its armies, and of what will be played there."""
OPENS = frozenset({"new", "new-game", "first-round", "practice", "new-event", "matches", "halls"})
"""The names of addresses at which tables and events are opened."""
PLAYING = re.compile(
    r"/t/(?P<table>\w+)/(act|adjust|undo|army/\w+)"
    r"|/api/matches/(?P<match>\w+)/(act|adjust|undo|undo/answer|army)"
    r"|/e/(?P<event>\w+)/(do|list|result|contest|judge|leave|organise/do)"
    r"|/api/events/(?P<hall>\w+)/do"
)
"""The addresses of what only players at a table, and those at an event, can do."""
AT_A_TABLE, AT_AN_EVENT = 2 * 2**20, 20 * 2**20
"""Bytes a day of a table (some 1,300 taps: two or three times the longest match) and of an event."""
STORED_PIECE = 64 * 1024
"""Bytes that are taken from the limit at a time: a tap alone costs no statement."""


class Quota:
    """So many bytes a day for each key, across all processes; each process takes them in pieces."""

    def __init__(self, a_day: int, clock: Callable[[], float] = time.monotonic, name: str = "stored") -> None:
        self.limit = Limit(a_day, a_day / DAY_SECONDS, clock, name=name) if a_day else None
        self.piece = min(STORED_PIECE, a_day) or math.inf
        self.clock = clock
        self.owed: dict[str, float] = {}
        self.closed: dict[str, float] = {}
        """When keys may store something again that owe more than the limit holds."""
        self.lock = threading.Lock()

    def add(self, key: str, amount: float) -> None:
        """Note what was stored for a key."""
        with self.lock:
            if len(self.owed) > 10_000:
                self.owed = {other: owed for other, owed in self.owed.items() if other in self.closed}
            self.owed[key] = owed = self.owed.get(key, 0.0) + amount
        if owed >= self.piece:
            self._pay(key)

    def _pay(self, key: str) -> None:
        """Take the pieces that a key owes from the limit; what that does not hold is owed until it does."""
        assert self.limit is not None
        with self.lock:
            pieces, self.owed[key] = divmod(self.owed.get(key, 0.0), self.piece)
        for paid in range(int(pieces)):
            if late := self.limit.take(key, self.piece):
                with self.lock:
                    self.owed[key] = self.owed.get(key, 0.0) + (pieces - paid) * self.piece
                    self.closed[key] = self.clock() + late
                return

    def wait(self, key: str) -> float:
        """The seconds until a key may store something again; 0 if it may now."""
        return self._wait_closed(key) if key in self.closed else 0.0

    def _wait_closed(self, key: str) -> float:
        if (late := self.closed[key] - self.clock()) <= 0:
            self.closed.pop(key, None)
            self.add(key, 0)
            late = self.closed.get(key, 0.0) - self.clock()
        return max(0.0, late)


@cache
def quota() -> Quota:
    return Quota(settings.STORED_MB * 2**20)


@cache
def quota_of_places() -> tuple[Quota, Quota]:
    return Quota(AT_A_TABLE, name="stored at a table"), Quota(AT_AN_EVENT, name="stored at an event")


def limit_stored(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse (429) what an address posts once it has had its bytes for the day."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # Who logs in to the admin is counted there.
        if request.method != "POST" or request.path_info.startswith("/admin/"):
            return get_response(request)
        stored, who = _pays(request)
        if (late := stored.wait(who)) and not _is_organiser(request):
            return _refusal(request, late)
        response = get_response(request)
        if response.status_code < 400:
            stored.add(who, _stored_by(request))
        return response

    return middleware


def _pays(request: HttpRequest) -> tuple[Quota, str]:
    """The quota that a request counts in, and its key there: that of its place as long as it lasts."""
    playing = PLAYING.fullmatch(request.path_info)
    if playing is not None:
        of_table, of_event = quota_of_places()
        code = playing["table"] or playing["match"]
        place, key = (of_table, code) if code else (of_event, playing["event"] or playing["hall"])
        if not place.wait(key):
            return place, key
    return quota(), address(request)


def _stored_by(request: HttpRequest) -> float:
    """The bytes that a request which was carried out has stored, at most."""
    sent = TIMES * int(request.META.get("CONTENT_LENGTH") or 0)
    opens = request.resolver_match is not None and request.resolver_match.url_name in OPENS
    return max(OPENING_STORES if opens else LEAST_STORED, sent)


def _is_organiser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_staff)


def _refusal(request: HttpRequest, late: float) -> HttpResponse:
    minutes = math.ceil(late / 60)
    sentence = ngettext(
        "Your network has stored as much here today as one may. Please try again in %(minutes)d minute.",
        "Your network has stored as much here today as one may. Please try again in %(minutes)d minutes.",
        minutes,
    ) % {"minutes": minutes}
    return pause(request, 429, sentence, math.ceil(late))
