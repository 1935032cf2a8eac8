"""Taps per second and listeners with one process and with two, on PostgreSQL: what each costs of a core."""

from __future__ import annotations

import http.client
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["ROUNDTABLE_STREAMS_PER_ADDRESS"] = "5000"
os.environ["ROUNDTABLE_STREAMS_PER_MATCH"] = "5000"

SERVERS = list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
    if not SERVERS:
        print("\nSeveral processes: skipped, for PostgreSQL is not installed.")
        sys.exit(0)
    # A database of our own that does not wait for its disk, since this measures processors.
    os.execv(ROOT / ".ci/postgresql", ["postgresql", sys.executable, __file__])

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from games.live.hub import stream_token  # noqa: E402
from tests.bench import printer  # noqa: E402
from tests.bench.processes import Crowd  # noqa: E402
from tests.bench.scripts import TAPS, Script, script, spent, tap  # noqa: E402
from tests.hubs import WATCHER  # noqa: E402
from tests.serving import Served  # noqa: E402

TABLES = 48
CLIENTS = 16
SHARE = 0.3
"""Each process's share of a core: so two of them, the database and the phones have room on two cores."""
CROWD, ROUNDS, PAUSE, EARLIER = 1000, 25, 0.25, 40
"""The size of the crowd, how many updates it gets, the pause between them, and the taps before that, which
lead to a board in the middle of a game."""


class Cores:
    """Seconds of a core used so far by the servers and their database."""

    def __init__(self, served: Served) -> None:
        self.pids = processes_of(served)

    def servers(self) -> float:
        return sum(map(spent, self.pids))

    def database(self) -> float:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            return sum(spent(pid) for (pid,) in cursor.fetchall())


def processes_of(served: Served) -> list[int]:
    """The processes that serve: the one that was started, or the ones that it started."""
    assert served.process is not None
    found = subprocess.run(
        ["pgrep", "-P", str(served.process.pid)], check=False, capture_output=True, text=True
    )
    own = [
        int(pid) for pid in found.stdout.split() if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()
    ]
    return own or [served.process.pid]


@contextmanager
def serving(processes: int) -> Iterator[Served]:
    served = Served()
    try:
        served.start("--processes", str(processes), url=os.environ["DATABASE_URL"])
        while len(processes_of(served)) < processes:
            time.sleep(0.1)
        # By then all of them have loaded everything.
        time.sleep(4 * processes)
        yield served
    finally:
        served.stop()
        served.close()


@contextmanager
def rationed(pids: list[int]) -> Iterator[None]:
    """Give each of these processes its share of the time, however many there are."""
    command = [sys.executable, "-m", "tests.bench.ration", str(SHARE), *map(str, pids)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as turns:
        yield
        assert turns.stdin is not None
        turns.stdin.close()


def flat_out(processes: int) -> float:
    """Phones that tap as soon as they may, until one has played all of its tables; the taps per second."""
    scripts = [script(random.randrange(10**9)) for _table in range(TABLES)]
    waits: list[list[tuple[float, float]]] = [[] for _client in range(CLIENTS)]
    # Connections are not spread evenly over the processes: a process with few of them is done first.
    is_over = threading.Event()
    with serving(processes) as served:
        cores = Cores(served)

        def live(client: int) -> None:
            line, mine = (
                http.client.HTTPConnection("127.0.0.1", served.port, timeout=60),
                scripts[client::CLIENTS],
            )
            for number, one in product(range(TAPS), mine):
                if is_over.is_set():
                    break
                waits[client].append((tap(line, one, number), time.perf_counter()))
            is_over.set()
            line.close()

        people = [threading.Thread(target=live, args=(client,)) for client in range(CLIENTS)]
        worked, stored = cores.servers(), cores.database()
        with rationed(cores.pids):
            for person in people:
                person.start()
            for person in people:
                person.join()
        worked, stored = cores.servers() - worked, cores.database() - stored
    # Count only while all of them tapped, once everything had been loaded.
    begun, last = min(own[0][1] for own in waits), min(own[-1][1] for own in waits)
    first = begun + (last - begun) / 4
    steady = [wait for own in waits for wait, moment in own if first < moment <= last]
    count, rate = sum(map(len, waits)), len(steady) / (last - first)
    name = f"{processes} process{'es' if processes > 1 else ''}"
    printer.line(f"{name}, {CLIENTS} phones flat out", steady)
    print(
        f"    {rate:6.1f} taps/s; a tap is {worked / count * 1000:.1f} ms of the servers' cores"
        f" and {stored / count * 1000:.1f} ms of the database's; {processes / worked * count:.0f} taps/s"
        f" on {processes} core{'s' if processes > 1 else ''} of their own"
    )
    return rate


def listened(processes: int, one: Script) -> None:
    """A crowd at one table while its players tap, spread over the processes by the operating system."""
    with serving(processes) as served:
        cores = Cores(served)
        path = f"/live/{stream_token(one.code, (), WATCHER)}"
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        for number in range(EARLIER):
            tap(line, one, number)
        with Crowd(served.port) as crowd:
            crowd.join("crowd", CROWD, path)
            time.sleep(2)
            half, last, worked = [], [], cores.servers()
            for number in range(EARLIER, EARLIER + ROUNDS):
                began = time.monotonic()
                tap(line, one, number)
                told = crowd.hears("crowd")
                half.append((told.half - began) * 1000)
                last.append((told.last - began) * 1000)
                time.sleep(PAUSE)
            worked = cores.servers() - worked
            spread = [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in cores.pids]
            line.close()
    name = f"{processes} process{'es' if processes > 1 else ''}, {CROWD} watch,"
    printer.line(f"{name} to half", half)
    printer.line(f"{name} to all", last)
    print(
        f"    {worked / len(half) / CROWD * 1e6:.0f} µs of a core a delivery, taps and renders included;"
        f" open files by process: {spread}"
    )


def main() -> None:
    call_command("migrate", verbosity=0)
    print(f"\n(servers, database and phones share the {os.cpu_count()} cores of this machine)")
    printer.title(f"Taps flat out, each process with {SHARE:.0%} of a core, milliseconds to the answer")
    rates = [flat_out(processes) for processes in (1, 2)]
    print(f"  two processes / one: {rates[1] / rates[0]:.2f}")
    printer.title("From a tap to everybody who watches, milliseconds")
    for processes in (1, 2):
        listened(processes, script(random.randrange(10**9), EARLIER + ROUNDS))


if __name__ == "__main__":
    main()
