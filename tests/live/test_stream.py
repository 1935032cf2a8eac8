"""Live streams over real sockets: what a phone receives, and how a stream ends."""

from __future__ import annotations

import asyncio
import gc
import http.client
import socket
import time
import zlib
from pathlib import Path

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import RequestFactory

from config.asgi import Connection, application
from games.live import stream
from games.live.hub import Audience, hub, stream_response, stream_token
from tests.hubs import WATCHER
from tests.streams import next_event
from tests.trust.sockets import until

ROOT = Path(__file__).parents[2]


class Stream:
    """A phone that listens: its status, headers and events, read as they come."""

    def __init__(self, port, path, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def event(self):
        """The next event as a dictionary; None at the end of the stream."""
        return next_event(self.answer)

    def board(self):
        """The next board; beats and the advice on reconnecting are passed over."""
        while event := self.event():
            if event.get("event") == "board":
                return event
        return None

    def close(self):
        self.answer.close()
        self.connection.close()


@pytest.fixture
def listen(server, monkeypatch):
    """Open streams of a match at version 3; they are closed afterwards."""
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (3, f"{match}\nat 3"))
    monkeypatch.setattr(hub, "dropped", {})
    # There are no rows for this match, and the bus would look for them.
    monkeypatch.setattr(hub, "bus", None)
    opened = []

    def open_stream(match="M", epochs=(), query="", token=None, **headers):
        token = token or stream_token(match, epochs, WATCHER)
        opened.append(Stream(server.port, f"/live/{token}{query}", **headers))
        return opened[-1]

    yield open_stream
    for one in opened:
        one.close()
    until(lambda: hub.count == 0)


def publish(version, text="news", match="M"):
    hub.publish(match, version, lambda audience: f"{text} for {audience.seats}")


def test_a_stream_begins_with_the_board_and_goes_on_with_news(listen):
    phone = listen(epochs=(("red", 1),))
    assert phone.status == 200
    assert phone.answer.headers["Content-Type"].startswith("text/event-stream")
    assert phone.answer.headers["Cache-Control"] == "no-store"
    assert 500 <= int(phone.event()["retry"]) <= 2500
    assert phone.event()["event"] == "beat"
    assert phone.event() == {"id": "3", "event": "board", "data": "M\nat 3"}
    publish(4)
    assert phone.board() == {"id": "4", "event": "board", "data": "news for ('red',)"}


@pytest.mark.parametrize(
    ("query", "headers", "first"),
    [
        ("?seen=3", {}, "4"),
        ("?seen=2", {}, "3"),
        ("", {"Last_Event_ID": "3"}, "4"),
        ("?seen=2", {"Last_Event_ID": "3"}, "4"),
        ("", {"Last_Event_ID": "-1"}, "3"),
        ("", {"Last_Event_ID": "9" * 18}, "3"),
        ("", {"Last_Event_ID": "abc"}, "3"),
        ("", {"Last_Event_ID": "\xb2"}, "3"),
        ("", {"Last_Event_ID": "9" * 5000}, "3"),
        ("?seen=999", {}, "3"),
    ],
)
def test_a_phone_that_returns_is_sent_only_what_it_lacks(listen, query, headers, first):
    other, phone = listen(), listen(query=query, **headers)
    assert other.board()["id"] == "3"
    publish(4)
    assert phone.board()["id"] == first


def test_a_players_stream_says_that_it_lives(listen, monkeypatch):
    phone = listen(epochs=(("red", 1),))
    assert phone.board()
    began = time.monotonic()
    assert phone.event() == {"event": "beat", "data": "3"}
    assert time.monotonic() - began < 2.5


