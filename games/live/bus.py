"""Several processes at the same tables: what one commits, it announces to the streams of all others.

New versions, seats taken away, deleted matches and guests' requests are announced (see `announcements`). An
announcement is only a hint: the rows are read. Whatever gets lost is found by a look at the rows every two
seconds, so nobody is left behind for longer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from games.live import rows
from games.live.announcements import STREAMS, Announcements
from games.live.hub import Hub
from games.live.listeners import Room
from games.live.pool import Pool
from games.live.rows import Known
from games.live.tally import Tally, worth_telling
from games.live.tickets import Ticket
from games.web import limits, program

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
        self.looking: asyncio.Task[None] | None = None
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
        self.look(self.hub.rooms)
        self.tally.tidy()
        if self.hub.beats % TIDY_BEATS == 0:
            self._in_pool(self._tidy)
        if self.telling is not None and not self.telling.done():
            # The database is away: what waits for it must not pile up in front of every look at the rows.
            return
        if told := worth_telling(self._counts(), self.hub.limits):
            self.telling = self._in_pool(self._tell, told)

    def look(self, matches: Iterable[str]) -> None:
        """Read the rows of these matches, soon."""
        self.unsure.update(matches)
        if self.unsure and self.looking is None and self.pool is not None:
            self.looking = asyncio.get_running_loop().create_task(self._look())

    async def is_refused(self, ticket: Ticket) -> bool:
        """Whether a seat of this ticket belongs to somebody else by now. Raises `Unsure`."""
        found = await self._known(ticket.match) if ticket.epochs else Known()
        return found is None or any(found.epochs.get(seat) != epoch for seat, epoch in ticket.epochs)

    async def _known(self, match: str) -> Known | None:
        """What the rows say about a match from now on: all who ask during one look share the next.

        Otherwise phones that come back while the database is away would wait for each other's look in turn.
        """
        self.coming.add(match)
        if self.checking is None:
            self.checking = asyncio.get_running_loop().create_task(self._check())
        # Whoever hangs up meanwhile leaves the look to the others.
        found = await asyncio.shield(self.checking)
        if found is None:
            raise Unsure
        return found.get(match)

    async def _check(self) -> dict[str, Known] | None:
        async with self.one_check:
            asked, self.coming, self.checking = self.coming, set(), None
            with suppress(Unsure):
                return await self._ask(asked)
            return None

    async def _look(self) -> None:
        try:
            while self.unsure and self.hub.is_open:
                asked, self.unsure = self.unsure, set()
                self._looked(asked, await self._ask(asked))
        except Unsure:
            # The next beat asks again.
            self.unsure.clear()
        finally:
            self.looking = None

    async def _ask(self, matches: Collection[str]) -> dict[str, Known]:
        try:
            return await self._in_pool(rows.look, list(matches))
        except (DatabaseError, RuntimeError) as problem:
            log.warning("the rows could not be looked at: %s", str(problem).strip())
            raise Unsure from problem

    def _in_pool(self, do: Any, *arguments: Any) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self.pool, do, *arguments)

    def _looked(self, asked: Collection[str], found: dict[str, Known]) -> None:
        """Bring every table up to what its rows say."""
        before, self.table = self.table, program.table()
        if before not in (0, self.table):
            # A backup was restored, and perhaps its announcement was lost.
            self.hub.start_over()
            return
        for match in asked:
            room = self.hub.rooms.get(match)
            if room is not None and match in found:
                self._catch_up(room, found[match])
            elif room is not None:
                self.hub.end(match)

    def _catch_up(self, room: Room, known: Known) -> None:
        """Bring a table up to date with its rows, and everybody whom no announcement has reached."""
        if known.version > room.version:
            self.hub.publish(room.match, known.version, None)
        if known.guests != room.guests:
            self.hub.refresh(room.match)
        room.guests = known.guests
        for listener in room.everyone():
            if any(known.epochs.get(seat, epoch + 1) > epoch for seat, epoch in listener.epochs):
                listener.end()
                continue
            frame = room.frames.get(listener.audience)
            if listener.is_fresh and frame is not None and frame.version >= known.version:
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
            told = json.loads(payload)
            if channel == STREAMS:
                self._hear_streams(*told)
            else:
                self._hear_change(*told)
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
        told = list(counts.items())
        try:
            for first in range(0, len(told), KEYS_A_MESSAGE):
                part = dict(told[first : first + KEYS_A_MESSAGE])
                self.announcements.tell(STREAMS, json.dumps([self.name, part]))
        except DatabaseError as problem:
            log.warning("the streams could not be counted together: %s", str(problem).strip())
