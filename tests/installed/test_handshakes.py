"""Connections to the encrypted port that are not encrypted yet count, make room and end like plain ones."""

from __future__ import annotations

import datetime
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from config.https import certificates, doors
from config.server import connections
from config.server.connections import Crowd
from config.server.starting import configuration
from tests.trust.sockets import until

Dial = Callable[..., socket.socket]


async def hello(scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": scope["scheme"].encode()})


class Encrypted:
    """An encrypted server in a thread, and what a phone knows of it."""

    def __init__(self, folder, loop):
        now = datetime.datetime.now(datetime.UTC)
        signer = certificates.authority(folder, now)
        file = certificates.certificate(signer, folder, ["127.0.0.1"], now)
        self.known = ssl.create_default_context(cadata=signer.file())
        secure, plain = (socket.create_server(("127.0.0.1", 0)) for _port in range(2))
        self.port = secure.getsockname()[1]
        config = configuration(hello, ssl_certfile=str(file))
        unencrypted = configuration(doors.PlainApplication(hello, self.port, explains=False))
        for each in (config, unencrypted):
            each.lifespan, each.loop = "off", loop
        self.server = doors.EncryptedServer(config, unencrypted, plain)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [secure]}, daemon=True)
        self.thread.start()
        until(lambda: self.server.started and self.server.plain.started)

    def ask(self):
        line = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10, context=self.known)
        line.request("GET", "/")
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, body

    def close(self):
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture(params=["uvloop", "asyncio"])
def encrypted(request, tmp_path, monkeypatch) -> Iterator[Encrypted]:
    fresh = Crowd(connections.MOST_CONNECTIONS)
    monkeypatch.setattr(connections, "crowd", fresh)
    monkeypatch.setattr(doors, "crowd", fresh)
    started = Encrypted(tmp_path, request.param)
    yield started
    started.close()
    assert not connections.crowd.size


@pytest.fixture
def dial(encrypted: Encrypted) -> Iterator[Dial]:
    opened = []

    def connect(said: bytes = b"") -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", encrypted.port), timeout=20))
        opened[-1].sendall(said)
        return opened[-1]

    yield connect
    for one in opened:
        one.close()


def is_closed(phone: socket.socket) -> bool:
    with suppress(ConnectionError):
        while phone.recv(4096):
            pass
    return True


def test_a_phone_is_answered(encrypted):
    for _time in range(20):
        assert encrypted.ask() == (200, b"https")
    until(lambda: not connections.crowd.size)


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n"])
def test_who_does_not_greet_is_counted_and_closed(encrypted, dial, monkeypatch, said):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    began, silent = time.monotonic(), [dial() for _one in range(5)]
    until(lambda: connections.crowd.open["127.0.0.1"] == 5)
    assert is_closed(dial(said))
    assert all(is_closed(one) for one in silent)
    assert time.monotonic() - began < 10
    until(lambda: not connections.crowd.size)


def test_silent_connections_do_not_keep_a_player_out(encrypted, dial, monkeypatch):
    monkeypatch.setattr(connections.crowd, "limit", 8)
    silent = [dial() for _one in range(30)]
    assert encrypted.ask() == (200, b"https")
    until(lambda: connections.crowd.size <= 6)
    assert is_closed(silent[0])


def test_the_server_stops_without_waiting_for_the_silent(encrypted, dial):
    silent = dial()
    until(lambda: connections.crowd.size)
    began = time.monotonic()
    encrypted.close()
    assert time.monotonic() - began < 10
    assert is_closed(silent)
