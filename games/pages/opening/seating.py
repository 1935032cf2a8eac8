"""Who sits where: invite to a seat, claim, ask for, grant, move or free one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from urllib.parse import quote, unquote

import segno
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from games import view_models
from games.core import RequestRefused, Unreadable, ViewModel, clean_name, say, system, together
from games.core import gettext_noop as noop
from games.live import hub
from games.match import play
from games.models import Match, Seat, SeatRequest
from games.pages.common import (
    audience,
    back_to,
    claim_key,
    field,
    match_of,
    refusing,
    validated,
    without_referrer,
)
from games.pages.opening.list_links import address_with_list
from games.pages.watching import watch
from games.people import seats
from games.people.seats import Phone
from games.translation import gettext as _
from games.translation import words
from games.web import (
    ALL_MOVES,
    JOINS,
    LINKS,
    MOVES,
    TAPS,
    address,
    address_to_scan,
    device_at_table,
    limited,
    picture_of,
    too_fast,
    wrong_guess,
)


class Invitation(ViewModel):
    """A one-time link to an open seat, shown once: `qr` is an SVG as a data URL."""

    url: str
    qr: str = ""
    code: str = ""
    note: str = ""


class SeatRow(ViewModel):
    """One seat and who holds it. `state_label`: "open", "taken", "this device".

    `moving_code` is what another phone types to take the seat over.
    """

    mark: int
    colour: str
    name: str
    state_label: str
    mine: bool = False
    open: bool = False
    invitation: Invitation | None = None
    posts: tuple[view_models.SeatPost, ...] = ()
    moving_code: str = ""
    name_url: str = ""


class GuestRow(ViewModel):
    name: str
    asked: str
    posts: tuple[view_models.SeatPost, ...]


class Asking(ViewModel):
    """Whether guests may ask for a free seat, in words, and the button that changes it."""

    text: str
    post: view_models.SeatPost


class SeatsPage(ViewModel):
    """Who is here. `watch` is the public address and the printed code, for spectators.

    `lateness` says how late they are shown the match, "" for at once; `delays` are what a seat may choose,
    posted as `delay` to `delay_url`.
    """

    title: str
    back: view_models.Link
    seats: tuple[SeatRow, ...]
    watch: Invitation
    requests: tuple[GuestRow, ...] = ()
    asking: Asking | None = None
    lateness: str = ""
    delays: tuple[view_models.Option, ...] = ()
    delay_url: str = ""


class ClaimPage(ViewModel):
    """A one-time link as it is opened, or a seat that is this phone's: the button takes it.

    `key` lets a phone that never got the answer press it again; `hint` says what the button does.
    """

    title: str
    mark: int
    seat_label: str
    post_url: str
    rival: str = ""
    ask_name: bool = True
    name: str = ""
    error: str = ""
    key: str = ""
    hint: str = ""


class NameRow(ViewModel):
    seat: str
    mark: int
    colour: str
    name: str
    error: str = ""


class NamePage(ViewModel):
    """Changing a player's name; several rows on a device that several players share."""

    back: view_models.Link
    post_url: str
    rows: tuple[NameRow, ...]


class Sitting(ViewModel):
    """Who sits at a table: the seat's mark, the player, and the seat's colour if the player has a name."""

    mark: int
    name: str
    colour: str = ""


class JoinPage(ViewModel):
    """Asking for a seat at a table, where those of `sitting` sit; `waiting` while nobody has answered.

    `waiting` is the address of the table's stream, which says when to look for the answer. `notice` says why
    the phone was led here; `closed` that nobody may ask at present, "" if somebody may.
    """

    title: str
    post_url: str
    watch_url: str
    open_seats: tuple[view_models.Option, ...] = ()
    waiting: str = ""
    closed: str = ""
    move_url: str = ""
    name: str = ""
    error: str = ""
    move_error: str = ""
    notice: view_models.Notice | None = None
    key: str = ""
    sitting: tuple[Sitting, ...] = ()


class MovingPage(ViewModel):
    """Moving a seat here with a code that was typed elsewhere, such as on the home page."""

    title: str
    post_url: str
    code: str
    key: str
    sitting: tuple[Sitting, ...] = ()


