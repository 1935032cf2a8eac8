"""SQLite by way of APSW, with the interface of Python's own module (PEP 249), which Django expects.

Python's module uses the SQLite that the system or its builder chose, nearly always one with the fault that
forbids a write-ahead log (`config.data.sqlite_guard`). APSW brings its own to every platform. Only what
Django asks for is here. Two libraries in one process must not have the same file open: closing it in one
lets go of the locks that the other holds. So everything that opens the database uses this module.

SQLite lets one connection write at a time, and has those that wait look in now and then: whoever looks in at
the right moment goes first, and somebody else may wait for long. So within a process writers form a queue
(`Writers`): taps first, because they are short and somebody waits for each; but nobody waits longer than a
moment for taps that came later. Other programs that write are waited for as SQLite does.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from os import PathLike
from typing import Any

import apsw

sqlite_version = apsw.sqlite_lib_version()
sqlite_version_info = tuple(int(part) for part in sqlite_version.split("."))

# Errors by their names in PEP 249, each with the same causes as in Python's module.
Warning = Warning  # noqa: PLW0127 - PEP 249 names it so
Error = DatabaseError = apsw.Error
IntegrityError = (apsw.ConstraintError, apsw.MismatchError)
DataError = (apsw.TooBigError,)
OperationalError = (
    apsw.AbortError, apsw.BusyError, apsw.CantOpenError, apsw.EmptyError, apsw.FullError, apsw.InterruptError,
    apsw.IOError, apsw.LockedError, apsw.PermissionsError, apsw.ProtocolError, apsw.ReadOnlyError,
    apsw.SchemaChangeError, apsw.SQLError,
)  # fmt: skip
InternalError = (apsw.InternalError, apsw.NotFoundError)
ProgrammingError = (
    apsw.BindingsError, apsw.ConnectionClosedError, apsw.CursorClosedError, apsw.ExecutionCompleteError,
    apsw.IncompleteExecutionError, apsw.ThreadingViolationError,
)  # fmt: skip
InterfaceError = (apsw.MisuseError, apsw.RangeError)
NotSupportedError = ()


LONG_SECONDS = 0.5
"""Who has waited for so long goes before every tap."""

_thread = threading.local()


@contextmanager
def urgent() -> Iterator[None]:
    """What this thread writes inside the block goes before what is not urgent."""
    _thread.is_urgent = True
    try:
        yield
    finally:
        _thread.is_urgent = False


class Place:
    """A thread's place in the queue."""

    def __init__(self, now: float) -> None:
        self.since = now
        self.turn = threading.Lock()
        self.turn.acquire()


class Writers:
    """A queue of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.is_taken = False
        self.first: deque[Place] = deque()
        self.rest: deque[Place] = deque()

    def enter(self, patience: Callable[[], float]) -> bool:
        """Wait for a turn; False if it has not come within `patience()` seconds, asked only if need be."""
        with self.lock:
            if not self.is_taken:
                self.is_taken = True
                return True
            queue = self.first if getattr(_thread, "is_urgent", False) else self.rest
            place = Place(self.clock())
            queue.append(place)
        if place.turn.acquire(timeout=patience()):
            return True
        with self.lock:
            if place not in queue:
                return True  # The turn came at the last moment.
            queue.remove(place)
            return False

    def leave(self) -> None:
        """Give the turn to the next."""
        with self.lock:
            has_waited = self.rest and self.clock() - self.rest[0].since >= LONG_SECONDS
            queue = self.rest if has_waited or not self.first else self.first
            if queue:
                queue.popleft().turn.release()
            else:
                self.is_taken = False


writers: defaultdict[str, Writers] = defaultdict(Writers)
"""Who writes to each database, by its name."""


class Cursor(apsw.Cursor):
    """A cursor with the rest of what PEP 249 asks for."""

    connection: Connection

    def fetchmany(self, size: int = 1) -> list[Any]:
        """The next rows, at most `size`."""
        return list(islice(self, size))

    @property
    def rowcount(self) -> int:
        """How many rows the connection's last INSERT, UPDATE or DELETE changed."""
        return self.connection.changes()

    @property
    def lastrowid(self) -> int:
        """The key of the row that the connection added last."""
        return self.connection.last_insert_rowid()


