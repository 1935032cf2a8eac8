"""How long an attempt to send lasts, whatever its receiver does."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace

import pytest

from games.webhooks import sending
from games.webhooks.models import Webhook


def test_what_arrives_after_giving_up_breaks_nothing_that_has_arrived(settings, monkeypatch) -> None:
    settings.WEBHOOKS_LOCAL = True
    resting, over = threading.Event(), threading.Event()
    monkeypatch.setattr(sending, "time", SimpleNamespace(sleep=lambda _long: resting.set() or over.wait(10)))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        ours = sending.Pinned(sending.target_of(address), "127.0.0.1")
        ours.connect()
        receiver, _peer = listening.accept()
        giving_up = threading.Thread(target=ours.give_up)
        with receiver:
            receiver.sendall(b"HTTP/1.1 200 OK")
            giving_up.start()
            assert resting.wait(10)
            for _letter in range(3):
                receiver.sendall(b"x")
                time.sleep(0.02)
            assert ours.line is not None
            assert ours.line.recv(100) == b"HTTP/1.1 200 OKxxx"
            assert ours.line.recv(100) == b""
            over.set()
            giving_up.join()
            ours.close()


def test_a_receiver_that_goes_on_all_the_same_is_cut_off_a_moment_later(settings, monkeypatch) -> None:
    """What goes on arriving without a pause is read, also after reading was ended."""
    settings.WEBHOOKS_LOCAL = True
    done: list[float] = []
    monkeypatch.setattr(sending, "time", SimpleNamespace(sleep=done.append))
    ours = sending.Pinned(sending.target_of("http://127.0.0.1:1/"), "127.0.0.1")
    ours.give_up()
    assert done == [], "there is nothing to end before there is a connection"
    ours.line = SimpleNamespace(shutdown=done.append)
    ours.give_up()
    assert done == [socket.SHUT_RD, sending.LAST_SECONDS, socket.SHUT_RDWR]


def test_a_receiver_that_never_pauses_is_given_up(settings, monkeypatch) -> None:
    """Of promises to go on the library reads as many as come, and some always have come."""
    settings.WEBHOOKS_LOCAL = True
    monkeypatch.setattr(sending, "MOST_SECONDS", 0.1)
    monkeypatch.setattr(sending, "LAST_SECONDS", 0.1)

    over = threading.Event()

    def promise(listening: socket.socket) -> None:
        connection, _peer = listening.accept()
        with connection, suppress(OSError):
            while not over.is_set():
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 5000)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=promise, args=(listening,), daemon=True).start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        with ThreadPoolExecutor(1) as one:
            sent = one.submit(sending.send, address, Webhook().secret, "msg_1", 1, "{}")
            try:
                assert sent.result(timeout=20).status is None
            finally:
                over.set()


@pytest.mark.parametrize(
    ("head", "status"),
    [(b"", None), (b"HTTP/1.1 200 OK\r\n", 200), (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 200)],
)
def test_a_receiver_that_drips_is_given_up(settings, monkeypatch, head: bytes, status: int | None) -> None:
    """Also with an answer that ends its connection, of which the library lets go before it has read all."""
    settings.WEBHOOKS_LOCAL = True
    monkeypatch.setattr(sending, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(sending, "LAST_SECONDS", 0.2)
    over, hung_up = threading.Event(), threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _peer = listening.accept()
        with connection:
            connection.sendall(head)
            for _letter in range(1000):
                over.wait(0.02)
                try:
                    connection.sendall(b"x")
                except OSError:
                    hung_up.set()
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        assert sending.send(address, Webhook().secret, "msg_1", 1, "{}").status == status
        assert hung_up.wait(10)
        over.set()
        thread.join()