@require_http_methods(["GET", "HEAD"])
@refusing
def people(request: HttpRequest, code: str) -> HttpResponse:
    """Who is here: open seats with their one-time links, requests, and how to move or free a seat."""
    match = match_of(code)
    return _people_page(request, match, seats.phone(request, match.code))


@require_http_methods(["GET", "HEAD"])
@refusing
def invitation(request: HttpRequest, code: str, seat: str, epoch: int) -> HttpResponse:
    """The QR code of an open seat's one-time link, for the phones that sit at the table.

    204 for a link that has been used or replaced: the board that shows no code is on its way.
    """
    match = match_of(code)
    seats.phone(request, match.code).seat()
    chair = seats.chair(match, seat)
    if chair.is_taken or chair.epoch != epoch:
        return HttpResponse(status=204)
    picture = io.BytesIO()
    segno.make(_link(request, chair), error="m", micro=False).save(
        picture, kind="svg", border=2, light="#fff"
    )
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


def _people_page(
    request: HttpRequest,
    match: Match,
    phone: Phone,
    moving: dict[str, str] | None = None,
    *,
    is_open: bool = False,
) -> HttpResponse:
    lost = seats.claimed_before(request, match)
    taking = (lost[0].key, lost[1]) if lost else ("", seats.new_key())
    rows = tuple(
        _row(request, seat, mark, phone, moving or {}, taking, is_open=is_open)
        for mark, seat in view_models.marked(Seat.objects.filter(match=match).select_related("army", "match"))
    )
    public = address_to_scan(request, reverse("table", args=[match.code]))
    page = SeatsPage(
        match.code,
        back_to(match),
        rows,
        Invitation(public, picture_of(public), match.code),
        _requests(match) if phone.seats else (),
        asking=_asking(match) if phone.seats else None,
        lateness=watch.lateness(match),
        delays=watch.choices(match) if phone.seats and match.result is None else (),
        delay_url=reverse("watch-delay", args=[match.code]),
    )
    response = render(request, "opening/seats.html", {"page": page})
    return seats.remember_page(request, response, taking[1]) if phone.seats else response


@require_POST
@refusing
def move(request: HttpRequest, code: str) -> HttpResponse:
    """Show a short code that moves one of this phone's seats to another phone."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    shows_sealed = "sealed" in request.POST
    key = field(request, "sealed" if shows_sealed else "seat")
    seat = seats.own_chair(phone, match, key)
    code_shown = seats.moving_code(seat, shows_sealed=shows_sealed)
    return _people_page(request, match, phone, {seat.key: code_shown}, is_open=shows_sealed)


@require_POST
@refusing
def unseal(request: HttpRequest, code: str) -> HttpResponse:
    """The organiser lets the player who took over a seat see what was sealed on it."""
    match = match_of(code)
    if not seats.phone(request, match.code).is_organiser:
        raise RequestRefused(say(noop("Only the organiser can show what is sealed.")), 403, "not_organiser")
    seat = seats.chair(match, field(request, "seat"), 404)
    with transaction.atomic():
        if seats.show_sealed(seat):
            line = say(noop("The organiser shows %(name)s the sealed answers."), name=_player(seat))
            play.remark(match.code, line)
    return _back_to_people(code)


def _player(seat: Seat) -> str:
    colours = system(seat.match.system).seat_names
    return seat.army.name or colours.get(seat.key, seat.key)


@require_POST
@refusing
def take(request: HttpRequest, code: str) -> HttpResponse:
    """Take another open seat on a phone that already has one: one device is enough for a table."""
    match = match_of(code)
    own = seats.phone(request, match.code).seat()
    if refusal := too_fast(request, TAPS, f"{match.code}/{own}"):
        return refusal
    chair = seats.chair(match, field(request, "seat"), 404)
    _sit(request, chair)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


@require_POST
@refusing
def free(request: HttpRequest, code: str) -> HttpResponse:
    """Free one of this phone's seats, or any seat as the organiser: its holder loses it."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    key = field(request, "seat")
    is_organisers = phone.is_organiser and key not in phone.seats
    chair = seats.chair(match, key) if is_organisers else seats.own_chair(phone, match, key)
    # Whoever takes it next is in the history again.
    if not is_organisers and (refusal := too_fast(request, TAPS, f"{match.code}/{key}")):
        return refusal
    seats.revoke(chair)
    return _back_to_people(code)


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@refusing
def claim(request: HttpRequest, code: str, seat: str, secret: str) -> HttpResponse:
    """A one-time link. Opening it does nothing; the button takes the seat and leaves the secret address."""
    linked = seats.linked_seat(code.upper(), seat, secret)
    is_held = linked.key in seats.phone(request, linked.match.code).seats
    if (claimed := seats.claimed_before(request, linked.match, claim_key(request))) and claimed[0] == linked:
        return _lost(request, *claimed)
    if linked.claimed_at is not None and not is_held:
        return _taken(request, linked.match)
    if request.method != "POST":
        return _claiming(request, claim_page(request, linked))
    typed = request.POST.get("name", "").strip()
    try:
        name = validated(clean_name, typed) if typed else ""
    except RequestRefused as refused:
        return _claiming(request, claim_page(request, linked, typed, words(refused.line)), refused.status)
    limit = TAPS if is_held else LINKS
    if refusal := too_fast(request, limit, f"{linked.match.code}/{seat}"):
        return refusal
    if not is_held:
        _sit(request, linked, name, by_link=True)
    elif name:
        play.rename(linked.match.code, seat, name)
    own = "" if _is_second(request, linked) else name
    return remember(HttpResponseRedirect(after_sitting_down(linked, request)), own)


