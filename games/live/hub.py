"""Who is told about a new version: the hub between a committed change and every open stream.

A change is published once. For each audience (the same seats, language and kind of view) with listeners the
view is rendered once, in a few threads of the hub's own, after the tapper has been answered, players before
spectators. A listener holds at most one unsent frame, the newest: a slow reader skips versions and never sees
an older one after a newer one.

The hub lives in the event loop of a serving process. `publish` and `drop` may be called from any thread, and
do nothing if no server runs. If other processes serve too, a `Bus` tells it about their changes.

A ticket is a signed token in the address of a stream: it says whose stream it is, for ten minutes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.db import close_old_connections, connections
from django.http import HttpResponse
from django.utils import translation

from games.core import RequestRefused
from games.live.frames import Forms, View
from games.monitoring.measures import DRAWN, FRAMES, streams
from games.web import clock, journal, restored, trouble
from games.web.clock import AHEAD_SECONDS
from games.web.program import is_from_before, program, restored_at

if TYPE_CHECKING:
    from games.live.bus import Bus

Seats = tuple[str, ...]
Epochs = tuple[tuple[str, int], ...]
Tell = Callable[[], object]


class Audience(NamedTuple):
    """Listeners that may be shown the same bytes: seats (none: spectators), language, kind of view.

    `speaker` is the seat whose player said that they hold a shared device, "" for nobody. `opened` names a
    question and the seats whose own parts of it were opened ("12.red.blue"). On a screen of an event,
    `speaker` is the part of the hall that it shows.
    """

    seats: Seats
    language: str
    view: str
    speaker: str = ""
    opened: str = ""


Render = Callable[[Audience], str]


class Frame(NamedTuple):
    """One version of one audience's view, as it goes over the wire: plain, compressed, or as changes.

    `edition` counts the changes outside the log (who asks for a seat) since somebody began to listen.
    """

    version: int
    data: bytes
    forms: Forms
    edition: int = 0


def encode(version: int, text: str) -> Frame:
    """A view as one event of a stream; its id is the version, which a browser sends when it reconnects."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = "".join(f"data: {line}\n" for line in text.split("\n"))
    data = f"id: {version}\nevent: board\n{lines}\n".encode()
    return Frame(version, data, Forms(data, version, View(text)))


class Listener:
    """One open stream: who listens, what it has, and the one frame that it has not been sent.

    A subclass that carries the frames implements `wake` (there is a frame to take), `beat` (show that the
    stream is alive) and `end` (it is over), and sets `stuck_since` while a frame waits to be read.
    """

    __slots__ = (
        "address",
        "audience",
        "edition",
        "epochs",
        "frame",
        "is_fresh",
        "match",
        "stuck_since",
        "tab",
        "turn",
        "version",
    )

    def __init__(
        self,
        match: str,
        audience: Audience,
        last_version: int | None,
        epochs: Epochs = (),
        address: str = "",
        tab: str = "",
    ) -> None:
        self.match = match
        self.tab = tab
        self.audience = audience
        self.epochs = epochs
        self.address = address
        self.version = -1 if last_version is None else last_version
        self.edition = 0
        self.is_fresh = True
        self.frame: Frame | None = None
        self.stuck_since: float | None = None
        self.turn = 0

    def wake(self) -> None:
        """There is a frame to take."""

    def beat(self) -> None:
        """Show that the stream is alive."""

    def end(self) -> None:
        """The stream is over."""

    def put(self, frame: Frame) -> None:
        """Keep the frame if it is news, in place of an unsent one."""
        # A new listener only claims to have its version: any other one is news to it.
        is_other = frame.version != self.version or frame.edition > 0
        is_later = (frame.version, frame.edition) > (self.version, self.edition)
        is_news = is_other if self.is_fresh else is_later
        self.is_fresh = False
        if is_news:
            self.version, self.edition, self.frame = frame.version, frame.edition, frame
            self.wake()

    def lacks(self, version: int) -> bool:
        """Whether this version would be news; a new listener only claims to have one."""
        return self.is_fresh or self.version < version

    def take(self) -> Frame | None:
        """The unsent frame, now taken."""
        frame, self.frame = self.frame, None
        return frame


