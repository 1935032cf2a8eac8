"""A whole event on the embedded database: 200 players, 100 tables, every phone live.

`bench_hall.py [PLAYERS] [--seconds N] [--disk N]`: the round is opened, all phones go to their tables at
once, then each table taps as people do (every four to eight seconds), then all of them in the same instant.
It measures what a player waits for: the page, the answer to a tap, the rival's board; and an empty answer to
compare with. `--disk` makes the server's disk take that many milliseconds to save, as a cheap card does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
DATA = tempfile.mkdtemp(prefix="roundtable-bench-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.update(ROUNDTABLE_TEST="1", ROUNDTABLE_DATA=DATA, DATABASE_URL=f"sqlite:///{DATA}/bench.sqlite3")

import django  # noqa: E402 - the settings come first

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from games.hall import commands  # noqa: E402
from games.hall import event_actions as event_storage  # noqa: E402
from games.hall import event_actions as play  # noqa: E402
from games.hall.event_actions import Actor  # noqa: E402
from games.hall.models import Event  # noqa: E402
from games.live.hub import Audience, stream_token  # noqa: E402
from games.match import random_play, storage  # noqa: E402
from games.match.play import new_key  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.people import seats  # noqa: E402
from tests.bench import printer  # noqa: E402
from tests.bench.processes import CROWD_CORE, Server  # noqa: E402
from tests.holding import holding  # noqa: E402
from tests.serving import free_port  # noqa: E402

ORGANISER = Actor("", "Organiser", "organiser")
TOKEN = "b" * 32
SHOWN = re.compile(rb'data-version="(\d+)"')
LEAST, MOST = 4.0, 8.0
"""Seconds between two taps at a table."""
PATIENCE = 30.0


@dataclass
class Phone:
    """One player's phone: its session, and the versions that its stream has brought, with their times."""

    code: str
    seat: str
    cookies: str
    seen: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, port: int, path: str, form: dict[str, object] | None = None) -> float:
        """One request on its own connection; returns how many milliseconds its whole answer took."""
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        body = urlencode(form).encode() if form else b""
        head = [f"{'POST' if form else 'GET'} {path} HTTP/1.1", "Host: localhost", f"Cookie: {self.cookies}"]
        head += [f"X-CSRFToken: {TOKEN}", "HX-Request: true", "Connection: close"]
        head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 200"), answer[:300]
        return (time.monotonic() - began) * 1000

    async def listen(self, port: int) -> None:
        """Hold the stream, and note when each version arrived."""
        audience = Audience((self.seat,), "en", "table")
        path = f"/live/{stream_token(self.code, ((self.seat, 1),), audience)}?plain=1"
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while line := await reader.readline():
            if found := SHOWN.search(line):
                self.seen.setdefault(int(found[1]), time.monotonic())
                self.news.set()

    async def has(self, version: int) -> float:
        """Wait for this version; returns when it arrived."""
        while not any(shown >= version for shown in self.seen):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)
        return min(moment for shown, moment in self.seen.items() if shown >= version)


class Table:
    """Two phones at a table, and what may be tapped there."""

    def __init__(self, code: str, number: int) -> None:
        self.code, self.luck = code, random.Random(number)
        self.version = Match.objects.get(code=code).version
        self.phones = {seat.key: phone_of(seat) for seat in Seat.objects.filter(match__code=code)}

    def next(self) -> tuple[str, dict[str, object]]:
        """The seat that taps next, and its form."""
        match = Match.objects.get(code=self.code)
        self.version = match.version
        seat, action = random_play.tap(storage.load(match).state, self.luck)
        form = {"action": action, "seat": seat, "seen": match.version, "key": new_key()}
        return seat, form

    async def tap(self, port: int, answers: list[float], rivals: list[float]) -> None:
        """Choose something to tap, and tap it."""
        await self.send(port, await asyncio.to_thread(self.next), answers, rivals)

    async def send(
        self, port: int, tap: tuple[str, dict[str, object]], answers: list[float], rivals: list[float]
    ) -> None:
        """Tap, and wait until the other phone shows it."""
        seat, form = tap
        began = time.monotonic()
        answers.append(await self.phones[seat].ask(port, f"/t/{self.code}/act", form))
        other = next(phone for key, phone in self.phones.items() if key != seat)
        rivals.append((await other.has(self.version + 1) - began) * 1000)


