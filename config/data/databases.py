"""The folder of a server's data with its key, the database that an address names, and how it is opened."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.data import sqlite
from config.data.sqlite_guard import sqlite_options

LEAST_KEY = 50
"""The least letters of a whole key; a power cut may leave fewer."""


class CutShort(ValueError):
    """A key that is not whole."""


def make(folder: Path) -> None:
    """Make a folder that only its owner can look into, unless it exists."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"the folder {folder} cannot be made ({problem.strerror}); ROUNDTABLE_DATA names another."
        ) from problem


def kept_key(path: Path) -> str:
    """The key in this file, made on the first run and readable by its owner only."""
    make(path.parent)
    _make_key(path)
    try:
        return key_in(path)
    except CutShort as problem:
        raise ImproperlyConfigured(
            f"the key in {path} is cut short. Delete the file: then a new key is made, and every phone takes "
            "its seat again, unless you bring a backup back, which has the key."
        ) from problem
    except (OSError, ValueError) as problem:
        raise ImproperlyConfigured(
            f"the key in {path} cannot be read ({problem}). Give the file to whoever starts the program."
        ) from problem


def _make_key(path: Path) -> None:
    """Write a new key, unless the file exists: of two processes that start together one writes it."""
    try:
        with open(
            path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)
        ) as file:
            file.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass
    except OSError as problem:
        raise ImproperlyConfigured(
            f"the folder {path.parent} cannot be written ({problem.strerror}); ROUNDTABLE_DATA names another."
        ) from problem


def key_in(path: Path) -> str:
    """The key in this file. Raises `CutShort` where it is not whole, `ValueError` for anything but text."""
    key = path.read_text("ascii").strip()
    if len(key) < LEAST_KEY:
        raise CutShort
    return key


PROCESS = f"roundtable-{secrets.token_hex(4)}"
"""The name by which the database knows this process: processes recognise their own announcements by it."""
_ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")
"""Of the databases that Django knows, those that the program was written for."""
_OF_DJANGO = frozenset({"assume_role", "isolation_level", "pool", "server_side_binding"})
"""Options of an address that Django takes for itself."""
_POSTGRESQL = {
    "connect_timeout": 5,
    # A side that loses its power or its cable is noticed by the other in seconds rather than hours.
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "options": "-c lock_timeout=5s -c idle_in_transaction_session_timeout=15s"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
}


def main(url: str, folder: Path) -> dict[str, Any]:
    """Django's settings for the database that holds everything: without an address, a file in this folder."""
    if not url:
        make(folder)
        url = f"sqlite:///{folder / 'roundtable.sqlite3'}"
    database = _named(url, "DATABASE_URL")
    if database["ENGINE"].endswith("sqlite3"):
        database["ENGINE"] = sqlite.__name__
        database["OPTIONS"] = sqlite_options()
        # A file, because an in-memory database hides everything that threads and processes do to each other.
        test_name = Path(tempfile.gettempdir()) / f"roundtable-test-{os.getpid()}.sqlite3"
        database["TEST"] = {"NAME": str(test_name)}
    return database


def direct(url: str) -> dict[str, Any]:
    """Settings for the same database past its pooler, for LISTEN; empty where there is no pooler."""
    if not url:
        return {}
    database = _named(url, "ROUNDTABLE_DATABASE_DIRECT")
    if database["ENGINE"].endswith("sqlite3"):
        raise ImproperlyConfigured("ROUNDTABLE_DATABASE_DIRECT is about PostgreSQL behind a pooler.")
    return database


def _named(url: str, setting: str) -> dict[str, Any]:
    try:
        # The shell's threads are fixed, so a connection may live as long as its thread.
        database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=None))
    except ValueError:
        database = {}
    if database.get("ENGINE") not in _ENGINES or "\0" in str(database["NAME"]):
        raise ImproperlyConfigured(f"{setting} is not a database address (sqlite:///file, postgres://…).")
    if not database["ENGINE"].endswith("sqlite3"):
        _refuse_unknown(database.get("OPTIONS", {}), setting)
        database["CONN_HEALTH_CHECKS"] = True
        database["OPTIONS"] = {**_POSTGRESQL, **database.get("OPTIONS", {}), "application_name": PROCESS}
    return database


def _refuse_unknown(options: dict[str, Any], setting: str) -> None:
    """Refuse what follows the "?" of an address if PostgreSQL's client would not take it either."""
    from psycopg import ProgrammingError, conninfo

    given = {name: value for name, value in options.items() if name not in _OF_DJANGO}
    try:
        conninfo.timeout_from_conninfo(conninfo.conninfo_to_dict(conninfo.make_conninfo(**given)))
    except ProgrammingError as wrong:
        raise ImproperlyConfigured(f"{setting} cannot be used: {str(wrong).strip()}.") from wrong
