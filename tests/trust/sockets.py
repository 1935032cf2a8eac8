"""Phones on real sockets: one that keeps cookies and sends forms, one that listens to a stream."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import urlencode

from django.conf import settings

from tests.streams import next_event

T = TypeVar("T")


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Browser:
    """A phone with its own cookies, on a connection that it keeps open, as browsers do."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.port = port
        self.cookies = dict(cookies or {})
        self.connection: http.client.HTTPConnection | None = None

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, form: dict[str, Any], **headers: str) -> Answer:
        """Send a form with the token that all our pages have."""
        if settings.CSRF_COOKIE_NAME not in self.cookies:
            self.get("/")
        form = {"csrfmiddlewaretoken": self.cookies[settings.CSRF_COOKIE_NAME], **form}
        headers["Content_Type"] = "application/x-www-form-urlencoded"
        return self.ask("POST", path, urlencode(form), **headers)

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        """One request; redirects are not followed. Without an answer, raises `OSError` or `HTTPException`."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self.connection.request(method, path, body, sent)
            answer = self.connection.getresponse()
            whole = Answer(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        for line in whole.headers.get_all("Set-Cookie") or ():
            name, _equals, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return whole

    def stream_of(self, code: str) -> str:
        """A fresh address for a table's stream."""
        found = re.search(rb'data-stream="([^"]+)"', self.get(f"/t/{code}/").body)
        assert found, "the page names no stream"
        return found[1].decode()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Listener:
    """An open stream, its events read as they come."""

    def __init__(self, port: int, address: str, seconds: float = 20) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
        self.connection.request("GET", address)
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        self.is_open = self.status == 200

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.answer.close()
        self.connection.close()

    def event(self) -> dict[str, str] | None:
        """The next event; None at the end of the stream."""
        found = next_event(self.answer)
        self.is_open = found is not None
        return found

    def board(self, version: int = 0) -> dict[str, str] | None:
        """The next board of at least this version; None at the end of the stream."""
        while event := self.event():
            if event.get("event") == "board" and int(event["id"]) >= version:
                return event
        return None


def until(is_so: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something is so; fails if that takes too long."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "that did not happen in time"
        time.sleep(0.01)


def at_once(jobs: list[Callable[[], T]]) -> list[T]:
    """What each job returns, all started at the same moment."""
    start = Barrier(len(jobs))

    def run(job: Callable[[], T]) -> T:
        start.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))
