"""An event's public page and its news, its rounds and standings; and the list of events."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import view_models
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import access, roles, rooms
from games.hall.kept import gathering
from games.hall.models import Event, Player
from games.hall.pages import listed, preview, ranking, rounds
from games.hall.pages.access import event_of, fresh_key, own, refusing
from games.hall.pages.region import region
from games.hall.rules.pieces import DRAFTED, OVER, PLANNED, Gathering
from games.history.verdict import RequestRefused
from games.live import listeners
from games.live.hub import Audience
from games.pages.watching import watch
from games.templating import part
from games.view_models import Link
from games.view_models import hall as parts
from games.web import clock
from games.web.database import one_moment
from games.web.network import address_for_others
from games.web.program import is_from_elsewhere, is_outdated, origin

VIEW = "event"


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """All listed events, and those in which this phone has a place."""
    page = parts.EventsPage(Link(reverse("home"), _("Home")), listed.sections(request), reverse("new-event"))
    return render(request, "hall/events.html", {"page": page})


@require_safe
@refusing
def event(request: HttpRequest, code: str) -> HttpResponse:
    """The event's page; on a player's phone, what they have to do comes first."""
    found = event_of(code)
    player = own(request, found)
    with one_moment():
        found = event_of(code)
        g, shown = gathering(found), region(found, player)
    page = parts.EventPage(
        title=g.name,
        code=found.code,
        feed=feed(found, player),
        tabs=tabs(found, "event"),
        ways=ways(request, found, g, player),
        post_url=reverse("event-do", args=[found.code]) if player else "",
        key=fresh_key() if player else "",
        scores_url=reverse("event-scores", args=[found.code]),
        hint=_hint(request, found, g),
        share=preview.of_event(request, found, g, "event"),
    )
    return render(request, "hall/event.html", {"page": page, "region": shown})


@require_safe
@refusing
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The live region alone: 204 while the version that the page has (`seen`) is current.

    410, which makes the page reload, for a version that is not known here, for a page made from another
    program, and for one made for another player (`me`).
    """
    watch.activate_language(request)
    found = event_of(code)
    player, seen = own(request, found), request.GET.get("seen", "")
    if _is_other(request, player) or is_from_elsewhere(request, found.version):
        return HttpResponse(status=410)
    if seen == str(found.version):
        return HttpResponse(status=204)
    with one_moment():
        return HttpResponse(part("hall/region.html", region=region(event_of(code), player)))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of the page's stream; 410 for a page that has to be reloaded."""
    watch.activate_language(request)
    found = event_of(code)
    player = own(request, found)
    if _is_other(request, player):
        return HttpResponse(status=410)
    return JsonResponse({"url": _stream_url(found, player)})


def feed(found: Event, player: Player | None, news: str = "event-board") -> view_models.Feed:
    """Where a page of this event gets its news, in the active language."""
    asked = urlencode({"lang": get_language() or "en", "program": origin(), "me": _me(player)})
    return view_models.Feed(
        _stream_url(found, player),
        f"{reverse('event-stream', args=[found.code])}?{asked}",
        f"{reverse(news, args=[found.code])}?{asked}",
        origin(),
        int(clock.seconds()),
    )


def _stream_url(found: Event, player: Player | None) -> str:
    me = _me(player)
    audience = Audience((me,) if me else (), get_language() or "en", VIEW)
    epochs = ((me, player.epoch),) if player else ()
    return listeners.stream_url(rooms.EVENT + found.code, audience, epochs)


def _me(player: Player | None) -> str:
    return access.name_of(player) if player else ""


def _is_other(request: HttpRequest, player: Player | None) -> bool:
    """Whether the page that asks was made from another program, or for somebody else."""
    return is_outdated(request) or request.GET.get("me", _me(player)) != _me(player)


def tabs(found: Event, here: str) -> tuple[Link, ...]:
    """Tabs to the pages of an event that everybody may read."""
    named = (("event", _("Now"), "table"), ("event-standings", _("Standings"), "finish"))
    return tuple(
        Link(reverse(name, args=[found.code]), label, icon, current=name == here)
        for name, label, icon in named
    )


