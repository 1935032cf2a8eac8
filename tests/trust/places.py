"""Servers of their own for tests: data and a database in a folder, driven by commands as organisers do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from config import backups

ROOT = Path(__file__).resolve().parents[2]


class Place:
    """A server's data and database of its own, driven as an organiser does: by commands."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir()
        self.folder = folder
        self.environment = {**os.environ, "ROUNDTABLE_TEST": "1", "ROUNDTABLE_DATA": str(folder)}
        self.environment |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}

    def start(self, *words: str) -> subprocess.Popen[str]:
        piped = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env=self.environment, stdout=piped, stderr=piped, text=True
        )

    def manage(self, *words: object) -> str:
        process = self.start("manage.py", *map(str, words))
        out, err = process.communicate(timeout=120)
        return out if process.returncode == 0 else err

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

    def of(name: str) -> Place:
        if connection.vendor == "sqlite":
            return Place(folder / name, f"sqlite:///{folder / name / 'roundtable.sqlite3'}")
        told = connection.settings_dict
        database = f"backup_{name}_{os.getpid()}"
        _on_server(f'CREATE DATABASE "{database}"')
        made.append(database)
        return Place(folder / name, f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{database}")

    yield of
    for database in made:
        _on_server(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


def _on_server(sql: str) -> None:
    import psycopg

    told = connection.settings_dict
    with psycopg.connect(
        host=told["HOST"], port=told["PORT"], user=told["USER"], dbname="postgres", autocommit=True
    ) as server:
        server.execute(sql)
