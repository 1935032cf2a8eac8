"""Taps that wait for a slow disk are saved together, and none is confirmed that is not saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from io import BytesIO
from typing import Any

import pytest
from django.db import close_old_connections, connection, transaction

from config.data.sqlite import driver
from config.server import shared_commits
from config.server.answers import Answer
from config.server.fair_queue import Asker
from config.server.shared_commits import MOST, SharedCommits
from games.live import hub
from games.live.hub import Pool
from games.models import CatalogueEntry
from games.monitoring import answer_times
from tests.trust.sockets import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "connection.vendor != 'sqlite'", reason="a server of PostgreSQL saves together by itself"
    ),
]


class Taps:
    """A thread that answers taps, each with its own row; it is held until `go` lets it start."""

    def __init__(self) -> None:
        self.pool = Pool(1, "taps")
        self.taps = SharedCommits(self.pool, self.ask)
        self.go = threading.Event()
        self.pool.submit(self.go.wait)
        self.asked: list[str] = []
        self.alone: list[bool] = []
        """For each tap, whether it had a transaction to itself."""
        self.answers: list[Future[Answer]] = []
        self.does: Callable[[str], object] = lambda _name: None
        """What else happens while a tap is carried out, and after that."""
        self.then: Callable[[str], object] = lambda _name: None

    def ask(self, request: dict[str, Any]) -> Answer:
        name = request["wsgi.input"].read().decode()
        self.asked.append(name)
        self.alone.append(not connection.in_atomic_block)
        with hub.collect_news() as news, transaction.atomic():
            CatalogueEntry.objects.create(system="rps", kind="tap", slug=f"{name}-{len(self.asked)}")
            self.does(name)
        self.then(name)
        return Answer(200, [], name.encode(), news)

    def tap(self, *names: str, address: str = "") -> list[Future[Answer]]:
        self.answers += [
            self.taps.submit({"wsgi.input": BytesIO(name.encode())}, Asker(address)) for name in names
        ]
        return self.answers

    def said(self) -> list[str]:
        """Let the thread start; returns all the answers."""
        self.go.set()
        return [answer.result(5).body.decode() for answer in self.answers]


SLOW = 0.2
"""Seconds from which a commit counts as slow here: this machine has other work, too."""


@pytest.fixture
def taps(monkeypatch) -> Iterator[Taps]:
    monkeypatch.setattr(shared_commits, "SLOW_SECONDS", SLOW)
    found = Taps()
    yield found
    found.go.set()
    found.taps.close()


@pytest.fixture
def slow(taps, monkeypatch) -> Taps:
    """The last commit took so long that several taps may share the next one."""
    taps.taps.is_slow = True
    monkeypatch.setattr(shared_commits, "commit_seconds", lambda: 5.0)
    return taps


def saved() -> list[str]:
    found = CatalogueEntry.objects.filter(kind="tap").order_by("pk").values_list("slug", flat=True)
    return [slug.partition("-")[0] for slug in found]


def test_on_a_quick_disk_each_tap_is_saved_by_itself(taps):
    taps.tap("a", "b", "c")
    taps.does = lambda name: taps.asked[1:] and taps.answers[0].result(0)
    assert taps.said() == saved() == ["a", "b", "c"]
    assert taps.alone == [True, True, True]
    assert not taps.taps.is_slow


def test_what_waits_for_a_slow_disk_is_saved_together_before_anybody_hears_of_it(slow):
    seen_by_others = []

    def look(_name):
        assert not any(answer.done() for answer in slow.answers)
        looked = threading.Thread(target=lambda: seen_by_others.append(saved()))
        looked.start()
        looked.join()

    slow.does = look
    slow.tap("a", "b", "c")
    assert slow.said() == saved() == ["a", "b", "c"]
    assert (slow.alone, seen_by_others) == ([False] * 3, [[], [], []])


@pytest.mark.parametrize("is_slow", [True, False])
def test_addresses_take_turns_in_a_commit(taps, monkeypatch, is_slow):
    """Otherwise whoever taps without end would fill every commit, and a player's tap wait for several."""
    monkeypatch.setattr(shared_commits, "commit_seconds", lambda: 5.0 if is_slow else 0.0)
    taps.taps.is_slow = is_slow
    taps.tap(*(f"flood{number}" for number in range(10)), address="stranger")
    taps.tap("one", address="player")
    taps.tap("two", address="another")
    taps.said()
    assert {"one", "two"} <= set(taps.asked[:3])
    assert len(saved()) == 12


def test_a_tap_is_written_before_a_form_that_came_earlier(taps):
    order, queue = list[str](), driver.writers[str(connection.settings_dict["NAME"])]

    def form() -> None:
        with transaction.atomic():
            order.append("form")
        connection.close()

    taps.does = order.append
    waits = threading.Thread(target=form)
    with transaction.atomic():
        waits.start()
        until(lambda: queue.rest)
        taps.tap("tap")
        taps.go.set()
        until(lambda: queue.first)
    taps.said()
    waits.join(20)
    assert order == ["tap", "form"]


def test_requests_that_share_a_commit_leave_the_connection_as_it_is(slow):
    """Django checks it when a request starts and ends, and would hang up in the middle of the transaction."""
    slow.then = lambda _name: close_old_connections()
    slow.tap("a", "b")
    assert slow.said() == saved() == ["a", "b"]
    assert slow.alone == [False, False]


