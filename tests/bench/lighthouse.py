"""`make lighthouse`: what Lighthouse says about the pages, on a phone with a slow processor and network.

It is run by hand, because it needs Node: `npx` brings Lighthouse, which drives this machine's Chromium.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from tests.bench import printer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "lighthouse@12"
FLAGS = "--headless=new --no-sandbox --disable-gpu"
AIMS = {"performance": 95, "accessibility": 100, "best-practices": 100}


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if shutil.which("npx") is None or chromium is None:
        sys.exit("Lighthouse needs Node (npx) and Chromium.")
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", "0"],
            cwd=ROOT,
            env={**os.environ, "ROUNDTABLE_DATA": folder, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        try:
            home = address(server)
            for path in pages(home):
                measure(home + path, path or "home", chromium)
        finally:
            server.terminate()


def address(server: subprocess.Popen[str]) -> str:
    """The address that the server prints."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found[0]
    sys.exit("The server did not start.")


def pages(home: str) -> list[str]:
    """The home page, the form for a new table, and a table as a spectator sees it."""
    with urllib.request.urlopen(home) as answer:
        found = answer.read().decode()
    codes = re.findall(r'href="/(t/[A-Z0-9]+/)"', found)
    return ["", "new", *codes[:1]]


def measure(url: str, name: str, chromium: str) -> None:
    # An open stream never lets the network go idle, so do not wait for that.
    wanted = ["--max-wait-for-load=12000", "--quiet", "--output=json", f"--chrome-flags={FLAGS}"]
    wanted.append(f"--only-categories={','.join(AIMS)}")
    run = subprocess.run(
        ["npx", "--yes", PACKAGE, url, *wanted],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "CHROME_PATH": chromium},
    )
    report: dict[str, Any] = json.loads(run.stdout)
    print(f"\nLighthouse: {name}")
    for category, aim in AIMS.items():
        score = round(report["categories"][category]["score"] * 100)
        printer.figure(category, score, "of 100", f"{aim}")
    for audit in ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time"):
        printer.figure(audit, report["audits"][audit]["numericValue"], "ms", "")


if __name__ == "__main__":
    main()
