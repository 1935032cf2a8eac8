"""Saves taps that wait for a slow disk together: one wait serves all of them.

A disk that takes 30 milliseconds to say that it has saved lets thirty taps through in a second, over all
tables. So while it is slow, the taps that have come meanwhile are answered one after the other within one
transaction, for about as long as the last commit took; no answer leaves before all of them are saved. Where
a commit takes less time than a tap, each tap is saved by itself, and none waits for another.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from threading import Lock
from typing import Any, NamedTuple

from django.db import connection, transaction

from config.data.sqlite.driver import urgent
from config.server.answers import Answer
from config.server.fair_queue import Asker, InTurn
from games.live.hub import Pool, collect_news
from games.monitoring.answer_times import saved_together

log = logging.getLogger(__name__)

MOST = 16
"""The most taps that are saved together."""
SLOW_SECONDS = 0.005
"""A commit that takes this long is shared: it takes longer than the tap it saves."""

Request = dict[str, Any]
"""A request as Django's plain handler takes it (PEP 3333)."""


class NotSaved(Exception):
    """The transaction that several taps share is broken: their answers are no longer true."""


class Tap(NamedTuple):
    """A waiting tap, and its answer to come."""

    request: Request
    answer: Future[Answer]


class SharedCommits:
    """Answers taps, addresses in turn, on the threads of a pool; `ask` answers one of them.

    Only our SQLite connection says how long a commit took. PostgreSQL by itself saves together what comes
    together.
    """

    def __init__(self, pool: Pool, ask: Callable[[Request], Answer]) -> None:
        self.pool = pool
        self.ask = ask
        self.waiting: InTurn[Tap] = InTurn()
        self.lock = Lock()
        self.is_slow = False
        """Whether the last commit took so long that the next one is shared."""

    def submit(self, request: Request, asker: Asker) -> Future[Answer]:
        """The answer to a tap, once what it did is saved."""
        tap = Tap(request, Future())
        with self.lock:
            self.waiting.put(asker, tap)
        self.pool.submit(self._work)
        return tap.answer

    def close(self) -> None:
        """Wait for the taps in hand, give up those still waiting, and let the database go."""
        self.pool.close()
        while (waiting := self.waiting.take()) is not None:
            waiting[1].answer.cancel()

    def _work(self) -> None:
        if (tap := self._next()) is None:
            return  # It was answered together with an earlier one.
        with urgent():
            if self.is_slow:
                self._answer_together([tap], commit_seconds())
            else:
                self._answer(tap)
        self.is_slow = commit_seconds() >= SLOW_SECONDS

    def _next(self) -> Tap | None:
        """The next tap that still waits for its answer."""
        with self.lock:
            waiting = self.waiting.take()
        if waiting is None:
            return None
        return waiting[1] if waiting[1].answer.set_running_or_notify_cancel() else self._next()

    def _answer(self, tap: Tap) -> None:
        try:
            answer = self.ask(tap.request)
        except BaseException as problem:
            tap.answer.set_exception(problem)
        else:
            tap.answer.set_result(answer)

    def _answer_together(self, taps: list[Tap], seconds: float) -> None:
        """Answer these taps, and any that come within so many seconds, once all of them are saved."""
        try:
            with collect_news() as news, saved_together(), transaction.atomic():
                answers = list(self._answers(taps, time.perf_counter() + seconds))
        except Exception as problem:
            # None of them is saved, or nobody can tell. So each is answered by itself.
            log.warning("%d taps could not be saved together: %s", len(taps), problem)
            for tap in taps:
                tap.request["wsgi.input"].seek(0)
                self._answer(tap)
            return
        answers[-1].news.extend(news)
        for tap, answer in zip(taps, answers, strict=True):
            tap.answer.set_result(answer)

    def _answers(self, taps: list[Tap], until: float) -> Iterator[Answer]:
        """The answers to these taps, and to those that join them until then."""
        for tap in taps:
            yield self.ask(tap.request)
            if not is_whole():
                raise NotSaved("a tap before has lost the transaction")
            if len(taps) < MOST and time.perf_counter() < until and (another := self._next()) is not None:
                taps.append(another)


def commit_seconds() -> float:
    """How long the last commit on this thread took; 0 before the first, and where no connection tells."""
    return getattr(connection.connection, "commit_seconds", 0.0)


def is_whole() -> bool:
    """Whether the transaction still holds everything done in it; SQLite may have ended it unasked."""
    return not transaction.get_rollback() and connection.connection.in_transaction
