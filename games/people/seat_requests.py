"""Guests who ask for a free seat; anyone seated answers.

None of it is logged: a stranger's request is not part of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest

from games.core.words import gettext_noop as _
from games.core.words import say
from games.match.verdict import RequestRefused
from games.models import Match, Seat, SeatRequest
from games.people import seats
from games.web import clock

SESSION_ASKS = "asks"

MOST_REQUESTS = 3
"""How many guests may wait for a table's answer; a fourth is asked to come back."""
REQUEST_MINUTES = 10
"""After this long nobody is assumed to be waiting any more."""

on_ask: list[Callable[[str], None]] = []
"""Called with the match's code, after the commit, when somebody asks for a seat or no longer does."""


def ask_for(request: HttpRequest, seat: Seat, name: str, key: str = "") -> None:
    """Ask for a free seat; anyone seated grants it with one tap.

    `RequestRefused` (409) if the seat is taken or several are waiting.
    """
    if seat.is_taken:
        raise seats.seat_taken()
    own = seats.hash_of("asker", request.session.get(SESSION_ASKS, key))
    others = open_requests(seat.match).exclude(asker_hash=own)
    if others.count() >= MOST_REQUESTS:
        line = _("Several guests are waiting for an answer already. Please ask again in a few minutes.")
        raise RequestRefused(say(line), 409, "many_ask")
    if SESSION_ASKS not in request.session:
        # A cookie that somebody planted must not get the seat that this phone asks for.
        request.session[SESSION_ASKS] = key or seats.new_key()
        seats.session_of(request).start_over()
    fresh = {"name": name, "granted_at": None, "declined_at": None, "created_at": clock.now()}
    SeatRequest.objects.update_or_create(seat=seat, asker_hash=_asker(request), defaults=fresh)
    _tell_asked(seat.match.code)


def open_requests(match: Match) -> QuerySet[SeatRequest]:
    """The requests that wait for an answer, the oldest first."""
    since = clock.now() - timedelta(minutes=REQUEST_MINUTES)
    asked = SeatRequest.objects.filter(seat__match=match, seat__is_taken=False, created_at__gte=since)
    return asked.filter(granted_at=None, declined_at=None).select_related("seat").order_by("pk")


def is_waiting(asked: SeatRequest) -> bool:
    """Whether this request still waits for its answer."""
    since = clock.now() - timedelta(minutes=REQUEST_MINUTES)
    return asked.granted_at is None and asked.declined_at is None and asked.created_at >= since


def request_of(match: Match, number: int) -> SeatRequest:
    """The request with this number; `RequestRefused` (409) once it is gone."""
    asked = SeatRequest.objects.filter(pk=number, seat__match=match, seat__is_taken=False).first()
    if asked is None:
        raise RequestRefused(say(_("Nobody is asking for that seat any more.")), 409, "gone")
    return asked


def grant(asked: SeatRequest) -> bool:
    """Let the asker have the seat; their phone sits down by itself. Returns whether this is news."""
    waiting = SeatRequest.objects.filter(pk=asked.pk, granted_at=None)
    return bool(waiting.update(granted_at=clock.now(), declined_at=None))


def decline(asked: SeatRequest) -> None:
    """Do not let the asker have the seat."""
    SeatRequest.objects.filter(pk=asked.pk).update(granted_at=None, declined_at=clock.now())
    _tell_asked(asked.seat.match.code)


def _tell_asked(code: str) -> None:
    for listener in on_ask:
        transaction.on_commit(partial(listener, code))


def own_request(request: HttpRequest, match: Match) -> SeatRequest | None:
    """This phone's request for a seat that is still free: a granted one first, a declined one last."""
    if SESSION_ASKS not in request.session:
        return None
    asked = SeatRequest.objects.filter(seat__match=match, seat__is_taken=False, asker_hash=_asker(request))
    return (
        asked.select_related("seat")
        .order_by(F("granted_at").asc(nulls_last=True), F("declined_at").asc(nulls_first=True), "pk")
        .first()
    )


def granted_seat(request: HttpRequest, match: Match) -> Seat:
    """The seat that was granted to this phone; `RequestRefused` (409) if none was."""
    asked = own_request(request, match)
    if asked is None or asked.granted_at is None:
        raise RequestRefused(say(_("Nobody has given you a seat yet.")), 409, "not_granted")
    return asked.seat


def _asker(request: HttpRequest) -> str:
    return seats.hash_of("asker", request.session[SESSION_ASKS])
