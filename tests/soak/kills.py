"""A server is killed again and again while everybody taps: what was confirmed is kept, and counted once."""

from __future__ import annotations

import http.client
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from django.db import connection

from games.match import play, storage
from games.models import Entry, Match
from games.people import seats
from games.web import limits
from tests.serving import Served
from tests.soak.fork_server import Forked
from tests.soak.report import Report, faults

TABLES = 3
CONFIRMED_A_KILL = 20
"""The least taps confirmed before a kill; with fewer, the server would die before it did anything."""
KILLS_A_TABLE = 50
"""After this many kills new tables are opened, whose logs are short again."""


@dataclass
class Robot:
    """Corrects its own side again and again, and repeats with the same key when no answer came."""

    code: str
    seat: str
    token: str
    port: int
    confirmed: list[str] = field(default_factory=list)
    """The keys that were answered, in order."""
    replays: int = 0
    waiting: str = ""
    """The key that no answer came for."""
    refused: list[str] = field(default_factory=list)

    def live(self) -> None:
        """Make corrections until the server is gone, or wants a pause."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            while self.ask(line):
                pass
        except (OSError, http.client.HTTPException):
            return
        finally:
            line.close()

    def ask(self, line: http.client.HTTPConnection) -> bool:
        """Send one correction; returns whether the server wants more."""
        self.waiting = self.waiting or f"{self.seat}-key-{len(self.confirmed):04}"
        change = -1 if len(self.confirmed) % 2 else 1
        body = {
            "path": f"army/{self.seat}",
            "action": f"hand-bonus:{self.seat}:{change}",
            "key": self.waiting,
        }
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        line.request("POST", f"/api/matches/{self.code}/adjust", json.dumps(body), headers)
        answer = line.getresponse()
        told = json.loads(answer.read())
        if answer.status != 200:
            self.refused += [told["message"]] if answer.status != 429 else []
            return False
        self.replays += told["replayed"]
        self.confirmed.append(self.waiting)
        self.waiting = ""
        return True


def robots(port: int) -> list[Robot]:
    """Two robots at each of several tables, so that they also wait for each other."""
    found = []
    for _table in range(TABLES):
        match = play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""})
        for seat in match.seats.select_related("match").order_by("key"):
            found.append(Robot(match.code, seat.key, seats.api_token(seat), port))
    return found


def kill_amid(served: Served, people: list[Robot], luck: random.Random) -> int:
    """Start the server, let everybody tap, and kill it meanwhile; returns how many taps were confirmed."""
    before = sum(len(one.confirmed) for one in people)
    limits.TAPS.forget()
    served.start()
    with ThreadPoolExecutor(len(people)) as threads:
        lives = [threads.submit(one.live) for one in people]
        while sum(len(one.confirmed) for one in people) < before + CONFIRMED_A_KILL:
            if all(life.done() for life in lives):
                break
            time.sleep(0.005)
        time.sleep(luck.uniform(0, 0.1))
        served.kill()
    for life in lives:
        life.result()
    return sum(len(one.confirmed) for one in people) - before


def run(kills: int, variant: str = "") -> Report:
    """Kill a server a number of times, on a slow disk if the variant is "slow".

    The variant "early" is broken: it answers before it commits, which must be caught.
    """
    report, luck = Report(), random.Random(kills)
    served = Forked(variant, ROUNDTABLE_THREADS="1" if variant == "early" else "4")
    try:
        while kills > 0:
            people = robots(served.port)
            for _kill in range(min(kills, KILLS_A_TABLE)):
                count = kill_amid(served, people, luck)
                report.count("kills")
                report.unless(count >= CONFIRMED_A_KILL, f"only {count} taps before a kill")
            kills -= KILLS_A_TABLE
            ask_once_more(served, people)
            compare(people, report)
    finally:
        served.close()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            report.unless(cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",), "a broken file")
    return report


def ask_once_more(served: Served, people: list[Robot]) -> None:
    """Robots that got no answer ask again, with the same key."""
    limits.TAPS.forget()
    served.start()
    for one in people:
        if one.waiting:
            one.ask(http.client.HTTPConnection("127.0.0.1", one.port, timeout=10))
    served.stop()


def compare(people: list[Robot], report: Report) -> None:
    """Compare what the phones saw confirmed with the log, and the log with the table."""
    for one in people:
        report.count("taps confirmed", len(one.confirmed))
        report.count("asked and answered again", one.replays)
        kept = Entry.objects.filter(match__code=one.code, seat=one.seat).exclude(key="").order_by("version")
        keys = list(kept.values_list("key", flat=True))
        report.wrong += [f"{one.code}: {key} is lost" for key in set(one.confirmed) - set(keys)]
        report.unless(sorted(keys) == sorted(set(one.confirmed)), f"{one.code} {one.seat}: other taps")
        report.wrong += [f"{one.code}: refused, {sentence}" for sentence in one.refused]
    for match in Match.objects.filter(code__in={one.code for one in people}):
        report.count("entries checked", match.version)
        report.wrong += faults(match)
        for seat, army in storage.load(match).state.armies.items():
            taps = next(len(one.confirmed) for one in people if (one.code, one.seat) == (match.code, seat))
            report.unless(army.hand_bonus == taps % 2, f"{match.code}: {seat} was counted wrongly")
