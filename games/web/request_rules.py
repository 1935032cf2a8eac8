"""The few rules that hold for every request and response, each a small middleware."""

from __future__ import annotations

import gzip
import re
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from games import translation
from games.web.database import begin_request
from games.web.refusals import refuse, refuse_trouble, wants_fragment

Answer = Callable[[HttpRequest], HttpResponse]


def browser_rules(get_response: Answer) -> Answer:
    """Set headers: which features of a phone a page may use, who may load it, and that no cache keeps it."""
    permissions = ", ".join(f"{feature}=({who})" for feature, who in settings.PERMISSIONS_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", permissions)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def most_bytes(path: str) -> int:
    """The most bytes that may be sent to this address."""
    large = (most for address, most in settings.LARGE_BODIES.items() if re.fullmatch(address, path))
    return next(large, settings.BODY_LIMIT)


def body_limit(get_response: Answer) -> Answer:
    """Refuse a body that is too big or compressed before anything reads it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()):
            return refuse(request, 400, _("That request was garbled on its way. Please try again."))
        most = most_bytes(request.path_info)
        if int(length) > most:
            sentence = _("That is too big: at most %(limit)d KB can be sent.") % {"limit": most // 1024}
            return refuse(request, 413, sentence)
        if request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
            return refuse(request, 415, _("Compressed requests are not accepted. Please send it unpacked."))
        return get_response(request)

    return middleware


class ReaderLanguage(LocaleMiddleware):
    """Django's choice of a language; a page's own game is left with its answer."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        translation.leave_game()
        return super().process_response(request, response)


class PlainWords:
    """Answer two failures with a sentence: a database that does not work (503), a wrong method (405)."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begin_request()
        response = self.get_response(request)
        if response.status_code != 405 or response.content:
            return response
        refusal = refuse(request, 405, _("This address does not take that kind of request."))
        refusal["Allow"] = response["Allow"]
        return refusal

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return refuse_trouble(request, exception)


LEVEL, PAGE_LEVEL = 3, 8
"""How hard zlib tries: the highest level that takes each match as it comes (its `deflate_fast`); harder for a
whole page, which is asked for once where a hundred boards follow."""
FLAGS, HAS_NAME, HEADER = 3, b"\x08", 10
"""The position of a gzip file's flags, the flag for a name, and the length of the header (RFC 1952)."""
ACCEPTS_GZIP = re.compile(r"\bgzip\b")
LEAST = 200
"""The fewest bytes that are worth compressing."""


class QuickGzip(GZipMiddleware):
    """Django's middleware, except that complete responses without an ETag are compressed here."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a response if the browser accepts that and it gets shorter."""
        is_asked_for = ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        is_simple = not (response.has_header("Content-Encoding") or response.has_header("ETag"))
        if not isinstance(response, HttpResponse) or not is_asked_for or not is_simple:
            return super().process_response(request, response)
        content = response.content
        if len(content) < LEAST:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        level = LEVEL if request.method == "POST" or wants_fragment(request) else PAGE_LEVEL
        if len(short := packed(content, self.max_random_bytes, level)) < len(content):
            response.content = short
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(short))
        return response


def packed(data: bytes, most_random: int = 0, level: int = LEVEL) -> bytes:
    """Data as a gzip file whose name has a random length of less than `most_random`.

    So that somebody who can put words into a page and sees how long it gets cannot tell what else is in it
    (BREACH), as in Django.
    """
    file = gzip.compress(data, level, mtime=0)
    name = b"a" * secrets.randbelow(most_random) if most_random else b""
    # `GzipFile` would write the name, but takes as long as zlib itself on top.
    return b"".join((file[:FLAGS], HAS_NAME, file[FLAGS + 1 : HEADER], name, b"\0", file[HEADER:]))
