"""The two doors of an encrypted server.

The plain http port, where phones get by the scanned or typed address, explains the certificate and redirects
all else to https. At the https port each connection is counted from the first moment: asyncio tells of it
only when the phone has greeted it properly, and one that says nothing would stay uncounted for a minute.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import uvicorn

from config.server import connections
from config.server.connections import crowd, peer_of
from games.live.stream import PROTECTION, Receive, Scope, Send, header

PLAIN = ("/trust", "/static/", "/i18n/", "/welcome/", "/healthz")
"""How the paths begin that are answered without encryption; none of them is about a table."""


class PlainApplication:
    """The ASGI application at the plain port; `port` is the https port.

    With `explains` the home page leads to the explanation; without it (a real certificate), to https.
    """

    def __init__(self, application: Callable[..., Any], port: int, *, explains: bool) -> None:
        self.application, self.port, self.explains = application, port, explains

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(PLAIN):
            await self.application(scope, receive, send)
            return
        host = header(scope, b"host").rpartition(":")[0] or header(scope, b"host")
        path = quote(scope["path"]) if scope["method"] in ("GET", "HEAD") else "/"
        target = "/trust" if self.explains and path == "/" else f"https://{host}:{self.port}{path}"
        headers = [(b"location", target.encode("ascii", "ignore")), (b"content-length", b"0"), *PROTECTION]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body"})


class PlainServer(uvicorn.Server):
    """The server of the plain port: the encrypted one handles signals, and tells it to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the encrypted server."""
        yield


class EncryptedServer(uvicorn.Server):
    """The server of the https port, which also runs the plain port's server (`plain`, on `listening`)."""

    def __init__(self, config: uvicorn.Config, plain: uvicorn.Config, listening: socket.socket) -> None:
        super().__init__(config)
        self.plain, self.listening = PlainServer(plain), listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Let people in through our own door: uvicorn's does not count whom it is still greeting."""
        from config.https.doors import Door

        await super().startup([])
        context, config = self.config.ssl, self.config
        assert context is not None
        speaks: Any = config.http_protocol_class
        make = partial(speaks, config=config, server_state=self.server_state, app_state=self.lifespan.state)
        self.servers += [Door(listening, context, make) for listening in sockets or ()]  # type: ignore[misc]

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve at both ports until told to stop."""
        beside = asyncio.create_task(self.plain.serve([self.listening]))
        try:
            await super().serve(sockets)
        finally:
            self.plain.should_exit = True
            await beside


PAUSE_SECONDS = 0.5
"""How long nobody is let in after the system could not open another file."""


class Door:
    """Lets in who connects to the encrypted port; `make()` speaks to whoever has greeted it."""

    def __init__(
        self, listening: socket.socket, context: ssl.SSLContext, make: Callable[[], asyncio.Protocol]
    ) -> None:
        self.listening, self.context, self.make = listening, context, make
        self.greeting: set[Handshake] = set()
        listening.setblocking(False)
        self.task = asyncio.get_running_loop().create_task(self._let_in())

    async def _let_in(self) -> None:
        while True:
            try:
                connection, address = await asyncio.get_running_loop().sock_accept(self.listening)
            except OSError:
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                Handshake(self, connection, address)

    def close(self) -> None:
        """Let nobody in any more, and wait for nobody's greeting."""
        self.task.cancel()
        for handshake in list(self.greeting):
            handshake.abandon()

    async def wait_closed(self) -> None:
        """Until nobody stands in the door."""
        await asyncio.wait([self.task, *(handshake.task for handshake in self.greeting)])


class Handshake:
    """A new connection until it is encrypted."""

    cycle = None
    """What it has asked for: nothing yet, so the crowd closes it first."""

    def __init__(self, door: Door, line: socket.socket, address: tuple[Any, ...]) -> None:
        self.door, self.line, self.peer = door, line, peer_of(address)
        self.has_begun = False
        """Whether the loop has taken the line, which it closes then."""
        self.is_counted = crowd.admit(self)
        if not self.is_counted:
            line.close()
            return
        door.greeting.add(self)
        self.task = asyncio.get_running_loop().create_task(self._encrypt())

    def abandon(self) -> None:
        """Make room at once."""
        self._leave()
        with contextlib.suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.task.cancel()
        if not self.has_begun:
            self.line.close()

    def _leave(self) -> None:
        if self.is_counted:
            self.is_counted = False
            self.door.greeting.discard(self)
            crowd.leave(self)

    async def _encrypt(self) -> None:
        self.has_begun = True
        # What is not encryption, too late, or gone has no answer.
        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().connect_accepted_socket(
                self._speaks,
                self.line,
                ssl=self.door.context,
                ssl_handshake_timeout=connections.HEAD_SECONDS,
            )
        self._leave()

    def _speaks(self) -> asyncio.Protocol:
        speaks = self.door.make()
        begin = speaks.connection_made

        def connection_made(transport: asyncio.BaseTransport) -> None:
            # From now on it is counted as what it has become.
            self._leave()
            begin(transport)

        speaks.connection_made = connection_made  # type: ignore[method-assign]
        return speaks
