"""The lists that this device has brought to other tables, offered again; nothing is stored for it.

They are read from the matches at which its session holds seats, so they are as private as those seats and go
when the device forgets the matches, or when these are removed.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.utils.formats import date_format

from games import core
from games.core import RequestRefused, Roster, say, system
from games.core import gettext_noop as _
from games.match import storage
from games.models import Entry, Match, Seat
from games.people import seats
from games.translation import words
from games.view_models import Option

MOST, LOOKED_AT = 6, 30
"""How many lists are offered, and how many of the newest seats are looked at to find them."""


def offered(request: HttpRequest, match: Match) -> Iterator[Option]:
    """The newest different lists for this game: `value` is table and seat, `detail` who played and when."""
    found: set[str] = set()
    for seat in _brought(request, match):
        army = _army(seat)
        content = repr([(row.name, row.title, row.cost) for row in army.rows]) if army else ""
        if army is None or content in found:
            continue
        found.add(content)
        names = " – ".join(one.name or one.key for one in seat.match.armies.all())
        about = f"{names} · {date_format(seat.match.created_at, 'DATE_FORMAT')}"
        yield Option(f"{seat.match.code}:{seat.key}", words(army.summary), detail=about)
        if len(found) == MOST:
            return


def taken(request: HttpRequest, match: Match, chosen: str) -> Roster:
    """The list that was chosen; `RequestRefused` (422) if this device has none there."""
    brought = (seat for seat in _brought(request, match) if f"{seat.match.code}:{seat.key}" == chosen)
    army = _army(seat) if (seat := next(brought, None)) else None
    if army is None:
        raise RequestRefused(say(_("Choose one of the armies.")), 422, "malformed")
    return army


def _brought(request: HttpRequest, match: Match) -> Iterator[Seat]:
    """The seats of this device at other tables of the game to which a list was brought, newest first."""
    held = seats.held(request)
    others = Seat.objects.filter(match__code__in=held, match__system=match.system, is_taken=True)
    others = others.exclude(match=match).select_related("match").prefetch_related("match__armies")
    newest = others.order_by("-match__changed_at", "pk")[:LOOKED_AT]
    own = [seat for seat in newest if seats.holds(held[seat.match.code], seat)]
    lists = Entry.objects.filter(match__in=[seat.match_id for seat in own], kind=Entry.Kind.BRING)
    by_hand = set(lists.values_list("match_id", "seat"))
    return (seat for seat in own if (seat.match_id, seat.key) in by_hand)


def _army(seat: Seat) -> Roster | None:
    """What this seat led, with its corrections."""
    state = core.view(storage.load(seat.match).state, seat.key)
    return system(seat.match.system).roster(state, seat.key)
