"""Random legal taps per second of one core, by system, compared with the fastest: the rules alone.

BENCH_PEER adds a rival: a command that plays random legal moves of its own rules for about a second of a
core, and last prints how many it played per second.
"""

from __future__ import annotations

import gc
import os
import random
import shlex
import statistics
import subprocess
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")

import tests.plug  # noqa: E402, F401 - the path comes first
from games.core import (  # noqa: E402  # noqa: E402
    State,
    System,
    diff,
    engine,
    systems,
)
from games.match import random_play  # noqa: E402
from tests.bench import printer  # noqa: E402

RUNS, SECONDS, WALK = 5, 1.0, 1500
PEER = "BENCH_PEER"

Way = tuple[System, str, int]
"""A game, its mode, and the number of players."""


def ways() -> Iterator[Way]:
    for game in systems():
        for mode in game.modes:
            for seats in sorted(set(game.seat_range)):
                yield game, mode.slug, seats


def called(way: Way) -> str:
    game, mode, seats = way
    return f"{game.slug} {mode} {seats} seats"


def taps_a_second(way: Way, seed: int) -> float:
    """Whole random games, one after another, for a second of one core's time, whatever else uses the core."""
    game, mode, seats = way
    taps, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        seed += 1000
        state = random_play.fresh_state(game, mode, seed, seats)
        taps += sum(1 for _tap in random_play.play(state, random.Random(seed), game.longest))
    return taps / (time.process_time() - begun)


def peer_a_second(command: str) -> float:
    """What a rival's command prints last: its moves per second."""
    done = subprocess.run(shlex.split(command), check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1].replace(",", ""))


def race() -> None:
    """Run all systems and the rival in turn, several times, so that the machine's moods hit them alike."""
    peer, runs = os.environ.get(PEER, ""), defaultdict(list)
    for run in range(RUNS):
        for way in ways():
            runs[called(way)].append(taps_a_second(way, run))
        if peer:
            runs[PEER].append(peer_a_second(peer))
    beside = statistics.median(runs.pop(PEER)) if peer else 0.0
    found = {name: statistics.median(each) for name, each in runs.items()}
    fastest = max(found.values())
    for name, taps in found.items():
        rival = f", {taps / beside:.2f} of the rival" if beside else ""
        print(f"  {name:34}{taps:9,.0f} taps/s  {taps / fastest:5.2f} of the fastest{rival}", flush=True)
    if beside:
        printer.figure("the rival", beside, "moves/s")


def parts(way: Way) -> str:
    """Microseconds per tap of each pure part, over the same random walk."""
    game, mode, seats = way
    walk: list[tuple[State, str, str, State]] = []
    for seed in range(WALK):
        state = random_play.fresh_state(game, mode, seed, seats)
        for seat, action, after in random_play.play(state, random.Random(seed), game.longest):
            walk.append((state, seat, action, after))
            state = after
        if len(walk) >= WALK:
            break
    gc.freeze()
    columns = (
        timed(walk, lambda: (engine.play(g, seat, action) for g, seat, action, _after in forgetful(walk))),
        timed(walk, lambda: (engine.offers(g, seat) for g, seat, *_rest in forgetful(walk))),
        timed(walk, lambda: (engine.view(g, seat) for g, seat, *_rest in walk)),
        timed(walk, lambda: (diff(before, after) for before, _seat, _action, after in walk)),
    )
    return "".join(f"{each:9.1f}" for each in columns)


def forgetful(walk: list[tuple[State, str, str, State]]) -> Iterator[tuple[State, str, str, State]]:
    """The same taps, each on a position for which nothing has been worked out yet."""
    for g, *tap in walk:
        g.memory = {}
        yield g, *tap  # type: ignore[misc]


def timed(walk: list[tuple[State, str, str, State]], work: Callable[[], Iterable[object]]) -> float:
    """Microseconds of one core per item, the median of several runs."""
    found = []
    for _run in range(RUNS):
        begun = time.process_time()
        deque(work(), maxlen=0)
        found.append((time.process_time() - begun) / len(walk) * 1e6)
    return statistics.median(found)


def main() -> None:
    print(f"\nRandom legal taps a second of a core (median of {RUNS} runs in turn; aim: 0.50 of the fastest)")
    race()
    columns = "".join(f"{name:>9}" for name in ("play", "offers", "view", "diff"))
    print(f"\nWhat a tap's pure parts take, in µs of a core\n{'':36}{columns}")
    for way in ways():
        print(f"  {called(way):34}{parts(way)}", flush=True)


if __name__ == "__main__":
    main()
