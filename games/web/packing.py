"""Responses are compressed quickly: most are boards, one for each tap, and none is kept.

Django's own middleware has zlib try as hard as for a file. That makes a board a tenth smaller and takes four
times as long: as much as a tenth of a whole tap, and more for large boards.
"""

from __future__ import annotations

import gzip
import secrets

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils.cache import patch_vary_headers

LEVEL = 3
"""How hard zlib tries: the highest level that takes each match as it comes (its `deflate_fast`)."""
FLAGS, HAS_NAME, HEADER = 3, b"\x08", 10
"""The position of a gzip file's flags, the flag for a name, and the length of the header (RFC 1952)."""
LEAST = 200
"""The fewest bytes that are worth compressing."""


class QuickGzip(GZipMiddleware):
    """Django's middleware, except that complete responses without an ETag are compressed here."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a response if the browser accepts that and it gets shorter."""
        is_asked_for = re_accepts_gzip.search(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        is_simple = not (response.has_header("Content-Encoding") or response.has_header("ETag"))
        if not isinstance(response, HttpResponse) or not is_asked_for or not is_simple:
            return super().process_response(request, response)
        content = response.content
        if len(content) < LEAST:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if len(short := packed(content, self.max_random_bytes)) < len(content):
            response.content = short
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(short))
        return response


def packed(data: bytes, most_random: int = 0) -> bytes:
    """Data as a gzip file whose name has a random length of less than `most_random`.

    So that somebody who can put words into a page and sees how long it gets cannot tell what else is in it
    (BREACH), as in Django.
    """
    file = gzip.compress(data, LEVEL, mtime=0)
    name = b"a" * secrets.randbelow(most_random) if most_random else b""
    # `GzipFile` would write the name, but takes as long as zlib itself on top.
    return b"".join((file[:FLAGS], HAS_NAME, file[FLAGS + 1 : HEADER], name, b"\0", file[HEADER:]))
