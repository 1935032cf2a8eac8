"""What makes the site an installable web app: manifest, service worker, the page for no connection.

They are the same for everybody and hold nothing about any match.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from games.pages.context import frame

PAPER = "#f4f1e9"
KEPT = (
    *("site/app.css", "site/pages.css", "site/install.js", "site/offline.js"),
    *("table/table.css", "table/piece.css", "site/client.js", "table/table.js", "table/queue.js"),
    *("table/turn.js", "vendor/htmx.min.js", "favicon.svg", "favicon-turn.svg"),
)
"""The files that a phone keeps from the start; it keeps other hashed files once it asks for them."""


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
    """The service worker, bound to this version of the program: another version has another worker."""
    kept = json.dumps([reverse("offline"), *map(static, KEPT)])
    head = f'const VERSION = "{_version()}";\nconst KEPT = {kept};\n'
    return HttpResponse(head + _source(), content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page shown in place of a table that is out of reach."""
    return render(request, "site/offline.html")


@cache
def _source() -> str:
    return (settings.BASE_DIR / "static/site/worker.js").read_text(encoding="utf-8")


@cache
def _version() -> str:
    """A name that changes whenever a static file, the worker or the offline page does."""
    parts = [settings.VERSION, getattr(staticfiles_storage, "manifest_hash", ""), _source()]
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            parts.append(render_to_string("site/offline.html", {"site": frame("")}))
    return "roundtable-" + hashlib.sha256("".join(parts).encode()).hexdigest()[:12]
