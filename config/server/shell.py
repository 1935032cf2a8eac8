"""The shell around Django: live streams go straight to the hub, everything else to Django in a few threads.

Django's own ASGI support starts a thread for every request, which costs more than the request and makes
a lasting database connection impossible. Here Django's plain handler runs in small fixed pools, one for taps
and one for the rest: each thread keeps its connection, and a stream needs neither a thread nor a connection.

The library a2wsgi was tried instead and stays out: its threads wait for bodies that phones send slowly, its
queue knows no turns, it has no place for news told after an answer, and a request costs up to 2.5 times as
much.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from types import FrameType
from typing import Any
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection, connections

from config.data.sqlite_guard import empty_log
from config.server.answers import (
    TOO_LATE,
    TOO_MUCH,
    TOO_OFTEN,
    TOO_SLOW,
    Answer,
    answer,
    too_busy,
    unacceptable,
)
from config.server.connections import MOST_CONNECTIONS, UNANSWERED, crowd
from config.server.fair_queue import Asker, Crowded, Lane, Shares, Turns
from config.server.shared_commits import MOST, SharedCommits
from games.live import demo_robots, stream
from games.live.bus import Bus
from games.live.hub import STREAM_HEADER, Hub, Pool, collect_news
from games.live.stream import Receive, Scope, Send
from games.monitoring.answer_times import ASKED_AT
from games.web.request_rules import most_bytes

log = logging.getLogger(__name__)

BODY_PAUSE, BODY_SECONDS = 20.0, 120.0
"""Seconds that a phone may pause within a body, and that the whole body may take, before it is given up."""
BYTE_SECONDS = 5e-9
"""What it takes to receive a byte: nothing for a tap, and for a hostile phone soon its whole share."""
SPARE_FILES = 200
"""Open files kept for the database, static files and requests; every other one may be a stream."""
OWN_FILES = 100
"""How many of them are never a connection."""
SWITCH_SECONDS = 0.0005
"""How long a thread may compute while another waits. A tap lets go of the interpreter at each statement that
it sends, and would wait that long for it each time."""
HEALTH, HEALTH_SECONDS = ("/healthz", "/readyz"), 1.0
TAPS = ("/act", "/adjust", "/undo")
"""How the addresses end to which taps are sent."""
TABLE = re.compile(r"/(?:t|api/matches)/(\w{1,12})/")
TAP_THREADS = {"sqlite": 1, "postgresql": 2}
"""How many taps run at once, by database: while one waits for PostgreSQL another may use the core."""
OTHER_CONNECTIONS = 5
"""To PostgreSQL, as well as those of the answering threads: two that render, health, rows, announcements."""


class Body:
    """A request's body as received, counted for its address from the first byte until the answer."""

    def __init__(self, address: str, most: int, shares: Shares | None = None) -> None:
        self.address, self.most = address, most
        self.shares = shares or Shares()
        self.held = bytearray()
        self.is_given_up = False
        """Whether the phone went away while sending it."""

    async def read(self, receive: Receive) -> Answer | None:
        """Receive all of it, but not much more than the limit; the refusal, if it is refused."""
        until = asyncio.get_running_loop().time() + BODY_SECONDS
        while (message := await next_of(receive, until, self.wait())) is not None:
            if message["type"] == "http.disconnect":
                self.is_given_up = True
                return None
            part = message.get("body", b"")
            self.shares.spend(self.address, len(part) * BYTE_SECONDS)
            if not UNANSWERED.take(self.address, len(part)):
                return TOO_MUCH
            self.held += part
            # Django refuses it for its length, in the player's language; the rest is never kept.
            if len(self.held) > self.most or not message.get("more_body", False):
                return None
        return TOO_SLOW

    def wait(self) -> float:
        """How many seconds its next part is left unread; the first one is read at once."""
        return self.shares.wait(self.address) if self.held else 0.0

    def forget(self) -> None:
        """Let the body go: its request is answered, or was given up."""
        UNANSWERED.give(self.address, len(self.held))
        self.held = bytearray()


async def next_of(receive: Receive, until: float, wait: float = 0.0) -> stream.Message | None:
    """The next part of a request after its head, not read before this wait; None if it takes too long."""
    try:
        async with asyncio.timeout_at(min(asyncio.get_running_loop().time() + wait + BODY_PAUSE, until)):
            if wait:
                await asyncio.sleep(wait)
            return await receive()
    except TimeoutError:
        return None


