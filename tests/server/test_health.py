"""A database that does not work: said at once in plain words, logged once, and pages can still be read."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import apsw
import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import (
    DatabaseError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from django.http import HttpResponse

from config import health
from config.data.sqlite import driver
from config.server import shell
from games.match import play
from games.people import seats
from games.people.sessions import WHICH, SessionStore
from games.web import database, refusals
from games.web.database import BROKEN, DISK, FULL, LOCKED, MIGRATIONS, READ_ONLY, UNREACHABLE, trouble
from games.web.request_rules import PlainWords
from tests.server.test_server import ask

SQLITE = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's own file")
BUSY = "The table is busy for a moment. Nothing was changed; please try again."
CANNOT_SAVE = "The server cannot save anything right now. Nothing was changed; please tell the organiser."


@pytest.fixture(autouse=True)
def _fresh():
    """Keep no answer of an earlier test, and nothing that it logged."""
    health._latest.forget()
    database.journal.logged.clear()
    yield
    health._latest.forget()
    database.journal.logged.clear()


@pytest.fixture
def lock(transactional_db):
    """Somebody else, who locks the database for as long as they like."""
    other = driver.connect(connection.settings_dict["NAME"])
    yield other
    if other.in_transaction:
        other.execute("ROLLBACK")
    other.close()


def failing(kind, cause):
    problem = kind("it failed")
    problem.__cause__ = cause
    return problem


def of_sqlite(code, kind=OperationalError):
    return failing(kind, apsw.exception_for(code))


def of_postgresql(state, kind=OperationalError):
    cause = Exception("it failed")
    cause.sqlstate = state
    return failing(kind, cause)


@pytest.mark.parametrize(
    ("problem", "wrong"),
    [
        (of_sqlite(5), LOCKED),
        (of_sqlite(261), LOCKED),
        (of_sqlite(8), READ_ONLY),
        (of_sqlite(1032), READ_ONLY),
        (of_sqlite(10), DISK),
        (of_sqlite(778), DISK),
        (of_sqlite(13), FULL),
        (of_sqlite(14), UNREACHABLE),
        (of_sqlite(1), BROKEN),
        (of_postgresql("53100"), FULL),
        (of_postgresql("25006", InternalError), READ_ONLY),
        (of_postgresql("55P03"), LOCKED),
        (of_postgresql("57014"), LOCKED),
        (of_postgresql("57P01"), UNREACHABLE),
        (of_postgresql("42P01", ProgrammingError), MIGRATIONS),
        (of_postgresql("42703", ProgrammingError), MIGRATIONS),
        (of_postgresql("42601", ProgrammingError), None),
        (of_sqlite(19, DatabaseError), None),
        (ValueError("a fault of ours"), None),
        (None, None),
    ],
)
def test_what_is_wrong_is_told_from_what_the_database_says(problem, wrong):
    assert trouble(problem) == wrong


def test_health(server):
    status, _, text = ask(server, path="/healthz")
    assert status == 200
    assert json.loads(text)["status"] == "ok"


@SQLITE
def test_a_locked_database_is_unhealthy_within_a_second_and_pages_are_still_read(server, lock, caplog):
    match = play.open_match("rps", "plain", {"red": "", "blue": ""})
    tokens = [seats.api_token(seat) for seat in match.seats.select_related("match")]
    lock.execute("BEGIN IMMEDIATE")

    def tap(n):
        body = json.dumps({"action": "throw:rock", "seen": 1, "key": f"key-{n:08}"})
        headers = {"Authorization": f"Bearer {tokens[n % 2]}", "Content_Type": "application/json"}
        return ask(server, "POST", f"/api/matches/{match.code}/act", body, **headers)

    with ThreadPoolExecutor(8) as threads:
        taps = [threads.submit(tap, n) for n in range(8)]
        time.sleep(0.3)
        began = time.monotonic()
        status, _, text = ask(server, path="/healthz")
        assert status == 503
        assert json.loads(text)["status"] == "locked"
        assert json.loads(text)["reason"] == "the database is locked by another process"
        assert ask(server, path=f"/t/{match.code}/")[0] == 200
        # Fast, although every tap waits for the lock.
        assert time.monotonic() - began < 3
        assert not any(one.done() for one in taps)
        lock.execute("ROLLBACK")
        assert {one.result()[0] for one in taps} <= {200, 409}
    health._latest.forget()
    assert ask(server, path="/healthz")[0] == 200
    told = [record.getMessage() for record in caplog.records if record.name == "games.web.database"]
    assert told == [
        "nothing can be saved: the database is locked by another process (database is locked)",
        "the database works again (it was: locked)",
    ]


@SQLITE
def test_a_database_that_nobody_may_write_is_unhealthy(client, db):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            answer = client.get("/healthz")
        finally:
            cursor.execute("PRAGMA query_only = 0")
    assert (answer.status_code, answer.json()["status"]) == (503, "read-only")


@SQLITE
def test_a_full_disk_is_unhealthy(client, db, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(database.shutil, "disk_usage", lambda _folder: usage(10**9, 10**9, 1000))
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (503, "full")
    assert answer.json()["reason"] == "the disk is full"


@SQLITE
def test_the_probe_writes_nothing_and_leaves_the_patience_as_it_was(transactional_db):
    with connection.cursor() as cursor:
        before = [cursor.execute(f"PRAGMA {name}").fetchone() for name in ("busy_timeout", "user_version")]
        number = cursor.execute("PRAGMA data_version").fetchone()
        other = driver.connect(connection.settings_dict["NAME"])
        changes = other.execute("PRAGMA data_version").fetchone()
        assert database.probe() is None
        assert other.execute("PRAGMA data_version").fetchone() == changes
        other.close()
        assert cursor.execute("PRAGMA data_version").fetchone() == number
        after = [cursor.execute(f"PRAGMA {name}").fetchone() for name in ("busy_timeout", "user_version")]
    assert after == before


def test_tables_that_are_not_up_to_date_are_unhealthy(client, db, monkeypatch):
    health.is_migrated.cache_clear()
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_targets: ["one"])
    answer = client.get("/healthz")
    health.is_migrated.cache_clear()
    assert (answer.status_code, answer.json()["status"]) == (503, "migrations")


def test_a_database_that_does_not_answer_is_unhealthy_in_time(server, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(shell, "HEALTH_SECONDS", 0.2)
    monkeypatch.setattr(health, "_wrong", lambda: go_on.wait(5) and None)
    try:
        status, headers, text = ask(server, path="/healthz")
        assert (status, json.loads(text)["status"]) == (503, "slow")
        assert headers["Content-Type"] == "application/json"
        assert ask(server)[0] == 200
    finally:
        go_on.set()


def test_however_many_ask_the_database_is_tried_once_a_second(client, db, monkeypatch):
    asked = []
    monkeypatch.setattr(health, "_wrong", lambda: asked.append(1))
    assert {client.get("/healthz").status_code for _one in range(5)} == {200}
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("code", "sentence", "seconds"), [(5, BUSY, "1"), (13, CANNOT_SAVE, "30"), (8, CANNOT_SAVE, "30")]
)
def test_who_tapped_is_told_the_truth(rf, code, sentence, seconds):
    # What earlier tests saved outside any request does not belong to this one.
    database.begin_request()
    refusal = PlainWords(HttpResponse).process_exception(rf.post("/"), of_sqlite(code))
    assert refusal.status_code == 503
    assert refusal["Retry-After"] == seconds
    assert sentence in refusal.content.decode()


def test_a_fault_of_ours_is_no_trouble_of_the_database(rf):
    assert PlainWords(HttpResponse).process_exception(rf.post("/"), DatabaseError("odd")) is None
    assert PlainWords(HttpResponse).process_exception(rf.post("/"), ValueError()) is None


@pytest.mark.parametrize("reason", ["", "Only judges can do this."])
def test_what_is_not_allowed_is_said_in_a_sentence(rf, reason):
    answer = refusals.forbidden(rf.post("/"), PermissionDenied(reason))
    assert answer.status_code == 403
    assert (reason or "This device is not allowed to do that.") in answer.content.decode()


def test_what_fails_after_the_view_is_a_pause_too(rf):
    """A session is saved when the page is ready."""
    try:
        raise of_sqlite(13)
    except OperationalError:
        assert refusals.fault(rf.post("/")).status_code == 503
    assert refusals.fault(rf.post("/")).status_code == 500


def test_a_session_that_cannot_be_stored_after_the_view_is_no_log_out(client, transactional_db):
    """The seat is taken by then. A phone that asks again with the page's key gets it."""
    match = play.open_match("rps", "plain", {"red": "A", "blue": "B"})
    path = f"/t/{match.code}/claim/red/{seats.link_secret(match.seats.get(key='red'))}"
    form, save = {"key": seats.new_key(), "name": "Ada"}, Session.save_base
    client.raise_request_exception = False

    def full(session, **options):
        if options.get("force_update"):
            raise of_sqlite(13)
        return save(session, **options)

    with mock.patch.object(Session, "save_base", full):
        answer = client.post(path, form)
    assert answer.status_code == 503
    assert database.UNSURE in answer.content.decode()
    assert match.seats.get(key="red").is_taken
    assert client.post(path, form).status_code == 302
    assert client.session["seats"] == {match.code: {WHICH: match.pk, "red": 1}}


