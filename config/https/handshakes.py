"""Connections that are being encrypted: counted from the first moment, and ended like any that says nothing.

asyncio tells a server of an encrypted connection only when the phone has greeted it properly. Until then
nobody counts it, and one that says nothing stays for a minute. Here each is one of the crowd from the start,
which closes it in favour of others, or when its time is over.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from typing import Any

from config.server import connections
from config.server.connections import crowd, peer_of

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
                one, address = await asyncio.get_running_loop().sock_accept(self.listening)
            except OSError:
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                Handshake(self, one, address)

    def close(self) -> None:
        """Let nobody in any more, and wait for nobody's greeting."""
        self.task.cancel()
        for one in list(self.greeting):
            one.abandon()

    async def wait_closed(self) -> None:
        """Until nobody stands in the door."""
        await asyncio.wait([self.task, *(one.task for one in self.greeting)])


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