def _claiming(request: HttpRequest, page: ClaimPage, status: int = 200) -> HttpResponse:
    response = render(request, "opening/claim.html", {"page": page}, status=status)
    return seats.remember_page(request, response, page.key)


def _joining(request: HttpRequest, page: JoinPage, status: int = 200) -> HttpResponse:
    response = render(request, "opening/join.html", {"page": page}, status=status)
    # A page that waits is loaded again and again.
    return response if page.waiting else seats.remember_page(request, response, page.key)


def _taken(request: HttpRequest, match: Match) -> HttpResponse:
    """The refusal (409) of a link that another device has used, with the way to bring its seat here."""
    way = _("Is it yours? On the device that has it, tap Menu, “Seats and guests”, “Move to another device”.")
    notice = view_models.Notice(together([words(seats.seat_taken().line), way]), "bad")
    return _joining(request, join_page(request, match, notice=notice), 409)


def _lost(request: HttpRequest, seat: Seat, key: str) -> HttpResponse:
    """The seat that this device took without hearing of it: its button, or what that does."""
    if request.method != "POST":
        return _claiming(request, lost_page(request, seat, key))
    if refusal := too_fast(request, LINKS, f"{seat.match.code}/{seat.key}"):
        return refusal
    _sit(request, seat, key=key)
    return HttpResponseRedirect(after_sitting_down(seat, request))


def _sit(
    request: HttpRequest, seat: Seat, name: str = "", *, by_link: bool = False, key: str | None = None
) -> None:
    """Take the seat and tell the table, unless it was told before: then only the answer was lost."""
    with transaction.atomic():
        if seats.sit_down(request, seat, claim_key(request) if key is None else key, by_link=by_link):
            play.sit_down(seat.match.code, seat.key, name)


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for a seat with the table's public code, and sit down once it is granted."""
    match = match_of(code)
    if seats.phone(request, match.code).seats:
        return HttpResponseRedirect(address_with_list(request, "table", match.code))
    asked = seats.own_request(request, match)
    # Checked last, because the same form may take the seat at this very moment: then the request is gone.
    if claimed := seats.claimed_before(request, match, claim_key(request)):
        return _lost(request, *claimed)
    if asked is not None and asked.granted_at is not None:
        if request.method != "POST":
            return _claiming(request, granted_page(request, match, asked.seat))
        return HttpResponseRedirect(after_sitting_down(_seated(request, match, asked), request))
    if request.method != "POST":
        return _joining(request, _answer_page(request, match, asked))
    return _ask(request, match)


