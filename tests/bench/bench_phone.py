"""What a phone gets to do: the bytes of its first visit, and its main thread's time for an update."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["ROUNDTABLE_DATA"] = tempfile.mkdtemp()
# The driver runs a loop in this thread, so Django would take every query here for an async one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from tests.bench import printer  # noqa: E402
from tests.bench.visits import MOST, REQUESTS, club, first_visit, midway, phone_at, seated, tap_at_random  # noqa: E402
from tests.conftest import BROWSER_ARGUMENTS, chromium  # noqa: E402

SLOWER, TAPS, AIM = 6, 15, 80
SETTLED = 1500
"""Milliseconds after which nothing is drawn any more."""


def visits(browser: Any, served: Any) -> None:
    """Print what a first visit of each game's table loads."""
    print("\nA first visit of a table: everything that the browser loads, headers included, with gzip")
    for way, most in MOST.items():
        sizes = first_visit(browser, served, midway(*way))
        name = " ".join(map(str, way))
        printer.figure(f"{name}, bytes", sum(sizes.values()), "", f"at most {most:,}")
        printer.figure(f"{name}, requests", len(sizes), "", f"at most {REQUESTS}")


def updates(browser: Any, served: Any) -> None:
    """Print the time that another player's taps take of a slow phone's main thread."""
    printer.title(f"An update on a phone at a {SLOWER}th of the speed, in milliseconds of the main thread")
    for way in MOST:
        match = midway(*way)
        page = phone_at(browser, served, match)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        others, luck, took = seated(browser, served, match), random.Random(3), []
        # The first update is parsed whole; then the page knows what it shows.
        tap_at_random(others, served, match, luck)
        page.wait_for_timeout(SETTLED)
        still = spent(page, devtools)
        for _tap in range(TAPS):
            before = busy(devtools)
            if not (version := tap_at_random(others, served, match, luck)):
                break
            page.wait_for_timeout(SETTLED)
            took.append(busy(devtools) - before - still)
            assert page.get_attribute("#board", "data-version") == str(version)
        printer.line(f"{' '.join(map(str, way))} (aim: {AIM})", took)
        page.context.close()


def spent(page: Any, devtools: Any) -> float:
    """What the clocks, the beats and the question itself take while nothing changes."""
    before = busy(devtools)
    page.wait_for_timeout(SETTLED)
    return busy(devtools) - before


def busy(devtools: Any) -> float:
    """How many milliseconds the main thread has worked so far."""
    metrics = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])


def main() -> None:
    path = chromium()
    if path is None:
        print("\nNo Chromium is installed: what a phone loads was not measured.")
        return
    call_command("migrate", verbosity=0)
    with sync_playwright() as playwright, club(Path(tempfile.mkdtemp())) as served:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        visits(browser, served)
        updates(browser, served)


if __name__ == "__main__":
    main()
