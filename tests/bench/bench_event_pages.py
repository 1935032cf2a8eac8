"""Every page of an event with 1,000 players at 500 tables: milliseconds of a core, and statements.

`bench_event_pages.py [PLAYERS]`: each page is asked for right after an action on the event, and again while
nothing has changed. It counts the time of its own process, and prints what pairing the next round takes.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
DATA = tempfile.mkdtemp(prefix="roundtable-bench-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.update(ROUNDTABLE_TEST="1", ROUNDTABLE_DATA=DATA, DATABASE_URL=f"sqlite:///{DATA}/bench.sqlite3")

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from games.hall import commands  # noqa: E402
from tests.hall.event_addresses import addresses, crowded  # noqa: E402
from tests.hall.halls import ANNA, opened  # noqa: E402

AIM, TIMES = 50, 3


def milliseconds(phone: Client, path: str, code: str = "") -> float:
    """The least that a page takes, in an event that has just changed if its `code` is given."""
    took = []
    for _time in range(TIMES):
        if code:
            commands.announce(code, ANNA, "Lunch at one")
        began = time.process_time()
        phone.get(path)
        took.append(1000 * (time.process_time() - began))
    return min(took)


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    call_command("migrate", verbosity=0)
    code = opened(players, mode="manual-scoring")
    began = time.process_time()
    commands.pair(code, ANNA)
    drawn = time.process_time()
    commands.call_off(code, ANNA)
    crowded(code)
    print(f"\nA round of {players} players is paired in {drawn - began:.1f} s of a core (aim: less than 3)")
    print(
        f"\n{'milliseconds of a core':48}{'changed':>9}{'same':>9}{'statements':>12}{'KB':>8}   (aim: {AIM})"
    )
    for name, phone, path in addresses(code):
        if phone.get(path).status_code != 200:
            continue
        changed, same = milliseconds(phone, path, code), milliseconds(phone, path)
        with CaptureQueriesContext(connection) as asked:
            size = len(phone.get(path).content)
        over = " *" if max(changed, same) > AIM else ""
        print(f"  {name:46}{changed:9.1f}{same:9.1f}{len(asked):12}{size / 1000:8.0f}{over}", flush=True)


if __name__ == "__main__":
    main()
