"""The plain http port of an encrypted server: it explains the certificate and redirects all else to https.

Phones get there by the scanned or typed address. It never serves a page of a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import uvicorn

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
        from config.https.handshakes import Door

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
