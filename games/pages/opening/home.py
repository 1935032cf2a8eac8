"""The home page: start a table, join one, see what is being played; and the first steps it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games import translation, view_models
from games.core import RequestRefused, System, ViewModel, say, system, systems
from games.core import gettext_noop as noop
from games.hall.models import Event
from games.hall.pages import event_page
from games.hall.pages.event_page import EventRow
from games.match import demo, practice
from games.models import Match, Score, Seat
from games.pages import common
from games.pages.common import claim_key, match_of, refusing
from games.pages.opening.rematch import rematch_address
from games.pages.watching.watch import is_late, lateness
from games.people import seats
from games.translation import gettext as _
from games.translation import ngettext, words
from games.web import (
    ALL_MOVES,
    MOVES,
    OPENINGS,
    address,
    clock,
    device_at_table,
    limited,
    too_fast,
    wrong_guess,
)

# --- home, new table, verification ----------------------------------------------------------------


class TableRow(ViewModel):
    """A table in a list: its game, who plays, how it stands.

    `details` are its mode if the game has several, its code, and its round. `demo` marks a demo or practice
    table, "" for a real one.
    """

    url: str
    game: str
    details: tuple[str, ...]
    seats: tuple[view_models.SeatScore, ...] = ()
    demo: str = ""


class HomePage(ViewModel):
    """The home page. `code` and `error` come back when a code was not found.

    `again_url` opens a table like this phone's last one, "" if there is none. Below it come the
    `sections` that have tables, each a heading and its rows; they are searched for `wanted`, a player's
    name or a code, and narrowed to one of the `games`. `is_searched`: either is in force. `events` are a
    few; `events_url` lists them all. `rounds` are games to try, for a phone that has no table yet;
    for such a phone `demo_url` leads to the demo table, "" if there is none.
    `forget_url` makes this device forget its finished matches, "" if it has none.
    `share` also holds the page's heading and the sentence below it.
    """

    share: view_models.Share
    home_url: str
    new_url: str
    join_url: str
    sections: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
    games: tuple[view_models.Option, ...] = ()
    wanted: str = ""
    is_searched: bool = False
    forget_url: str = ""
    code: str = ""
    error: str = ""
    again_url: str = ""
    statistics_url: str = "/stats"
    events: tuple[EventRow, ...] = ()
    events_url: str = "/events"
    rounds: tuple[FirstRound, ...] = ()
    first_steps_url: str = "/first-steps"
    demo_url: str = ""
    first_event_url: str = "/first-event"
    key: str = ""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Start, join, your tables, live tables; searched by `q` (a player or a code) and `game`."""
    return home_page(request)


def home_page(request: HttpRequest, code: str = "", error: str = "", status: int = 200) -> HttpResponse:
    """The home page, with what was typed and the sentence about it."""
    search = Search.of(request.GET)
    mine = own(request)
    last = mine.filter(is_practice=False).first()
    page = HomePage(
        share=common.share(
            request,
            reverse("home"),
            _("Your phones around one table"),
            _("Turns, tokens, score and clean-up on every phone. Dice and miniatures stay on the table."),
        ),
        home_url=reverse("home"),
        new_url=reverse("new"),
        again_url=rematch_address(last) if last else "",
        join_url=reverse("find"),
        sections=sections(mine, search),
        games=search.games(),
        wanted=search.text,
        is_searched=search.is_narrow,
        forget_url=reverse("forget") if mine.exclude(finished_at=None).exists() else "",
        code=code,
        error=error,
        statistics_url=reverse("statistics"),
        events=event_page.for_home(request),
        events_url=reverse("events"),
        rounds=() if last or search.is_narrow else first_rounds(),
        first_steps_url=reverse("first-steps"),
        demo_url="" if last or not demo.is_on() else reverse("demo"),
        first_event_url=reverse("first-event"),
        key=seats.new_key(),
    )
    return render(request, "opening/home.html", {"page": page}, status=status)


