"""Several processes at the same tables: what one commits, it announces to the streams of all others.

The database announces new versions, seats taken away, deleted matches and guests' requests by itself, in the
transaction that makes them (LISTEN and NOTIFY); it only has to be told about streams. An announcement is only
a hint: the rows are read. Whatever gets lost is found by a look at the rows every two seconds, so nobody is
left behind for longer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from games.live import rooms
from games.live.hub import Hub, Pool, Room, Ticket
from games.models import Match, SeatRequest
from games.web import clock, limits, program

log = logging.getLogger(__name__)

KINDS: dict[str, Callable[[Hub, str, int, str], None]] = {
    "version": lambda hub, match, version, _seat: hub.publish(match, version, None),
    "refresh": lambda hub, match, _number, _seat: hub.refresh(match),
    "drop": lambda hub, match, epoch, seat: hub.drop(match, seat, epoch),
    "restored": lambda hub, _match, _number, _seat: hub.start_over(),
    "end": lambda hub, match, _number, _seat: hub.end(match),
}
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
"""Seconds before trying to listen again."""
TIDY_BEATS = 30
"""After so many beats, limits that no longer apply to anybody are forgotten."""
KEYS_A_MESSAGE = 80
"""Counts in one announcement, which may have at most 8000 bytes."""


class Unsure(Exception):
    """The rows cannot be read at the moment."""


class Bus:
    """Carries a hub's announcements to other processes, and theirs to it."""

    def __init__(
        self, hub: Hub, name: str = settings.PROCESS, announcements: Announcements | None = None
    ) -> None:
        self.hub = hub
        self.name = name
        self.announcements = announcements or Announcements()
        self.tally = Tally()
        self.pool: Pool | None = None
        self.thread: threading.Thread | None = None
        self.is_closing = threading.Event()
        self.pause = FIRST_PAUSE
        self.unsure: set[str] = set()
        """Matches whose rows are to be read."""
        self.reading: asyncio.Task[None] | None = None
        self.coming: set[str] = set()
        """Matches of the tickets that the next look at the rows is for."""
        self.checking: asyncio.Task[dict[str, Known] | None] | None = None
        self.one_check = asyncio.Lock()
        self.telling: asyncio.Future[None] | None = None
        self.table = 0
        """PostgreSQL's id of the table of matches at the last look; 0 before."""

    # --- in the loop ------------------------------------------------------------------------------

    def open(self) -> None:
        """Start to listen, for the hub of the running loop."""
        self.pool = Pool(1, "rows")
        self.hub.bus = self
        self.thread = threading.Thread(target=self._listen, name="announcements", daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Stop listening; call it in a thread."""
        self.is_closing.set()
        if self.thread is not None:
            self.thread.join()
        if self.pool is not None:
            self.pool.close()

    def beat(self) -> None:
        """Look at the rows of every table with listeners here, and announce how many listen."""
        if self.is_closing.is_set():
            return
        self.read_soon(self.hub.rooms)
        self.tally.tidy()
        if self.hub.beats % TIDY_BEATS == 0:
            self._in_pool(self._tidy)
        if self.telling is not None and not self.telling.done():
            # The database is away: what waits for it must not pile up in front of every look at the rows.
            return
        if counts := worth_telling(self._counts(), self.hub.limits):
            self.telling = self._in_pool(self._tell, counts)

    def read_soon(self, matches: Iterable[str]) -> None:
        """Read the rows of these matches, soon."""
        self.unsure.update(matches)
        if self.unsure and self.reading is None and self.pool is not None:
            self.reading = asyncio.get_running_loop().create_task(self._read_unsure())

    async def is_refused(self, ticket: Ticket) -> bool:
        """Whether a seat of this ticket belongs to somebody else by now. Raises `Unsure`."""
        row = await self._known(ticket.match) if ticket.epochs else Known()
        return row is None or any(row.epochs.get(seat) != epoch for seat, epoch in ticket.epochs)

    async def _known(self, match: str) -> Known | None:
        """What the rows say about a match from now on: all who ask during one look share the next.

        Otherwise phones that come back while the database is away would wait for each other's look in turn.
        """
        self.coming.add(match)
        if self.checking is None:
            self.checking = asyncio.get_running_loop().create_task(self._check())
        # Whoever hangs up meanwhile leaves the look to the others.
        rows = await asyncio.shield(self.checking)
        if rows is None:
            raise Unsure
        return rows.get(match)

    async def _check(self) -> dict[str, Known] | None:
        async with self.one_check:
            asked, self.coming, self.checking = self.coming, set(), None
            with suppress(Unsure):
                return await self._ask(asked)
            return None

    async def _read_unsure(self) -> None:
        try:
            while self.unsure and self.hub.is_open:
                asked, self.unsure = self.unsure, set()
                self._looked(asked, await self._ask(asked))
        except Unsure:
            # The next beat asks again.
            self.unsure.clear()
        finally:
            self.reading = None

    async def _ask(self, matches: Collection[str]) -> dict[str, Known]:
        try:
            return await self._in_pool(check_rows, list(matches))
        except (DatabaseError, RuntimeError) as problem:
            log.warning("the rows could not be looked at: %s", str(problem).strip())
            raise Unsure from problem

    def _in_pool(self, do: Any, *arguments: Any) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self.pool, do, *arguments)

    def _looked(self, asked: Collection[str], rows: dict[str, Known]) -> None:
        """Bring every table up to what its rows say."""
        before, self.table = self.table, program.table()
        if before not in (0, self.table):
            # A backup was restored, and perhaps its announcement was lost.
            self.hub.start_over()
            return
        for match in asked:
            room = self.hub.rooms.get(match)
            if room is not None and match in rows:
                self._catch_up(room, rows[match])
            elif room is not None:
                self.hub.end(match)

    def _catch_up(self, room: Room, row: Known) -> None:
        """Bring a table up to date with its rows, and everybody whom no announcement has reached."""
        if row.version > room.version:
            self.hub.publish(room.match, row.version, None)
        if row.guests != room.guests:
            self.hub.refresh(room.match)
        room.guests = row.guests
        for listener in room.everyone():
            if any(row.epochs.get(seat, epoch + 1) > epoch for seat, epoch in listener.epochs):
                listener.end()
                continue
            frame = room.frames.get(listener.audience)
            if listener.is_fresh and frame is not None and frame.version >= row.version:
                # It claimed a version that does not exist.
                listener.put(frame)

    def _counts(self) -> Iterator[tuple[str, int]]:
        """How many streams there are for each address, match and set of seats."""
        for address, count in self.hub.addresses.items():
            if address:
                yield f"address {address}", count
        for match, room in self.hub.rooms.items():
            yield f"match {match}", room.size()
            for seats in {audience.seats for audience in room.listeners if audience.seats}:
                yield f"seat {match} {'+'.join(seats)}", room.holding(seats)

    # --- in a thread of its own -------------------------------------------------------------------

    def _listen(self) -> None:
        while not self.is_closing.is_set():
            try:
                self.announcements.listen(self.hear, self.is_closing, self._heard_again)
            except Exception as problem:
                # Whatever it was, the tables are looked at meanwhile, and listening starts again.
                log.warning("announcements are not heard for the moment: %s", str(problem).strip())
                self.is_closing.wait(self.pause)
                self.pause = min(2 * self.pause, LONGEST_PAUSE)
            finally:
                connection.close()

    def _heard_again(self) -> None:
        self.pause = FIRST_PAUSE

    def hear(self, channel: str, payload: str) -> None:
        """Take one announcement, whoever made it; one that makes no sense is ignored."""
        try:
            values = json.loads(payload)
            if channel == STREAMS:
                self._hear_streams(*values)
            else:
                self._hear_change(*values)
        except (TypeError, ValueError, OverflowError, RecursionError):
            log.warning("an announcement that makes no sense was not heard: %.200r", payload)

    def _hear_change(self, kind: str, match: str, number: int, seat: str, by: str) -> None:
        is_sound = kind in KINDS and isinstance(match, str) and type(number) is int and isinstance(seat, str)
        if not is_sound:
            raise ValueError(kind)
        # This process was told about its own changes when they were made.
        if by != self.name:
            KINDS[kind](self.hub, match, number, seat)

    def _hear_streams(self, by: str, counts: dict[str, int]) -> None:
        streams = {str(key): int(count) for key, count in dict(counts).items()}
        if by != self.name:
            self.hub.soon(lambda: self.tally.hear(by, streams))

    # --- in a thread of the pool ------------------------------------------------------------------

    def _tidy(self) -> None:
        with suppress(DatabaseError):
            limits.tidy_shared()

    def _tell(self, counts: dict[str, int]) -> None:
        """Announce how many streams this process carries."""
        pairs = list(counts.items())
        try:
            for first in range(0, len(pairs), KEYS_A_MESSAGE):
                part = dict(pairs[first : first + KEYS_A_MESSAGE])
                self.announcements.tell(STREAMS, json.dumps([self.name, part]))
        except DatabaseError as problem:
            log.warning("the streams could not be counted together: %s", str(problem).strip())


# --- how many streams the other processes carry ----------------------------------------------------


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


# --- what the rows say -----------------------------------------------------------------------------


class Known(NamedTuple):
    """One match by its rows: its version, the epoch of each seat, and a mark of each request for a seat."""

    version: int = 0
    epochs: dict[str, int] = {}
    guests: frozenset[tuple[object, ...]] = frozenset()


def check_rows(codes: Collection[str]) -> dict[str, Known]:
    """A regular look at PostgreSQL: at its clock, at whether a backup was restored, and at these rows."""
    close_old_connections()
    agree_on_the_time()
    program.read_table_id()
    return read_rows(codes)


def read_rows(codes: Collection[str]) -> dict[str, Known]:
    """What the rows say about these matches and rooms of events; one that is missing no longer exists."""
    versions: dict[str, int] = {}
    epochs: defaultdict[str, dict[str, int]] = defaultdict(dict)
    guests: defaultdict[str, set[tuple[object, ...]]] = defaultdict(set)
    rows = Match.objects.filter(code__in=codes).order_by()
    for code, version, seat, epoch in rows.values_list("code", "version", "seats__key", "seats__epoch"):
        versions[code] = version
        epochs[code][seat] = epoch
    asking = SeatRequest.objects.filter(seat__match__code__in=codes).order_by()
    for code, *mark in asking.values_list(
        "seat__match__code", "pk", "created_at", "granted_at", "declined_at"
    ):
        guests[code].add(tuple(mark))
    matches = {
        code: Known(version, epochs[code], frozenset(guests[code])) for code, version in versions.items()
    }
    events = rooms.read_rooms([code for code in codes if rooms.is_room(code)])
    return matches | {room: Known(version, held) for room, (version, held) in events.items()}


def notify(channel: str, payload: str) -> None:
    """Tell the other processes something."""
    close_old_connections()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, payload])


def agree_on_the_time() -> None:
    """Ask PostgreSQL for the time, for everything that is compared by the common clock."""
    asked = time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        clock.agree(cursor.fetchone()[0], asked)


# --- PostgreSQL's LISTEN and NOTIFY ----------------------------------------------------------------


CHANNEL, STREAMS = "roundtable", "roundtable_streams"
EACH_SECONDS = 1.0
"""How often the listening thread checks whether it is to end."""
ECHO_SECONDS = 3.0
"""How long our own announcement may take to arrive."""
UNHEARD = (
    "What other processes announce does not arrive: a pooler that works by transaction carries no LISTEN. "
    "Phones at other processes see changes up to two seconds late. ROUNDTABLE_DATABASE_DIRECT may name the "
    "database itself."
)

Hear = Callable[[str, str], None]
"""Called with the channel and the payload of an announcement."""


class Announcements:
    """The way between processes. It may lose announcements."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        """Pass on announcements until it is closing; calls `begun` first. Raises whatever interrupts it."""
        with closing(straight()) as line:
            with line.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}; LISTEN {STREAMS}")
            begun()
            is_doubtful, until = True, time.monotonic() + ECHO_SECONDS
            # A harmless announcement of no streams, on another connection, just as those of others arrive.
            probe = json.dumps([settings.PROCESS, {}])
            self.tell(STREAMS, probe)
            connection.close()
            while not is_closing.is_set():
                for notice in line.connection.notifies(timeout=EACH_SECONDS):
                    is_doubtful = is_doubtful and notice.payload != probe
                    hear(notice.channel, notice.payload)
                if is_doubtful and time.monotonic() > until:
                    log.warning(UNHEARD)
                    is_doubtful = False

    def tell(self, channel: str, payload: str) -> None:
        """Announce something to all processes, including this one."""
        notify(channel, payload)


def straight() -> BaseDatabaseWrapper:
    """A connection that can LISTEN: past the pooler, if the database's own address is set."""
    line = connection.copy()
    line.settings_dict.update(settings.DATABASE_DIRECT)
    return line