@pytest.mark.parametrize(
    ("problem", "status", "is_traced"), [(of_sqlite(8), 503, False), (ValueError("odd"), 500, True)]
)
def test_only_a_fault_of_ours_leaves_its_traceback_in_the_log(
    client, transactional_db, monkeypatch, problem, status, is_traced
):
    """A database that is away for a minute fails in every request, but the log says so once."""
    match = play.open_match("rps", "plain", {"red": "A", "blue": "B"})
    client.post(f"/t/{match.code}/claim/red/{seats.link_secret(match.seats.get(key='red'))}")
    client.raise_request_exception = False
    records: list[logging.LogRecord] = []
    listening = logging.Handler()
    monkeypatch.setattr(listening, "emit", records.append)
    logger = logging.getLogger("django.request")
    logger.addHandler(listening)
    try:
        # Before the view, where no middleware hears about it.
        with mock.patch.object(seats, "phone", side_effect=problem):
            answer = client.post(f"/t/{match.code}/act", {"action": "throw:rock"})
    finally:
        logger.removeHandler(listening)
    assert answer.status_code == status
    assert [bool(record.exc_info) for record in records] == [is_traced]


def test_a_session_that_was_deleted_meanwhile_is_a_log_out(db):
    session = SessionStore()
    session["seats"] = {}
    session.create()
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()


