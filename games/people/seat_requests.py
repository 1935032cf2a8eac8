"""Guests who ask for a free seat; anyone seated answers.

None of it is logged: a stranger's request is not part of the match.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from games.core import RequestRefused, say
from games.core import gettext_noop as _
from games.history.signals import requests_changed
from games.models import Match, Seat, SeatRequest
from games.people import seats
from games.web import address, clock

SESSION_ASKS = "asks"

MOST_REQUESTS, MOST_IN_ALL = 3, 12
"""How many guests may wait for a table's answer: from one address, in all. The next has to come back."""
REQUEST_MINUTES = 10
"""After this long nobody is assumed to be waiting any more."""

CLOSED = _("This table takes no requests for seats. Ask a player to show you the seat’s own code.")


def ask_for(request: HttpRequest, seat: Seat, name: str, key: str = "") -> None:
    """Ask for a free seat; anyone seated grants it with one tap.

    `RequestRefused` (409) if the seat is taken, the table takes no requests, or too many are waiting.
    """
    if seat.is_taken:
        raise seats.seat_taken()
    if not seat.match.takes_requests:
        raise RequestRefused(say(CLOSED), 409, "closed")
    own, here = seats.hash_of("asker", request.session.get(SESSION_ASKS, key)), _address(request, seat.match)
    others = [one.address_hash for one in open_requests(seat.match).exclude(asker_hash=own)]
    if len(others) >= MOST_IN_ALL or others.count(here) >= MOST_REQUESTS:
        line = _("Several guests are waiting already. Ask a player to show you the seat’s own code.")
        raise RequestRefused(say(line), 409, "many_ask")
    if SESSION_ASKS not in request.session:
        # A cookie that somebody planted must not get the seat that this phone asks for.
        request.session[SESSION_ASKS] = key or seats.new_key()
        seats.session_of(request).start_over()
    fresh = {"name": name, "granted_at": None, "declined_at": None, "created_at": clock.now()}
    fresh |= {"address_hash": here}
    SeatRequest.objects.update_or_create(seat=seat, asker_hash=_asker(request), defaults=fresh)
    _tell_asked(seat.match.code)


def open_requests(match: Match) -> QuerySet[SeatRequest]:
    """The requests that wait for an answer: addresses take turns, and a refusal was one.

    Who asks again after a refusal is the last from that address.
    """
    since = clock.now() - timedelta(minutes=REQUEST_MINUTES)
    asked = SeatRequest.objects.filter(seat__match=match, seat__is_taken=False, created_at__gte=since)
    beside = asked.filter(address_hash=OuterRef("address_hash"), created_at__lt=OuterRef("created_at"))
    earlier = beside.order_by().values("address_hash").annotate(number=Count("pk")).values("number")
    waiting = asked.filter(granted_at=None, declined_at=None).annotate(turn=Coalesce(Subquery(earlier), 0))
    return waiting.select_related("seat").order_by("turn", "created_at", "pk")


def take_requests(match: Match, takes: bool) -> None:
    """Let guests ask for seats again, or turn all away who ask and let nobody ask any more.

    Whoever has the link of a seat still sits down.
    """
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(takes_requests=takes)
        if not takes:
            open_to = SeatRequest.objects.filter(seat__match=match, granted_at=None, declined_at=None)
            open_to.update(declined_at=clock.now())
        _tell_asked(match.code)


def is_waiting(asked: SeatRequest) -> bool:
    """Whether this request still waits for its answer."""
    since = clock.now() - timedelta(minutes=REQUEST_MINUTES)
    return asked.granted_at is None and asked.declined_at is None and asked.created_at >= since


def request_of(match: Match, number: int) -> SeatRequest:
    """The request with this number; `RequestRefused` (409) once it is gone."""
    asked = SeatRequest.objects.filter(pk=number, seat__match=match, seat__is_taken=False).first()
    if asked is None:
        raise RequestRefused(say(_("No one is asking for that seat any more.")), 409, "gone")
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
    transaction.on_commit(partial(requests_changed.send, SeatRequest, code=code))


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
        raise RequestRefused(say(_("You have no seat yet.")), 409, "not_granted")
    return asked.seat


def _address(request: HttpRequest, match: Match) -> str:
    """A keyed hash of the asking address, which tells nothing at another table."""
    return seats.hash_of("asking address", match.code, address(request))


def _asker(request: HttpRequest) -> str:
    return seats.hash_of("asker", request.session[SESSION_ASKS])
