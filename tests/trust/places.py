"""Separate servers for tests: data and a database in a folder, driven by commands as organisers do."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from config.data import backups

ROOT = Path(__file__).resolve().parents[2]


class Place:
    """A server's own data and database, driven by commands, as an organiser does."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir()
        self.folder = folder
        self.environment = {**os.environ, "ROUNDTABLE_TEST": "1", "ROUNDTABLE_DATA": str(folder)}
        self.environment |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
        self._ready: subprocess.Popen[str] | None = None

    def prepare(self) -> None:
        """Bring its empty database up to date, as `migrate` does: it gets a copy of one that was."""
        _copy(_migrated(), self.environment["DATABASE_URL"])

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a separate Python with these arguments."""
        return self._started(*words, stderr=subprocess.PIPE)

    def _started(self, *words: str, **streams: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            **streams,
        )

    def manage(self, *words: object) -> str:
        """What a command of manage.py prints; its errors if it fails."""
        status, out, err = self._become("manage.py", *map(str, words))
        return out if status == 0 else err

    def script(self, source: str) -> str:
        """What a script prints; it has to end without an error."""
        status, out, err = self._become("-c", source)
        assert status == 0, err
        return out

    def _become(self, *words: str) -> tuple[int, str, str]:
        """Run this in a fork of the process with everything loaded; returns status, output and errors."""
        if self._ready is None:
            self._ready = self._started("-m", "tests.trust.ready", stdin=subprocess.PIPE)
        assert self._ready.stdin
        assert self._ready.stdout
        said = [self.folder / "said.txt", self.folder / "errors.txt"]
        print(json.dumps([words, *map(str, said)]), file=self._ready.stdin, flush=True)
        status = int(self._ready.stdout.readline())
        out, err = (file.read_text("utf-8") for file in said)
        return status, out, err

    def close(self) -> None:
        """Leave no process behind."""
        if self._ready is not None:
            self._ready.communicate()

    def dump(self, held: bytes) -> bytes:
        """The statements in a dump of PostgreSQL."""
        program = backups._program("pg_restore")
        return subprocess.run([program, "--file=-"], input=held, capture_output=True, check=True).stdout

    def backups(self) -> list[Path]:
        return sorted((self.folder / "backups").glob("*.zip"))


@contextmanager
def places(folder: Path) -> Iterator[Callable[[str], Place]]:
    """A place by its name, in this folder; with PostgreSQL a database is made for each."""
    found: list[Place] = []

    def of(name: str) -> Place:
        found.append(Place(folder / name, _empty_database(folder, name)))
        return found[-1]

    yield of
    for place in found:
        place.close()
        _drop(place.environment["DATABASE_URL"])


def _empty_database(folder: Path, name: str) -> str:
    """The address of the database of the place with this name in a folder."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{folder / name / 'roundtable.sqlite3'}"
    told = connection.settings_dict
    database = f"backup_{name}_{os.getpid()}"
    _on_server(f'CREATE DATABASE "{database}"')
    return f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{database}"


@functools.cache
def _migrated() -> str:
    """The address of a database that `migrate` has prepared, once for all tests."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    source = Place(folder / "prepared", _empty_database(folder, "prepared"))
    assert source.manage("migrate", "--verbosity", "0") == ""
    source.close()
    url = source.environment["DATABASE_URL"]
    atexit.register(_drop, url)
    return url


def _copy(url: str, empty: str) -> None:
    """Put a copy of a database in the place of an empty one."""
    if connection.vendor == "sqlite":
        shutil.copyfile(url.removeprefix("sqlite:///"), empty.removeprefix("sqlite:///"))
        return
    _drop(empty)
    _on_server(f'CREATE DATABASE "{_name_in(empty)}" TEMPLATE "{_name_in(url)}"')


def _name_in(url: str) -> str:
    return url.rpartition("/")[2]


def _drop(url: str) -> None:
    """Remove a database from the server; one of SQLite goes with its folder."""
    if connection.vendor == "postgresql":
        _on_server(f'DROP DATABASE IF EXISTS "{_name_in(url)}" WITH (FORCE)')


def _on_server(sql: str) -> None:
    import psycopg

    told = connection.settings_dict
    with psycopg.connect(
        host=told["HOST"], port=told["PORT"], user=told["USER"], dbname="postgres", autocommit=True
    ) as server:
        server.execute(sql)
