"""Many phones in one process: streams over real sockets, and the moment at which each frame has come."""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from typing import Any

VERSION = re.compile(rb"id: (\d+)\n")
END = b"\n\n\r\n"


class Phone(asyncio.Protocol):
    """One stream, read no further than is needed to see where a frame ends."""

    def __init__(self, path: str, arrivals: dict[int, list[float]]) -> None:
        self.path = path
        self.arrivals = arrivals
        self.parts: list[bytes] = []

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self.parts.append(data)
        if not data.endswith(END):
            return
        if found := VERSION.search(b"".join(self.parts)):
            self.arrivals[int(found[1])].append(time.monotonic())
        self.parts.clear()


class Phones:
    """Streams of one server; `arrivals` holds the moments at which each version came, one a phone."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.arrivals: dict[int, list[float]] = defaultdict(list)
        self.open: list[Phone] = []

    async def join(self, count: int, path: str) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(count):
            _, phone = await loop.create_connection(
                lambda: Phone(path, self.arrivals), "127.0.0.1", self.port
            )
            self.open.append(phone)

    async def have(self, version: int, count: int, seconds: float = 10) -> list[float]:
        """The moments at which a version reached so many phones."""
        deadline = time.monotonic() + seconds
        while len(self.arrivals[version]) < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"version {version} reached {len(self.arrivals[version])} of {count}")
            await asyncio.sleep(0.002)
        return self.arrivals[version]

    def close(self) -> None:
        for phone in self.open:
            phone.transport.close()
