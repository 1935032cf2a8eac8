"""Phones that watch a table, on good lines and bad: how stale what they show is, and that all agree.

A phone keeps a stream as a page does, and when the stream breaks it comes back with the version that it
shows. In the first half the lines are good; in the second each is now and then held up for up to a second, or
cut. What counts is the time from the answer to a tap until a phone shows it.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from games.match import play
from tests.several.phones import Listening, Player, table
from tests.several.wire import Wire
from tests.soak.fork_server import Forked
from tests.soak.report import Report

LINES, PHONES_A_LINE, FEW_PHONES_A_LINE = 4, 5, 1
GOOD_SECONDS, BAD_SECONDS = 2.0, 5.0
"""The longest that a phone with a good line may be behind, and one with a bad line."""
PATIENCE_SECONDS = 20.0
"""After this long an update counts as lost."""
BACK_SECONDS = 0.3
"""After this long a page opens its stream again."""
FEW = 50
"""Fewer taps than this say nothing about times."""


class Phone:
    """A phone that watches the table, through its own line or a shared one."""

    def __init__(self, port: int, player: Player | None, code: str) -> None:
        self.port, self.code = port, code
        self.held = [(player.key, player.epoch)] if player else []
        self.version, self.board, self.went_back, self.opened = 0, "", False, 0
        self.is_over = False
        self.stream: Listening | None = None
        self.thread = threading.Thread(target=self._live, daemon=True)
        self.thread.start()

    def _live(self) -> None:
        while not self.is_over:
            with suppress(OSError, http.client.HTTPException):
                self.stream = Listening(self.port, self.code, self.held, seen=self.version)
                self.opened += 1
                while not (self.stream.has_ended or self.is_over):
                    time.sleep(0.005)
                    self._look(self.stream)
                self._look(self.stream)
                self.stream.close()
            time.sleep(BACK_SECONDS)

    def _look(self, stream: Listening) -> None:
        if stream.versions:
            newest, board = stream.versions[-1], stream.boards[-1]
            self.went_back |= newest < self.version
            self.version, self.board = newest, board

    def close(self) -> None:
        self.is_over = True
        self.thread.join(10)


def run(taps: int, broken: str = "") -> Report:
    """Make a number of taps, half over bad lines. `broken="deaf"`: the streams never hear about them."""
    report, luck = Report(), random.Random(taps)
    a_line = PHONES_A_LINE if taps >= FEW else FEW_PHONES_A_LINE
    served, wires, phones = Forked(broken or "patient"), list[Wire](), list[Phone]()
    try:
        served.start()
        match, players = table("tmg", "a-game-of-thrones")
        wires += [Wire(f"http://127.0.0.1:{served.port}") for _line in range(LINES)]
        seats = [players["red"], players["blue"], *[None] * (LINES * a_line - 2)]
        phones += [Phone(wires[n % LINES].port, seat, match.code) for n, seat in enumerate(seats)]
        everybody_has(1, phones)
        good = tap_and_look(served.port, players, phones, taps // 2, luck)
        with bad_lines(wires, luck):
            bad = tap_and_look(served.port, players, phones, taps - taps // 2, luck)
        last = max(phone.version for phone in phones)
        everybody_has(last, phones)
    finally:
        for phone in phones:
            phone.close()
        for wire in wires:
            wire.close()
        served.close()
    report.count("taps", taps)
    report.count("streams", sum(phone.opened for phone in phones))
    judge(report, phones, good, bad, is_timed=taps >= FEW)
    return report


def judge(
    report: Report, phones: list[Phone], good: list[float], bad: list[float], *, is_timed: bool
) -> None:
    """Check what everybody shows in the end, and how stale it was on the way."""
    report.count("phones", len(phones))
    report.unless(not any(phone.went_back for phone in phones), "an older board came after a newer one")
    for held in {str(phone.held) for phone in phones}:
        boards = {phone.board for phone in phones if str(phone.held) == held}
        report.unless(len(boards) == 1, f"{len(boards)} boards where one should be")
    for line, waits, most in (("good", good, GOOD_SECONDS), ("bad", bad, BAD_SECONDS)):
        waits.sort()
        for what, place in (("p50", 0.5), ("p99", 0.99), ("most", 1.0)):
            place_of = min(len(waits) - 1, int(place * len(waits)))
            report.count(f"ms on {line} lines, {what}", round(1000 * waits[place_of]))
        late = sum(wait > (most if is_timed else PATIENCE_SECONDS) for wait in waits)
        report.unless(not late, f"{late} times a phone on a {line} line was behind for too long")


def tap_and_look(
    port: int, players: dict[str, Player], phones: list[Phone], taps: int, luck: random.Random
) -> list[float]:
    """Tap at a human pace; returns, for each tap and phone, the seconds until it was shown."""
    waits: list[float] = []
    for number in range(taps):
        body = {"path": "army/red", "action": f"hand-bonus:red:{(-1) ** number}", "key": play.new_key()}
        status, told = players["red"].ask(port, "/adjust", body)
        assert status == 200, told
        waits += everybody_has(told["version"], phones)
        time.sleep(luck.uniform(0, 0.2))
    return waits


def everybody_has(version: int, phones: list[Phone]) -> list[float]:
    """Wait, for a while, until all show this version; returns how many seconds each took."""
    began, waits, left = time.monotonic(), [], list(phones)
    while left and time.monotonic() - began <= PATIENCE_SECONDS:
        there = [phone for phone in left if phone.version >= version]
        waits += [time.monotonic() - began] * len(there)
        left = [phone for phone in left if phone not in there]
        time.sleep(0.001)
    return waits + [PATIENCE_SECONDS + 1] * len(left)


@contextmanager
def bad_lines(wires: list[Wire], luck: random.Random) -> Iterator[None]:
    """Hold up one line after another for a moment, or cut it."""
    is_over = threading.Event()

    def trouble() -> None:
        while not is_over.wait(luck.uniform(0, 0.5)):
            wire = luck.choice(wires)
            if luck.random() < 0.3:
                wire.cut()
            else:
                wire.hold()
            is_over.wait(luck.uniform(0, 1))
            wire.mend()

    thread = threading.Thread(target=trouble, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
