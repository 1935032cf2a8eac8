"""Screens that nobody touches: a television for one table, or for several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core import RequestRefused, ViewModel, say
from games.core import gettext_noop as noop
from games.history.commits import UnreadableRow, reading
from games.match import delay
from games.models import Match
from games.pages.common import match_of
from games.pages.opening import home
from games.pages.table.loaded import Table, tables_of
from games.pages.watching import watch
from games.pages.watching.watch import (
    Watched,
    activate_language,
    feed,
    feed_of,
    is_late,
    live_region,
    table_for_watchers,
)
from games.templating import part
from games.translation import gettext as _
from games.translation import words
from games.web import address_for_others, one_moment, picture_of, wrong_guess


class WatchedTables(ViewModel):
    """Several matches on one screen, in `pages`; `version` changes with any of theirs."""

    version: str
    pages: tuple[tuple[Watched, ...], ...]


class ScreenMessage(ViewModel):
    """One sentence on a screen that nobody touches, which retries by itself. `look` names its style sheet."""

    title: str
    text: str
    seconds: int
    look: str = "screen"


SHEETS = ("score", "map", "sides", "graph", "happened")
"""The sheets of one table in their order; a map comes only where there is something to draw."""
A_PAGE, MOST = 6, 24
"""Tables on one sheet of a television, and on all its sheets together."""
AGAIN_SECONDS = 60
"""Seconds until a screen without its table tries again: too rarely to look like guessing codes."""
SALT = "roundtable.screens"
View = Callable[..., HttpResponse]


def untouched(view: View) -> View:
    """Answer a refusal with a page that retries by itself, in the language that the address names."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        activate_language(request)
        try:
            return view(request, *args, **kwargs)
        except RequestRefused as refused:
            waits = wrong_guess(request) if refused.status == 404 else None
            status = waits.status_code if waits else refused.status
            return _waiting(request, words(refused.line), status)

    return guarded


def _waiting(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    kind = request.path_info.rpartition("/")[2]
    look = kind if kind in ("overlay", "embed") else "screen"
    page = ScreenMessage(_("That did not work"), sentence, AGAIN_SECONDS, look)
    return render(request, "watching/screen_message.html", {"page": page}, status=status)


@require_safe
@untouched
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """One table for a television: the score, and sheets that turn."""
    match = match_of(code)
    with one_moment():
        table = table_for_watchers(match_of(match.code))
        shown = watch.watched(table)
    address = address_for_others(request, shown.url)
    sheets = [sheet for sheet in SHEETS if sheet != "map" or shown.screen_template]
    page = _screen(request, shown.title, feed(match, "tv"), sheets, address, match.code)
    if shown.screen_template:
        page = replace(
            page,
            icons_template=table.page.icons_template,
            ground=table.page.ground(),
            styles=table.page.screen_styles,
        )
    return render(request, "watching/tv.html", {"page": page, "watched": shown, "several": None})


@require_safe
@untouched
def hall(request: HttpRequest) -> HttpResponse:
    """Several tables for a television: those that the address names (`tables`), or all listed ones."""
    named = [code for code in request.GET.get("tables", "").upper().split(",") if code][:MOST]
    if not named:
        return tables_page(request, None, _("Being played now"))
    existing = set(Match.objects.filter(code__in=named).values_list("code", flat=True))
    for code in named:
        if code not in existing and (refusal := wrong_guess(request)):
            return _waiting(request, _("There is no such table."), refusal.status_code)
    codes = [code for code in dict.fromkeys(named) if code in existing]
    if not codes:
        raise RequestRefused(say(noop("There is no such table.")), 404, "unknown")
    return tables_page(request, codes, _("Tables"))


def tables_page(request: HttpRequest, codes: Sequence[str] | None, title: str) -> HttpResponse:
    """A television with these tables (None: all listed ones)."""
    chosen = "" if codes is None else signing.dumps(list(codes), salt=SALT)
    shown = _several(codes)
    news = feed_of("", "", reverse("tv-news"), list=chosen)
    sheets = [str(number) for number in range(1, len(shown.pages) + 1)] or ["1"]
    page = _screen(request, title, news, sheets, address_for_others(request, reverse("home")))
    return render(request, "watching/tv.html", {"page": page, "watched": None, "several": shown})


@require_safe
def tables_news(request: HttpRequest) -> HttpResponse:
    """The region of a television with several tables."""
    try:
        chosen = request.GET.get("list", "")
        codes = signing.loads(chosen, salt=SALT) if chosen else None
    except signing.BadSignature:
        return HttpResponse(status=410)
    matches = _matches(codes)
    return live_region(
        request, _version(matches), lambda: part("watching/tables_region.html", several=_several(codes))
    )


def _matches(codes: Sequence[str] | None) -> list[Match]:
    """The tables of a screen, in the order of their codes; those that no longer exist are left out."""
    if codes is None:
        return home.being_played(MOST)
    matches = Match.objects.in_bulk(codes, field_name="code")
    return [matches[code] for code in codes if code in matches]


def _version(matches: Iterable[Match]) -> str:
    return ".".join(f"{match.code}-{delay.shown_version(match)}" for match in matches)


def _several(codes: Sequence[str] | None) -> WatchedTables:
    with one_moment():
        matches = _matches(codes)
        tables = {table.match.pk: table for table in tables_of([m for m in matches if not is_late(m)])}
        shown = [watched for match in matches if (watched := _watched(match, tables.get(match.pk)))]
    pages = tuple(tuple(shown[first : first + A_PAGE]) for first in range(0, len(shown), A_PAGE))
    return WatchedTables(_version(matches), pages)


def _watched(match: Match, table: Table | None) -> watch.Watched | None:
    """A table as it is shown among others; None if it cannot be read, so that the others are still shown."""
    with suppress(UnreadableRow), reading(match), translation.override_game(match.system):
        return watch.watched(table or table_for_watchers(match))
    return None


def _screen(
    request: HttpRequest,
    title: str,
    news: view_models.Feed,
    sheets: Sequence[str],
    address: str,
    code: str = "",
) -> view_models.Screen:
    wanted = request.GET.get("sheet", "")
    at = sheets.index(wanted) if wanted in sheets else 0
    asked = {key: value for key, value in request.GET.items() if key != "sheet"}
    following = urlencode({**asked, "sheet": sheets[(at + 1) % len(sheets)]})
    return view_models.Screen(
        title=title,
        feed=news,
        sheet=sheets[at],
        next_url=f"15; url=?{following}",
        address=address,
        qr=picture_of(address, "#fff"),
        code=code,
    )
