"""Where the time of one request goes: waiting for a thread, the database, drawing, saving."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

WAITING, LOCK, DATABASE, SAVING, DRAWING = "thread", "lock", "database", "saving", "drawing"


@dataclass
class Spent:
    """Seconds of one request by what they went into, and how many statements it sent."""

    seconds: dict[str, float] = field(default_factory=dict)
    statements: int = 0

    def add(self, what: str, seconds: float) -> None:
        """Count some more seconds for something."""
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds


_current: ContextVar[Spent | None] = ContextVar("spent", default=None)


@contextmanager
def counted() -> Iterator[Spent]:
    """Count what is spent within."""
    spent = Spent()
    token = _current.set(spent)
    try:
        yield spent
    finally:
        _current.reset(token)


@contextmanager
def spending(what: str) -> Iterator[None]:
    """Count the time within for something, where anybody counts."""
    began = time.perf_counter()
    try:
        yield
    finally:
        add(what, began)


def add(what: str, began: float) -> None:
    """Count the time since this moment of `time.perf_counter` for something, where anybody counts."""
    spent = _current.get()
    if spent is not None:
        spent.add(what, time.perf_counter() - began)


Untold = list[tuple[Spent, float, Callable[[], None]]]
"""What requests have spent, since when they wait to be saved, and what tells of it."""

_unsaved: ContextVar[Untold | None] = ContextVar("unsaved", default=None)


@contextmanager
def saved_together() -> Iterator[None]:
    """Within, requests are answered that are saved together at its end: until then each of them goes on.

    Nothing is told of them where the block fails: they are answered again.
    """
    unsaved: Untold = []
    token = _unsaved.set(unsaved)
    try:
        yield
    finally:
        _unsaved.reset(token)
    for spent, since, tell in unsaved:
        spent.add(SAVING, time.perf_counter() - since)
        tell()


def tell_once_saved(spent: Spent, tell: Callable[[], None]) -> None:
    """Tell what a request has spent: now, or when it is saved together with others."""
    unsaved = _unsaved.get()
    if unsaved is None:
        tell()
    else:
        unsaved.append((spent, time.perf_counter(), tell))


def watch(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Count the statements of a connection from now on."""
    if _statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_statement)


def _statement(execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
    spent = _current.get()
    if spent is None:
        return execute(sql, parameters, many, context)
    began = time.perf_counter()
    try:
        return execute(sql, parameters, many, context)
    finally:
        # With SQLite a writing transaction begins by waiting for the one before it.
        spent.add(LOCK if sql.startswith("BEGIN") else DATABASE, time.perf_counter() - began)
        spent.statements += 1
