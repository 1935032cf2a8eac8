"""Pages over several events: the seasons of this server with their standings, and each game's ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_safe

from games import translation, view_models
from games.core import (
    RequestRefused,
    System,
    Unreadable,
    ViewModel,
    clean_name,
    isolated,
    say,
    system,
    systems,
)
from games.core import gettext_noop as noop
from games.hall import event_links
from games.hall.event_actions import ORGANISER
from games.hall.models import Event, Season
from games.hall.organiser.organiser_page import Field, whole
from games.hall.pages.rounds_and_standings import StandingRow, Standings
from games.hall.rules.event_state import OVER
from games.hall.seasons import season_standings
from games.hall.seasons.ratings import FEWEST, Rated, all_rated, rated_events, ratings
from games.hall.seasons.season_standings import (
    MOST_BEST,
    MOST_POINTS,
    Line,
    Scale,
    ended_at,
    events_of,
    lines_of,
    points_in,
    scale_of,
)
from games.match import play
from games.pages.common import refusals, tap_key
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Link, Notice
from games.web import OPENINGS, keys, limited, one_moment, table_files


class RankedPage(ViewModel):
    """Standings over several events; `events` are links to them, `text` says how they are counted."""

    title: str
    back: Link
    text: tuple[str, ...] = ()
    standings: tuple[Standings, ...] = ()
    events_title: str = ""
    events: tuple[tuple[Link, str], ...] = ()
    empty: str = ""
    ways: tuple[Link, ...] = ()


def _message(request: HttpRequest, refused: RequestRefused, code: str) -> HttpResponse:
    back = Link(reverse("seasons"), _("Seasons"))
    page = view_models.MessagePage(_("That did not work"), words(refused.line), back)
    return render(request, "message.html", {"page": page}, status=refused.status)


refusing = refusals(lambda request: (), _message)
"""How a page over several events answers a refusal."""


def season_of(code: str) -> Season:
    """The season with this code; `RequestRefused` (404) if there is none."""
    season = Season.objects.filter(code=code.upper()).first()
    if season is None:
        raise RequestRefused(say(noop("There is no season with this code.")), 404, "unknown")
    return season


def may_organise(request: HttpRequest, season: Season) -> bool:
    """Whether this phone organises one of the season's events, and so the season."""
    return any(event_links.actor(request, event).role == ORGANISER for event in season.events.all())


