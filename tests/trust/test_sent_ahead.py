"""What is sent ahead on a connection, or in pieces, gets into the middle of nothing, and is not kept."""

from __future__ import annotations

import socket
from io import BytesIO
from typing import Any

import pytest

from config import health
from config.asgi import Connection, application
from config.server import connections
from config.server.connections import UNANSWERED, Crowd, crowd
from games.live.hub import Audience, hub, stream_token
from tests.hubs import RED
from tests.trust.sockets import until
from tests.trust.test_connections import HEAD, Dial, answer, dial, heard, read_to, waits_for_an_answer  # noqa: F401

BIG = 8_000_000
"""Bytes of an answer, too many for any system to buffer for a phone that does not read."""


def test_a_head_in_pieces_is_waited_for_once(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    """Otherwise the rest of the waiting time would cut off its answer, or the stream that it asked for."""
    begun: list[Connection] = []
    wait = Connection._be_patient
    monkeypatch.setattr(Connection, "_be_patient", lambda one: begun.append(one) or wait(one))
    phone, said = dial(), 0
    for piece in (HEAD[:3], HEAD[3:20], HEAD[20:]):
        phone.sendall(piece)
        said += len(piece)
        until(lambda said=said: UNANSWERED.total == said)
    assert len(begun) == 1
    phone.sendall(b"\r\n")
    assert b'"status"' in phone.recv(65536)
    assert begun[0].patience is None


def test_a_refusal_of_what_is_sent_ahead_stands_in_no_answer(
    dial: Dial,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall(HEAD + b"X: " + b"a" * connections.HEAD_LIMIT)
    assert answer(phone) == b"", "it would pass for the answer to the first"
    go_on.set()
    health._latest.forget()


def test_who_comes_and_goes_without_a_word_is_forgotten(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    seen: list[Any] = []
    monkeypatch.setattr(crowd, "admit", lambda one: seen.append(one) or Crowd.admit(crowd, one))
    dial().close()
    until(lambda: seen and seen[0] not in seen[0].connections)


def test_who_finds_no_place_is_hung_up_on_at_once(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr(crowd, "admit", lambda _one: False)
    assert answer(dial()) == b""


def stream_of(match: str) -> bytes:
    token = stream_token(match, (("red", 1),), RED)
    return f"GET /live/{token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@pytest.fixture
def lazy(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> socket.socket:  # noqa: F811
    """A phone that reads little, with pages and boards that are too big for it."""

    def django(_request: dict[str, Any], start_response: Any) -> BytesIO:
        start_response("200 OK", [])
        return BytesIO(b"a" * BIG)

    monkeypatch.setattr(application, "django", django)
    monkeypatch.setattr(
        hub, "snapshots", lambda match, audience: (3, match if match == "AHEAD" else "a" * BIG)
    )
    for name, value in (("bus", None), ("dropped", {}), ("gone", {})):
        monkeypatch.setattr(hub, name, value)
    phone = dial()
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    return phone


def other_end(phone: socket.socket) -> Connection:
    """The server's end of a connection on which nothing has been requested yet."""
    found: list[Connection] = []
    port = phone.getsockname()[1]

    def is_there() -> bool:
        idle = [one for group in list(crowd.idle.values()) for one in list(group)]
        found[:] = [one for one in idle if one.client and one.client[1] == port]
        return bool(found)

    until(is_there)
    return found[0]


def test_what_is_left_unread_is_given_up_with_its_connection(lazy: socket.socket):
    """Otherwise it would be kept for a phone that never comes back for it."""
    one = other_end(lazy)
    lazy.sendall(HEAD.replace(b"/healthz", b"/big") + b"\r\n")
    until(lambda: one.answered and one.answered.response_complete)
    one.loop.call_soon_threadsafe(one.timeout_keep_alive_handler)
    until(lambda: not one.is_admitted)
    with pytest.raises(ConnectionResetError):
        list(iter(lambda: lazy.recv(65536), b""))


def test_a_stream_that_ends_with_a_board_unread_is_given_up_with_it(lazy: socket.socket):
    one = other_end(lazy)
    lazy.sendall(stream_of("BIG"))
    until(lambda: hub.count == 1 and hub.rooms["BIG"].frames)
    (writer,) = hub.rooms["BIG"].everyone()
    until(lambda: writer.version == 3 and writer.line.get_write_buffer_size())
    hub.end("BIG")
    until(lambda: not one.is_admitted and hub.count == 0)


@pytest.fixture
def unread(lazy: socket.socket) -> socket.socket:
    """That phone, once it has asked for a page and after it for a seat's stream."""
    lazy.sendall(HEAD.replace(b"/healthz", b"/big") + b"\r\n" + stream_of("AHEAD"))
    until(lambda: hub.count == 1 and hub.rooms["AHEAD"].frames)
    return lazy


def behind_the_answer(phone: socket.socket) -> None:
    """Read the big answer, up to its last byte."""
    left = len(read_to(phone, b"\r\n\r\n").partition(b"\r\n\r\n")[2])
    while left < BIG:
        left += len(heard(phone, min(65536, BIG - left)))
    assert left == BIG


def test_a_stream_behind_an_unread_answer_begins_with_its_head(unread: socket.socket):
    behind_the_answer(unread)
    told = read_to(unread, b"event: board")
    assert told.startswith(b"HTTP/1.1 200 ")
    assert told.index(b"text/event-stream") < told.index(b"event: board")


def test_a_stream_behind_an_unread_answer_ends_with_its_seat(unread: socket.socket):
    (writer,) = hub.rooms["AHEAD"].everyone()
    hub.drop("AHEAD", "red", 1)
    until(lambda: writer.is_ended)
    behind_the_answer(unread)
    told = b""
    while b"event: " not in told and not told.endswith(b"\r\n0\r\n\r\n"):
        told += heard(unread)
    assert told.startswith(b"HTTP/1.1 200 ")
    assert b"event: " not in told
    until(lambda: hub.count == 0)


def test_a_stream_of_who_sends_ahead_and_leaves_is_over(dial: Dial, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (3, match))
    monkeypatch.setattr(hub, "bus", None)
    audience = Audience((), "en", "table")
    head = f"GET /live/{stream_token('AHEAD', (), audience)} HTTP/1.1\r\nHost: localhost\r\n"
    phone = dial(f"{head}Expect: 100-continue\r\n\r\n".encode() + HEAD + b"\r\n")
    assert b"event: board" in read_to(phone, b"event: board")
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, connections.NO_LINGER)
    phone.close()
    until(lambda: hub.count == 0)
