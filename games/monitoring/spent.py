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
    """The seconds of one request by where they went, and how many statements it sent."""

    seconds: dict[str, float] = field(default_factory=dict)
    statements: int = 0

    def add(self, what: str, seconds: float) -> None:
        """Add seconds to what something took."""
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds


_current: ContextVar[Spent | None] = ContextVar("spent", default=None)


@contextmanager
def counted() -> Iterator[Spent]:
    """Count what is spent inside this block."""
    spent = Spent()
    token = _current.set(spent)
    try:
        yield spent
    finally:
        _current.reset(token)


@contextmanager
def spending(what: str) -> Iterator[None]:
    """Count the time inside this block for something, if anybody is counting."""
    began = time.perf_counter()
    try:
        yield
    finally:
        add(what, began)


def add(what: str, began: float) -> None:
    """Count the time since `began` (`time.perf_counter`) for something, if anybody is counting."""
    spent = _current.get()
    if spent is not None:
        spent.add(what, time.perf_counter() - began)


Untold = list[tuple[Spent, float, Callable[[], None]]]
"""What requests have spent, since when they wait to be saved, and the function that reports it."""

_unsaved: ContextVar[Untold | None] = ContextVar("unsaved", default=None)


@contextmanager
def saved_together() -> Iterator[None]:
    """Answer requests inside this block that are saved together at its end; until then their time runs on.

    If the block fails, nothing is reported: they are answered again.
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
    """Report what a request has spent: now, or once it is saved together with others."""
    unsaved = _unsaved.get()
    if unsaved is None:
        tell()
    else:
        unsaved.append((spent, time.perf_counter(), tell))


def watch(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Count the statements of a connection from here on."""
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
        # With SQLite, a writing transaction first waits for the one before it.
        spent.add(LOCK if sql.startswith("BEGIN") else DATABASE, time.perf_counter() - began)
        spent.statements += 1
