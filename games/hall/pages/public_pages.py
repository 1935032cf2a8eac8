"""The pages of a round and of the standings, on screens and on paper; a draft is for the organisers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.core import RequestRefused, ViewModel, isolated, say
from games.core import gettext_noop as noop
from games.hall import event_links, roles
from games.hall.event_rows import position_of
from games.hall.models import Event
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.bracket import Bracket, bracket_of
from games.hall.pages.event_forms import event_of, refusing
from games.hall.pages.name_order import by_surname
from games.hall.rules import event_results, standings
from games.hall.rules.event_state import DRAFTED, OVER, EventState, Round
from games.pages.watching import watch
from games.templating import part
from games.translation import gettext as _
from games.view_models import Feed, Link, Share
from games.web import address_for_others, clock, one_moment


class StandingsPage(ViewModel):
    """The standings on a page of their own, with the ranking criteria in words."""

    title: str
    back: Link
    standings: tuple[rounds_and_standings.Standings, ...]
    criteria: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    at: str = ""
    address: str = ""
    print_url: str = ""
    feed: Feed | None = None
    version: int = 0
    tabs: tuple[Link, ...] = ()
    share: Share | None = None
    results: str = ""
    bracket: Bracket | None = None
    seasons: tuple[Link, ...] = ()


class RoundPage(ViewModel):
    """The pairings and results of one round."""

    title: str
    event: str
    back: Link
    mode: str
    pairings: tuple[rounds_and_standings.PairingRow, ...]
    team_matches: tuple[team_matches.TeamMatchRow, ...] = ()
    at: str = ""
    address: str = ""
    print_url: str = ""
    tabs: tuple[Link, ...] = ()
    share: Share | None = None
    results: str = ""


class NameOnPaper(ViewModel):
    """Somebody in the list by name: where they play, and against whom."""

    name: str
    club: str
    where: str
    rivals: str


# --- on screens --------------------------------------------------------------------------------------


@require_safe
@refusing
def one_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The pairings and results of one round."""
    found = event_of(code)
    with one_moment():
        g = position_of(event_of(code))
    page = round_page(request, found, g, _round_of(g, number))
    return render(request, "hall/round.html", {"page": page})


def _round_of(g: EventState, number: int, *, sees_drafts: bool = False) -> Round:
    """A round that this phone may see: one that is drawn up may still change."""
    this = g.rounds.get(str(number))
    if this is None or (this.state == DRAFTED and not sees_drafts):
        raise RequestRefused(say(noop("This round has not been opened yet.")), 404, "not_open")
    return this


def round_page(request: HttpRequest, found: Event, g: EventState, this: Round) -> RoundPage:
    """The pairings and results of a round."""
    name = rounds_and_standings.name_of(g, this)
    return RoundPage(
        title=name,
        event=g.name,
        back=Link(reverse("event", args=[found.code]), _("Back to the event")),
        mode=rounds_and_standings.mode_of(g, this.mode),
        pairings=rounds_and_standings.rows(g, this.number),
        team_matches=team_matches.rows(g, this.number),
        at=_moment(g),
        results=_results(g, this.number),
        address=address_for_others(request, reverse("event", args=[found.code])),
        print_url=reverse("event-print-round", args=[found.code, this.number]),
        tabs=rounds_and_standings.tabs(found, ""),
        share=rounds_and_standings.share_of_event(request, found, g, "event-round", name, this.number),
    )


@require_safe
@refusing
def standings_page(request: HttpRequest, code: str) -> HttpResponse:
    """The standings, with their criteria in words."""
    found = event_of(code)
    return render(request, "hall/standings.html", {"page": _standings(request, found)})


@require_safe
@refusing
def print_standings(request: HttpRequest, code: str) -> HttpResponse:
    found = event_of(code)
    return render(request, "hall/print_standings.html", {"page": _standings(request, found), "ways": ()})


