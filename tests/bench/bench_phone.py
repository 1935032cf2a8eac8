"""What a phone gets to do: the bytes of its first visit."""

from __future__ import annotations

import os
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
from tests.bench.visits import MOST, REQUESTS, club, first_visit, midway  # noqa: E402
from tests.conftest import BROWSER_ARGUMENTS, chromium  # noqa: E402


def visits(browser: Any, served: Any) -> None:
    """Print what a first visit of each game's table loads."""
    print("\nA first visit of a table: everything that the browser loads, headers included, with gzip")
    for way, most in MOST.items():
        sizes = first_visit(browser, served, midway(*way))
        name = " ".join(map(str, way))
        printer.figure(f"{name}, bytes", sum(sizes.values()), "", f"at most {most:,}")
        printer.figure(f"{name}, requests", len(sizes), "", f"at most {REQUESTS}")


def main() -> None:
    path = chromium()
    if path is None:
        print("\nNo Chromium is installed: what a phone loads was not measured.")
        return
    call_command("migrate", verbosity=0)
    with sync_playwright() as playwright, club(Path(tempfile.mkdtemp())) as served:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        visits(browser, served)


if __name__ == "__main__":
    main()