@require_POST
def forget(request: HttpRequest) -> HttpResponse:
    """Forget this device's finished matches, and with them the lists that it brought there."""
    seats.forget_finished(request)
    return HttpResponseRedirect(reverse("home"))


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """To the table whose code was typed, or the one at which a seat with this moving code is taken."""
    typed = "".join(filter(str.isalnum, request.GET.get("code", ""))).upper()[:24]
    if Event.objects.filter(code=typed).exists():
        return HttpResponseRedirect(reverse("event", args=[typed]))
    if not Match.objects.filter(code=typed).exists():
        # Counted before it is looked for, as at a table: six letters are too few to be tried freely.
        if refusal := too_fast(request, MOVES, device_at_table(request)):
            return refusal
        if refusal := too_fast(request, ALL_MOVES, address(request)):
            return refusal
        if moved := seats.moving(typed):
            place = reverse("move-here", args=[moved.match.code])
            return HttpResponseRedirect(f"{place}?{urlencode({'code': typed})}")
        if refusal := wrong_guess(request):
            return refusal
        error = _("No table has this code. Check the other device: a code is six letters or digits.")
        return home_page(request, typed, error, 404)
    return HttpResponseRedirect(reverse("join" if _is_awaited(request, typed) else "table", args=[typed]))


def _is_awaited(request: HttpRequest, code: str) -> bool:
    """Whether a table that has yet to begin waits for a player, and this phone may be theirs."""
    taken = Seat.objects.filter(match__code=code, match__round=0, match__finished_at=None)
    is_full = not taken.filter(is_taken=False).exists()
    return not is_full and taken.filter(is_taken=True).exists() and not seats.phone(request, code).seats


LISTED = 12
FROM_ONE_ADDRESS = 4
"""How many tables opened from one address keep their place in lists; any more go to the end."""
STILL_PLAYED = timedelta(days=1)
"""A table that nobody has touched for this long is no longer listed as being played; a search finds it."""
SHORTEST_SEARCH = 3
"""Fewest letters of an alphabet that are searched for in the names of games."""
LONGEST_SEARCH = 40
"""How many characters of a search text count: no player's name has more."""


