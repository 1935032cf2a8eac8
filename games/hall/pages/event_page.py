"""An event's pages for everybody: its own with its news, rounds and standings, on paper; the list of events.

What everybody sees is built once for each version and language, however many phones show it; above it stands
a player's own card.
"""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import translation, view_models
from games.core import RequestRefused, ViewModel, isolated, say, system, systems
from games.core import gettext_noop as noop
from games.hall import commands, event_actions, event_links
from games.hall.event_actions import GUEST, PLAYER, Kept, mark_of, position_of
from games.hall.models import Event, Player
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.bracket import Bracket, bracket_of, of_ladder
from games.hall.pages.event_forms import event_of, fresh_key, own, refusing
from games.hall.pages.name_order import by_surname
from games.hall.pages.player_card import Own, PlayerCard, card_of
from games.hall.pages.rounds_and_standings import (
    Announced,
    HallClock,
    Paired,
    PairingRow,
    Standings,
    about,
    announcements,
    heading,
    pairings_title,
    players_title,
    registered,
    tabs,
)
from games.hall.pages.team_matches import TeamMatchRow
from games.hall.rules import event_results, standings
from games.hall.rules.event_state import DRAFTED, OVER, PLANNED, EventState, Round
from games.live import hub, rooms
from games.live.hub import Audience
from games.pages.watching import watch
from games.templating import part
from games.translation import gettext as _
from games.translation import ngettext
from games.view_models import Feed, Link, Share
from games.web import address_for_others, clock, one_moment


class HallNow(ViewModel):
    """What everybody sees of an event: the live part of its page, without any player's own card."""

    heading: str
    mode: str
    clock: HallClock | None
    announcements: tuple[Announced, ...]
    pairings_title: str
    pairings: tuple[PairingRow, ...]
    standings: tuple[Standings, ...]
    earlier: tuple[Link, ...]
    about: tuple[str, ...] = ()
    players: tuple[Paired, ...] = ()
    players_title: str = ""
    team_matches: tuple[TeamMatchRow, ...] = ()


class HallRegion(ViewModel):
    """The live region of an event's page: `me` is the player's number, `goes` the table that awaits them."""

    version: int
    news: str
    shown: HallNow
    card: PlayerCard | None = None
    me: str = ""
    goes: str = ""


class EventPage(ViewModel):
    """`hall/event.html` around its region. `post_url` is "" for a spectator."""

    title: str
    code: str
    feed: Feed
    tabs: tuple[Link, ...]
    ways: tuple[Link, ...] = ()
    post_url: str = ""
    key: str = ""
    scores_url: str = ""
    hint: str = ""
    share: Share | None = None


class EventRow(ViewModel):
    """An event in a list."""

    url: str
    name: str
    game: str
    details: tuple[str, ...]
    demo: str = ""


class EventsPage(ViewModel):
    """The list of events, under headings, and pages over several of them."""

    home: Link
    sections: tuple[tuple[str, tuple[EventRow, ...]], ...]
    new_url: str = ""
    ways: tuple[Link, ...] = ()


VIEW = "event"


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """All listed events, and those in which this phone has a place."""
    ways_ = (
        Link(reverse("seasons"), _("Seasons"), "finish"),
        Link(reverse("ratings"), _("Ratings"), "finish"),
    )
    page = EventsPage(Link(reverse("home"), _("Home")), sections(request), reverse("new-event"), ways_)
    return render(request, "hall/events.html", {"page": page})


@require_safe
@refusing
def event(request: HttpRequest, code: str) -> HttpResponse:
    """The event's page; on a player's phone, what they have to do comes first."""
    this_event = event_of(code)
    player = own(request, this_event)
    with one_moment():
        this_event = event_actions.event_of(code)
        g, shown = position_of(this_event), region(this_event, player)
    page = EventPage(
        title=g.name,
        code=this_event.code,
        feed=feed(this_event, player),
        tabs=tabs(this_event, "event"),
        ways=ways(request, this_event, g, player),
        post_url=reverse("event-do", args=[this_event.code]) if player else "",
        key=fresh_key() if player else "",
        scores_url=reverse("event-scores", args=[this_event.code]),
        hint=_hint(request, this_event, g),
        share=rounds_and_standings.share_of_event(request, this_event, g, "event"),
    )
    return render(request, "hall/event.html", {"page": page, "region": shown})


