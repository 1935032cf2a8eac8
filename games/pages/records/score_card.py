"""The score away from the board: score card, recap, one sheet of paper, a picture for a link, and JSON."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Max, Min
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import replace

from games import confirming, results, view_models
from games.core import RequestRefused, State, ViewModel, clean_int, isolated
from games.live.hub import Audience
from games.match import storage
from games.models import Entry, Match
from games.pages import common
from games.pages.common import back_to, field, match_of, refusing, seat_of, tap_key, validated
from games.pages.records import story
from games.pages.records.past import Past
from games.pages.records.story import Story
from games.pages.table import boards
from games.pages.table.boards import who_won
from games.pages.table.loaded import Table
from games.people import seats
from games.people.seats import Phone
from games.pictures import charts, poster
from games.pictures.charts import Chart, ChartRow
from games.results import result_of
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models.game_page import signed
from games.web import TAPS, address_for_others, address_to_scan, one_moment, tag, too_fast, with_data


class Confirmation(ViewModel):
    """One seat's points in a round. `key` is the form's idempotency key if this phone may confirm them."""

    seat: str
    mark: int
    name: str
    points: str
    total: str
    confirmed: bool = False
    key: str = ""


class ScoreRound(ViewModel):
    """A round of the score card. `seen` is the fingerprint of the points that a confirmation confirms."""

    number: int
    label: str
    seats: tuple[Confirmation, ...]
    reasons: tuple[str, ...] = ()
    seen: str = ""
    all_confirmed: bool = False

    @property
    def has_more(self) -> bool:
        """Whether anything comes below the points: why they were given, who has confirmed them or may."""
        return bool(self.reasons) or any(seat.confirmed or seat.key for seat in self.seats)


class ScorePage(ViewModel):
    """The score card of a table: its chart, then one table, newest round last.

    `heading` is what the game calls a round. `tallies` are rows of numbers that the game counts, seat by seat
    ("Units destroyed"). `several`: this phone holds more than one seat.
    """

    title: str
    code: str
    back: view_models.Link
    post_url: str
    print_url: str
    seats: tuple[view_models.SeatScore, ...]
    rounds: tuple[ScoreRound, ...]
    heading: str
    charts: tuple[Chart, ...] = ()
    tallies: tuple[ChartRow, ...] = ()
    minutes: str = ""
    result: str = ""
    several: bool = False
    notice: view_models.Notice | None = None
    result_url: str = ""
    replay_url: str = ""
    share: view_models.Share | None = None
    verify_url: str = ""


class PrintPage(ViewModel):
    """The whole position on one sheet of paper, as everybody may read it.

    `density` is 1 to 5: the more there is to say, the smaller the print. `at` is when the match last
    changed; `asked` says whose turn it is.
    """

    title: str
    code: str
    back: view_models.Link
    board: view_models.Board
    asked: str
    at: str
    address: str
    density: int = 1


LARGEST_ROUND = 9999


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def score(request: HttpRequest, code: str) -> HttpResponse:
    """A table's score card; a POST is a seat's confirmation of one round."""
    if request.method == "POST":
        return _confirm(request, code)
    return _score_page(request, code, seats.phone(request, match_of(code).code))


def _confirm(request: HttpRequest, code: str) -> HttpResponse:
    phone, seat = seat_of(request, code)
    if refusal := too_fast(request, TAPS, f"{code}/{seat}"):
        return refusal
    number = validated(clean_int, field(request, "round"), 0, LARGEST_ROUND)
    try:
        with phone.speaks(code, seat):
            confirming.confirm(code, seat, number, field(request, "seen"), tap_key(request))
    except RequestRefused as refused:
        notice = view_models.Notice(words(refused.line), "bad")
        return _score_page(request, code, phone, notice, refused.status)
    return HttpResponseRedirect(f"{reverse('score', args=[code])}#round-{number}")


def _score_page(
    request: HttpRequest,
    code: str,
    phone: Phone,
    notice: view_models.Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    with one_moment():
        page = _card_of(request, match_of(code), phone, notice)
    return render(request, "records/score.html", {"page": page}, status=status)


def _card_of(
    request: HttpRequest, match: Match, phone: Phone, notice: view_models.Notice | None
) -> ScorePage:
    table = Table(match)
    return ScorePage(
        title=_(table.game.mode(match.mode).title),
        code=match.code,
        back=back_to(match),
        post_url=reverse("score", args=[match.code]),
        print_url=reverse("print", args=[match.code]),
        verify_url=reverse("verify", args=[match.code]),
        seats=table.page.seat_scores(),
        rounds=_Card(table, phone).rounds(),
        heading=_(table.game.round_word),
        charts=tuple(_charts(table)),
        tallies=tuple(
            charts.ChartRow(label, tuple(map(str, values))) for label, values in table.page.tallies()
        ),
        minutes=_minutes(match),
        result=who_won(table.page) if match.result is not None else "",
        several=len(phone.seats) > 1,
        notice=notice,
        result_url=reverse("result", args=[match.code]),
        replay_url=reverse("replay", args=[match.code]),
        share=share_of(request, table, "score"),
    )


@dataclass
class _Card:
    """The rounds of one table's score card as one phone sees them."""

    table: Table
    phone: Phone

    def rounds(self) -> tuple[ScoreRound, ...]:
        """What was scored in each round, and who has confirmed it."""
        self.nonce = secrets.token_urlsafe(12)
        said = confirming.confirmed(self.table.match, self.table.state)
        return tuple(
            self.round(number, said.get(number, frozenset()))
            for number in confirming.scored(self.table.state)
        )

    def round(self, number: int, agreed: frozenset[str]) -> ScoreRound:
        """A round of the card: its points by side, what they are for, and who has agreed."""
        state, line = self.table.state, self.table.page.score_line(number)
        cells = zip(self.table.page.seat_scores(), self.table.page.points_in(number).values(), strict=True)
        return ScoreRound(
            number,
            line.label,
            tuple(self.seat(number, score, signed(points), score.key in agreed) for score, points in cells),
            line.reasons,
            confirming.fingerprint(state, number),
            all_confirmed=len(agreed) == len(state.seats),
        )

    def seat(self, number: int, score: view_models.SeatScore, points: str, agreed: bool) -> Confirmation:
        """A side's points in a round, and whether this phone may confirm them."""
        state = self.table.state
        may = score.key in self.phone.seats and not agreed and number in confirming.confirmable(state)
        key = f"{self.nonce}-{number}-{score.key}" if may else ""
        return Confirmation(
            seat=score.key,
            mark=score.mark,
            name=score.name,
            points=points,
            total=str(total(state, score.key, number)),
            confirmed=agreed,
            key=key,
        )


