"""How the server is doing: numbers for a program (`/metrics`), and one page for an organiser."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import filesizeformat
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from config import health
from config.data import backups
from games.live.hub import hub
from games.models import Entry, Match
from games.monitoring.answer_times import PARTS, slow_answers
from games.monitoring.measures import exposition
from games.view_models import Link
from games.web import clock, refuse

LIVE = timedelta(minutes=30)
"""A table that nobody has touched for this long is not being played."""


class Fact(NamedTuple):
    """One line of the page: its name and value, what there is to say about it, and to do."""

    name: str
    value: str
    note: str = ""
    act_url: str = ""
    act: str = ""


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Every number in Prometheus' text format, for a program that shows the token or for an organiser."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    is_known = bool(settings.METRICS_TOKEN) and constant_time_compare(token, settings.METRICS_TOKEN)
    if not is_known and not _is_organiser(request):
        return _not_yours(request)
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _is_organiser(request: HttpRequest) -> bool:
    """Whether somebody in the admin has to do with tables or events, if only to look at them."""
    return admin.site.has_permission(request) and any(map(request.user.has_module_perms, ("games", "events")))


def _not_yours(request: HttpRequest) -> HttpResponse:
    return refuse(request, 403, _("These numbers are for the organiser of this server."))


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The page for people: tables, streams, taps a minute, slow answers, the last backup."""
    if not _is_organiser(request):
        return _not_yours(request)
    shown = {
        **admin.site.each_context(request),
        "title": _("Server status"),
        "wrong": _wrong(),
        "facts": [*_tables(), *_streams(), _slow_answers(), _backup(request)],
        # PostgreSQL serves several processes, and each page may come from another one.
        "has_others": hub.bus is not None,
    }
    return TemplateResponse(request, "admin/running.html", shown)


@require_POST
def back_up(request: HttpRequest) -> HttpResponse:
    """Make a backup in the usual folder while the tables go on, then show the page with a sentence about it.

    403 for anyone who may not do everything here: backups fill the disk.
    """
    if not request.user.is_superuser:
        way_back = Link(reverse("admin:running"), _("Server status"))
        return refuse(request, 403, _("Only an organiser with every permission can make a backup."), way_back)
    try:
        file = backups.save(backups.folder())
    except backups.Unusable as refused:
        messages.error(request, _("No backup was made: %(why)s") % {"why": refused})
    else:
        saved = {"file": file, "size": filesizeformat(file.stat().st_size)}
        messages.success(request, _("Everything is saved in %(file)s (%(size)s).") % saved)
        messages.warning(request, _("It unlocks every seat and secret, so keep it safe."))
    return redirect("admin:running")


def _wrong() -> str:
    trouble = health.wrong()
    return f"{_(trouble.sentence)} ({trouble.reason})" if trouble else ""


def _tables() -> list[Fact]:
    now = clock.now()
    running = Match.objects.filter(finished_at=None, is_demo=False)
    minute = now - timedelta(minutes=1)
    # Asked for in two steps: joined, SQLite would read every entry ever made.
    tapped = Match.objects.filter(changed_at__gte=minute)
    # Where a clock was set back, entries made before that have times that are still to come.
    taps = Entry.objects.filter(match__in=tapped, created_at__range=(minute, now)).count()
    return [
        Fact(_("Tables in play"), str(running.filter(changed_at__gte=now - LIVE).count())),
        Fact(_("Unfinished tables"), str(running.count())),
        Fact(_("Taps in the last minute"), str(taps)),
    ]


def _streams() -> list[Fact]:
    # Counted by the loop: this thread cannot go through rooms that phones join and leave meanwhile.
    players, most = hub.players, hub.limits["process"]
    note = _("at most %(most)d in this process") % {"most": most}
    return [
        Fact(_("Connected players’ devices"), str(players)),
        Fact(_("Connected spectators"), str(hub.count - players), note),
    ]


def _slow_answers() -> Fact:
    """How many answers were slow, and of the newest one when it was and what took most of its time."""
    newest, note = slow_answers.newest, ""
    if newest is not None:
        at = datetime.fromtimestamp(newest.at, tz=timezone.get_current_timezone())
        note = _("%(time)s %(page)s: %(milliseconds)d ms, most of it %(part)s") % {
            "time": f"{at:%H:%M:%S}",
            "page": _(newest.page),
            "milliseconds": round(newest.seconds * 1000),
            "part": _(PARTS[newest.part]),
        }
    return Fact(_("Slow answers since the start"), str(slow_answers.count), note)


def _backup(request: HttpRequest) -> Fact:
    """When the newest backup in the usual folder was made, with a button for those who may make one."""
    made = newest_backup(backups.folder())
    way = (reverse("admin:back-up"), _("Back up now")) if request.user.is_superuser else ("", "")
    if made is None:
        return Fact(_("Last backup"), _("never"), "", *way)
    # A clock that was set back since leaves it in the future.
    days = max(0, (timezone.now() - made).days)
    old = ngettext("%(days)d day ago", "%(days)d days ago", days) % {"days": days} if days else _("today")
    return Fact(_("Last backup"), old, timezone.localtime(made).strftime("%Y-%m-%d %H:%M"), *way)


def newest_backup(folder: Path) -> datetime | None:
    """When the newest backup in a folder was written; None if there is none."""
    times = []
    with suppress(OSError):
        for file in folder.glob(backups.NAMES):
            # Removed meanwhile: by the next backup, or because it is old.
            with suppress(FileNotFoundError):
                times.append(file.stat().st_mtime)
    return datetime.fromtimestamp(max(times), tz=timezone.get_current_timezone()) if times else None
