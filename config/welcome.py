"""The organiser's first page, on the computer that serves: a code for the phones, and what to do first.

Somebody who starts the program by a double click sees no terminal; this page says what would be printed
there. Its address holds a key made at this start, and only the person who started the program knows it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from games.web.network import picture_of


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
