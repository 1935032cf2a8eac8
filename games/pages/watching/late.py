"""A match that is shown late: which addresses are open to those without a seat, and what they show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_POST

from games import view_models
from games.core import gettext_noop as noop
from games.match import delay
from games.models import Match
from games.pages.common import field, match_of, refusing
from games.pages.opening import list_links
from games.pages.records.past import Past
from games.pages.table.loaded import Table
from games.people import seats
from games.translation import gettext as _
from games.web import TAPS, refuse, too_fast

OPEN = frozenset(
    {
        *("watch", "watch-news", "watch-stream", "tv", "overlay", "embed", "elsewhere"),
        *("table-rules", "seats", "watch-delay", "invitation", "free", "unseal"),
        *("join", "claim", "move", "move-here", "take"),
    }
)
"""Views of a late match that are open to everybody: they show the past, or nothing of the match."""
FRESH = frozenset(("board", "stream"))
"""Views that a table's page calls by itself: they make it reload, which leads to the watchers' page."""

SHOWN_LATE = noop("The players chose a spectator delay. Until the match ends, you can only watch.")

Answer = Callable[..., HttpResponse]


class LateMatches(MiddlewareMixin):
    """Close every address of a late match, any new one included, to those who have no seat at it."""

    def process_view(
        self, request: HttpRequest, view: Answer, arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> HttpResponse | None:
        code = str(named.get("code", "")).upper()
        name = request.resolver_match.url_name if request.resolver_match else ""
        # The API finds the match by its token, and checks for itself.
        is_ours = bool(code) and name not in OPEN and not request.path_info.startswith("/api/")
        if not is_ours or not delay.is_late(code):
            return None
        phone = seats.phone(request, code)
        return None if phone.seats or phone.is_organiser else _closed(request, code, name or "")


def _closed(request: HttpRequest, code: str, name: str) -> HttpResponse:
    watch = reverse("watch", args=[code])
    if name in FRESH:
        return HttpResponse(status=410)
    if name == "table" and request.method in ("GET", "HEAD"):
        if list_links.carries(request):
            return HttpResponseRedirect(list_links.address_with_list(request, "join", code))
        return HttpResponseRedirect(watch)
    return refuse(request, 403, _(SHOWN_LATE), view_models.Link(watch, _("Watch")))


def table_for_watchers(match: Match) -> Table:
    """The table as watchers may see it now."""
    version = delay.shown_version(match)
    return Table(match) if version >= match.version and not is_late(match) else Past(match, version)


def is_late(match: Match) -> bool:
    return match.watch_delay != delay.AT_ONCE and match.finished_at is None


def lateness(match: Match) -> str:
    """How the pages for watching say that a match is late; "" for one shown at once."""
    if not is_late(match):
        return ""
    if match.watch_delay == delay.ROUND:
        return _("Shown when a round is over")
    return _("Delayed by %(minutes)s minutes") % {"minutes": match.watch_delay}


def choices(match: Match) -> tuple[view_models.Option, ...]:
    """The delays to choose from, with the current one marked."""
    labels = {
        delay.AT_ONCE: _("No delay"),
        5: _("5-minute delay"),
        15: _("15-minute delay"),
        delay.ROUND: _("After each round"),
    }
    return tuple(
        view_models.Option(str(minutes), label, minutes == match.watch_delay)
        for minutes, label in labels.items()
    )


@require_POST
@refusing
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """A seated player chooses how much later watchers see the match."""
    match = match_of(code)
    phone = seats.phone(request, match.code)
    seat, known = phone.seat(), {str(minutes): minutes for minutes in delay.CHOICES}
    if refusal := too_fast(request, TAPS, f"{match.code}/{seat}"):
        return refusal
    with phone.speaks(match.code, seat):
        delay.choose(match.code, seat, known.get(field(request, "delay")))
    return HttpResponseRedirect(reverse("seats", args=[code]))
