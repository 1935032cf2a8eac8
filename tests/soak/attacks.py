"""The attacker, in a process of its own: `python -m tests.soak.attacks`, told on its input what to do.

Each line of the input is JSON: the attack's name, the server's port, the address to come from, for how many
seconds, and what the attack needs (codes, tokens, sizes). It answers each line with one: how many answers of
each status there were. It asks as fast as it is answered, never waits when told to, and leaves the
processor to everybody else: on a machine of its own it would take none of the server's.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import urlencode

Told = dict[str, Any]
Attack = Callable[["Attacker"], Awaitable[object]]
TROUBLE = (OSError, EOFError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
UNKNOWN_KEYS = 250_000
CROWD = 8
"""Connections that ask at the same time."""


class Line:
    """A connection from the attacker's address, opened again whenever the server closes it."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.cookies = ""

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, bytes, bytes]:
        """Status, head and body of the answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**22
            )
        assert self.reader is not None
        given = {"Host": "localhost", "Cookie": self.cookies, "Content-Length": str(len(body)), **headers}
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value]
        try:
            self.writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body)
            await self.writer.drain()
            head = await self.reader.readuntil(b"\r\n\r\n")
            size = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
            content = await self.reader.readexactly(int(size or 0))
        except TROUBLE:
            self.close()
            raise
        if b"connection: close" in head.lower():
            self.close()
        return int(head[9:12]), head, content

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


class Attacker:
    """One attack for a while: what it was told, and the answers that it got."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.answers: Counter[str] = Counter()
        self.numbers = count()

    def line(self) -> Line:
        return Line(self.told["port"], self.told["address"])

    def each(self, names: str) -> Any:
        """The next of several things told, in turn."""
        return self.told[names][next(self.numbers) % len(self.told[names])]

    async def again_and_again(self, ask: Callable[[Line], Awaitable[int]], crowd: int = CROWD) -> None:
        """Ask over so many connections until time is up."""

        async def one() -> None:
            line = self.line()
            try:
                while True:
                    try:
                        self.answers[str(await ask(line))] += 1
                    except TROUBLE:
                        self.answers["closed"] += 1
                        await asyncio.sleep(0.01)
            finally:
                line.close()

        await asyncio.gather(*(one() for _one in range(crowd)))


async def imports(attacker: Attacker) -> None:
    """A file with very many members that no match has."""
    body = json.dumps({f"key {number}": 0 for number in range(UNKNOWN_KEYS)}).encode()

    async def ask(line: Line) -> int:
        return (await line.ask("POST", "/api/import", body, Content_Type="application/json"))[0]

    await attacker.again_and_again(ask, crowd=4)


async def taps(attacker: Attacker) -> None:
    """Right taps of the attacker's own seats at very many tables."""

    async def ask(line: Line) -> int:
        number = next(attacker.numbers)
        code, seat, token = attacker.told["seats"][number % len(attacker.told["seats"])]
        turn = number // len(attacker.told["seats"]) % 2
        action = f"hand-bonus:{seat}:{-1 if turn else 1}"
        body = json.dumps({"path": f"army/{seat}", "action": action, "key": f"flood-{os.getpid()}-{number}"})
        headers = {"Content_Type": "application/json", "Authorization": f"Bearer {token}"}
        return (await line.ask("POST", f"/api/matches/{code}/adjust", body.encode(), **headers))[0]

    await attacker.again_and_again(ask, crowd=60)


async def logins(attacker: Attacker) -> None:
    """Wrong passwords."""
    token = "f" * 32
    form = {"username": "organiser", "password": "guessed", "csrfmiddlewaretoken": token, "next": "/admin/"}
    body = urlencode(form).encode()

    async def ask(line: Line) -> int:
        line.cookies = f"{attacker.told['csrf']}={token}"
        kind = "application/x-www-form-urlencoded"
        return (await line.ask("POST", "/admin/login/", body, Content_Type=kind))[0]

    await attacker.again_and_again(ask)


async def tables(attacker: Attacker) -> None:
    """New tables."""
    wanted = {"system": "tmg", "mode": "a-game-of-thrones", "seats": [{"name": "A"}, {"name": "B"}]}
    body = json.dumps(wanted).encode()

    async def ask(line: Line) -> int:
        return (await line.ask("POST", "/api/matches", body, Content_Type="application/json"))[0]

    await attacker.again_and_again(ask, crowd=16)


async def pages(attacker: Attacker) -> None:
    """Pages that anybody may read."""

    async def ask(line: Line) -> int:
        return (await line.ask("GET", attacker.each("pages"), Accept="text/html"))[0]

    await attacker.again_and_again(ask)


async def streams(attacker: Attacker) -> None:
    """Streams of a table that is played at, none of which is ever read."""
    opened: list[asyncio.StreamWriter] = []

    async def listen(path: str) -> None:
        with suppress(OSError):
            _reader, writer = await asyncio.open_connection(
                "127.0.0.1", attacker.told["port"], local_addr=(attacker.told["address"], 0), limit=1024
            )
            writer.transport.pause_reading()
            opened.append(writer)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    async def ask(line: Line) -> int:
        if len(opened) < attacker.told["streams"]:
            await asyncio.gather(*(listen(attacker.each("paths")) for _one in range(20)))
        return await tap(line)

    async def tap(line: Line) -> int:
        await asyncio.sleep(0.02)
        code, seat, token = attacker.told["seats"][0]
        number = next(attacker.numbers)
        body = {"path": f"army/{seat}", "action": f"hand-bonus:{seat}:{(-1) ** number}"}
        body["key"] = f"flood-{os.getpid()}-{number}"
        headers = {"Content_Type": "application/json", "Authorization": f"Bearer {token}"}
        return (await line.ask("POST", f"/api/matches/{code}/adjust", json.dumps(body).encode(), **headers))[
            0
        ]

    try:
        await attacker.again_and_again(ask, crowd=1)
    finally:
        attacker.answers["streams"] = len(opened)
        for writer in opened:
            writer.transport.abort()


async def connections(attacker: Attacker) -> None:
    """Connections that say half a word and are gone."""

    async def ask(line: Line) -> int:
        _reader, writer = await asyncio.open_connection("127.0.0.1", line.port, local_addr=(line.address, 0))
        writer.write(b"GET / HT")
        writer.transport.abort()
        return 0

    await attacker.again_and_again(ask)


ATTACKS: dict[str, Attack] = {
    one.__name__: one for one in (imports, taps, logins, tables, pages, streams, connections)
}


async def lines() -> AsyncIterator[Told]:
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield json.loads(line)


async def main() -> None:
    async for told in lines():
        attacker = Attacker(told)
        with suppress(TimeoutError):
            async with asyncio.timeout(told["seconds"]):
                await ATTACKS[told["attack"]](attacker)
        print(json.dumps(attacker.answers), flush=True)


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(main())