@require_safe
@refusing
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The live region alone; another page is one made for another player (`me`)."""
    event = event_of(code)
    player = own(request, event)

    def html() -> str:
        with one_moment():
            return part("hall/region.html", region=region(event_actions.event_of(code), player))

    return watch.live_region(request, event.version, html, is_other=_is_other(request, player))


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    event = event_of(code)
    player = own(request, event)
    is_other = _is_other(request, player)
    return watch.fresh_stream(request, lambda: _stream_url(event, player), is_other=is_other)


def feed(event: Event, player: Player | None, news: str = "event-board") -> view_models.Feed:
    """Where a page of this event gets its news, in the active language."""
    stream, board = (reverse(name, args=[event.code]) for name in ("event-stream", news))
    return watch.feed_of(_stream_url(event, player), stream, board, me=_me(player))


def _stream_url(event: Event, player: Player | None) -> str:
    me = _me(player)
    audience = Audience((me,) if me else (), get_language() or "en", VIEW)
    epochs = ((me, player.epoch),) if player else ()
    return hub.stream_url(rooms.EVENT + event.code, audience, epochs)


def _me(player: Player | None) -> str:
    return event_links.name_of(player) if player else ""


def _is_other(request: HttpRequest, player: Player | None) -> bool:
    """Whether the page that asks was made from another program, or for somebody else."""
    return request.GET.get("me", _me(player)) != _me(player)


def ways(request: HttpRequest, event: Event, g: EventState, player: Player | None) -> tuple[Link, ...]:
    """Where the page leads next."""
    code = [event.code]
    role = event_links.actor(request, event).role
    if role not in (PLAYER, GUEST):
        return (
            Link(reverse("organise", args=code), _("Organise this event"), "adjust", tone="main"),
            Link(reverse("event-elsewhere", args=code), _("Show it elsewhere"), "share"),
        )
    if player is None and g.is_open and (g.status == PLANNED or (g.is_ladder and g.status != OVER)):
        return (Link(reverse("event-register", args=code), _("Register"), "plus", tone="main"),)
    return ()


def _hint(request: HttpRequest, event: Event, g: EventState) -> str:
    """How somebody who plays here, but on another device, gets to their place."""
    if g.status == OVER or event_links.actor(request, event).role != GUEST:
        return ""
    return _("Already registered? Scan your own QR code here: the organisers have it.")


# --- the live region ---------------------------------------------------------------------------------


LINES = 12
"""Lines of the standings below the pairings; the whole standings have a page of their own."""
SHOWN: Kept[HallNow] = Kept(64)


def html(code: str, audience: Audience) -> str:
    """The live region of an event for an audience: that of one player ("p12") or of a spectator."""
    event = event_actions.event_of(code)
    with translation.override_game(event.system, audience.language):
        player = (
            Player.objects.filter(event=event, pk=int(audience.seats[0][1:])).first()
            if audience.seats
            else None
        )
        return part("hall/region.html", region=region(event, player))


def region(event: Event, player: Player | None) -> HallRegion:
    """The live region; words in the active language."""
    g, key, mark = position_of(event), (event.pk, get_language()), mark_of(event)
    shown = SHOWN.get(key, mark, lambda: happening(event))
    said = g.news()
    news = said.text if said is not None else shown.heading
    if player is None or player.key not in g.players:
        return HallRegion(event.version, news, shown)
    places = rounds_and_standings.places(g)
    own = Own(event.code, g, g.players[player.key], places, sealed=_sealed(event, g, player.key))
    return HallRegion(
        version=event.version, news=news, shown=shown, card=card_of(own), me=player.key, goes=own.goes
    )


def _sealed(event: Event, g: EventState, player: str) -> tuple[str, ...]:
    """Whom a captain has named, for nobody else's eyes."""
    team = g.captained_by(player) if g.team_size else ""
    named = (commands.sealed(event, match, team) for match in g.team_matches.values() if team in match.sealed)
    return tuple(key for keys in named for key in keys)


