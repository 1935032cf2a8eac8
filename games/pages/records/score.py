"""The score card: points by round with their reasons, both sides' confirmation, and charts."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Max, Min
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games import view_models
from games.core import validation
from games.core.records import replace
from games.core.state import State
from games.core.words import isolated
from games.history.verdict import RequestRefused
from games.models import Entry, Match
from games.pages.access import back_to, field, match_of, refusing, seat_of, tap_key, validated
from games.pages.records import paper
from games.pages.table.boards import who_won
from games.pages.table.loaded import Table
from games.people import seats
from games.people.seats import Phone
from games.pictures import charts
from games.record import confirming
from games.translation import words
from games.view_models.game_page import signed
from games.web import limits
from games.web.database import one_moment

LARGEST_ROUND = 9999


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def score(request: HttpRequest, code: str) -> HttpResponse:
    """A table's score card; a POST is a seat's confirmation of one round."""
    if request.method == "POST":
        return _confirm(request, code)
    return _page(request, code, seats.phone(request, match_of(code).code))


def _confirm(request: HttpRequest, code: str) -> HttpResponse:
    phone, seat = seat_of(request, code)
    if refusal := limits.too_fast(request, limits.TAPS, f"{code}/{seat}"):
        return refusal
    number = validated(validation.clean_int, field(request, "round"), 0, LARGEST_ROUND)
    try:
        with phone.speaks(code, seat):
            confirming.confirm(code, seat, number, field(request, "seen"), tap_key(request))
    except RequestRefused as refused:
        notice = view_models.Notice(words(refused.line), "bad")
        return _page(request, code, phone, notice, refused.status)
    return HttpResponseRedirect(f"{reverse('score', args=[code])}#round-{number}")


def _page(
    request: HttpRequest,
    code: str,
    phone: Phone,
    notice: view_models.Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    with one_moment():
        page = _card(request, match_of(code), phone, notice)
    return render(request, "records/score.html", {"page": page}, status=status)


def _card(
    request: HttpRequest, match: Match, phone: Phone, notice: view_models.Notice | None
) -> view_models.ScorePage:
    table = Table(match)
    return view_models.ScorePage(
        title=_(table.game.mode(match.mode).title),
        code=match.code,
        back=back_to(match),
        post_url=reverse("score", args=[match.code]),
        print_url=reverse("print", args=[match.code]),
        seats=table.page.seat_scores(),
        rounds=_Card(table, phone).rounds(),
        heading=_(table.game.round_word),
        charts=tuple(_charts(table)),
        tallies=tuple(
            view_models.ChartRow(label, tuple(map(str, values))) for label, values in table.page.tallies()
        ),
        minutes=_minutes(match),
        result=who_won(table.page) if match.result is not None else "",
        several=len(phone.seats) > 1,
        notice=notice,
        result_url=reverse("result", args=[match.code]),
        replay_url=reverse("replay", args=[match.code]),
        share=paper.share(request, table, "score"),
    )


@dataclass
class _Card:
    """The rounds of one table's score card as one phone sees them."""

    table: Table
    phone: Phone

    def rounds(self) -> tuple[view_models.ScoreRound, ...]:
        """What was scored in each round, and who has confirmed it."""
        self.nonce = secrets.token_urlsafe(12)
        said = confirming.confirmed(self.table.match, self.table.state)
        return tuple(
            self.round(number, said.get(number, frozenset()))
            for number in confirming.scored(self.table.state)
        )

    def round(self, number: int, agreed: frozenset[str]) -> view_models.ScoreRound:
        """A round of the card: its points by side, what they are for, and who has agreed."""
        state, line = self.table.state, self.table.page.score_line(number)
        cells = zip(self.table.page.seat_scores(), self.table.page.points_in(number).values(), strict=True)
        return view_models.ScoreRound(
            number,
            line.label,
            tuple(self.seat(number, one, signed(points), one.key in agreed) for one, points in cells),
            line.reasons,
            confirming.fingerprint(state, number),
            all_confirmed=len(agreed) == len(state.seats),
        )

    def seat(
        self, number: int, one: view_models.SeatScore, points: str, agreed: bool
    ) -> view_models.Confirmation:
        """A side's points in a round, and whether this phone may confirm them."""
        state = self.table.state
        total = _total(state, one.key, number)
        may = one.key in self.phone.seats and not agreed and number in confirming.settled(state)
        key = f"{self.nonce}-{number}-{one.key}" if may else ""
        return view_models.Confirmation(
            seat=one.key,
            mark=one.mark,
            name=one.name,
            points=points,
            total=str(total),
            confirmed=agreed,
            key=key,
        )


# --- charts --------------------------------------------------------------------------------------


def _charts(table: Table) -> Iterator[view_models.Chart]:
    """The points of each side, drawn once several rounds have some; the table below gives the numbers."""
    if table.state.scores and len(confirming.scored(table.state)) > 1:
        yield replace(points_chart(table), rows=())


def points_chart(table: Table) -> view_models.Chart:
    """The points of each side, round by round."""
    numbers = confirming.scored(table.state)
    series = [
        charts.Series(one.mark, one.name, tuple(_total(table.state, one.key, number) for number in numbers))
        for one in table.page.seat_scores()
    ]
    text = _(", ").join(f"{isolated(one.name)} {one.values[-1]}" for one in series)
    return charts.lines(_about(table, "points", _("Score"), text), _spans(table, numbers), series)


def _total(state: State, seat: str, number: int) -> int:
    """A seat's points at the end of a round."""
    return sum(one.points for one in state.scores.values() if one.seat == seat and one.round <= number)


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
