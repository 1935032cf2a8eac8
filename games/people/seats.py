"""Who is this phone? Seats are claimed once, held in the session, checked against the rows each time.

A one-time link and an API token are keyed hashes of the seat, its epoch and its salt: nothing secret is
stored, and a new epoch invalidates all of them at once.

If the answer to a claim is lost, so is the session that came with it. The keys of the pages on which a device
claims seats came with the pages, in a cookie. So when the same link is opened or the same code is scanned
again on that device, the new page may repeat what an earlier one did (`claimed_before`). A planted cookie
gains nothing: each page makes a key of its own, and only a page's own key claims.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import transaction
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse

from games.core import RequestRefused, Unreadable, clean_key, is_number, say
from games.core import gettext_noop as _
from games.history.commits import random_code
from games.history.signals import requests_changed, seat_freed
from games.match.play import acting_for, seat_lost
from games.models import Army, Entry, Match, Seat, SeatRequest, new_salt
from games.people.sessions import SessionStore, holds, is_present, of_match
from games.prepared import Prepared
from games.web import address, clock, in_turn, keys, note_key

SESSION_SEATS = "seats"
MOST_TABLES = 200
"""At how many tables one phone keeps its seats, as each request reads them all; the oldest goes first."""
MOVE_MINUTES = 5
CLAIM_MINUTES = 10
"""For how long a phone that never got the answer may repeat its claim."""


@dataclass(frozen=True)
class Phone:
    """What a request may do at a table: the seats that it holds (none: it watches), with their epochs."""

    epochs: tuple[tuple[str, int], ...] = ()
    is_organiser: bool = False
    chairs: tuple[Seat, ...] = field(default=(), compare=False, repr=False)
    """All seats of the table as they were when this was read; none if the phone holds no seat."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The keys of the seats held, in the order of the table."""
        return tuple(key for key, _epoch in self.epochs)

    def seat(self, wanted: str = "") -> str:
        """The seat that an action is for; raises `RequestRefused` (403) for one that is not this phone's."""
        if not self.epochs:
            raise RequestRefused(say(_("You are watching this table. Only players can tap.")), 403, "no_seat")
        if not wanted:
            return self.seats[0]
        if wanted not in self.seats:
            raise seat_lost()
        return wanted

    def speaks(self, code: str, seat: str) -> AbstractContextManager[None]:
        """Actions in this block, for this seat of the table `code`, count only while the phone has it."""
        freed = sum(chair.epoch - 1 for chair in self.chairs)
        return acting_for(code, seat, dict(self.epochs)[seat], freed)


def phone(request: HttpRequest, code: str) -> Phone:
    """The seats of the table with this code that the request's session holds today."""
    organiser = _is_organiser(request)
    held: dict[str, int] = request.session.get(SESSION_SEATS, {}).get(code, {})
    if not held:
        return Phone((), organiser)
    at_table = tuple(chairs(code))
    own = (chair for chair in at_table if chair.is_taken and holds(held, chair))
    return Phone(tuple((chair.key, chair.epoch) for chair in own), organiser, at_table)


def held(request: HttpRequest) -> dict[str, dict[str, int]]:
    """What this device's session holds, by the code of the table; the oldest first."""
    return dict(request.session.get(SESSION_SEATS, {}))


def forget_finished(request: HttpRequest) -> None:
    """Make this device forget its finished matches; it keeps its seats where the match goes on."""
    tables = held(request)
    going_on = set(Match.objects.filter(code__in=tables, finished_at=None).values_list("code", flat=True))
    request.session[SESSION_SEATS] = {code: tables[code] for code in tables if code in going_on}


def _chairs_of(code: str) -> QuerySet[Seat]:
    match = Subquery(Match.objects.filter(code=code).order_by().values("pk"))
    return Seat.objects.filter(match=match).order_by("pk")


chairs = Prepared(_chairs_of, only=("id", "match_id", "key", "epoch", "is_taken", "blind_at"))
"""The rows of all seats of a table, in seating order, with the columns that phones and boards need."""


def bearer(request: HttpRequest, match: Match) -> Phone:
    """The seat that an API token in the Authorization header holds; 403 for a token that holds none."""
    header = request.headers.get("Authorization", "")
    if not header:
        return Phone()
    _scheme, _space, token = header.partition(" ")
    number, _dot, code = token.partition(".")
    seats = Seat.objects.select_related("match").filter(match=match)
    seat = seats.filter(pk=int(number)).first() if is_number(number) else None
    if seat is None or not keys.is_mac(code, *_token_of(seat)):
        raise _bad_token()
    return Phone(((seat.key, seat.epoch),))


