"""A tap through the real server on the embedded database, beside stock Django and boardgame.io.

The usual case comes first: both phones of a table listen. Stock Django has no streams, so there the other
phone asks for the board that the tap has made. It serves the same views: with only its own handler, and then,
step by step, with its own ways of doing what we do differently (`tests/bench/stock.py`).
"""

from __future__ import annotations

import http.client
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["DATABASE_URL"] = f"sqlite:///{tempfile.mkdtemp()}/bench.sqlite3"

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from config.data.sqlite_guard import sqlite_options  # noqa: E402
from tests.bench.scripts import TAPS, Script, Streams, script, spent, tap, tap_and_ask  # noqa: E402
from tests.serving import Served, answers, free_port  # noqa: E402

TABLES, CLIENTS, RUNS = 12, 2, 3
STOCK = {
    "under Django's ASGI handler": "",
    "and drawn by its templates": "templates",
    "and its queries made each time": "templates queries",
    "and the position read each time": "templates queries rows",
}
"""What is done Django's own way; each adds to all those before it."""
HEARD = "both phones listening"
STOCK_HEARD = "the same, stock Django, asking"
PEER_HEARD = "the same, boardgame.io in memory"
PEER, PEER_VERSION = Path(__file__).with_name("boardgame.cjs"), "0.50.2"


class Rate(NamedTuple):
    """What many phones got: answers per second, and milliseconds of the server's core for each."""

    a_second: float
    core: float


@contextmanager
def ours() -> Iterator[Served]:
    """The server as it is."""
    served = Served().start()
    try:
        yield served
    finally:
        served.close()


@contextmanager
def stock(steps: str) -> Iterator[Served]:
    """The same views under Django's own handler, with these steps done as Django does them."""
    served = Served()
    if "queries" in steps:
        _open_as(sqlite_options(sqlite3.sqlite_version_info))
    command = [sys.executable, "-m", "uvicorn", "tests.bench.stock:application", "--log-level", "warning"]
    environment = {**os.environ, "ROUNDTABLE_STOCK": steps}
    served.process = subprocess.Popen([*command, "--port", str(served.port)], cwd=ROOT, env=environment)
    try:
        while not answers(served.port):
            time.sleep(0.1)
        yield served
    finally:
        served.close()
        _open_as(sqlite_options())


def _open_as(options: dict[str, Any]) -> None:
    """Open the database in this way from now on: with a write-ahead log or a rollback journal."""
    connection.close()
    connection.settings_dict["OPTIONS"] = options
    connection.ensure_connection()


def empty(line: http.client.HTTPConnection, one: Script, number: int) -> None:
    """Send the same form to the address that answers with nothing."""
    line.request("POST", "/empty", f"action=pass&seat=red&seen={number}&key=k", one.headers["red"])
    answer = line.getresponse()
    answer.read()
    assert answer.status == 204


def rate(
    served: Served,
    ask: Callable[[http.client.HTTPConnection, Script, int], object],
    *,
    is_heard: bool = False,
) -> Rate:
    """Phones that ask again as soon as they are answered, each at its own tables."""
    scripts = [script(random.randrange(10**9)) for _table in range(TABLES)]
    counts: list[int] = []

    def live(mine: list[Script]) -> None:
        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        for number in range(TAPS):
            for one in mine:
                if number < len(one.taps):
                    ask(line, one, number)
                    counts.append(1)
        line.close()

    assert served.process is not None
    # Whatever a server does once in its life is done before measuring.
    live([script(random.randrange(10**9))])
    counts.clear()
    if is_heard:
        Streams(served.port, scripts)
    people = [threading.Thread(target=live, args=(scripts[i::CLIENTS],)) for i in range(CLIENTS)]
    worked, began = spent(served.process.pid), time.perf_counter()
    for one in people:
        one.start()
    for one in people:
        one.join()
    seconds = time.perf_counter() - began
    worked = spent(served.process.pid) - worked
    return Rate(len(counts) / seconds, worked / len(counts) * 1000)


def peer_modules() -> str:
    """Where boardgame.io is installed, for this run; empty where there is no Node, or no registry."""
    if not shutil.which("npm"):
        return ""
    folder = tempfile.mkdtemp()
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", f"--prefix={folder}"]
    asked = subprocess.run([*command, f"boardgame.io@{PEER_VERSION}"], check=False)
    return "" if asked.returncode else f"{folder}/node_modules"


def peer_rate(modules: str) -> Rate:
    """As many moves at as many tables of boardgame.io; a move is over when both players have seen it."""
    port, environment = str(free_port()), {**os.environ, "NODE_PATH": modules}
    with (
        subprocess.Popen(
            ["node", str(PEER), "serve", port], env=environment, stdout=subprocess.PIPE
        ) as server,
        subprocess.Popen(
            ["node", str(PEER), "play", port, str(TABLES), str(TAPS)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as players,
    ):
        assert players.stdin
        assert players.stdout
        players.stdout.readline()
        worked, began = spent(server.pid), time.perf_counter()
        players.stdin.write(b"go\n")
        players.stdin.flush()
        players.stdout.readline()
        seconds, worked = time.perf_counter() - began, spent(server.pid) - worked
        server.kill()
    return Rate(TABLES * TAPS / seconds, worked / (TABLES * TAPS) * 1000)


def middle(rates: list[Rate]) -> Rate:
    """The median of several runs by cost."""
    return sorted(rates, key=lambda one: one.core)[len(rates) // 2]


def main() -> None:
    call_command("migrate", verbosity=0)
    modules = peer_modules()
    rates: dict[str, list[Rate]] = defaultdict(list)
    for _run in range(RUNS):
        with ours() as served:
            rates[HEARD].append(rate(served, tap, is_heard=True))
            rates["a tap"].append(rate(served, tap))
            rates["an empty answer"].append(rate(served, empty))
        for name, steps in STOCK.items():
            with stock(steps) as served:
                rates[name].append(rate(served, tap))
                if name == next(reversed(STOCK)):
                    rates[STOCK_HEARD].append(rate(served, tap_and_ask))
        if modules:
            rates[PEER_HEARD].append(peer_rate(modules))
    show({name: middle(several) for name, several in rates.items()})
    if not modules:
        print("  Without Node and its registry boardgame.io was not measured.")


def show(rates: dict[str, Rate]) -> None:
    """Print every rate beside ours: what both phones hear, then the tap alone."""
    phones = f"{CLIENTS} phones, {TABLES} tables, median of {RUNS} runs"
    print(f"\nTaps flat out on the embedded database, {phones}: milliseconds of the server's core for each")
    heard = [name for name in (HEARD, STOCK_HEARD, PEER_HEARD) if name in rates]
    for group in heard, ["a tap", "an empty answer", *STOCK]:
        for name in group:
            one, own = rates[name], rates[group[0]]
            print(f"  {name:34}{one.a_second:9,.0f} a second{one.core:9.2f} ms{one.core / own.core:8.1f}")
    print(f"  a tap / an empty answer: {rates['a tap'].core / rates['an empty answer'].core:.1f} (aim: 3)")
    times = rates[STOCK_HEARD].core / rates[HEARD].core
    print(f"  both phones listening: {rates[HEARD].core:.1f} ms (aim: 3.5)")
    print(f"  stock Django / ours: {times:.1f} (aim: 5)")


if __name__ == "__main__":
    main()
