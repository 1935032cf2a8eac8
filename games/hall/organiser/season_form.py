"""The form of a season: its name, scale and events. Whoever organises one of its events may change it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.core import RequestRefused, Unreadable, ViewModel, clean_name, say
from games.core import gettext_noop as noop
from games.hall import event_links
from games.hall.models import Event, Season
from games.hall.organiser.organiser_page import Field, whole
from games.hall.pages.season_pages import may_organise, refusing, season_of
from games.hall.seasons.season_standings import MOST_BEST, MOST_POINTS, points_in
from games.match import play
from games.pages.common import tap_key
from games.translation import gettext as _
from games.translation import words
from games.view_models import Link, Notice
from games.web import OPENINGS, keys, limited


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
    chosen = {request.GET.get("event", "").upper()} & {one.code for one in mine}
    season = Season(name="")
    if request.method != "POST":
        return _page(request, season, mine, chosen)
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
    """Change a season, or delete it."""
    season = season_of(code)
    if not may_organise(request, season):
        line = noop("Only the organisers of an event of this season can change it.")
        raise RequestRefused(say(line), 403, "not_allowed")
    held = list(season.events.order_by("created_at", "pk"))
    codes = {one.code for one in held}
    events = held + [one for one in event_links.organised(request) if one.code not in codes]
    if request.method != "POST":
        return _page(request, season, events, codes)
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
    chosen = [one for one in events if f"{EVENT}{one.code}" in sent]
    try:
        season.name = clean_name(sent.get("name", ""), 60)
        season.points = points_in(sent.get("points", ""))
        season.participation = whole(_("For taking part"), sent.get("participation", ""), 0, MOST_POINTS)
        season.best = whole(_("Best events that count"), sent.get("best", ""), 0, MOST_BEST)
        if not chosen:
            raise Unreadable(say(NO_EVENT))
    except Unreadable as wrong:
        return _page(request, season, events, held, Notice(words(wrong.line), "bad"), 422)
    season.save()
    season.events.set(chosen)
    return None


def _page(
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
    ticked = {one.code for one in events if f"{EVENT}{one.code}" in sent} if notice else held
    boxes = (Field(f"{EVENT}{one.code}", one.name, "check", checked=one.code in ticked) for one in events)
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
    told = (
        (
            "participation",
            _("For taking part"),
            season.participation,
            MOST_POINTS,
            _("Added for every event"),
        ),
        ("best", _("Best events that count"), season.best, MOST_BEST, _("0: all events count")),
    )
    for name, label, value, most, help in told:
        yield Field(name, label, "number", sent.get(name, str(value)), low=0, high=most, help=help)
