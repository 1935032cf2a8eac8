"""One phone's live stream: server-sent events over ASGI, without a thread, a session or the database.

`GET /live/<token>` answers with `board` events (a whole view each, its id the version) and `beat` events (the
stream is alive; the data is the version last sent). The phone states its version as `?seen=`, or a browser
that reconnects by itself as `Last-Event-ID`. A client that accepts gzip gets it, unless `?plain=1`. With
`?changes=1` a long view comes as a `change` event if the one before it was sent on the same stream:
`[[0,120],"new",[131,9000]]` says how to join it from stretches of that one's text. A page that names itself
(`?tab=`) and says that name with a tap is not sent the board that is the tap's answer.

403: ask for another address; 503: no room. A page's script cannot see either, so an `EventSource` (it accepts
`text/event-stream`) gets an event instead of the status: `over`, with the address if it is still good.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping
from types import coroutine
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from games.live.bus import Unsure
from games.live.frames import Plain, Sending, beginning, is_welcome, sending
from games.live.hub import Full, Hub, Listener, Ticket, read_stream_token
from games.monitoring import measures
from games.web import client_address

PREFIX = "/live/"
LONGEST_TAB = 32
LINE = "roundtable.line"
"""Among a request's extensions: {"transport": …} of the connection, if our own server holds it."""

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]

PROTECTION = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
OVER = b"This stream is over. Ask the table for another address."
UNSURE = b"The table cannot be looked up for the moment. Please try again."
FULL = b"Too many are listening. The page asks every few seconds instead."
EVENTS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    *PROTECTION,
    (b"vary", b"accept-encoding"),
    (b"x-accel-buffering", b"no"),  # Keeps a buffering proxy from holding events back.
]


async def serve(hub: Hub, scope: Scope, receive: Receive, send: Send, token: str | None = None) -> None:
    """Answer one request for a stream; `token` stands in for the one in the path."""
    if scope["method"] not in ("GET", "HEAD"):
        return await refuse(send, 405, b"A stream can only be read.")
    is_page = token is None and "text/event-stream" in header(scope, b"accept")
    ticket = read_stream_token(scope["path"].removeprefix(PREFIX) if token is None else token)
    if ticket is None or hub.is_refused(ticket):
        return await (tell(send, b"") if is_page else refuse(send, 403, OVER))
    if scope["method"] == "HEAD":
        await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
        return await send({"type": "http.response.body"})
    try:
        # The seat may be taken away while the rows are read.
        if hub.bus is not None and (await hub.bus.is_refused(ticket) or hub.is_refused(ticket)):
            return await (tell(send, b"") if is_page else refuse(send, 403, OVER))
        await listen(hub, ticket, scope, receive, send)
    except (Full, Unsure) as why:
        sentence = FULL if isinstance(why, Full) else UNSURE
        address = f"{scope['path']}?table={ticket.match}"
        await (tell(send, address.encode()) if is_page else refuse(send, 503, sentence))


def begin(hub: Hub, scope: Scope, send: Send) -> Writer | None:
    """A stream that can be granted without waiting for anything; None if `serve` must look, or refuse.

    It keeps no task, so thousands who come back together cost little more than their connections.
    """
    if scope["method"] != "GET" or has_body(scope):
        return None
    ticket = read_stream_token(scope["path"].removeprefix(PREFIX))
    if ticket is None or hub.is_refused(ticket) or (hub.bus is not None and ticket.epochs):
        return None
    try:
        return new_listener(hub, ticket, scope, send)
    except Full:
        return None


def new_listener(hub: Hub, ticket: Ticket, scope: Scope, send: Send) -> Writer:
    """A listener of the hub that has not begun to write. Raises `Full`."""
    is_packed = is_welcome(header(scope, b"accept-encoding")) and not wants(scope, b"plain")
    history = beginning(is_packed=is_packed, takes_changes=wants(scope, b"changes"))
    line = scope.get("extensions", {}).get(LINE, {}).get("transport")
    tab = query_value(scope, "tab")[:LONGEST_TAB]
    writer = Writer(ticket, seen_version(scope), address_of(scope), history, send, line, hub, tab)
    hub.join(writer)
    return writer


async def listen(hub: Hub, ticket: Ticket, scope: Scope, receive: Receive, send: Send) -> None:
    """Carry frames until the phone goes away or the hub ends the stream. Raises `Full` before it answers."""
    writer = new_listener(hub, ticket, scope, send)
    try:
        head = [*EVENTS, *writer.history.headers]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        task = asyncio.current_task()
        assert task is not None
        writer.start(task.cancel)
        while (await receive())["type"] != "http.disconnect":
            pass
    except asyncio.CancelledError:
        # Ended by the hub, or by a server that cannot wait any longer.
        if not writer.is_stuck:
            await send({"type": "http.response.body", "body": b""})
    finally:
        writer.leave()


def part(data: bytes) -> Message:
    """A part of a body, with more to follow."""
    return {"type": "http.response.body", "body": data, "more_body": True}


async def refuse(send: Send, status: int, sentence: bytes) -> None:
    """Answer a stream's request with one sentence."""
    measures.count_refusal(status)
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *PROTECTION]
    headers.append((b"content-length", str(len(sentence)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence})


async def tell(send: Send, address: bytes) -> None:
    """Answer a page with the one event that says that nothing follows, and where to ask again later."""
    measures.count_refusal(503 if address else 403)
    await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
    await send({"type": "http.response.body", "body": b"event: over\ndata: %b\n\n" % address})


def header(scope: Scope, wanted: bytes) -> str:
    """A header's value, its lines joined; "" if there is none."""
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)


