"""Backups: everything that a server keeps, saved in one file while its tables go on.

The file is a zip with the database (a copy of the SQLite file, or what `pg_dump` writes), the key of the LAN
profile, without which phones would lose their seats, and `about.json`, which says what made the backup.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.data import unfinished
from config.data.databases import key_in, make
from config.data.sqlite import driver
from games.live import bus
from games.live.bus import CHANNEL
from games.models import Match
from games.web.database import trouble_of_sqlite
from games.web.program import RESTORED

FORMAT = 1
ABOUT, KEY = "about.json", "secret-key"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The name of the database in a backup, by Django's name for its kind."""
MIGRATIONS = MigrationRecorder.Migration._meta.db_table
NAMES = "roundtable-*.zip"
"""The names of our backup files."""
LOCK_SECONDS = 30


class Unusable(Exception):
    """A backup that cannot be made or restored: one sentence that says why."""


def folder() -> Path:
    """Where backups are kept unless the command names another place."""
    return Path(settings.DATA_DIR) / "backups"


def save(folder: Path) -> Path:
    """Make a backup in a folder that only its owner may read; the new file. Raises `Unusable`."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    file = folder / f"roundtable-{stamp}.zip"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with unfinished.place(folder) as place:
            packed = _pack(place)
            # A file under this name is always whole, even after a power cut.
            with packed.open("rb") as written:
                os.fsync(written.fileno())
            packed.replace(file)
    except OSError as problem:
        raise Unusable(f"The backup could not be written to {folder}: {problem.strerror}.") from problem
    return file


def thin(folder: Path, keep: int, made: Path) -> int:
    """Remove all backups in a folder except the newest `keep` (0: remove none); how many went.

    The newest is the one just `made`, whatever the clock says: its name tells when that was. A file that
    seems to be from a later time was made before a clock was set back, and goes first.
    """
    files = sorted(folder.glob(NAMES), key=lambda file: (file.name <= made.name, file.name))
    old = files[:-keep] if keep > 0 else []
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


@dataclass(frozen=True)
class Backup:
    """A backup that was looked at and can be brought back: where it is unpacked, what it says of itself."""

    place: Path
    about: dict[str, Any]


@contextmanager
def looked_at(file: Path) -> Iterator[Backup]:
    """A backup, unpacked while the block lasts. `Unusable` for one that this program cannot bring back."""
    with ExitStack() as stack:
        place = _place_to_unpack(stack)
        about = _unpack(file, place)
        try:
            _refuse_unknown(file, _APPLIED[connection.vendor](place / DATABASES[connection.vendor]))
        except driver.Error as problem:
            raise Unusable(f"The database in {file} cannot be used: {_reason(problem)}.") from problem
        yield Backup(place, about)


def load(file: Path) -> dict[str, Any]:
    """Look at a backup and bring it back (`bring`). `Unusable`: nothing is changed."""
    with looked_at(file) as backup:
        return bring(backup)


def bring(backup: Backup) -> dict[str, Any]:
    """Replace the database with a backup; what the backup says about itself. `Unusable`: nothing is changed.

    The database is replaced in one transaction. Within seconds, the servers of this database show the tables
    as they were, and their phones reload. If the key is another one, the server has to be started again.
    """
    place, about = backup.place, dict(backup.about)
    connections.close_all()
    _RESTORE[connection.vendor](place / DATABASES[connection.vendor])
    # At once: should the key not be written, the tables are other ones all the same.
    tell_servers()
    if settings.OWNS_KEY and (place / KEY).exists():
        about["is_another_key"] = key_in(place / KEY) != settings.SECRET_KEY
        shutil.copyfile(place / KEY, settings.KEY_FILE)
    return about


def _place_to_unpack(open_for: ExitStack) -> Path:
    """A folder to unpack a backup in: where backups are made, so that leftovers are found later."""
    with suppress(ImproperlyConfigured):
        make(settings.DATA_DIR)
    beside = unfinished.first_of(folder())
    try:
        return open_for.enter_context(unfinished.place(beside))
    except OSError as problem:
        raise Unusable(f"Nothing can be unpacked in {beside}: {problem.strerror}.") from problem


def tell_servers() -> bool:
    """Tell the servers of this database, on any machine, that it was replaced; False if that fails.

    The folder may be missing, or belong to another user: the database is restored all the same.
    """
    if connection.vendor == "postgresql":
        bus.notify(CHANNEL, json.dumps(["restored", "", 0, "", ""]))
    try:
        make(settings.DATA_DIR)
        (settings.DATA_DIR / RESTORED).touch()
    except (ImproperlyConfigured, OSError):
        return connection.vendor == "postgresql"
    return True


def _pack(place: Path) -> Path:
    migrations = sorted(MigrationRecorder(connection).applied_migrations())
    if not migrations:
        raise Unusable("There is nothing to save: this database was never prepared. Is it the right one?")
    database = place / DATABASES[connection.vendor]
    _SAVE[connection.vendor](database)
    about = {
        "format": FORMAT,
        "program": settings.VERSION,
        "database": connection.vendor,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "migrations": migrations,
    }
    packed = place / "packed.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(about))
        archive.write(database, database.name)
        if settings.OWNS_KEY:
            archive.write(settings.KEY_FILE, KEY)
    packed.chmod(0o600)
    return packed


def _unpack(file: Path, place: Path) -> dict[str, Any]:
    """Unpack a backup into a folder; what it says of itself. `Unusable` for one that cannot be used."""
    try:
        with zipfile.ZipFile(file) as archive:
            if any(member.compress_type not in _PACKED for member in archive.infolist()):
                raise _damaged(file)
            about = json.loads(archive.read(ABOUT))
            _refuse_unfit(about)
            # By name: no name inside the archive decides where anything is written.
            for name in (DATABASES[connection.vendor], *({KEY} & set(archive.namelist()))):
                with archive.open(name) as packed, (place / name).open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
            if (place / KEY).exists():
                # Found out only later, the tables would be replaced, and no server would start.
                key_in(place / KEY)
            return {**about, "at": str(about["at"])}
    except FileNotFoundError as missing:
        raise Unusable(f"There is no file {file}.") from missing
    except OSError as problem:
        if problem.errno in _OF_THE_MACHINE:
            raise Unusable(f"{file} cannot be unpacked into {place}: {problem.strerror}.") from problem
        raise _damaged(file) from problem
    except _BROKEN as broken:
        raise _damaged(file) from broken


def _refuse_unfit(about: dict[str, Any]) -> None:
    """Refuse a backup that is sound but not for this program and its database."""
    made_of = about["database"]
    if about["format"] != FORMAT or _is_newer(map(tuple, about.get("migrations", []))):
        raise _newer()
    if made_of != connection.vendor:
        raise Unusable(
            f"This backup is of {made_of}, and this server keeps {connection.vendor}. "
            f"What `export` writes of it on a server with {made_of} can be imported here."
        )


def _refuse_unknown(file: Path, migrations: list[tuple[str, str]]) -> None:
    """Refuse a database, however sound, that another program keeps, or a newer version of this one."""
    if not any(app == Match._meta.app_label for app, _name in migrations):
        raise Unusable(f"The database in {file} is not one of this program.")
    if _is_newer(migrations):
        raise _newer()


def _newer() -> Unusable:
    return Unusable("This backup was made by a newer version of the program: bring that up to date first.")


def _is_newer(migrations: Iterable[tuple[str, ...]]) -> bool:
    """Whether a database has had migrations that this program does not know, so that it cannot use it."""
    loader = MigrationLoader(None)
    own_migrations = set(loader.disk_migrations).union(
        *(migration.replaces for migration in loader.disk_migrations.values())
    )
    # Migrations of apps that are not part of this program do no harm.
    return any(app in loader.migrated_apps and (app, name) not in own_migrations for app, name in migrations)


_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a backup may be packed: each other way has errors of its own."""
_OF_THE_MACHINE = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EIO),
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR),
}
"""Errors that keep a file from being read or unpacked, whatever is in it."""
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(KeyError, TypeError, ValueError, RuntimeError),
)
"""What reading a damaged archive raises: a flipped bit may look like a password or a packing method."""


