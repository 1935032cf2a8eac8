"""Pages over several events: the seasons of this server, and one of them with its standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from games import view_models
from games.core import RequestRefused, ViewModel, isolated, say
from games.core import gettext_noop as noop
from games.hall import event_links, roles
from games.hall.models import Event, Season
from games.hall.pages.rounds_and_standings import Figure, StandingRow, Standings
from games.hall.rules.event_state import OVER
from games.hall.seasons import season_standings
from games.hall.seasons.season_standings import Line, Scale, ended_at, events_of, lines_of, scale_of
from games.pages.common import refusals
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Link
from games.web import one_moment, table_files


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
    found = Season.objects.filter(code=code.upper()).first()
    if found is None:
        raise RequestRefused(say(noop("There is no season with this code.")), 404, "unknown")
    return found


def may_organise(request: HttpRequest, season: Season) -> bool:
    """Whether this phone organises one of the season's events, and so the season."""
    return any(event_links.actor(request, one).role == roles.ORGANISER for one in season.events.all())


@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """All seasons, and the way to start one for somebody who organises an event."""
    found = [(Link(_url(one), isolated(one.name)), "") for one in Season.objects.all()]
    ways = (
        (Link(reverse("new-season"), _("Start a season"), "plus"),) if event_links.organised(request) else ()
    )
    page = RankedPage(
        title=_("Seasons"),
        back=Link(reverse("events"), _("Events")),
        text=(_("A season adds several events up. The organisers of an event can start one."),),
        events=tuple(found),
        empty="" if found else _("No seasons right now."),
        ways=ways,
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def season(request: HttpRequest, code: str) -> HttpResponse:
    """The standings of a season and its events."""
    found = season_of(code)
    with one_moment():
        events = events_of(found)
        lines = lines_of(found, events)
    names = {one.code: one.name for one in events}
    ways = [Link(reverse("season-csv", args=[found.code]), _("Standings") + " (CSV)")]
    if may_organise(request, found):
        ways.insert(0, Link(reverse("season-form", args=[found.code]), _("Change this season"), "adjust"))
    page = RankedPage(
        title=found.name,
        back=Link(reverse("seasons"), _("Seasons")),
        text=(in_words(scale_of(found)), _("A name stands for the same person at all events.")),
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
    found = season_of(code)
    return table_files.csv_file(f"season-{found.code}", as_csv(found))


def as_csv(season: Season) -> str:
    """One line per person, with the points from each event."""
    events = events_of(season)
    head = ["rank", "name", "club", "won", "drawn", "lost", "total", *(one.name for one in events)]
    rows = (
        [line.rank, line.name, line.club, *line.record, line.total]
        + [{one.event: one.points for one in line.taken}.get(event.code) for event in events]
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
        "events": [{"code": one.code, "name": one.name, "counts": one.status == OVER} for one in events],
        "standings": [_line_json(line) for line in lines_of(season, events)],
    }


def _line_json(line: Line) -> dict[str, Any]:
    won, drawn, lost = line.record
    taken = [
        {"event": one.event, "place": one.place, "points": one.points, "counts": one.counts}
        for one in line.taken
    ]
    told = {"rank": line.rank, "name": line.name, "club": line.club, "total": line.total}
    return {**told, "won": won, "drawn": drawn, "lost": lost, "events": taken}


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
            values=(Figure(total, str(line.total)), Figure(number, _counted(line))),
            why=" · ".join(_taken(one, names) for one in line.taken),
        )
        for at, line in enumerate(lines)
    )
    return (Standings(_("Standings"), (total, number), tuple(rows)),)


def _counted(line: Line) -> str:
    counted = sum(one.counts for one in line.taken)
    if counted == len(line.taken):
        return str(counted)
    return _("%(number)s of %(all)s") % {"number": counted, "all": len(line.taken)}


def _taken(one: season_standings.Taken, names: dict[str, str]) -> str:
    told = {"event": isolated(names[one.event]), "place": one.place, "points": one.points}
    if one.counts:
        return _("%(event)s: place %(place)s, %(points)s points") % told
    return _("%(event)s: place %(place)s, does not count") % told


def event_links_of(events: list[Event]) -> list[tuple[Link, str]]:
    ended = ended_at(events)
    return [
        (
            Link(reverse("event-standings", args=[one.code]), isolated(one.name)),
            date_format(ended[one.pk], "DATE_FORMAT") if one.pk in ended else str(one.get_status_display()),
        )
        for one in events
    ]


def _url(season: Season) -> str:
    return reverse("season", args=[season.code])
