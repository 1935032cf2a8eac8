"""The table off the screen: one sheet of paper, and the picture shown with a posted address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import view_models
from games.core.words import isolated
from games.live.hub import Audience
from games.models import Match
from games.pages import preview
from games.pages.access import back_to, match_of, refusing
from games.pages.records.past import Past
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.pictures import poster
from games.translation import words
from games.web.database import one_moment
from games.web.network import address_for_others, address_to_scan
from games.web.program import tag, with_data

LINES = (62, 84, 108, 138)
"""Lines that fit on the sheet in each size of print, largest print first; more take the smallest size."""


KEPT = 60 * 60
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


def _sheet(request: HttpRequest, match: Match) -> view_models.PrintPage:
    table = Table(match)
    board = boards.board(table, Audience((), "", "print"))
    names = _(", ").join(table.page.name(seat) for seat in table.awaited)
    return view_models.PrintPage(
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
    middle = sum(map(_lines, board.middle.objectives)) + 2 * len(board.middle.tiles)
    middle += sum(2 + sum(map(_place_lines, region.cards)) for region in board.middle.regions)
    piles = sum(2 * len(side.folds) for side in board.sides)
    return sum(map(_lines, cards)) + 3 * len(board.sides) + piles + middle + score


def _lines(card: view_models.Card) -> int:
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
    patch_cache_control(response, public=True, **({"max_age": KEPT} if is_current else {"no_cache": True}))
    # The language may have been chosen on a page, and then a cookie says which.
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def poster_of(table: Table) -> view_models.Poster:
    """What the picture shows."""
    page, result = table.page, table.match.result
    mode, game = _(table.game.mode(table.match.mode).title), _(table.game.title)
    return view_models.Poster(
        title=mode,
        subtitle=game if game != mode else "",
        detail=_standing(table),
        seats=page.seat_scores(),
        winner=page.marks.get(result.get("winner") or "", 0) if result else 0,
        armies=tuple(side.army for side in page.sides()),
        won=_("Winner"),
    )


def share(request: HttpRequest, table: Table, name: str = "table") -> view_models.Share:
    """What a page of the table says about itself where its address is posted: who plays, and the score.

    `name` is that of the page's address. The picture shows the present: a match that is shown late has none.
    """
    path = reverse(name, args=[table.match.code])
    title = " – ".join(f"{isolated(one.name)} {one.score}" for one in table.page.seat_scores())
    text = f"{_(table.game.mode(table.match.mode).title)} · {_standing(table)}"
    if isinstance(table, Past):
        return preview.share(request, path, title, text)
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