@dataclass(frozen=True)
class Search:
    """Which tables are wanted: those with this text in their code or in a player's, game's or mode's name."""

    text: str = ""
    game: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Search:
        """What the form of the home page asks for; a game that does not exist narrows nothing."""
        text = "".join(filter(str.isprintable, " ".join(asked.get("q", "").split())))[:LONGEST_SEARCH].strip()
        game = asked.get("game", "")
        return cls(text, game if any(served.slug == game for served in systems()) else "")

    @property
    def is_narrow(self) -> bool:
        """Whether the search may leave some tables out."""
        return bool(self.text or self.game)

    def among(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """The wanted ones among these tables."""
        if self.game:
            matches = matches.filter(system=self.game)
        if self.text:
            named = Q(armies__name__icontains=self.text) | Q(code__icontains=self.text) | self.of_game()
            matches = matches.filter(pk__in=Match.objects.filter(named).values("pk"))
        return matches

    def of_game(self) -> Q:
        """Tables whose game or mode has this text in its name."""
        condition = Q(pk__in=())
        for game in systems():
            if self.is_in(game.slug, game.title):
                condition |= Q(system=game.slug)
            modes = [mode.slug for mode in game.modes if self.is_in(game.slug, mode.title)]
            if modes:
                condition |= Q(system=game.slug, mode__in=modes)
        return condition

    def is_in(self, game: str, title: str) -> bool:
        """Whether a title has this text, in English or the reader's language; two letters match too much."""
        if len(self.text) < SHORTEST_SEARCH and self.text.isascii():
            return False
        with translation.override_game(game):
            titles = (title, _(title))
        return any(self.text.casefold() in each.casefold() for each in titles)

    def games(self) -> tuple[view_models.Option, ...]:
        """The games that the list can be narrowed to."""
        every = view_models.Option("", _("All games"), not self.game)
        return (
            every,
            *(view_models.Option(game.slug, _(game.title), game.slug == self.game) for game in systems()),
        )


def own(request: HttpRequest) -> QuerySet[Match]:
    """The tables at which this phone has sat, newest first and demo tables last."""
    return _served().filter(code__in=seats.held(request)).order_by("is_demo", "-changed_at")


def _served() -> QuerySet[Match]:
    """The tables whose games are installed; others wait until their package is back."""
    return Match.objects.filter(system__in=[game.slug for game in systems()])


def being_played(most: int = LISTED) -> list[Match]:
    """The listed tables that are being played; the demo tables while there are no others."""
    listed = _served().filter(is_listed=True, finished_at=None)
    real = _touched(listed.filter(is_demo=False))
    return in_fair_order(real, most) or list(_demos(listed)[:most])


def _demos(listed: QuerySet[Match]) -> QuerySet[Match]:
    """The demo tables among these; those of a demo event are reached through its pages."""
    return listed.filter(is_demo=True, pairings=None).order_by("pk")


def _touched(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those among these tables that somebody has touched lately."""
    return matches.filter(changed_at__gte=clock.now() - STILL_PLAYED)


Sections = tuple[tuple[str, tuple[TableRow, ...]], ...]


def sections(mine: QuerySet[Match], wanted: Search) -> Sections:
    """The wanted tables under their headings; a heading without tables is left out."""
    mine, others = wanted.among(mine), wanted.among(_served().filter(is_listed=True).exclude(pk__in=mine))
    real = others.filter(is_demo=False)
    unfinished = real.filter(finished_at=None)
    groups: tuple[tuple[str, Iterable[Match]], ...] = (
        (_("Your tables"), mine.filter(finished_at=None)[:LISTED]),
        (_("My matches"), mine.exclude(finished_at=None)[:LISTED]),
        (
            _("Being played now"),
            in_fair_order(unfinished if wanted.is_narrow else _touched(unfinished), LISTED),
        ),
        (_("Finished"), real.exclude(finished_at=None).order_by("-finished_at")[:LISTED]),
        (_("Demo tables"), _demos(others)[:LISTED]),
    )
    rows = ((title, _rows(matches)) for title, matches in groups)
    return tuple((title, lines) for title, lines in rows if lines)


def in_fair_order(matches: QuerySet[Match], most: int) -> list[Match]:
    """Newest first, but tables that an opponent has joined before the others, and an address's surplus last.

    So nobody can push others off the page by opening tables; the surplus is shown if there is room.
    """
    taken = Seat.objects.filter(match=OuterRef("pk"), is_taken=True).order_by()
    joined = matches.annotate(is_joined=Exists(taken[1:2])).order_by("-is_joined", "-changed_at")
    fair: list[int] = []
    surplus: list[int] = []
    opened: Counter[str] = Counter()
    for key, opened_from in joined.values_list("pk", "opened_from").iterator():
        opened[opened_from] += 1
        (surplus if opened_from and opened[opened_from] > FROM_ONE_ADDRESS else fair).append(key)
        if len(fair) == most:
            break
    keys = (fair + surplus)[:most]
    rows = Match.objects.in_bulk(keys)
    return [rows[key] for key in keys]


def _rows(matches: Iterable[Match]) -> tuple[TableRow, ...]:
    listed = list(matches)
    prefetch_related_objects(listed, "armies")
    points: dict[int, int] = {}
    for army_id, value in Score.objects.filter(match__in=listed).values_list("army_id", "points"):
        points[army_id] = points.get(army_id, 0) + value
    return tuple(_row_in_its_words(match, points) for match in listed)


def _row_in_its_words(match: Match, points: Mapping[int, int]) -> TableRow:
    with translation.override_game(match.system):
        return _row(match, points)


def _row(match: Match, points: Mapping[int, int]) -> TableRow:
    game, mode = system(match.system), system(match.system).mode(match.mode)
    standing = _ended(match) if match.result is not None else words(game.round_name(match.round))
    standing = lateness(match) or standing
    return TableRow(
        reverse("table", args=[match.code]),
        _(game.title),
        (*((_(mode.title),) if len(game.modes) > 1 else ()), match.code, standing),
        () if is_late(match) else tuple(_scores(match, points)),
        demo=_("Demo") if match.is_demo else _("Practice") if match.is_practice else "",
    )


def _ended(match: Match) -> str:
    """How a match ended, in two words."""
    game, result = system(match.system), match.result or {}
    winner = result.get("winner")
    if not winner:
        return _("Finished") if result.get("how") in game.losses else _("A draw")
    names = {army.key: army.name for army in match.armies.all()}
    return _("%(name)s wins") % {"name": names.get(winner) or _(game.seat_names.get(winner, winner))}


def _scores(match: Match, points: Mapping[int, int]) -> Iterable[view_models.SeatScore]:
    names = system(match.system).seat_names
    for mark, army in view_models.marked(match.armies.all()):
        colour = _(names.get(army.key, army.key))
        yield view_models.SeatScore(
            army.key, mark, colour, army.name or colour, points.get(army.pk, 0), mine=False
        )


class FirstRound(ViewModel):
    """A game that can be tried: `url` begins its round with one tap, `teaches` and `taps` say what comes."""

    url: str
    title: str
    teaches: str = ""
    taps: str = ""


class FirstStepsPage(ViewModel):
    """The page of all games that can be tried. With its `key` a tap that got no answer can be repeated."""

    back: view_models.Link
    rounds: tuple[FirstRound, ...]
    key: str
    links: tuple[view_models.Link, ...] = ()


class OrganiserStep(ViewModel):
    """One thing that an organiser does first, and where it is done."""

    title: str
    text: str
    links: tuple[view_models.Link, ...] = ()


class OrganisingPage(ViewModel):
    back: view_models.Link
    steps: tuple[OrganiserStep, ...]
    more: tuple[tuple[str, str], ...] = ()


@require_safe
def first_steps(request: HttpRequest) -> HttpResponse:
    """Every game that can be tried, each one tap away."""
    shown = FirstStepsPage(
        view_models.Link(reverse("home"), _("Home")),
        first_rounds(),
        seats.new_key(),
        (view_models.Link(reverse("first-event"), _("Organiser quick start"), "people"),),
    )
    return render(request, "opening/first_steps.html", {"page": shown})


def first_rounds() -> tuple[FirstRound, ...]:
    """The games to try, the featured ones first."""
    return tuple(map(_round, sorted(systems(), key=lambda game: not game.featured)))


def _round(game: System) -> FirstRound:
    first = game.first_steps
    taps = ngettext("%(count)d tap", "%(count)d taps", first.taps) % {"count": first.taps}
    with translation.override_game(game.slug):
        teaches = _(first.teaches) if first.teaches else ""
        title = _(game.title)
    return FirstRound(reverse("first-round", args=[game.slug]), title, teaches, taps if first.taps else "")


@require_POST
@limited(OPENINGS)
@refusing
def begin_first_steps(request: HttpRequest, game: str) -> HttpResponse:
    """Open a practice round of a game with all its seats on this phone.

    The same form sent again (by its `key`) leads to the table that it opened.
    """
    if game not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    key = claim_key(request)
    return HttpResponseRedirect(
        reverse("table", args=[_begun(request, game, f"{key} {game}" if key else "")])
    )


@transaction.atomic
def _begun(request: HttpRequest, game: str, key: str) -> str:
    """The code of the practice table, at which this phone plays every side."""
    opens = partial(practice.open_first_steps, game, seats.address_hash(request))
    return seats.open_for_one(request, key, opens).code


@require_safe
@refusing
def demo_table(request: HttpRequest) -> HttpResponse:
    """To the table at which two robots play, unless an organiser has switched it off."""
    if not demo.is_on():
        raise RequestRefused(say(noop("There is no live demo on this server.")), 404, "unknown")
    return HttpResponseRedirect(reverse("table", args=[demo.table().code]))


@require_POST
@refusing
def close_guide(request: HttpRequest, code: str) -> HttpResponse:
    """Close the first steps; the practice table stays."""
    match = match_of(code)
    seats.phone(request, match.code).seat()
    Match.objects.filter(pk=match.pk).update(is_guided=False)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


@require_safe
def organising(request: HttpRequest) -> HttpResponse:
    """What an organiser does first: an event in three steps, and where to find everything else."""
    steps = (
        OrganiserStep(
            _("Open the event"),
            _("Choose the game and type a name. Everything else has a default you can change later."),
            (view_models.Link(reverse("new-event"), _("New event"), "plus", tone="main"),),
        ),
        OrganiserStep(
            _("Add the players"),
            _(
                "Show the QR code on the organisers’ page. Players register on their own phones. You can "
                "also enter or paste names."),
        ),
        OrganiserStep(
            _("Press the big button"),
            _(
                "It always offers the next step: check in, pair the round, open it, start the clock, "
                "close it. Results arrive from the tables automatically."),
        ),
    )  # fmt: skip
    more = (
        (_("Just a table, no event?"), _("Start a table and let the others scan its code.")),
        (_("A wrong tap?"), _("Undo it. Nothing is lost, and the history says who did what.")),
        (
            _("A wrong score, a lost phone?"),
            _("The admin corrects every table and gives a seat back. Its password was shown when "
              "Roundtable was first started."),
        ),
    )  # fmt: skip
    shown = OrganisingPage(view_models.Link(reverse("home"), _("Home")), steps, more)
    return render(request, "opening/first_event.html", {"page": shown})
