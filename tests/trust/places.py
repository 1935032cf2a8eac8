"""Separate servers for tests: data and a database in a folder, driven by commands as organisers do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
    made: list[str] = []
    found: list[Place] = []

    def of(name: str) -> Place:
        found.append(Place(folder / name, url(name)))
        return found[-1]

    def url(name: str) -> str:
        if connection.vendor == "sqlite":
            return f"sqlite:///{folder / name / 'roundtable.sqlite3'}"
        told = connection.settings_dict
        database = f"backup_{name}_{os.getpid()}"
        _on_server(f'CREATE DATABASE "{database}"')
        made.append(database)
        return f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{database}"

    yield of
    for place in found:
        place.close()
    for database in made:
        _on_server(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


def _on_server(sql: str) -> None:
    import psycopg

    told = connection.settings_dict
    with psycopg.connect(
        host=told["HOST"], port=told["PORT"], user=told["USER"], dbname="postgres", autocommit=True
    ) as server:
        server.execute(sql)
