"""Phones at tables served by several processes: streams that are always read, and taps over the API."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterable

from games.live.hub import Audience, stream_token
from games.match import play
from games.models import Match
from games.people import seats
from tests.api.robots import chosen, fresh_key

PATIENCE_SECONDS = 5.0
"""The longest that anybody may be left behind."""


class Listening:
    """A phone that listens: the versions that it was shown, in order, and when each arrived."""

    def __init__(self, port: int, code: str, epochs: Iterable[tuple[str, int]] = (), seen: int = 0) -> None:
        held = tuple(epochs)
        audience = Audience(tuple(seat for seat, _epoch in held), "en", "table")
        self.path = f"/live/{stream_token(code, held, audience)}"
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.line.request("GET", self.path + (f"?seen={seen}" if seen else ""))
        # The connection drops its socket after the answer's head.
        self.socket = self.line.sock
        self.answer = self.line.getresponse()
        self.status = self.answer.status
        self.versions: list[int] = []
        self.boards: list[str] = []
        self.has_ended = False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        version, lines = 0, []
        try:
            while line := self.answer.readline():
                name, _colon, value = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    version, lines = int(value), []
                elif name == "data":
                    lines.append(value)
                elif not name and version:
                    self.boards.append("\n".join(lines))
                    self.versions.append(version)
                    version = 0
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass
        self.has_ended = True

    def has(self, version: int) -> bool:
        return bool(self.versions) and self.versions[-1] >= version

    def close(self) -> None:
        # A read under way at this moment notices.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.line.close()


def within(seconds: float, condition: Callable[[], object]) -> float:
    """Wait until the condition holds; returns how many seconds that took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, f"it was not so within {seconds} seconds"
        time.sleep(0.01)
    return time.monotonic() - began


class Player:
    """A seat that plays over the API, through whichever process it is told to ask."""

    def __init__(self, match: Match, key: str) -> None:
        self.code, self.key = match.code, key
        seat = match.seats.select_related("match").get(key=key)
        self.token, self.epoch = seats.api_token(seat), seat.epoch

    def ask(self, port: int, path: str = "", body: object = None) -> tuple[int, dict]:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        method = "GET" if body is None else "POST"
        line.request(method, f"/api/matches/{self.code}{path}", body and json.dumps(body), headers)
        answer = line.getresponse()
        told = json.loads(answer.read())
        line.close()
        return answer.status, told

    def tap(self, port: int, luck: random.Random) -> tuple[int, dict]:
        """Tap something offered, at random; returns status and answer."""
        status, seen = self.ask(port)
        assert status == 200, seen
        action = chosen(seen["offers"], luck)
        return self.ask(port, "/act", {"action": action, "seen": seen["version"], "key": fresh_key()})


def table(system: str = "rps", mode: str = "plain") -> tuple[Match, dict[str, Player]]:
    """A table with its players."""
    match = play.open_match(system, mode, {"red": "Anna", "blue": "Bo"})
    return match, {seat.key: Player(match, seat.key) for seat in match.seats.all()}
