"""`check --deploy`: what a server lacks, one sentence each, with what to write where.

An error keeps phones from playing, a warning will trouble somebody one day, and a hint points out a choice
that may have been made on purpose.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import checks
from django.core.checks import CheckMessage, Error, Info, Warning
from django.db import DatabaseError, NotSupportedError, connection

from config import health, status
from config.data import backups
from config.data.sqlite_guard import check_sqlite
from config.https.certificates import is_wrong
from config.server import shell, starting
from games.live.hub import hub

Check = Callable[[], Iterator[CheckMessage]]

LEAST_DISK = 1024**3
"""Bytes that a server's disk should have free: backups are kept beside the database."""
OLDEST_BACKUP = timedelta(days=2)
CLOCK_SECONDS = 5
STREAMS = 2000
"""Live streams that one process should have room for: a hall with its spectators."""


@checks.register("server", deploy=True)
def check_server(**_: Any) -> list[CheckMessage]:
    """Everything that a server lacks, in the order in which to mend it."""
    return [message for check in CHECKS for message in check()]


def profile() -> Iterator[CheckMessage]:
    """The LAN profile is for laptops: it has none of a server's safeguards."""
    if settings.LAN:
        yield Error(
            "These are the settings of a laptop in a club: no encryption is asked for, "
            "cookies cross the network.",
            hint="Write two lines into the environment of the server (/etc/roundtable.env, or .env beside "
            "compose.yaml): ROUNDTABLE_HOSTS=its name, and ROUNDTABLE_SECRET_KEY=what "
            "`openssl rand -hex 48` prints. Leave ROUNDTABLE_LAN out.",
            id="roundtable.E010",
        )


def proxy() -> Iterator[CheckMessage]:
    """Without a trusted proxy every request looks like plain http."""
    if settings.PRODUCTION and not settings.TRUSTED_PROXY_HOPS:
        yield Error(
            "No proxy is trusted: every page leads to https again and again, and never arrives.",
            hint="ROUNDTABLE_TRUSTED_PROXY_HOPS=1 behind one proxy that speaks TLS and sends "
            "X-Forwarded-For and X-Forwarded-Proto, as Caddyfile and nginx.conf in config/deploy do.",
            id="roundtable.E012",
        )


def data_folder() -> Iterator[CheckMessage]:
    """The folder of the database and its backups is writable and private, with room on its disk."""
    folder = Path(settings.DATA_DIR)
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        yield Error(
            f"The folder {folder} cannot be written.",
            hint="Give it to whoever runs the server (chown), or let ROUNDTABLE_DATA name another one.",
            id="roundtable.E013",
        )
    elif folder.exists() and os.name == "posix" and folder.stat().st_mode & 0o077:
        yield Warning(
            f"Others on this machine can look into {folder}, where seats and secrets are kept.",
            hint=f"chmod 700 {folder}",
            id="roundtable.W014",
        )
    free = shutil.disk_usage(there).free
    if free < LEAST_DISK:
        yield Warning(
            f"The disk of {folder} has {free // 1024**2} MB left; no tap is saved on a full one.",
            hint="Make room, or let ROUNDTABLE_DATA name a folder on another disk.",
            id="roundtable.W015",
        )


def database() -> Iterator[CheckMessage]:
    """The database answers and is new enough; then come the checks that have to ask it."""
    try:
        connection.ensure_connection()
        for check in IN_DATABASE:
            yield from check()
    except NotSupportedError as old:
        yield Error(
            f"The database is too old: {old}.",
            hint="Install a newer PostgreSQL, dump the old one with pg_dump and restore it there.",
            id="roundtable.E016",
        )
    except DatabaseError as problem:
        yield Error(
            f"The database does not answer: {str(problem).strip()}",
            hint="DATABASE_URL=postgres://user:password@host/name says where it is; "
            "without it the database is an SQLite file in the folder of ROUNDTABLE_DATA.",
            id="roundtable.E017",
        )


def tables() -> Iterator[CheckMessage]:
    """The tables are those of this version, and there is an organiser."""
    yield from check_sqlite(["default"])
    if not health.is_migrated():
        yield Error(
            "The tables of the database are not those of this version.",
            hint="`roundtable manage prepare` brings them up to date; so does `roundtable serve --prepare`.",
            id="roundtable.E018",
        )
    elif not get_user_model().objects.filter(is_superuser=True, is_active=True).exists():
        yield Warning(
            "There is no organiser who could mend a table.",
            hint="`roundtable manage createsuperuser` makes one.",
            id="roundtable.W019",
        )


