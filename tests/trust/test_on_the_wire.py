"""What stands on the wire between one request and the next: trailers, ends of half a line, what waits."""

from __future__ import annotations

from typing import Any

import pytest

from config.asgi import application
from tests.trust.test_connections import (  # noqa: F401
    HEAD,
    Dial,
    answer,
    dial,
    is_answered,
    read_to,
    waits_for_an_answer,
)

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
