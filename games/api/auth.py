"""Who is asking, for which table, and not too often: what every address of the API checks first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.core import RequestRefused, say
from games.core import gettext_noop as _
from games.models import Match
from games.pages.common import match_of
from games.pages.watching.watch import SHOWN_LATE, is_late
from games.people import seats
from games.people.seats import Phone
from games.web import Limit, address, list_too_soon, too_fast, wrong_guess


class TooFast(Exception):
    """Somebody asks too often; `response` says how long to wait."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


def reader(request: HttpRequest, code: str) -> tuple[Match, Phone]:
    """The match with this code and the seat of the caller's token; without a token the caller watches.

    A session counts for nothing here, so no page of another site can use one. A match that is shown late is
    open only to its seats (otherwise 403).
    """
    match, phone = _caller(request, code)
    if is_late(match) and not phone.seats:
        raise RequestRefused(say(SHOWN_LATE), 403, "shown_late")
    return match, phone


def _caller(request: HttpRequest, code: str) -> tuple[Match, Phone]:
    try:
        match = match_of(code)
        phone = seats.bearer(request, match)
    except RequestRefused:
        guessed(request)
        raise
    return match, phone


def player(request: HttpRequest, code: str) -> tuple[Match, str, int]:
    """The match with this code, the seat of the caller's token and its epoch; 401 for a caller without one.

    The match was read before the seat, so its `freed` is no later than that epoch.
    """
    match, phone = _caller(request, code)
    if not phone.seats:
        raise RequestRefused(say(_("Only a player can do this. Send the token of a seat.")), 401, "no_token")
    return match, *phone.epochs[0]


def guessed(request: HttpRequest) -> None:
    """Count a code or token that opens nothing; `TooFast` for a caller who sends too many of them."""
    _refuse(wrong_guess(request))


def slow_down(request: HttpRequest, limit: Limit, key: str | None = None, amount: float = 1) -> None:
    """Take one, or another amount, by default for the caller's address; `TooFast` if that is not left."""
    _refuse(too_fast(request, limit, address(request) if key is None else key, amount))


def slow_lists(request: HttpRequest, key: str = "") -> None:
    """Count a request with an army list (`limits.list_too_soon`); `TooFast` if there were too many."""
    _refuse(list_too_soon(request, key))


def _refuse(response: HttpResponse | None) -> None:
    if response is not None:
        raise TooFast(response)
