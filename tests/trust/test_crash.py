"""What a phone saw confirmed is kept, and counted once, however often the server is killed."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from django.db import connection

from games.match import board, play, replay
from games.models import Entry, Match
from games.people import seats
from tests.serving import Served

KILLS, TABLES = 6, 3
ACKNOWLEDGED_A_KILL = 20
"""Fewer would show nothing: the server was killed before it did anything."""


@pytest.fixture
def served(transactional_db: None) -> Iterator[Served]:
    """A server in a process that may be killed."""
    own = Served()
    yield own
    own.close()


@dataclass
class Robot:
    """Corrects its own side again and again, and asks anew with the same key when no answer came."""

    code: str
    seat: str
    token: str
    port: int
    confirmed: list[str] = field(default_factory=list)
    """The keys that were answered, in order."""
    replays: int = 0
    waiting: str = ""
    """The key that no answer came for."""

    def live(self) -> None:
        """Correct until the server is gone, or wants a pause."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            while self.ask(line):
                pass
        except (OSError, http.client.HTTPException):
            return
        finally:
            line.close()

    def ask(self, line: http.client.HTTPConnection) -> bool:
        """One correction; whether the server wants more of them."""
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
        if answer.status == 429:
            return False
        assert answer.status == 200, told
        self.replays += told["replayed"]
        self.confirmed.append(self.waiting)
        self.waiting = ""
        return True


def robots(port: int) -> list[Robot]:
    """Two at each of several tables, so that they also wait for each other."""
    found = []
    for _table in range(TABLES):
        match = play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""})
        for seat in match.seats.select_related("match").order_by("key"):
            found.append(Robot(match.code, seat.key, seats.api_token(seat), port))
    return found


def kill_amid(served: Served, people: list[Robot], luck: random.Random) -> int:
    """Start the server, let everybody tap, and kill it in the midst; how many taps were confirmed."""
    before = sum(len(one.confirmed) for one in people)
    served.start()
    with ThreadPoolExecutor(len(people)) as threads:
        lives = [threads.submit(one.live) for one in people]
        while sum(len(one.confirmed) for one in people) < before + ACKNOWLEDGED_A_KILL:
            assert not all(life.done() for life in lives), "the server answers nobody"
            time.sleep(0.005)
        time.sleep(luck.uniform(0, 0.1))
        served.kill()
    for life in lives:
        life.result()
    return sum(len(one.confirmed) for one in people) - before


@pytest.mark.slow
def test_a_killed_server_has_lost_nothing_and_doubled_nothing(served: Served) -> None:
    luck, people = random.Random(9), robots(served.port)
    assert all(kill_amid(served, people, luck) >= ACKNOWLEDGED_A_KILL for _kill in range(KILLS))

    served.start()
    for one in people:
        if one.waiting:
            one.ask(http.client.HTTPConnection("127.0.0.1", one.port, timeout=10))
    served.stop()

    for one in people:
        kept = Entry.objects.filter(match__code=one.code, seat=one.seat).exclude(key="").order_by("version")
        assert list(kept.values_list("key", flat=True)) == one.confirmed
    for match in Match.objects.all():
        versions = list(match.entries.order_by("version").values_list("version", flat=True))
        assert versions == list(range(1, match.version + 1))
        position = board.load(match).state
        assert replay.final_position(match).to_json() == position.to_json()
        for seat, army in position.armies.items():
            confirmed = next(one.confirmed for one in people if (one.code, one.seat) == (match.code, seat))
            assert army.hand_bonus == len(confirmed) % 2
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    confirmed = sum(len(one.confirmed) for one in people)
    replays = sum(one.replays for one in people)
    print(f"\n{KILLS} kills: {confirmed} taps confirmed, none lost, {replays} answered again")
