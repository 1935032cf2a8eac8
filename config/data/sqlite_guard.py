"""SQLite as it must be opened so that a tap, once confirmed, is never lost.

Three rules, each with its reason:

* every transaction begins IMMEDIATE: deferred ones fail with "database is locked" when two tap at once;
* `synchronous=FULL`: anything less may lose confirmed taps when the power goes;
* write-ahead logging only on a library without the WAL-reset bug (all of 3.7.0 … 3.51.2 except the repaired
  3.44.6 and 3.50.7 lines), because that bug corrupts databases. The library that comes with the program is
  free of it; a distribution may have built the driver with its own. There the rollback journal is truncated,
  which is as durable and waits for the disk three times instead of once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection, connections

from config.data.sqlite import driver

Version = tuple[int, ...]


def is_wal_safe(version: Version) -> bool:
    """Whether this SQLite library is free of the WAL-reset bug (3.52.0 was withdrawn: not trusted)."""
    if version[:2] == (3, 52):
        return False
    return version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51, 0) or (3, 44, 6) <= version < (3, 45, 0)


def sqlite_options(version: Version = driver.sqlite_version_info) -> dict[str, Any]:
    """The `OPTIONS` of Django's SQLite backend; the timeout is in seconds."""
    journal = "WAL" if is_wal_safe(version) else "TRUNCATE"
    return {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": f"PRAGMA journal_mode={journal}; PRAGMA synchronous=FULL",
    }


def empty_log() -> None:
    """Checkpoint: write the log beside the database into the database file, unless a reader holds it back.

    After that the file is whole without the log, and the log holds nothing that was deleted.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def wal_problem(journal_mode: str, version: Version) -> list[CheckMessage]:
    """What the check says about a database in this journal mode under this library."""
    if journal_mode.lower() != "wal" or is_wal_safe(version):
        return []
    name = ".".join(map(str, version))
    return [
        Error(
            f"The database is in WAL mode, and SQLite {name} has a bug that can corrupt such a database.",
            hint="Stop every process that has it open and run `PRAGMA journal_mode=TRUNCATE` on it, "
            "or install APSW as its author builds it, with SQLite 3.51.3 or newer.",
            id="roundtable.E001",
        )
    ]


@register(Tags.database)
def check_sqlite(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Look at the databases as they are: a file keeps the journal mode that another program gave it."""
    problems: list[CheckMessage] = []
    for alias in databases or ():
        database = connections[alias]
        if database.vendor != "sqlite":
            continue
        if database.settings_dict["NAME"] == ":memory:":
            problems.append(
                Error("Each thread would get a database of its own in memory.", id="roundtable.E002")
            )
            continue
        with database.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode")
            problems += wal_problem(cursor.fetchone()[0], driver.sqlite_version_info)
    return problems
