"""Those that write to SQLite form a queue: taps first, nobody for ever, and each turn is given back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction

from config.data.sqlite import driver
from config.data.sqlite.driver import Writers, urgent
from games.models import CatalogueEntry
from tests.trust.sockets import until

SQLITE = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite")


class Queue:
    """Threads in a queue whose first place is taken; `order` has them as their turns came."""

    def __init__(self) -> None:
        self.now = 0.0
        self.writers = Writers(lambda: self.now)
        self.order: list[str] = []
        self.threads = ThreadPoolExecutor(10)
        assert self.writers.enter(float)

    def wait(self, name: str, *, is_tap: bool = False, seconds: float = 20) -> None:
        """Begin to wait, as the last one so far."""
        before = len(self.writers.first) + len(self.writers.rest)

        def write() -> None:
            if self.writers.enter(lambda: seconds):
                self.order.append(name)

        def hurry() -> None:
            with urgent():
                write()

        self.last = self.threads.submit(hurry if is_tap else write)
        until(lambda: self.last.done() or len(self.writers.first) + len(self.writers.rest) > before)

    def leave(self) -> str:
        """Give the turn on; returns who got it."""
        before = len(self.order)
        self.writers.leave()
        until(lambda: len(self.order) > before)
        return self.order[-1]


@pytest.fixture
def queue():
    found = Queue()
    yield found
    found.threads.shutdown()


def test_who_came_first_writes_first(queue: Queue):
    for name in "abc":
        queue.wait(name)
    assert [queue.leave() for _turn in range(3)] == ["a", "b", "c"]
    queue.writers.leave()
    assert not queue.writers.is_taken
    assert queue.writers.enter(lambda: pytest.fail("there is nothing to wait for"))


def test_taps_go_first_but_not_for_ever(queue: Queue):
    queue.wait("form")
    queue.wait("tap", is_tap=True)
    queue.wait("another tap", is_tap=True)
    assert queue.leave() == "tap"
    queue.now += driver.LONG_SECONDS
    assert queue.leave() == "form"
    assert queue.leave() == "another tap"


def test_who_gives_up_is_passed_over(queue: Queue):
    queue.wait("gives up", seconds=0.01)
    queue.last.result(5)
    queue.wait("stays")
    assert queue.leave() == "stays"


def in_a_thread(job: Callable[[], object]) -> object:
    """What a job returns in a thread with a connection of its own."""

    def run() -> object:
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result(20)


def write(slug: str = "a") -> None:
    CatalogueEntry.objects.filter(slug=slug).update(version=1)


def is_free() -> bool:
    """Whether nobody has the turn to write to the tests' database."""
    return not driver.writers[str(connection.settings_dict["NAME"])].is_taken


def committed() -> None:
    with transaction.atomic():
        write()
        assert not is_free()


def rolled_back() -> None:
    with transaction.atomic():
        write()
        transaction.set_rollback(True)


def failed() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        write(str(1 / 0))


def refused() -> None:
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("UPDATE nothing SET a = 1")


def hung_up() -> None:
    with connection.cursor() as cursor:
        cursor.execute("BEGIN IMMEDIATE")
    assert not is_free()
    connection.connection.close()


@SQLITE
@pytest.mark.parametrize("how", [committed, rolled_back, failed, refused, hung_up, write])
def test_a_turn_is_given_back(transactional_db, how):
    in_a_thread(how)
    assert is_free()


@SQLITE
def test_writers_wait_for_each_other_and_readers_for_nobody(transactional_db):
    begun, go_on, order = threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        with transaction.atomic():
            write()
            begun.set()
            go_on.wait(10)
            order.append("first")

    def second() -> None:
        write()
        order.append("second")

    with ThreadPoolExecutor(3) as threads:
        jobs = [threads.submit(in_a_thread, first)]
        assert begun.wait(10)
        jobs.append(threads.submit(in_a_thread, second))
        assert in_a_thread(CatalogueEntry.objects.count) == 0
        queue = driver.writers[str(connection.settings_dict["NAME"])]
        until(lambda: queue.rest)
        go_on.set()
        for job in jobs:
            job.result(20)
    assert order == ["first", "second"]


@SQLITE
def test_who_waits_for_too_long_is_told_that_the_database_is_locked(transactional_db):
    def late() -> object:
        connection.ensure_connection()
        connection.connection.set_busy_timeout(30)
        began = time.monotonic()
        with pytest.raises(OperationalError) as refused:
            write()
        assert time.monotonic() - began < 4
        return refused.value.__cause__.result

    with transaction.atomic():
        write()
        assert in_a_thread(late) == driver.apsw.SQLITE_BUSY
    assert is_free()
