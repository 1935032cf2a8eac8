"""The frame around every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from games import shapes


def site(request: HttpRequest) -> dict[str, object]:
    """`site`: the way home, the language switch, what a phone may keep, the banner of a plain-http table."""
    active = get_language()
    frame = shapes.Site(
        home_url=reverse("home"),
        language_url=reverse("set_language"),
        here=request.get_full_path(),
        languages=tuple(shapes.Language(code, name, code == active) for code, name in settings.LANGUAGES),
        manifest_url=reverse("manifest"),
        worker_url="" if settings.LAN else reverse("worker"),
        plain_http=settings.LAN,
    )
    return {"site": frame}
