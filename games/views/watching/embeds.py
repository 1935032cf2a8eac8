"""A table or an event in a frame on somebody else's page, and the page that gives the frame to copy.

A frame shows what the watchers' pages show, at the same moment. It needs no cookie, sets none, and holds
nothing that acts: a visitor tricked into clicking in it can only open one of our pages in its own window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from html import escape
from typing import Any
from urllib.parse import urlencode

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import view_models
from games.events.models import Event
from games.models import Match
from games.translation import activate_spaced
from games.views.access import back_to, match_of
from games.views.access import refusing as refusing_at_table
from games.views.hall import tv
from games.views.hall.access import event_of
from games.views.hall.access import refusing as refusing_at_event
from games.views.watching import watched
from games.views.watching.late import table_for_watchers
from games.views.watching.overlays import choice, languages
from games.views.watching.screens import untouched
from games.views.watching.watch import feed
from games.web.database import one_moment
from games.web.network import address_for_others

THEMES = ("auto", "light", "dark")
SIZES = ("medium", "small", "large")
SHOWN = ("all", "pairings", "standings")
LINE, AROUND, OF_EVENT = 44, 96, 520
"""Heights in pixels: of one side, of everything around the sides, and of an event."""
ENLARGED = {"small": 0.85, "medium": 1.0, "large": 1.3}

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

    def query(self) -> str:
        """The query of an address that looks like this."""
        usual = EmbedStyle()
        values = {name: value for name, value in vars(self).items() if value != getattr(usual, name)}
        return f"?{urlencode(values)}" if values else ""

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
        shown = tv.hall_of(event)
    look = EmbedStyle.of(request.GET.dict())
    there = address_for_others(request, reverse("event", args=[event.code]))
    way = view_models.Link(there, _("Open on Roundtable"))
    page = view_models.EmbedPage(event.name, tv.feed(event), look.style, way)
    return render(request, "hall/embed.html", {"page": page, "hall": shown})


@require_safe
@csp_replace({"frame-src": [SELF]})
@refusing_at_table
def help_of_table(request: HttpRequest, code: str) -> HttpResponse:
    """The page with a table's frame to copy."""
    match = match_of(code)
    return _help(request, "embed", match, back_to(match), AROUND + LINE * match.armies.count())


@require_safe
@csp_replace({"frame-src": [SELF]})
@refusing_at_event
def help_of_event(request: HttpRequest, code: str) -> HttpResponse:
    """The page with an event's frame to copy."""
    event = event_of(code)
    back = view_models.Link(reverse("event", args=[event.code]), _("Back to the event"))
    return _help(request, "event-embed", event, back, OF_EVENT)


def _help(
    request: HttpRequest, name: str, of: Match | Event, back: view_models.Link, usual: int
) -> HttpResponse:
    # A frame's size is no model's: this page is in no game's words.
    activate_spaced()
    look = EmbedStyle.of(request.GET.dict())
    path = reverse(name, args=[of.code]) + look.query()
    height = round(usual * ENLARGED[look.size])
    title = of.name if isinstance(of, Event) else of.code
    address = escape(address_for_others(request, path))
    snippet = (
        f'<iframe src="{address}" title="{escape(title)}" width="100%" height="{height}" '
        'style="border: 0" loading="lazy"></iframe>'
    )
    page = view_models.EmbedHelp(
        back=back,
        post_url=reverse(f"{name}-help", args=[of.code]),
        snippet=snippet,
        preview_url=path,
        height=height,
        choices=tuple(_choices(look, is_event=isinstance(of, Event))),
    )
    return render(request, "watching/embed_help.html", {"page": page})


def _choices(look: EmbedStyle, *, is_event: bool) -> list[view_models.BuilderChoice]:
    themes = {"auto": _("The device’s"), "light": _("Light"), "dark": _("Dark")}
    sizes = {"small": _("Small"), "medium": _("Medium"), "large": _("Large")}
    shown = {"all": _("Pairings and standings"), "pairings": _("Pairings"), "standings": _("Standings")}
    asked = [
        choice("theme", _("Colours"), themes, look.theme),
        choice("size", _("Size"), sizes, look.size),
        choice("lang", _("Language"), languages(), look.lang),
    ]
    return [choice("show", _("Shown"), shown, look.show), *asked] if is_event else asked
