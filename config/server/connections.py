"""A phone's connection: how much it may leave unfinished and for how long, and when it makes room.

uvicorn's own protocol reads an endless head and waits for ever for the rest, and the system accepts
connections until the process may open no more files; then nobody's tap gets in. Nothing here looks at who
asks for what: behind our own proxy all connections are the proxy's, and only the overall limits hold.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from collections import Counter
from functools import lru_cache
from typing import Any, Protocol

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from games.live.stream import EVENTS, LINE, Writer
from games.web import household

ADDRESS_LIMIT, HEADERS_LIMIT = 4 * 1024, 32 * 1024
"""Bytes of an address, and of all headers together."""
HEAD_LIMIT = ADDRESS_LIMIT + HEADERS_LIMIT + 4 * 1024
"""Bytes kept of a head that has not ended, including what separates its lines."""
HEAD_SECONDS = 15.0
"""How long a head may take, including the wait for a new connection's first byte."""
MOST_CONNECTIONS = 20_000
NO_LINGER = struct.pack("ii", 1, 0)
PIPELINE_LIMIT = 8
"""Requests sent ahead on one connection; browsers send none."""

SENTENCES = {
    408: b"This request did not arrive in time.",
    414: b"This address is too long.",
    415: b"Please send text in UTF-8.",
    431: b"The headers of this request are too long.",
    503: b"Too much is being sent at once. Nothing was changed; please try again.",
}

_OTHER_ENCODING = re.compile(rb"\*|charset(?!\s*=\s*\"?utf-?8\"?\s*(?:[;,]|$))", re.IGNORECASE)
"""A charset that is not UTF-8, or a parameter that names an encoding of its own (RFC 2231)."""


def is_utf8(content_type: bytes) -> bool:
    """Whether a Content-Type names no other encoding: Django would decode with any codec Python has."""
    return _OTHER_ENCODING.search(content_type) is None


class Budget:
    """Bytes that may be held at one time: `each` per key (no limit for the empty one), `whole` in all."""

    def __init__(self, each: int, whole: int) -> None:
        self.each, self.whole = each, whole
        self.held: Counter[str] = Counter()
        self.total = 0

    def take(self, key: str, size: int) -> bool:
        """Hold `size` bytes more; False where there is no room for them."""
        if self.total + size > self.whole or (key and self.held[key] + size > self.each):
            return False
        if size:
            self.held[key] += size
            self.total += size
        return True

    def give(self, key: str, size: int) -> None:
        """Hold `size` bytes fewer."""
        self.total -= size
        self.held[key] -= size
        if not self.held[key]:
            del self.held[key]


UNANSWERED = Budget(8 * 1024 * 1024, 32 * 1024 * 1024)
"""What has been received, heads and bodies, of requests that are not answered yet."""


def peer_of(client: tuple[Any, ...] | None) -> str:
    """Whose connection this is; "" for all of them if they are our own proxy's."""
    return household(client[0]) if client and not settings.TRUSTED_PROXY_HOPS else ""


class Guest(Protocol):
    """A connection as the crowd sees it."""

    peer: str
    cycle: Any
    """The newest request on it; None before the first."""

    def abandon(self) -> None:
        """Make room at once."""


class Crowd:
    """Every open connection of the process, and which of them could be closed without harm."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.open: Counter[str] = Counter()
        self.size = 0
        self.idle: dict[str, dict[Guest, None]] = {}
        """Connections that wait for the phone rather than for us, by address, the longest idle first."""

    def admit(self, guest: Guest) -> bool:
        """Let a connection in, if need be in place of an idle one; False where all are at work.

        One address has at most three quarters of all places. When all are taken, the address with the most
        connections gives up an idle one.
        """
        if guest.peer and self.open[guest.peer] >= self.limit * 3 // 4:
            has_room = self._close_idle(guest.peer)
        elif self.size >= self.limit:
            has_room = self._close_idle(max(self.idle, key=self.open.__getitem__, default=""))
        else:
            has_room = True
        if has_room:
            self.open[guest.peer] += 1
            self.size += 1
            self.rest(guest)
        return has_room

    def _close_idle(self, peer: str) -> bool:
        idle = self.idle.get(peer)
        if not idle:
            return False
        # A connection that has never asked for anything is nobody's yet, so it goes first.
        next((guest for guest in idle if guest.cycle is None), next(iter(idle))).abandon()
        return True

    def rest(self, guest: Guest) -> None:
        """Count a connection as idle: it waits for the phone again."""
        self.work(guest)
        self.idle.setdefault(guest.peer, {})[guest] = None

    def work(self, guest: Guest) -> None:
        """Count a connection as busy: it has a whole request to be answered."""
        idle = self.idle.get(guest.peer, {})
        idle.pop(guest, None)
        if not idle:
            self.idle.pop(guest.peer, None)

    def leave(self, guest: Guest) -> None:
        """Forget a connection that is closed."""
        self.work(guest)
        self.open[guest.peer] -= 1
        self.size -= 1
        if not self.open[guest.peer]:
            del self.open[guest.peer]


crowd = Crowd(MOST_CONNECTIONS)


@lru_cache(8)
def head_of(headers: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """The head of an answer that comes in chunks."""
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    return STATUS_LINE[200] + lines + b"transfer-encoding: chunked\r\n\r\n"


def _nothing() -> None:
    pass


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with limits to its patience: `--http config.asgi:Connection`.

    uvicorn documents that a protocol can be given, and none to begin with: settings limit neither heads nor
    what is sent ahead, and start a task for each request. So this relies on how its own protocol works.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.url = b""
        self.peer = ""
        self.is_admitted = False
        self.patience: asyncio.TimerHandle | None = None
        self.carried: tuple[Writer, RequestResponseCycle] | None = None
        """The stream that runs over this connection without a task, and the request for it."""
        self.answered: RequestResponseCycle | None = None
        """The request being answered, or the last one answered; uvicorn’s `cycle` is the newest received."""
        self.unread = self.held = 0
        """Bytes not yet understood by the parser, and how many of them are counted in the budget."""
        self.is_in_head = False
        self.ahead = 0
        """Bytes counted in the budget of requests that wait behind the one being answered."""

    # --- what uvicorn's server and its transport call ---------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.peer = peer_of(self.client)
        self.is_admitted = crowd.admit(self)
        if self.is_admitted:
            self._be_patient()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._put_down()
        self._hang_up()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unread += len(data)
        super().data_received(data)
        if self.is_in_head and not self.unread:
            # This head has begun behind a request that was understood.
            self.unread = len(data)
        if self.pipeline and not self._count_ahead(len(data)):
            self._refuse(503)
        if self.transport.is_closing():
            return
        if self.unread or (self.cycle and self.cycle.response_complete and self.cycle.more_body):
            self._unfinished()

    def eof_received(self) -> bool:  # type: ignore[override]
        """The phone says no more; True if it waits for an answer, which then closes the connection.

        Encryption has no half of a line, and a stream ends with whoever listens.
        """
        cycle = self.answered
        is_awaited = cycle is not None and not cycle.response_started and not self.cycle.more_body
        if is_awaited and self.scheme == "http":
            self.cycle.keep_alive = False
            return True
        return False

    def timeout_keep_alive_handler(self) -> None:
        self._end()

    def send_400_response(self, msg: str) -> None:
        if self._is_silent():
            super().send_400_response(msg)
        self.transport.close()
        self._hang_up()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.answered = cycle
        begin = getattr(app, "begin", None)
        if begin and self._is_free(cycle) and (stream := begin(cycle.scope, cycle.send)):
            self._carry(stream, cycle)
        else:
            super()._start_asgi_task(cycle, app)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: a client may ask for another protocol, and is answered in this one."""

    # --- what the parser calls --------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self.is_in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        # Trailers are no headers: neither a proxy of ours nor `unacceptable` has looked at them.
        if self.cycle is None or self.cycle.scope is not self.scope:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.is_in_head = False
        self._understood()
        if len(self.pipeline) >= PIPELINE_LIMIT:
            raise ValueError("too many requests are sent ahead")
        self.scope.setdefault("extensions", {})[LINE] = {"transport": self.transport}
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._understood()

    def on_body(self, body: bytes) -> None:
        self._understood()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._understood()
        super().on_message_complete()
        if not self.cycle.response_complete:
            crowd.work(self)
        else:
            self.cycle.more_body = False

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.pipeline:
            self._forget_ahead()
        # A request that was sent ahead may still be waiting for its answer.
        if self.is_admitted and self.cycle.response_complete:
            crowd.rest(self)

    # --- our own part -----------------------------------------------------------------------------

    def abandon(self) -> None:
        """Make room at once, whatever was being sent."""
        self._leave()
        self.transport.abort()

    def _is_free(self, cycle: RequestResponseCycle) -> bool:
        """Whether an endless answer can begin here and now."""
        is_plain = cycle.keep_alive and not cycle.waiting_for_100_continue
        return is_plain and not self.transport.get_write_buffer_size()

    def _carry(self, stream: Writer, cycle: RequestResponseCycle) -> None:
        """Answer with a stream: its head and its first board in one write."""
        self.carried = stream, cycle
        # The state in which the cycle would be, had it written the head itself.
        cycle.response_started, cycle.chunked_encoding = True, True
        stream.start(self._end_stream, head_of((*cycle.default_headers, *EVENTS, *stream.history.headers)))

    def _end_stream(self) -> None:
        """End the stream: say that it is over, or give up what the phone has not read."""
        if self.carried is None:
            return
        # Before anything else: a request sent ahead on this connection may begin another stream.
        (stream, cycle), self.carried = self.carried, None
        is_read = not stream.is_stuck
        stream.leave()
        if not (is_read and stream.finish()):
            self._cut_off()
        # Otherwise it and this connection would keep each other alive until the next garbage collection.
        cycle.on_response = _nothing

    def _put_down(self) -> None:
        """Drop the stream without a word: nobody is left to hear that it is over."""
        if self.carried is not None:
            (stream, cycle), self.carried = self.carried, None
            stream.leave()
            cycle.on_response = _nothing

    def _understood(self) -> None:
        if self.patience is not None:
            self.patience.cancel()
            self.patience = None
        if self.held:
            UNANSWERED.give(self.peer, self.held)
        self.unread = self.held = 0

    def _count_ahead(self, size: int) -> bool:
        """Count what waits behind a request; False where there is no room for it. A stream has no end."""
        has_room = UNANSWERED.take(self.peer, size)
        self.ahead += size if has_room else 0
        return has_room

    def _forget_ahead(self) -> None:
        if self.ahead:
            UNANSWERED.give(self.peer, self.ahead)
            self.ahead = 0

    def _unfinished(self) -> None:
        """Limit how much an unfinished request may send, and how long it may take."""
        if len(self.url) > ADDRESS_LIMIT:
            self._refuse(414)
        elif self.unread > HEAD_LIMIT:
            self._refuse(431)
        elif not UNANSWERED.take(self.peer, self.unread - self.held):
            self._refuse(503)
        else:
            self.held = self.unread
            if self.patience is None:
                self._be_patient()

    def _be_patient(self) -> None:
        self.patience = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _too_slow(self) -> None:
        if self.unread:
            self._refuse(408)
        else:
            self._end()

    def _refuse(self, status: int) -> None:
        """Say why, unless an answer is under way, and close."""
        if self._is_silent():
            sentence = SENTENCES[status]
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d"
            self.transport.write(STATUS_LINE[status] + head % len(sentence) + b"\r\n\r\n" + sentence)
        self.transport.close()
        self._hang_up()

    def _is_silent(self) -> bool:
        """Whether a refusal would land in no answer, and pass for none: all earlier ones are complete."""
        cycle = self.answered
        return cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started)

    def _hang_up(self) -> None:
        """End the answer under way, which nobody hears any more; begin none to what was sent ahead."""
        self.pipeline.clear()
        if self.answered is not None and not self.answered.response_complete:
            self.answered.disconnected = True
            self.answered.message_event.set()

    def _end(self) -> None:
        """Close, giving up what the phone has not read for so long."""
        if self.transport.get_write_buffer_size():
            self._cut_off()
        else:
            self.transport.close()

    def _cut_off(self) -> None:
        """Close and drop what was not read: the system would keep megabytes and send for minutes."""
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.transport.abort()

    def _leave(self) -> None:
        self._understood()
        self._forget_ahead()
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = None
        if self.is_admitted:
            self.is_admitted = False
            crowd.leave(self)