def _answer_page(request: HttpRequest, match: Match, asked: SeatRequest | None) -> JoinPage:
    """The page that asks for a seat, waits for the answer, or says that it was no."""
    if asked is not None and asked.declined_at is not None:
        error = _("Your request was declined. Ask the players, or just watch.")
        return join_page(request, match, name=asked.name, error=error)
    if asked is not None and seats.is_waiting(asked):
        watching = audience(request, Phone())
        return join_page(request, match, waiting=hub.stream_url(match.code, watching, ()))
    return join_page(request, match, name=remembered(request))


def _ask(request: HttpRequest, match: Match) -> HttpResponse:
    if refusal := too_fast(request, JOINS, address(request)):
        return refusal
    typed = request.POST.get("name", "").strip()
    try:
        name = validated(clean_name, typed) if typed else ""
        seat = seats.chair(match, field(request, "seat"), 422)
        with transaction.atomic():
            seats.ask_for(request, seat, name, claim_key(request))
    except RequestRefused as refused:
        page = join_page(request, match, name=typed[:40], error=words(refused.line))
        return _joining(request, page, refused.status)
    return remember(HttpResponseRedirect(address_with_list(request, "join", match.code)), name)


def _seated(request: HttpRequest, match: Match, asked: SeatRequest) -> Seat:
    with transaction.atomic():
        again = seats.taken_by(claim_key(request), match)
        seat = again[0] if again else seats.granted_seat(request, match)
        _sit(request, seat, asked.name)
        asked.delete()
    return seat


@require_http_methods(["GET", "HEAD", "POST"])
@limited(MOVES, device_at_table)
@limited(ALL_MOVES)
@without_referrer
@refusing
def move_here(request: HttpRequest, code: str) -> HttpResponse:
    """Take over a seat with the short code that its current phone shows; an address may bring it along."""
    match = match_of(code)
    if claimed := seats.claimed_before(request, match, claim_key(request)):
        return _lost(request, *claimed)
    if request.method != "POST":
        page = moving_page(match, request.GET.get("code", "")[:12])
        response = render(request, "opening/moving.html", {"page": page})
        return seats.remember_page(request, response, page.key)
    try:
        with transaction.atomic():
            seats.move_here(request, match, field(request, "code"), claim_key(request))
    except RequestRefused as refused:
        # A device may come back as another one: its address is counted as well.
        if refused.status == 404 and (slowed := wrong_guess(request)):
            return slowed
        return _joining(request, join_page(request, match, move_error=words(refused.line)), refused.status)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


def after_sitting_down(seat: Seat, request: HttpRequest) -> str:
    """Where a phone that has taken a seat goes: to its army while that is not ready, else to the table."""
    if seat.match.round == 0 and not seat.army.ready and system(seat.match.system).brings_armies:
        return address_with_list(request, "army", seat.match.code, seat.key)
    return reverse("table", args=[seat.match.code])


def _back_to_people(code: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("seats", args=[code]))


def _row(
    request: HttpRequest,
    seat: Seat,
    mark: int,
    phone: Phone,
    moving: dict[str, str],
    taking: tuple[str, str],
    *,
    is_open: bool,
) -> SeatRow:
    """A seat; `taking` is the seat that this phone took without hearing of it, and the key to take one."""
    mine = seat.key in phone.seats
    colour = _(system(seat.match.system).seat_names.get(seat.key, seat.key))
    taken = _("taken") if seat.is_taken else _("open")
    shows_sealed = seat.key in moving and not is_open and seats.has_sealed(seat)
    return SeatRow(
        mark,
        colour,
        seat.army.name or colour,
        _("this device") if mine else taken,
        mine=mine,
        open=not seat.is_taken,
        invitation=_invitation(request, seat) if phone.seats and not seat.is_taken else None,
        posts=tuple(_posts(seat, phone, taking, shows_sealed=shows_sealed)),
        moving_code=moving.get(seat.key, ""),
        name_url=reverse("name", args=[seat.match.code]) if mine and seat.match.result is None else "",
    )