def sit_down(
    request: HttpRequest, seat: Seat, key: str = "", *, by_link: bool = False, shows_sealed: bool = False
) -> bool:
    """Give a free seat to this phone; raises `RequestRefused` (409) if somebody was faster.

    A seat that only its API token has played can be taken by its link (`by_link`). What somebody sealed on it
    before stays hidden until the next question, unless they agreed to show it (`shows_sealed`).

    `key` is that of the page. A page that sends it again never got the answer, and gets the seat again: the
    result is then False.
    """
    free = Seat.objects.filter(pk=seat.pk, epoch=seat.epoch)
    free = free.filter(claimed_at=None) if by_link else free.filter(is_taken=False)
    was_held = seat.is_taken or seat.epoch > 1
    blind_at = seat.match.asked if was_held and has_sealed(seat) and not shows_sealed else None
    claim = {"claimed_at": clock.now(), "claim_hash": _claim_hash(key), "blind_at": blind_at}
    is_new = bool(free.update(is_taken=True, **claim))
    if not is_new and not is_repeated(seat, key):
        raise seat_taken()
    _hold(request, seat)
    return is_new


def has_sealed(seat: Seat) -> bool:
    """Whether there is anything that only this seat may see."""
    if Army.objects.filter(pk=seat.army_id).exclude(hidden={}).exists():
        return True
    return Entry.objects.filter(match=seat.match_id, sealed__has_key=seat.key).exists()


def blind(match: Match) -> QuerySet[Seat]:
    """Seats that were taken over: until the next question, their phones see nothing sealed before that."""
    return Seat.objects.filter(match=match, blind_at__gte=match.asked)


def show_sealed(seat: Seat) -> bool:
    """Let the player who took this seat over see what was sealed on it. Returns whether this is news."""
    return bool(
        Seat.objects.filter(pk=seat.pk, epoch=seat.epoch).exclude(blind_at=None).update(blind_at=None)
    )


def _bad_token() -> RequestRefused:
    return RequestRefused(say(_("This token does not open a seat at this table.")), 403, "bad_token")


def occupy(match: Match, key: str, epoch: int) -> None:
    """Note that a seat is played by its API token: it is taken, and only its link can claim it.

    `RequestRefused` (403) if the seat was freed since the token was checked.
    """
    chair = Seat.objects.filter(match=match, key=key, epoch=epoch)
    if not chair.filter(is_taken=True).exists() and not chair.update(is_taken=True):
        raise _bad_token()


def new_key() -> str:
    """The key of a page that claims a seat. It can repeat the claim, so it is as long as a session's."""
    return secrets.token_urlsafe(16)


def is_repeated(seat: Seat, key: str) -> bool:
    """Whether a page with this key took the seat a short while ago."""
    return _claims(key).filter(pk=seat.pk, epoch=seat.epoch).exists()


def claimed(match: Match, *keys: str) -> tuple[Seat, str] | None:
    """The seat of this match that a page with one of these keys took a short while ago, and that key."""
    of_match = _claims(*keys).select_related("match", "army").filter(match=match)
    seat = of_match.order_by("claimed_at").last()
    if seat is None:
        return None
    return seat, next(key for key in keys if _claim_hash(key) == seat.claim_hash)


def taken_by(key: str, match: Match | None = None) -> list[Seat]:
    """The seats (of this match) that a form with this key took just now; none if it is new.

    If the same form is sent twice at once, one waits here for the end of the other's transaction.
    """
    if note_key(key):
        in_turn(f"seats {key}")
    taken = _claims(key).select_related("match").order_by("pk")
    return list(taken if match is None else taken.filter(match=match))


def open_for_one(request: HttpRequest, key: str, opens: Callable[[], Match]) -> Match:
    """A table with all its seats on this phone, opened now or just now by the same form; in a transaction."""
    chairs = taken_by(key)
    if not chairs:
        chairs = list(Seat.objects.select_related("match").filter(match=opens()).order_by("pk"))
    for seat in chairs:
        sit_down(request, seat, key)
    return chairs[0].match


def seat_taken() -> RequestRefused:
    """The refusal (409) for a phone that is too late."""
    return RequestRefused(
        say(_("This seat is taken. The player who has it can move it to another device.")), 409, "seat_taken"
    )


