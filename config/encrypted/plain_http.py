"""The plain door of an encrypted server: it explains the certificate, and leads everybody to the other door.

Phones find the plain address by scanning or typing; nothing but the explanation is ever answered there.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import uvicorn

from games.live.stream import PROTECTION, Receive, Scope, Send, header

PLAIN = ("/trust", "/static/", "/i18n/", "/welcome/", "/healthz")
"""What may be read without encryption: nothing of a table."""


class Door:
    """The ASGI application behind the plain door."""

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


class Beside(uvicorn.Server):
    """The server of the plain door: the other one hears the signals, and tells it to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


class WithDoor(uvicorn.Server):
    """A server with a plain door beside it."""

    def __init__(self, config: uvicorn.Config, door: uvicorn.Config, plain: socket.socket) -> None:
        super().__init__(config)
        self.door, self.plain = Beside(door), plain

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve at both doors until told to stop."""
        beside = asyncio.create_task(self.door.serve([self.plain]))
        try:
            await super().serve(sockets)
        finally:
            self.door.should_exit = True
            await beside
