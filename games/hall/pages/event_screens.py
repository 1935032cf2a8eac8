"""An event on other screens: a television in the hall, and the strip on the page of one of its tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core import RequestRefused, ViewModel, say, system
from games.core import gettext_noop as noop
from games.hall import event_actions, event_tables
from games.hall.event_actions import position_of
from games.hall.models import Event, Player
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.bracket import Bracket, bracket_of, on_screens
from games.hall.pages.event_forms import event_of, own, refusing
from games.hall.pages.name_order import by_surname, initial, surname
from games.hall.pages.player_card import Own
from games.hall.pages.rounds_and_standings import (
    Announced,
    HallClock,
    Paired,
    PairingRow,
    StandingRow,
    Standings,
    latest,
    lines_of,
)
from games.hall.pages.team_matches import TeamMatchRow
from games.hall.rules import round_draw, standings, team_rounds
from games.hall.rules.event_state import DRAFTED, OPEN, OVER, PLANNED, Call, EventState, Pairing, Round
from games.live import hub, rooms
from games.live.hub import Audience
from games.models import Match, Score
from games.pages.common import match_of
from games.pages.common import refusing as refusing_at_table
from games.pages.watching import watch
from games.pages.watching.screens import SHEETS, untouched
from games.pages.watching.watch import OfEvent, Watched, WatchedSide, table_for_watchers
from games.templating import part
from games.translation import gettext as _
from games.view_models import Link
from games.view_models.game_page import Page
from games.web import address_for_others, clock, one_moment, picture_of


class Listed(ViewModel):
    """Somebody in a list by surname: the parts of the name around it, where they sit, and who is here."""

    before: str
    surname: str
    after: str
    where: str = ""
    is_here: bool = False
    lines: int = 1

    @property
    def name(self) -> str:
        return self.before + self.surname + self.after


class TvSheet(ViewModel):
    """One sheet of an event's television: pairings, standings, a bracket, or players by name.

    `several`: tables have more than two players.
    """

    key: str
    title: str
    pairings: tuple[PairingRow, ...] = ()
    standings: Standings | None = None
    players: tuple[Listed, ...] = ()
    bracket: Bracket | None = None
    matches: tuple[TeamMatchRow, ...] = ()
    several: bool = False


class TvHall(ViewModel):
    """The live region of an event's television; each sheet is shown for so many `seconds`."""

    version: int
    heading: str
    mode: str
    clock: HallClock | None
    announcement: Announced | None
    sheets: tuple[TvSheet, ...]
    seconds: int = 15


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


RowT = TypeVar("RowT", PairingRow, StandingRow, Listed)
AnyRowT = TypeVar("AnyRowT")
VIEW, FRAME, TABLE = "event-tv", "event-frame", "event-table"
"""The kinds of view: a television for the hall, a frame on another page, a screen that follows one table."""
PART = re.compile(r"([1-9])/([1-9])", re.ASCII)
CYCLE, LEAST, MOST = 60, 6, 15
"""In how many seconds all sheets are to be seen, as long as each stays for a few."""


LINES, BELOW_NEWS = 12, 10
"""Lines in a column of a sheet, and with an announcement above it, as large as six metres ask for."""
COLUMNS, COLUMNS_OF_NAMES, LONG_IN_LIST = 2, 3, 9.4
LARGE_TABLES, MATCHES = 4, 8
"""Tables of more than two players on a sheet, and matches of teams."""


