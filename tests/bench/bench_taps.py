"""What a tap costs through Django's whole stack, early and late in a match."""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["ROUNDTABLE_DATA"] = tempfile.mkdtemp()

import django  # noqa: E402 - the settings come first

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from config.server.shell import spare_the_collector  # noqa: E402
from games.core import system  # noqa: E402
from games.match import play, random_play, storage  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.people import seats  # noqa: E402
from games.web import limits  # noqa: E402
from tests.bench import printer  # noqa: E402
from tests.holding import holding  # noqa: E402

WAYS = {"tmg": ("a-game-of-thrones", 2), "bushido": ("risen-sun", 2), "agot": ("orders", 6)}
"""By game, the mode that weighs the most, and its number of players."""
MATCHES = 3
PART = 60
"""Taps of each match that count as early in it, and as late."""
AIM = "3 times an empty answer"
STATEMENTS = 7
FORM = "application/x-www-form-urlencoded"
HEADERS = {"HX-Request": "true", "Accept-Encoding": "gzip"}
"""The headers that the page's own scripts send over plain http."""


class Cost(NamedTuple):
    """What one answer took: milliseconds by the clock and of a core, statements, and what it was."""

    clock: float
    core: float
    statements: int
    answer: Any


class Phone:
    """One player's phone, through the test client: everything but the socket."""

    def __init__(self, code: str, seat: str) -> None:
        self.client = Client(headers=HEADERS, enforce_csrf_checks=True)
        session = self.client.session
        session[seats.SESSION_SEATS] = holding(code, seat)
        session.save()
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        self.client.get(f"/t/{code}/")

    def send(self, url: str, form: dict[str, Any]) -> Cost:
        """Post a form as browsers do."""
        token = self.client.cookies[settings.CSRF_COOKIE_NAME].value
        body = urlencode({**form, "csrfmiddlewaretoken": token})
        return measured(lambda: self.client.post(url, body, content_type=FORM))


class Players:
    """A table, and a phone for each of its players."""

    def __init__(self, seed: int, game: str = "tmg") -> None:
        self.luck = random.Random(seed)
        mode, count = WAYS[game]
        names = dict(list(system(game).seat_names.items())[:count])
        match = play.open_match(game, mode, names, seed=f"bench-{seed}")
        self.code, self.version = match.code, match.version
        Seat.objects.filter(match=match).update(is_taken=True)
        self.phones = {seat: Phone(match.code, seat) for seat in names}

    def tap(self) -> Cost | None:
        """One tap, including the answer's board; None when the match is over."""
        state = storage.load(Match.objects.get(code=self.code)).state
        if state.result is not None:
            return None
        seat, action = random_play.tap(state, self.luck)
        form = {"action": action, "seat": seat, "seen": self.version, "key": play.new_key()}
        # No thumb is this fast; the limit on taps is not what is being measured.
        limits.TAPS.forget()
        cost = self.phones[seat].send(f"/t/{self.code}/act", form)
        assert cost.answer.status_code == 200, cost.answer.content[:500]
        self.version += 1
        return cost

    def nothing(self) -> Cost:
        """The floor: an empty answer to the same form, through the same middleware."""
        seat, phone = next(iter(self.phones.items()))
        form = {"action": "pass", "seat": seat, "seen": self.version, "key": play.new_key()}
        cost = phone.send("/empty", form)
        assert cost.answer.status_code == 204
        return cost


def measured(ask: Callable[[], Any]) -> Cost:
    count = 0

    def counted(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        nonlocal count
        # Opening a transaction is a statement on one kind of database and not on the other.
        count += not sql.startswith("BEGIN")
        return execute(sql, *args)

    with connection.execute_wrapper(counted):
        clock, core = time.perf_counter(), time.process_time()
        answer = ask()
        spent, worked = time.perf_counter() - clock, time.process_time() - core
    return Cost(spent * 1000, worked * 1000, count, answer)


def match_of(game: str, seed: int) -> tuple[Players, list[Cost], list[Cost]]:
    """A random match from first tap to end: its players, what each tap took, and what each floor took."""
    players, taps, least = Players(seed, game), [], []
    while (tap := players.tap()) is not None:
        taps.append(tap)
        # In between taps, so that both find the machine in the same state.
        least.append(players.nothing())
    return players, taps, least


def race(game: str) -> None:
    """Measure what the taps of a game take, over whole matches."""
    mode, count = WAYS[game]
    early, late, least = [], [], []
    for seed in range(MATCHES):
        _players, taps, floor = match_of(game, seed)
        early += taps[20 : 20 + PART]
        late += taps[-PART:]
        least += floor
    printer.title(
        f"{game} {mode}, {count} seats: a tap in milliseconds (aim: {AIM}, constant over the match)"
    )
    times(early, late, least)


def times(early: list[Cost], late: list[Cost], least: list[Cost]) -> None:
    """Print milliseconds and statements of taps: anything that grows with the match shows between the two."""
    for name, costs in (("an empty answer", least), ("early in a match", early), ("late in a match", late)):
        printer.line(f"{name}, by the clock", [cost.clock for cost in costs], [cost.clock for cost in least])
        printer.line(f"{name}, of a core", [cost.core for cost in costs], [cost.core for cost in least])
    core = [statistics.median(cost.core for cost in costs) for costs in (early, late)]
    print(f"  late / early, of a core: {core[1] / core[0]:.2f}")
    for name, costs in (("early", early), ("late", late)):
        statements = statistics.median(cost.statements for cost in costs)
        printer.figure(f"statements of a tap, {name}", statements, "", f"at most {STATEMENTS}")


def main() -> None:
    call_command("migrate", verbosity=0)
    spare_the_collector()
    for game in WAYS:
        race(game)


if __name__ == "__main__":
    main()