def _posts(
    seat: Seat, phone: Phone, taking: tuple[str, str], *, shows_sealed: bool
) -> Iterator[view_models.SeatPost]:
    """What this phone may do with a seat; with `shows_sealed`, also move it and show what is sealed."""
    code, is_own = [seat.match.code], seat.key in phone.seats
    lost, key = taking
    if is_own:
        label = _("Move to another device")
        yield view_models.SeatPost(reverse("move", args=code), label, "seat", seat.key)
    if shows_sealed:
        label = _("Show sealed answers there, too")
        yield view_models.SeatPost(reverse("move", args=code), label, "sealed", seat.key)
    if phone.is_organiser and seat.blind_at is not None and seat.blind_at >= seat.match.asked:
        label = _("Show earlier sealed answers on this device")
        yield view_models.SeatPost(reverse("unseal", args=code), label, "seat", seat.key)
    if is_own or (phone.is_organiser and seat.is_taken):
        yield view_models.SeatPost(
            reverse("free", args=code), _("Free this seat"), "seat", seat.key, "danger"
        )
    if phone.seats and (seat.key == lost or not seat.is_taken):
        label = _("Play this seat on this device too")
        yield view_models.SeatPost(reverse("take", args=code), label, "seat", seat.key, key=key)


def _invitation(request: HttpRequest, seat: Seat) -> Invitation:
    url = _link(request, seat)
    return Invitation(url, picture_of(url), note=_("Works once, on one device."))


def _link(request: HttpRequest, seat: Seat) -> str:
    path = reverse("claim", args=[seat.match.code, seat.key, seats.link_secret(seat)])
    return address_to_scan(request, path)


def _asking(match: Match) -> Asking | None:
    """Whether guests may ask for the seats that are free, and the button that changes it."""
    if match.result is not None or not Seat.objects.filter(match=match, is_taken=False).exists():
        return None
    url = reverse("guests", args=[match.code])
    if match.takes_requests:
        line = _("Spectators can ask for a free seat. The seat’s own code gives it at once.")
        post = view_models.SeatPost(url, _("No more requests"), "requests", "close")
    else:
        line = _("Free seats cannot be asked for. The seat’s own code still works.")
        post = view_models.SeatPost(url, _("Take requests again"), "requests", "open", "main")
    return Asking(line, post)


def _requests(match: Match) -> tuple[GuestRow, ...]:
    names, url = system(match.system).seat_names, reverse("guests", args=[match.code])
    return tuple(
        GuestRow(
            guest.name or _("A guest"),
            _("asks for %(seat)s") % {"seat": _(names.get(guest.seat.key, guest.seat.key))},
            (
                view_models.SeatPost(url, _("Let in"), "let_in", str(guest.pk), "main", key=play.new_key()),
                view_models.SeatPost(url, _("No"), "turn_away", str(guest.pk), key=play.new_key()),
            ),
        )
        for guest in seats.open_requests(match)
    )


# --- the pages on which a phone comes to a seat ---------------------------------------------------


def claim_page(request: HttpRequest, seat: Seat, name: str = "", error: str = "") -> ClaimPage:
    """A one-time link as it is opened."""
    game = system(seat.match.system)
    others = [army.name for army in seat.match.armies.all() if army.key != seat.key and army.name]
    own = "" if _is_second(request, seat) else remembered(request)
    return ClaimPage(
        _(game.title),
        _mark(seat),
        _(game.seat_names.get(seat.key, seat.key)),
        request.path,
        key=seats.new_key(),
        hint=_("The link works once. Then this device has the seat."),
        rival=_(", ").join(others),
        ask_name=True,
        name=name or own or seat.army.name,
        error=error,
    )


def _is_second(request: HttpRequest, seat: Seat) -> bool:
    """Whether the device holds another seat: this one is somebody else's, who has a name of their own."""
    return bool({*seats.phone(request, seat.match.code).seats} - {seat.key})


def granted_page(request: HttpRequest, match: Match, seat: Seat, key: str = "", hint: str = "") -> ClaimPage:
    """A seat that was asked for and granted; with a `key`, one that the page with this key has taken."""
    game = system(match.system)
    return ClaimPage(
        _(game.title),
        _mark(seat),
        _(game.seat_names.get(seat.key, seat.key)),
        address_with_list(request, "join", match.code),
        key=key or seats.new_key(),
        ask_name=False,
        hint=hint,
    )