@require_safe
@untouched
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """The event for a television: the whole hall, a `part` of it, or one `table`."""
    event = event_of(code)
    table, part_of = table_asked(request), _part_asked(request)
    followed: Watched | None = None
    shown: TvHall | None = None
    with one_moment():
        event = event_actions.event_of(code)
        if table:
            followed = at_table(event, table)
            sheets = list(followed_sheets(followed))
        else:
            shown = hall_of(event, part_of)
            sheets = [sheet.key for sheet in shown.sheets]
    wanted = request.GET.get("sheet", "")
    at = sheets.index(wanted) if wanted in sheets else 0
    asked = {key: value for key, value in request.GET.items() if key != "sheet"}
    following = urlencode({**asked, "sheet": sheets[(at + 1) % len(sheets)]})
    address = address_for_others(request, reverse("event", args=[event.code]))
    page = view_models.Screen(
        title=event.name,
        feed=feed(event, TABLE if table else VIEW, str(table) if table else part_of),
        sheet=sheets[at],
        next_url=f"15; url=?{following}",
        address=address,
        qr=picture_of(address, "#fff"),
        code=event.code,
    )
    if followed is not None:
        game_page = _game_page(event)
        page = replace(
            page,
            icons_template=game_page.icons_template,
            ground=game_page.ground(),
            styles=game_page.screen_styles,
        )
    return render(request, "hall/tv.html", {"page": page, "hall": shown, "watched": followed})


def _game_page(event: Event) -> Page:
    """The page of the event's game, for the icons and the ground that any of its tables may need."""
    game = system(event.system)
    empty = game.state(system=event.system, mode=event.mode)
    page_type: type[Page] = game.page or Page
    return page_type(empty, None, (), translation.translator(), lambda path: "")


def _part_asked(request: HttpRequest) -> str:
    """Which part of the lists this screen shows, such as "2/3"; "" for all of them."""
    asked = PART.fullmatch(request.GET.get("part", ""))
    return asked[0] if asked and int(asked[1]) <= int(asked[2]) else ""


