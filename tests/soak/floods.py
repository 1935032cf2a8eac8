"""A hall plays while one address attacks the server: what its players wait for, before and meanwhile.

The hall's phones all come from one address (a club's line), the attacker from another one, each time a new
one, so that every attack begins with all that the limits allow. Quiet moments and attacks alternate, so that
the machine's own good and bad moments fall on both.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client

from games.live.hub import Audience, stream_token
from games.match import play, random_play, storage
from games.models import Match, Seat
from games.people import seats
from tests.holding import holding
from tests.serving import ROOT
from tests.soak.fork_server import Forked
from tests.soak.report import Report

HALL = "127.0.0.2"
ATTACKERS = (f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in count())
TABLES, STREAMS = 20, 5000
TAPS_A_SECOND = 10
TOKEN = "h" * 32


class Flood(NamedTuple):
    """An attack, how fast the hall taps meanwhile, and what the attacker is told."""

    attack: str
    pace: int = TAPS_A_SECOND
    told: tuple[str, ...] = ()


FLOODS = {
    "a file with 250,000 unknown keys": Flood("imports"),
    "own taps at 60 tables": Flood("taps", told=("seats",)),
    "log-ins": Flood("logins", told=("csrf",)),
    "opening tables": Flood("tables"),
    "opening tables, 40 taps a second": Flood("tables", 40),
    "long histories": Flood("pages", told=("histories",)),
    "pages": Flood("pages", told=("pages",)),
    "streams that never read": Flood("streams", told=("seats", "streams")),
    "connections": Flood("connections"),
}
SECONDS = 6.0
MOST = 1.3
"""How much longer half of the hall's taps may take during an attack."""


class Phone:
    """A phone of the hall, on a connection that it keeps; its stream is another one."""

    def __init__(self, seat: Seat, port: int) -> None:
        self.code, self.seat, self.port = seat.match.code, seat.key, port
        self.cookies = session_of(seat)
        audience = Audience((seat.key,), "en", "table")
        self.stream = f"/live/{stream_token(self.code, ((seat.key, seat.epoch),), audience)}"
        self.numbers = count()
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.line = asyncio.Lock()

    async def tap(self) -> tuple[int, float]:
        """Correct something as the page does; status and seconds."""
        number = next(self.numbers)
        change = f"army/{self.seat} hand-bonus:{self.seat}:{(-1) ** number}"
        form = {"change": change, "seat": self.seat, "key": f"{number}-{time.monotonic_ns()}"}
        body = urlencode(form).encode()
        head = [f"POST /t/{self.code}/adjust HTTP/1.1", "Host: localhost", f"Cookie: {self.cookies}"]
        head += [f"X-CSRFToken: {TOKEN}", "HX-Request: true", f"Content-Length: {len(body)}"]
        head += ["Content-Type: application/x-www-form-urlencoded"]
        began = time.perf_counter()
        async with self.line:
            # The server closes a connection that was idle for long, and a phone opens another one.
            if self.reader is None or self.reader.at_eof():
                self.reader, self.writer = await connected(self.port)
            assert self.writer
            self.writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
            answer = await self.reader.readuntil(b"\r\n\r\n")
            size = answer.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
            await self.reader.readexactly(int(size))
        return int(answer[9:12]), time.perf_counter() - began

    async def listen(self) -> None:
        """Hold the stream and read it."""
        reader, writer = await connected(self.port)
        writer.write(f"GET {self.stream}?changes=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while await reader.read(2**16):
            pass


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(HALL, 0), limit=2**22)


def session_of(seat: Seat) -> str:
    """The cookies of a phone that holds a seat."""
    Seat.objects.filter(pk=seat.pk).update(is_taken=True)
    session = Client().session
    session[seats.SESSION_SEATS] = holding(seat.match.code, seat.key)
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={TOKEN}"


class Hall:
    """Everybody who plays: what they waited for, and what they were refused."""

    def __init__(self, port: int) -> None:
        self.phones = [Phone(seat, port) for seat in opened(TABLES)]
        self.luck = random.Random(TABLES)
        self.statuses: Counter[int] = Counter()

    async def play(self, pace: int, seconds: float) -> list[float]:
        """Tap so often a second, whoever still waits; returns how many seconds each answer took."""
        waits, jobs, until = list[float](), [], time.monotonic() + seconds

        async def one() -> None:
            status, took = await self.luck.choice(self.phones).tap()
            self.statuses[status] += 1
            waits.append(took)

        while time.monotonic() < until:
            jobs.append(asyncio.create_task(one()))
            await asyncio.sleep(self.luck.uniform(0.5, 1.5) / pace)
        await asyncio.gather(*jobs)
        return waits


def opened(tables: int) -> list[Seat]:
    """The seats of new tables, whose armies are there."""
    found: list[Seat] = []
    for _table in range(tables):
        match = play.open_match("tmg", "a-game-of-thrones", {"red": "Anna", "blue": "Bo"})
        found += match.seats.select_related("match").order_by("key")
    return found


class Attacker:
    """The attacker's process."""

    def __init__(self, port: int, told: dict[str, Any]) -> None:
        self.port, self.told = port, told
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.attacks"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    async def attack(self, flood: Flood, seconds: float) -> Counter[str]:
        """Attack for a while; the answers by status."""
        told = {name: self.told[name] for name in flood.told}
        if "histories" in told:
            told["pages"] = told.pop("histories")
        if flood.attack == "streams":
            told["paths"] = self.told["paths"]
        told |= {"attack": flood.attack, "port": self.port, "address": next(ATTACKERS), "seconds": seconds}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        return Counter(json.loads(await asyncio.to_thread(self.process.stdout.readline)))

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()