@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """All seasons, and the way to start one for somebody who organises an event."""
    links = [(Link(_url(season), isolated(season.name)), "") for season in Season.objects.all()]
    ways = (
        (Link(reverse("new-season"), _("Start a season"), "plus"),) if event_links.organised(request) else ()
    )
    page = RankedPage(
        title=_("Seasons"),
        back=Link(reverse("events"), _("Events")),
        text=(_("A season adds several events up. The organisers of an event can start one."),),
        events=tuple(links),
        empty="" if links else _("No seasons right now."),
        ways=ways,
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def season(request: HttpRequest, code: str) -> HttpResponse:
    """The standings of a season and its events."""
    this_season = season_of(code)
    with one_moment():
        events = events_of(this_season)
        lines = lines_of(this_season, events)
    names = {event.code: event.name for event in events}
    ways = [Link(reverse("season-csv", args=[this_season.code]), _("Standings") + " (CSV)")]
    if may_organise(request, this_season):
        ways.insert(
            0, Link(reverse("season-form", args=[this_season.code]), _("Change this season"), "adjust")
        )
    page = RankedPage(
        title=this_season.name,
        back=Link(reverse("seasons"), _("Seasons")),
        text=(in_words(scale_of(this_season)), _("A name stands for the same person at all events.")),
        standings=_standings(lines, names) if lines else (),
        empty=_("No event of this season is over yet."),
        events_title=_("Events"),
        events=tuple(event_links_of(events)),
        ways=tuple(ways),
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def season_csv(request: HttpRequest, code: str) -> HttpResponse:
    """The standings of a season for a spreadsheet."""
    season = season_of(code)
    return table_files.csv_file(f"season-{season.code}", as_csv(season))


def as_csv(season: Season) -> str:
    """One line per person, with the points from each event."""
    events = events_of(season)
    head = ["rank", "name", "club", "won", "drawn", "lost", "total", *(event.name for event in events)]
    rows = (
        [line.rank, line.name, line.club, *line.record, line.total]
        + [{result.event: result.points for result in line.taken}.get(event.code) for event in events]
        for line in lines_of(season, events)
    )
    return table_files.as_csv(head, rows)


def as_json(season: Season) -> dict[str, Any]:
    """A season with its scale, its events and its standings."""
    events = events_of(season)
    scale = scale_of(season)
    return {
        "code": season.code,
        "name": season.name,
        "scale": {"points": list(scale.points), "participation": scale.participation, "best": scale.best},
        "events": [
            {"code": event.code, "name": event.name, "counts": event.status == OVER} for event in events
        ],
        "standings": [_line_json(line) for line in lines_of(season, events)],
    }


def _line_json(line: Line) -> dict[str, Any]:
    won, drawn, lost = line.record
    taken = [
        {"event": result.event, "place": result.place, "points": result.points, "counts": result.counts}
        for result in line.taken
    ]
    facts = {"rank": line.rank, "name": line.name, "club": line.club, "total": line.total}
    return {**facts, "won": won, "drawn": drawn, "lost": lost, "events": taken}


def in_words(scale: Scale) -> str:
    """A scale in one sentence or more."""
    said = [_("Points by place: %(points)s.") % {"points": ", ".join(map(str, scale.points))}]
    if scale.participation:
        line = ngettext(
            "Taking part is worth %(count)d more point.",
            "Taking part is worth %(count)d more points.",
            scale.participation,
        )
        said.append(line % {"count": scale.participation})
    if scale.best:
        line = ngettext(
            "Only the best %(count)d event of each player counts.",
            "Only the best %(count)d events of each player count.",
            scale.best,
        )
        said.append(line % {"count": scale.best})
    said.append(_("Equal totals are decided by the better places."))
    return " ".join(said)


def _standings(lines: tuple[Line, ...], names: dict[str, str]) -> tuple[Standings, ...]:
    total, number = _("Total"), _("Events")
    rows = (
        StandingRow(
            rank=line.rank,
            key=str(at),
            name=isolated(line.name),
            club=isolated(line.club),
            faction="",
            record="–".join(map(str, line.record)),
            values=((total, str(line.total)), (number, _counted(line))),
            why=" · ".join(_taken(result, names) for result in line.taken),
        )
        for at, line in enumerate(lines)
    )
    return (Standings(_("Standings"), (total, number), tuple(rows)),)


def _counted(line: Line) -> str:
    counted = sum(result.counts for result in line.taken)
    if counted == len(line.taken):
        return str(counted)
    return _("%(number)s of %(all)s") % {"number": counted, "all": len(line.taken)}


def _taken(result: season_standings.Taken, names: dict[str, str]) -> str:
    facts = {"event": isolated(names[result.event]), "place": result.place, "points": result.points}
    if result.counts:
        return _("%(event)s: place %(place)s, %(points)s points") % facts
    return _("%(event)s: place %(place)s, does not count") % facts


def event_links_of(events: list[Event]) -> list[tuple[Link, str]]:
    ended = ended_at(events)
    return [
        (
            Link(reverse("event-standings", args=[event.code]), isolated(event.name)),
            date_format(ended[event.pk], "DATE_FORMAT")
            if event.pk in ended
            else str(event.get_status_display()),
        )
        for event in events
    ]


def _url(season: Season) -> str:
    return reverse("season", args=[season.code])


@require_safe
def rated_games(request: HttpRequest) -> HttpResponse:
    """The games with rated events."""
    rated = set(all_rated().values_list("system", flat=True))
    games = [game for game in systems() if game.slug in rated]
    page = RankedPage(
        title=_("Ratings"),
        back=Link(reverse("events"), _("Events")),
        text=(_("Ratings are made from the events whose organisers want that, for players who agree."),),
        events=tuple((Link(_ratings_url(game), _(game.title)), "") for game in games),
        empty="" if games else _("No rated event is over yet."),
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def ratings_page(request: HttpRequest, game: str) -> HttpResponse:
    """The ratings of one game."""
    of = game_of(game)
    with one_moment():
        events, rated = rated_events(of.slug), ratings(of.slug)
    page = RankedPage(
        title=_("Ratings: %(game)s") % {"game": _(of.title)},
        back=Link(reverse("ratings"), _("Ratings")),
        text=(
            _(
                "Glicko-2 over the results of the rated events below, a month at a time. Everyone begins "
                "with 1500. The true strength lies within the number after ±, nineteen times out of twenty."
            ),
            _(
                "Only players who agree are named, and only games between two of them count. A name stands "
                "for the same person at all events."
            ),
        ),
        standings=tuple(_rated_standings(rated)),
        empty=_("No one is rated yet."),
        events_title=_("Rated events"),
        events=tuple(event_links_of(events)),
        ways=(Link(reverse("ratings-csv", args=[of.slug]), _("Ratings") + " (CSV)"),),
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def ratings_csv(request: HttpRequest, game: str) -> HttpResponse:
    """The same as a table."""
    head = ("rank", "name", "club", "rating", "deviation", "volatility", "games", "won", "drawn", "lost")
    rows = (player.values() for player in ratings_json(game_of(game))["players"])
    return table_files.csv_file(f"ratings-{game}", table_files.as_csv(head, rows))


def ratings_json(game: System) -> dict[str, Any]:
    """The ratings of a game, and the events that count."""
    events = rated_events(game.slug)
    return {
        "game": game.slug,
        "events": [{"code": event.code, "name": event.name} for event in events],
        "players": [_rated_json(player) for player in ratings(game.slug)],
    }


def _rated_json(player: Rated) -> dict[str, Any]:
    return {
        "rank": player.rank,
        "name": player.name,
        "club": player.club,
        "rating": round(player.rating.value, 1),
        "deviation": round(player.rating.deviation, 1),
        "volatility": round(player.rating.volatility, 5),
        "games": player.games,
        "won": player.won,
        "drawn": player.drawn,
        "lost": player.lost,
    }


def game_of(slug: str) -> System:
    """The game of this name, whose words are used from here on; `RequestRefused` (404) for none."""
    if slug not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    translation.activate_game(slug)
    return system(slug)


def _rated_standings(rated: Iterable[Rated]) -> Iterable[Standings]:
    """Those with a place, and those with too few games for one."""
    everyone = list(rated)
    placed = [player for player in everyone if player.rank is not None]
    others = [player for player in everyone if player.rank is None]
    few = _("Fewer than %(count)s games") % {"count": FEWEST}
    for title, rows in ((_("Ratings"), placed), (few, others)):
        if rows:
            yield Standings(title, (_("Rating"), "±"), tuple(map(_rated_row, rows)))


def _rated_row(player: Rated) -> StandingRow:
    width = round(2 * player.rating.deviation)
    return StandingRow(
        rank=player.rank or "–",
        key="",
        name=isolated(player.name),
        club=isolated(player.club),
        faction="",
        record=f"{player.won}–{player.drawn}–{player.lost}",
        values=((_("Rating"), str(round(player.rating.value))), ("±", str(width))),
    )


def _ratings_url(game: System) -> str:
    return reverse("ratings-game", args=[game.slug])


# --- the form of a season


class SeasonForm(ViewModel):
    """A season as a form, with the events that it may have as `events`."""

    title: str
    back: Link
    key: str
    fields: tuple[Field, ...]
    events: tuple[Field, ...]
    deleting: Field | None = None
    notice: Notice | None = None


EVENT = "event-"
"""How the name of an event's tick box begins."""
NO_EVENT = noop("Choose at least one event. Its organisers run the season.")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(OPENINGS)
@refusing
def new_season(request: HttpRequest) -> HttpResponse:
    """Start a season with events that this phone organises."""
    mine = event_links.organised(request)
    if not mine:
        raise RequestRefused(
            say(noop("Organise an event first. Then you can start a season with it.")), 403, "not_allowed"
        )
    chosen = {request.GET.get("event", "").upper()} & {event.code for event in mine}
    season = Season(name="")
    if request.method != "POST":
        return _form_page(request, season, mine, chosen)
    # The same form sent again means the same season.
    season.code = keys.mac("season", tap_key(request), 8).upper()
    if not Season.objects.filter(code=season.code).exists() and (
        refused := _save(request, season, mine, set())
    ):
        return refused
    return HttpResponseRedirect(reverse("season", args=[season.code]))


@require_http_methods(["GET", "HEAD", "POST"])
@limited(OPENINGS)
@refusing
def season_form(request: HttpRequest, code: str) -> HttpResponse:
    """Change a season, or delete it: whoever organises one of its events may."""
    season = season_of(code)
    if not may_organise(request, season):
        line = noop("Only the organisers of an event of this season can change it.")
        raise RequestRefused(say(line), 403, "not_allowed")
    held = list(season.events.order_by("created_at", "pk"))
    codes = {event.code for event in held}
    events = held + [event for event in event_links.organised(request) if event.code not in codes]
    if request.method != "POST":
        return _form_page(request, season, events, codes)
    if "delete" in request.POST:
        season.delete()
        return HttpResponseRedirect(reverse("seasons"))
    return _save(request, season, events, codes) or HttpResponseRedirect(
        reverse("season", args=[season.code])
    )


@transaction.atomic
def _save(request: HttpRequest, season: Season, events: list[Event], held: set[str]) -> HttpResponse | None:
    """Save what the form says; the page that says what is wrong with it, if anything is."""
    sent = request.POST
    chosen = [event for event in events if f"{EVENT}{event.code}" in sent]
    try:
        season.name = clean_name(sent.get("name", ""), 60)
        season.points = points_in(sent.get("points", ""))
        season.participation = whole(_("For taking part"), sent.get("participation", ""), 0, MOST_POINTS)
        season.best = whole(_("Best events that count"), sent.get("best", ""), 0, MOST_BEST)
        if not chosen:
            raise Unreadable(say(NO_EVENT))
    except Unreadable as wrong:
        return _form_page(request, season, events, held, Notice(words(wrong.line), "bad"), 422)
    season.save()
    season.events.set(chosen)
    return None


def _form_page(
    request: HttpRequest,
    season: Season,
    events: list[Event],
    held: set[str],
    notice: Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    sent = request.POST if notice else {}
    if season.pk is None:
        title, back = _("Start a season"), Link(reverse("seasons"), _("Seasons"))
        deleting = None
    else:
        title, back = _("Change this season"), Link(reverse("season", args=[season.code]), season.name)
        deleting = Field("delete", _("Delete this season (its events stay)"), "check")
    ticked = {event.code for event in events if f"{EVENT}{event.code}" in sent} if notice else held
    boxes = (
        Field(f"{EVENT}{event.code}", event.name, "check", checked=event.code in ticked) for event in events
    )
    page = SeasonForm(
        title=title,
        back=back,
        key=request.POST.get("key", "") if notice else play.new_key(),
        fields=tuple(_fields(season, sent)),
        events=tuple(boxes),
        deleting=deleting,
        notice=notice,
    )
    return render(request, "hall/organiser/season.html", {"page": page}, status=status)


def _fields(season: Season, sent: Mapping[str, str]) -> Iterator[Field]:
    yield Field("name", _("Name of the season"), value=sent.get("name", season.name))
    points = sent.get("points", ", ".join(map(str, season.points)))
    yield Field("points", _("Points by place"), value=points, help=_("The winner’s first"), most=400)
    numbers = (
        (
            "participation",
            _("For taking part"),
            season.participation,
            MOST_POINTS,
            _("Added for every event"),
        ),
        ("best", _("Best events that count"), season.best, MOST_BEST, _("0: all events count")),
    )
    for name, label, value, most, help in numbers:
        yield Field(name, label, "number", sent.get(name, str(value)), low=0, high=most, help=help)
