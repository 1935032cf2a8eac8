"""An event on other screens: a television in the hall, and the strip on the page of one of its tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core import RequestRefused, ViewModel, say
from games.core import gettext_noop as noop
from games.hall import event_actions, event_tables
from games.hall.event_rows import position_of
from games.hall.models import Event, Player
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.event_forms import event_of, own, refusing
from games.hall.pages.player_card import Own
from games.hall.pages.rounds_and_standings import Announced, HallClock, Paired, PairingRow, Standings, latest
from games.hall.pages.team_matches import TeamMatchRow
from games.hall.rules.event_state import OPEN, OVER, Call, EventState, Pairing, Round
from games.live import listeners, rooms
from games.live.hub import Audience
from games.models import Match, Score
from games.pages.common import match_of
from games.pages.common import refusing as refusing_at_table
from games.pages.watching import watch
from games.pages.watching.screens import untouched
from games.templating import part
from games.view_models import Link
from games.web import address_for_others, clock, one_moment, picture_of


class TvSheet(ViewModel):
    """One sheet of an event's television: pairings, standings or players; the other two are empty.

    `several`: tables have more than two players.
    """

    key: str
    title: str
    pairings: tuple[PairingRow, ...] = ()
    standings: Standings | None = None
    players: tuple[Paired, ...] = ()
    matches: tuple[TeamMatchRow, ...] = ()
    several: bool = False


class TvHall(ViewModel):
    """The live region of an event's television."""

    version: int
    heading: str
    mode: str
    clock: HallClock | None
    announcement: Announced | None
    sheets: tuple[TvSheet, ...]


class HallStrip(ViewModel):
    """The event on the page of one of its tables: the way back, the clock, the newest announcement.

    `table` names the table by its number in the hall, or says that it was called off. `now` is the server's
    time in seconds since 1970; `judge` says that a judge is called or is coming; `leads` is where a phone
    goes whose player sits elsewhere by now.
    """

    name: str
    url: str
    clock: HallClock | None
    announcement: Announced | None
    ways: tuple[Link, ...] = ()
    now: int = 0
    version: int = 0
    judge: str = ""
    table: str = ""
    leads: str = ""


# --- the television ----------------------------------------------------------------------------------


RowT = TypeVar("RowT")
VIEW = "event-tv"
TABLES, LARGE_TABLES, PLACES, PLAYERS, MATCHES = 18, 6, 20, 40, 8
"""How many fit on one sheet; a large table has more than two players."""


@require_safe
@untouched
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """The event for a television."""
    event = event_of(code)
    with one_moment():
        event = event_actions.event_of(code)
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
    """The region of the television."""
    event = event_of(code)
    version = str(rooms.version(_room(event), event))
    return watch.live_region(request, version, lambda: html(code, Audience((), get_language() or "en", VIEW)))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    event = event_of(code)
    return watch.fresh_stream(request, lambda: _stream_url(event))


@require_safe
@refusing
def scores(request: HttpRequest, code: str) -> HttpResponse:
    """Points at the tables in play, by pairing; phones ask now and then, so that no tap wakes them all."""
    g = position_of(event_of(code))
    return JsonResponse({key: list(points.values()) for key, points in playing(g).items()})


def html(code: str, audience: Audience) -> str:
    """The television's live region."""
    with one_moment():
        event = event_actions.event_of(code)
        with translation.override_game(event.system, audience.language):
            return part("hall/tv_region.html", hall=hall_of(event))


def hall_of(event: Event) -> TvHall:
    """What the television shows; words in the active language."""
    g = position_of(event)
    found = rounds_and_standings.shown(g)
    return TvHall(
        version=rooms.version(_room(event), event),
        heading=rounds_and_standings.heading(g),
        mode=rounds_and_standings.mode_of(g, found.mode if found else g.mode),
        clock=rounds_and_standings.clock_of(g, found),
        announcement=rounds_and_standings.latest(g),
        sheets=tuple(_sheets(g)),
    )


def _sheets(g: EventState) -> Iterator[TvSheet]:
    found = rounds_and_standings.shown(g)
    if found is None:
        title = rounds_and_standings.players_title(g)
        entered = [_called(g, one) for one in rounds_and_standings.registered(g)]
        for number, players in enumerate(_parts(entered, PLAYERS) or [()], 1):
            yield TvSheet(f"players-{number}", title, players=tuple(players))
        return
    if g.status == OVER:
        yield from _places(g)
    yield from _pairings(g, found)
    if g.status != OVER:
        yield from _places(g)


def _pairings(g: EventState, found: Round) -> Iterator[TvSheet]:
    points = playing(g)
    lines = [
        _with_points(g, row, points.get(row.key, {})) for row in rounds_and_standings.rows(g, found.number)
    ]
    title, several = rounds_and_standings.pairings_title(g, found), g.size > 2
    for number, matches in enumerate(_parts(team_matches.rows(g, found.number), MATCHES), 1):
        yield TvSheet(f"teams-{number}", _("Team matches"), matches=tuple(matches))
    for number, pairings in enumerate(_parts(lines, LARGE_TABLES if several else TABLES), 1):
        yield TvSheet(f"pairings-{number}", title, tuple(pairings), several=several)