def _damaged(file: Path) -> Unusable:
    return Unusable(f"{file} is no backup, or is damaged.")


# --- SQLite --------------------------------------------------------------------------------------


def _save_sqlite(target: Path) -> None:
    connection.ensure_connection()
    copy = driver.connect(target)
    try:
        driver.copy(connection.connection, copy)
        _check(copy)
    except driver.Error as problem:
        raise Unusable(f"The database could not be copied: {_reason(problem)}.") from problem
    finally:
        copy.close()


def _applied_in_sqlite(source: Path) -> list[tuple[str, str]]:
    copy = driver.connect(source)
    try:
        _check(copy)
        table = copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (MIGRATIONS,)).fetchall()
        rows = copy.execute(f"SELECT app, name FROM {MIGRATIONS}") if table else ()  # noqa: S608
        return [(str(app), str(name)) for app, name in rows]
    finally:
        copy.close()


def _restore_sqlite(source: Path) -> None:
    copy = driver.connect(source)
    live = driver.connect(connection.settings_dict["NAME"], LOCK_SECONDS)
    try:
        driver.copy(copy, live)
    except driver.Error as problem:
        raise Unusable(f"The database could not be brought back: {_reason(problem)}.") from problem
    finally:
        copy.close()
        live.close()


def _reason(problem: Exception) -> str:
    """SQLite's reason in words; for some failures during a copy SQLite says only "not an error"."""
    wrong = trouble_of_sqlite(problem)
    return wrong.reason if wrong else str(problem)


