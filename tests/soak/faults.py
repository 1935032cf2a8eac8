"""A tap that meets trouble: a clear sentence, nothing half-written, and the same tap once it is over.

Trouble comes at every write and every sync of SQLite's file in turn, at every statement sent to PostgreSQL,
and from obstacles: a full disk, a read-only database, another program's lock, a clock that was set back. In
one more case the database saves a tap, but the phone that sent it never hears so.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any
from unittest import mock

from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from config.data.sqlite import driver
from games.core import system
from games.history import commits
from games.match import play, random_play, storage
from games.models import Match
from games.people import seats
from games.web import limits
from games.web.database import UNSURE
from tests.soak.disk import CANNOT_SYNC, CANNOT_WRITE, FULL, OK, READ_ONLY, Event, watched
from tests.soak.power import a_copy, tables
from tests.soak.report import Report, faults
from tests.trust.cast import Phone, sit

SENTENCES = (
    "The server cannot save anything right now. Nothing was changed; please tell the organiser.",
    "The table is busy for a moment. Nothing was changed; please try again.",
    UNSURE,
)


class Table:
    """Matches whose seats tap at random, repeating each tap until it is answered.

    Taps alternate between the API and the page, each of which has its own transactions.
    """

    def __init__(self, seed: int) -> None:
        self.luck, self.client = random.Random(seed), Client(raise_request_exception=False)
        self.played: list[Match] = []
        self.is_of_a_page = False
        self.begin()
        self.draw()

    def begin(self) -> None:
        """Start another match."""
        game = system("agot")
        names = dict(list(game.seat_names.items())[:3])
        self.match = play.open_match("agot", "light", names, seed=f"soak-{self.luck.random()}")
        chairs = list(self.match.seats.select_related("match"))
        self.tokens = {one.key: seats.api_token(one) for one in chairs}
        self.phones = {one.key: Phone() for one in chairs}
        for key, phone in self.phones.items():
            sit(phone, self.match, key)
            phone.ask("GET", f"/t/{self.match.code}/")
        self.match.refresh_from_db()
        self.played.append(self.match)

    def draw(self) -> None:
        """Choose the next tap, in another match if this one is over."""
        self.match.refresh_from_db()
        if self.match.result is not None:
            self.begin()
        self.seat, action = random_play.tap(storage.load(self.match).state, self.luck)
        self.body = {"action": action, "seen": self.match.version, "key": play.new_key()}
        self.is_of_a_page = not self.is_of_a_page

    def judge(self, report: Report) -> None:
        """Check that the rows and the logs of all its matches are sound."""
        for match in self.played:
            report.unless(not faults(match), f"{faults(match)}")
        self.played = [self.match]

    def tap(self) -> tuple[int, dict[str, Any]]:
        """Tap; returns the status of the answer, and what it says."""
        return self._by_page() if self.is_of_a_page else self._by_program()

    def _by_page(self) -> tuple[int, dict[str, Any]]:
        form = {**self.body, "seat": self.seat}
        headers = {"HX-Request": "true", "Accept-Language": "en"}
        answer = self.phones[self.seat].post(f"/t/{self.match.code}/act", form, headers=headers)
        said = re.search(r'role="alert">([^<]+)<', answer.content.decode())
        return answer.status_code, {
            "message": said and unescape(said[1]),
            "replayed": "Idempotent-Replay" in answer,
        }

    def _by_program(self) -> tuple[int, dict[str, Any]]:
        answer = self.client.post(
            f"/api/matches/{self.match.code}/act",
            json.dumps(self.body),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.tokens[self.seat]}", "Accept-Language": "en"},
        )
        return answer.status_code, answer.json()


Trouble = Callable[[], Any]
"""A context in which nothing can be saved."""


def refused(table: Table, trouble: Trouble, name: str, report: Report) -> bool:
    """Tap in this trouble; returns whether it was refused. What it left is checked when that is over."""
    limits.TAPS.forget()
    before = rows()
    with trouble():
        status, told = table.tap()
    if status == 200:
        return False
    report.count("taps refused")
    report.unless(status == 503, f"{name}: {status}")
    report.unless(told.get("message") in SENTENCES, f"{name}: {told}")
    table.match.refresh_from_db()
    known = storage.recall(table.match)
    report.unless(
        known is None or known.state == storage.load(table.match).state, f"{name}: a stale board is kept"
    )
    if rows() != before:
        report.unless(told.get("message") == UNSURE, f"{name}: told that nothing was changed, {told}")
        after_all(table, name, report)
    return True


def after_all(table: Table, name: str, report: Report) -> None:
    """The tap was saved although the file could not say so: all of it is there, and a repeat hears so."""
    report.count("saved all the same")
    status, told = table.tap()
    report.unless(status == 200 and told["replayed"], f"{name}: half a tap, {status} {told}")
    table.draw()


def then_done(table: Table, name: str, report: Report) -> None:
    """The trouble is over: the same tap is carried out, once."""
    status, told = table.tap()
    report.unless(status == 200, f"{name}: still refused, {told}")
    report.unless(not told.get("replayed"), f"{name}: it was done before")
    report.count("taps confirmed")
    table.draw()


def rows() -> list[Any]:
    """Everything that a tap may change."""
    found = []
    with connection.cursor() as cursor:
        for name in tables():
            cursor.execute(f"SELECT * FROM {name} ORDER BY id")
            found.append(cursor.fetchall())
    return found


# --- SQLite ---------------------------------------------------------------------------------------


class Failing:
    """From a chosen one on, every write (or sync, or write that needs more room) fails."""

    def __init__(self) -> None:
        self.answer, self.left = OK, 0

    def __call__(self, event: Event) -> int:
        if self.answer == OK or not self._concerns(event):
            return OK
        self.left -= 1
        return self.answer if self.left < 0 else OK

    def _concerns(self, event: Event) -> bool:
        if self.answer == CANNOT_SYNC:
            return event.what == "sync"
        if event.what != "write":
            return False
        size = Path(event.path).stat().st_size
        return self.answer != FULL or event.number + len(event.data) > size

    @contextmanager
    def from_the(self, number: int, answer: int) -> Iterator[None]:
        self.answer, self.left = answer, number
        try:
            yield
        finally:
            self.answer = OK


NAMES = {FULL: "full", CANNOT_WRITE: "writes fail", CANNOT_SYNC: "syncs fail", READ_ONLY: "read-only"}


def on_a_failing_disk(taps: int, report: Report) -> None:
    """Repeat every tap, with each of its writes and syncs in turn the first to fail."""
    failing = Failing()
    # A failing disk closes no file, so the copy is closed while the watch lasts.
    with watched(failing), a_copy({}):
        table = Table(taps)
        for _tap in range(taps):
            for answer, name in NAMES.items():
                number = 0
                while refused(table, lambda n=number, a=answer: failing.from_the(n, a), name, report):
                    number += 1
                table.draw()
            table.judge(report)


@contextmanager
def another_program(begin: str) -> Iterator[None]:
    """Another program holds the file; we wait only for a moment."""
    with closing(driver.connect(connection.settings_dict["NAME"])) as other:
        other.execute(begin)
        with told("PRAGMA busy_timeout = 50", "PRAGMA busy_timeout = 5000"):
            yield
        other.execute("ROLLBACK")


@contextmanager
def told(first: str, last: str) -> Iterator[None]:
    """Tell the database something, and the opposite afterwards."""
    with connection.cursor() as cursor:
        cursor.execute(first)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(last)


# --- PostgreSQL -----------------------------------------------------------------------------------

FILL = """
CREATE OR REPLACE FUNCTION soak_full() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER soak_full BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION soak_full()
"""


@contextmanager
def no_room_in(table: str) -> Iterator[None]:
    """The disk is full where this table grows."""
    with told(FILL.format(table=table), f"DROP TRIGGER soak_full ON {table}"):
        yield


@contextmanager
def a_row_is_held(code: str) -> Iterator[None]:
    """Another program has locked the match."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM games_match WHERE code = %s FOR UPDATE", [code])
        with told("SET lock_timeout = '50ms'", "SET lock_timeout = '5s'"):
            yield
    finally:
        other.close()


