"""Where the time of one request goes: waiting for a thread, drawing, saving."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

WAITING, SAVING, DRAWING = "thread", "saving", "drawing"


@dataclass
class Spent:
    """The seconds of one request by where they went."""

    seconds: dict[str, float] = field(default_factory=dict)

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
