"""The ratings of a game's players over the rated events of this server: a page, a table, JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import translation
from games.core import RequestRefused, System, isolated, say, system, systems
from games.core import gettext_noop as noop
from games.hall.models import Event
from games.hall.pages.rounds_and_standings import Figure, StandingRow, Standings
from games.hall.pages.season_pages import RankedPage, event_links_of, refusing
from games.hall.rules.event_state import OVER
from games.hall.seasons.ratings import FEWEST, Rated, rated_events, ratings
from games.translation import gettext as _
from games.view_models import Link
from games.web import one_moment, table_files


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The games with rated events."""
    rated = set(
        Event.objects.filter(is_rated=True, is_demo=False, status=OVER).values_list("system", flat=True)
    )
    found = [game for game in systems() if game.slug in rated]
    page = RankedPage(
        title=_("Ratings"),
        back=Link(reverse("events"), _("Events")),
        text=(_("Ratings are made from the events whose organisers want that, for players who agree."),),
        events=tuple((Link(_url(game), _(game.title)), "") for game in found),
        empty="" if found else _("No rated event is over yet."),
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def of_game(request: HttpRequest, game: str) -> HttpResponse:
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
        standings=tuple(_standings(rated)),
        empty=_("No one is rated yet."),
        events_title=_("Rated events"),
        events=tuple(event_links_of(events)),
        ways=(Link(reverse("ratings-csv", args=[of.slug]), _("Ratings") + " (CSV)"),),
    )
    return render(request, "hall/ranked.html", {"page": page})


@require_safe
@refusing
def as_csv(request: HttpRequest, game: str) -> HttpResponse:
    """The same as a table."""
    head = ("rank", "name", "club", "rating", "deviation", "volatility", "games", "won", "drawn", "lost")
    rows = (one.values() for one in as_json(game_of(game))["players"])
    return table_files.csv_file(f"ratings-{game}", table_files.as_csv(head, rows))


def as_json(game: System) -> dict[str, Any]:
    """The ratings of a game, and the events that count."""
    events = rated_events(game.slug)
    return {
        "game": game.slug,
        "events": [{"code": one.code, "name": one.name} for one in events],
        "players": [_rated_json(one) for one in ratings(game.slug)],
    }


def _rated_json(one: Rated) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "name": one.name,
        "club": one.club,
        "rating": round(one.rating.value, 1),
        "deviation": round(one.rating.deviation, 1),
        "volatility": round(one.rating.volatility, 5),
        "games": one.games,
        "won": one.won,
        "drawn": one.drawn,
        "lost": one.lost,
    }


def game_of(slug: str) -> System:
    """The game of this name, whose words are used from here on; `RequestRefused` (404) for none."""
    if slug not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    translation.activate_game(slug)
    return system(slug)


def _standings(rated: Iterable[Rated]) -> Iterable[Standings]:
    """Those with a place, and those with too few games for one."""
    everyone = list(rated)
    placed = [one for one in everyone if one.rank is not None]
    others = [one for one in everyone if one.rank is None]
    few = _("Fewer than %(count)s games") % {"count": FEWEST}
    for title, rows in ((_("Ratings"), placed), (few, others)):
        if rows:
            yield Standings(title, (_("Rating"), "±"), tuple(map(_row, rows)))


def _row(one: Rated) -> StandingRow:
    width = round(2 * one.rating.deviation)
    return StandingRow(
        rank=one.rank or "–",
        key="",
        name=isolated(one.name),
        club=isolated(one.club),
        faction="",
        record=f"{one.won}–{one.drawn}–{one.lost}",
        values=(Figure(_("Rating"), str(round(one.rating.value))), Figure("±", str(width))),
    )


def _url(game: System) -> str:
    return reverse("ratings-game", args=[game.slug])