def link_secret(seat: Seat) -> str:
    """The secret of the seat's one-time link: valid until somebody sits down or the epoch changes."""
    return keys.mac(*_link_of(seat))


def linked_seat(code: str, key: str, secret: str) -> Seat:
    """The seat that a one-time link names; 404 for an invalid link."""
    seat = Seat.objects.select_related("match", "army").filter(match__code=code, key=key).first()
    if seat is None or not keys.is_mac(secret, *_link_of(seat)):
        raise RequestRefused(
            say(_("This link no longer works. Ask a seated player for a new one.")), 404, "unknown"
        )
    return seat


def chair(match: Match, key: str, status: int = 404) -> Seat:
    """The row of a seat by its key, which may be any text from outside; `RequestRefused` if there is none."""
    rows = {seat.key: seat for seat in Seat.objects.select_related("match").filter(match=match)}
    if key not in rows:
        raise RequestRefused(say(_("There is no such seat at this table.")), status, "unknown")
    return rows[key]


def own_chair(phone: Phone, match: Match, key: str) -> Seat:
    """The row of a seat of this phone; `RequestRefused` (403) if it was freed since the phone was read."""
    seat = chair(match, phone.seat(key))
    if seat.epoch != dict(phone.epochs)[seat.key]:
        raise seat_lost()
    return seat


def api_token(seat: Seat) -> str:
    """The bearer token of a seat for robots and overlays; dies with the epoch."""
    return f"{seat.pk}.{keys.mac(*_token_of(seat))}"


def revoke(*held: Seat) -> None:
    """Free seats of a table: every phone, link and token that held one has lost it."""
    with transaction.atomic():
        freed = sum(map(_free, held))
        # After the seats, the same order as sitting down: so two transactions cannot deadlock.
        Match.objects.filter(pk__in={seat.match_id for seat in held}).update(freed=F("freed") + freed)
    for seat in held:
        news = {"code": seat.match.code, "seat": seat.key, "epoch": seat.epoch}
        transaction.on_commit(partial(seat_freed.send, Seat, **news))


def _free(seat: Seat) -> int:
    """Free a seat, unless it was freed since it was read; returns 1 or 0."""
    SeatRequest.objects.filter(seat=seat).delete()
    return Seat.objects.filter(pk=seat.pk, epoch=seat.epoch).update(
        epoch=seat.epoch + 1,
        salt=new_salt(),
        is_taken=False,
        claimed_at=None,
        claim_hash="",
        blind_at=None,
        move_hash="",
        move_shows=False,
    )


def moving_code(seat: Seat, *, shows_sealed: bool = False) -> str:
    """A short code, shown on the current phone, that moves the seat to another one within five minutes.

    With `shows_sealed` its holder agrees that the other phone sees at once what is sealed on this one.
    `RequestRefused` (403) if the seat was freed meanwhile.
    """
    code = random_code()
    until = clock.now() + timedelta(minutes=MOVE_MINUTES)
    moving = {"move_hash": hash_of(seat.match.code, code), "move_until": until, "move_shows": shows_sealed}
    if not Seat.objects.filter(pk=seat.pk, epoch=seat.epoch).update(**moving):
        raise seat_lost()
    return code


def moving(code: str) -> Seat | None:
    """The seat of any table that this moving code moves; whoever asks is counted, right or wrong."""
    wanted = code.strip().upper()
    shown = Seat.objects.filter(move_until__gte=clock.now()).exclude(move_hash="").select_related("match")
    return next((seat for seat in shown if seat.move_hash == hash_of(seat.match.code, wanted)), None)


def move_here(request: HttpRequest, match: Match, code: str, key: str = "") -> Seat:
    """Take over the seat whose moving code was typed; the phone that showed it loses it."""
    for moved in taken_by(key, match):
        sit_down(request, moved, key)
        return moved
    wanted = hash_of(match.code, code.strip().upper())
    seat = Seat.objects.filter(match=match, move_hash=wanted, move_until__gte=clock.now()).first()
    if seat is None:
        raise RequestRefused(
            say(_("Wrong or expired code. Show a new one on the other device.")), 404, "unknown"
        )
    shows_sealed = seat.move_shows and seat.blind_at is None
    revoke(seat)
    seat.refresh_from_db()
    sit_down(request, seat, key, shows_sealed=shows_sealed)
    return seat


