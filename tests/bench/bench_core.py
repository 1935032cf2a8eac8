"""Random legal taps a second on one core, by system: the pure rules with nothing around them."""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")

import tests.plug  # noqa: E402, F401 - the path comes first
from games.core.system import System, systems  # noqa: E402
from games.match import fuzz  # noqa: E402
from tests.bench import printer  # noqa: E402

RUNS, SECONDS = 5, 1.0


def taps_a_second(game: System, mode: str, seats: int, seed: int) -> float:
    """Whole random games, one after the other, for a second of one core, whoever else is using it."""
    taps, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        seed += 1000
        state = fuzz.opened(game, mode, seed, seats)
        taps += sum(1 for _tap in fuzz.play(state, random.Random(seed), game.longest))
    return taps / (time.process_time() - begun)


def main() -> None:
    print("\nRandom legal taps a second of a core (median of 5 runs)")
    for game in systems():
        for mode in game.modes:
            for seats in sorted(set(game.seat_range)):
                runs = [taps_a_second(game, mode.slug, seats, run) for run in range(RUNS)]
                name = f"{game.slug} {mode.slug} {seats} seats"
                printer.figure(name, statistics.median(runs), "taps/s", "10,000")


if __name__ == "__main__":
    main()
