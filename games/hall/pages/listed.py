"""Events in lists: this phone's own, those being played, those to come, those that are over."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.system import system, systems
from games.hall import access
from games.hall.models import Event
from games.view_models import hall as parts

LISTED = 30
Sections = tuple[tuple[str, tuple[parts.EventRow, ...]], ...]


def sections(request: HttpRequest) -> Sections:
    """The events under their headings; a heading without events is left out."""
    mine = own(request)
    listed = _served().filter(is_listed=True).exclude(pk__in=[one.pk for one in mine])
    listed, demos = listed.filter(is_demo=False), listed.filter(is_demo=True)
    found = (
        (_("Your events"), mine),
        (_("Being played now"), listed.filter(status=Event.Status.RUNNING)[:LISTED]),
        (_("To come"), listed.filter(status=Event.Status.PLANNED)[:LISTED]),
        (_("Finished"), listed.filter(status=Event.Status.OVER)[:LISTED]),
        (_("Demo events"), demos[:LISTED]),
    )
    lines = ((title, tuple(map(row, events))) for title, events in found)
    return tuple((title, rows) for title, rows in lines if rows)


def own(request: HttpRequest) -> list[Event]:
    """The events in which this phone has a place, newest first."""
    codes = access.codes(request)
    found = {event.code: event for event in _served().filter(code__in=codes)} if codes else {}
    return [found[code] for code in codes if code in found]


def for_home(request: HttpRequest) -> tuple[parts.EventRow, ...]:
    """The events on the home page: this phone's own, the listed ones, demo events; none that is over."""
    mine = [event for event in own(request) if event.status != Event.Status.OVER]
    others = _served().filter(is_listed=True).exclude(status=Event.Status.OVER)
    others = others.order_by("is_demo", "-changed_at")
    rest = [event for event in others[:LISTED] if event not in mine]
    return tuple(map(row, [*mine, *rest][:4]))


def _served() -> QuerySet[Event]:
    known = Event.objects.filter(system__in=[game.slug for game in systems()])
    return known.annotate(entered=Count("players"))


def row(event: Event) -> parts.EventRow:
    """An event in a list."""
    entered = event.entered  # type: ignore[attr-defined]
    players = ngettext("%(count)d player", "%(count)d players", entered) % {"count": entered}
    return parts.EventRow(
        reverse("event", args=[event.code]),
        event.name,
        _(system(event.system).title),
        (players, event.code, str(Event.Status(event.status).label)),
        demo=_("Demo") if event.is_demo else "",
    )
