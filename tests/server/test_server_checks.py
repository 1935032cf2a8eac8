"""`check --deploy` says in plain words what a server lacks, and nothing if it lacks nothing."""

from __future__ import annotations

import os
import re
from collections import namedtuple
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.db import NotSupportedError, OperationalError, connection

from config import checks, status
from config.server import starting
from tests.server.test_settings import PRODUCTION, manage

ROOT = Path(__file__).parents[2]
FEW = namedtuple("usage", "total used free")


@pytest.fixture
def server_like(settings, tmp_path, monkeypatch, db):
    """A server that lacks nothing."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    settings.PRODUCTION, settings.LAN, settings.TRUSTED_PROXY_HOPS = True, False, 1
    settings.DATA_DIR, settings.METRICS_TOKEN = folder, "a-long-token-of-the-server"
    get_user_model().objects.create_superuser("olenna", password="thorns-and-roses")
    settings.SECOND_FACTOR = True
    monkeypatch.setattr(status, "newest_backup", lambda _folder: datetime.now(UTC) - timedelta(hours=9))
    monkeypatch.setattr(checks.os, "cpu_count", lambda: 1)
    # A database that is thrown away after the tests need not survive a power cut.
    monkeypatch.setattr(checks, "DURABLE", [])
    monkeypatch.setattr(checks.shell, "open_files", lambda: 65536)
    usage = FEW(10**12, 0, 10**12)
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _folder: usage)
    return settings


def lacks() -> list[str]:
    return [message.id.rpartition(".")[2] for message in checks.check_server()]


def the_only_one() -> str:
    (message,) = checks.check_server()
    assert message.hint
    return f"{message.id} {message.msg} {message.hint}"


def test_a_server_that_lacks_nothing_is_left_alone(server_like):
    assert lacks() == []


def test_the_settings_of_a_laptop_are_none_of_a_server(server_like):
    server_like.LAN, server_like.PRODUCTION = True, False
    assert re.search(r"E010 .*laptop.*ROUNDTABLE_HOSTS=.*ROUNDTABLE_SECRET_KEY=", the_only_one())


def test_a_server_without_a_proxy_leads_nowhere(server_like):
    server_like.TRUSTED_PROXY_HOPS = 0
    assert "ROUNDTABLE_TRUSTED_PROXY_HOPS=1" in the_only_one()


def test_data_that_cannot_be_written(server_like, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    server_like.DATA_DIR = tmp_path / "file" / "data"
    assert "E013 The folder" in the_only_one()
    server_like.DATA_DIR = tmp_path / "not" / "there" / "yet"
    assert lacks() == []
    monkeypatch.setattr(checks.os, "access", lambda *_asked: False)
    assert lacks() == ["E013"]


@pytest.mark.skipif(os.name != "posix", reason="about POSIX permissions")
def test_data_that_others_can_read(server_like):
    server_like.DATA_DIR.chmod(0o750)
    assert f"chmod 700 {server_like.DATA_DIR}" in the_only_one()


def test_a_disk_that_is_nearly_full(server_like, monkeypatch):
    usage = FEW(10**12, 0, 300 * 1024**2)
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _folder: usage)
    assert "has 300 MB left" in the_only_one()


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (NotSupportedError("PostgreSQL 14 or later is required (found 11)"), "E016 .*14 or later.*newer"),
        (OperationalError("connection refused\n"), "E017 .*connection refused DATABASE_URL="),
    ],
)
def test_a_database_that_does_not_do(server_like, monkeypatch, problem, sentence):
    def refuse():
        raise problem

    monkeypatch.setattr(checks, "connection", SimpleNamespace(ensure_connection=refuse))
    assert re.search(sentence, the_only_one())


def test_tables_of_another_version(server_like, monkeypatch):
    monkeypatch.setattr(checks.health, "is_migrated", lambda: False)
    assert "roundtable manage prepare" in the_only_one()


def test_nobody_who_could_mend_a_table(server_like):
    get_user_model().objects.update(is_active=False)
    assert "roundtable manage createsuperuser" in the_only_one()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
def test_more_cores_than_sqlite_uses(server_like, monkeypatch):
    monkeypatch.setattr(checks.os, "cpu_count", lambda: 4)
    assert re.search(r"I020 .*one of the 4 cores.*--processes", the_only_one())


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL")
def test_too_few_connections_for_every_core(server_like, monkeypatch):
    monkeypatch.setattr(checks.os, "cpu_count", lambda: 64)
    assert "max_connections = 714" in the_only_one()
    monkeypatch.setattr(checks.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(checks.time, "time", lambda: 0.0)
    assert re.search(r"W025 .*seconds apart", the_only_one())


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL")
def test_a_database_that_confirms_too_early(server_like, monkeypatch):
    monkeypatch.setattr(checks, "DURABLE", ["synchronous_commit"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = on")
        assert lacks() == []
        cursor.execute("SET LOCAL synchronous_commit = off")
    assert re.search(r"W029 .*synchronous_commit = off\. synchronous_commit = on in", the_only_one())


def test_static_files_of_another_version(server_like, tmp_path):
    server_like.STATIC_ROOT = tmp_path
    assert "E022" in the_only_one()
    (tmp_path / starting.STAMP).write_text(starting.source_digest())
    assert lacks() == []
    (tmp_path / starting.STAMP).write_text("of yesterday")
    assert lacks() == ["E022"]


@pytest.mark.parametrize(
    ("made", "sentence"),
    [(None, "There is no backup"), (datetime(2026, 1, 2, tzinfo=UTC), "was made on 2026-01-02")],
)
def test_a_backup_that_is_missing_or_old(server_like, monkeypatch, made, sentence):
    monkeypatch.setattr(status, "newest_backup", lambda _folder: made)
    assert sentence in the_only_one()


@pytest.mark.parametrize("year", [1999, 2090])
def test_a_clock_that_is_years_off(server_like, monkeypatch, year):
    class Then(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(year, 5, 1, tzinfo=tz)

    monkeypatch.setattr(checks, "datetime", Then)
    monkeypatch.setattr(status, "newest_backup", lambda _folder: Then.now(UTC))
    assert f"E024 This machine's clock says {year}-05-01. Set it" in the_only_one().replace("roundtable.", "")


def test_few_open_files(server_like, monkeypatch):
    monkeypatch.setattr(checks.shell, "open_files", lambda: 1024)
    assert re.search(r"W026 .*824 phones.*LimitNOFILE=65536", the_only_one())


def test_a_token_that_can_be_guessed(server_like):
    server_like.METRICS_TOKEN = "guess"
    assert "W027" in the_only_one()
    server_like.METRICS_TOKEN = ""
    assert lacks() == []


def test_a_password_alone_is_remarked_on(server_like):
    server_like.SECOND_FACTOR = False
    assert "I028" in the_only_one()


def test_every_setting_of_a_hint_is_one():
    source = (ROOT / "config" / "checks.py").read_text(encoding="utf-8")
    table = (ROOT / "config" / "settings.py").read_text(encoding="utf-8").split('"""')[1]
    told = set(re.findall(r"ROUNDTABLE_\w+|DATABASE_URL", source))
    assert len(told) > 8
    assert {name for name in told if f"`{name}" not in table} == set()


def test_a_laptop_is_told_on_the_command_line(tmp_path):
    done = manage("check", "--deploy", ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "roundtable.E010" in done.stderr
    assert "(security.W008)" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_old_key_that_can_be_guessed_is_told(tmp_path):
    url = f"sqlite:///{tmp_path}/db"
    done = manage("check", "--deploy", **PRODUCTION, DATABASE_URL=url, ROUNDTABLE_OLD_SECRET_KEYS="guess")
    assert "(security.W025)" in done.stderr
