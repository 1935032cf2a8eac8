"""What players will tap, played in advance so that it costs the measurement nothing, and how it is sent."""

from __future__ import annotations

import http.client
import os
import random
import selectors
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from django.conf import settings

from games.live.hub import Audience, stream_token
from games.match import play, random_play, storage
from games.models import Seat
from games.people import seats
from games.people.sessions import SessionStore
from tests.holding import holding

MODE = "a-game-of-thrones"
TAPS = 36
"""Taps per table: few enough that no seat reaches its limit."""
TICKS = os.sysconf("SC_CLK_TCK")
SECRET = "b" * 32


class Script(NamedTuple):
    """A table, and what its players will tap one after another, worked out in advance."""

    code: str
    version: int
    taps: list[tuple[str, str]]
    headers: dict[str, dict[str, str]]
    """What each seat's phone sends with every request."""


def script(number: int, count: int = TAPS) -> Script:
    """A table of two players, each with their own phone."""
    match = play.open_match("tmg", MODE, {"red": "Red", "blue": "Blue"}, seed=f"processes-{number}")
    Seat.objects.filter(match=match).update(is_taken=True)
    played = random_play.play(storage.load(match).state, random.Random(number), 10_000)
    taps = [(seat, action) for (seat, action, _state), _tap in zip(played, range(count), strict=False)]
    return Script(
        match.code, match.version, taps, {seat: phone(match.code, seat) for seat in ("red", "blue")}
    )


def phone(code: str, seat: str) -> dict[str, str]:
    """The headers of a phone that holds this seat."""
    session = SessionStore()
    session[seats.SESSION_SEATS] = holding(code, seat)
    session.save()
    cookies = {settings.SESSION_COOKIE_NAME: session.session_key, settings.CSRF_COOKIE_NAME: SECRET}
    return {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "Content-Type": "application/x-www-form-urlencoded",
        "HX-Request": "true",
        "X-CSRFToken": SECRET,
        "Accept-Encoding": "gzip",
    }


class Streams:
    """The streams of both phones of each table, read as fast as they come."""

    def __init__(self, port: int, scripts: Iterable[Script]) -> None:
        self.open = [
            listening(port, one.code, seat, one.headers[seat]["Cookie"])
            for one in scripts
            for seat in one.headers
        ]
        Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        with selectors.DefaultSelector() as ready:
            for stream in self.open:
                ready.register(stream, selectors.EVENT_READ)
            while True:
                for key, _events in ready.select():
                    if not key.fileobj.recv(65536):  # type: ignore[union-attr]
                        return


def listening(port: int, code: str, seat: str, cookie: str) -> socket.socket:
    """An open stream of this seat's phone, named after its seat."""
    token = stream_token(code, ((seat, 1),), Audience((seat,), "en", "table"))
    stream = socket.create_connection(("127.0.0.1", port))
    head = f"GET /live/{token}?table={code}&changes=1&tab={seat} HTTP/1.1\r\nHost: localhost\r\n"
    accepts = "Accept: text/event-stream\r\nAccept-Encoding: gzip\r\n"
    stream.sendall(f"{head}{accepts}Cookie: {cookie}\r\n\r\n".encode())
    assert b" 200 " in stream.recv(65536)
    return stream


def tap_and_ask(line: http.client.HTTPConnection, one: Script, number: int) -> float:
    """Carry out a tap; the other phone, which has no stream, asks for the board."""
    took = tap(line, one, number)
    other = next(seat for seat in one.headers if seat != one.taps[number][0])
    line.request(
        "GET", f"/t/{one.code}/board?seats={other}&seen={one.version + number}", None, one.headers[other]
    )
    answer = line.getresponse()
    body = answer.read()
    assert answer.status == 200, body[:500]
    return took


def tap(line: http.client.HTTPConnection, one: Script, number: int) -> float:
    """Carry out a tap of a script; returns the milliseconds until its answer arrived."""
    seat, action = one.taps[number]
    form = f"action={action}&seat={seat}&seen={one.version + number}&key={play.new_key()}&tab={seat}"
    began = time.perf_counter()
    line.request("POST", f"/t/{one.code}/act", form.replace(" ", "+"), one.headers[seat])
    answer = line.getresponse()
    body = answer.read()
    assert answer.status == 200, body[:500]
    return (time.perf_counter() - began) * 1000


def spent(pid: int) -> float:
    """Seconds of a core that a process has used so far; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS
