"""Watching a match: its page, and where that page and the other screens get their news."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import activate, get_language
from django.views.decorators.http import require_safe

from games import view_models
from games.core import ViewModel
from games.live import hub
from games.live.hub import Audience
from games.match import delay
from games.models import Match
from games.pages.common import match_of, refusing, waiting_url
from games.pages.records import score_card
from games.pages.watching import watched
from games.pages.watching.late import is_late, lateness, table_for_watchers
from games.people import seats
from games.people.seats import Phone
from games.translation import gettext as _
from games.translation import leave_game
from games.web import clock, is_from_elsewhere, is_outdated, one_moment, origin


class WatchPage(ViewModel):
    """The watchers' page around a `Watched`. `ways` lead further: to the pieces, a seat, a television.

    `waiting_url` leads a watcher who has asked for a seat to the answer, "" for everyone else.
    `ground` is the part of a field that never changes, as `icons_template` takes it.
    """

    title: str
    code: str
    feed: view_models.Feed
    ways: tuple[view_models.Link, ...]
    share: view_models.Share | None = None
    waiting_url: str = ""
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()


@require_safe
@refusing
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """The page for watchers, players included: nobody is asked for anything here."""
    match = match_of(code)
    with one_moment():
        table = table_for_watchers(match_of(match.code))
        shown = watched.watched(table)
        phone = seats.phone(request, match.code)
        page = WatchPage(
            shown.title,
            match.code,
            feed(match, "watch"),
            _ways(match, phone),
            score_card.share_of(request, table),
            waiting_url(request, match, phone),
            icons_template=table.page.icons_template if shown.field_template else "",
            ground=table.page.ground() if shown.field_template else None,
            styles=table.page.styles if shown.field_template else (),
        )
    return render(request, "watching/watch.html", {"page": page, "watched": shown})


@require_safe
@refusing
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of a page for watchers (`view`); another page is one made for another delay."""
    match = match_of(code)

    def html() -> str:
        with one_moment():
            return watched.html(table_for_watchers(match_of(code)), audience_of(request))

    # Compared with the current version, whoever asks for one after the other would learn what that is.
    version, is_other = delay.shown_version(match), request.GET.get("late", "") != lateness_of(match)
    return live_region(request, version, html, is_other=is_other)


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of the stream of a page for watchers; a match that is shown late is only polled."""
    match = match_of(code)
    return fresh_stream(
        request,
        lambda: hub.stream_url(match.code, audience_of(request), ()),
        is_other=is_late(match),
    )


def live_region(
    request: HttpRequest, version: int | str, html: Callable[[], str], *, is_other: bool = False
) -> HttpResponse:
    """The region of a page that keeps itself current: 204 while its version (`seen`) is the current one.

    410, which makes the page reload, for a version that is not known here, for a page made from another
    program, and for another page than the one that would be made now (`is_other`).
    """
    activate_language(request)
    is_unknown = isinstance(version, int) and is_from_elsewhere(request, version)
    if is_other or is_unknown or is_outdated(request):
        return HttpResponse(status=410)
    is_current = request.GET.get("seen", "") == str(version)
    return HttpResponse(status=204) if is_current else HttpResponse(html())


def fresh_stream(request: HttpRequest, url: Callable[[], str], *, is_other: bool = False) -> HttpResponse:
    """A fresh address of such a page's stream; 410 for a page that has to be reloaded."""
    activate_language(request)
    if is_other or is_outdated(request):
        return HttpResponse(status=410)
    return JsonResponse({"url": url()})


def feed_of(stream_url: str, stream: str, news: str, behind: str = "", **asked: str) -> view_models.Feed:
    """Where a page gets its news, in the active language; `stream` and `news` are addresses of views."""
    query = urlencode({"lang": get_language() or "en", "program": origin(), **asked})
    now = int(clock.seconds())
    return view_models.Feed(stream_url, f"{stream}?{query}", f"{news}?{query}", origin(), now, behind)


def feed(match: Match, view: str) -> view_models.Feed:
    """Where a page of this kind gets news of a match, in the active language."""
    audience = Audience((), get_language() or "en", view)
    url = "" if is_late(match) else hub.stream_url(match.code, audience, ())
    stream, news = (reverse(name, args=[match.code]) for name in ("watch-stream", "watch-news"))
    return feed_of(url, stream, news, lateness(match), view=view, late=lateness_of(match))


def lateness_of(match: Match) -> str:
    """How late a match is shown, as pages send it when they ask for news; "" for one shown at once."""
    return str(match.watch_delay) if is_late(match) else ""


def activate_language(request: HttpRequest) -> None:
    """Answer this request in the language that its address names (`lang`), if it names one."""
    wanted = request.GET.get("lang", "").lower()
    if wanted in dict(settings.LANGUAGES):
        activate(wanted)
        leave_game()


def audience_of(request: HttpRequest) -> Audience:
    """The audience of a region: a spectator, with the kind of view that the address names."""
    view = request.GET.get("view", "")
    return Audience((), get_language() or "en", view if view in watched.TEMPLATES else "watch")


def _ways(match: Match, phone: Phone) -> tuple[view_models.Link, ...]:
    """Where the page leads next."""
    code = [match.code]
    table = reverse("table", args=code)
    ways = [
        view_models.Link(table, _("Your seat") if phone.seats else _("All pieces"), "table"),
        view_models.Link(reverse("score", args=code), _("Score card"), "finish"),
        view_models.Link(reverse("history", args=code), _("History"), "history"),
    ]
    if not phone.seats and match.result is None:
        ways.append(view_models.Link(reverse("join", args=code), _("Take a seat"), "plus"))
    ways.append(view_models.Link(reverse("elsewhere", args=code), _("Show it elsewhere"), "share"))
    return tuple(ways)
