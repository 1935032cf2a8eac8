"""Safe by default: which environments start, and what they promise a browser."""

from __future__ import annotations

import ast
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from config.data import sqlite_guard
from config.data.sqlite_guard import check_sqlite, is_wal_safe, sqlite_options, wal_problem

ROOT = Path(__file__).parents[2]
KEY = "k3y-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2
PRODUCTION = {"ROUNDTABLE_SECRET_KEY": KEY, "ROUNDTABLE_HOSTS": "roundtable.example"}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py` in its own process."""
    return python("manage.py", *arguments, **environment)


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A separate process, without the variables of this one."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=ROOT,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def setting(*names: str, **environment: str) -> str:
    """The values of these settings in an environment; nothing else is loaded."""
    told = ", ".join(f"settings.{name}" for name in names)
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = python("-c", f"from django.conf import settings; print({told})", **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "ROUNDTABLE_SECRET_KEY"),
        ({"ROUNDTABLE_SECRET_KEY": KEY}, "ROUNDTABLE_HOSTS"),
        ({**PRODUCTION, "ROUNDTABLE_HOSTS": "*"}, "ROUNDTABLE_HOSTS"),
        ({**PRODUCTION, "ROUNDTABLE_HOSTS": "https://roundtable.example"}, "without https://, port or path"),
        ({**PRODUCTION, "ROUNDTABLE_HOSTS": "a.example, b.example:443"}, "'b.example:443' in ROUNDTABLE_"),
        ({**PRODUCTION, "ROUNDTABLE_HOSTS": "a.example b.example"}, "commas between several"),
        ({**PRODUCTION, "ROUNDTABLE_HOSTS": "bücher.example"}, "is no host name"),
        ({**PRODUCTION, "ROUNDTABLE_SECRET_KEY": "short"}, "50 random characters"),
        ({**PRODUCTION, "ROUNDTABLE_DEBUG": "1"}, "ROUNDTABLE_DEBUG"),
        ({**PRODUCTION, "DATABASE_URL": "nonsense"}, "DATABASE_URL"),
        ({**PRODUCTION, "DATABASE_URL": "mysql://localhost/roundtable"}, "DATABASE_URL"),
        ({**PRODUCTION, "DATABASE_URL": "oracle://localhost/roundtable"}, "DATABASE_URL"),
        ({**PRODUCTION, "DATABASE_URL": "sqlite:////tmp/a%00b"}, "DATABASE_URL"),
        ({**PRODUCTION, "DATABASE_URL": "postgres://localhost/x?connect_timeout=abc"}, "connect_timeout"),
        ({**PRODUCTION, "DATABASE_URL": "postgres://localhost/x?colour=red"}, 'option "colour"'),
        ({**PRODUCTION, "ROUNDTABLE_DATABASE_DIRECT": "nonsense"}, "ROUNDTABLE_DATABASE_DIRECT"),
        ({**PRODUCTION, "ROUNDTABLE_DATABASE_DIRECT": "sqlite:///a"}, "ROUNDTABLE_DATABASE_DIRECT"),
        ({**PRODUCTION, "ROUNDTABLE_TRUSTED_PROXY_HOPS": "two"}, "ROUNDTABLE_TRUSTED_PROXY_HOPS"),
        ({**PRODUCTION, "ROUNDTABLE_KEEP_DAYS": "9" * 4301}, "ROUNDTABLE_KEEP_DAYS"),
    ],
)
def test_production_refuses_to_start_with_a_sentence(environment, sentence):
    done = manage("check", **environment)
    assert done.returncode != 0
    assert done.stderr.startswith("Roundtable cannot start: ")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_hosts_are_names_and_addresses(tmp_path):
    names = "roundtable.example, .example.org,192.0.2.1, [2001:db8::1]"
    elsewhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/db", "ROUNDTABLE_HOSTS": names}
    told = setting("ALLOWED_HOSTS", **{**PRODUCTION, **elsewhere})
    assert ast.literal_eval(told) == ["roundtable.example", ".example.org", "192.0.2.1", "[2001:db8::1]"]


def test_the_settings_of_a_server_are_safe_and_keep_nothing_when_given_a_database(tmp_path):
    asked = ("check", "--deploy", "--tag", "security", "--fail-level", "WARNING")
    elsewhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/db", "ROUNDTABLE_DATA": f"{tmp_path}/data"}
    done = manage(*asked, **PRODUCTION, **elsewhere)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "data").exists()


def test_a_laptop_makes_its_key_once_and_keeps_it_to_itself(tmp_path):
    data = tmp_path / "data"
    first = setting("SECRET_KEY", ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(data))
    assert len(first) >= 50
    assert setting("SECRET_KEY", ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(data)) == first
    assert (data / "secret-key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("given", "owns"), [({}, "True"), ({"ROUNDTABLE_SECRET_KEY": "a key of the club's own"}, "False")]
)
def test_a_key_that_was_given_stays_with_whoever_gave_it(tmp_path, given, owns):
    """Backups carry the file, and it does not exist: what is restored goes on with the key that is given."""
    lan = {"ROUNDTABLE_LAN": "1", "ROUNDTABLE_DATA": str(tmp_path)}
    assert setting("OWNS_KEY", **lan, **given) == owns
    assert (tmp_path / "secret-key").exists() == (owns == "True")


def test_a_laptop_uses_plain_cookies_under_names_of_their_own(tmp_path):
    lan = {"ROUNDTABLE_LAN": "1", "ROUNDTABLE_DATA": str(tmp_path)}
    told = setting(
        "SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "ALLOWED_HOSTS", **lan
    )
    assert told.startswith("roundtable-lan-session False 0 [")
    assert "'.local'" in told


def test_a_server_uses_host_cookies_and_https(tmp_path):
    production = {**PRODUCTION, "DATABASE_URL": f"sqlite:///{tmp_path}/db"}
    cookies = setting("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE", **production)
    assert cookies == "__Host-roundtable-session __Host-roundtable-csrf True"
    assert setting("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", **production) == "True 31536000"


@pytest.mark.django_db
def test_a_proxy_may_ask_in_plain_whether_it_is_well(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    exempt = setting("SECURE_REDIRECT_EXEMPT", **PRODUCTION, DATABASE_URL="sqlite:////tmp/unused")
    settings.SECURE_REDIRECT_EXEMPT = ast.literal_eval(exempt)
    answers = {path: client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics")}
    assert answers == {"/healthz": 200, "/readyz": 200, "/metrics": 301}


def test_static_files_may_stand_elsewhere(tmp_path):
    production = {**PRODUCTION, "DATABASE_URL": "sqlite:////tmp/unused"}
    assert setting("STATIC_ROOT", **production, ROUNDTABLE_STATIC=f"{tmp_path}/x") == f"{tmp_path}/x"
    assert setting("STATIC_ROOT", **production).endswith("/.static")


@pytest.mark.parametrize("name", ["folder", "key"])
def test_a_laptop_s_key_that_cannot_be_kept_gets_a_sentence(tmp_path, name):
    key = tmp_path / "secret-key"
    if name == "key":
        key.mkdir()
    else:
        key.symlink_to(tmp_path / "nowhere" / "key")
    done = manage("check", ROUNDTABLE_LAN="1", ROUNDTABLE_DATA=str(tmp_path))
    assert done.returncode != 0
    assert done.stderr.startswith("Roundtable cannot start: the ")
    assert "Traceback" not in done.stderr


def test_a_given_database_is_used_without_sqlite_options(tmp_path):
    url = "postgres://red:secret@db.example/roundtable"
    database = setting("DATABASES['default']", **PRODUCTION, DATABASE_URL=url)
    assert "postgresql" in database
    assert "IMMEDIATE" not in database
    assert "'CONN_MAX_AGE': None" in database


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 46, 1), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 0), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 52, 0), False),
        ((3, 53, 0), True),
        ((4, 0, 0), True),
    ],
)
def test_write_ahead_logging_only_on_a_repaired_library(version, safe):
    assert is_wal_safe(version) is safe
    mode = "WAL" if safe else "TRUNCATE"
    assert f"journal_mode={mode};" in sqlite_options(version)["init_command"]
    assert bool(wal_problem("wal", version)) is bool(wal_problem("WAL", version)) is not safe
    assert not wal_problem("truncate", version)


@pytest.mark.django_db
def test_the_connection_is_as_durable_as_promised():
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("the guard is for SQLite")
    with connection.cursor() as cursor:
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    assert synchronous == 2
    assert journal == "wal"
    assert connection.transaction_mode == "IMMEDIATE"
    assert check_sqlite(["default"]) == []


def test_every_database_is_looked_at_and_each_fault_is_told(monkeypatch):
    """One that is fine, or is not SQLite, does not hide another."""

    class Asked(list):
        def execute(self, question):
            assert question == "PRAGMA journal_mode"

        def fetchone(self):
            return ("wal",)

    def database(vendor, name):
        cursor = contextlib.nullcontext(Asked()) if name.startswith("/") else None
        return SimpleNamespace(vendor=vendor, settings_dict={"NAME": name}, cursor=lambda: cursor)

    known = {
        "server": database("postgresql", "roundtable"),
        "nowhere": database("sqlite", ":memory:"),
        "one": database("sqlite", "/data/one"),
        "two": database("sqlite", "/data/two"),
    }
    monkeypatch.setattr(sqlite_guard, "connections", known)
    monkeypatch.setattr(sqlite_guard, "driver", SimpleNamespace(sqlite_version_info=(3, 40, 1)))
    ids = [problem.id for problem in check_sqlite(list(known))]
    assert ids == ["roundtable.E002", "roundtable.E001", "roundtable.E001"]
    assert check_sqlite(None) == []


@pytest.mark.django_db
def test_a_database_with_a_log_is_refused_by_a_library_with_the_bug(monkeypatch):
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("the guard is for SQLite")
    monkeypatch.setattr(sqlite_guard, "driver", SimpleNamespace(sqlite_version_info=(3, 40, 1)))
    [problem] = check_sqlite(["default"])
    assert (problem.id, "SQLite 3.40.1" in problem.msg) == ("roundtable.E001", True)
