"""What the shell sends: Django's answers whole, and its own refusals, which Django never hears about."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from django.core.handlers.wsgi import WSGIRequest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from config.server.connections import ADDRESS_LIMIT, HEADERS_LIMIT, SENTENCES, is_utf8
from games.live.hub import Tell
from games.live.stream import PROTECTION, Scope, Send
from games.monitoring import measures
from games.pages.context import frame
from games.view_models import Link, MessagePage
from games.web import wants_fragment
from games.web.refusals import ERRORS


class Answer(NamedTuple):
    """A whole answer: nothing that goes through the pool is streamed."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    news: list[Tell]
    """What to tell the listeners once this answer is on its way."""
    stream: str | None = None
    """The token of the stream that takes this answer's place, if any."""
    is_ours: bool = False
    """Refused by the shell: Django, which counts its own refusals, never hears about it."""
    seconds: float = 0.0
    """How long the processor worked on it."""


TEXT = (b"content-type", b"text/plain; charset=utf-8")


def plain(status: int, sentence: bytes, *headers: tuple[bytes, bytes]) -> Answer:
    """A refusal that Django never hears about."""
    return Answer(status, [TEXT, *PROTECTION, *headers], sentence, [], is_ours=True)


def as_asked(scope: Scope, refusal: Answer) -> Answer:
    """A refusal of ours in the form of its address: a sentence, below /api/ in the JSON of `refuse`."""
    if not scope["path"].startswith("/api/") or TEXT not in refusal.headers:
        return refusal
    error = ERRORS.get(refusal.status, "refused")
    content = {"error": error, "message": refusal.body.decode(), "rule": None}
    headers = [
        (b"content-type", b"application/json") if header == TEXT else header for header in refusal.headers
    ]
    return refusal._replace(headers=headers, body=json.dumps(content).encode())


TOO_BUSY = plain(
    503,
    b"The server is busy for a moment. Nothing was changed; please try again.",
    (b"retry-after", b"1"),
)
TOO_OFTEN = plain(
    429,
    b"Much is being asked from where you are, and others wait. Nothing was changed; please try again.",
    (b"retry-after", b"5"),
)
PAGE_POLICY = b"default-src 'self'; frame-ancestors 'none'"
TOO_MUCH = plain(503, SENTENCES[503], (b"retry-after", b"5"), (b"connection", b"close"))
TOO_SLOW = plain(408, SENTENCES[408], (b"connection", b"close"))
TOO_LATE = Answer(
    503,
    [(b"content-type", b"application/json"), *PROTECTION],
    b'{"status": "slow", "reason": "the database does not answer in time"}',
    [],
    is_ours=True,
)


def too_busy(asked: dict[str, Any]) -> Answer:
    """The refusal for a crowd: a page in our style for a browser that loads one, a sentence for all else."""
    request = WSGIRequest(asked)
    is_page = request.method == "GET" and request.accepts("text/html") and "HTTP_ACCEPT" in request.META
    if not is_page or wants_fragment(request) or request.path_info.startswith("/api/"):
        return TOO_BUSY
    return _crowded(translation.get_language_from_request(request))


@cache
def _crowded(language: str) -> Answer:
    """The page, drawn once: it reloads by itself, but not so soon that the crowd never ends."""
    with translation.override(language):
        again, hint = Link("", _("Try again")), _("This page retries automatically.")
        words = _("The server has too much to do right now.")
        page = MessagePage(_("One moment, please"), words, again, hint)
        text = render_to_string("site/busy.html", {"page": page, "site": frame("")})
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        *((name, PAGE_POLICY if name == b"content-security-policy" else value) for name, value in PROTECTION),
        (b"vary", b"accept, accept-language, cookie, hx-request, hx-request-type"),
        (b"retry-after", b"1"),
        (b"refresh", b"5"),
    ]
    return Answer(503, headers, text.encode(), [], is_ours=True)


def unacceptable(scope: Scope) -> Answer | None:
    """A refusal for an address or headers that no player's browser sends; None if there is nothing odd."""
    if sum(name == b"host" for name, _value in scope["headers"]) != 1:
        # Without one Django would assume our own name; with two it is anybody's guess.
        return plain(400, b"A request must name its host, once.")
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > ADDRESS_LIMIT:
        return plain(414, SENTENCES[414])
    if b"%00" in scope["query_string"]:
        # PostgreSQL cannot search for text with this character.
        return plain(400, b"This address holds a character that no text has (NUL).")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS_LIMIT:
        return plain(431, SENTENCES[431])
    if not all(is_utf8(value) for name, value in scope["headers"] if name == b"content-type"):
        return plain(415, SENTENCES[415])
    return None


async def answer(send: Send, scope: Scope, result: Answer) -> None:
    """Send a whole answer; a HEAD request gets its headers only."""
    if result.is_ours:
        measures.count_refusal(result.status)
        result = as_asked(scope, result)
    headers = result.headers
    bodiless = result.status in (204, 304)
    if not bodiless and not any(name == b"content-length" for name, _ in headers):
        headers = [*headers, (b"content-length", str(len(result.body)).encode())]
    await send({"type": "http.response.start", "status": result.status, "headers": headers})
    body = b"" if scope["method"] == "HEAD" or bodiless else result.body
    await send({"type": "http.response.body", "body": body})