def ways(request: HttpRequest, found: Event, g: Gathering, player: Player | None) -> tuple[Link, ...]:
    """Where the page leads next."""
    code = [found.code]
    role = access.actor(request, found).role
    if role not in (roles.PLAYER, roles.GUEST):
        return (
            Link(reverse("organise", args=code), _("Organise this event"), "adjust", tone="main"),
            Link(reverse("event-elsewhere", args=code), _("Show it elsewhere"), "share"),
        )
    if player is None and g.is_open and g.status == PLANNED:
        return (Link(reverse("event-register", args=code), _("Register"), "plus", tone="main"),)
    return ()


def _hint(request: HttpRequest, found: Event, g: Gathering) -> str:
    """How somebody who plays here, but on another device, gets to their place."""
    if g.status == OVER or access.actor(request, found).role != roles.GUEST:
        return ""
    return _("Already registered? Scan your own QR code here: the organisers have it.")


@require_safe
@refusing
def one_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The pairings and results of one round, to read or to print."""
    found = event_of(code)
    with one_moment():
        g = gathering(event_of(code))
    this = g.rounds.get(str(number))
    if this is None or this.state == DRAFTED:
        raise RequestRefused(say(noop("This round has not been opened yet.")), 404, "not_open")
    page = parts.RoundPage(
        title=rounds.name_of(g, this),
        event=g.name,
        back=Link(reverse("event", args=[found.code]), _("Back to the event")),
        mode=rounds.mode_of(g, this.mode),
        pairings=rounds.rows(g, number),
        at=_moment(),
        address=address_for_others(request, reverse("event", args=[found.code])),
        print_url=reverse("event-print-round", args=[found.code, number]),
        tabs=tabs(found, ""),
        share=preview.of_event(request, found, g, "event-round", rounds.name_of(g, this), number),
    )
    is_print = request.resolver_match is not None and request.resolver_match.url_name == "event-print-round"
    template = "hall/print_round.html" if is_print else "hall/round.html"
    return render(request, template, {"page": page})


@require_safe
@refusing
def standings(request: HttpRequest, code: str) -> HttpResponse:
    """The standings, with their criteria in words."""
    found = event_of(code)
    return render(request, "hall/standings.html", {"page": _standings_page(request, found)})


@require_safe
@refusing
def print_standings(request: HttpRequest, code: str) -> HttpResponse:
    """The standings on paper."""
    found = event_of(code)
    return render(request, "hall/print_standings.html", {"page": _standings_page(request, found)})


@require_safe
@refusing
def standings_board(request: HttpRequest, code: str) -> HttpResponse:
    """The live part of the standings alone: 204 while the version that the page has is current."""
    watch.activate_language(request)
    found, seen = event_of(code), request.GET.get("seen", "")
    if is_outdated(request):
        return HttpResponse(status=410)
    if seen == str(found.version):
        return HttpResponse(status=204)
    return HttpResponse(part("hall/standings_region.html", page=_standings_page(request, found)))


def _standings_page(request: HttpRequest, found: Event) -> parts.StandingsPage:
    with one_moment():
        found = event_of(found.code)
        g = gathering(found)
    asked = urlencode({"lang": get_language() or "en", "program": origin()})
    news = f"{reverse('event-standings-board', args=[found.code])}?{asked}"
    empty = parts.Standings(_("Standings"), (), ())
    return parts.StandingsPage(
        title=g.name,
        back=Link(reverse("event", args=[found.code]), _("Back to the event")),
        standings=ranking.ranking(g) or empty,
        criteria=ranking.criteria(g),
        notes=ranking.notes(g),
        at=_moment(),
        address=address_for_others(request, reverse("event", args=[found.code])),
        print_url=reverse("event-print-standings", args=[found.code]),
        feed=view_models.Feed("", "", news, origin(), int(clock.seconds())) if g.status != OVER else None,
        version=found.version,
        tabs=tabs(found, "event-standings"),
        share=preview.of_event(request, found, g, "event-standings", _("Standings")),
    )


def _moment() -> str:
    return f"{timezone.localtime(clock.now()):%Y-%m-%d %H:%M %Z}"