# --- charts --------------------------------------------------------------------------------------


def _charts(table: Table) -> Iterator[charts.Chart]:
    """The points of each side, drawn once several rounds have some; the table below gives the numbers."""
    if table.state.scores and len(confirming.scored(table.state)) > 1:
        yield replace(points_chart(table), rows=())


def points_chart(table: Table) -> charts.Chart:
    numbers = confirming.scored(table.state)
    series = [
        charts.Series(side.mark, side.name, tuple(total(table.state, side.key, number) for number in numbers))
        for side in table.page.seat_scores()
    ]
    text = _(", ").join(f"{isolated(side.name)} {side.values[-1]}" for side in series)
    return charts.lines(_about(table, "points", _("Score"), text), _spans(table, numbers), series)


def total(state: State, seat: str, number: int) -> int:
    """A seat's points at the end of a round."""
    return sum(
        score.points for score in state.scores.values() if score.seat == seat and score.round <= number
    )


def _minutes(match: Match) -> str:
    """How long the match has lasted, from its first entry to its last; "" if it rounds to no minute."""
    played = Entry.objects.filter(match=match).exclude(kind=Entry.Kind.REMARK)
    span = played.aggregate(begun=Min("created_at"), last=Max("created_at"))
    minutes = round((span["last"] - span["begun"]).total_seconds() / 60) if span["begun"] else 0
    sentence = ngettext("%(minutes)s minute in total", "%(minutes)s minutes in total", minutes)
    return sentence % {"minutes": minutes} if minutes else ""


def _about(table: Table, key: str, title: str, text: str) -> charts.About:
    return charts.About(key, title, text, _(table.game.round_word))


def _spans(table: Table, numbers: Iterable[int]) -> list[charts.Span]:
    return [charts.Span(words(table.game.round_name(number)), str(number)) for number in numbers]


LINES = (62, 84, 108, 138)
"""Lines that fit on the sheet in each size of print, largest print first; more take the smallest size."""
PICTURE_SECONDS = 60 * 60
"""Seconds that the picture of one version may be cached."""


@require_safe
@refusing
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    """The whole position and score on one sheet, for the moment when the battery dies.

    It shows only what everybody may read, no matter who prints it: a sheet of paper lies open on the table.
    """
    with one_moment():
        page = _sheet(request, match_of(code))
    return render(request, "records/print.html", {"page": page})


