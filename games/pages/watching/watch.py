"""Watching a match: what watchers see of it and how late, its page, and where screens get their news.

A match is shown as a spectator's board has it, so that no page shows more than that. One shape serves the
watchers' page, the television and the overlay; each draws it with its own template.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import activate, get_language
from django.views.decorators.http import require_POST, require_safe

from games import translation, view_models
from games.core import Line, Term, ViewModel, together
from games.core import gettext_noop as noop
from games.history import commits
from games.live import hub
from games.live.hub import Audience
from games.match import delay, demo, undoing
from games.models import Entry, Match
from games.monitoring import answer_times
from games.pages.common import field, instant, match_of, refusing, waiting_url
from games.pages.opening import list_links
from games.pages.records import score_card, story
from games.pages.records.past import Past
from games.pages.records.score_card import points_chart
from games.pages.table import boards
from games.pages.table.loaded import Table, with_images
from games.people import seats
from games.people.seats import Phone
from games.pictures.charts import Chart
from games.templating import part
from games.translation import gettext as _
from games.translation import leave_game, words
from games.web import TAPS, clock, is_from_elsewhere, is_outdated, one_moment, origin, refuse, too_fast

OPEN = frozenset(
    {
        *("watch", "watch-news", "watch-stream", "tv", "overlay", "embed", "elsewhere"),
        *("table-rules", "seats", "watch-delay", "invitation", "free", "unseal"),
        *("join", "claim", "move", "move-here", "take"),
    }
)
"""Views of a late match that are open to everybody: they show the past, or nothing of the match."""
FRESH = frozenset(("board", "stream"))
"""Views that a table's page calls by itself: they make it reload, which leads to the watchers' page."""

SHOWN_LATE = noop("The players chose a spectator delay. Until the match ends, you can only watch.")

Answer = Callable[..., HttpResponse]


class LateMatches(MiddlewareMixin):
    """Close every address of a late match, any new one included, to those who have no seat at it."""

    def process_view(
        self, request: HttpRequest, view: Answer, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse | None:
        code = str(named.get("code", "")).upper()
        name = request.resolver_match.url_name if request.resolver_match else ""
        # The API finds the match by its token, and checks for itself.
        is_ours = bool(code) and name not in OPEN and not request.path_info.startswith("/api/")
        if not is_ours or not delay.is_late(code):
            return None
        phone = seats.phone(request, code)
        return None if phone.seats or phone.is_organiser else _closed(request, code, name or "")


def _closed(request: HttpRequest, code: str, name: str) -> HttpResponse:
    watch = reverse("watch", args=[code])
    if name in FRESH:
        return HttpResponse(status=410)
    if name == "table" and request.method in ("GET", "HEAD"):
        if list_links.carries(request):
            return HttpResponseRedirect(list_links.address_with_list(request, "join", code))
        return HttpResponseRedirect(watch)
    return refuse(request, 403, _(SHOWN_LATE), view_models.Link(watch, _("Watch")))


def table_for_watchers(match: Match) -> Table:
    """The table as watchers may see it now."""
    version = delay.shown_version(match)
    return Table(match) if version >= match.version and not is_late(match) else Past(match, version)


def is_late(match: Match) -> bool:
    return match.watch_delay != delay.AT_ONCE and match.finished_at is None


def lateness(match: Match) -> str:
    """How the pages for watching say that a match is late; "" for one shown at once."""
    if not is_late(match):
        return ""
    if match.watch_delay == delay.ROUND:
        return _("Shown when a round is over")
    return _("Delayed by %(minutes)s minutes") % {"minutes": match.watch_delay}


def choices(match: Match) -> tuple[view_models.Option, ...]:
    """The delays to choose from, with the current one marked."""
    labels = {
        delay.AT_ONCE: _("No delay"),
        5: _("5-minute delay"),
        15: _("15-minute delay"),
        delay.ROUND: _("After each round"),
    }
    return tuple(
        view_models.Option(str(minutes), label, minutes == match.watch_delay)
        for minutes, label in labels.items()
    )


@require_POST
@refusing
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """A seated player chooses how much later watchers see the match."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    seat, delays = phone.seat(), {str(minutes): minutes for minutes in delay.CHOICES}
    if refusal := too_fast(request, TAPS, f"{match.code}/{seat}"):
        return refusal
    with phone.speaks(match.code, seat):
        delay.choose(match.code, seat, delays.get(field(request, "delay")))
    return HttpResponseRedirect(reverse("seats", args=[code]))


class Clock(ViewModel):
    """A clock of a side. A running clock is over at `ends`, in seconds since 1970; 0 for a stopped one."""

    label: str
    text: str
    ends: int = 0