@SQLITE
@pytest.mark.parametrize("path", ["/api/matches", "/new"])
def test_a_tap_that_finds_the_disk_full_says_so_and_changes_nothing(client, transactional_db, caplog, path):
    """SQLite itself reports it, because it may not use another page."""
    play.open_match("rps", "plain", {"red": "", "blue": ""})
    seats = [{"name": "A" * 40}, {"name": "B" * 40}]
    body = {"system": "tmg", "mode": "a-game-of-thrones", "seats": seats}
    with connection.cursor() as cursor:
        # Pages freed by earlier tests could still be used.
        cursor.execute("VACUUM")
        most = cursor.execute("PRAGMA max_page_count").fetchone()[0]
        cursor.execute("PRAGMA max_page_count = 1")
        try:
            with caplog.at_level(logging.ERROR, "games.web.database"):
                for _again in range(3):
                    if path == "/new":
                        answer = client.post(path, {"mode": "tmg/a-game-of-thrones", "name": "A" * 40})
                    else:
                        answer = client.post(path, json.dumps(body), content_type="application/json")
                    assert answer.status_code == 503
                    assert CANNOT_SAVE in answer.content.decode()
        finally:
            cursor.execute(f"PRAGMA max_page_count = {most}")
    if path != "/new":
        assert answer.json()["error"] == "cannot_save"
    told = [record.getMessage() for record in caplog.records if record.name == "games.web.database"]
    assert told == ["nothing can be saved: the disk is full (database or disk is full)"]
