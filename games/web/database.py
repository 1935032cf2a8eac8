"""Trouble with the database, in plain words for the log, /healthz and players; and consistent reading."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from django.db import DatabaseError, OperationalError, connection, transaction

from games.core import gettext_noop as _

log = logging.getLogger(__name__)

LEAST_FREE = 1024 * 1024
"""A disk with fewer free bytes counts as full: a tap writes a few thousand."""
PROBE_MILLISECONDS = 500
"""How long a probe waits for a lock; a tap waits longer."""
LOG_SECONDS = 60
"""How often the same trouble is logged."""


class Trouble(NamedTuple):
    """One thing that can be wrong: a word for programs, the reason for those who run the server."""

    word: str
    reason: str
    sentence: str = _(
        "The server cannot save anything right now. Nothing was changed; please tell the organiser."
    )
    """What a player is told."""
    error: str = "cannot_save"
    retry_seconds: int = 30


LOCKED = Trouble(
    "locked",
    "the database is locked by another process",
    _("The table is busy for a moment. Nothing was changed; please try again."),
    "busy",
    1,
)
FULL = Trouble("full", "the disk is full")
READ_ONLY = Trouble("read-only", "the database is read-only")
DISK = Trouble("disk", "the disk cannot be read or written")
UNREACHABLE = Trouble("unreachable", "the database cannot be reached")
DAMAGED = Trouble("damaged", "the database is damaged")
BROKEN = Trouble("database", "the database refuses to work")
MIGRATIONS = Trouble("migrations", "the tables are not up to date, run `manage.py prepare`")

_SQLITE = {5: LOCKED, 6: LOCKED, 8: READ_ONLY, 10: DISK, 11: DAMAGED, 13: FULL, 14: UNREACHABLE, 26: DAMAGED}
_POSTGRESQL = {
    **{"53100": FULL, "25006": READ_ONLY, "58030": DISK, "53300": UNREACHABLE},
    **dict.fromkeys(("55P03", "57014", "40P01", "40001"), LOCKED),
    **dict.fromkeys(("42P01", "42703"), MIGRATIONS),
    **dict.fromkeys(("57P01", "57P02", "57P03", "25P03", "08000", "08001", "08003", "08006"), UNREACHABLE),
}

_NOT_MIGRATED = ("no such table:", "no such column:")
"""What SQLite says about outdated tables; it has no error code of its own for them."""


def trouble(exception: BaseException | None) -> Trouble | None:
    """The trouble behind a database error; None for a bug of ours."""
    if not isinstance(exception, DatabaseError):
        return None
    cause = exception.__cause__
    state: Any = getattr(cause, "sqlstate", None)
    if listed := trouble_of_sqlite(cause) or _POSTGRESQL.get(state):
        return listed
    if not isinstance(exception, OperationalError):
        return None
    if str(exception).startswith(_NOT_MIGRATED):
        return MIGRATIONS
    # An unreachable PostgreSQL server gives no state.
    return UNREACHABLE if connection.vendor == "postgresql" and state is None else BROKEN


def trouble_of_sqlite(problem: BaseException | None) -> Trouble | None:
    """The trouble behind an error of SQLite's driver; None for any other error."""
    return _SQLITE.get(getattr(problem, "result", 0))


@contextmanager
def one_moment() -> Iterator[None]:
    """Read all rows in this block from one snapshot; nothing may be written in it.

    A position is spread over several tables: a tap saved between two queries would make a board that never
    existed.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # A reader's transaction must not take the writers' lock.
        wrapper: Any = connection
        wrapper.ensure_connection()
        usual, wrapper.transaction_mode = wrapper.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            wrapper.transaction_mode = usual
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def in_turn(key: str) -> None:
    """Until the transaction around this ends, others with the same key wait, then see what it did.

    The caller then looks up what the key has opened, and opens it if there is nothing: the same form, sent
    twice at once, opens one thing. SQLite needs no help: it begins one writing transaction at a time.
    """
    assert connection.in_atomic_block, "there is nothing whose end could be waited for"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])


UNSURE = _("The server did not hear whether that was saved. Please try again: it counts only once.")
"""What a player is told if `Trouble.sentence` might be untrue: a commit had begun before the trouble."""
UNSURE_WITHOUT_KEY = _("We don’t know whether that was saved. Please check before you try again.")
"""The same for a request without a key: sent again, it would be carried out again."""

_saving: ContextVar[bool] = ContextVar("saving", default=False)
_has_key: ContextVar[bool] = ContextVar("has_key", default=True)


def begin_request() -> None:
    """Forget the notes of the previous request on this thread: nothing of this one has been saved yet."""
    _saving.set(False)
    _has_key.set(True)


def begin_saving() -> None:
    """Note that a commit begins: a failure from here on may come after the data was saved."""
    _saving.set(True)


def note_key(key: str) -> bool:
    """Note whether this request has a key, which identifies it when it is sent again; returns that."""
    _has_key.set(bool(key))
    return bool(key)


def sentence_of(wrong: Trouble) -> str:
    """The sentence about a trouble for the sender of the request, in English."""
    if not _saving.get():
        return wrong.sentence
    return UNSURE if _has_key.get() else UNSURE_WITHOUT_KEY


class Journal:
    """Logs a trouble when it begins, once a minute while it lasts, and when it ends."""

    def __init__(self) -> None:
        self.logged: dict[Trouble, float] = {}
        self.lock = threading.Lock()

    def note(self, wrong: Trouble, cause: object = "") -> None:
        """Log a trouble, at most once a minute."""
        now = time.monotonic()
        with self.lock:
            if now - self.logged.get(wrong, -LOG_SECONDS) < LOG_SECONDS:
                return
            self.logged[wrong] = now
        log.error("nothing can be saved: %s%s", wrong.reason, f" ({cause})" if cause else "")

    def all_is_well(self) -> None:
        """Log that what was wrong is over."""
        with self.lock:
            was = ", ".join(wrong.word for wrong in self.logged)
            self.logged.clear()
        if was:
            log.warning("the database works again (it was: %s)", was)


journal = Journal()


def probe() -> Trouble | None:
    """What would keep a tap from being saved now; waits for about a second at most."""
    try:
        return _probe_sqlite() if connection.vendor == "sqlite" else _probe_server()
    except DatabaseError as problem:
        wrong = trouble(problem) or BROKEN
        journal.note(wrong, problem)
        return wrong


def _probe_sqlite() -> Trouble | None:
    """Begin to write as a tap does, then roll back."""
    folder = Path(connection.settings_dict["NAME"]).parent
    if shutil.disk_usage(folder).free < LEAST_FREE:
        journal.note(FULL)
        return FULL
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {PROBE_MILLISECONDS}")
        try:
            with transaction.atomic():
                number = cursor.execute("PRAGMA user_version").fetchone()[0]
                cursor.execute(f"PRAGMA user_version = {number}")
                transaction.set_rollback(True)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return None


def _probe_server() -> Trouble | None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        if cursor.fetchone()[0] == "on":
            journal.note(READ_ONLY)
            return READ_ONLY
    return None
