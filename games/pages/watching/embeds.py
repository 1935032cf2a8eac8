"""A table or an event in a frame on somebody else's page.

A frame shows what the watchers' pages show, at the same moment. It needs no cookie, sets none, and holds
nothing that acts: a visitor tricked into clicking in it can only open one of our pages in its own window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import view_models
from games.hall.pages import event_screens
from games.hall.pages.event_forms import event_of
from games.pages.access import match_of
from games.pages.watching import watched
from games.pages.watching.late import table_for_watchers
from games.pages.watching.screens import untouched
from games.pages.watching.watch import feed
from games.web.database import one_moment
from games.web.network import address_for_others

THEMES = ("auto", "light", "dark")
SIZES = ("medium", "small", "large")
SHOWN = ("all", "pairings", "standings")

View = Callable[..., Any]


@dataclass(frozen=True)
class EmbedStyle:
    """How a frame looks, as its address says; values that cannot be used count as not given."""

    theme: str = "auto"
    size: str = "medium"
    show: str = "all"
    lang: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> EmbedStyle:
        known = {"theme": THEMES, "size": SIZES, "show": SHOWN, "lang": tuple(dict(settings.LANGUAGES))}
        return cls(**{name: query[name] for name, values in known.items() if query.get(name) in values})

    @property
    def style(self) -> str:
        """The page's CSS classes."""
        return f"{self.theme} {self.size} only-{self.show}"


def framed(view: View) -> View:
    """Let any page show this one in a frame, including its refusals."""

    @wraps(view)
    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    def open_to_frames(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs)

    return open_to_frames


@require_safe
@framed
@untouched
def of_table(request: HttpRequest, code: str) -> HttpResponse:
    """The score of a table."""
    match = match_of(code)
    with one_moment():
        shown = watched.watched(table_for_watchers(match_of(match.code)))
    look = EmbedStyle.of(request.GET.dict())
    way = view_models.Link(address_for_others(request, shown.url), _("Watch on Roundtable"))
    page = view_models.EmbedPage(shown.title, feed(match, "overlay"), look.style, way)
    return render(request, "watching/embed.html", {"page": page, "watched": shown})


@require_safe
@framed
@untouched
def of_event(request: HttpRequest, code: str) -> HttpResponse:
    """The pairings and standings of an event."""
    event = event_of(code)
    with one_moment():
        event = event_of(code)
        shown = event_screens.hall_of(event)
    look = EmbedStyle.of(request.GET.dict())
    there = address_for_others(request, reverse("event", args=[event.code]))
    way = view_models.Link(there, _("Open on Roundtable"))
    page = view_models.EmbedPage(event.name, event_screens.feed(event), look.style, way)
    return render(request, "hall/embed.html", {"page": page, "hall": shown})
