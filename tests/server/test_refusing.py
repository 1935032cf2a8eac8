"""Anything wrong outside the program ends a command with one sentence that says what to do."""

from __future__ import annotations

import datetime
import errno
from types import SimpleNamespace

import apsw
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db import DatabaseError, IntegrityError, OperationalError, connection

from config import refusing, web_app
from config.data import databases
from config.https import certificates
from games.management.commands import play
from tests.server.test_settings import manage

SQLITE = pytest.mark.skipif(connection.vendor != "sqlite", reason="errors of SQLite")


def raising(problem):
    def command():
        raise problem

    return command


def of_sqlite(code, kind=OperationalError):
    problem = kind("it failed")
    problem.__cause__ = apsw.exception_for(code)
    return problem


def test_what_goes_well_says_nothing(capsys):
    assert refusing.exit_status(lambda: None) == 0
    assert capsys.readouterr() == ("", "")


@SQLITE
@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (ImproperlyConfigured("the key is short"), "Roundtable cannot start: the key is short"),
        (of_sqlite(apsw.SQLITE_BUSY), "Stop the other program"),
        (of_sqlite(apsw.SQLITE_FULL), "The disk is full: "),
        (of_sqlite(apsw.SQLITE_READONLY), "Give the file and its folder to whoever starts the program."),
        (of_sqlite(apsw.SQLITE_IOERR), "Look at the disk"),
        (of_sqlite(apsw.SQLITE_CANTOPEN), "ROUNDTABLE_DATA names its folder"),
        (OperationalError("no such table: games_match"), "run `manage.py prepare`: "),
        (OperationalError("no such column: mood"), "run `manage.py prepare`: "),
        (of_sqlite(apsw.SQLITE_CORRUPT, DatabaseError), "bring a backup back"),
        (of_sqlite(apsw.SQLITE_NOTADB, DatabaseError), "bring a backup back"),
        (OSError(errno.ENOSPC, "No space left on device", "/data/x"), "/data/x: No space left on device."),
    ],
)
def test_every_trouble_has_its_sentence(problem, sentence, capsys):
    assert refusing.exit_status(raising(problem)) == 1
    printed, said = capsys.readouterr()
    assert printed == ""
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("fault", [IntegrityError("UNIQUE"), OSError("no file is named"), KeyError("ours")])
def test_a_fault_of_ours_is_not_hidden(fault):
    with pytest.raises(type(fault)):
        refusing.exit_status(raising(fault))


def test_a_damaged_database_is_told_on_the_command_line(tmp_path):
    (tmp_path / "roundtable.sqlite3").write_bytes(b"no database at all" * 100)
    done = manage("migrate", ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "The database is damaged" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["import", "export", "tidy"])
def test_a_server_that_was_never_prepared_is_told_so(tmp_path, command):
    """People who move their tables here do this first."""
    file = tmp_path / "file.json"
    file.write_text(
        '{"format": "roundtable-everything", "format_version": 1}\n{"event": {"code": "ABCDEF"}}\n'
    )
    words = {"import": [str(file)], "export": ["--match", "K7QWXM"], "tidy": ["--days", "9"]}[command]
    done = manage(command, *words, ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "The tables are not up to date, run `manage.py prepare`: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_a_power_cut_left_is_no_key(tmp_path):
    key = databases.kept_key(tmp_path / "secret-key")
    assert databases.kept_key(tmp_path / "secret-key") == key
    (tmp_path / "secret-key").write_text(key[:20])
    # First the file goes: with it no command starts, and so none that brings a backup back.
    with pytest.raises(ImproperlyConfigured, match=r"is cut short\. Delete the file: .* bring a backup back"):
        databases.kept_key(tmp_path / "secret-key")


@pytest.mark.parametrize("years", [-3, 3])
def test_a_certificate_of_another_time_gets_a_sentence(settings, tmp_path, years):
    now = datetime.datetime.now(datetime.UTC)
    then = now + years * 365 * certificates.DAY
    signer = certificates._made(then)
    file = certificates.certificate(certificates.Authority(*signer), tmp_path, [], then)
    settings.CERTIFICATE, settings.CERTIFICATE_KEY = str(file), ""
    with pytest.raises(CommandError, match=r"is good from .* clock says .*Renew the certificate, or set"):
        certificates.prepared([])


def said(monkeypatch, capsys, year=2027, urls=("http://192.0.2.7:8000/",)):
    """What `play` prints when it starts in a given year."""
    told = datetime.datetime(year, 5, 1, tzinfo=datetime.UTC)
    monkeypatch.setattr(play, "datetime", SimpleNamespace(now=lambda _zone: told))
    play.Command().announce(web_app.Started(list(urls), ""))
    return capsys.readouterr().out


@pytest.mark.parametrize("year", [1980, 2099])
def test_a_clock_that_is_years_off_is_told_before_anybody_plays(monkeypatch, capsys, year):
    assert f"clock says {year}-05-01. Stop, set it" in said(monkeypatch, capsys, year)
    assert "clock" not in said(monkeypatch, capsys)


def test_no_network_is_told_with_what_to_do(monkeypatch, capsys):
    assert "join the Wi-Fi, then start again" in said(monkeypatch, capsys, urls=["http://localhost:8000/"])
    assert "Wi-Fi" not in said(monkeypatch, capsys)
