"""The shell around Django on its own: how much of a body it takes, and how it starts and ends."""

from __future__ import annotations

import asyncio
import resource
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import checks
from django.db import OperationalError

from config.server import fair_queue, shared_commits, shell
from config.server.answers import Answer
from config.server.connections import UNANSWERED, crowd
from config.server.fair_queue import Asker, Shares
from config.server.shared_commits import SharedCommits
from games.live.hub import Hub, Pool
from tests.hubs import LIMITS, WATCHER, Reader

PLAIN = {"query_string": b"", "headers": [], "http_version": "1.1"}


def run(scene: Callable[[], Any]) -> None:
    """Run it in its own thread: a browser's driver may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(scene())).result()


def part(body: bytes, **more: object) -> dict[str, object]:
    return {"type": "http.request", "body": body, **more}


def received(*messages: dict[str, object], most: int = 10) -> tuple[shell.Body, Any, list[dict[str, object]]]:
    """A body after these messages, the refusal if there is one, and the messages that nobody asked for."""
    body, left, told = shell.Body("somebody", most), list(messages), []

    async def receive() -> dict[str, object]:
        return left.pop(0)

    async def scene() -> None:
        told.append(await body.read(receive))

    run(scene)
    assert UNANSWERED.held["somebody"] == len(body.held)
    return body, told[0], left


@pytest.fixture(autouse=True)
def _given_back():
    yield
    UNANSWERED.give("somebody", UNANSWERED.held["somebody"])


def test_a_body_is_all_of_its_parts():
    body, refusal, left = received(part(b"ab", more_body=True), part(b"", more_body=True), part(b"cd"))
    assert (bytes(body.held), refusal, body.is_given_up, left) == (b"abcd", None, False, [])
    body.forget()
    assert (UNANSWERED.held["somebody"], bytes(body.held)) == (0, b"")


def test_half_a_body_is_no_request():
    """A form that breaks off says something different from what was typed."""
    body, refusal, _left = received(
        part(b"note=do%20not", more_body=True), {"type": "http.disconnect"}, most=99
    )
    assert (refusal, body.is_given_up) == (None, True)


def test_of_a_body_that_is_too_big_no_more_is_received_than_shows_it():
    body, refusal, left = received(*[part(b"abcdef", more_body=True)] * 9)
    assert (len(body.held), refusal, len(left)) == (12, None, 7)
    body.forget()
    body, _refusal, left = received(part(b"a" * 10, more_body=True), part(b"b"))
    assert (len(body.held), left) == (11, [])


def test_what_finds_no_room_is_not_kept(monkeypatch):
    monkeypatch.setattr(UNANSWERED, "each", 5)
    body, refusal, _left = received(part(b"abc", more_body=True), part(b"def"))
    assert (bytes(body.held), refusal) == (b"abc", shell.TOO_MUCH)


@pytest.fixture
def lived(monkeypatch):
    """Start and end a shell; `meanwhile` is called in between. Returns what it told its server."""
    monkeypatch.setattr(crowd, "limit", crowd.limit)
    monkeypatch.setattr(shell, "spare_the_collector", lambda: None)
    monkeypatch.setattr(shell, "refuse_unsafe_database", lambda: None)
    monkeypatch.setattr(shell, "leave_one_file", lambda: None)
    # With PostgreSQL it would also listen to other processes.
    monkeypatch.setattr(shell, "connection", SimpleNamespace(vendor="sqlite"))

    def live(meanwhile: Callable[[shell.Shell], None]) -> list[tuple[str, str]]:
        told: list[tuple[str, str]] = []

        async def scene() -> None:
            one = shell.Shell(lambda *_request: None, Hub({**LIMITS}))
            calls = []

            async def receive() -> dict[str, str]:
                calls.append(None)
                if len(calls) == 2:
                    meanwhile(one)
                return {"type": "lifespan"}

            async def send(message: dict[str, str]) -> None:
                told.append((message["type"].removeprefix("lifespan."), message.get("message", "")))

            await one({"type": "lifespan"}, receive, send)
            if len(calls) == 1:
                for pool in (one.pool, one.taps, one.health_pool):
                    await asyncio.to_thread(pool.close)
                return
            assert one.pool is one.taps is one.health_pool is one.hub.pool is None
            assert not one.hub.is_open

        run(scene)
        return told

    return live


def test_a_server_begins_with_its_threads_and_ends_its_streams(lived):
    seen: list[Any] = []

    def meanwhile(one: shell.Shell) -> None:
        assert one.hub.is_open
        reader = Reader(one.hub, WATCHER)
        seen.extend([reader, one.pool, one.taps, one.health_pool, one.hub.pool])
        assert len({id(pool) for pool in seen}) == 5

    assert lived(meanwhile) == [("startup.complete", ""), ("shutdown.complete", "")]
    reader, *pools = seen
    assert reader.ended
    for pool in pools:
        with pytest.raises(RuntimeError, match="after shutdown"):
            pool.submit(print, Asker(""))


def test_taps_are_answered_on_a_thread_of_their_own():
    def django(_request: dict[str, Any], start_response: Callable[..., None]) -> Any:
        start_response("200 OK", [])
        return BytesIO(threading.current_thread().name.encode())

    async def scene() -> None:
        one = shell.Shell(django, Hub({**LIMITS}))
        one.pool, one.taps = Pool(1, "rest"), SharedCommits(Pool(1, "taps"), one.ask)
        for method, path, name in (("POST", "/t/HJKM/act", b"taps_0"), ("GET", "/t/HJKM/board", b"rest_0")):
            scope = {"method": method, "path": path, **PLAIN}
            assert (await one.answered(scope, shell.Body("somebody", 0))).body == name
        for pool in (one.pool, one.taps):
            await asyncio.to_thread(pool.close)

    run(scene)


def test_a_form_that_breaks_off_is_not_sent_to_django():
    """Half a form says something different from what was typed, and nobody waits for the answer."""
    asked, told = [], []

    async def scene() -> None:
        one = shell.Shell(lambda *request: asked.append(request), Hub({**LIMITS}))
        left = [part(b"note=do%20not", more_body=True), {"type": "http.disconnect"}]

        async def receive() -> dict[str, object]:
            return left.pop(0)

        async def send(message: dict[str, object]) -> None:
            told.append(message)

        scope = {"type": "http", "method": "POST", "path": "/t/HJKM/name", **PLAIN}
        await one({**scope, "headers": [(b"host", b"localhost")]}, receive, send)

    run(scene)
    assert (asked, told) == ([], [])
    assert UNANSWERED.total == 0


def test_every_answer_is_closed_so_that_a_broken_connection_to_the_database_is_left():
    """Django looks after its connections when an answer is closed, even one that could not be finished."""
    closed = []

    class Chunks:
        def __init__(self, fails: bool) -> None:
            self.fails = fails

        def __iter__(self) -> Iterator[bytes]:
            yield b"a"
            if self.fails:
                raise OperationalError("the server closed the connection")

        def close(self) -> None:
            closed.append(self.fails)

    def django(request: dict[str, Any], start_response: Callable[..., None]) -> Chunks:
        start_response("200 OK", [("X-One", "1")])
        return Chunks(request["fails"])

    one = shell.Shell(django, Hub({**LIMITS}))
    answer = one.ask({"fails": False})
    assert (answer.status, answer.headers, answer.body) == (200, [(b"x-one", b"1")], b"a")
    with pytest.raises(OperationalError):
        one.ask({"fails": True})
    assert closed == [False, True]


def test_headers_in_several_lines_are_one_and_none_passes_for_another():
    """What our proxy adds to a header comes after anything that somebody has written into it."""
    lines = [
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"x-forwarded-for", b"203.0.113.9"),
        (b"x-forwarded-for", b"192.0.2.1"),
        (b"x_forwarded_for", b"198.51.100.7"),
        (b"content_length", b"7"),
        (b"content-length", b"999999"),
        (b"content-type", b"text/plain"),
    ]
    scope = {"method": "POST", "path": "/t/\u00e9", "raw_path": b"/t/%E9%2F", **PLAIN, "headers": lines}
    asked = shell.environ(scope, b"abc")
    assert asked["HTTP_COOKIE"] == "a=1; b=2"
    assert asked["HTTP_X_FORWARDED_FOR"] == "203.0.113.9, 192.0.2.1"
    assert (asked["CONTENT_LENGTH"], asked["CONTENT_TYPE"]) == ("3", "text/plain")
    assert not {"HTTP_CONTENT_LENGTH", "HTTP_CONTENT_TYPE"} & asked.keys()
    assert asked["PATH_INFO"] == "/t/\xe9/"
    assert asked["wsgi.input"].read() == b"abc"


def test_a_log_that_cannot_be_carried_over_keeps_no_server_from_stopping(monkeypatch, caplog):
    def refuse() -> None:
        raise OperationalError("the disk is full")

    closed = []
    monkeypatch.setattr(shell, "empty_log", refuse)
    monkeypatch.setattr(shell, "connections", SimpleNamespace(close_all=lambda: closed.append(True)))
    shell.leave_one_file()
    assert (closed, caplog.messages) == ([True], ["the database's log was left beside it: the disk is full"])


def test_a_database_that_would_lose_taps_is_not_served_from(lived, monkeypatch):
    def refuse() -> None:
        raise RuntimeError("The database is in WAL mode")

    monkeypatch.setattr(shell, "refuse_unsafe_database", refuse)
    assert lived(lambda _one: None) == [("startup.failed", "The database is in WAL mode")]


@pytest.mark.parametrize(("is_slow", "most"), [(False, 1), (True, shared_commits.MOST)])
def test_taps_are_let_through_one_by_one_unless_the_disk_is_slow(monkeypatch, is_slow, most):
    async def scene() -> None:
        monkeypatch.setattr(shell, "connection", SimpleNamespace(vendor="sqlite"))
        one, sent = shell.Shell(lambda *_request: None, Hub({**LIMITS})), list[Future[Answer]]()
        one.taps = SimpleNamespace(
            is_slow=is_slow, submit=lambda _asked, _asker: sent.append(Future()) or sent[-1]
        )
        scope = {"method": "POST", "path": "/t/HJKM/act", **PLAIN}
        tasks = [
            asyncio.create_task(one.answered(scope, shell.Body("a hall", 0)))
            for _time in range(2 * shared_commits.MOST)
        ]
        await asyncio.sleep(0.01)
        assert len(sent) == 1
        sent[0].set_result(Answer(200, [], b"", []))
        await asyncio.sleep(0.01)
        assert len(sent) == 1 + most
        one.taps.is_slow = False
        for answer in sent[1:]:
            answer.set_result(Answer(200, [], b"", []))
        await asyncio.sleep(0.01)
        assert len(sent) == 1 + most + 1
        for task in tasks:
            task.cancel()

    run(scene)


@pytest.mark.parametrize(("wanted", "streams", "warnings"), [(900, 500, 0), (1100, 500, 1), (300, 300, 0)])
def test_a_server_begins_with_room_for_its_files_and_a_collector_that_waits(
    lived, monkeypatch, caplog, wanted, streams, warnings
):
    """What `ulimit -n` allows is shared by streams, the database and everything else."""
    spared, seen = [], []
    monkeypatch.setattr(shell, "spare_the_collector", lambda: spared.append(True))
    monkeypatch.setattr(shell, "open_files", lambda: 700)
    monkeypatch.setitem(LIMITS, "process", wanted)
    lived(lambda one: seen.append((crowd.limit, one.hub.limits["process"], *spared)))
    assert seen == [(600, streams, True)]
    assert sum("open files" in told for told in caplog.messages) == warnings


@pytest.mark.parametrize("was_started", [True, False])
def test_only_a_server_that_has_started_touches_the_database_when_it_stops(monkeypatch, was_started):
    emptied = []
    monkeypatch.setattr(shell, "leave_one_file", lambda: emptied.append(True))

    async def scene() -> None:
        one = shell.Shell(lambda *_request: None, Hub({**LIMITS}))
        one.pool = Pool(1, "rest") if was_started else None
        await one.stop()

    run(scene)
    assert emptied == [True] * was_started


@pytest.mark.parametrize("kind", [checks.Warning, checks.Error])
def test_a_server_starts_with_a_warning_but_with_no_error_of_its_database(monkeypatch, kind):
    problem = kind("The disk is far away.")
    monkeypatch.setattr(shell.checks, "run_checks", lambda **_what: [problem])
    if kind is checks.Warning:
        shell.refuse_unsafe_database()
        return
    with pytest.raises(RuntimeError, match=r"The disk is far away\."):
        shell.refuse_unsafe_database()


@pytest.mark.parametrize(
    ("limits", "may_raise", "room"),
    [
        ((256, 4096), True, 4096),
        ((256, 4096), False, 256),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), True, 1_000_000),
    ],
)
def test_as_many_files_are_open_as_the_system_lets_be(monkeypatch, limits, may_raise, room):
    asked = []

    def raise_to(_which: int, wanted: tuple[int, int]) -> None:
        asked.append(wanted)
        if not may_raise:
            raise OSError

    monkeypatch.setattr(resource, "getrlimit", lambda _which: limits)
    monkeypatch.setattr(resource, "setrlimit", raise_to)
    assert shell.open_files() == room
    assert asked == [(limits[1], limits[1])]


def test_what_is_loaded_when_a_server_starts_is_never_searched_for_garbage(monkeypatch):
    done: list[str] = []
    names = ("collect", "freeze")
    steps = {name: lambda *_numbers, name=name: done.append(name) for name in names}
    monkeypatch.setattr(shell, "gc", SimpleNamespace(**steps))
    shell.spare_the_collector()
    assert done == ["collect", "freeze"]


def test_a_pool_that_closes_closes_the_connections_of_its_threads(monkeypatch):
    """They belong to threads that are gone by then."""
    done: list[str] = []
    steps = {"inc_thread_sharing": lambda: done.append("shared"), "close": lambda: done.append("closed")}
    monkeypatch.setattr("games.live.hub.connections", SimpleNamespace(all=lambda: [SimpleNamespace(**steps)]))
    one = Pool(1, "one")
    one.submit(done.append, "worked").result()
    one.close()
    assert done == ["shared", "worked", "closed"]


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/t/hjkm/act", "HJKM"),
        ("/api/matches/HJKM/adjust", "HJKM"),
        ("/api/matches", ""),
        ("/t/", ""),
        ("/e/ABCD/do", ""),
        ("/", ""),
    ],
)
def test_a_request_is_about_the_table_in_its_address(path, table):
    assert shell.table_of(path) == table


@pytest.mark.parametrize("path", ["/t/HJKM/act", "/new", "/t/HJKM/board"])
def test_what_the_processor_worked_on_a_request_is_counted_for_its_address(path, monkeypatch):
    def django(_request: dict[str, Any], start_response: Callable[..., None]) -> Any:
        until_then = time.thread_time() + 0.05
        while time.thread_time() < until_then:
            pass
        start_response("200 OK", [])
        return BytesIO(b"")

    monkeypatch.setattr(shell, "connection", SimpleNamespace(vendor="sqlite"))
    one, spent = shell.Shell(django, Hub({**LIMITS})), list[tuple[str, float]]()
    one.pool, one.taps = Pool(1, "rest"), SharedCommits(Pool(1, "taps"), one.ask)
    one.turns.shares.spend = lambda *told: spent.append(told)  # type: ignore[method-assign]

    async def scene() -> None:
        method = "POST" if path.endswith(("act", "new")) else "GET"
        await one.answered({"method": method, "path": path, **PLAIN}, shell.Body("a hall", 0))

    run(scene)
    for pool in (one.pool, one.taps):
        pool.close()
    ((address, seconds),) = spent
    assert address == "a hall"
    assert 0.05 <= seconds < 0.5


def test_what_is_sent_costs_a_share_and_is_not_read_beyond_it(monkeypatch):
    monkeypatch.setattr(shell, "BYTE_SECONDS", 0.02)

    async def scene() -> float:
        used, began = Shares(), asyncio.get_running_loop().time()
        used.spend("player", 0.0)
        parts = [part(b"12345678", more_body=True)] * 10 + [part(b"")]

        async def receive() -> dict[str, object]:
            return parts.pop(0)

        body = shell.Body(address, 1000, used)
        assert await body.read(receive) is None
        assert len(body.held) == 80
        body.forget()
        return asyncio.get_running_loop().time() - began

    for address in ("a robot", "player"):
        with ThreadPoolExecutor(1) as thread:
            took = thread.submit(lambda: asyncio.run(scene())).result()
        # Of 1.6 seconds some came at once; the rest takes five times as long.
        assert took > 1.5 if address == "a robot" else took < 1


def test_who_waits_for_using_too_much_is_told_so(monkeypatch):
    monkeypatch.setattr(fair_queue, "PATIENCE", 0.01)

    async def scene() -> None:
        one = shell.Shell(lambda *_request: None, Hub({**LIMITS}))
        one.turns.shares.spend("a hall", 0.0)
        one.turns.shares.spend("a robot", 100.0)
        refused = await one.answered({"method": "GET", "path": "/", **PLAIN}, shell.Body("a robot", 0))
        assert (refused.status, dict(refused.headers)[b"retry-after"]) == (429, b"5")

    run(scene)
