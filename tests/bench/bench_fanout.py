"""From a tap to the last byte on every spectator's phone, next to a bare C loop that writes whole boards.

`bench_fanout.py [SPECTATORS…] [--taps N] [--peer PYTHON] [--link RATE]`: each crowd in one run with its
floor. The tap is real, through Django, at a table of two players, while the spectators listen to the
compressed stream. With a link, everything goes over a line of that rate; without one, over no line, and then
over a gigabit line if this user may make one.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
DATA = tempfile.mkdtemp(prefix="roundtable-bench-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.update(ROUNDTABLE_TEST="1", ROUNDTABLE_DATA=DATA, DATABASE_URL=f"sqlite:///{DATA}/bench.sqlite3")
LIMITS = ("ROUNDTABLE_STREAMS", "ROUNDTABLE_STREAMS_PER_MATCH", "ROUNDTABLE_STREAMS_PER_ADDRESS")
os.environ.update(dict.fromkeys(LIMITS, "60000"))

import django  # noqa: E402 - the settings come first

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from games.live.hub import Audience, stream_token  # noqa: E402
from games.match import play, random_play, storage  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.people import seats  # noqa: E402
from games.web import limits  # noqa: E402
from tests.bench import link, printer  # noqa: E402
from tests.bench.processes import Arrivals, Crowd, Loop, Peer, Server  # noqa: E402
from tests.holding import holding  # noqa: E402
from tests.serving import free_port  # noqa: E402

CROWDS = (1000, 5000, 10_000)
TAPS, WARM, EARLIER = 25, 5, 60
PAUSE = 0.15
PEER_MOST = 1000
"""The largest crowd for the peer: out of five thousand, many never get in."""
AIMS = {1000: 1.3, 5000: 0.7, 10_000: 0.7}
CABLE = "1gbit"
BEHIND = "ROUNDTABLE_BENCH_LINK"
"""Tells the run behind a link which link it is."""
WATCHER = Audience((), "en", "table")


class Table:
    """One match on the server, and the thumbs of both players."""

    def __init__(self, port: int) -> None:
        self.port, self.luck = port, random.Random(1)
        match = play.open_match("tmg", "a-game-of-thrones", {"red": "Red", "blue": "Blue"}, seed="bench")
        Seat.objects.filter(match=match).update(is_taken=True)
        self.code, self.version = match.code, match.version
        client = Client(headers={"HX-Request": "true"})
        session = client.session
        session[seats.SESSION_SEATS] = holding(self.code)
        session.save()
        # In this process, before anybody listens: the boards sent should be from the middle of a game.
        for _tap in range(EARLIER):
            limits.TAPS.forget()
            assert client.post(f"/t/{self.code}/act", self.form()).status_code == 200
            self.version += 1
        token = "b" * 32
        cookies = {settings.SESSION_COOKIE_NAME: session.session_key, settings.CSRF_COOKIE_NAME: token}
        self.headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X-CSRFToken": token,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.door = http.client.HTTPConnection("127.0.0.1", port)

    def stream(self, *held: str) -> str:
        """The address of a stream, for these seats or for a spectator."""
        epochs = tuple((seat, 1) for seat in held)
        return f"/live/{stream_token(self.code, epochs, WATCHER)}"

    def form(self) -> dict[str, Any]:
        """The next legal tap."""
        state = storage.load(Match.objects.get(code=self.code)).state
        seat, action = random_play.tap(state, self.luck)
        return {"action": action, "seat": seat, "seen": self.version, "key": play.new_key()}

    def tap(self) -> tuple[float, float]:
        """Send it; returns when it was sent, and when its answer had arrived."""
        form, began = self.form(), time.monotonic()
        self.door.request("POST", f"/t/{self.code}/act", urlencode(form), self.headers)
        answer = self.door.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        self.version += 1
        return began, time.monotonic()


class Round(NamedTuple):
    """One update: milliseconds from the tap to 50, 95 and 99 per cent and to all of the spectators."""

    quantiles: tuple[float, float, float, float]
    size: float
    players: float = 0.0
    answer: float = 0.0


def milliseconds(began: float, arrivals: Arrivals) -> tuple[float, float, float, float]:
    half, most, nearly, last = ((moment - began) * 1000 for moment in arrivals[:4])
    return half, most, nearly, last


def taps_told(table: Table, crowd: Crowd, taps: int, *, is_watched: bool = True) -> list[Round]:
    """A number of taps, each with the times at which it reached everybody."""
    rounds = []
    for _tap in range(taps):
        began, answered = table.tap()
        players = crowd.hears("players")
        arrivals = crowd.hears("spectators") if is_watched else players
        answer = (answered - began) * 1000
        rounds.append(
            Round(milliseconds(began, arrivals), arrivals.size, milliseconds(began, players)[0], answer)
        )
        time.sleep(PAUSE)
    return rounds


def boards_told(loop: Loop, crowd: Crowd, boards: int) -> list[Round]:
    """A number of whole boards, written by the floor."""
    rounds = []
    for _board in range(boards):
        began = time.monotonic()
        loop.say("write")
        arrivals = crowd.hears("spectators")
        rounds.append(Round(milliseconds(began, arrivals), arrivals.size))
        time.sleep(PAUSE)
    return rounds


def peer_told(python: str, count: int, size: int, boards: int) -> list[Round]:
    """A number of whole boards, by Channels, Daphne and Redis; each from a POST with no game behind it."""
    rounds = []
    with Peer(python, free_port()) as peer, Crowd(peer.port) as crowd:
        crowd.join("spectators", count, "/")
        for _board in range(boards):
            door, began = http.client.HTTPConnection("127.0.0.1", peer.port), time.monotonic()
            door.request("POST", f"/?{size}")
            arrivals = crowd.hears("spectators")
            rounds.append(Round(milliseconds(began, arrivals), arrivals.size))
            door.getresponse().read()
            time.sleep(PAUSE)
    return rounds


def middle(rounds: list[Round], quantile: int) -> float:
    """The median of one quantile over all updates."""
    return statistics.median(each.quantiles[quantile] for each in rounds)


def show(name: str, rounds: list[Round], floor: list[Round] | None = None) -> None:
    columns = "".join(f"{middle(rounds, quantile):9.1f}" for quantile in range(4))
    ratios = "".join(f"{middle(rounds, q) / middle(floor, q):7.2f}" for q in (0, 2)) if floor else ""
    print(f"  {name:30}{columns}  {ratios}", flush=True)


class Figures(NamedTuple):
    """What one crowd showed: our rounds and the floor's, seconds of work, and everything else measured.

    `alone` are rounds before anybody watched, `tap_work` is what a tap cost then; `floor_work` and
    `ours_work` cover all rounds. `memory` is KB per listener, `first_size` bytes; `joined` and `restart` are
    seconds.
    """

    plain: int
    alone: list[Round]
    tap_work: float
    ours: list[Round]
    floor: list[Round]
    ours_work: float
    floor_work: float
    memory: float
    first_size: float
    joined: float
    restart: tuple[float, float]


def measure(count: int, taps: int, peer: str) -> None:
    """Measure one crowd: the floor and ours by turns, so that a noisy moment hits both."""
    found = watched_by(count, taps)
    print(f"\n{count:,} spectators: milliseconds from the tap (for the floor from the order), medians of all")
    print(f"  {'':30}{'p50':>9}{'p95':>9}{'p99':>9}{'last':>9}     times the floor: p50, p99")
    show(f"C loop, {found.plain:,} bytes each", found.floor)
    show("a tap, the compressed stream", found.ours, found.floor)
    if peer and count <= PEER_MOST:
        others = peer_told(peer, count, found.plain, WARM)
        show("Channels, Daphne, Redis", others, found.floor)
        times = middle(others, 2) / middle(found.ours, 2)
        print(f"  {'p99 of these beside a tap':34}{times:9.1f}      (aim: at least 40)")
    costs(count, found)


def watched_by(count: int, taps: int) -> Figures:
    """Play a table to a number of spectators, and the C loop to as many; then restart the server."""
    port = free_port()
    with Server(port) as server:
        server.wait()
        # A seat's token must be younger than the server, to the second.
        time.sleep(1.1)
        table = Table(port)
        with Crowd(port) as crowd:
            plain = crowd.join("plain", 1, table.stream(), packed=False)[2]
            crowd.say("leave plain")
            crowd.join("players", 2, table.stream("red", "blue"))
            taps_told(table, crowd, WARM, is_watched=False)
            before = server.worked()
            alone = taps_told(table, crowd, WARM * 2, is_watched=False)
            tap_work = (server.worked() - before) / len(alone)
            resident, dialled = server.resident(), time.monotonic()
            _first, last_joined, first_size = crowd.join("spectators", count, table.stream())
            memory = (server.resident() - resident) / count
            taps_told(table, crowd, WARM)
            ours, floor, ours_work, floor_work = turn_about(server, table, crowd, count, taps, int(plain))
            crowd.say("leave players")
            crowd.say("again spectators")
            server.kill()
            with Server(port) as started:
                first, last, _size = crowd.joined("spectators")
                restart = (first - started.began, last - first)
    joined = last_joined - dialled
    return Figures(
        int(plain), alone, tap_work, ours, floor, ours_work, floor_work, memory, first_size, joined, restart
    )


def turn_about(
    server: Server, table: Table, crowd: Crowd, count: int, taps: int, size: int
) -> tuple[list[Round], list[Round], float, float]:
    """A number of taps, after every five as many rounds of the C loop; the work of both."""
    ours: list[Round] = []
    floor: list[Round] = []
    ours_work = floor_work = 0.0
    with Loop(size) as loop, Crowd(loop.port) as other:
        other.join("spectators", count, "/")
        boards_told(loop, other, WARM)
        for _turn in range(0, taps, 5):
            started = server.worked()
            ours += taps_told(table, crowd, 5)
            ours_work += server.worked() - started
            started = loop.worked()
            floor += boards_told(loop, other, 5)
            floor_work += loop.worked() - started
    return ours, floor, ours_work, floor_work


def costs(count: int, found: Figures) -> None:
    """Print what a delivery, a listener and a tap cost, and how soon everybody was connected."""
    each = 1_000_000 / count / len(found.ours)
    printer.figure("bytes an update", statistics.mean(one.size for one in found.ours), "", "at most 300")
    printer.figure("bytes of a first board", found.first_size, "", f"plain {found.plain:,}")
    work = (found.ours_work - found.tap_work * len(found.ours)) * each
    print(f"  {'work a delivery':34}{work:9.1f} us of a core (the C loop {found.floor_work * each:.1f})")
    print(f"  {'memory a listener':34}{found.memory:9.1f} KB   (aim: at most 15)")
    print(
        f"  {'players, p50':34}{players(found.ours):9.1f} ms, {players(found.alone):.1f} without spectators"
    )
    watched, alone = answers(found.ours), answers(found.alone)
    print(f"  {'a tap is answered after':34}{watched:9.1f} ms, {alone:.1f} without spectators")
    print(f"  {'a tap costs':34}{found.tap_work * 1000:9.1f} ms of a core")
    print(f"  {'all had joined after':34}{found.joined:9.2f} s")
    first, later = found.restart
    print(f"  {'killed: first board after its start':34}{first:9.2f} s, all {later:.2f} s later")
    if aim := AIMS.get(count):
        ratio = middle(found.ours, 2) / middle(found.floor, 2)
        print(f"  {'p99 beside the C loop':34}{ratio:9.2f}      (aim: at most {aim})")


def players(rounds: list[Round]) -> float:
    return statistics.median(each.players for each in rounds)


def answers(rounds: list[Round]) -> float:
    return statistics.median(each.answer for each in rounds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("spectators", type=int, nargs="*", default=CROWDS)
    parser.add_argument("--taps", type=int, default=TAPS)
    parser.add_argument("--peer", default="", help="a Python with channels, channels_redis and daphne")
    parser.add_argument(
        "--link", default="", help="the rate of a line in between, as tc writes it: 1gbit, 300mbit"
    )
    asked = parser.parse_args()
    if not asked.link:
        measure_all(asked)
    if asked.link or (BEHIND not in os.environ and link.is_possible()):
        behind(asked)


def behind(asked: argparse.Namespace) -> None:
    """Run the same again, over a line."""
    rate = asked.link or CABLE
    os.environ[BEHIND] = rate
    crowds = [str(count) for count in asked.spectators]
    link.run_behind(rate, __file__, *crowds, "--taps", str(asked.taps))


def measure_all(asked: argparse.Namespace) -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    call_command("migrate", verbosity=0)
    line = os.environ.get(BEHIND)
    print(f"\nFrom a tap to every spectator{f', over a line of {line}' if line else ''}")
    for count in asked.spectators:
        measure(count, asked.taps, asked.peer)


if __name__ == "__main__":
    main()