def _places(g: EventState) -> Iterator[TvSheet]:
    if not any(one.is_decided and not one.is_bye for one in g.pairings.values()):
        return
    at = 0
    for view, ranked in rounds_and_standings.sections(g):
        for rows in _parts(ranked.rows, PLACES):
            at += 1
            told = tuple(replace(row, name=view.called(row.key)) for row in rows)
            part_of = Standings(ranked.title, ranked.heads, told)
            yield TvSheet(f"standings-{at}", ranked.title, standings=part_of)


def _parts(rows: Sequence[RowT], most: int) -> list[Sequence[RowT]]:
    return [rows[first : first + most] for first in range(0, len(rows), most)]


def playing(g: EventState) -> dict[str, dict[str, str]]:
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


def _with_points(g: EventState, row: PairingRow, points: dict[str, str]) -> PairingRow:
    scored = (replace(one, points=one.points or points.get(one.key, "")) for one in row.players)
    return replace(row, players=tuple(_called(g, one) for one in scored))


def _called(g: EventState, one: Paired) -> Paired:
    """A player as everybody in the hall knows them: a television has no room for all the clubs."""
    return replace(one, name=g.called(one.key))


def feed(event: Event) -> view_models.Feed:
    """Where a page that shows a whole event gets its news, in the active language."""
    stream, news = (reverse(name, args=[event.code]) for name in ("event-tv-stream", "event-tv-news"))
    return watch.feed_of(_stream_url(event), stream, news)


def _stream_url(event: Event) -> str:
    return listeners.stream_url(_room(event), Audience((), get_language() or "en", VIEW), ())


def _room(event: Event) -> str:
    return rooms.WALL + event.code


# --- the strip ---------------------------------------------------------------------------------------


STYLES, SCRIPTS = ("hall/strip.css",), ("hall/strip.js", "hall/hall.js")
"""The extra files for the page of an event's table."""


SIT = "#sit"
"""The part of the event's address by which its page goes on to the player's table (`hall/hall.js`)."""


def event_code(match: Match) -> str:
    """The code of the event that a table belongs to; "" for none."""
    return event_tables.event_of(match.code)


def way(match: Match) -> Link | None:
    """The way from a table to its event."""
    code = event_code(match)
    return Link(reverse("event", args=[code]), _("Back to the event"), "people") if code else None


@require_safe
@refusing_at_table
def strip(request: HttpRequest, code: str) -> HttpResponse:
    """The strip of a table's page: 204 while the version that the page has (`seen`) is current.

    410 for a table without an event: it never had one, or has been left behind by one that was deleted.
    """
    match = match_of(code)
    found = event_code(match)
    if not found:
        raise RequestRefused(say(noop("This table belongs to no event.")), 410, "no_event")
    event_actions.seen_now(found)
    with one_moment():
        event = event_actions.event_of(found)
        if request.GET.get("seen", "") == str(event.version):
            return HttpResponse(status=204)
        g = position_of(event)
    return HttpResponse(part("hall/strip.html", strip=_strip(event, g, match.code, own(request, event))))


def _strip(event: Event, g: EventState, match: str, player: Player | None) -> HallStrip:
    """The strip at the table of this match, for a player of the event or for anyone else."""
    pairing = next((one for one in g.pairings.values() if one.match == match), None)
    played = g.rounds.get(str(pairing.round)) if pairing else None
    mine = _own(event, g, pairing, player)
    calls = [one for one in g.calls.values() if pairing and one.pairing == pairing.key and not one.closed_at]
    return HallStrip(
        name=g.name,
        # A table at which somebody had tapped is kept when its round is called off: others sit there next.
        table=_("Table %(table)s") % {"table": pairing.table} if pairing else _("Cancelled"),
        url=reverse("event", args=[event.code]),
        clock=rounds_and_standings.clock_of(g, played, pairing.extended if pairing else 0),
        announcement=latest(g),
        ways=_ways(mine, pairing, played) if mine and not calls else (),
        now=int(clock.seconds()),
        version=event.version,
        judge=_answer_to(calls[0]) if calls else "",
        leads=f"{mine.url('event')}{SIT}" if pairing is None and mine and mine.goes else "",
    )


def _own(event: Event, g: EventState, pairing: Pairing | None, player: Player | None) -> Own | None:
    """The event as a player of this table sees it, or of any table if this one was called off."""
    if player is None or (pairing is not None and player.key not in pairing.players):
        return None
    return Own(event.code, g, g.players[player.key])


def _ways(own: Own, here: Pairing | None, played: Round | None) -> tuple[Link, ...]:
    """Where a player of this table may go: to a judge, or to their next table once this one's is over."""
    if here is not None and played is not None and played.state == OPEN:
        return (Link(own.url_about("event-judge", here), _("Call a judge"), "people"),)
    if own.pairing is None or own.pairing.is_bye:
        return ()
    return (Link(own.url("event"), _("Go to table %(table)s") % {"table": own.pairing.table}, "go"),)


def _answer_to(call: Call) -> str:
    """How a table's call for a judge was answered."""
    if call.comes:
        return _("%(name)s is coming to your table.") % {"name": call.comes}
    return _("A judge has been called.")
