"""A slow reader costs the server one frame at most, and sees the newest board next."""

from __future__ import annotations

import asyncio
import random
import socket
import zlib
from contextlib import suppress

import pytest

from games.live import stream
from games.live.hub import hub, stream_token
from games.live.stream import Writer
from tests.hubs import RED, WATCHER, Views, in_hub
from tests.hubs import until as soon
from tests.trust.sockets import until


@pytest.fixture
def big_boards(monkeypatch):
    luck = random.Random(1)
    # Text that cannot be compressed, so that it soon fills the system's buffers.
    noise = [luck.randbytes(150_000).hex() for _ in range(3)]
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (0, noise[0]))
    # There are no rows for this match, and a look at them would end it.
    monkeypatch.setattr(hub, "bus", None)
    return noise


def dial(port):
    """A phone that asks for the stream but does not read yet."""
    phone = socket.socket()
    phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    phone.connect(("127.0.0.1", port))
    head = f"GET /live/{stream_token('SLOW', (), WATCHER)} HTTP/1.1\r\nHost: localhost\r\n"
    phone.sendall(f"{head}Accept-Encoding: gzip\r\n\r\n".encode())
    return phone


def shown_version():
    frame = hub.rooms["SLOW"].frames.get(WATCHER)
    return frame and frame.version


def events(received):
    """The events in a compressed answer in chunks; the last chunk may be incomplete."""
    _head, _, rest = received.partition(b"\r\n\r\n")
    inflate, said = zlib.decompressobj(31), b""
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size or b"0", 16)
        said += inflate.decompress(rest[:length])
        rest = rest[length + 2 :]
    return said.decode(errors="replace").split("\n\n")


def test_who_reads_after_a_pause_gets_the_newest_board_and_none_twice(server, big_boards):
    with dial(server.port) as sleeper:
        until(lambda: hub.count == 1)
        (listener,) = hub.rooms["SLOW"].everyone()
        assert isinstance(listener, Writer)
        for version in range(1, 60):
            hub.publish("SLOW", version, lambda audience, version=version: big_boards[version % 3])
            until(lambda version=version: shown_version() == version)
        until(lambda: listener.is_stuck)
        # One frame waits, and the transport holds the rest of another.
        assert listener.frame is not None
        assert listener.frame.version == 59
        assert listener.line.get_write_buffer_size() < 400_000
        received = bytearray()
        sleeper.settimeout(2)
        until(lambda: received.extend(sleeper.recv(1 << 20)) or not (listener.is_stuck or listener.frame), 20)
        sleeper.settimeout(0.5)
        try:
            while part := sleeper.recv(1 << 20):
                received += part
        except TimeoutError:
            pass
    shown = [int(event.split("\n")[0][4:]) for event in events(bytes(received)) if event.startswith("id: ")]
    assert shown == sorted(set(shown))
    assert shown[-1] == 59
    assert len(shown) < 30


def test_no_more_than_one_board_waits_for_who_does_not_read(server, big_boards, monkeypatch):
    board = big_boards[0][:40_000]
    monkeypatch.setattr(hub, "snapshots", lambda match, audience: (0, board))
    with dial(server.port):
        until(lambda: hub.count == 1)
        (listener,) = hub.rooms["SLOW"].everyone()
        # The system takes less than a board.
        listener.line.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        for version in range(1, 20):
            hub.publish("SLOW", version, lambda audience: board)
            until(lambda version=version: shown_version() == version)
        until(lambda: listener.is_stuck)
        assert 0 < listener.line.get_write_buffer_size() < 1.5 * len(board)


def test_who_reads_byte_by_byte_holds_up_nobody_and_is_given_up(server, big_boards, monkeypatch):
    with dial(server.port) as slow, dial(server.port) as quick:
        until(lambda: hub.count == 2)
        received, last = bytearray(), 20
        quick.settimeout(0.02)

        def reads() -> bool:
            """The quick phone reads everything, the slow one a byte."""
            slow.recv(1)
            with suppress(TimeoutError):
                while part := quick.recv(1 << 20):
                    received.extend(part)
            return any(event.startswith(f"id: {last}\n") for event in events(bytes(received)))

        for version in range(1, last + 1):
            hub.publish("SLOW", version, lambda audience, version=version: big_boards[version % 3])
            until(lambda version=version: shown_version() == version)
            reads()
        until(reads, 20)
        # A trickle of bytes is no sign of life: the frame after them waits for longer than it may.
        monkeypatch.setattr("games.live.hub.STUCK_SECONDS", 0.1)
        until(lambda: slow.recv(1) and hub.count == 1, 20)


def asked_by_red(hub, send):
    """The stream of red's phone, which sends nothing more; `send` takes what it gets."""

    async def receive():
        await asyncio.Event().wait()

    path = f"/live/{stream_token('M', (('red', 1),), RED)}"
    scope = {"method": "GET", "path": path, "headers": [], "query_string": b""}
    return asyncio.ensure_future(stream.serve(hub, scope, receive, send))


@pytest.mark.parametrize("end", [lambda hub: hub.drop("M", "red", 1), lambda hub: hub.close()])
def test_a_stream_that_is_ended_before_its_head_is_read_shows_no_board_at_all(end):
    """Otherwise a phone that leaves an earlier answer unread until its seat is another's could watch on."""
    sent, may_go_on = [], asyncio.Event()

    async def send(message):
        sent.append(message)
        await may_go_on.wait()

    async def scene(hub):
        answering = asked_by_red(hub, send)
        await soon(lambda: sent and hub.rooms["M"].frames)
        (writer,) = hub.rooms["M"].everyone()
        end(hub)
        await soon(lambda: writer.is_ended)
        may_go_on.set()
        await asyncio.wait_for(answering, 3)
        assert b"board" not in b"".join(message.get("body", b"") for message in sent)
        assert sent[-1] == {"type": "http.response.body", "body": b""}, (
            "or its phone waits for what never comes"
        )
        assert hub.count == 0

    in_hub(scene, Views(1))


def test_a_stream_that_its_phone_does_not_read_ends_without_another_word():
    """A message about its end would wait just as the frame does."""
    sent = []

    async def send(message):
        sent.append(message)
        if len(sent) == 2:
            await asyncio.Event().wait()

    async def scene(hub):
        answering = asked_by_red(hub, send)
        await soon(lambda: len(sent) == 2)
        (writer,) = hub.rooms["M"].everyone()
        assert writer.is_stuck
        hub.drop("M", "red", 1)
        await asyncio.wait_for(answering, 3)
        assert (len(sent), hub.count) == (2, 0)
        await soon(writer.waiting.cancelled)

    in_hub(scene, Views(1))