def phone_of(seat: Seat) -> Phone:
    """A phone that holds a seat."""
    Seat.objects.filter(pk=seat.pk).update(is_taken=True)
    session = Client().session
    session[seats.SESSION_SEATS] = holding(seat.match.code, seat.key)
    session.save()
    cookies = {settings.SESSION_COOKIE_NAME: session.session_key, settings.CSRF_COOKIE_NAME: TOKEN}
    return Phone(seat.match.code, seat.key, "; ".join(f"{name}={value}" for name, value in cookies.items()))


def opened(players: int) -> tuple[list[Table], float, float]:
    """The tables of an event's first round, and the seconds that it took to draw it up and to open it."""
    event = play.open_event({"system": "tmg", "name": "Hall", "mode": "a-game-of-thrones"}, ORGANISER)
    names = "\n".join(f"Player {number},Club {number % 9}" for number in range(1, players + 1))
    commands.import_table(event.code, ORGANISER, names)
    commands.check_in_all(event.code, ORGANISER)
    began = time.monotonic()
    commands.pair(event.code, ORGANISER)
    drawn = time.monotonic()
    commands.open_round(event.code, ORGANISER)
    over = time.monotonic()
    pairings = event_storage.load(Event.objects.get(code=event.code)).state.pairings.values()
    codes = [pairing.match for pairing in pairings if pairing.match]
    return [Table(code, number) for number, code in enumerate(codes)], drawn - began, over - drawn


async def evening(port: int, tables: list[Table], seconds: float) -> None:
    """Everybody comes to their table; they play; then all tap at once."""
    phones = [phone for table in tables for phone in table.phones.values()]
    printer.title(f"{len(phones)} players on the embedded database, milliseconds")
    empty = [await phones[0].ask(port, "/offline") for _time in range(20)]
    printer.line("an answer without a database", empty)
    coming = await all_at_once(phone.ask(port, f"/t/{phone.code}/") for phone in phones)
    printer.line("all come to their tables at once", coming, empty)
    listening = [asyncio.create_task(phone.listen(port)) for phone in phones]
    await all_at_once(phone.has(1) for phone in phones)
    answers: list[float] = []
    rivals: list[float] = []
    until = time.monotonic() + seconds

    async def at(table: Table) -> None:
        while time.monotonic() < until:
            await asyncio.sleep(table.luck.uniform(LEAST, MOST))
            await table.tap(port, answers, rivals)

    await all_at_once(at(table) for table in tables)
    printer.line(f"a tap is answered ({len(answers) / seconds:.0f} a second)", answers, empty)
    printer.line("a tap is on the rival's phone", rivals, empty)
    answers, rivals = [], []
    taps = await asyncio.to_thread(lambda: [table.next() for table in tables])
    began = time.monotonic()
    await all_at_once(table.send(port, tap, answers, rivals) for table, tap in zip(tables, taps, strict=True))
    printer.line("all tables tap at once: answered", answers, empty)
    printer.line("all tables tap at once: seen", rivals, empty)
    printer.figure("taps a second in that instant", len(tables) / (time.monotonic() - began), "")
    for task in listening:
        task.cancel()


async def all_at_once(waited: Iterable[object]) -> list[float]:
    return list(await asyncio.gather(*waited))  # type: ignore[call-overload]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("players", type=int, nargs="?", default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--disk", type=float, default=0, metavar="MILLISECONDS")
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    tables, drawing, opening = opened(asked.players)
    print(
        f"\nA round of {asked.players} players: drawn in {drawing:.2f} s, its tables open in {opening:.2f} s"
    )
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {CROWD_CORE})
    if asked.disk:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="tests.bench.slow_disk", ROUNDTABLE_BENCH_SYNC=str(asked.disk)
        )
    with Server(free_port()) as server:
        server.wait()
        worked, began = server.worked(), time.monotonic()
        asyncio.run(evening(server.port, tables, asked.seconds))
        share = (server.worked() - worked) / (time.monotonic() - began)
        printer.figure("of a core, the server's", 100 * share, "%")


if __name__ == "__main__":
    main()
