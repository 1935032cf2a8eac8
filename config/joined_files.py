"""The style sheets and scripts of a page, joined: a page loads one of each, kept for good."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any
from urllib.parse import quote

import brotli
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.crypto import constant_time_compare, salted_hmac
from jinja2 import Environment

from games import templating

Answer = Callable[[HttpRequest], HttpResponse]

TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
ADDRESS = re.compile(r"/static/\+([\w/.+-]+)\.([0-9a-f]{12})\.(css|js)")
ENCODERS: dict[str, Callable[[bytes], bytes]] = {"br": brotli.compress, "gzip": gzip.compress}
"""The ways to compress a file, the one that makes it shortest first."""
FOREVER = "max-age=315360000, public, immutable"


def environment(**options: Any) -> Environment:
    """The environment of the templates, with the addresses of their files."""
    env = templating.environment(**options)
    env.globals.update(inlined=inlined, joined=joined)
    return env


def joined(kind: str, names: str) -> str:
    """The address of these files, joined in this order: `joined("css", "site/app.css table/table.css")`."""
    return _address.__wrapped__(kind, names) if settings.DEBUG else _address(kind, names)


@lru_cache
def _address(kind: str, names: str) -> str:
    parts = "+".join(name.removesuffix(f".{kind}") for name in names.split())
    return f"/static/+{parts}.{_mark(_text(kind, parts))}.{kind}"


@cache
def inlined(drawing: str) -> str:
    """A drawing as an address that holds all of it, so that nothing is asked for."""
    return "data:image/svg+xml," + quote(_file(drawing), safe=" ='/:")


def joined_files(get_response: Answer) -> Answer:
    """Answer requests for joined files; whitenoise answers those for single ones."""

    def middleware(request: HttpRequest) -> HttpResponse:
        asked = ADDRESS.fullmatch(request.path_info)
        return _answer(request, *asked.groups()) if asked else get_response(request)

    return middleware


def _answer(request: HttpRequest, parts: str, mark: str, kind: str) -> HttpResponse:
    """The files in the shortest form that the browser reads; only for an address that `joined` has made."""
    try:
        text = _text(kind, parts)
    except (OSError, ValueError, SuspiciousFileOperation):
        return HttpResponseNotFound()
    if not constant_time_compare(mark, _mark(text)):
        return HttpResponseNotFound()
    accepted = re.findall(r"\w+", request.headers.get("Accept-Encoding", ""))
    encoding = next((name for name in ENCODERS if name in accepted), "")
    body = _compressed(text, encoding) if encoding else text
    headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding", "Content-Length": str(len(body))}
    if encoding:
        headers["Content-Encoding"] = encoding
    return HttpResponse(body, content_type=TYPES[kind], headers=headers)


def _text(kind: str, parts: str) -> bytes:
    """The files as they are served one by one; raises if there is no such file."""
    return b"\n".join(_file(f"{part}.{kind}") for part in parts.split("+"))


def _file(name: str) -> bytes:
    if settings.WHITENOISE_USE_FINDERS:
        with open(finders.find(name) or "", "rb") as source:
            return source.read()
    collected: Any = staticfiles_storage
    with collected.open(collected.stored_name(name)) as file:
        return bytes(file.read())


def _mark(text: bytes) -> str:
    """What tells versions of the files apart, and an address of ours from one that others made up."""
    return salted_hmac("roundtable.joined", text).hexdigest()[:12]


@lru_cache
def _compressed(text: bytes, encoding: str) -> bytes:
    return ENCODERS[encoding](text)
