"""What makes the site an installable web app, and the first page of the computer that serves it.

Manifest, service worker and the page for no connection are the same for everybody and hold nothing about any
match.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from games.pages.context import frame
from games.web import picture_of

PAPER = "#f4f1e9"
LOADED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """What a home screen shows of the program; its name is the only word in it."""
    drawings = [("icon-192.png", "192x192", "image/png"), ("icon-512.png", "512x512", "image/png")]
    icons = [
        {"src": static(name), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind in drawings
        for purpose in ("any", "maskable")
    ]
    facts = {
        "id": "/",
        "name": "Roundtable",
        "short_name": "Roundtable",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    return JsonResponse(facts, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, bound to this version of the program: another version has another worker.

    From the start a phone keeps what the page without a connection loads, and more once it asks for more.
    """
    kept = json.dumps([reverse("offline"), *sorted(set(LOADED.findall(_offline("en"))))])
    head = f'const VERSION = "{_version()}";\nconst KEPT = {kept};\n'
    return HttpResponse(head + _source(), content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page shown in place of a table that is out of reach."""
    return render(request, "site/offline.html")


@cache
def _source() -> str:
    return (settings.BASE_DIR / "static/site/worker.js").read_text(encoding="utf-8")


def _offline(language: str) -> str:
    with translation.override(language):
        return render_to_string("site/offline.html", {"site": frame("")})


@cache
def _version() -> str:
    """A name that changes whenever a static file, the worker or the offline page does."""
    parts = [settings.VERSION, getattr(staticfiles_storage, "manifest_hash", ""), _source()]
    parts += [_offline(language) for language, _name in settings.LANGUAGES]
    return "roundtable-" + hashlib.sha256("".join(parts).encode()).hexdigest()[:12]


@dataclass
class Started:
    """How this process serves: its addresses, the likeliest first, and the password it made, if any."""

    urls: list[str]
    password: str = ""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    @property
    def welcome_url(self) -> str:
        """The page's address on this computer."""
        return urljoin(self.urls[-1], reverse("welcome", args=[self.key]))


@dataclass(frozen=True)
class WelcomePage:
    """What the page shows: `urls` are typed into phones; there are none without a network."""

    code: str
    urls: tuple[str, ...]
    new_url: str
    admin_url: str
    first_event_url: str
    password: str


started: Started | None = None
"""Set by `play` before it serves."""


@require_safe
def welcome(request: HttpRequest, key: str) -> HttpResponse:
    """The first page; 404 for a key that is not this process's."""
    if started is None or not constant_time_compare(key, started.key):
        raise Http404
    reachable = tuple(url for url in started.urls if urlsplit(url).hostname != "localhost")
    page = WelcomePage(
        code=picture_of(reachable[0], "#fff") if reachable else "",
        urls=reachable,
        new_url=reverse("new"),
        admin_url=reverse("admin:index"),
        first_event_url=reverse("first-event"),
        password=started.password,
    )
    return render(request, "site/welcome.html", {"page": page})