class WatchedPiece(ViewModel):
    """A piece in one line: `full` is how much of it is left in percent, None if nothing is counted.

    `state` is a card's. `note` says what is left, or more about a fact.
    """

    name: str
    state: str = ""
    state_label: str = ""
    full: int | None = None
    note: str = ""
    leads: bool = False


class WatchedSide(ViewModel):
    """One side at a glance. `counted` says what of it is left ("5 of 7 left").

    `toward` is its score in percent of the target, None if there is no target. `record` is who plays it at
    an event, and what they have won there so far.
    """

    key: str
    mark: int
    name: str
    score: int
    target: int | None = None
    toward: int | None = None
    beside: str = ""
    army: str = ""
    leader: str = ""
    first: bool = False
    to_act: bool = False
    answered: bool = False
    wins: bool = False
    record: str = ""
    counted: str = ""
    facts: tuple[view_models.Badge, ...] = ()
    clocks: tuple[Clock, ...] = ()
    pieces: tuple[WatchedPiece, ...] = ()


class Held(ViewModel):
    """A place between the sides, and who holds it: `mark` is 0 for nobody."""

    name: str
    mark: int
    by: str


class FeedLine(ViewModel):
    """One line of what was done; `mark` is the side that it begins with, 0 for none."""

    text: str
    mark: int = 0


class Happening(ViewModel):
    """What was done, line by line, in words that everybody may read."""

    mark: int
    lines: tuple[FeedLine, ...]
    at: view_models.Instant


class OfEvent(ViewModel):
    """The event of a table that a screen follows: its name, the round and the table, the clock of the hall.

    `clock` is what `hall/clock.html` takes (rounds_and_standings.HallClock).
    """

    name: str
    title: str
    clock: Any = None


class Watched(ViewModel):
    """One match for watchers: finished words, nothing that only a seat may know.

    `asked` names who acts, `mark` says which side that is (0: several, or nobody), `about` what
    is asked, `since` when that began. `news` is for screen readers. `field_template` draws the `middle`, such
    as a map, where there is something to draw; `screen_template` draws it for a television.
    """

    code: str
    version: int
    title: str
    url: str
    round_label: str
    phase: str
    sides: tuple[WatchedSide, ...]
    asked: str
    mark: int = 0
    about: str = ""
    since: view_models.Instant | None = None
    track: tuple[view_models.Space, ...] = ()
    places_title: str = ""
    places: tuple[Held, ...] = ()
    happenings: tuple[Happening, ...] = ()
    chart: Chart | None = None
    result: view_models.Result | None = None
    news: str = ""
    middle: view_models.Middle | None = None
    field_template: str = ""
    screen_template: str = ""
    event: OfEvent | None = None


TEMPLATES = {
    "watch": "watching/watch_region.html",
    "tv": "watching/tv_region.html",
    "overlay": "watching/overlay_region.html",
}
"""The kinds of view for watchers, and the template of each."""
HAPPENINGS, IN_A_ROW = 8, 3
"""How many actions are told, and how many sentences of one stand in a row; more have a line each."""


def html(table: Table, audience: Audience) -> str:
    """The live region of a kind of view for watchers, in the audience's language."""
    drawn = table.loaded.drawn if table.loaded else {}
    looks = (audience, table.seating)
    if looks not in drawn:
        began = time.perf_counter()
        with translation.override_game(table.match.system, audience.language):
            drawn[looks] = part(TEMPLATES[audience.view], watched=watched(table))
        answer_times.spend(answer_times.DRAWING, began)
    return drawn[looks]


def watched(table: Table) -> Watched:
    """One match for watchers; words in the active language."""
    board = boards.board(table, Audience((), get_language() or "en", "watch"))
    header, question, match = board.header, board.question, table.match
    is_over = match.result is not None
    return Watched(
        code=match.code,
        version=match.version,
        title=board.title,
        url=reverse("watch", args=[match.code]),
        round_label=header.round_label,
        phase=header.phase,
        sides=tuple(_sides(table, board)),
        asked="" if is_over else _asked(header.seats),
        mark=question.mark,
        about="" if is_over else question.hint,
        since=None if is_over else _since(table),
        track=header.track,
        places_title=board.middle.objectives_title,
        places=tuple(_held(card, table) for card in board.middle.objectives if not card.gauge),
        happenings=tuple(_happenings(table))[:HAPPENINGS],
        chart=points_chart(table) if table.state.scores else None,
        result=board.result,
        news=board.news,
        middle=board.middle,
        field_template=(field := table.page.field_template()),
        screen_template=table.page.screen_template if field else "",
    )


def _asked(seats: tuple[view_models.SeatScore, ...]) -> str:
    """Whom the question asks: by name, except where a row of names would say that it asks all of many."""
    names = [seat.name for seat in seats if seat.to_act]
    return _("Everyone") if len(names) == len(seats) > 2 else _(", ").join(names)


