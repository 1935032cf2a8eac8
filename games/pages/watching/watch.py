"""Watching a match: its page, and where that page and the other screens get their news."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import activate, get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import view_models
from games.core import ViewModel
from games.live import listeners
from games.live.hub import Audience
from games.match import delay
from games.models import Match
from games.pages.common import match_of, refusing, waiting_url
from games.pages.records import score_card
from games.pages.watching import watched
from games.pages.watching.late import is_late, lateness, table_for_watchers
from games.people import seats
from games.people.seats import Phone
from games.translation import activate_spaced
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
    """The region of a page for watchers (`view`): 204 while the version it has (`seen`) is current.

    410, which makes the page reload, for a version that is not known here, for a page made from another
    program, and for one made when the match was shown with another delay.
    """
    activate_language(request)
    match, seen = match_of(code), request.GET.get("seen", "")
    # Compared with the current version, whoever asks for one after the other would learn what that is.
    version = delay.shown_version(match)
    is_made_before = is_outdated(request) or is_from_elsewhere(request, version)
    if is_made_before or request.GET.get("late", "") != lateness_of(match):
        return HttpResponse(status=410)
    if seen == str(version):
        return HttpResponse(status=204)
    with one_moment():
        return HttpResponse(watched.html(table_for_watchers(match_of(code)), audience_of(request)))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of the stream of a page for watchers.

    410 for a page made from another program, and for a match that is shown late: its pages only poll.
    """
    activate_language(request)
    match = match_of(code)
    if is_outdated(request) or is_late(match):
        return HttpResponse(status=410)
    return JsonResponse({"url": listeners.stream_url(match.code, audience_of(request), ())})


def feed(match: Match, view: str) -> view_models.Feed:
    """Where a page of this kind gets news of a match, in the active language."""
    language, late = get_language() or "en", is_late(match)
    values = {"view": view, "lang": language, "program": origin(), "late": lateness_of(match)}
    asked = urlencode({name: value for name, value in values.items() if value})
    return view_models.Feed(
        stream_url="" if late else listeners.stream_url(match.code, Audience((), language, view), ()),
        source_url=f"{reverse('watch-stream', args=[match.code])}?{asked}",
        news_url=f"{reverse('watch-news', args=[match.code])}?{asked}",
        program=origin(),
        now=int(clock.seconds()),
        late=lateness(match),
    )


def lateness_of(match: Match) -> str:
    """How late a match is shown, as pages send it when they ask for news; "" for one shown at once."""
    return str(match.watch_delay) if is_late(match) else ""


def activate_language(request: HttpRequest) -> None:
    """Answer this request in the language that its address names (`lang`), if it names one."""
    wanted = request.GET.get("lang", "").lower()
    if wanted in dict(settings.LANGUAGES):
        activate(wanted)
        activate_spaced()


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