def processes() -> Iterator[CheckMessage]:
    """PostgreSQL accepts the connections that one process per core needs; SQLite serves one process only."""
    cores = os.cpu_count() or 1
    if connection.vendor == "sqlite":
        if cores > 1:
            yield Info(
                f"On SQLite one process serves, on one of the {cores} cores here: "
                "enough for a hall of 200 players.",
                hint="For more, DATABASE_URL=postgres://… and `roundtable serve --processes`, one a core.",
                id="roundtable.I020",
            )
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        most = int(cursor.fetchone()[0])
    each = settings.THREADS + shell.TAP_THREADS[connection.vendor] + shell.OTHER_CONNECTIONS
    needed = cores * each + SPARE_CONNECTIONS
    if most < needed:
        yield Warning(
            f"PostgreSQL lets {most} connections in; a process on each of the {cores} cores here may need "
            f"{needed}.",
            hint=f"max_connections = {needed} in postgresql.conf, or fewer threads: ROUNDTABLE_THREADS.",
            id="roundtable.W021",
        )


SPARE_CONNECTIONS = 10
"""For backups, for anyone who looks after the database, and for the database itself."""


def power_cut() -> Iterator[CheckMessage]:
    """PostgreSQL confirms nothing before it is on the disk; `sqlite_guard` sees to that for SQLite."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off'", [DURABLE])
        off = sorted(name for (name,) in cursor.fetchall())
    if off:
        yield Warning(
            f"PostgreSQL confirms taps that a power cut may take back: {', '.join(off)} = off.",
            hint=f"{off[0]} = on in postgresql.conf, and none of them off for this role or database.",
            id="roundtable.W029",
        )


DURABLE = ["fsync", "full_page_writes", "synchronous_commit"]
"""Settings of PostgreSQL without which confirmed taps may be lost."""


def static_files() -> Iterator[CheckMessage]:
    """The static files are those of this version."""
    folder = settings.STATIC_ROOT
    if folder is not None and not starting.is_ready(Path(folder)):
        yield Error(
            f"The static files in {folder} are not those of this version.",
            hint="`roundtable manage prepare` makes them ready; ROUNDTABLE_STATIC names the folder.",
            id="roundtable.E022",
        )


def backup() -> Iterator[CheckMessage]:
    made = status.newest_backup(backups.folder())
    if made is not None and datetime.now(UTC) - made < OLDEST_BACKUP:
        return
    yield Warning(
        f"The newest backup was made on {made:%Y-%m-%d}." if made else "There is no backup.",
        hint="`roundtable backup --keep 14` makes one; roundtable-backup.timer in config/deploy does so "
        "every night. Copy them to another machine.",
        id="roundtable.W023",
    )


def clock() -> Iterator[CheckMessage]:
    """The clocks of this machine and of the database are right: certificates and sessions need them."""
    now = datetime.now(UTC)
    off = 0.0
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
            off = abs(cursor.fetchone()[0] - time.time())
    if is_wrong(now):
        yield Error(
            f"This machine's clock says {now:%Y-%m-%d}.",
            hint="Set it: `timedatectl set-ntp true` keeps it right.",
            id="roundtable.E024",
        )
    elif off > CLOCK_SECONDS:
        yield Warning(
            f"The clocks of this machine and of the database are {off:.0f} seconds apart.",
            hint="`timedatectl set-ntp true` on both keeps them right.",
            id="roundtable.W025",
        )


def open_files() -> Iterator[CheckMessage]:
    """The system allows as many open files as there may be live streams."""
    room = shell.open_files() - shell.SPARE_FILES
    if room < min(STREAMS, hub.limits["process"]):
        yield Warning(
            f"The system allows few open files: a process has room for {max(0, room)} phones.",
            hint="LimitNOFILE=65536 in the systemd unit, ulimits in compose.yaml, or `ulimit -n 65536` "
            "before it starts.",
            id="roundtable.W026",
        )


def log_in() -> Iterator[CheckMessage]:
    """The admin asks for a second factor."""
    if not settings.SECOND_FACTOR:
        yield Info(
            "The admin is open to whoever knows an organiser's password.",
            hint="ROUNDTABLE_SECOND_FACTOR=1 asks for a code of their phone too; the next log-in sets it up.",
            id="roundtable.I028",
        )


def numbers() -> Iterator[CheckMessage]:
    """The token of /metrics cannot be guessed."""
    if 0 < len(settings.METRICS_TOKEN) < 16:
        yield Warning(
            "The token of /metrics can be guessed.",
            hint="ROUNDTABLE_METRICS_TOKEN=what `openssl rand -hex 24` prints.",
            id="roundtable.W027",
        )


IN_DATABASE: tuple[Check, ...] = (tables, processes, power_cut, clock)
CHECKS: tuple[Check, ...] = (
    *(profile, proxy, data_folder, database, static_files, backup, open_files, numbers, log_in),
)
