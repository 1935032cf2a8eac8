"""The shell around Django on its own: who is answered on which threads, and what is told when."""

from __future__ import annotations

import asyncio
import time
from io import BytesIO
from typing import Any

import pytest

from config.server import fair_queue, shell
from config.server.answers import TOO_BUSY, Answer
from games.live.hub import STREAM_HEADER, Hub, stream_token
from games.live.stream import PREFIX
from games.monitoring.answer_times import ASKED_AT
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
    monkeypatch.setattr(fair_queue, "LANE_LIMIT", 0)
    found = []

    async def scene() -> None:
        scope = {"method": "POST", "path": "/t/HJKM/act", **PLAIN}
        found.append(await alone().answered(scope, shell.Body("somebody", 0)))

    run(scene)
    assert found == [TOO_BUSY]


@pytest.mark.parametrize(("hosts", "is_granted"), [(1, True), (2, False), (0, False)])
def test_a_stream_begins_at_once_only_for_a_head_that_is_not_refused(hosts, is_granted):
    found = []

    async def scene() -> None:
        one = alone()
        one.hub.open()
        path = f"{PREFIX}{stream_token('HJKM', (), WATCHER)}"
        head = {**PLAIN, "headers": [(b"host", b"localhost")] * hosts, "client": ("192.0.2.1", 1)}
        found.append(one.begin({"method": "GET", "path": path, **head}, lambda _message: asyncio.sleep(0)))
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


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_django_hears_how_and_when_it_was_asked(scheme):
    scope = {"method": "GET", "path": "/", **PLAIN}
    before = time.perf_counter()
    asked = shell.environ(scope if scheme == "http" else {**scope, "scheme": scheme}, b"")
    assert asked["wsgi.url_scheme"] == scheme
    assert before <= asked[ASKED_AT] <= time.perf_counter()