def _sheet(request: HttpRequest, match: Match) -> PrintPage:
    table = Table(match)
    board = boards.board(table, Audience((), "", "print"))
    names = _(", ").join(table.page.name(seat) for seat in table.awaited)
    return PrintPage(
        title=board.title,
        code=match.code,
        back=back_to(match),
        board=board,
        asked=_("Waiting for %(names)s") % {"names": names} if names else "",
        at=f"{timezone.localtime(match.changed_at):%Y-%m-%d %H:%M %Z}",
        address=address_to_scan(request, reverse("table", args=[match.code])),
        density=density(board),
    )


def density(board: view_models.Board) -> int:
    """The size of print that fits a whole board on one sheet: 1 is the largest."""
    lines = weight(board)
    return 1 + sum(lines > room for room in LINES)


def weight(board: view_models.Board) -> int:
    """About how many lines of print a board takes."""
    cards = [card for side in board.sides for group in side.groups for card in group.cards]
    score = sum(1 + len(line.reasons) for line in board.middle.score.lines) if board.middle.score else 0
    middle = sum(map(_card_lines, board.middle.objectives)) + 2 * len(board.middle.tiles)
    middle += sum(2 + sum(map(_place_lines, region.cards)) for region in board.middle.regions)
    piles = sum(2 * len(side.folds) for side in board.sides)
    return sum(map(_card_lines, cards)) + 3 * len(board.sides) + piles + middle + score


def _card_lines(card: view_models.Card) -> int:
    """The lines of a card: name, title, attachments, text, and its badges two by two."""
    return 1 + bool(card.title) + len(card.attached) + bool(card.text) + (len(card.badges) + 1) // 2


def _place_lines(card: view_models.Card) -> int:
    """The lines of a place among many: what is there follows its name."""
    return 0 if card.is_bare else 1 + (len(card.badges) > 2)


@require_safe
@refusing
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """The public score as a picture, for those who post the table's address.

    The address that a page gives names the version (`?v=`) and may be cached for an hour; without it, or
    once a backup was restored, the picture is fetched each time.
    """
    with one_moment():
        return _picture(request, match_of(code))


def _picture(request: HttpRequest, match: Match) -> HttpResponse:
    etag = f'"{tag(match.version, match.chain, get_language() or "en")}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(poster.png(poster_of(Table(match))), content_type="image/png")
        response["ETag"] = etag
    is_current = request.GET.get("v") == with_data(match.version)
    patch_cache_control(
        response, public=True, **({"max_age": PICTURE_SECONDS} if is_current else {"no_cache": True})
    )
    # The language may have been chosen on a page, and then a cookie says which.
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def poster_of(table: Table) -> poster.Poster:
    page, result = table.page, table.match.result
    mode, game = _(table.game.mode(table.match.mode).title), _(table.game.title)
    return poster.Poster(
        title=mode,
        subtitle=game if game != mode else "",
        detail=_standing(table),
        seats=page.seat_scores(),
        winner=page.marks.get(result.get("winner") or "", 0) if result else 0,
        armies=tuple(side.army for side in page.sides()),
        won=_("Winner"),
    )


def share_of(request: HttpRequest, table: Table, name: str = "table") -> view_models.Share:
    """What a page of the table says about itself where its address is posted: who plays, and the score.

    `name` is that of the page's address. The picture shows the present: a match that is shown late has none.
    """
    path = reverse(name, args=[table.match.code])
    title = " – ".join(f"{isolated(side.name)} {side.score}" for side in table.page.seat_scores())
    text = f"{_(table.game.mode(table.match.mode).title)} · {_standing(table)}"
    if isinstance(table, Past):
        return common.share(request, path, title, text)
    image = f"{reverse('picture', args=[table.match.code])}?v={with_data(table.match.version)}"
    return view_models.Share(
        title,
        text,
        address_for_others(request, path),
        address_for_others(request, image),
        f"{title} · {_standing(table)}",
    )


def _standing(table: Table) -> str:
    """The round, or how it ended."""
    label = words(table.game.round_name(table.state.round, table.page.rounds()))
    if table.match.result is None:
        return label
    return f"{boards.who_won(table.page)} · {label}"


DAY = 24 * 60 * 60


@require_safe
@refusing
def result(request: HttpRequest, code: str) -> HttpResponse:
    """A match as open JSON, for anyone who knows its code: the result, or the score so far."""
    match = match_of(code)
    return answer_with(request, match)


