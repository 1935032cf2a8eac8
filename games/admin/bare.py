"""The bare page of a match or an event whose game is not installed: what its rows say; it can be deleted."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.admin import facts
from games.admin.filters import STATES
from games.hall.models import Event, Player
from games.models import Army, Match, Seat

Facts = list[tuple[str, str]]


def page_of_match(admin: Any, request: HttpRequest, match: Match) -> TemplateResponse:
    """The bare page of a match."""
    rows = [
        (_("Table code"), match.code),
        (_("Game"), match.system),
        (_("Mode"), match.mode),
        (_("State"), _state(match)),
        (_("Opened"), _when(match.created_at)),
        (_("Last tap"), _when(match.changed_at)),
        (_("Finished"), _when(match.finished_at)),
    ]
    title = _("Match %(code)s") % {"code": match.code}
    return _page(admin, request, match, title, rows, _seated(match))


def page_of_event(admin: Any, request: HttpRequest, event: Event) -> TemplateResponse:
    """The bare page of an event."""
    rows = [
        (_("Event code"), event.code),
        (_("Game"), event.system),
        (_("Mode"), event.mode),
        (_("State"), event.get_status_display()),
        (_("Opened"), _when(event.created_at)),
        (capfirst(_("last change")), _when(event.changed_at)),
    ]
    players = Player.objects.filter(event=event).values_list("name", "club")
    people = [" · ".join(filter(None, player)) for player in players]
    return _page(admin, request, event, event.name, rows, people)


def _page(
    admin: Any, request: HttpRequest, row: Any, title: str, told: Facts, people: list[str]
) -> TemplateResponse:
    if not admin.has_view_or_change_permission(request, row):
        raise PermissionDenied
    named = f"admin:{row._meta.app_label}_{row._meta.model_name}"
    context = {
        **admin.admin_site.each_context(request),
        "opts": row._meta,
        "title": title,
        "trail": [(reverse(f"{named}_changelist"), capfirst(row._meta.verbose_name_plural))],
        "why": facts.not_served(row.system),
        "facts": [(name, value) for name, value in told if value],
        "people": people,
        "delete_url": reverse(f"{named}_delete", args=[row.pk]) if _may_delete(admin, request, row) else "",
        "media": admin.media,
    }
    return TemplateResponse(request, "admin/games/bare.html", context)


def _may_delete(admin: Any, request: HttpRequest, row: Any) -> bool:
    return bool(admin.has_delete_permission(request, row))


def _state(match: Match) -> str:
    state = "finished" if match.finished_at else "playing" if match.round else "lobby"
    return " · ".join(filter(None, (str(STATES[state][0]), facts.round_name(match) if match.round else "")))


def _seated(match: Match) -> list[str]:
    """Every side: its seat, who plays it, and whether a phone has the seat."""
    taken = set(Seat.objects.filter(match=match, is_taken=True).values_list("key", flat=True))
    armies = Army.objects.filter(match=match).order_by("pk").values_list("key", "name")
    return [_side(match, key, name, _("taken") if key in taken else _("free")) for key, name in armies]


def _side(match: Match, key: str, name: str, state: str) -> str:
    seat = facts.colour(match.system, key)
    return f"{seat}: {name} ({state})" if name else f"{seat} ({state})"


def _when(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT") if moment else ""