def happening(event: Event) -> HallNow:
    """What everybody sees."""
    g = position_of(event)
    this_round = rounds_and_standings.shown(g)
    url = reverse("event-standings", args=[event.code])
    players = () if this_round else tuple(registered(g))
    return HallNow(
        heading=heading(g),
        mode=rounds_and_standings.mode_of(g, this_round),
        clock=rounds_and_standings.clock_of(g, this_round),
        announcements=announcements(g),
        pairings_title=pairings_title(g, this_round) if this_round else "",
        pairings=rounds_and_standings.rows_now(g, this_round) if this_round else (),
        standings=tuple(section for _view, section in rounds_and_standings.sections(g, LINES, url)),
        team_matches=team_matches.rows(g, this_round.number) if this_round else (),
        earlier=tuple(_earlier(event, g, this_round)),
        about=about(g),
        players=players,
        players_title=players_title(g),
    )


def _earlier(event: Event, g: EventState, this_round: Round | None) -> list[view_models.Link]:
    """Links to the results of the earlier rounds."""
    numbers = sorted(event_round.number for event_round in g.rounds.values() if event_round.state != DRAFTED)
    if g.is_ladder:
        numbers = [number for number in numbers if g.is_decided(number)][-LINES:]
        this_round = None
    return [
        view_models.Link(
            reverse("event-round", args=[event.code, number]),
            rounds_and_standings.name_of(g, g.rounds[str(number)]),
        )
        for number in numbers
        if this_round is None or number != this_round.number
    ]


# --- events in lists ---------------------------------------------------------------------------------


LISTED = 30
Sections = tuple[tuple[str, tuple[EventRow, ...]], ...]


def sections(request: HttpRequest) -> Sections:
    """The events under their headings; a heading without events is left out."""
    mine = own_events(request)
    listed = _served().filter(is_listed=True).exclude(pk__in=[event.pk for event in mine])
    listed, demos = listed.filter(is_demo=False), listed.filter(is_demo=True)
    groups = (
        (_("Your events"), mine),
        (_("Being played now"), listed.filter(status=Event.Status.RUNNING)[:LISTED]),
        (_("Upcoming"), listed.filter(status=Event.Status.PLANNED)[:LISTED]),
        (_("Finished"), listed.filter(status=Event.Status.OVER)[:LISTED]),
        (_("Demo events"), demos[:LISTED]),
    )
    lines = ((title, tuple(map(_event_row, events))) for title, events in groups)
    return tuple((title, rows) for title, rows in lines if rows)


def own_events(request: HttpRequest) -> list[Event]:
    """The events in which this phone has a place, newest first."""
    codes = event_links.codes(request)
    by_code = {event.code: event for event in _served().filter(code__in=codes)} if codes else {}
    return [by_code[code] for code in codes if code in by_code]


def for_home(request: HttpRequest) -> tuple[EventRow, ...]:
    """The events on the home page: this phone's own, the listed ones, demo events; none that is over."""
    mine = [event for event in own_events(request) if event.status != Event.Status.OVER]
    others = _served().filter(is_listed=True).exclude(status=Event.Status.OVER)
    others = others.order_by("is_demo", "-changed_at")
    rest = [event for event in others[:LISTED] if event not in mine]
    return tuple(map(_event_row, [*mine, *rest][:4]))


def _served() -> QuerySet[Event]:
    listed = Event.objects.filter(system__in=[game.slug for game in systems()])
    return listed.annotate(entered=Count("players"))


def _event_row(event: Event) -> EventRow:
    entered = event.entered  # type: ignore[attr-defined]
    players = ngettext("%(count)d player", "%(count)d players", entered) % {"count": entered}
    return EventRow(
        reverse("event", args=[event.code]),
        event.name,
        _(system(event.system).title),
        (players, event.code, str(Event.Status(event.status).label)),
        demo=_("Demo") if event.is_demo else "",
    )


# --- rounds and standings ----------------------------------------------------------------------------


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
    event = event_of(code)
    with one_moment():
        g = position_of(event_of(code))
    page = round_page(request, event, g, _round_of(g, number))
    return render(request, "hall/round.html", {"page": page})


def _round_of(g: EventState, number: int, *, sees_drafts: bool = False) -> Round:
    """A round that this phone may see: one that is drawn up may still change."""
    this = g.rounds.get(str(number))
    if this is None or (this.state == DRAFTED and not sees_drafts):
        raise RequestRefused(say(noop("This round has not been opened yet.")), 404, "not_open")
    return this