def _check(copy: driver.Connection) -> None:
    remarks = [row[0] for row in copy.execute("PRAGMA quick_check")]
    if remarks != ["ok"]:
        raise driver.DatabaseError(f"the copy is damaged ({remarks[0]})")


# --- PostgreSQL ----------------------------------------------------------------------------------


def _save_postgresql(target: Path) -> None:
    _run("pg_dump", "--format=custom", "--no-owner", "--no-unlogged-table-data", f"--file={target}")


def _applied_in_postgresql(source: Path) -> list[tuple[str, str]]:
    script, applied = source.with_suffix(".look.sql"), source.with_suffix(".applied.sql")
    # All of it, so that damage shows: pg_restore reads the data only when it has to write them.
    _carry_out("pg_restore", f"--file={script}", str(source))
    script.unlink()
    _carry_out("pg_restore", "--data-only", f"--table={MIGRATIONS}", f"--file={applied}", str(source))
    rows = (line.split("\t") for line in applied.read_text("utf-8").splitlines())
    return [(row[1], row[2]) for row in rows if len(row) == 4]


def _restore_postgresql(source: Path) -> None:
    script, before = source.with_suffix(".sql"), source.with_suffix(".first.sql")
    _carry_out("pg_restore", "--clean", "--if-exists", "--no-owner", f"--file={script}", str(source))
    before.write_text("\n".join(_clearing()), "utf-8")
    together = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
    _run("psql", *together, f"--file={before}", f"--file={script}")


def _clearing() -> Iterator[str]:
    """SQL that drops everything that migrations made, including what an earlier version does not know.

    Otherwise that version's tables could not be replaced: later ones point at them.
    """
    yield "SET client_min_messages = warning;"
    tables = connection.introspection.django_table_names(only_existing=True)
    for table in (*tables, MIGRATIONS):
        yield f"DROP TABLE IF EXISTS {connection.ops.quote_name(table)} CASCADE;"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc"
            " WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'roundtable_')"
        )
        yield from (f"DROP FUNCTION IF EXISTS {name} CASCADE;" for (name,) in cursor.fetchall())
    connection.close()


def _run(program: str, *options: str) -> None:
    """Run one of PostgreSQL's programs on the configured database."""
    command, environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    *arguments, name = command[1:]
    _carry_out(program, *arguments, f"--dbname={name}", *options, environment=environment)


def _carry_out(program: str, *options: str, environment: Mapping[str, str] | None = None) -> None:
    try:
        subprocess.run(  # noqa: S603 - the words are our own and the settings'
            [_program(program), *options],
            env={**os.environ, **(environment or {})},
            check=True,
            capture_output=True,
            text=True,
        )
    except subprocess.CalledProcessError as failed:
        raise Unusable(f"{program} says: {failed.stderr.strip()}") from failed


PROGRAMS = Path("/usr/lib/postgresql")
"""Debian keeps the programs of each version of PostgreSQL in a folder of its own, such as `15/bin`."""


def _program(name: str) -> str:
    """Where one of PostgreSQL's programs is; the newest of several, which reads what older ones wrote."""
    among = sorted(PROGRAMS.glob(f"*/bin/{name}"), key=_version)
    path = shutil.which(name) or (str(among[-1]) if among else None)
    if path is None:
        raise Unusable(f"The program {name} is missing: install PostgreSQL's client.")
    return path


def _version(program: Path) -> list[int]:
    """The version of a program from its folder's name, as numbers: 9.6 comes before 15."""
    return [int(part) for part in re.findall(r"\d+", program.parents[1].name)]


_SAVE = {"sqlite": _save_sqlite, "postgresql": _save_postgresql}
_APPLIED = {"sqlite": _applied_in_sqlite, "postgresql": _applied_in_postgresql}
_RESTORE = {"sqlite": _restore_sqlite, "postgresql": _restore_postgresql}
