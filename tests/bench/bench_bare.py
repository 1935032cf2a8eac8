"""What is left of a tap when nothing is worked out: its statements, its commit and its board, sent again.

No rules, no log, no drawing: however fast those become, a tap costs at least this much.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import bench_taps, empty, printer  # noqa: E402 - the first sets Django up

# isort: split
from django.core.management import call_command  # noqa: E402
from django.core.signals import request_started  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.decorators.http import require_POST  # noqa: E402

from config.data.sqlite import driver  # noqa: E402
from config.server.shell import spare_the_collector  # noqa: E402

WARM_UP, TAPS = 20, 120
SEED = 77
EMPTY, BARE, TAP = "an empty answer", "a tap with nothing worked out", "a tap"


class Recorder:
    """Hears the statements of each request; sends those of the last tap again, to a copy of the database."""

    def __init__(self, file: Path) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.statements: list[tuple[str, Any]] = []
        self.board = b""
        connection.ensure_connection()
        self.copy = driver.connect(file)
        driver.copy(connection.connection, self.copy)
        for command in connection.init_commands:
            self.copy.execute(command)
        connection.connection.set_exec_trace(self.hear)
        request_started.connect(self.begin)

    def begin(self, **_signal: object) -> None:
        self.heard = []

    def hear(self, _cursor: object, sql: str, values: Any) -> bool:
        self.heard.append((sql, values))
        return True

    def keep(self, answer: HttpResponse) -> None:
        """Keep what was heard since the request began, and the board that was its answer."""
        self.statements, self.board = self.heard, gzip.decompress(answer.content)

    def again(self, request: HttpRequest) -> HttpResponse:
        """Read the form, send the statements, and answer with the board, packed as every answer is."""
        request.POST.get("action")
        for sql, values in self.statements:
            self.copy.execute(sql, values).fetchall()
        return HttpResponse(self.board)

    def copied(self) -> bool:
        """Whether the copy holds the same log as the database."""
        log = "SELECT match_id, version, hash FROM games_entry ORDER BY id"
        return self.copy.execute(log).fetchall() == connection.connection.execute(log).fetchall()


def race(game: str) -> None:
    """Play taps; after each, measure an empty answer, and the same tap with nothing worked out."""
    players = bench_taps.Players(SEED, game)
    for _tap in range(WARM_UP):
        players.tap()
    recorder = Recorder(Path(os.environ["ROUNDTABLE_DATA"]) / f"{game}.sqlite3")
    empty.urlpatterns.append(path(f"again/{game}", require_POST(recorder.again)))
    phone = next(iter(players.phones.values()))
    found: dict[str, list[float]] = {EMPTY: [], BARE: [], TAP: []}
    for _tap in range(TAPS):
        tap = players.tap()
        assert tap is not None, "the match is too short to be measured"
        recorder.keep(tap.answer)
        again = phone.send(f"/again/{game}", {"action": "pass"})
        found[EMPTY].append(players.nothing().core)
        found[BARE].append(again.core)
        found[TAP].append(tap.core)
    assert recorder.copied(), "the copy does not hold what the taps have written"
    printer.title(f"{game}: milliseconds of a core, where the floor is an empty answer")
    for name, costs in found.items():
        printer.line(name, costs, found[EMPTY])


def main() -> None:
    call_command("migrate", verbosity=0)
    spare_the_collector()
    for game in bench_taps.WAYS:
        race(game)


if __name__ == "__main__":
    main()
