"""A rematch: the same game and size, the same people, the same armies.

Opening one leaves a remark at the finished table, which leads the other players to the seats kept for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import core
from games.core import Roster, name_of, say, system
from games.core import gettext_noop as _
from games.match import play, storage
from games.models import Entry, Match, Seat
from games.pages.common import match_of, refusing
from games.people import seats

SAME_ARMY = "again"
"""The army choice that means: the armies that everybody had."""
VERB = "rematch"


def table_of(request: HttpRequest) -> Match | None:
    """The table that the new one is to be like, if this phone sits at it."""
    code = (request.POST.get("like", "") or request.GET.get("like", "")).upper()
    match = Match.objects.filter(code=code).first() if code.isalnum() else None
    return match if match is not None and seats.phone(request, match.code).seats else None


def form_values(request: HttpRequest, like: Match) -> dict[str, str]:
    """What the form of a new table is filled with."""
    state, game = storage.load(like).state, system(like.system)
    seat = seats.phone(request, like.code).seats[0]
    others = [army.name for key, army in state.armies.items() if key != seat and army.name]
    options = {option: str(like.rules[option]) for option in game.options if option in like.rules}
    army = SAME_ARMY if game.roster(state, seat) else ""
    return {
        "mode": f"{like.system}/{like.mode}",
        "seats": str(len(state.armies)),
        "seat": seat,
        "name": state.armies[seat].name,
        "rival": others[0] if others else "",
        "army": army,
        "like": like.code,
        **options,
    }


def armies_of(request: HttpRequest, like: Match, seat: str) -> dict[str, Roster]:
    """The armies of that table, as this phone sees them, by the seat that each is now for.

    If this phone takes a different seat this time, the two seats trade armies.
    """
    mine = _own(request, like, seat)
    state = core.view(storage.load(like).state, mine)
    had = {mine: seat, seat: mine}
    armies = ((had.get(key, key), system(like.system).roster(state, key)) for key in state.seats)
    return {key: army for key, army in armies if army is not None}


def _own(request: HttpRequest, like: Match, seat: str) -> str:
    """The seat of that table that this phone leaves for `seat`."""
    own = seats.phone(request, like.code).seats
    return seat if seat in own else own[0]


def announce(request: HttpRequest, like: Match, new: Seat, key: str) -> None:
    """Tell the finished table about its rematch, and take every seat that this phone had there.

    `key` is the form's: sent again, the form takes the same seats again.
    """
    mine = _own(request, like, new.key)
    action = f"{VERB}:{new.match.code}:{mine}:{new.key}"
    line = say(_("%(name)s starts a rematch."), name=name_of(storage.load(like).state, mine))
    play.remark(like.code, line, like.armies.get(key=mine).name, action)
    opened = Rematch(new.match, {mine: new.key, new.key: mine})
    for had in seats.phone(request, like.code).seats:
        chair = opened.chair(had)
        if chair is not None and not chair.is_taken:
            seats.sit_down(request, chair, key)


@dataclass(frozen=True)
class Rematch:
    """The table opened after a match. `moved` says who sits elsewhere there: the old seat → the new one."""

    match: Match
    moved: dict[str, str]

    def chair(self, seat: str) -> Seat | None:
        """The new seat of the player who had this one."""
        key = self.moved.get(seat, seat)
        return Seat.objects.select_related("match").filter(match=self.match, key=key).first()

    def waits_for(self, had: Iterable[str]) -> Seat | None:
        """The first seat kept for the holder of these that nobody has taken yet."""
        chairs = (self.chair(seat) for seat in had)
        return next((chair for chair in chairs if chair is not None and not chair.is_taken), None)


def opened(match: Match) -> Rematch | None:
    """The rematch of a match, until it is over."""
    remarks = Entry.objects.filter(match=match, kind=Entry.Kind.REMARK, action__startswith=f"{VERB}:")
    newest = remarks.order_by("-version").first()
    _verb, code, *moved = newest.action.split(":") if newest else ("", "")
    new = Match.objects.filter(code=code, system=match.system, finished_at=None).first()
    if new is None or len(moved) != 2:
        return None
    return Rematch(new, {moved[0]: moved[1], moved[1]: moved[0]})


def kept_seat(request: HttpRequest, match: Match) -> Seat | None:
    """The seat that an open rematch keeps for this phone."""
    rematch = opened(match)
    return rematch.waits_for(seats.phone(request, match.code).seats) if rematch else None


def bring(match: Match, seat: str, army: Roster) -> None:
    """Bring an army as it stood at another table, with its corrections; one made by hand has no text."""
    if army.text:
        play.bring(match.code, seat, army.text, play.new_key())
    # A name that is new to an army comes with the figures of its card, and only then are they corrected.
    for _time in range(2):
        match.refresh_from_db()
        brought = system(match.system).roster(storage.load(match).state, seat)
        if brought is None or brought.rows != army.rows:
            play.amend(match.code, seat, list(army.rows), play.new_key())


def rematch_address(match: Match) -> str:
    """Where a table like this one is opened."""
    return f"{reverse('new')}?like={match.code}"


@require_safe
@refusing
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """From a finished table to its rematch: to the seat kept for this phone, or else to the table."""
    match = match_of(code)
    if kept := kept_seat(request, match):
        args = [kept.match.code, kept.key, seats.link_secret(kept)]
        return HttpResponseRedirect(reverse("claim", args=args))
    new = opened(match)
    return HttpResponseRedirect(reverse("table", args=[new.match.code if new else match.code]))