def answer_with(request: HttpRequest, match: Match) -> HttpResponse:
    """The result of a match, or the answer that the reader has it already."""
    response = get_conditional_response(request, etag=_result_tag(match))
    if response is None:
        with one_moment():
            match.refresh_from_db()
            result = result_of(match, Table(match).state)
        response = HttpResponse(
            json.dumps(result, ensure_ascii=False, indent=1), content_type="application/json"
        )
        response["ETag"] = _result_tag(match)
        response["Link"] = f'<{results.SCHEMA_URL}>; rel="describedby"'
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _result_tag(match: Match) -> str:
    return f'"{tag(match.version, match.chain, get_language() or "en", "result")}"'


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of a result. The meaning of what it describes never changes, so it may be cached."""
    response = HttpResponse(results.schema_text(), content_type="application/schema+json")
    patch_cache_control(response, public=True, max_age=DAY)
    # A validator may well run on another site.
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


SECONDS, MOST_LINES = 20, 4
"""How long the recap plays, and how many sentences it shows of a round."""


class SceneSide(ViewModel):
    """One side when a round was over. `before` and `gained` are percentages of the highest score."""

    mark: int
    name: str
    score: int
    change: str
    before: float
    gained: float
    counted: str = ""


class Scene(ViewModel):
    """One round: how it stood at its end, what was scored, what was lost; `at` is how far along it ended."""

    label: str
    url: str
    at: float
    sides: tuple[SceneSide, ...]
    lines: tuple[str, ...]


class RecapPage(ViewModel):
    """`records/recap.html`: the rounds in turn, and last how it ended. `address` is what is shared."""

    title: str
    code: str
    back: view_models.Link
    scenes: tuple[Scene, ...]
    result: view_models.Result
    story: Story
    address: str
    share: view_models.Share
    seconds: int = SECONDS


@require_safe
@refusing
def recap(request: HttpRequest, code: str) -> HttpResponse:
    """The rounds of a finished match, as everybody may see them; as long as it is played, its table."""
    with one_moment():
        match = match_of(code)
        if match.result is None:
            return HttpResponseRedirect(reverse("table", args=[match.code]))
        page = _page(request, match)
    return render(request, "records/recap.html", {"page": page})


def _page(request: HttpRequest, match: Match) -> RecapPage:
    table = Table(match)
    result = table.page.g.result
    winner = result["winner"]
    how = table.page.ended_how(result["how"])
    mark = table.page.marks[winner] if winner else 0
    return RecapPage(
        title=_(table.game.mode(match.mode).title),
        code=match.code,
        back=back_to(match),
        scenes=tuple(_scenes(table)),
        result=view_models.Result(who_won(table.page), how, mark),
        story=story.of(table, table.page.sides()),
        address=address_for_others(request, reverse("recap", args=[match.code])),
        share=share_of(request, table, "recap"),
    )


def _scenes(table: Table) -> Iterator[Scene]:
    """Each round as it stood at its last action that counts, with the points that were given in it."""
    outline = storage.outline(table.match)
    ends = {
        entry.round: entry.version for entry in outline if entry.round and not (entry.undone or entry.undoing)
    }
    totals = {number: [total(table.state, seat, number) for seat in table.state.seats] for number in ends}
    highest, standing = max(1, *map(max, totals.values())), dict[int, frozenset[str]]()
    for number, version in sorted(ends.items()):
        page = Past(table.match, version).page
        left = {side.mark: entry for side in page.sides() if (entry := story.standing(side))}
        changes = table.page.points_in(number).values()
        yield Scene(
            words(table.game.round_name(number)),
            reverse("replay-moment", args=[table.match.code, version]),
            charts.along(min(version, len(outline) - 1), len(outline)),
            tuple(
                SceneSide(
                    seat.mark,
                    seat.name,
                    now,
                    signed(change) if change else "",
                    100 * max(0, min(now - change, now)) / highest,
                    100 * max(0, min(change, now)) / highest,
                    left[seat.mark].counted if seat.mark in left else "",
                )
                for seat, change, now in zip(page.seat_scores(), changes, totals[number], strict=True)
            ),
            (*table.page.score_line(number).reasons, *_lost(standing, left))[:MOST_LINES],
        )
        standing = {mark: frozenset(entry.units) for mark, entry in left.items()}


def _lost(before: dict[int, frozenset[str]], now: dict[int, story.Standing]) -> Iterator[str]:
    """What each side has lost since then."""
    for mark, standing in now.items():
        if gone := sorted(before.get(mark, frozenset()) - {*standing.units}):
            yield _("%(name)s lost %(pieces)s.") % {"name": standing.name, "pieces": _(", ").join(gone)}