class Connection(apsw.Connection):
    """A connection that never begins a transaction by itself."""

    commit_seconds = 0.0
    """How long the last commit took, most of it waiting for the disk."""
    writers: Writers | None = None
    """The queue of those who write to this database; None: SQLite's own lock is enough."""
    is_its_turn = False

    @property
    def isolation_level(self) -> str | None:
        """None: each statement is saved by itself, unless a transaction is open."""
        return "" if self.in_transaction else None

    @isolation_level.setter
    def isolation_level(self, level: str | None) -> None:
        """Begin a transaction by hand; Django ends it by hand too."""
        if level is not None and not self.in_transaction:
            self.cursor().execute("BEGIN IMMEDIATE")

    def wait_for_turn(self) -> None:
        """Wait to be the one that writes, for as long as SQLite would wait for a lock."""
        if self.writers is None or self.is_its_turn:
            return
        if not self.writers.enter(lambda: self.pragma("busy_timeout") / 1000):
            busy: Any = apsw.BusyError("database is locked")
            busy.result = busy.extendedresult = apsw.SQLITE_BUSY
            raise busy
        self.is_its_turn = True

    def end_turn(self) -> None:
        """Let others write, unless a transaction is still open."""
        if self.is_its_turn and not self.in_transaction:
            self.is_its_turn = False
            assert self.writers is not None
            self.writers.leave()

    def commit(self) -> None:
        """Keep what the open transaction has done, if one is open."""
        try:
            if self.in_transaction:
                began = time.perf_counter()
                self.execute("COMMIT")
                self.commit_seconds = time.perf_counter() - began
        finally:
            self.end_turn()

    def rollback(self) -> None:
        """Undo what the open transaction has done, if one is open."""
        try:
            if self.in_transaction:
                self.execute("ROLLBACK")
        finally:
            self.end_turn()

    def close(self, force: bool = False) -> None:
        """Let the database go; an open transaction is undone."""
        try:
            super().close(force)
        finally:
            if self.is_its_turn:
                self.is_its_turn = False
                assert self.writers is not None
                self.writers.leave()

    def create_function(
        self, name: str, count: int, function: Callable[..., Any], deterministic: bool = False
    ) -> None:
        """Let SQL call a function with `count` arguments (-1: any number)."""
        self.create_scalar_function(name, function, count, deterministic=deterministic)

    def create_aggregate(self, name: str, count: int, aggregate: Callable[[], Any]) -> None:
        """Let SQL call an aggregate: objects with `step` and `finalize`."""

        def begin() -> tuple[Any, Callable[..., None], Callable[[Any], Any]]:
            instance = aggregate()
            return instance, lambda _one, *values: instance.step(*values), lambda _one: instance.finalize()

        self.create_aggregate_function(name, begin, count)


def connect(file: str | PathLike[str], timeout: float = 5.0) -> Connection:
    """Open a database, a file or an SQLite URI; it waits up to `timeout` seconds for a lock."""
    uri = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    connection = Connection(str(file), flags=uri)
    connection.cursor_factory = Cursor
    connection.set_busy_timeout(int(timeout * 1000))
    return connection


def connect_to_write(
    database: str | PathLike[str], timeout: float = 5.0, **_of_pythons_module: Any
) -> Connection:
    """What Python's module calls instead of its own connection, where Django gives it this as `factory`."""
    connection = connect(database, timeout)
    connection.writers = writers[str(database)]
    return connection


def copy(source: Connection, target: Connection) -> None:
    """Make the target the same as the source, which may be in use meanwhile (SQLite's online backup).

    Raises `OperationalError` when the target stays locked for longer than its timeout.
    """
    with target.backup("main", source, "main") as backup:
        backup.step()