class Shell:
    """The ASGI application."""

    def __init__(self, django: Callable[..., Any], hub: Hub) -> None:
        self.django = django
        self.tap_threads = TAP_THREADS[connection.vendor]
        self.turns = Turns(self.tap_threads, settings.THREADS)
        self.hub = hub
        self.pool: Pool | None = None
        self.taps: SharedCommits | None = None
        self.health_pool: Pool | None = None
        self.robots: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
        elif refusal := unacceptable(scope):
            await answer(send, scope, refusal)
        elif scope["path"].startswith(stream.PREFIX):
            await stream.serve(self.hub, scope, receive, send)
        else:
            await self.request(scope, receive, send)

    def begin(self, scope: Scope, send: Send) -> stream.Writer | None:
        """A stream that can begin without a task of its own; None for any other request."""
        if not scope["path"].startswith(stream.PREFIX) or unacceptable(scope):
            return None
        return stream.begin(self.hub, scope, send)

    async def lifespan(self, receive: Receive, send: Send) -> None:
        """Start and stop with the server."""
        await receive()
        try:
            await self.start()
        except Exception as problem:
            await send({"type": "lifespan.startup.failed", "message": str(problem)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def start(self) -> None:
        """Open the pools; refuse a database that would not keep what it is told to."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self.pool = Pool(settings.THREADS, "django")
        self.taps = SharedCommits(Pool(self.tap_threads, "taps"), self.ask)
        self.health_pool = Pool(1, "health")
        await asyncio.get_running_loop().run_in_executor(self.pool, refuse_unsafe_database)
        self.make_room(open_files())
        spare_the_collector()
        self.hub.open()
        if connection.vendor == "postgresql":
            Bus(self.hub).open()
        end_streams_on_signal(self.hub)
        if settings.DEMO:
            self.robots = asyncio.create_task(demo_robots.play_on(self.hub))

    def make_room(self, files: int) -> None:
        """Let in as many as there may be open files; log a warning if that is far fewer than wanted."""
        crowd.limit = min(MOST_CONNECTIONS, files - OWN_FILES)
        wanted, room = self.hub.limits["process"], files - SPARE_FILES
        self.hub.limits["process"] = min(wanted, room)
        if room < wanted // 2:
            log.warning("the system allows %d open files (ulimit -n): room for %d live streams", files, room)

    async def stop(self) -> None:
        """End the streams; close the pools with their threads and connections; leave one database file."""
        was_open = self.pool is not None
        if self.robots is not None:
            self.robots.cancel()
        self.hub.close()
        if self.hub.bus is not None:
            await asyncio.to_thread(self.hub.bus.close)
            self.hub.bus = None
        for pool in (self.pool, self.taps, self.health_pool, self.hub.pool):
            if pool is not None:
                # In a thread, because Django forbids touching a connection where an event loop runs.
                await asyncio.to_thread(pool.close)
        self.pool = self.taps = self.health_pool = self.hub.pool = None
        if was_open:
            await asyncio.to_thread(leave_one_file)

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive a request's body, have Django answer it, then tell its news."""
        body = Body(stream.address_of(scope), most_bytes(scope["path"]), self.turns.shares)
        try:
            if refusal := await body.read(receive):
                return await answer(send, scope, refusal)
            if body.is_given_up:
                return None
            result = await self.answered(scope, body)
        finally:
            body.forget()
        if result.stream is not None:
            return await stream.serve(self.hub, scope, receive, send, result.stream)
        try:
            await answer(send, scope, result)
        finally:
            for tell in result.news:
                tell()

    async def answered(self, scope: Scope, body: Body) -> Answer:
        """Django's answer, when it is this request's turn."""
        if scope["path"] in HEALTH:
            return await self.health(scope)
        asked, lane = environ(scope, bytes(body.held)), self.lane(scope)
        asker = Asker(body.address, table_of(scope["path"]))
        try:
            async with self.turns.turn(lane, asker):
                if lane is self.turns.taps:
                    answer = await self.saved(asked, asker)
                else:
                    answer = await asyncio.get_running_loop().run_in_executor(self.pool, self.ask, asked)
                self.turns.shares.spend(asker.address, answer.seconds)
                return answer
        except Crowded:
            return TOO_OFTEN if self.turns.shares.wait(asker.address) else too_busy(asked)

    async def saved(self, asked: dict[str, Any], asker: Asker) -> Answer:
        """The answer to a tap; while the disk is slow, more taps may be in hand at once."""
        assert self.taps is not None, "nobody is answered before the server has started"
        answer = await asyncio.wrap_future(self.taps.submit(asked, asker))
        self.turns.taps.most = MOST if self.taps.is_slow else self.tap_threads
        return answer

    async def health(self, scope: Scope) -> Answer:
        """How the server is, within about a second: asked on a thread that waits for no other."""
        asked = asyncio.get_running_loop().run_in_executor(self.health_pool, self.ask, environ(scope, b""))
        try:
            return await asyncio.wait_for(asked, HEALTH_SECONDS)
        except TimeoutError:
            return TOO_LATE

    def lane(self, scope: Scope) -> Lane:
        """The lane of a request: for taps, for forms (which may take their time), or for pages to read."""
        if scope["method"] != "POST":
            return self.turns.reads
        return self.turns.taps if scope["path"].endswith(TAPS) else self.turns.forms

    def ask(self, request: dict[str, Any]) -> Answer:
        """Django's answer; runs in the pool."""
        began, started = time.thread_time(), list[Any]()

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            started[:] = [int(status[:3]), encoded]

        with collect_news() as news:
            chunks = self.django(request, start_response)
            try:
                body = b"".join(chunks)
            finally:
                chunks.close()
        status, headers = started
        token = dict(headers).get(STREAM_HEADER)
        stream_token = token.decode() if token else None
        return Answer(status, headers, body, news, stream_token, seconds=time.thread_time() - began)


def table_of(path: str) -> str:
    """The code of the table that an address is about, in whatever letters; "" for any other address."""
    table = TABLE.match(path)
    return table[1].upper() if table else ""


def refuse_unsafe_database() -> None:
    """Run the checks of the database, as Django does before a migration but not before it serves."""
    problems = checks.run_checks(tags=[checks.Tags.database], databases=list(connections))
    if serious := [problem for problem in problems if problem.is_serious()]:
        raise RuntimeError("\n".join(map(str, serious)))


def leave_one_file() -> None:
    """Write SQLite's log into the database file, so that a stopped server's file holds everything."""
    try:
        empty_log()
    except DatabaseError as problem:
        log.warning("the database's log was left beside it: %s", problem)
    finally:
        connections.close_all()


def open_files() -> int:
    """How many files this process may have open, after raising its limit as far as it may."""
    try:
        import resource
    except ImportError:  # Windows, where sockets are not counted among them
        return 1_000_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft if soft != resource.RLIM_INFINITY else 1_000_000


def spare_the_collector() -> None:
    """Keep what has been loaded so far out of every search for garbage.

    It stays for ever, and to search it stops all streams for a tenth of a second or more.
    """
    gc.collect()
    gc.freeze()


def end_streams_on_signal(hub: Hub) -> None:
    """Have the streams end when the server is told to stop: it would wait for them before telling anyone."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        earlier = signal.getsignal(number)

        def stop(received: int, frame: FrameType | None, earlier: Any = earlier) -> None:
            loop.call_soon_threadsafe(hub.close)
            if callable(earlier):
                earlier(received, frame)

        signal.signal(number, stop)


def environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """The request as Django's plain handler wants it (PEP 3333)."""
    host, port = scope.get("server") or ("localhost", 80)
    result: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        # From the raw path, so that bytes that are not UTF-8 arrive as they were sent.
        "PATH_INFO": unquote_to_bytes(scope.get("raw_path") or scope["path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("", 0))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        ASKED_AT: time.perf_counter(),
    }
    for name, value in _headers(scope):
        separator = "; " if name == "HTTP_COOKIE" else ", "
        result[name] = f"{result[name]}{separator}{value}" if name in result else value
    result["CONTENT_LENGTH"] = str(len(body))
    return result


def _headers(scope: Scope) -> Iterator[tuple[str, str]]:
    """The headers by the names that they have in an environment, such as HTTP_HOST."""
    for raw_name, raw_value in scope["headers"]:
        # An underscore would let `X_Forwarded_For` pass for the proxy's own header.
        if b"_" in raw_name or raw_name.lower() == b"content-length":
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        yield name if name == "CONTENT_TYPE" else f"HTTP_{name}", raw_value.decode("latin-1")
