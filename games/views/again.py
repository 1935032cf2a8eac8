"""A rematch: the same game and size, the same people, the same armies."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from games.core import engine
from games.core.rosters import Roster
from games.core.system import system
from games.match import board, play
from games.models import Match
from games.people import seats

SAME_ARMY = "again"
"""The choice of an army that means: those that everybody had."""


def table_of(request: HttpRequest) -> Match | None:
    """The table that the new one shall be like, if this phone sits at it."""
    code = (request.POST.get("like", "") or request.GET.get("like", "")).upper()
    match = Match.objects.filter(code=code).first() if code.isalnum() else None
    return match if match is not None and seats.phone(request, match.code).seats else None


def form_values(request: HttpRequest, like: Match) -> dict[str, str]:
    """What the form of a new table begins with."""
    state, game = board.load(like).state, system(like.system)
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
    """The armies of that table, as this phone sees them, by the seat that each is for.

    Where this phone sits on another seat than then, the two change places.
    """
    own = seats.phone(request, like.code).seats
    mine = seat if seat in own else own[0]
    state = engine.view(board.load(like).state, mine)
    had = {mine: seat, seat: mine}
    found = ((had.get(key, key), system(like.system).roster(state, key)) for key in state.seats)
    return {key: army for key, army in found if army is not None}


def bring(match: Match, seat: str, army: Roster) -> None:
    """Bring an army as it stood at another table, corrections included."""
    play.bring(match.code, seat, army.text, play.new_key())
    match.refresh_from_db()
    found = system(match.system).roster(board.load(match).state, seat)
    if found is None or found.rows != army.rows:
        play.amend(match.code, seat, list(army.rows), play.new_key())


def address(match: Match) -> str:
    """Where a table like this one is opened."""
    return f"{reverse('new')}?like={match.code}"