class Room:
    """One match that somebody listens to."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.listeners: defaultdict[Audience, set[Listener]] = defaultdict(set)
        self.frames: dict[Audience, Frame] = {}
        self.version = -1
        self.edition = 0
        self.guests: frozenset[object] = frozenset()
        """Who asked for a seat when the rows were last read; empty at first, so the first look is news."""
        self.render: Render | None = None
        self.task: asyncio.Task[None] | None = None

    def everyone(self) -> list[Listener]:
        """All listeners of the match."""
        return [listener for group in self.listeners.values() for listener in group]

    def size(self) -> int:
        """How many listen to the match."""
        return sum(map(len, self.listeners.values()))

    def holding(self, seats: Seats) -> int:
        """How many listen as exactly these seats."""
        return sum(len(group) for audience, group in self.listeners.items() if audience.seats == seats)

    def behind(self) -> list[Audience]:
        """The audiences that have no frame of the newest version, players first."""
        late = [audience for audience in self.listeners if self.is_behind(audience)]
        return sorted(late, key=lambda audience: not audience.seats)

    def is_behind(self, audience: Audience) -> bool:
        """Whether its frame is missing, or is old and somebody lacks the newest version.

        Changes outside the log are for players only.
        """
        frame = self.frames.get(audience)
        if frame is None or (audience.seats and frame.edition < self.edition):
            return True
        is_old = frame.version < self.version
        return is_old and any(listener.lacks(self.version) for listener in self.listeners.get(audience, ()))


# --- tickets ---------------------------------------------------------------------------------------


TOKEN_SECONDS, WATCHER_SECONDS = 600, 12 * 3600
"""How long a seat's token opens a stream, and a spectator's, so that a crowd can return without Django."""
SALT = "roundtable.live"
"""Tickets are signed with this and the program's version: a page of another version has to ask again."""
STREAM_HEADER = b"x-roundtable-stream"
"""Names the token of a stream that the server's shell is to send instead of Django's own response."""


class Ticket(NamedTuple):
    """What a stream's token says: a match, the seats with their epochs, and how to show it.

    `restored` names the data that it was made from: in a restored backup, a seat that is at the same epoch
    may be somebody else's.
    """

    match: str
    epochs: Epochs
    language: str
    view: str
    speaker: str
    opened: str
    restored: str
    issued: int

    @property
    def audience(self) -> Audience:
        """Who listens with this token."""
        seats = tuple(seat for seat, _epoch in self.epochs)
        return Audience(seats, self.language, self.view, self.speaker, self.opened)


def stream_token(match: str, epochs: Epochs, audience: Audience) -> str:
    """A signed, URL-safe token that opens the stream of these seats for ten minutes, or a spectator's."""
    shown = (audience.language, audience.view, audience.speaker, audience.opened)
    return _signer().sign_object([match, epochs, *shown, restored(), int(clock.seconds())])


def read_stream_token(token: str) -> Ticket | None:
    """The ticket, or None if the token is forged, too old, or no token at all."""
    try:
        match, epochs, *shown = _signer().unsign_object(token)
        language, view, speaker, opened, made_of, issued = shown
    except (signing.BadSignature, ValueError):
        return None
    age = clock.seconds() - issued
    if not -AHEAD_SECONDS <= age <= (TOKEN_SECONDS if epochs else WATCHER_SECONDS):
        return None
    held = tuple((seat, epoch) for seat, epoch in epochs)
    return Ticket(match, held, language, view, speaker, opened, made_of, issued)


