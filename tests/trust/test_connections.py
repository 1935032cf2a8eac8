"""What a connection may leave unfinished: nothing that it holds up costs memory, or a player's place."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from config import health
from config.server import connections, shell
from config.server.connections import UNANSWERED, Budget, Crowd, crowd
from games.live.hub import Hub
from tests.conftest import Server
from tests.trust.sockets import until

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
CHUNKED = b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
EXPECTED = BODY.replace(b"Content-Length", b"Expect: 100-continue\r\nContent-Length")
Dial = Callable[..., socket.socket]


@pytest.fixture
def dial(server: Server) -> Iterator[Dial]:
    """Open connections that send only what they are given; none is left behind."""
    opened = []

    def connect(said: bytes = b"") -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", server.port), timeout=20))
        opened[-1].sendall(said)
        return opened[-1]

    yield connect
    for one in opened:
        one.close()
    until(lambda: UNANSWERED.total == 0)
    assert not UNANSWERED.held


def answer(phone: socket.socket) -> bytes:
    """Everything until the server closes."""
    received = b""
    # A server that closes with data unread resets the connection.
    with suppress(ConnectionError):
        while part := phone.recv(65536):
            received += part
    return received


def heard(phone: socket.socket, most: int = 65536) -> bytes:
    """What arrives next; fails where the server has closed."""
    part = phone.recv(most)
    assert part, "the server has closed"
    return part


def read_to(phone: socket.socket, what: bytes, times: int = 1) -> bytes:
    """Everything received until this has arrived, so many times."""
    received = b""
    while received.count(what) < times:
        received += heard(phone)
    return received


def status(phone: socket.socket) -> int:
    return int(phone.recv(12)[9:])


def is_answered(phone: socket.socket) -> bool:
    phone.sendall(HEAD + b"\r\n")
    return b'"status"' in phone.recv(65536)


# --- heads ---------------------------------------------------------------------------------------


def test_a_head_without_an_end_is_refused_long_before_it_costs_anything(dial: Dial):
    phone = dial(HEAD + b"X: " + b"a" * connections.HEAD_LIMIT)
    assert answer(phone).startswith(b"HTTP/1.1 431")
    many = dial(HEAD + b"X: a\r\n" * (connections.HEAD_LIMIT // 6))
    assert answer(many).startswith(b"HTTP/1.1 431")


def test_an_address_without_an_end_is_refused(dial: Dial):
    phone = dial(b"GET /" + b"a" * connections.ADDRESS_LIMIT)
    assert answer(phone).startswith(b"HTTP/1.1 414")


@pytest.mark.parametrize("said", [b"G", HEAD, HEAD + b"X: a"], ids=["a letter", "no end", "half a line"])
def test_a_head_that_does_not_go_on_is_closed(dial: Dial, monkeypatch: pytest.MonkeyPatch, said: bytes):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    assert answer(dial(said)).startswith(b"HTTP/1.1 408")


def test_who_says_nothing_is_closed(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    assert answer(dial()) == b""


def test_the_second_head_on_a_connection_may_not_stay_half_either(
    dial: Dial, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    phone = dial()
    assert is_answered(phone)
    phone.sendall(HEAD)
    assert answer(phone).startswith(b"HTTP/1.1 408")


def test_a_head_in_pieces_is_read(dial: Dial):
    phone = dial()
    for piece in (HEAD[:3], HEAD[3:20], HEAD[20:], b"\r\n"):
        phone.sendall(piece)
    assert b'"status"' in phone.recv(65536)


def test_half_heads_of_one_address_are_counted_together(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(UNANSWERED, "each", 10_000)
    first = dial(HEAD + b"X: " + b"a" * 6000)
    until(lambda: UNANSWERED.total > 6000)
    assert answer(dial(HEAD + b"X: " + b"a" * 6000)).startswith(b"HTTP/1.1 503")
    first.close()
    until(lambda: UNANSWERED.total == 0)
    assert is_answered(dial())


@pytest.mark.parametrize(
    "more",
    [b"5;" + b"a" * connections.HEAD_LIMIT, b"0\r\n" + b"x: a\r\n" * (connections.HEAD_LIMIT // 6)],
    ids=["of a chunk", "of trailers"],
)
def test_what_stands_around_a_body_has_an_end_too(dial: Dial, more: bytes):
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    phone = dial(head)
    # More than can be read at once, so that some of it arrives separately.
    with suppress(ConnectionError):
        phone.sendall(more * 14)
    assert b" 200 " not in answer(phone)


def test_few_requests_may_be_sent_ahead(dial: Dial):
    phone = dial((HEAD + b"\r\n") * (connections.PIPELINE_LIMIT + 5))
    assert answer(phone) == b"", "a refusal would pass for the answer to the first"
    read_to(dial((HEAD + b"\r\n") * 3), b'"status"', times=3)


def waits_for_an_answer(
    dial: Dial, monkeypatch: pytest.MonkeyPatch, before: bytes = b""
) -> tuple[socket.socket, threading.Event]:
    """A phone whose request, behind those that it sent `before`, is being answered until the event is set."""
    asked, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(health, "_wrong", lambda: asked.set() or (go_on.wait(5) and None))
    monkeypatch.setattr(shell, "HEALTH_SECONDS", 5)
    health._latest.forget()
    phone = dial(before + HEAD + b"\r\n")
    assert asked.wait(5)
    return phone, go_on


@pytest.mark.parametrize("ahead", [1, connections.PIPELINE_LIMIT + 5])
def test_who_sends_ahead_and_leaves_leaves_nothing_behind(
    dial: Dial, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ahead: int
):
    """The answer under way has nobody to go to; the log says nothing about that."""
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    phone.sendall((HEAD + b"\r\n") * ahead)
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, connections.NO_LINGER)
    phone.close()
    until(lambda: not crowd.open)
    go_on.set()
    assert is_answered(dial())
    assert "Exception in ASGI application" not in caplog.text
    health._latest.forget()


# --- bodies --------------------------------------------------------------------------------------


def test_bodies_of_one_address_are_counted_while_they_come(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(UNANSWERED, "each", 10_000)
    first = dial(BODY + b"a" * 6000)
    until(lambda: UNANSWERED.total == 6000)
    refused = answer(dial(BODY + b"a" * 6000))
    assert refused.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 5" in refused
    first.close()
    until(lambda: UNANSWERED.total == 0)
    assert is_answered(dial())


def test_behind_a_proxy_each_phone_counts_for_itself_and_all_together(
    dial: Dial,
    monkeypatch: pytest.MonkeyPatch,
    settings,  # type: ignore[no-untyped-def]
):
    settings.TRUSTED_PROXY_HOPS = 1
    monkeypatch.setattr(UNANSWERED, "each", 10_000)
    monkeypatch.setattr(UNANSWERED, "whole", 15_000)

    def body(number: int) -> bytes:
        return BODY.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 192.0.2.%d\r\n\r\n" % number) + b"a" * 6000

    dial(body(1))
    until(lambda: UNANSWERED.held["192.0.2.1"] == 6000)
    assert status(dial(body(1))) == 503
    dial(body(2))
    until(lambda: UNANSWERED.held["192.0.2.2"] == 6000)
    assert status(dial(body(3))) == 503
    # The proxy's own connections count together.
    until(lambda: crowd.open[""] == len(crowd.idle[""]) == 2)


@pytest.mark.parametrize("name", ["BODY_SECONDS", "BODY_PAUSE"])
@pytest.mark.parametrize("said", [BODY + b"a", BODY, CHUNKED, CHUNKED + b"5\r\na", EXPECTED])
def test_a_body_must_come_to_an_end(dial: Dial, monkeypatch: pytest.MonkeyPatch, name: str, said: bytes):
    monkeypatch.setattr(shell, name, 0.2)
    phone = dial(said)
    assert answer(phone).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n").startswith(b"HTTP/1.1 408")


def test_who_was_answered_early_may_not_send_for_ever(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    phone = dial(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n" + b"a" * 140_000)
    assert status(phone) == 413
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    phone.sendall(b"a")
    answer(phone)


# --- places --------------------------------------------------------------------------------------


def test_a_thousand_idle_connections_do_not_keep_a_player_out(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(crowd, "limit", 8)
    idle = [dial() for _one in range(20)]
    assert is_answered(dial())
    until(lambda: crowd.open.total() <= 6)
    # The first to come are the first to go.
    assert answer(idle[0]) == answer(idle[11]) == b""
    assert is_answered(idle[-1])


def test_a_request_that_is_being_answered_is_not_closed(dial: Dial, monkeypatch: pytest.MonkeyPatch):
    """However many others come; once answered, its connection is idle like any other."""
    monkeypatch.setattr(crowd, "limit", 8)
    phone, go_on = waits_for_an_answer(dial, monkeypatch)
    # Each has been answered (that it names no host), so each is idle while the first is still at work.
    others = [dial(b"GET / HTTP/1.1\r\n\r\n") for _one in range(20)]
    assert status(others[-1]) == 400
    go_on.set()
    assert b'"status"' in phone.recv(65536)
    # It is idle after those that came before it was answered.
    assert is_answered(phone)
    health._latest.forget()


class Line:
    """A connection as the crowd knows it."""

    def __init__(self, crowd: Crowd, peer: str) -> None:
        self.crowd, self.peer = crowd, peer
        self.cycle: object = None
        self.is_open = crowd.admit(self)  # type: ignore[arg-type]

    def ask(self) -> None:
        self.cycle = object()
        self.crowd.work(self)  # type: ignore[arg-type]

    def rest(self) -> None:
        self.crowd.rest(self)  # type: ignore[arg-type]

    def abandon(self) -> None:
        self.is_open = False
        self.crowd.leave(self)  # type: ignore[arg-type]


def test_whoever_has_most_connections_makes_room():
    full = Crowd(8)
    player, stranger = Line(full, "player"), [Line(full, "stranger") for _one in range(6)]
    watcher = Line(full, "watcher")
    late = Line(full, "late")
    assert late.is_open
    assert player.is_open
    assert watcher.is_open
    assert [one.is_open for one in stranger] == [False] + [True] * 5


def test_one_that_has_never_asked_goes_before_one_that_rests():
    full = Crowd(4)
    used, silent = Line(full, ""), Line(full, "")
    used.ask()
    used.rest()
    silent.rest()
    for _one in range(2):
        Line(full, "")
    assert Line(full, "").is_open
    assert used.is_open
    assert not silent.is_open


def test_nobody_at_work_is_closed():
    full = Crowd(4)
    busy = [Line(full, "") for _one in range(4)]
    for one in busy:
        one.ask()
    assert not Line(full, "").is_open
    assert all(one.is_open for one in busy)
    busy[0].rest()
    assert Line(full, "").is_open
    assert not busy[0].is_open


def test_one_address_has_three_quarters_of_the_places():
    full = Crowd(8)
    stranger = [Line(full, "stranger") for _one in range(6)]
    for one in stranger:
        one.ask()
    assert not Line(full, "stranger").is_open
    assert Line(full, "player").is_open
    stranger[3].rest()
    assert Line(full, "stranger").is_open
    assert not stranger[3].is_open


def test_a_budget_is_given_back():
    budget = Budget(10, 15)
    assert budget.take("a", 10)
    assert not budget.take("a", 1)
    assert not budget.take("b", 6)
    assert budget.take("", 5)
    budget.give("a", 10)
    assert budget.take("", 10)
    budget.give("", 15)
    assert (budget.total, dict(budget.held)) == (0, {})


def test_what_was_given_back_in_part_is_held_for_the_rest():
    budget = Budget(10, 100)
    assert budget.take("a", 8)
    budget.give("a", 3)
    assert not budget.take("a", 6)
    assert budget.take("a", 5)
    assert budget.take("b", 0)
    assert "b" not in budget.held


def test_of_those_who_left_nothing_is_kept():
    """Otherwise a server would fill with a year's addresses, and in the end with places that nobody has."""
    full = Crowd(8)
    ada, bo = [Line(full, "club") for _one in range(3)], Line(full, "home")
    ada[0].ask()
    bo.ask()
    assert set(full.idle) == {"club"}
    ada[1].abandon()
    assert (full.open, full.size) == ({"club": 2, "home": 1}, 3)
    for one in (ada[0], ada[2], bo):
        one.abandon()
    assert (full.open, full.size, full.idle) == ({}, 0, {})


def test_whoever_was_answered_last_rests_behind_the_others():
    """Even if the answer came before the whole request had."""
    full = Crowd(4)
    first, second = Line(full, ""), Line(full, "")
    for one in (first, second):
        one.ask()
        one.rest()
    first.rest()
    busy = [Line(full, "") for _one in range(2)]
    for one in busy:
        one.ask()
    assert Line(full, "").is_open
    assert first.is_open
    assert not second.is_open


def test_a_low_limit_of_open_files_is_said_and_kept(monkeypatch: pytest.MonkeyPatch, caplog):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(crowd, "limit", crowd.limit)
    hub = Hub({"process": 20_000})
    here = shell.Shell(None, hub)  # type: ignore[arg-type]
    here.make_room(15_000)
    assert caplog.text == ""
    assert hub.limits["process"] == 15_000 - shell.SPARE_FILES
    here.make_room(1024)
    assert "1024 open files" in caplog.text
    assert hub.limits["process"] == 1024 - shell.SPARE_FILES
    assert crowd.limit == 1024 - shell.OWN_FILES