def _hold(request: HttpRequest, seat: Seat) -> None:
    held, code = request.session.get(SESSION_SEATS, {}), seat.match.code
    held[code] = {**of_match(held.pop(code, {}), seat.match_id), seat.key: seat.epoch}
    request.session[SESSION_SEATS] = dict(list(held.items())[-MOST_TABLES:])
    session_of(request).start_over()


def session_of(request: HttpRequest) -> SessionStore:
    """The request's session, which can continue under another key."""
    assert isinstance(request.session, SessionStore)
    return request.session


def address_hash(request: HttpRequest) -> str:
    """A keyed hash of the asking address: it tells whether two came from the same, and nothing else."""
    return hash_of("address", address(request))


def _is_organiser(request: HttpRequest) -> bool:
    if SESSION_KEY not in request.session:
        return False
    return is_present(request) and request.user.is_active and request.user.has_perm("games.change_match")


def _of(seat: Seat) -> str:
    # The code keeps a secret from opening the seat with the same number in a database started afresh. The
    # salt keeps one that a restored backup does not know from opening the seat when its epoch comes again.
    return f"{seat.match.code}:{seat.pk}:{seat.key}:{seat.epoch}:{seat.salt}"


def _link_of(seat: Seat) -> tuple[str, str, int]:
    return "seat link", _of(seat), 26


def _token_of(seat: Seat) -> tuple[str, str, int]:
    return "seat token", _of(seat), 32


def _claims(*keys: str) -> QuerySet[Seat]:
    since = clock.now() - timedelta(minutes=CLAIM_MINUTES)
    hashes = [_claim_hash(key) for key in keys if key]
    return Seat.objects.filter(claim_hash__in=hashes, claimed_at__gte=since)


def _claim_hash(key: str) -> str:
    return hash_of("claim", key) if key else ""


def hash_of(*parts: str) -> str:
    """A keyed hash of something short or easy to guess: it can be compared, and reveals nothing else."""
    return keys.mac("code", ":".join(parts), 64)


# --- pages that claim seats ------------------------------------------------------------------------


MOST_PAGES = 5
"""How many pages the cookie remembers; the oldest is forgotten first."""
COOKIE_SECONDS = 24 * 60 * 60
"""How long a page may stay open before it claims; a claim is repeated for `CLAIM_MINUTES` only."""


def claim_pages(request: HttpRequest) -> list[str]:
    """The keys of this device's last pages, the newest first."""
    kept = request.COOKIES.get(settings.CLAIM_COOKIE_NAME, "").split(".")[:MOST_PAGES]
    return [key for key in kept if _is_key(key)]


def remember_page(request: HttpRequest, response: HttpResponse, key: str) -> HttpResponse:
    """The same response, which makes the device remember the key of the page that it shows."""
    response.set_cookie(
        settings.CLAIM_COOKIE_NAME,
        ".".join([key, *(page_key for page_key in claim_pages(request) if page_key != key)][:MOST_PAGES]),
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def claimed_before(request: HttpRequest, match: Match, key: str = "") -> tuple[Seat, str] | None:
    """The seat that this device claimed a short while ago without hearing of it, and its page's key.

    `key` is that of the form that was sent, if one was. None for a device that has all that it claimed.
    """
    claim = claimed(match, *filter(None, (key, *claim_pages(request))))
    is_lost = claim is not None and claim[0].key not in phone(request, match.code).seats
    return claim if is_lost else None


def _is_key(key: str) -> bool:
    try:
        return clean_key(key) == key
    except Unreadable:
        return False


# --- requests of guests for seats --------------------------------------------------------------------


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
        raise seat_taken()
    if not seat.match.takes_requests:
        raise RequestRefused(say(CLOSED), 409, "closed")
    own, here = hash_of("asker", request.session.get(SESSION_ASKS, key)), _address(request, seat.match)
    others = [asked.address_hash for asked in open_requests(seat.match).exclude(asker_hash=own)]
    if len(others) >= MOST_IN_ALL or others.count(here) >= MOST_REQUESTS:
        line = _("Several guests are waiting already. Ask a player to show you the seat’s own code.")
        raise RequestRefused(say(line), 409, "many_ask")
    if SESSION_ASKS not in request.session:
        # A cookie that somebody planted must not get the seat that this phone asks for.
        request.session[SESSION_ASKS] = key or new_key()
        session_of(request).start_over()
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
    return hash_of("asking address", match.code, address(request))


def _asker(request: HttpRequest) -> str:
    return hash_of("asker", request.session[SESSION_ASKS])
