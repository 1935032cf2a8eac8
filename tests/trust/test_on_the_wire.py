"""What stands on the wire between one request and the next: trailers, ends of half a line, what waits."""

from __future__ import annotations

import logging
import socket
import time
from typing import Any

import pytest
from uvicorn.protocols.http import httptools_impl

from config import health
from config.asgi import application
from config.server import connections
from config.server.connections import UNANSWERED, Connection, crowd
from games.live.hub import Audience, hub, stream_token
from tests.trust.sockets import until
from tests.trust.test_connections import (  # noqa: F401
    HEAD,
    Dial,
    answer,
    dial,
    is_answered,
    read_to,
    waits_for_an_answer,
)
from tests.trust.test_sent_ahead import other_end

BODY = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The requests that reach Django, which answers them as usual."""
    seen: list[dict[str, Any]] = []
    django = application.django
    monkeypatch.setattr(
        application, "django", lambda request, start: seen.append(request) or django(request, start)
    )
    return seen


def test_what_stands_behind_a_body_is_no_header(dial: Dial, asked: list[dict[str, Any]]):  # noqa: F811
    """A proxy of ours writes its headers in front of the body; behind it a stranger could write the same."""
    trailers = b"Host: elsewhere\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Type: text/plain; charset=utf-7\r\n"
    phone = dial(CHUNKED)
    phone.sendall(trailers + b"\r\n")
    assert b'"status"' in read_to(phone, b'"status"')
    (request,) = asked
    assert request["HTTP_HOST"] == "localhost"
    assert "HTTP_X_FORWARDED_FOR" not in request
    assert "CONTENT_TYPE" not in request
    # What follows on the connection is a request like any other.
    phone.sendall(HEAD + b"X-Forwarded-For: 192.0.2.2\r\n\r\n")
    read_to(phone, b'"status"')
    assert asked[1]["HTTP_X_FORWARDED_FOR"] == "192.0.2.2"


@pytest.fixture
def listening(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> tuple[socket.socket, Connection]:  # noqa: F811
    """A phone with an open stream, and the server's end of its connection."""
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (3, match))
    monkeypatch.setattr(hub, "bus", None)
    phone = dial()
    one = other_end(phone)
    token = stream_token("AHEAD", (), Audience((), "en", "table"))
    phone.sendall(f"GET /live/{token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    read_to(phone, b"event: board")
    assert one.carried, "thousands of streams need no task each"
    assert one.carried[0].line is one.transport
    return phone, one


def test_a_stream_for_who_keeps_no_connection_says_so(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (3, match))
    monkeypatch.setattr(hub, "bus", None)
    token = stream_token("CLOSE", (), Audience((), "en", "table"))
    phone = dial(f"GET /live/{token} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert b"\r\nconnection: close\r\n" in read_to(phone, b"event: board")
    hub.end("CLOSE")
    assert answer(phone).endswith(b"0\r\n\r\n")


def test_what_waits_behind_a_stream_is_counted(
    listening: tuple[socket.socket, Connection], monkeypatch: pytest.MonkeyPatch
):
    """A stream has no end: thousands of them would hold whatever was sent behind them for ever."""
    phone, one = listening
    phone.sendall(BODY + b"a" * 30_000)
    until(lambda: len(one.pipeline) == 1 and UNANSWERED.total >= 30_000)
    assert UNANSWERED.held[one.peer] == UNANSWERED.total
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, connections.NO_LINGER)
    phone.close()
    until(lambda: UNANSWERED.total == 0)


def test_only_so_much_may_wait_behind_a_stream(
    listening: tuple[socket.socket, Connection], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(UNANSWERED, "each", 20_000)
    phone, one = listening
    phone.sendall(BODY + b"a" * 30_000)
    assert b" 503 " not in answer(phone), "it would stand in the middle of the stream"
    until(lambda: not one.is_admitted and hub.count == 0)


def test_what_waited_is_let_go_when_its_turn_comes(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall((HEAD + b"\r\n") * 2)
    until(lambda: UNANSWERED.total >= 2 * len(HEAD))
    go_on.set()
    read_to(phone, b'"status"', times=3)
    until(lambda: UNANSWERED.total == 0)
    assert is_answered(phone)
    health._latest.forget()


@pytest.mark.parametrize(
    ("ahead", "answered"), [(connections.PIPELINE_LIMIT, True), (connections.PIPELINE_LIMIT + 1, False)]
)
def test_so_many_may_be_sent_ahead(dial: Dial, monkeypatch: pytest.MonkeyPatch, ahead: int, answered: bool):  # noqa: F811
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall((HEAD + b"\r\n") * (ahead - 1) + HEAD + b"Connection: close\r\n\r\n")
    if not answered:
        assert answer(phone) == b""
    go_on.set()
    assert not answered or answer(phone).count(b'"status"') == 1 + ahead
    health._latest.forget()


def test_a_line_that_is_empty_is_waited_behind(dial: Dial):  # noqa: F811
    phone = dial(b"\r\n")
    until(lambda: UNANSWERED.total == 2)
    assert is_answered(phone)


def test_half_a_head_behind_what_waited_does_not_stay(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall(HEAD + b"\r\n" + HEAD)
    go_on.set()
    assert b"HTTP/1.1 408 " in answer(phone)
    health._latest.forget()


def test_half_a_head_behind_a_whole_one_is_counted(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    """What arrives together is read together."""
    phone = dial(HEAD + b"\r\n" + HEAD + b"X: " + b"a" * 5000)
    read_to(phone, b'"status"')
    until(lambda: 5000 < UNANSWERED.total < 6000)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    phone.sendall(b"\r\n\r\n" + HEAD)
    read_to(phone, b'"status"')
    assert answer(phone).startswith(b"HTTP/1.1 408 ")


def test_a_head_without_an_end_behind_a_whole_one_is_refused(dial: Dial):  # noqa: F811
    phone = dial(HEAD + b"\r\n" + HEAD + b"X: " + b"a" * connections.HEAD_LIMIT)
    received = answer(phone)
    # Whether the first has its answer by then or not, nothing of the second is waited for.
    assert received == b"" or b"HTTP/1.1 431 " in received


def test_who_has_no_address_any_more_is_let_in(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr("uvicorn.protocols.http.httptools_impl.get_remote_addr", lambda _transport: None)
    assert is_answered(dial())
    assert crowd.open == {"": 1}


def test_of_a_connection_that_was_reset_no_timer_stays(dial: Dial):  # noqa: F811
    """It would keep all of the connection for another minute, and strangers can reset thousands a second."""
    phone = dial()
    one = other_end(phone)
    assert is_answered(phone)
    until(lambda: one.timeout_keep_alive_task)
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, connections.NO_LINGER)
    phone.close()
    until(lambda: not one.is_admitted)
    assert one.timeout_keep_alive_task is None


def test_who_says_no_more_is_still_answered(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    """Small programs close their half of the line once they have asked."""
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall(HEAD + b"\r\n")
    phone.shutdown(socket.SHUT_WR)
    go_on.set()
    assert answer(phone).count(b'"status"') == 2
    health._latest.forget()


@pytest.mark.parametrize("said", [b"", HEAD, BODY + b"a", HEAD + b"\r\n"])
def test_who_has_nothing_to_wait_for_is_closed_with_its_half_of_the_line(dial: Dial, said: bytes):  # noqa: F811
    phone = dial(said)
    if said.endswith(b"\r\n\r\n"):
        read_to(phone, b'"status"')
    phone.shutdown(socket.SHUT_WR)
    assert answer(phone) == b""
    until(lambda: not crowd.size)


def test_over_encryption_there_is_no_half_of_a_line(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    """TLS ends in both directions at once: whoever says no more hears no more."""
    monkeypatch.setattr(httptools_impl, "is_ssl", lambda _transport: True)
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.shutdown(socket.SHUT_WR)
    assert answer(phone) == b""
    go_on.set()
    health._latest.forget()


def test_a_stream_ends_with_the_phones_half_of_the_line(listening: tuple[socket.socket, Connection]):
    phone, one = listening
    phone.shutdown(socket.SHUT_WR)
    until(lambda: not one.is_admitted and hub.count == 0)


@pytest.mark.parametrize(
    "more", [b"0x3\r\nabc\r\n", b"3\r\nabcX\r\n"], ids=["no number", "longer than it says"]
)
def test_a_body_that_makes_no_sense_is_refused_in_words(dial: Dial, more: bytes):  # noqa: F811
    head = HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n"
    assert answer(dial(head + more)).startswith(b"HTTP/1.1 400 ")


def test_a_body_may_pause_behind_the_size_of_a_piece(dial: Dial):  # noqa: F811
    """What has been understood is waited for by the body's own patience, not by that for heads."""
    phone = dial()
    one = other_end(phone)
    phone.sendall(HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n")
    until(lambda: one.cycle and not one.unread)
    phone.sendall(b"2")
    until(lambda: one.unread == 1 and one.patience)
    phone.sendall(b"\r\n")
    until(lambda: not one.unread and not one.patience)
    phone.sendall(b"{}\r\n0\r\n\r\n")
    assert b'"status"' in read_to(phone, b'"status"')


def test_whoever_was_answered_early_may_ask_again_behind_the_body(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    phone = dial(BODY + b"a" * 140_000)
    assert b" 413 " in read_to(phone, b"\r\n\r\n")
    phone.sendall(b"a" * 759_999)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    phone.sendall(b"a")
    # It is not cut off while it asks for nothing, as it would be for a body that does not end.
    time.sleep(0.5)
    phone.sendall(HEAD + b"\r\n")
    assert b'"status"' in read_to(phone, b'"status"')


def test_a_connection_is_at_work_until_what_was_sent_ahead_is_answered(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    first = HEAD.replace(b"/healthz", b"/x") + b"\r\n"
    phone, go_on = waits_for_an_answer(dial, monkeypatch, before=first)
    assert b" 404 " in read_to(phone, b"</html>")
    port = phone.getsockname()[1]
    assert port not in [one.client[1] for idle in crowd.idle.values() for one in idle if one.client]
    go_on.set()
    assert b'"status"' in read_to(phone, b'"status"')
    assert other_end(phone)
    health._latest.forget()


def test_a_wish_for_another_protocol_is_passed_over(dial: Dial, caplog: pytest.LogCaptureFixture):  # noqa: F811
    """Java's client has it in every first request; the log would advise to install a library."""
    phone = dial(HEAD + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
    read_to(phone, b'"status"')
    assert is_answered(phone)
    assert not [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize("name", ["_start_asgi_task", "_unsupported_upgrade_warning"])
def test_uvicorn_still_calls_what_a_connection_does_its_own_way(name: str):
    """No documentation promises these names: after an upgrade of uvicorn this says which one went."""
    its_own = httptools_impl.HttpToolsProtocol
    callers = (its_own.on_headers_complete, its_own.on_response_complete, its_own.data_received)
    assert hasattr(its_own, name)
    assert any(name in caller.__code__.co_names for caller in callers)
