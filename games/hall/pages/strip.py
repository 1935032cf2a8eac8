"""The event on the page of one of its tables: the way back, the clock, the newest announcement."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import matches, play
from games.hall.kept import gathering
from games.hall.models import Event, Player
from games.hall.pages import rounds
from games.hall.pages.access import own
from games.hall.pages.own import Own
from games.hall.pages.region import latest
from games.hall.rules.pieces import OPEN, Call, Gathering, Pairing, Round
from games.match.verdict import RequestRefused
from games.models import Match
from games.pages.common import match_of, refusing
from games.templating import part
from games.view_models import Link
from games.view_models import hall as parts
from games.web import clock
from games.web.database import one_moment

STYLES, SCRIPTS = ("hall/strip.css",), ("hall/hall.js", "hall/strip.js")
"""The extra files for the page of an event's table."""


def event_code(match: Match) -> str:
    """The code of the event that a table belongs to; "" for none."""
    return matches.event_of(match.code)


def way(match: Match) -> Link | None:
    """The way from a table to its event."""
    code = event_code(match)
    return Link(reverse("event", args=[code]), _("Back to the event"), "people") if code else None


@require_safe
@refusing
def strip(request: HttpRequest, code: str) -> HttpResponse:
    """The strip of a table's page: 204 while the version that the page has (`seen`) is current.

    410 for a table without an event: it never had one, or has been left behind by one that was deleted.
    """
    match = match_of(code)
    found = event_code(match)
    if not found:
        raise RequestRefused(say(noop("This table belongs to no event.")), 410, "no_event")
    with one_moment():
        event = play.event_of(found)
        if request.GET.get("seen", "") == str(event.version):
            return HttpResponse(status=204)
        g = gathering(event)
    return HttpResponse(part("hall/strip.html", strip=_strip(event, g, match.code, own(request, event))))


def _strip(event: Event, g: Gathering, match: str, player: Player | None) -> parts.HallStrip:
    """The strip at the table of this match, for a player of the event or for anyone else."""
    pairing = next((one for one in g.pairings.values() if one.match == match), None)
    played = g.rounds.get(str(pairing.round)) if pairing else None
    mine = _own(event, g, pairing, player)
    calls = [one for one in g.calls.values() if pairing and one.pairing == pairing.key and not one.closed_at]
    return parts.HallStrip(
        name=g.name,
        # A table at which somebody had tapped is kept when its round is called off: others sit there next.
        table=_("Table %(table)s") % {"table": pairing.table} if pairing else _("Called off"),
        url=reverse("event", args=[event.code]),
        clock=rounds.clock_of(g, played, pairing.extended if pairing else 0),
        announcement=latest(g),
        ways=_ways(mine, pairing, played) if mine and not calls else (),
        now=int(clock.seconds()),
        version=event.version,
        judge=_answer_to(calls[0]) if calls else "",
    )


def _own(event: Event, g: Gathering, pairing: Pairing | None, player: Player | None) -> Own | None:
    """The event as a player of this table sees it, or of any table if this one was called off."""
    if player is None or (pairing is not None and player.key not in pairing.players):
        return None
    return Own(event.code, g, g.players[player.key])


def _ways(own: Own, here: Pairing | None, played: Round | None) -> tuple[Link, ...]:
    """Where a player of this table may go: to a judge, or to their next table once this one's is over."""
    if here is not None and played is not None and played.state == OPEN:
        return (Link(own.url_about("event-judge", here), _("Call a judge"), "people"),)
    if own.pairing is None or own.pairing.is_bye:
        return ()
    return (Link(own.url("event"), _("Go to table %(table)s") % {"table": own.pairing.table}, "go"),)


def _answer_to(call: Call) -> str:
    """How a table's call for a judge was answered."""
    if call.comes:
        return _("%(name)s is coming to your table.") % {"name": call.comes}
    return _("A judge is called.")
