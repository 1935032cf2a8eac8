"""The recap of a finished match: what each round brought, played by the page in twenty seconds."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import view_models
from games.core import ViewModel
from games.match import moments
from games.models import Match
from games.pages.common import back_to, match_of, refusing
from games.pages.records import story
from games.pages.records.past import Past
from games.pages.records.score_card import share_of, total
from games.pages.records.story import Story
from games.pages.table.boards import who_won
from games.pages.table.loaded import Table
from games.pictures import charts
from games.translation import gettext as _
from games.translation import words
from games.view_models.game_page import signed
from games.web import address_for_others, one_moment

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
    outline = moments.outline(table.match)
    ends = {one.round: one.version for one in outline if one.round and not (one.undone or one.undoing)}
    totals = {number: [total(table.state, seat, number) for seat in table.state.seats] for number in ends}
    highest, standing = max(1, *map(max, totals.values())), dict[int, frozenset[str]]()
    for number, version in sorted(ends.items()):
        page = Past(table.match, version).page
        left = {side.mark: one for side in page.sides() if (one := story.standing(side))}
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
        standing = {mark: frozenset(one.units) for mark, one in left.items()}


def _lost(before: dict[int, frozenset[str]], now: dict[int, story.Standing]) -> Iterator[str]:
    """What each side has lost since then."""
    for mark, one in now.items():
        if gone := sorted(before.get(mark, frozenset()) - {*one.units}):
            yield _("%(name)s lost %(pieces)s.") % {"name": one.name, "pieces": _(", ").join(gone)}