def has_body(scope: Scope) -> bool:
    """Whether this request has a body."""
    return any(name in (b"content-length", b"transfer-encoding") for name, _value in scope["headers"])


def query_value(scope: Scope, name: str) -> str:
    """A value of the query; "" if there is none."""
    query = scope["query_string"].decode("latin-1")
    # Most queries lack it, and thousands of phones come back at once.
    return parse_qs(query).get(name, [""])[0] if name in query else ""


def wants(scope: Scope, name: bytes) -> bool:
    """Whether the query has `name=1`. No parsing: thousands of pages come back at once."""
    return b"&%b=1&" % name in b"&%b&" % scope["query_string"]


def seen_version(scope: Scope) -> int | None:
    """The version that the phone says it has; None if it says none or nonsense."""
    claim = header(scope, b"last-event-id") or query_value(scope, "seen")
    return int(claim) if claim.isascii() and claim.isdigit() and len(claim) < 16 else None


def address_of(scope: Scope) -> str:
    """The address of the asking phone, seen through our own proxies."""
    remote = (scope.get("client") or ("", 0))[0]
    return client_address(remote, header(scope, b"x-forwarded-for"), settings.TRUSTED_PROXY_HOPS)


class Writer(Listener):
    """Writes a listener's frames as they come, without waking a task for each.

    A connection of our own is written to directly. What it cannot take, or if there is none, goes to `send`,
    which almost always finishes at once too: its coroutine is run on the spot, and handed to a task only if
    it has to wait for the other side. A delivery touches as few objects as possible: in a big crowd none of
    them is in the processor's cache.
    """

    __slots__ = ("history", "hub", "is_ended", "line", "over", "send", "waiting")

    def __init__(
        self,
        ticket: Ticket,
        last_version: int | None,
        address: str,
        history: Plain,
        send: Send,
        line: asyncio.Transport | None = None,
        hub: Hub | None = None,
        tab: str = "",
    ) -> None:
        super().__init__(ticket.match, ticket.audience, last_version, ticket.epochs, address, tab)
        self.history = history
        self.send = send
        self.line = line
        self.hub = hub
        self.over: Callable[[], object] | None = None
        """Ends the stream; None before it has begun, and afterwards."""
        self.is_ended = False
        self.waiting: asyncio.Task[None] | None = None

    @property
    def is_stuck(self) -> bool:
        """Whether a frame waits for a phone that does not read."""
        return self.waiting is not None

    def start(self, over: Callable[[], object], head: bytes = b"") -> None:
        """Begin to write, after a `head` if that has not been sent; `over` is called to end the stream."""
        if self.is_ended:
            # Its head waited for a phone that did not read, and meanwhile the stream was ended.
            over()
            return
        self.over = over
        if self.line is not None:
            # A full socket shows at once, and later frames replace unsent ones.
            self.line.set_write_buffer_limits(high=0)
        # So that a restarted server does not get all its phones back in the same second.
        first = self.history.begin(b"retry: %d\n\n" % (500 + 2000 * random.random()))  # noqa: S311
        if frame := self.take():
            first += self._next(self.history.show(frame.forms)).data
        news = sending(first + self._next(self.history.beat(self.version)).data, self.history)
        self._write(news._replace(chunk=head + news.chunk))

    def leave(self) -> None:
        """Nobody listens any more; a frame that still waits is dropped."""
        if self.hub is not None:
            self.hub.leave(self)
        self.over = None
        if self.waiting is not None:
            self.waiting.cancel()

    def wake(self) -> None:
        """Send the unsent frame, or let it wait until an earlier one has gone."""
        if self.waiting is None and self.over is not None and (frame := self.take()):
            self._write(self._next(self.history.show(frame.forms)))

    def beat(self) -> None:
        """Show that the stream is alive, unless a frame still waits to be read."""
        if self.waiting is None and self.over is not None:
            self._write(self._next(self.history.beat(self.version)))

    def end(self) -> None:
        """End the stream, or keep it from beginning."""
        self.is_ended = True
        over, self.over = self.over, None
        if over is not None:
            over()

    def finish(self) -> bool:
        """Say that nothing follows; False if that would have to wait."""
        last = self.send({"type": "http.response.body", "body": b""})
        try:
            last.send(None)
        except StopIteration:
            return True
        last.close()
        return False

    def _next(self, news: Sending) -> Sending:
        self.history = news.then
        return news

    def _write(self, news: Sending) -> None:
        line = self.line
        if line is not None and not line.is_closing() and not line.get_write_buffer_size():
            line.write(news.chunk)
            return
        sending = self.send(part(news.data))
        try:
            pending = sending.send(None)
        except StopIteration:
            pass
        except OSError:
            self.end()
        else:
            self.stuck_since = time.monotonic()
            self.waiting = asyncio.get_running_loop().create_task(self._finish(sending, pending))

    async def _finish(self, sending: Coroutine[Any, Any, None], pending: Any) -> None:
        with contextlib.suppress(OSError):
            await rest(sending, pending)
        self.stuck_since = self.waiting = None
        self.history = self.history.forgotten()
        self.wake()


@coroutine
def rest(begun: Coroutine[Any, Any, None], pending: Any) -> Generator[Any, None, None]:
    """The rest of a coroutine that was begun by hand and has stopped at `pending`."""
    try:
        while True:
            try:
                yield pending
            except BaseException as problem:
                pending = begun.throw(problem)
            else:
                pending = begun.send(None)
    except StopIteration:
        return