def test_a_slow_commit_is_told_by_the_connection(taps, monkeypatch):
    execute = driver.Connection.execute

    def wait(self, sql, *parameters):
        if sql == "COMMIT":
            time.sleep(SLOW)
        return execute(self, sql, *parameters)

    monkeypatch.setattr(driver.Connection, "execute", wait)
    taps.tap("a", "b")
    assert taps.said() == ["a", "b"]
    assert taps.taps.is_slow
    assert taps.alone == [True, False]
    monkeypatch.setattr(driver.Connection, "execute", execute)
    for name in ("c", "d"):
        taps.tap(name)
        taps.said()
    assert not taps.taps.is_slow
    assert taps.alone == [True, False, False, True]


def test_whoever_comes_while_the_others_are_answered_is_saved_with_them_for_as_long_as_a_commit(
    slow, monkeypatch
):
    monkeypatch.setattr(shared_commits, "commit_seconds", lambda: 0.1)
    ends = []

    def later(name):
        if name == "a":
            slow.tap("b")
        if name == "b":
            time.sleep(0.15)
            slow.tap("c")
            ends.append(slow.answers[0].done())
        if name == "c":
            ends.append(slow.answers[0].done())

    slow.does = later
    slow.tap("a")
    assert slow.said() == saved() == ["a", "b", "c"]
    assert ends == [False, True]


def test_not_too_many_share_a_commit(slow):
    names = [f"t{number}" for number in range(MOST + 2)]
    firsts = []
    slow.does = lambda _name: firsts.append(slow.answers[0].done())
    slow.tap(*names)
    assert slow.said() == saved() == names
    assert firsts == [False] * MOST + [True, True]


@pytest.mark.parametrize("how", ["commit", "rollback", "lost", "raised"])
def test_where_saving_together_fails_each_hears_by_itself_what_becomes_of_it(slow, monkeypatch, caplog, how):
    """A full disk, a transaction that SQLite has ended by itself, a fault: whatever it is."""
    commit = driver.Connection.commit

    def refuse(self):
        if len(slow.asked) == 3:
            raise driver.apsw.FullError("the disk is full")
        commit(self)

    def break_it(name):
        if name == "b" and len(slow.asked) == 2:
            if how == "rollback":
                transaction.set_rollback(True)
            elif how == "lost":
                connection.connection.execute("ROLLBACK")
            elif how == "raised":
                raise ValueError("a fault")

    if how == "commit":
        monkeypatch.setattr(driver.Connection, "commit", refuse)
    slow.then = break_it
    slow.tap("a", "b", "c")
    assert slow.said() == saved() == ["a", "b", "c"]
    tried = ["a", "b", "c"] if how == "commit" else ["a", "b"]
    assert slow.asked[: 2 * len(tried)] == [*tried, *tried]
    assert not any(slow.alone[: len(tried)])
    assert all(slow.alone[len(tried) : 2 * len(tried)])
    assert "could not be saved together" in caplog.text


def test_a_fault_of_one_is_told_to_that_one_alone(slow):
    def refuse(name):
        if name == "b":
            raise ValueError("a fault")

    slow.does = refuse
    first, second, third = slow.tap("a", "b", "c")
    slow.go.set()
    assert (first.result(5).body, third.result(5).body) == (b"a", b"c")
    with pytest.raises(ValueError, match="a fault"):
        second.result(5)
    assert saved() == ["a", "c"]


def test_news_are_told_after_the_last_answer_and_only_of_what_is_saved(slow):
    told = []
    monkey = hub.Hub({})
    monkey.soon = told.append  # type: ignore[method-assign]

    def publish(name):
        transaction.on_commit(lambda: monkey.publish(name, 1, None))

    slow.does = publish
    slow.tap("a", "b")
    slow.said()
    first, second = (answer.result() for answer in slow.answers)
    assert (first.news, told) == ([], [])
    for tell in second.news:
        tell()
    assert [job.args[0] for job in told] == ["a", "b"]


def test_whoever_has_gone_is_not_asked(taps):
    first, second = taps.tap("a", "b")
    assert first.cancel()
    taps.go.set()
    assert second.result(5).body == b"b"
    assert taps.asked == ["b"]


def test_who_still_waits_when_the_server_ends_is_given_up(taps, monkeypatch):
    shutdown = taps.pool.shutdown

    def shut(**how: bool) -> None:
        """The work in hand ends only after everything that waits for a thread was given up."""
        shutdown(wait=False, **how)
        taps.go.set()
        shutdown()

    monkeypatch.setattr(taps.pool, "shutdown", shut)
    [first] = taps.tap("a")
    taps.taps.close()
    with pytest.raises(CancelledError):
        first.result(1)
    assert taps.asked == []


def test_what_answers_have_taken_is_told_with_the_time_of_saving():
    told = []
    one, other = {}, {}
    with answer_times.saved_together():
        answer_times.report_when_saved(one, lambda: told.append("one"))
        answer_times.report_when_saved(other, lambda: told.append("other"))
        assert told == []
        time.sleep(0.02)
    assert told == ["one", "other"]
    assert one[answer_times.SAVING] > 0.015
    answer_times.report_when_saved({}, lambda: told.append("now"))
    assert told[-1] == "now"


def test_nothing_is_told_of_answers_that_are_not_saved():
    told = []

    def fail() -> None:
        with answer_times.saved_together():
            answer_times.report_when_saved({}, lambda: told.append("one"))
            raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        fail()
    answer_times.report_when_saved({}, lambda: told.append("two"))
    assert told == ["two"]