@require_safe
@refusing
def standings_board(request: HttpRequest, code: str) -> HttpResponse:
    """The live part of the standings alone."""
    found = event_of(code)
    return watch.live_region(
        request,
        found.version,
        lambda: part("hall/standings_region.html", page=_standings(request, found)),
    )


def _standings(request: HttpRequest, found: Event) -> StandingsPage:
    with one_moment():
        found = event_of(found.code)
        g = position_of(found)
    empty = rounds_and_standings.Standings(_("Standings"), (), ())
    news = reverse("event-standings-board", args=[found.code])
    return StandingsPage(
        title=g.name,
        back=Link(reverse("event", args=[found.code]), _("Back to the event")),
        standings=tuple(one for _view, one in rounds_and_standings.sections(g, explains=True)) or (empty,),
        criteria=rounds_and_standings.meanings(g, standings.criteria(g)),
        notes=rounds_and_standings.notes(g),
        at=_moment(g),
        results=_results(g),
        bracket=bracket_of(g),
        address=address_for_others(request, reverse("event", args=[found.code])),
        print_url=reverse("event-print-standings", args=[found.code]),
        feed=watch.feed_of("", "", news) if g.status != OVER else None,
        version=found.version,
        tabs=rounds_and_standings.tabs(found, "event-standings"),
        share=rounds_and_standings.share_of_event(request, found, g, "event-standings", _("Standings")),
        seasons=tuple(
            Link(reverse("season", args=[one.code]), _("Season: %(name)s") % {"name": isolated(one.name)})
            for one in found.seasons.all()
        ),
    )


def _results(g: EventState, through: int | None = None) -> str:
    """The fingerprint of the results that a page shows: paper with another one is older, or newer."""
    return _("Results %(mark)s") % {"mark": standings.mark(g, through)}


def _moment(g: EventState) -> str:
    return f"{clock.at_home(clock.now(), g.zone):%Y-%m-%d %H:%M %Z}"


# --- a round on paper --------------------------------------------------------------------------------


TABLES, NAMES, SLIPS = "tables", "names", "slips"
TEMPLATES = {TABLES: "hall/print_round.html", NAMES: "hall/print_names.html", SLIPS: "hall/print_slips.html"}


@require_safe
@refusing
def on_paper(request: HttpRequest, code: str, number: int, what: str = TABLES) -> HttpResponse:
    """The pairings of a round to hang up, or a slip for each table's result."""
    found = event_of(code)
    with one_moment():
        g = position_of(event_of(code))
    is_helper = event_links.actor(request, found).role not in (roles.PLAYER, roles.GUEST)
    this = _round_of(g, number, sees_drafts=is_helper)
    values = {
        "page": round_page(request, found, g, this),
        "ways": ways(found, number),
        "draft": _("This round is not open yet and may still change.") if this.state == DRAFTED else "",
        "names": tuple(_names(g, this)) if what == NAMES else (),
        "fields": tuple(rounds_and_standings.labels(g)[name] for name in event_results.asked(g)),
    }
    return render(request, TEMPLATES[what], values)


def ways(found: Event, number: int) -> tuple[Link, ...]:
    """A round on paper in every form."""
    named = (
        ("event-print-round", _("By table"), "table"),
        ("event-print-names", _("By name"), "people"),
        ("event-print-slips", _("Result slips"), "finish"),
    )
    return tuple(Link(reverse(name, args=[found.code, number]), label, icon) for name, label, icon in named)


def _names(g: EventState, this: Round) -> list[NameOnPaper]:
    """Everybody in the round, by surname."""
    language = get_language() or "en"
    rows = rounds_and_standings.rows(g, this.number)
    listed = [(one, row) for row in rows for one in row.players]
    listed.sort(key=lambda pair: by_surname(pair[0].name, language))
    return [
        NameOnPaper(
            one.name,
            one.club,
            str(row.table or row.label),
            _(", ").join(g.called(other.key) for other in row.players if other is not one),
        )
        for one, row in listed
    ]
