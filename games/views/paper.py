"""The table away from the screen, on one sheet of paper."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.network import address_for_others
from games import shapes
from games.live import Audience
from games.views import boards
from games.views.access import Request, back_to, match_of, refusing

LINES = (62, 84, 108, 138)
"""How many lines of print each size has room for on the sheet, the largest first; more take the smallest."""


@require_safe
@never_cache
@refusing
def sheet(request: Request, code: str) -> HttpResponse:
    """The whole position and score on one sheet, for the moment when the battery dies.

    It is what everybody may read, whoever prints it: a sheet of paper lies open on the table.
    """
    match = match_of(code)
    table = boards.Table(match)
    board = boards.board(table, Audience((), "", "print"))
    names = _(", ").join(table.page.name(seat) for seat in table.asked)
    page = shapes.PrintPage(
        board.title,
        match.code,
        back_to(match),
        board,
        _("Waiting for %(names)s") % {"names": names} if names else "",
        f"{timezone.localtime(match.changed_at):%Y-%m-%d %H:%M %Z}",
        address_for_others(request, reverse("table", args=[match.code])),
        density(board),
    )
    return render(request, "print.html", {"page": page})


def density(board: shapes.Board) -> int:
    """Which size of print leaves the whole of a board on one sheet: 1 is the largest."""
    lines = weight(board)
    return 1 + sum(lines > room for room in LINES)


def weight(board: shapes.Board) -> int:
    """About how many lines of print a board takes."""
    cards = [card for side in board.sides for group in side.groups for card in group.cards]
    score = sum(1 + len(line.reasons) for line in board.middle.score.lines) if board.middle.score else 0
    middle = sum(map(_lines, board.middle.objectives)) + 2 * len(board.middle.tiles)
    return sum(map(_lines, cards)) + 3 * len(board.sides) + middle + score


def _lines(card: shapes.Card) -> int:
    """A card's name, what is attached, its text, and its badges side by side."""
    return 1 + bool(card.title) + len(card.attached) + bool(card.text) + (len(card.badges) + 1) // 2