class Found(NamedTuple):
    """What each tap took in each quiet moment and each attack, the attacker's answers, the memory."""

    before: list[list[float]]
    during: list[list[float]]
    answers: Counter[str]
    sizes: Counter[str]

    @property
    def ratio(self) -> float:
        """How much longer half of the taps took: the middle of all rounds."""
        pairs = zip(self.before, self.during, strict=True)
        return median(place(late, 0.5) / place(quiet, 0.5) for quiet, late in pairs)

    def __str__(self) -> str:
        before, during = list(chain(*self.before)), list(chain(*self.during))
        numbers = [place(before, 0.5), place(during, 0.5), place(before, 0.95), place(during, 0.95)]
        times = "".join(f"{number:8.1f}" for number in numbers)
        answers = ", ".join(f"{number} x {status}" for status, number in sorted(self.answers.items()))
        return f"{times}{self.ratio:8.2f}{self.sizes['megabytes']:8} MB   {answers}"


class Floods:
    """A server, a hall that plays there, and an attacker."""

    def __init__(self) -> None:
        self.server = Forked("hashing")
        self.server.start()
        self.hall = Hall(self.server.port)
        self.attacker = Attacker(self.server.port, told())

    def close(self) -> None:
        self.attacker.close()
        self.server.close()

    async def tried(self, names: Iterable[str], rounds: int, seconds: float) -> dict[str, Found]:
        """What each flood did, with so many rounds of so many seconds quiet and so many under attack.

        One above the bound has a second try: another program may have been what slowed the hall.
        """
        listening = [asyncio.create_task(phone.listen()) for phone in self.hall.phones]
        await self.hall.play(TAPS_A_SECOND, min(seconds, 2))
        found = {}
        for name in names:
            found[name] = await self.flooded(FLOODS[name], rounds, seconds)
            if found[name].ratio > MOST:
                found[name] = await self.flooded(FLOODS[name], rounds, seconds)
        for task in listening:
            task.cancel()
        return found

    async def flooded(self, flood: Flood, rounds: int, seconds: float) -> Found:
        found, memory = Found([], [], Counter(), Counter()), megabytes(self.server.pid)
        for _round in range(rounds):
            found.before.append(await self.hall.play(flood.pace, seconds))
            attack = asyncio.create_task(self.attacker.attack(flood, seconds + 0.5))
            await asyncio.sleep(0.2)
            found.during.append(await self.hall.play(flood.pace, seconds))
            found.answers.update(await attack)
            await asyncio.sleep(0.5)
        found.sizes["megabytes"] = megabytes(self.server.pid) - memory
        return found


def told() -> dict[str, Any]:
    """What attackers know: tokens of seats of their own, addresses of pages of long matches."""
    own = opened(60)
    long, luck = (
        play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""}, seed="long"),
        random.Random(1),
    )
    while (state := storage.load(Match.objects.get(pk=long.pk)).state).result is None:
        play.tap(
            long.code, *random_play.tap(state, luck), Match.objects.get(pk=long.pk).version, play.new_key()
        )
    version = Match.objects.get(pk=long.pk).version
    histories = ["history", "verify", "replay", *(f"replay/{version * n // 9}" for n in range(1, 9))]
    watched = Audience((), "en", "table")
    return {
        "csrf": settings.CSRF_COOKIE_NAME,
        "seats": [(one.match.code, one.key, seats.api_token(one)) for one in own],
        "streams": STREAMS,
        "paths": [f"/live/{stream_token(own[0].match.code, (), watched)}"],
        "histories": [f"/t/{long.code}/{page}" for page in histories] + [f"/api/matches/{long.code}/export"],
        "pages": ["/", f"/t/{own[0].match.code}/", "/offline", "/api/systems", f"/t/{long.code}/watch"],
    }


def megabytes(pid: int) -> int:
    """The most memory that a process ever held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


HEADING = f"{'milliseconds':36}{'p50':>8}{'attack':>8}{'p95':>8}{'attack':>8}{'p50 x':>8}{'more':>8}"


def place(waits: list[float], part: float) -> float:
    """The time within which this part of the taps was answered, in milliseconds."""
    return 1000 * sorted(waits)[min(len(waits) - 1, int(part * len(waits)))]


def run(rounds: int, names: tuple[str, ...] = (), seconds: float = SECONDS) -> Report:
    """Each attack so many times, between quiet moments of the same length."""
    report, floods = Report(), Floods()
    names = names or tuple(FLOODS)
    try:
        found = asyncio.run(floods.tried(names, rounds, seconds))
    finally:
        floods.close()
    report.lines.append(HEADING)
    for name, one in found.items():
        report.lines.append(f"{name:36}{one}")
        report.unless(one.ratio <= MOST, f"{name}: half of the taps took {one.ratio:.2f} times as long")
    statuses = floods.hall.statuses
    report.count("taps confirmed", statuses[200])
    report.count("attacks", len(found) * rounds)
    report.unless(set(statuses) == {200}, f"the hall was answered {dict(statuses)}")
    return report