def lost_page(request: HttpRequest, seat: Seat, key: str) -> ClaimPage:
    """A seat that this device took a short while ago without hearing of it."""
    hint = _("This device has taken this seat already, but the answer did not arrive.")
    return granted_page(request, seat.match, seat, key, hint)


def _mark(seat: Seat) -> int:
    return 1 + Seat.objects.filter(match_id=seat.match_id, pk__lt=seat.pk).count()


def join_page(
    request: HttpRequest,
    match: Match,
    *,
    waiting: str = "",
    name: str = "",
    error: str = "",
    move_error: str = "",
    notice: view_models.Notice | None = None,
) -> JoinPage:
    """Asking for a seat, or bringing one along from another device."""
    game = system(match.system)
    free_seats = Seat.objects.filter(match=match, is_taken=False).values_list("key", flat=True)
    return JoinPage(
        _(game.title),
        address_with_list(request, "join", match.code),
        reverse("watch", args=[match.code]),
        tuple(
            view_models.Option(key, _(game.seat_names.get(key, key)), n == 0)
            for n, key in enumerate(free_seats)
        ),
        waiting=waiting,
        closed="" if match.takes_requests or not free_seats else words(say(seats.CLOSED)),
        move_url=reverse("move-here", args=[match.code]),
        name=name,
        error=error,
        move_error=move_error,
        notice=notice,
        key=seats.new_key(),
        sitting=tuple(_sitting(match)),
    )


def _sitting(match: Match) -> Iterator[Sitting]:
    """Who sits at a table already, as its page names them."""
    names_of = system(match.system).seat_names
    for mark, seat in view_models.marked(Seat.objects.filter(match=match).select_related("army")):
        if seat.is_taken:
            colour = _(names_of.get(seat.key, seat.key))
            yield Sitting(mark, seat.army.name or colour, colour if seat.army.name else "")


def moving_page(match: Match, code: str) -> MovingPage:
    """A moving code that was typed elsewhere; nothing happens until the button is pressed."""
    return MovingPage(
        title=_(system(match.system).title),
        post_url=reverse("move-here", args=[match.code]),
        code=code,
        key=seats.new_key(),
        sitting=tuple(_sitting(match)),
    )


# --- a player's name ------------------------------------------------------------------------------


def remembered(request: HttpRequest) -> str:
    """The name last entered on this device; "" for none."""
    try:
        return clean_name(unquote(request.COOKIES.get(settings.NAME_COOKIE_NAME, "")))
    except Unreadable:
        return ""


def remember(response: HttpResponse, name: str) -> HttpResponse:
    """The same response, which makes the device keep this name (if there is one)."""
    if name:
        response.set_cookie(
            settings.NAME_COOKIE_NAME,
            quote(name),
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@refusing
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """Change the player's name, on any of this phone's seats."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    phone.seat()
    if request.method != "POST":
        return render(request, "opening/name.html", {"page": _name_page(match, phone)})
    key, typed = phone.seat(request.POST.get("seat", "")), field(request, "name").strip()
    if refusal := too_fast(request, TAPS, f"{match.code}/{key}"):
        return refusal
    try:
        name = validated(clean_name, typed)
        with phone.speaks(match.code, key):
            play.rename(match.code, key, name)
    except RequestRefused as refused:
        page = _name_page(match, phone, {key: typed}, {key: words(refused.line)})
        return render(request, "opening/name.html", {"page": page}, status=refused.status)
    return remember(HttpResponseRedirect(reverse("table", args=[match.code])), name)


def _name_page(
    match: Match,
    phone: seats.Phone,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> NamePage:
    colours = system(match.system).seat_names
    rows = tuple(
        NameRow(
            army.key,
            mark,
            _(colours.get(army.key, army.key)),
            (typed or {}).get(army.key, army.name),
            (errors or {}).get(army.key, ""),
        )
        for mark, army in view_models.marked(match.armies.all())
        if army.key in phone.seats
    )
    return NamePage(back_to(match), reverse("name", args=[match.code]), rows)
