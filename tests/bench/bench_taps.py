"""A tap's server time through Django's whole stack, early and late in a match, and what a page weighs."""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["ROUNDTABLE_DATA"] = tempfile.mkdtemp()

import brotli  # noqa: E402 - the settings come first
import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from games import board, fuzz, play, seats  # noqa: E402
from games.core.system import system  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from tests.bench import printer  # noqa: E402

MODE = "a-game-of-thrones"
THIRD = 60
AIM = "10 ms at the median"
BUDGETS = {"JavaScript": 20_000, "CSS": 6_000, "the board of a player": 5_000}


class Phone:
    """Both seats of a table, tapping through the test client: everything but the socket."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.client = Client(headers={"HX-Request": "true"})
        match = play.open_match("tmg", MODE, {"red": "Red", "blue": "Blue"}, seed=f"bench-{seed}")
        self.code, self.version = match.code, match.version
        session = self.client.session
        session[seats.SESSION_SEATS] = {self.code: {"red": 1, "blue": 1}}
        session.save()
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        Seat.objects.filter(match=match).update(is_taken=True)

    def tap(self) -> float | None:
        """One tap's milliseconds, the answer's board included; None when the match is over."""
        state = board.load(Match.objects.get(code=self.code)).state
        if state.result is not None:
            return None
        seat, action = fuzz.tap(state, self.luck)
        form = {"action": action, "seat": seat, "seen": self.version, "key": play.new_key()}
        begun = time.perf_counter()
        answer = self.client.post(f"/t/{self.code}/act", form)
        spent = (time.perf_counter() - begun) * 1000
        assert answer.status_code == 200, answer.content[:500]
        self.version += 1
        return spent


def noop(phone: Phone) -> list[float]:
    """The floor: an answer without a row, through the same middleware."""
    spent = []
    for _count in range(60):
        begun = time.perf_counter()
        phone.client.get("/t/NOSUCH/board")
        spent.append((time.perf_counter() - begun) * 1000)
    return spent


def weights(phone: Phone) -> None:
    """Bytes after brotli, against the budgets."""
    print("\nWeights after brotli")
    scripts = ("static/vendor/htmx.min.js", "static/app.js", "static/live.js")
    styles = ("static/app.css", "static/table.css", "games/systems/tmg/static/tmg/tmg.css")
    sizes = {
        "JavaScript": sum(_packed((ROOT / name).read_bytes()) for name in scripts),
        "CSS": sum(_packed((ROOT / name).read_bytes()) for name in styles),
        "the board of a player": _packed(phone.client.get(f"/t/{phone.code}/board").content),
        "the whole page of a player": _packed(phone.client.get(f"/t/{phone.code}/").content),
    }
    for name, size in sizes.items():
        printer.figure(name, size, "bytes", f"at most {BUDGETS[name]:,}" if name in BUDGETS else "")


def _packed(text: bytes) -> int:
    return len(brotli.compress(text))


def main() -> None:
    call_command("migrate", verbosity=0)
    assert system("tmg")
    early, late, phone = [], [], Phone(0)
    for seed in range(4):
        phone = Phone(seed)
        spent = list(iter(phone.tap, None))
        early += spent[20 : 20 + THIRD]
        late += spent[-THIRD:]
    floor = noop(phone)
    printer.title(f"A tap's server time in milliseconds (aim: {AIM}, constant over the match)")
    printer.line("nothing found (the floor)", floor, floor)
    printer.line("taps early in a match", early, floor)
    printer.line("taps late in a match", late, floor)
    ratio = statistics.median(late) / statistics.median(early)
    print(f"  late / early: {ratio:.2f}")
    weights(Phone(9) if phone is None else phone)


if __name__ == "__main__":
    main()
