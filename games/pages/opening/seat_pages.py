"""The pages on which a phone comes to a seat: by a link, by asking for it, or by a moving code."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games import view_models
from games.core.system import system
from games.core.words import say
from games.models import Match, Seat
from games.pages.opening import names
from games.pages.opening.list_links import address_with_list
from games.people import seat_requests, seats
from games.translation import words


def claim_page(request: HttpRequest, seat: Seat, name: str = "", error: str = "") -> view_models.ClaimPage:
    """A one-time link as it is opened."""
    game = system(seat.match.system)
    others = [army.name for army in seat.match.armies.all() if army.key != seat.key and army.name]
    return view_models.ClaimPage(
        _(game.title),
        _mark(seat),
        _(game.seat_names.get(seat.key, seat.key)),
        request.path,
        key=seats.new_key(),
        hint=_("The link works once. Then this device has the seat."),
        rival=_(", ").join(others),
        ask_name=True,
        name=name or names.remembered(request) or seat.army.name,
        error=error,
    )


def granted_page(
    request: HttpRequest, match: Match, seat: Seat, key: str = "", hint: str = ""
) -> view_models.ClaimPage:
    """A seat that was asked for and granted; with a `key`, one that the page with this key has taken."""
    game = system(match.system)
    return view_models.ClaimPage(
        _(game.title),
        _mark(seat),
        _(game.seat_names.get(seat.key, seat.key)),
        address_with_list(request, "join", match.code),
        key=key or seats.new_key(),
        ask_name=False,
        hint=hint,
    )


def lost_page(request: HttpRequest, seat: Seat, key: str) -> view_models.ClaimPage:
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
) -> view_models.JoinPage:
    """Asking for a seat, or bringing one along from another device."""
    game = system(match.system)
    free_seats = Seat.objects.filter(match=match, is_taken=False).values_list("key", flat=True)
    return view_models.JoinPage(
        _(game.title),
        address_with_list(request, "join", match.code),
        reverse("watch", args=[match.code]),
        tuple(
            view_models.Option(key, _(game.seat_names.get(key, key)), n == 0)
            for n, key in enumerate(free_seats)
        ),
        waiting=waiting,
        closed="" if match.takes_requests or not free_seats else words(say(seat_requests.CLOSED)),
        move_url=reverse("move-here", args=[match.code]),
        name=name,
        error=error,
        move_error=move_error,
        notice=notice,
        key=seats.new_key(),
        sitting=tuple(_sitting(match)),
    )


def _sitting(match: Match) -> Iterator[view_models.Sitting]:
    """Who sits at a table already, as its page names them."""
    names_of = system(match.system).seat_names
    for mark, seat in enumerate(Seat.objects.filter(match=match).select_related("army"), 1):
        if seat.is_taken:
            colour = _(names_of.get(seat.key, seat.key))
            yield view_models.Sitting(mark, seat.army.name or colour, colour if seat.army.name else "")


def moving_page(match: Match, code: str) -> view_models.MovingPage:
    """A moving code that was typed elsewhere; nothing happens until the button is pressed."""
    return view_models.MovingPage(
        title=_(system(match.system).title),
        post_url=reverse("move-here", args=[match.code]),
        code=code,
        key=seats.new_key(),
        sitting=tuple(_sitting(match)),
    )
