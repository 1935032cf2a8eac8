"""What each address makes the program store, in bytes a day: strangers cannot fill the disk.

Everything that is stored begins with a POST, so each that was carried out counts here, by its length: taps,
corrections, lists, registrations, sessions, new tables, imports. What players do at their table or event
counts there first, up to many times what one takes: so nobody behind the same address can keep them from
playing. Organisers who are logged in are never refused, and what commands import is not counted.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from games.web.clients import address
from games.web.limits import Limit
from games.web.refusals import pause

DAY_SECONDS = 24 * 60 * 60
LEAST = 1536
"""Bytes that an action costs at least: its entry, with the indexes, and what else it changes."""
TIMES = 2.5
"""How much larger a longer request may become: rows, images before and after, salts and fingerprints."""
OPENING = 256 * 1024
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
PIECE = 64 * 1024
"""Bytes that are taken from the limit at a time: a tap alone costs no statement."""


class Quota:
    """So many bytes a day for each key, across all processes; each process takes them in pieces."""

    def __init__(self, a_day: int, clock: Callable[[], float] = time.monotonic, name: str = "stored") -> None:
        self.limit = Limit(a_day, a_day / DAY_SECONDS, clock, name=name) if a_day else None
        self.piece = min(PIECE, a_day)
        self.clock = clock
        self.owed: dict[str, float] = {}
        self.closed: dict[str, float] = {}
        """When keys may store something again that owe more than the limit holds."""
        self.lock = threading.Lock()

    def add(self, key: str, amount: float) -> None:
        """Note what was stored for a key. What the limit does not hold is owed until it does."""
        if self.limit is None:
            return
        with self.lock:
            pieces, self.owed[key] = divmod(self.owed.get(key, 0.0) + amount, self.piece)
            if len(self.owed) > 10_000:
                self.owed = {one: owed for one, owed in self.owed.items() if one in self.closed}
        for paid in range(int(pieces)):
            if late := self.limit.take(key, self.piece):
                with self.lock:
                    self.owed[key] = self.owed.get(key, 0.0) + (pieces - paid) * self.piece
                    self.closed[key] = self.clock() + late
                return

    def wait(self, key: str) -> float:
        """The seconds until a key may store something again; 0 if it may now."""
        if key not in self.closed:
            return 0.0
        if (late := self.closed[key] - self.clock()) <= 0:
            self.closed.pop(key, None)
            self.add(key, 0)
            late = self.closed.get(key, 0.0) - self.clock()
        return max(0.0, late)


@cache
def quota() -> Quota:
    """The quota of every address."""
    return Quota(settings.STORED_MB * 2**20)


@cache
def quota_of_places() -> tuple[Quota, Quota]:
    """The quota of every table, and of every event."""
    return Quota(AT_A_TABLE, name="stored at a table"), Quota(AT_AN_EVENT, name="stored at an event")


def limited(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
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
    return max(OPENING if opens else LEAST, sent)


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