def table_asked(request: HttpRequest) -> int:
    """The number of the table that this screen follows; 0 for the whole hall."""
    asked = request.GET.get("table", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 0


def _audience_asked(request: HttpRequest) -> Audience:
    """Which kind of view a screen shows (`view`), and of what (`what`): a part of the hall, or a table."""
    view, what = request.GET.get("view", ""), request.GET.get("what", "")
    is_known = PART.fullmatch(what) or (what.isascii() and what.isdigit() and len(what) < 4)
    return Audience((), get_language() or "en", view if view in VIEWS else VIEW, what if is_known else "")


@require_safe
@refusing
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of a screen (`view`), or of its part of the hall (`what`)."""
    event = event_of(code)
    version = str(rooms.version(_room(event), event))
    # The language is that of the address, which `live_region` activates.
    return watch.live_region(
        request, version, lambda: VIEWS[_audience_asked(request).view](code, _audience_asked(request))
    )


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    event = event_of(code)
    return watch.fresh_stream(request, lambda: _stream_url(event, _audience_asked(request)))


@require_safe
@refusing
def scores(request: HttpRequest, code: str) -> HttpResponse:
    """Points at the tables in play, by pairing; phones ask now and then, so that no tap wakes them all."""
    g = position_of(event_of(code))
    return JsonResponse({key: list(points.values()) for key, points in playing(g).items()})


def html(code: str, audience: Audience) -> str:
    """The live region of a television, for the part of the hall that it shows, or of a frame."""
    with one_moment():
        event = event_actions.event_of(code)
        with translation.override_game(event.system, audience.language):
            shown = hall_of(event, audience.speaker, is_frame=audience.view == FRAME)
            return part("hall/tv_region.html", hall=shown)


def hall_of(event: Event, part_of: str = "", *, is_frame: bool = False) -> TvHall:
    """What the television shows, or this part of it, or a frame; words in the active language."""
    g = position_of(event)
    this_round = rounds_and_standings.shown(g)
    sheets = tuple(_sheets(g, part_of, is_frame=is_frame))
    return TvHall(
        version=rooms.version(_room(event), event),
        heading=rounds_and_standings.heading(g),
        mode=rounds_and_standings.mode_of(g, this_round),
        clock=rounds_and_standings.clock_of(g, this_round),
        announcement=rounds_and_standings.latest(g),
        sheets=sheets,
        seconds=max(LEAST, min(MOST, CYCLE // max(1, len(sheets)))),
    )


def _sheets(g: EventState, part_of: str, *, is_frame: bool) -> Iterator[TvSheet]:
    this_round = rounds_and_standings.shown(g)
    if this_round is None:
        title = rounds_and_standings.players_title(g)
        yield from _names(g, rounds_and_standings.registered(g), "players", part_of, title)
        return
    pairings = list(_pairings(g, this_round, part_of))
    if is_seating(g, this_round) and len(pairings) > 1 and not is_frame:
        # Everybody looks for their table, and nobody for anything else.
        paired = [
            replace(player, points=str(row.table or row.label))
            for row in rounds_and_standings.rows_now(g, this_round)
            for player in row.players
        ]
        yield from _names(g, paired, "names", part_of)
        return
    places = list(_places(g, part_of))
    yield from places if g.status == OVER else ()
    yield from pairings
    if (whole := bracket_of(g)) is not None:
        for number, shown in enumerate(_shared(on_screens(whole), part_of), 1):
            yield TvSheet(f"bracket-{number}", "", bracket=shown)
    yield from places if g.status != OVER else ()


def is_seating(g: EventState, this_round: Round) -> bool:
    """Whether people are still looking for their tables: the round is open and its clock has not begun.

    As long as a put-up goes on, teams look for their matches.
    """
    is_fresh = this_round.state == OPEN and this_round.running_since is None and not this_round.run
    is_fresh &= not any(match.question for match in g.matches_at(this_round.number))
    return (
        is_fresh
        and bool(this_round.minutes)
        and not any(pairing.results for pairing in g.at(this_round.number))
    )


def _names(
    g: EventState, people: Iterable[Paired], key: str, part_of: str, title: str = ""
) -> Iterator[TvSheet]:
    """Everybody by surname; without a title it says from which letter to which a sheet goes."""
    listed = [_listed(g, player) for player in sorted(people, key=lambda player: _key(player.name))]
    for number, players in enumerate(_paged(g, listed, COLUMNS_OF_NAMES, part_of) or [[]], 1):
        ends = dict.fromkeys(initial(player.surname) for player in (*players[:1], *players[-1:]))
        yield TvSheet(f"{key}-{number}", title or " – ".join(ends), players=tuple(players))


def _listed(g: EventState, player: Paired) -> Listed:
    """A player in the list: `points` says where they sit, or that they are here."""
    family = surname(player.name)
    at = player.name.rfind(family)
    called, is_seated = g.called(player.key), g.status != PLANNED
    return Listed(
        called[:at],
        family,
        called[at + len(family) :],
        player.points if is_seated else "",
        is_here=bool(player.points) and not is_seated,
        lines=lines_of(called, LONG_IN_LIST),
    )


def _key(name: str) -> Any:
    return by_surname(name, get_language() or "en")


def _pairings(g: EventState, this_round: Round, part_of: str) -> Iterator[TvSheet]:
    points = playing(g)
    lines = [
        _with_points(g, row, points.get(row.key, {})) for row in rounds_and_standings.rows_now(g, this_round)
    ]
    title, several = rounds_and_standings.pairings_title(g, this_round), g.size > 2
    several_matches = team_matches.rows(g, this_round.number)
    for number, first in enumerate(range(0, len(several_matches), MATCHES), 1):
        shown = tuple(several_matches[first : first + MATCHES])
        yield TvSheet(f"teams-{number}", _("Team matches"), matches=shown)
    if several:
        shared = _shared(lines, part_of)
        pages = [list(shared[first : first + LARGE_TABLES]) for first in range(0, len(shared), LARGE_TABLES)]
    else:
        pages = _paged(g, lines, COLUMNS, part_of)
    for number, pairings in enumerate(pages, 1):
        yield TvSheet(f"pairings-{number}", title, tuple(pairings), several=several)


def _places(g: EventState, part_of: str) -> Iterator[TvSheet]:
    if not g.is_ladder and not any(
        pairing.is_decided and not pairing.is_bye for pairing in g.pairings.values()
    ):
        return
    at = 0
    for view, ranked in rounds_and_standings.sections(g):
        named = [replace(row, name=view.called(row.key)) for row in ranked.rows]
        for rows in _paged(g, named, COLUMNS, part_of):
            at += 1
            page = replace(ranked, rows=tuple(rows), more_url="")
            yield TvSheet(f"standings-{at}", ranked.title, standings=page)


def _shared(rows: Sequence[AnyRowT], part_of: str) -> Sequence[AnyRowT]:
    """The part of a list that one of several screens shows: "2/3" is the second third."""
    at, count = (int(number) for number in (part_of or "1/1").split("/"))
    return rows[(at - 1) * len(rows) // count : at * len(rows) // count]


def _paged(g: EventState, rows: Sequence[RowT], columns: int, part_of: str) -> list[list[RowT]]:
    """The rows of this screen's part, sheet by sheet: columns are filled one after the other."""
    high = LINES if g.news() is None else BELOW_NEWS
    pages: list[list[RowT]] = []
    column, used = columns, high
    for row in _shared(rows, part_of):
        if used + row.lines > high:
            column, used = column + 1, 0
        if column > columns or not pages:
            pages.append([])
            column = 1
        pages[-1].append(row)
        used += row.lines
    return pages


def playing(g: EventState) -> dict[str, dict[str, str]]:
    """Each player's points at the tables in play, by pairing, read from the rows."""
    here = {
        pairing.match: pairing
        for pairing in g.pairings.values()
        if pairing.match and not pairing.is_decided and g.rounds[str(pairing.round)].state == OPEN
    }
    sums = Score.objects.filter(match__code__in=list(here)).values_list("match__code", "army__key")
    points = {(match, seat): total for match, seat, total in sums.annotate(total=Sum("points"))}
    return {
        pairing.key: {
            player: str(points.get((match, seat), 0))
            for player, seat in zip(pairing.players, pairing.seats, strict=False)
        }
        for match, pairing in here.items()
        if any((match, seat) in points for seat in pairing.seats)
    }


def _with_points(g: EventState, row: PairingRow, points: dict[str, str]) -> PairingRow:
    """A table with its players as everybody in the hall knows them: there is no room for all the clubs."""
    players = [
        replace(player, name=g.called(player.key), points=player.points or points.get(player.key, ""))
        for player in row.players
    ]
    return replace(row, players=tuple(players))


def feed(event: Event, view: str = VIEW, what: str = "") -> view_models.Feed:
    """Where a page that shows a whole event, or this part of it, gets its news, in the active language."""
    stream, news = (reverse(name, args=[event.code]) for name in ("event-tv-stream", "event-tv-news"))
    audience = Audience((), get_language() or "en", view, what)
    return watch.feed_of(_stream_url(event, audience), stream, news, view=view, what=what)


def _stream_url(event: Event, audience: Audience) -> str:
    return hub.stream_url(_room(event), audience, ())


def _room(event: Event) -> str:
    return rooms.WALL + event.code


# --- one table of the hall, from its first round to its last ----------------------------------------


def at_table(event: Event, number: int) -> Watched:
    """What is played at a table of the hall; between rounds, what was played there and what comes next."""
    g = position_of(event)
    this_round = rounds_and_standings.shown(g)
    here = (
        next((pairing for pairing in g.at(this_round.number) if pairing.table == number), None)
        if this_round
        else None
    )
    shown = Watched(event.code, 0, g.name, reverse("event", args=[event.code]), "", "", (), "")
    if here is not None and here.match and this_round is not None and this_round.state == OPEN:
        shown = watch.watched(table_for_watchers(match_of(here.match)))
    else:
        shown = replace(
            shown,
            sides=tuple(_sides(g, here)) if here is not None else (),
            round_label=rounds_and_standings.heading(g),
            asked=_follows(g),
        )
    lines = {line.player: line for line in standings.standings(g)} if here is not None else {}
    sides = [
        replace(side, record=_record(g, lines[key])) if key in lines else side
        for side, key in zip(shown.sides, here.players if here is not None else (), strict=False)
    ]
    place = _("Table %(table)s") % {"table": number}
    about = rounds_and_standings.third(g, here) if here is not None else ""
    title = f"{about or rounds_and_standings.name_of(g, this_round)} · {place}" if this_round else place
    clock = rounds_and_standings.clock_of(g, this_round, here.extended if here is not None else 0)
    version = rooms.version(_room(event), event)
    return replace(shown, version=version, sides=tuple(sides), event=OfEvent(g.name, title, clock))


def followed_sheets(shown: Watched) -> Iterator[str]:
    """The sheets of a television that follows a table; there is a map where one is drawn."""
    return (sheet for sheet in SHEETS if sheet != "map" or shown.screen_template)


def _sides(g: EventState, here: Pairing) -> Iterator[WatchedSide]:
    """The players of a table that is not played at, with the points that they had."""
    for at, key in enumerate(here.players):
        seat = here.seats[at] if at < len(here.seats) else ""
        mark = rounds_and_standings.mark_of(g, seat) or at + 1
        points = here.results.get(key, {}).get("vp", 0)
        yield WatchedSide(seat or key, mark, g.called(key), points, wins=here.winner == key)


def _follows(g: EventState) -> str:
    """What comes next, between rounds."""
    number = 1 + max(
        (event_round.number for event_round in g.rounds.values() if event_round.state != DRAFTED), default=0
    )
    if g.status == OVER or round_draw.is_beyond(team_rounds.as_paired(g), number):
        return ""
    return _("Next: round %(number)s") % {"number": number}


def _record(g: EventState, line: standings.Standing) -> str:
    """Who plays: the faction, and the games won, drawn and lost so far."""
    return " · ".join(filter(None, (g.players[line.player].faction, f"{line.won}–{line.drawn}–{line.lost}")))


def table_html(code: str, audience: Audience) -> str:
    """The live region of a television that follows one table."""
    return _followed(code, audience, "watching/tv_region.html")


def overlay_html(code: str, audience: Audience) -> str:
    """The live region of an overlay that follows one table."""
    return _followed(code, audience, "watching/overlay_region.html")


def _followed(code: str, audience: Audience, template: str) -> str:
    number = int(audience.speaker) if audience.speaker.isdigit() else 1
    with one_moment():
        event = event_actions.event_of(code)
        with translation.override_game(event.system, audience.language):
            return part(template, watched=at_table(event, number))


OVERLAY = "event-overlay"
VIEWS: dict[str, Callable[[str, Audience], str]] = {
    VIEW: html,
    FRAME: html,
    TABLE: table_html,
    OVERLAY: overlay_html,
}
"""What streams of an event show on other screens, by the kind of view."""


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
    code_of_event = event_code(match)
    if not code_of_event:
        raise RequestRefused(say(noop("This table belongs to no event.")), 410, "no_event")
    event_actions.seen_now(code_of_event)
    with one_moment():
        event = event_actions.event_of(code_of_event)
        if request.GET.get("seen", "") == str(event.version):
            return HttpResponse(status=204)
        g = position_of(event)
    return HttpResponse(part("hall/strip.html", strip=_strip(event, g, match.code, own(request, event))))


def _strip(event: Event, g: EventState, match: str, player: Player | None) -> HallStrip:
    """The strip at the table of this match, for a player of the event or for anyone else."""
    pairing = next((pairing for pairing in g.pairings.values() if pairing.match == match), None)
    played = g.rounds.get(str(pairing.round)) if pairing else None
    mine = _own(event, g, pairing, player)
    calls = [
        call for call in g.calls.values() if pairing and call.pairing == pairing.key and not call.closed_at
    ]
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
