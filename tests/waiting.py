"""Two people act at the same moment: the second comes before the first's action is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent import futures
from typing import TypeVar

from django.db import connection, transaction

First, Second = TypeVar("First"), TypeVar("Second")


def in_one_moment(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """The results of both: the first's transaction ends once the second waits for it, or is done."""
    with futures.ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            one = first()
            doing = thread.submit(_on_a_connection_of_its_own, second)
            _until_it_waits(doing)
        return one, doing.result()


def _on_a_connection_of_its_own(do: Callable[[], Second]) -> Second:
    try:
        return do()
    finally:
        connection.close()


def _until_it_waits(doing: futures.Future[Second]) -> None:
    if connection.vendor != "postgresql":
        # SQLite lets one write at a time, and does not say who waits.
        futures.wait([doing], timeout=0.1)
        return
    until = time.monotonic() + 20
    while not doing.done() and not _is_waited_for():
        assert time.monotonic() < until
        time.sleep(0.01)


def _is_waited_for() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks"
            " WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"
        )
        return bool(cursor.fetchone()[0])
