"""An overlay over the picture of a stream."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import view_models
from games.pages.access import match_of
from games.pages.watching import overlay_style, watched
from games.pages.watching.late import table_for_watchers
from games.pages.watching.screens import untouched
from games.pages.watching.watch import feed
from games.web.database import one_moment


@require_safe
@untouched
def overlay(request: HttpRequest, code: str) -> HttpResponse:
    """The score over the picture of a stream; the address says how it looks."""
    match = match_of(code)
    look = overlay_style.read(request.GET.dict())
    with one_moment():
        shown = watched.watched(table_for_watchers(match_of(match.code)))
    page = view_models.OverlayPage(
        title=shown.title,
        feed=feed(match, "overlay"),
        style_url=f"{reverse('overlay-look')}?{urlencode(look.query())}",
        place=look.place,
        shape=look.shape,
        hidden=tuple(part for part in overlay_style.PARTS if part not in look.parts),
    )
    return render(request, "watching/overlay.html", {"page": page, "watched": shown})


@require_safe
def look_css(request: HttpRequest) -> HttpResponse:
    """An overlay's sizes and colours as a style sheet, because a page may carry no styles of its own."""
    look = overlay_style.read(request.GET.dict())
    return HttpResponse(overlay_style.style(look), content_type="text/css; charset=utf-8")
