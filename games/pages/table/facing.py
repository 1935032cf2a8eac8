"""A tablet lying between two players: each half of the table is turned towards its player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import view_models
from games.models import Match
from games.pages.access import match_of, refusing
from games.web import limits

SESSION_FACING = "facing"


@require_POST
@limits.limited(limits.JOINS)
@refusing
def facing(request: HttpRequest, code: str) -> HttpResponse:
    """Turn the two halves of this device's tables to face their players, or back again."""
    match = match_of(code)
    request.session[SESSION_FACING] = not is_facing(request)
    return HttpResponseRedirect(reverse("table", args=[match.code]))


def is_facing(request: HttpRequest) -> bool:
    """Whether this device lies between two players, each half turned towards one of them."""
    return request.session.get(SESSION_FACING) is True


def switch(request: HttpRequest, match: Match, seats: tuple[str, ...]) -> view_models.SeatPost | None:
    """The control that turns the halves, if the table has two seats."""
    if len(seats) != 2:
        return None
    label = _("Turn both halves the same way") if is_facing(request) else _("Turn each half to its player")
    return view_models.SeatPost(reverse("facing", args=[match.code]), label, icon="turn")
