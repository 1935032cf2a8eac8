"""What the shell sends: Django's answers whole, and refusals of its own that Django never hears of."""

from __future__ import annotations

from typing import NamedTuple

from config.serving.connections import ADDRESS_LIMIT, HEADERS_LIMIT, SENTENCES, is_utf8
from games.live.hub import Tell
from games.live.stream import PROTECTION, Scope, Send
from games.monitoring import measures


class Answer(NamedTuple):
    """A whole answer: nothing that goes through the pool is streamed."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    news: list[Tell]
    """What is told to the listeners once this answer is on its way."""
    stream: str | None = None
    """The token of the stream that is to be the answer instead."""
    is_ours: bool = False
    """Refused by the server: Django, which counts what it refuses, never hears of it."""


def plain(status: int, sentence: bytes, *headers: tuple[bytes, bytes]) -> Answer:
    """A refusal that Django never hears of."""
    head = [(b"content-type", b"text/plain; charset=utf-8"), *PROTECTION, *headers]
    return Answer(status, head, sentence, [], is_ours=True)


TOO_BUSY = plain(
    503,
    b"The server is busy for a moment. Nothing was changed; please try again.",
    (b"retry-after", b"1"),
)
TOO_MUCH = plain(503, SENTENCES[503], (b"retry-after", b"5"), (b"connection", b"close"))
TOO_SLOW = plain(408, SENTENCES[408], (b"connection", b"close"))
TOO_LATE = Answer(
    503,
    [(b"content-type", b"application/json"), *PROTECTION],
    b'{"status": "slow", "reason": "the database does not answer in time"}',
    [],
    is_ours=True,
)


def unacceptable(scope: Scope) -> Answer | None:
    """A refusal for an address or headers that no browser of ours sends."""
    if sum(name == b"host" for name, _value in scope["headers"]) != 1:
        # Without one Django would take our own name for what was asked for; of two it is anybody's guess.
        return plain(400, b"A request must name its host, once.")
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > ADDRESS_LIMIT:
        return plain(414, SENTENCES[414])
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS_LIMIT:
        return plain(431, SENTENCES[431])
    if not all(is_utf8(value) for name, value in scope["headers"] if name == b"content-type"):
        return plain(415, SENTENCES[415])
    return None


async def answer(send: Send, scope: Scope, result: Answer) -> None:
    """Send a whole answer; a HEAD gets its headers only."""
    if result.is_ours:
        measures.count_refusal(result.status)
    headers = result.headers
    bodiless = result.status in (204, 304)
    if not bodiless and not any(name == b"content-length" for name, _ in headers):
        headers = [*headers, (b"content-length", str(len(result.body)).encode())]
    await send({"type": "http.response.start", "status": result.status, "headers": headers})
    body = b"" if scope["method"] == "HEAD" or bodiless else result.body
    await send({"type": "http.response.body", "body": body})