def test_a_head_opens_nothing(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("HEAD", f"/live/{stream_token('M', (), WATCHER)}")
    assert connection.getresponse().status == 200
    assert hub.count == 0


def test_a_stream_takes_no_taps(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("POST", f"/live/{stream_token('M', (), WATCHER)}", "activate:wolves")
    assert connection.getresponse().status == 405


@pytest.mark.parametrize("token", ["x", "a:b:c", "%ff", "x/y", "x" * 4000])
def test_a_forged_token_is_refused(listen, token):
    assert listen(token=token).status == 403


def test_a_full_house_is_told_so(listen, monkeypatch):
    monkeypatch.setitem(hub.limits, "seat", 1)
    assert listen(epochs=(("red", 1),)).status == 200
    refused = listen(epochs=(("red", 1),))
    assert refused.status == 503
    assert b"Too many" in refused.answer.read()
    assert listen(epochs=(("blue", 1),)).status == 200


def test_a_page_is_told_by_an_event_for_its_script_sees_no_status(listen, monkeypatch):
    monkeypatch.setitem(hub.limits, "seat", 1)
    accept = {"Accept": "text/event-stream"}
    token = stream_token("M", (("red", 1),), WATCHER)
    assert listen(token=token, **accept).board()
    full, over = listen(token=token, query="?seen=3", **accept), listen(token="x", **accept)
    assert full.event() == {"event": "over", "data": f"/live/{token}?table=M"}
    assert over.answer.readline() == b"event: over\n"
    assert over.answer.readline() == b"data: \n"
    assert full.event() is None
    assert hub.count == 1


def test_a_seats_address_that_was_lost_is_over_for_its_page(listen):
    token = stream_token("M", (("red", 1),), WATCHER)
    hub.drop("M", "red", 1)
    page = listen(token=token, Accept="text/event-stream")
    assert page.answer.read() == b"event: over\ndata: \n\n"


def test_who_accepts_gzip_gets_it_unless_plain_is_asked_for(listen):
    packed = listen(Accept_Encoding="gzip, deflate, br")
    plain = listen(Accept_Encoding="gzip, deflate, br", query="?plain=1")
    assert packed.answer.headers["Content-Encoding"] == "gzip"
    assert packed.answer.headers["Vary"] == "accept-encoding"
    assert plain.answer.headers["Content-Encoding"] is None
    assert listen().answer.headers["Content-Encoding"] is None
    assert plain.board()["id"] == "3"
    inflate, said = zlib.decompressobj(31), b""
    while b"id: 3\n" not in said:
        said += inflate.decompress(packed.answer.read1())
    publish(4, "news " * 500)
    news = plain.board()
    while not said.endswith(f"data: {news['data']}\n\n".encode()):
        said += inflate.decompress(packed.answer.read1())
    assert news["id"] == "4"


def test_a_phone_that_leaves_is_forgotten(listen):
    phone = listen()
    assert phone.board()
    assert hub.count == 1
    phone.close()
    until(lambda: hub.count == 0)


def tasks_of_requests():
    return [task for task in asyncio.all_tasks(hub.loop) if "run_asgi" in repr(task.get_coro())]


def test_a_stream_keeps_no_task(listen):
    watcher, player = listen(), listen(epochs=(("red", 1),))
    assert watcher.board()
    assert player.board()
    assert tasks_of_requests() == []


def test_a_stream_whose_right_is_looked_up_says_the_same(listen):
    # A body after the head has to be read, so this one takes the long way.
    short, long = listen(), listen(Content_Length="0")
    assert (short.status, short.board()) == (long.status, long.board())
    assert len(tasks_of_requests()) == 1
    dated = {"date": ""}
    assert {**short.answer.headers, **dated} == {**long.answer.headers, **dated}
    publish(4)
    assert short.board() == long.board()


def test_after_a_stream_its_connection_answers_again(listen):
    phone = listen(epochs=(("red", 1),))
    assert phone.board()
    hub.drop("M", "red", 1)
    assert phone.event() is None
    assert hub.count == 0
    phone.connection.request("GET", f"/live/{stream_token('M', (), WATCHER)}")
    phone.answer = phone.connection.getresponse()
    assert phone.board()["id"] == "3"


def test_a_stream_that_was_asked_for_ahead_begins_when_the_first_is_over(listen, server):
    first, second = stream_token("M", (("red", 1),), WATCHER), stream_token("M", (), WATCHER)
    heads = [f"GET /live/{token} HTTP/1.1\r\nHost: localhost\r\n\r\n" for token in (first, second)]
    with socket.create_connection(("127.0.0.1", server.port)) as phone:
        phone.sendall("".join(heads).encode())
        until(lambda: hub.count == 1)
        hub.drop("M", "red", 1)
        until(lambda: hub.rooms["M"].holding(()) == 1)
        assert hub.count == 1


@pytest.mark.parametrize("is_over", [False, True])
def test_a_stream_that_has_ended_leaves_no_garbage(listen, monkeypatch, is_over):
    """Whoever ends it: the phone, or the server because there is nothing more to show."""
    monkeypatch.setattr(hub, "gone", {})
    gc.collect()
    gc.disable()
    try:
        # Connections of other tests may still be open.
        others = _connections()
        phone = listen()
        assert phone.board()
        assert _connections() - others
        if is_over:
            hub.end("M")
            assert phone.board() is None
        phone.close()
        until(lambda: not _connections() - others)
    finally:
        gc.enable()


def _connections():
    # Asking a lazy object for its class would create it.
    return {id(one) for one in gc.get_objects() if type(one) is Connection}


def test_losing_the_seat_ends_the_stream_and_its_token(listen):
    token = stream_token("M", (("red", 1),), WATCHER)
    red, watcher = listen(token=token), listen()
    assert red.board()
    assert watcher.board()
    hub.drop("M", "red", 1)
    assert red.board() is None
    assert listen(token=token).status == 403
    publish(4)
    assert watcher.board()["id"] == "4"


def test_who_does_not_read_is_given_up_and_delays_nobody(listen, server, monkeypatch):
    monkeypatch.setattr("games.live.hub.STUCK_SECONDS", 0.2)
    token = stream_token("M", (), WATCHER)
    with socket.create_connection(("127.0.0.1", server.port)) as sleeper:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.sendall(f"GET /live/{token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        phone = listen(epochs=(("red", 1),))
        assert phone.board()["id"] == "3"
        until(lambda: hub.count == 2)
        for version in range(4, 40):
            publish(version, "x" * 500_000)
            assert phone.board()["id"] == str(version)
        until(lambda: hub.count == 1)
        sleeper.settimeout(5)
        with pytest.raises(ConnectionResetError):
            _read_to_the_end(sleeper)


def _read_to_the_end(connection):
    while connection.recv(65536):
        pass


def test_a_views_news_waits_for_its_answer(server, listen, monkeypatch):
    order = []

    def view(environ, start_response):
        with transaction.atomic():
            transaction.on_commit(lambda: publish(4))
        time.sleep(0.1)
        order.append("answered")
        start_response("200 OK", [])
        return HttpResponse(b"done")

    phone = listen()
    assert phone.board()["id"] == "3"
    monkeypatch.setattr(application, "django", view)
    monkeypatch.setattr(
        hub, "_published", lambda *news, kept=hub._published: (order.append("told"), kept(*news))
    )
    tapper = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    tapper.request("GET", "/")
    assert tapper.getresponse().read() == b"done"
    assert phone.board()["id"] == "4"
    assert order == ["answered", "told"]


def test_a_view_may_answer_with_a_stream(server, listen, monkeypatch):
    def view(environ, start_response):
        response = stream_response("M", Audience(("red",), "en", "json"), (("red", 1),))
        start_response("406 Not Acceptable", list(response.items()))
        return response

    assert listen().board()
    monkeypatch.setattr(application, "django", view)
    phone = Stream(server.port, "/api/matches/M/events?seen=2")
    assert phone.status == 200
    assert phone.board()["id"] == "3"
    phone.close()


def test_a_robot_sees_the_status_whatever_it_accepts(server, listen, monkeypatch):
    def view(environ, start_response):
        response = stream_response("M", Audience(("red",), "en", "json"), (("red", 1),))
        start_response("406 Not Acceptable", list(response.items()))
        return response

    monkeypatch.setattr(application, "django", view)
    monkeypatch.setitem(hub.limits, "seat", 0)
    phone = Stream(server.port, "/api/matches/M/events", Accept="text/event-stream")
    assert phone.status == 503
    phone.close()


@pytest.mark.parametrize(
    ("query", "is_wanted"),
    [
        (b"changes=1", True),
        (b"table=K7&changes=1&seen=3", True),
        (b"changes=10", False),
        (b"xchanges=1", False),
    ],
)
def test_what_a_page_wants_is_said_in_full(query, is_wanted):
    assert stream.wants({"query_string": query}, b"changes") is is_wanted


def test_a_stream_is_never_awaited_by_a_plain_client():
    response = stream_response("M", Audience((), "en", "json"), ())
    assert response.status_code == 406
    assert response.content
    assert RequestFactory().get("/live/x").path.startswith(stream.PREFIX)
