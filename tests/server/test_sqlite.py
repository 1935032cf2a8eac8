"""SQLite through a driver that brings its own library: what Django and its users rely on."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)
from django.db.models import StdDev, Variance
from django.db.utils import ConnectionHandler

from config.data.sqlite import base, driver
from games.models import Match

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
ROOT = Path(__file__).resolve().parents[2]


def test_sqlite_comes_with_the_program_and_is_free_of_the_bug(db):
    with connection.cursor() as cursor:
        [(version,)] = cursor.execute("SELECT sqlite_version()").fetchall()
    assert version == driver.sqlite_version
    assert connection.get_database_version() == driver.sqlite_version_info >= (3, 51, 3)


def test_pythons_module_still_lets_another_driver_open_the_database(tmp_path):
    """Whatever is its option `factory` is called, with all that Django asks for, and its answer handed on."""
    asked = {**connection.get_connection_params(), "database": tmp_path / "db"}
    with closing(sqlite3.connect(**asked)) as opened:
        assert type(opened) is driver.Connection
        assert opened.writers is driver.writers[str(tmp_path / "db")]


def test_one_library_opens_the_database():
    """Closing a file in one library releases the locks that another library in the process holds on it."""
    importing = re.compile(r"^\s*(import|from) (_?sqlite3|apsw)\b", re.M)
    found = {
        str(file.relative_to(ROOT))
        for folder in ("config", "games")
        for file in (ROOT / folder).rglob("*.py")
        if importing.search(file.read_text("utf-8"))
    }
    # The second one only touches its own file.
    assert found == {"config/data/sqlite/driver.py", "config/server/starting.py"}


def test_no_row_may_belong_to_a_row_that_is_not_there():
    """SQLite looks at this only where it is told to, by each connection anew."""
    asked = {**connection.get_connection_params(), "database": ":memory:"}
    with closing(connection.get_new_connection(asked)) as database:
        database.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
        database.execute("CREATE TABLE child (parent INTEGER REFERENCES parent)")
        with pytest.raises(driver.IntegrityError):
            database.execute("INSERT INTO child VALUES (1)")


@pytest.mark.parametrize(
    ("sql", "values", "kind"),
    [
        ("SELECT nothing", (), OperationalError),
        ("SELECT ?", (), ProgrammingError),
        ("SELECT %s", (1, 2), ProgrammingError),
        ("INSERT INTO games_match (id) VALUES (%s)", (1,), IntegrityError),
        ("SELECT zeroblob(2000000000)", (), DataError),
        ("SELECT sum(9223372036854775807) FROM (SELECT 1 UNION ALL SELECT 2)", (), OperationalError),
    ],
)
def test_what_goes_wrong_has_the_name_that_django_gives_it(db, sql, values, kind):
    with transaction.atomic(), connection.cursor() as cursor, pytest.raises(kind) as caught:
        cursor.execute(sql, values)
    assert type(caught.value) is kind
    assert isinstance(caught.value.__cause__, apsw.Error)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        *((code, OperationalError) for code in (1, 3, 4, 5, 6, 8, 9, 10, 13, 14, 15, 16, 17)),
        *((code, IntegrityError) for code in (19, 20)),
        *((code, DatabaseError) for code in (11, 26)),
        (18, DataError),
    ],
)
def test_each_answer_of_sqlite_is_the_error_that_pythons_module_makes_of_it(code, kind):
    with pytest.raises(kind) as caught, connection.wrap_database_errors:
        raise apsw.exception_for(code)
    assert type(caught.value) is kind


def opened(count):
    """A number of matches, each with its number as its version."""
    rows = [Match(system="rps", mode="game", code=f"M{number}", version=number) for number in range(count)]
    return Match.objects.bulk_create(rows)


def test_rows_are_counted_as_they_are_changed(db):
    opened(3)
    assert Match.objects.update(round=1) == 3
    assert Match.objects.filter(version=2).update(round=2) == 1
    assert Match.objects.filter(code="nobody").update(round=3) == 0
    assert Match.objects.filter(round=1).delete()[0] == 2


def test_a_new_row_has_its_key_either_way(db):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE kept (it INTEGER PRIMARY KEY, words TEXT)")
        cursor.execute("INSERT INTO kept (it, words) VALUES (%s, %s)", [7, "seven"])
        assert (cursor.lastrowid, cursor.rowcount) == (7, 1)
        cursor.execute("INSERT INTO kept (words) VALUES (%s) RETURNING it", ["eight"])
        assert cursor.fetchone() == (8,)


def test_values_are_put_in_by_place_and_by_name(db):
    with connection.cursor() as cursor:
        assert cursor.execute("SELECT %s, '%%s'", ["a"]).fetchall() == [("a", "%s")]
        assert cursor.execute("SELECT %(b)s, %(a)s", {"a": 1, "b": 2}).fetchall() == [(2, 1)]
        assert cursor.execute("SELECT '%s'").fetchall() == [("%s",)]
        cursor.execute("CREATE TEMP TABLE kept (it)")
        cursor.executemany("INSERT INTO kept VALUES (%s)", [[1], [2], [3], [4], [5]])
        cursor.execute("SELECT it FROM kept ORDER BY it")
        assert [cursor.fetchmany(2), cursor.fetchone(), cursor.fetchmany(9), cursor.fetchmany(9)] == [
            [(1,), (2,)],
            (3,),
            [(4,), (5,)],
            [],
        ]


def test_long_answers_come_in_parts(db):
    opened(250)
    found = Match.objects.order_by("pk").iterator(chunk_size=100)
    assert [match.version for match in found] == list(range(250))


def test_what_django_adds_to_sqlite_is_there(db):
    opened(5)
    told = Match.objects.aggregate(one=StdDev("version"), other=Variance("version", sample=True))
    assert told == {"one": pytest.approx(2**0.5), "other": pytest.approx(2.5)}
    assert Match.objects.filter(code__regex=r"^M[13]$").count() == 2
    assert Match.objects.filter(created_at__year__gt=2000, code__icontains="m4").count() == 1


@pytest.mark.django_db(transaction=True)
def test_transactions_are_begun_and_ended_by_hand_too():
    transaction.set_autocommit(False)
    Match.objects.create(system="rps", code="AAAAAA", mode="game")
    transaction.rollback()
    Match.objects.create(system="rps", code="BBBBBB", mode="game")
    transaction.commit()
    transaction.rollback()
    transaction.set_autocommit(True)
    assert list(Match.objects.values_list("code", flat=True)) == ["BBBBBB"]
    connection.connection.commit()
    connection.connection.rollback()


def test_a_locked_file_is_waited_for_and_no_longer(tmp_path):
    file = tmp_path / "db"
    with closing(driver.connect(file)) as one, closing(driver.connect(file, timeout=0.02)) as other:
        assert other.execute("PRAGMA busy_timeout").fetchone() == (20,)
        one.execute("CREATE TABLE kept (it)")
        one.execute("BEGIN EXCLUSIVE")
        with pytest.raises(driver.OperationalError) as caught:
            other.execute("INSERT INTO kept VALUES (1)")
        assert caught.value.result == apsw.SQLITE_BUSY
        with pytest.raises(driver.OperationalError):
            driver.copy(one, other)
        one.commit()
        other.execute("INSERT INTO kept VALUES (1)")
        assert one.execute("SELECT it FROM kept").fetchall() == [(1,)]


def test_a_copy_holds_what_was_there(tmp_path):
    with closing(driver.connect(tmp_path / "one")) as one, closing(driver.connect(tmp_path / "two")) as two:
        one.execute("PRAGMA journal_mode=WAL")
        one.execute("CREATE TABLE kept (it)")
        one.execute("INSERT INTO kept VALUES (1)")
        two.execute("CREATE TABLE other (it)")
        driver.copy(one, two)
        assert two.execute("SELECT it FROM kept").fetchall() == [(1,)]


def test_a_database_of_before_is_taken_over(db, tmp_path):
    file = tmp_path / "db"
    with closing(driver.connect(file)) as before:
        before.execute("PRAGMA journal_mode=TRUNCATE")
        before.execute("CREATE TABLE kept AS SELECT 'a tap' AS it")
    now = ConnectionHandler({"default": {**connection.settings_dict, "NAME": str(file)}})["default"]
    with closing(now), now.cursor() as cursor:
        assert cursor.execute("SELECT it FROM kept").fetchall() == [("a tap",)]
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_statement_is_converted_once(monkeypatch):
    base._converted.cache_clear()
    for _again in range(3):
        assert base.converted("SELECT %s, 'a%%'", ["x"]) == "SELECT ?, 'a%'"
    assert base._converted.cache_info().misses == 1