def _since(table: Table) -> view_models.Instant | None:
    """When the open question was asked.

    None where time stands still, because that question may have been answered long ago.
    """
    behind = delay.seconds_behind(table.match)
    if behind is None or table.asked_at is None:
        return None
    return instant(table.asked_at, behind)


def _sides(table: Table, board: view_models.Board) -> Iterator[WatchedSide]:
    winner = (table.match.result or {}).get("winner")
    scores = {seat.key: seat for seat in board.header.seats}
    for side in board.sides:
        score = scores[side.key]
        cards = [card for group in side.groups for card in group.cards]
        yield WatchedSide(
            key=side.key,
            mark=side.mark,
            name=side.name,
            score=score.score,
            target=score.target,
            toward=_toward(score),
            beside=score.beside,
            army=side.army,
            leader=side.leader,
            first=score.first,
            to_act=score.to_act,
            answered=score.answered,
            wins=side.key == winner,
            counted=left.counted if (left := story.standing(side)) else "",
            facts=side.facts,
            clocks=tuple(_clock(timer, table) for timer in side.timers),
            pieces=tuple(_piece(card, is_unit=card.key in table.state.units) for card in cards),
        )


def _toward(score: view_models.SeatScore) -> int | None:
    if not score.target:
        return None
    return min(100, max(0, round(100 * score.score / score.target)))


def _piece(card: view_models.Card, *, is_unit: bool) -> WatchedPiece:
    """A unit with what is left of it, or a fact about its side."""
    gauge = card.gauge
    if card.state not in story.COUNTED and not is_unit:
        return WatchedPiece(gauge.label if gauge else card.name, note="" if gauge else card.title)
    full = round(100 * gauge.left / gauge.of) if gauge and gauge.of else None
    counted = gauge.label if gauge and gauge.of else ""
    return WatchedPiece(
        card.name, card.state or "ready", card.state_label, full, counted, leads=bool(card.leader)
    )


def _clock(timer: view_models.Timer, table: Table) -> Clock:
    behind = delay.seconds_behind(table.match)
    if not timer.runs or behind is None:
        return Clock(timer.label, timer.text)
    now = table.thought.now if table.thought else 0.0
    return Clock(timer.label, timer.text, int(now) + timer.seconds + behind)


def _held(card: view_models.Card, table: Table) -> Held:
    names = {mark: table.page.name(seat) for seat, mark in table.page.marks.items()}
    return Held(card.name, card.mark, names.get(card.mark, ""))


def _happenings(table: Table) -> Iterator[Happening]:
    """The newest actions not undone, newest first, in words that everybody may read.

    As in the history, an attack is one, and so are a tap and the answer that completes it.
    """
    marks = table.page.marks
    standing = [each for each in table.recent if each.kind in undoing.UNDOABLE_KINDS and not each.is_undone]
    for (entry, *_steps), _since in undoing.completed(table.game, _sequences(table, standing)):
        if lines := commits.lines_for(entry, None):
            sentences = tuple(_feed_lines(lines, table))
            yield Happening(marks.get(entry.seat, 0), sentences, instant(entry.created_at))


def _sequences(table: Table, entries: list[Entry]) -> list[tuple[Entry, ...]]:
    """What was done, each with its entries; images are read only if there may be steps of a sequence."""
    field = table.state.sequence
    if not field or all(entry.kind != Entry.Kind.ADJUST for entry in entries):
        return [(entry,) for entry in entries]
    with_images(entries)
    return undoing.sequences(field, entries)


def _feed_lines(lines: list[Line], table: Table) -> Iterator[FeedLine]:
    """A few sentences in a row; of many each on its own line, with the mark of the first side it names."""
    if len(lines) <= IN_A_ROW:
        yield FeedLine(together(map(words, lines)))
        return
    armies, titles = table.state.armies, table.game.seat_names
    marks = {
        name: mark for seat, mark in table.page.marks.items() for name in (titles[seat], armies[seat].name)
    }
    for line in lines:
        named = (value.message if isinstance(value, Term) else value for value in line.arguments.values())
        named_marks = (marks[name] for name in named if isinstance(name, str) and name in marks)
        yield FeedLine(words(line), next(named_marks, 0))


class WatchPage(ViewModel):
    """The watchers' page around a `Watched`. `ways` lead further: to the pieces, a seat, a television.

    `waiting_url` leads a watcher who has asked for a seat to the answer, "" for everyone else.
    `ground` is the part of a field that never changes, as `icons_template` takes it.
    """

    title: str
    code: str
    feed: view_models.Feed
    ways: tuple[view_models.Link, ...]
    share: view_models.Share | None = None
    waiting_url: str = ""
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()