def _signer() -> signing.TimestampSigner:
    """The signer of tokens, which also accepts those signed with earlier keys."""
    return _signer_of(program(), settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(2)
def _signer_of(made_by: str, key: str, *earlier: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(key=key, salt=f"{SALT}.{made_by}", fallback_keys=list(earlier))


def stream_url(match: str, audience: Audience, epochs: Epochs) -> str:
    """The address of a stream; it names the table for a proxy that keeps a table's phones together."""
    return f"/live/{stream_token(match, epochs, audience)}?table={match}"


def stream_response(match: str, audience: Audience, epochs: Epochs) -> HttpResponse:
    """The stream itself as a view's response, for a caller whose right to it only Django can check.

    Without the shell in front (another server, a test client) the response is a sentence, never a wait.
    """
    response = HttpResponse("Streams need the server that `manage.py play` starts.", status=406)
    response[STREAM_HEADER.decode()] = stream_token(match, epochs, audience)
    return response


log = logging.getLogger(__name__)

BEAT_SECONDS, WATCHER_BEAT_SECONDS = 2, 4
"""How often a player's stream beats, and a spectator's."""
TICKS = 5
"""Ticks per second; listeners take turns, so that a full house is not woken all at once."""
PLAYER_TURNS, WATCHER_TURNS = BEAT_SECONDS * TICKS, WATCHER_BEAT_SECONDS * TICKS
STUCK_SECONDS = 30
"""How long a frame may wait for a phone that does not read before its stream is ended."""
GONE_SECONDS = 60
"""How long nobody may listen to a deleted match; phones come back within seconds to hear about it."""
RENDER_THREADS = 2
PAUSE_SECONDS = 1.0
"""How long a failing database is left alone before a view is tried again."""
SLICE = 250
"""Listeners who are told without a pause; then everything else that waits gets a turn, players first."""
PLAYERS_SHARE = 10
"""The fraction of every limit but a seat's that is reserved for players: one in so many."""


class Withheld(Exception):
    """An audience must not be shown this match for now; its page finds out why when it asks again."""


class Full(Exception):
    """There is no room for another stream; the page asks for the board every few seconds instead."""


Snapshot = Callable[[str, Audience], tuple[int, str]]


# After the response: what a request publishes is delivered once its own response is on its way

_held: ContextVar[list[Tell] | None] = ContextVar("held", default=None)


@contextmanager
def collect_news() -> Iterator[list[Tell]]:
    """Collect what is published in this block; the code that opened it calls each item when it is time."""
    news: list[Tell] = []
    token = _held.set(news)
    try:
        yield news
    finally:
        _held.reset(token)


class Hub:
    """Every open stream of this process."""

    def __init__(self, limits: dict[str, int]) -> None:
        self.limits = limits
        self.snapshots: Snapshot | None = None
        self.rooms: dict[str, Room] = {}
        self.addresses: Counter[str] = Counter()
        self.gone: dict[str, float] = {}
        """Deleted matches, and until when that is remembered."""
        self.dropped: dict[tuple[str, str], tuple[int, float]] = {}
        self.lock = Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.pool: Pool | None = None
        self.bus: Bus | None = None
        """The link to other processes, if there may be any."""
        self.started = 0
        self.marker = restored_at()
        """When the rows were last restored from a backup."""
        self.turns: list[set[Listener]] = [set() for _turn in range(WATCHER_TURNS)]
        self.count = self.players = self.joined = self.beats = self.ticks = 0
        self.is_open = False

    # --- from any thread --------------------------------------------------------------------------

    def publish(self, match: str, version: int, render: Render | None) -> None:
        """Tell a match's listeners about a version; `render` (None: from the rows) makes a view, later."""
        self._after_the_answer(partial(self._published, match, version, render))

    def answered(self, match: str, version: int, audience: Audience, tab: str) -> None:
        """The answer to a tap shows its tab this version, so that the tab's stream need not."""
        if tab:
            self._after_the_answer(partial(self._answered, match, version, audience, tab), first=True)

    def refresh(self, match: str) -> None:
        """Show a match's players what has changed outside its log: who asks for a seat."""
        self._after_the_answer(partial(self._refreshed, match))

    def _after_the_answer(self, job: Tell, *, first: bool = False) -> None:
        news = _held.get()
        if news is None:
            self.soon(job)
        else:
            news.insert(0 if first else len(news), partial(self.soon, job))

    def drop(self, match: str, seat: str, epoch: int) -> None:
        """End the streams that hold this seat at this epoch or an older one, and refuse their tokens."""
        now = time.monotonic()
        with self.lock:
            if len(self.dropped) > 1000:
                self.dropped = {key: value for key, value in self.dropped.items() if value[1] > now}
            dropped_epoch, _until = self.dropped.get((match, seat), (epoch, 0))
            self.dropped[match, seat] = (max(epoch, dropped_epoch), now + TOKEN_SECONDS)
        self.soon(partial(self._end_dropped, match))

    def end(self, match: str) -> None:
        """End all streams of a deleted match; its phones find out when they ask again."""
        self.soon(partial(self._end_all, match))

    def start_over(self) -> None:
        """End all streams and forget what was shown: the rows have been replaced, and may be older."""
        self.soon(self._start_over)

    def soon(self, job: Tell) -> None:
        """Run something in the loop, if there is one."""
        if self.loop is None:
            return
        # A loop that has just been closed has nobody left to tell, and the change itself is committed.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(job)

    # --- in the loop ------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to serve in the running loop."""
        self.loop = asyncio.get_running_loop()
        self.pool = Pool(RENDER_THREADS, "render")
        self.started = int(time.time())
        self.is_open = True
        self._beat()

    def close(self) -> None:
        """End every stream; no new one is accepted."""
        self.is_open = False
        for room in list(self.rooms.values()):
            for listener in room.everyone():
                listener.end()

    def is_refused(self, ticket: Ticket) -> bool:
        """Whether a seat of this ticket has been taken away since, or its match was deleted or restored.

        Only this process remembers what was dropped, so a seat's ticket from before it started is refused as
        well: the phone fetches another one, which is checked against the rows. With a bus, every ticket is
        checked against the rows.
        """
        if self.gone.get(ticket.match, 0.0) > time.monotonic():
            return True
        if ticket.epochs and ticket.issued < self.started and self.bus is None:
            return True
        return is_from_before(ticket.restored) or self._is_dropped(ticket.match, ticket.epochs)

    def _is_dropped(self, match: str, epochs: Epochs) -> bool:
        return any(epoch <= self.dropped.get((match, seat), (-1, 0))[0] for seat, epoch in epochs)

    def join(self, listener: Listener) -> None:
        """Add a listener, and have it sent what it lacks. Raises `Full`."""
        self._check_limits(listener)
        room = self.rooms.setdefault(listener.match, Room(listener.match))
        room.listeners[listener.audience].add(listener)
        self.addresses[listener.address] += 1
        self.count += 1
        self.players += bool(listener.audience.seats)
        self.joined += 1
        listener.turn = self.joined % WATCHER_TURNS
        self.turns[listener.turn].add(listener)
        streams(listener.audience.seats).inc()
        frame = room.frames.get(listener.audience)
        if frame is None or room.is_behind(listener.audience):
            self._refresh(room)
        else:
            self._put(listener, frame)

    def leave(self, listener: Listener) -> None:
        """Forget a listener, and its match if nobody else listens to it."""
        room = self.rooms.get(listener.match)
        if room is None or listener not in room.listeners.get(listener.audience, ()):
            return
        self.count -= 1
        self.players -= bool(listener.audience.seats)
        self.turns[listener.turn].discard(listener)
        streams(listener.audience.seats).dec()
        self.addresses[listener.address] -= 1
        if not self.addresses[listener.address]:
            del self.addresses[listener.address]
        room.listeners[listener.audience].discard(listener)
        if not room.listeners[listener.audience]:
            del room.listeners[listener.audience]
            room.frames.pop(listener.audience, None)
        if not room.listeners:
            del self.rooms[listener.match]

    def _check_limits(self, listener: Listener) -> None:
        room, seats = self.rooms.get(listener.match), listener.audience.seats
        if not self.is_open or self.count >= self._limit("process", seats):
            raise Full
        address, match = listener.address, listener.match
        here = self.addresses[address]
        if address and here + self._elsewhere(f"address {address}") >= self._limit("address", seats):
            raise Full
        here = room.size() if room else 0
        if here + self._elsewhere(f"match {match}") >= self._limit("match", seats):
            raise Full
        here = room.holding(seats) if room else 0
        if seats and here + self._elsewhere(f"seat {match} {'+'.join(seats)}") >= self._limit("seat", seats):
            raise Full

    def _limit(self, what: str, seats: Seats) -> int:
        limit = self.limits[what]
        return limit if seats else limit - limit // PLAYERS_SHARE

    def _elsewhere(self, key: str) -> int:
        return self.bus.tally.count(key) if self.bus else 0

    def _published(self, match: str, version: int, render: Render | None) -> None:
        room = self.rooms.get(match)
        if room is None or version <= room.version:
            return
        room.version, room.render = version, render
        self._refresh(room)

    def _answered(self, match: str, version: int, audience: Audience, tab: str) -> None:
        room = self.rooms.get(match)
        for listener in room.listeners.get(audience, ()) if room else ():
            if listener.tab == tab:
                # An answer that is lost is asked for once a beat names a version that the page lacks.
                listener.version = max(listener.version, version)

    def _refreshed(self, match: str) -> None:
        room = self.rooms.get(match)
        if room is not None:
            room.edition += 1
            self._refresh(room)

    def _end_dropped(self, match: str) -> None:
        room = self.rooms.get(match)
        for listener in room.everyone() if room else ():
            if self._is_dropped(match, listener.epochs):
                listener.end()

    def _end_all(self, match: str) -> None:
        now = time.monotonic()
        self.gone = {code: until for code, until in self.gone.items() if until > now}
        self.gone[match] = now + GONE_SECONDS
        room = self.rooms.get(match)
        for listener in room.everyone() if room else ():
            listener.end()

    def _start_over(self) -> None:
        # A seat may be back at a revoked epoch, and a deleted match may exist again.
        self.gone, self.dropped = {}, {}
        for room in list(self.rooms.values()):
            for listener in room.everyone():
                listener.end()
                self.leave(listener)

    def _refresh(self, room: Room) -> None:
        if room.task is None:
            room.task = asyncio.get_running_loop().create_task(self._catch_up(room))

    async def _catch_up(self, room: Room) -> None:
        """Render until every audience has the newest version.

        Each round serves every audience once, so that a fast game cannot starve the spectators.
        """
        try:
            while self.is_open and (self.snapshots or room.render) and (late := room.behind()):
                for audience in late:
                    await self._show(room, audience)
        finally:
            room.task = None

    async def _show(self, room: Room, audience: Audience) -> None:
        if audience not in room.listeners or not self.is_open:
            return
        edition, version, source = room.edition, room.version, self._source(room, audience)
        try:
            frame = await asyncio.get_running_loop().run_in_executor(
                self.pool, self._frame, room.match, audience, version, source
            )
        except Exception as problem:
            await self._give_up(room, audience, problem)
            return
        if frame.version < version == room.version:
            # The announced version does not exist: the rows are right.
            room.version = frame.version
        # While this version was made, the audience may have left, or may have been shown another one.
        if audience in room.listeners:
            frame = room.frames[audience] = frame._replace(edition=edition)
            await self._tell(room, audience, frame)

    async def _give_up(self, room: Room, audience: Audience, problem: Exception) -> None:
        """Wait if the database is in trouble; otherwise end the streams that cannot be served."""
        if wrong := trouble(problem):
            journal.note(wrong, problem)
            await asyncio.sleep(PAUSE_SECONDS)
            return
        if isinstance(problem, RequestRefused):
            # A code that everybody has left may belong to another match by now, after an import.
            if room.listeners:
                self._end_all(room.match)
        elif not isinstance(problem, Withheld):
            log.error("the view of match %s could not be made", room.match, exc_info=problem)
        # They come back after a moment, for a fresh look at the match.
        for listener in list(room.listeners.get(audience, ())):
            listener.end()
            self.leave(listener)

    async def _tell(self, room: Room, audience: Audience, frame: Frame) -> None:
        """Deliver a frame to a whole audience, in slices; players get a newer one in between."""
        listeners, newest = list(room.listeners[audience]), room.version
        for begin in range(0, len(listeners), SLICE):
            if begin:
                await asyncio.sleep(0)
            if room.version > newest:
                newest = room.version
                for players in [other for other in room.behind() if other.seats]:
                    await self._show(room, players)
            for listener in listeners[begin : begin + SLICE]:
                self._put(listener, frame)
        FRAMES.inc(len(listeners))

    def _put(self, listener: Listener, frame: Frame) -> None:
        if self.bus is not None and listener.version > frame.version:
            # Another process may have shown it a version that is not known here yet.
            self.bus.read_soon([listener.match])
        else:
            listener.put(frame)

    def _source(self, room: Room, audience: Audience) -> Render | None:
        """How to make a view: as published, or None for a fresh look at the match, as for a new audience."""
        is_new = audience not in room.frames or room.frames[audience].edition < room.edition
        return None if is_new and self.snapshots is not None else room.render

    def _frame(self, match: str, audience: Audience, version: int, render: Render | None) -> Frame:
        """Make a view; runs in a thread of the hub's own."""
        close_old_connections()
        with DRAWN.time(), translation.override(audience.language):
            if render is not None:
                return encode(version, render(audience))
            assert self.snapshots is not None
            return encode(*self.snapshots(match, audience))

    # --- time -------------------------------------------------------------------------------------

    def _follow_the_clock(self) -> None:
        """Follow a clock that was set back, so that new tickets are not taken for older than this process."""
        self.started = min(self.started, int(clock.seconds()))

    def _beat(self) -> None:
        if self.loop is None or not self.is_open:
            return
        self.loop.call_later(1 / TICKS, self._beat)
        self.ticks += 1
        if self.ticks % PLAYER_TURNS == 0:
            self.beats += 1
            self._follow_the_clock()
            if self.bus is not None:
                self.bus.beat()
            if self.marker != (now_marked := restored_at()):
                self.marker = now_marked
                self._start_over()
        now = time.monotonic()
        for turn in range(self.ticks % PLAYER_TURNS, WATCHER_TURNS, PLAYER_TURNS):
            for listener in list(self.turns[turn]):
                if listener.stuck_since is not None and now - listener.stuck_since > STUCK_SECONDS:
                    listener.end()
                elif listener.audience.seats or turn == self.ticks % WATCHER_TURNS:
                    listener.beat()


class Pool(ThreadPoolExecutor):
    """A fixed number of threads; closing it closes their database connections too."""

    def __init__(self, threads: int, name: str) -> None:
        self.kept: list[Any] = []
        super().__init__(threads, thread_name_prefix=name, initializer=self._keep)

    def _keep(self) -> None:
        for connection in connections.all():
            # So that the thread that closes the pool may close this connection.
            connection.inc_thread_sharing()
            self.kept.append(connection)

    def close(self) -> None:
        """Wait for running work, cancel what still waits for a thread, and close the connections."""
        self.shutdown(cancel_futures=True)
        for connection in self.kept:
            connection.close()


hub = Hub(settings.LIVE_LIMITS)
