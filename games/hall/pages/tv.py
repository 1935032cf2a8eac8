"""An event on a television: clock, pairings with their scores, standings, announcements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import translation, view_models
from games.core.records import replace
from games.hall import event_actions as play
from games.hall import rooms
from games.hall.kept import gathering
from games.hall.models import Event
from games.hall.pages import ranking, region, rounds
from games.hall.pages.access import event_of, refusing
from games.hall.rules.pieces import OPEN, OVER, Gathering, Round
from games.live import listeners
from games.live.hub import Audience
from games.models import Score
from games.pages.watching import watch
from games.pages.watching.screens import untouched
from games.pictures.codes import picture_of
from games.templating import part
from games.view_models import hall as parts
from games.web import clock
from games.web.database import one_moment
from games.web.network import address_for_others
from games.web.program import is_outdated, origin

RowT = TypeVar("RowT")
VIEW = "event-tv"
TABLES, LARGE_TABLES, PLACES, PLAYERS = 18, 6, 20, 40
"""How many fit on one sheet; a large table has more than two players."""


@require_safe
@untouched
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """The event for a television."""
    event = event_of(code)
    with one_moment():
        event = event_of(code)
        shown = hall_of(event)
    sheets = [sheet.key for sheet in shown.sheets]
    wanted = request.GET.get("sheet", "")
    at = sheets.index(wanted) if wanted in sheets else 0
    asked = {key: value for key, value in request.GET.items() if key != "sheet"}
    following = urlencode({**asked, "sheet": sheets[(at + 1) % len(sheets)]})
    turned = f"15; url=?{following}"
    address = address_for_others(request, reverse("event", args=[event.code]))
    qr = picture_of(address, "#fff")
    page = view_models.Screen(
        title=event.name,
        feed=feed(event),
        sheet=sheets[at],
        next_url=turned,
        address=address,
        qr=qr,
        code=event.code,
    )
    return render(request, "hall/tv.html", {"page": page, "hall": shown})


@require_safe
@refusing
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of the television: 204 while the version that it has (`seen`) is current."""
    watch.activate_language(request)
    event = event_of(code)
    if is_outdated(request):
        return HttpResponse(status=410)
    if request.GET.get("seen", "") == str(rooms.version(_room(event), event)):
        return HttpResponse(status=204)
    return HttpResponse(html(event.code, Audience((), get_language() or "en", VIEW)))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of the television's stream; 410 for a page made from another program."""
    watch.activate_language(request)
    event = event_of(code)
    if is_outdated(request):
        return HttpResponse(status=410)
    return JsonResponse({"url": _stream_url(event)})


@require_safe
@refusing
def scores(request: HttpRequest, code: str) -> HttpResponse:
    """Points at the tables in play, by pairing; phones ask now and then, so that no tap wakes them all."""
    g = gathering(event_of(code))
    return JsonResponse({key: list(points.values()) for key, points in playing(g).items()})


def html(code: str, audience: Audience) -> str:
    """The television's live region."""
    with one_moment():
        event = play.event_of(code)
        with translation.override_game(event.system, audience.language):
            return part("hall/tv_region.html", hall=hall_of(event))


def hall_of(event: Event) -> parts.TvHall:
    """What the television shows; words in the active language."""
    g = gathering(event)
    found = rounds.shown(g)
    return parts.TvHall(
        version=rooms.version(_room(event), event),
        heading=region.heading(g),
        mode=rounds.mode_of(g, found.mode if found else g.mode),
        clock=rounds.clock_of(g, found),
        announcement=region.latest(g),
        sheets=tuple(_sheets(g)),
    )


def _sheets(g: Gathering) -> Iterator[parts.TvSheet]:
    found = rounds.shown(g)
    if found is None:
        title = region.players_title(g)
        entered = [_called(g, one) for one in region.registered(g)]
        for number, players in enumerate(_parts(entered, PLAYERS) or [()], 1):
            yield parts.TvSheet(f"players-{number}", title, players=tuple(players))
        return
    if g.status == OVER:
        yield from _places(g)
    yield from _pairings(g, found)
    if g.status != OVER:
        yield from _places(g)


def _pairings(g: Gathering, found: Round) -> Iterator[parts.TvSheet]:
    points = playing(g)
    lines = [_with_points(g, row, points.get(row.key, {})) for row in rounds.rows(g, found.number)]
    title, several = region.pairings_title(g, found), g.size > 2
    for number, pairings in enumerate(_parts(lines, LARGE_TABLES if several else TABLES), 1):
        yield parts.TvSheet(f"pairings-{number}", title, tuple(pairings), several=several)


def _places(g: Gathering) -> Iterator[parts.TvSheet]:
    ranked = ranking.ranking(g)
    if ranked is not None and any(one.is_decided and not one.is_bye for one in g.pairings.values()):
        for number, rows in enumerate(_parts(ranked.rows, PLACES), 1):
            told = tuple(replace(row, name=g.called(row.key)) for row in rows)
            part_of = parts.Standings(ranked.title, ranked.heads, told)
            yield parts.TvSheet(f"standings-{number}", ranked.title, standings=part_of)


def _parts(rows: Sequence[RowT], most: int) -> list[Sequence[RowT]]:
    return [rows[first : first + most] for first in range(0, len(rows), most)]


def playing(g: Gathering) -> dict[str, dict[str, str]]:
    """Each player's points at the tables in play, by pairing, read from the rows."""
    here = {
        one.match: one
        for one in g.pairings.values()
        if one.match and not one.is_decided and g.rounds[str(one.round)].state == OPEN
    }
    sums = Score.objects.filter(match__code__in=list(here)).values_list("match__code", "army__key")
    known = {(match, seat): total for match, seat, total in sums.annotate(total=Sum("points"))}
    return {
        one.key: {
            player: str(known.get((match, seat), 0))
            for player, seat in zip(one.players, one.seats, strict=False)
        }
        for match, one in here.items()
        if any((match, seat) in known for seat in one.seats)
    }


def _with_points(g: Gathering, row: parts.PairingRow, points: dict[str, str]) -> parts.PairingRow:
    scored = (replace(one, points=one.points or points.get(one.key, "")) for one in row.players)
    return replace(row, players=tuple(_called(g, one) for one in scored))


def _called(g: Gathering, one: parts.Paired) -> parts.Paired:
    """A player as everybody in the hall knows them: a television has no room for all the clubs."""
    return replace(one, name=g.called(one.key))


def feed(event: Event) -> view_models.Feed:
    """Where a page that shows a whole event gets its news, in the active language."""
    asked = urlencode({"lang": get_language() or "en", "program": origin()})
    return view_models.Feed(
        _stream_url(event),
        f"{reverse('event-tv-stream', args=[event.code])}?{asked}",
        f"{reverse('event-tv-news', args=[event.code])}?{asked}",
        origin(),
        int(clock.seconds()),
    )


def _stream_url(event: Event) -> str:
    return listeners.stream_url(_room(event), Audience((), get_language() or "en", VIEW), ())


def _room(event: Event) -> str:
    return rooms.WALL + event.code