@require_safe
@refusing
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """The page for watchers, players included: nobody is asked for anything here."""
    match = match_of(code)
    with one_moment():
        table = table_for_watchers(match_of(match.code))
        shown = watched(table)
        phone = seats.phone(request, match.code)
        page = WatchPage(
            shown.title,
            match.code,
            feed(match, "watch"),
            _ways(match, phone),
            score_card.share_of(request, table),
            waiting_url(request, match, phone),
            icons_template=table.page.icons_template if shown.field_template else "",
            ground=table.page.ground() if shown.field_template else None,
            styles=table.page.styles if shown.field_template else (),
        )
    return render(request, "watching/watch.html", {"page": page, "watched": shown})


@require_safe
@refusing
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of a page for watchers (`view`); another page is one made for another delay."""
    match = demo.asked_for(match_of(code))

    def drawn() -> str:
        with one_moment():
            return html(table_for_watchers(match_of(code)), audience_of(request))

    # Compared with the current version, whoever asks for one after the other would learn what that is.
    version, is_other = delay.shown_version(match), request.GET.get("late", "") != lateness_of(match)
    return live_region(request, version, drawn, is_other=is_other)


@require_safe
@refusing
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of the stream of a page for watchers; a match that is shown late is only polled."""
    match = match_of(code)
    return fresh_stream(
        request,
        lambda: hub.stream_url(match.code, audience_of(request), ()),
        is_other=is_late(match),
    )


def live_region(
    request: HttpRequest, version: int | str, html: Callable[[], str], *, is_other: bool = False
) -> HttpResponse:
    """The region of a page that keeps itself current: 204 while its version (`seen`) is the current one.

    410, which makes the page reload, for a version that is not known here, for a page made from another
    program, and for another page than the one that would be made now (`is_other`).
    """
    activate_language(request)
    is_unknown = isinstance(version, int) and is_from_elsewhere(request, version)
    if is_other or is_unknown or is_outdated(request):
        return HttpResponse(status=410)
    is_current = request.GET.get("seen", "") == str(version)
    return HttpResponse(status=204) if is_current else HttpResponse(html())


def fresh_stream(request: HttpRequest, url: Callable[[], str], *, is_other: bool = False) -> HttpResponse:
    """A fresh address of such a page's stream; 410 for a page that has to be reloaded."""
    activate_language(request)
    if is_other or is_outdated(request):
        return HttpResponse(status=410)
    return JsonResponse({"url": url()})


def feed_of(stream_url: str, stream: str, news: str, behind: str = "", **asked: str) -> view_models.Feed:
    """Where a page gets its news, in the active language; `stream` and `news` are addresses of views."""
    query = urlencode({"lang": get_language() or "en", "program": origin(), **asked})
    now = int(clock.seconds())
    return view_models.Feed(stream_url, f"{stream}?{query}", f"{news}?{query}", origin(), now, behind)


def feed(match: Match, view: str) -> view_models.Feed:
    """Where a page of this kind gets news of a match, in the active language."""
    audience = Audience((), get_language() or "en", view)
    url = "" if is_late(match) else hub.stream_url(match.code, audience, ())
    stream, news = (reverse(name, args=[match.code]) for name in ("watch-stream", "watch-news"))
    return feed_of(url, stream, news, lateness(match), view=view, late=lateness_of(match))


def lateness_of(match: Match) -> str:
    """How late a match is shown, as pages send it when they ask for news; "" for one shown at once."""
    return str(match.watch_delay) if is_late(match) else ""


def activate_language(request: HttpRequest) -> None:
    """Answer this request in the language that its address names (`lang`), if it names one."""
    wanted = request.GET.get("lang", "").lower()
    if wanted in dict(settings.LANGUAGES):
        activate(wanted)
        leave_game()


def audience_of(request: HttpRequest) -> Audience:
    """The audience of a region: a spectator, with the kind of view that the address names."""
    view = request.GET.get("view", "")
    return Audience((), get_language() or "en", view if view in TEMPLATES else "watch")


def _ways(match: Match, phone: Phone) -> tuple[view_models.Link, ...]:
    """Where the page leads next."""
    code = [match.code]
    table = reverse("table", args=code)
    ways = [
        view_models.Link(table, _("Your seat") if phone.seats else _("All pieces"), "table"),
        view_models.Link(reverse("score", args=code), _("Score card"), "finish"),
        view_models.Link(reverse("history", args=code), _("History"), "history"),
    ]
    if not phone.seats and match.result is None:
        ways.append(view_models.Link(reverse("join", args=code), _("Take a seat"), "plus"))
    ways.append(view_models.Link(reverse("elsewhere", args=code), _("Show it elsewhere"), "share"))
    return tuple(ways)