@contextmanager
def gone_at_statement(number: int) -> Iterator[None]:
    """The database hangs up before the statement with this number."""
    left = [number]

    def asked(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        left[0] -= 1
        if left[0] == -1:
            other = connection.copy()
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
            other.close()
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(asked):
        yield
    connection.close()


def without_its_server(taps: int, report: Report) -> None:
    """Repeat every tap, with the database gone at each of its statements in turn."""
    table = Table(taps)
    for _tap in range(taps):
        number = 0
        while refused(table, lambda n=number: gone_at_statement(n), "gone", report):
            number += 1
        table.draw()
        for name in tables():
            if refused(table, lambda name=name: no_room_in(name), f"no room in {name}", report):
                then_done(table, name, report)
        table.judge(report)


# --- either ---------------------------------------------------------------------------------------


@contextmanager
def clock_set_back(**by: float) -> Iterator[None]:
    """The machine's clock shows an earlier time."""
    real, seconds, back = timezone.now, time.time, timedelta(**by)
    with (
        mock.patch("django.utils.timezone.now", side_effect=lambda: real() - back),
        mock.patch("time.time", side_effect=lambda: seconds() - back.total_seconds()),
    ):
        yield


def in_the_way(match: Match) -> dict[str, Trouble]:
    """Troubles that keep every tap from being saved."""
    if connection.vendor == "sqlite":
        return {
            "locked": lambda: another_program("BEGIN IMMEDIATE"),
            "locked for readers too": lambda: another_program("BEGIN EXCLUSIVE"),
            "read-only": lambda: told("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
        }
    return {
        "locked": lambda: a_row_is_held(match.code),
        "read-only": lambda: told(
            "SET default_transaction_read_only = on", "SET default_transaction_read_only = off"
        ),
    }


@contextmanager
def unheard() -> Iterator[None]:
    """The database saves, and is gone before it can say so."""
    commit = connection._commit

    def lost() -> None:
        commit()
        raise OperationalError("it is not there any more")

    with mock.patch.object(connection, "_commit", lost):
        yield


def saved_unheard(table: Table, report: Report) -> None:
    """When the tap was saved, neither the API nor the page says that nothing was changed."""
    for number in (1, 2):
        refused(table, unheard, "unheard", report)
        report.unless(report.figures.get("saved all the same") == number, "unheard: it was not saved")


def with_an_odd_clock(table: Table, report: Report) -> None:
    """While the clock is set back and forth, taps go on in order, and pages are drawn."""
    for by in ({"hours": 1}, {"days": 400}, {"days": -1}, {"seconds": 1}):
        with clock_set_back(**by):
            then_done(table, f"clock set back by {by}", report)
            for page in ("", "history"):
                answer = table.client.get(f"/t/{table.match.code}/{page}")
                report.unless(answer.status_code == 200, f"a clock set back: {answer.status_code} {page}")
    report.unless(not faults(table.match), f"a clock set back: {faults(table.match)}")


BREAKS = {"sure": lambda: mock.patch.object(commits, "begin_saving")}
"""Broken on purpose: nobody notes that a commit has begun, so every refusal says that nothing was changed."""


def run(taps: int, broken: str = "") -> Report:
    """Try the obstacles; then a number of taps, with something wrong at each write, sync or statement.

    `broken` names what is broken on purpose.
    """
    # All rows are compared around each refusal: those of earlier experiments would make it take hours.
    Match.objects.all().delete()
    report, table = Report(), Table(0)
    with BREAKS.get(broken, nullcontext)():
        saved_unheard(table, report)
    if not broken:
        with_trouble(table, taps, report)
    return report


def with_trouble(table: Table, taps: int, report: Report) -> None:
    """Try everything that keeps a tap from being saved."""
    for name, trouble in in_the_way(table.match).items():
        report.unless(refused(table, trouble, name, report), f"{name}: it was done")
        then_done(table, name, report)
    with_an_odd_clock(table, report)
    if connection.vendor == "sqlite":
        on_a_failing_disk(taps, report)
    else:
        without_its_server(taps, report)
