"""Taps a second and listeners with one process and with two, on PostgreSQL: what each costs of a core."""

from __future__ import annotations

import asyncio
import http.client
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
    # A database of our own, which does not wait for its disk: what is measured is the processors.
    os.execv(ROOT / ".ci/postgresql", ["postgresql", sys.executable, __file__])

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from games.live.hub import stream_token  # noqa: E402
from tests.bench import printer  # noqa: E402
from tests.bench.listeners import Phones  # noqa: E402
from tests.bench.scripts import TAPS, Script, script, spent, tap  # noqa: E402
from tests.hubs import WATCHER  # noqa: E402
from tests.serving import Served  # noqa: E402

TABLES = 40
CLIENTS = 8
SHARE = 0.3
"""Of a core, for each process: so two of them, the database and the phones have room on two cores."""
CROWD, ROUNDS, PAUSE = 400, 25, 0.25


class Cores:
    """Seconds of a core that the servers and their database have used so far."""

    def __init__(self, served: Served) -> None:
        self.pids = processes_of(served)

    def servers(self) -> float:
        return sum(map(spent, self.pids))

    def database(self) -> float:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            return sum(spent(pid) for (pid,) in cursor.fetchall())


def processes_of(served: Served) -> list[int]:
    """The processes that serve: the one that was started, or those that it started."""
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
        # All of them have loaded everything.
        time.sleep(4 * processes)
        yield served
    finally:
        served.stop()
        served.close()


@contextmanager
def rationed(pids: list[int]) -> Iterator[None]:
    """Each of these processes has its share of the time, however many there are."""
    command = [sys.executable, "-m", "tests.bench.ration", str(SHARE), *map(str, pids)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as turns:
        yield
        assert turns.stdin is not None
        turns.stdin.close()


def flat_out(processes: int) -> float:
    """Phones that tap as soon as they may; taps a second."""
    scripts = [script(random.randrange(10**9)) for _table in range(TABLES)]
    waits: list[float] = []
    with serving(processes) as served:
        cores = Cores(served)

        def live(mine: list[Script]) -> None:
            line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
            for number in range(TAPS):
                waits.extend(tap(line, one, number) for one in mine if number < len(one.taps))
            line.close()

        people = [threading.Thread(target=live, args=(scripts[i::CLIENTS],)) for i in range(CLIENTS)]
        worked, stored, began = cores.servers(), cores.database(), time.perf_counter()
        with rationed(cores.pids):
            for one in people:
                one.start()
            for one in people:
                one.join()
        seconds, count = time.perf_counter() - began, len(waits)
        worked, stored = cores.servers() - worked, cores.database() - stored
    name = f"{processes} process{'es' if processes > 1 else ''}"
    printer.line(f"{name}, {CLIENTS} phones flat out", waits)
    print(
        f"    {count / seconds:6.1f} taps/s; a tap is {worked / count * 1000:.1f} ms of the servers' cores"
        f" and {stored / count * 1000:.1f} ms of the database's; {processes / worked * count:.0f} taps/s"
        f" on {processes} core{'s' if processes > 1 else ''} of their own"
    )
    return count / seconds


async def listened(processes: int, one: Script) -> None:
    """A crowd at one table while its players tap, spread over the processes as the system spreads it."""
    with serving(processes) as served:
        cores, crowd = Cores(served), Phones(served.port)
        await crowd.join(CROWD, f"/live/{stream_token(one.code, (), WATCHER)}")
        await asyncio.sleep(2)
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        taken: list[float] = []
        worked = cores.servers()
        for number in range(min(ROUNDS, len(one.taps))):
            began, version = time.monotonic(), one.version + number + 1
            await asyncio.to_thread(tap, line, one, number)
            taken += [(moment - began) * 1000 for moment in await crowd.have(version, CROWD)]
            await asyncio.sleep(PAUSE)
        worked = cores.servers() - worked
        spread = [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in cores.pids]
        crowd.close()
        line.close()
    printer.line(f"{processes} process{'es' if processes > 1 else ''}, {CROWD} watching", taken)
    print(
        f"    {worked / len(taken) * 1e6:.0f} µs of a core a delivery, taps and renders included;"
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
        asyncio.run(listened(processes, script(random.randrange(10**9))))


if __name__ == "__main__":
    main()
