"""The shell around Django on its own: who is asked where, what is told when, what it takes of the system."""

from __future__ import annotations

import asyncio
import resource
import time
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import checks

from config.serving import shell, turns
from config.serving.answers import TOO_BUSY, Answer
from config.serving.connections import crowd
from games.live import pool
from games.live.hub import Hub
from games.live.pool import Pool
from games.live.stream import PREFIX
from games.live.tickets import STREAM_HEADER, stream_token
from games.monitoring.middleware import ASKED_AT
from tests.hubs import LIMITS, WATCHER
from tests.server.test_shell import PLAIN, part, run

LANES = {
    "reads": [("GET", "/t/HJKM/act"), ("HEAD", "/"), ("GET", "/t/HJKM/board")],
    "taps": [("POST", "/t/HJKM/act"), ("POST", "/t/HJKM/adjust"), ("POST", "/t/HJKM/undo")],
    "forms": [("POST", "/t/HJKM/name"), ("POST", "/new"), ("POST", "/t/HJKM/act/more")],
}


def alone() -> shell.Shell:
    """A shell that was not started, of an answer that nobody asks for."""
    return shell.Shell(lambda *_request: None, Hub({**LIMITS}))


@pytest.mark.parametrize(
    ("lane", "method", "path"), [(lane, *asked) for lane, all_ in LANES.items() for asked in all_]
)
def test_only_taps_have_the_threads_of_taps(lane: str, method: str, path: str):
    one = alone()
    assert one.lane({"method": method, "path": path}) is getattr(one.turns, lane)


@pytest.mark.parametrize("is_there", [True, False])
def test_news_is_told_once_an_answer_is_on_its_way_even_to_somebody_who_has_left(monkeypatch, is_there):
    told: list[str] = []

    async def scene() -> None:
        one = alone()
        answer = Answer(200, [], b"a board", [lambda: told.append("news")])
        monkeypatch.setattr(one, "answered", lambda *_request: asyncio.sleep(0, answer))

        async def receive() -> dict[str, object]:
            return part(b"")

        async def send(message: dict[str, Any]) -> None:
            if not is_there:
                raise ConnectionResetError
            told.append(message["type"])

        await one.request({"method": "POST", "path": "/t/HJKM/act", **PLAIN}, receive, send)

    if is_there:
        run(scene)
        assert told == ["http.response.start", "http.response.body", "news"]
    else:
        with pytest.raises(ConnectionResetError):
            run(scene)
        assert told == ["news"]


def test_a_crowd_is_told_to_come_back(monkeypatch):
    monkeypatch.setattr(turns, "LANE_LIMIT", 0)
    found = []

    async def scene() -> None:
        scope = {"method": "POST", "path": "/t/HJKM/act", **PLAIN}
        found.append(await alone().answered(scope, shell.Body("somebody", 0)))

    run(scene)
    assert found == [TOO_BUSY]


@pytest.mark.parametrize(
    ("files", "wanted", "streams", "warnings"), [(700, 900, 500, 0), (700, 1100, 500, 1), (700, 300, 300, 0)]
)
def test_a_server_begins_with_room_for_its_files_and_a_collector_that_waits(
    monkeypatch, caplog, files, wanted, streams, warnings
):
    """What `ulimit -n` allows is shared by streams, the database and everything else."""
    spared = []
    monkeypatch.setattr(crowd, "limit", crowd.limit)
    monkeypatch.setattr(shell, "connection", SimpleNamespace(vendor="sqlite"))
    monkeypatch.setattr(shell, "refuse_unsafe_database", lambda: None)
    monkeypatch.setattr(shell, "leave_one_file", lambda: None)
    monkeypatch.setattr(shell, "spare_the_collector", lambda: spared.append(True))
    monkeypatch.setattr(shell, "open_files", lambda: files)

    async def scene() -> None:
        one = alone()
        one.hub.limits["process"] = wanted
        await one.start()
        assert (crowd.limit, one.hub.limits["process"], spared) == (600, streams, [True])
        await one.stop()

    run(scene)
    assert sum("open files" in told for told in caplog.messages) == warnings


@pytest.mark.parametrize(("hosts", "is_granted"), [(1, True), (2, False), (0, False)])
def test_a_stream_begins_at_once_only_for_a_head_that_is_not_refused(hosts, is_granted):
    found = []

    async def scene() -> None:
        one = alone()
        one.hub.open()
        path = f"{PREFIX}{stream_token('HJKM', (), WATCHER)}"
        head = {**PLAIN, "headers": [(b"host", b"localhost")] * hosts, "client": ("192.0.2.1", 1)}
        found.append(one.at_once({"method": "GET", "path": path, **head}, lambda _message: asyncio.sleep(0)))
        one.hub.close()

    run(scene)
    assert (found[0] is not None) is is_granted


@pytest.mark.parametrize(
    ("headers", "stream"), [([(STREAM_HEADER.decode(), "a token")], "a token"), ([], None)]
)
def test_an_answer_may_give_its_place_to_a_stream(headers, stream):
    def django(_request: dict[str, Any], start_response: Any) -> BytesIO:
        start_response("200 OK", headers)
        return BytesIO(b"")

    assert shell.Shell(django, Hub({**LIMITS})).ask({}).stream == stream


@pytest.mark.parametrize("was_started", [True, False])
def test_only_a_server_that_has_started_touches_the_database_when_it_stops(monkeypatch, was_started):
    emptied = []
    monkeypatch.setattr(shell, "leave_one_file", lambda: emptied.append(True))

    async def scene() -> None:
        one = alone()
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
    names = ("collect", "freeze", "set_threshold")
    steps = {name: lambda *_numbers, name=name: done.append(name) for name in names}
    monkeypatch.setattr(shell, "gc", SimpleNamespace(**steps))
    shell.spare_the_collector()
    assert done == ["collect", "freeze", "set_threshold"]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_django_hears_how_and_when_it_was_asked(scheme):
    scope = {"method": "GET", "path": "/", **PLAIN}
    before = time.perf_counter()
    asked = shell.environ(scope if scheme == "http" else {**scope, "scheme": scheme}, b"")
    assert asked["wsgi.url_scheme"] == scheme
    assert before <= asked[ASKED_AT] <= time.perf_counter()


def test_a_pool_that_closes_closes_the_connections_of_its_threads(monkeypatch):
    """They belong to threads that are gone by then."""
    done: list[str] = []
    steps = {"inc_thread_sharing": lambda: done.append("shared"), "close": lambda: done.append("closed")}
    monkeypatch.setattr(pool, "connections", SimpleNamespace(all=lambda: [SimpleNamespace(**steps)]))
    one = Pool(1, "one")
    one.submit(done.append, "worked").result()
    one.close()
    assert done == ["shared", "worked", "closed"]