def round_page(request: HttpRequest, event: Event, g: EventState, this: Round) -> RoundPage:
    """The pairings and results of a round."""
    name = rounds_and_standings.name_of(g, this)
    return RoundPage(
        title=name,
        event=g.name,
        back=Link(reverse("event", args=[event.code]), _("Back to the event")),
        mode=rounds_and_standings.mode_of(g, this),
        pairings=rounds_and_standings.rows(g, this.number),
        team_matches=team_matches.rows(g, this.number),
        at=_moment(g),
        results=_results(g, this.number),
        address=address_for_others(request, reverse("event", args=[event.code])),
        print_url=reverse("event-print-round", args=[event.code, this.number]),
        tabs=rounds_and_standings.tabs(event, ""),
        share=rounds_and_standings.share_of_event(request, event, g, "event-round", name, this.number),
    )


@require_safe
@refusing
def standings_page(request: HttpRequest, code: str) -> HttpResponse:
    """The standings, with their criteria in words."""
    event = event_of(code)
    return render(request, "hall/standings.html", {"page": _standings(request, event)})


@require_safe
@refusing
def print_standings(request: HttpRequest, code: str) -> HttpResponse:
    event = event_of(code)
    return render(request, "hall/print_standings.html", {"page": _standings(request, event), "ways": ()})


@require_safe
@refusing
def standings_board(request: HttpRequest, code: str) -> HttpResponse:
    """The live part of the standings alone."""
    event = event_of(code)
    return watch.live_region(
        request,
        event.version,
        lambda: part("hall/standings_region.html", page=_standings(request, event)),
    )


def _standings(request: HttpRequest, event: Event) -> StandingsPage:
    with one_moment():
        event = event_of(event.code)
        g = position_of(event)
    empty = rounds_and_standings.Standings(_("Standings"), (), ())
    news = reverse("event-standings-board", args=[event.code])
    return StandingsPage(
        title=g.name,
        back=Link(reverse("event", args=[event.code]), _("Back to the event")),
        standings=tuple(ranking for _view, ranking in rounds_and_standings.sections(g, explains=True))
        or (empty,),
        criteria=of_ladder(g) if g.is_ladder else rounds_and_standings.meanings(g, standings.criteria(g)),
        notes=rounds_and_standings.notes(g),
        at=_moment(g),
        results=_results(g),
        bracket=bracket_of(g),
        address=address_for_others(request, reverse("event", args=[event.code])),
        print_url=reverse("event-print-standings", args=[event.code]),
        feed=watch.feed_of("", "", news) if g.status != OVER else None,
        version=event.version,
        tabs=rounds_and_standings.tabs(event, "event-standings"),
        share=rounds_and_standings.share_of_event(request, event, g, "event-standings", _("Standings")),
        seasons=tuple(
            Link(
                reverse("season", args=[season.code]), _("Season: %(name)s") % {"name": isolated(season.name)}
            )
            for season in event.seasons.all()
        )
        + ((Link(reverse("ratings-game", args=[g.system]), _("Ratings")),) if g.is_rated else ()),
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
    event = event_of(code)
    with one_moment():
        g = position_of(event_of(code))
    is_helper = event_links.actor(request, event).role not in (PLAYER, GUEST)
    this = _round_of(g, number, sees_drafts=is_helper)
    values = {
        "page": round_page(request, event, g, this),
        "ways": paper_ways(event, number),
        "draft": _("This round is not open yet and may still change.") if this.state == DRAFTED else "",
        "names": tuple(_names(g, this)) if what == NAMES else (),
        "fields": tuple(rounds_and_standings.labels(g)[name] for name in event_results.asked(g)),
    }
    return render(request, TEMPLATES[what], values)


def paper_ways(event: Event, number: int) -> tuple[Link, ...]:
    """A round on paper in every form."""
    named = (
        ("event-print-round", _("By table"), "table"),
        ("event-print-names", _("By name"), "people"),
        ("event-print-slips", _("Result slips"), "finish"),
    )
    return tuple(Link(reverse(name, args=[event.code, number]), label, icon) for name, label, icon in named)


def _names(g: EventState, this: Round) -> list[NameOnPaper]:
    """Everybody in the round, by surname."""
    language = get_language() or "en"
    rows = rounds_and_standings.rows(g, this.number)
    listed = [(player, row) for row in rows for player in row.players]
    listed.sort(key=lambda pair: by_surname(pair[0].name, language))
    return [
        NameOnPaper(
            player.name,
            player.club,
            str(row.table or row.label),
            _(", ").join(g.called(other.key) for other in row.players if other is not player),
        )
        for player, row in listed
    ]
