"""Old tables and the names of people in them go after as many days as the organiser has set.

A table is old when nobody has tapped on it for so long, whether it was finished or not. With it go its
history, requests for seats and notes. What organisers did in the admin, sessions that have run out and old
backups go, too.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import close_old_connections, connection, models, transaction
from django.utils import timezone

from config.data import backups, unfinished
from config.data.sqlite_guard import empty_log
from games.admin import actions, events
from games.events.models import Event
from games.models import Match, SeatRequest

logger = logging.getLogger(__name__)

DAY_SECONDS = 24 * 60 * 60
MOST_DAYS = 365_000
"""Nothing is older, and no calendar goes back much further."""


@dataclass(frozen=True)
class Removed:
    """How much of each kind went."""

    tables: int
    events: int
    requests: int
    admin_entries: int
    sessions: int
    backups: int


def tidy(days: int, folder: Path) -> Removed:
    """Remove what is older than so many days, the backups of a folder included."""
    now = timezone.now()
    before = now - timedelta(days=min(days, MOST_DAYS))
    removed = Removed(
        sum(_removed(pk, before) for pk in list(_old(before).values_list("pk", flat=True))),
        sum(_removed_event(pk, before) for pk in _old_events(before)),
        SeatRequest.objects.filter(created_at__lt=before).delete()[0],
        LogEntry.objects.filter(action_time__lt=before).delete()[0],
        Session.objects.filter(expire_date__lt=now).delete()[0],
        sum(_thrown_away(file, before) for file in folder.glob(backups.NAMES)),
    )
    unfinished.clear(folder)
    _vacuum()
    return removed


def tidy_daily() -> None:
    """Tidy now, and once a day after that, in a thread; does nothing where no limit is set."""
    if settings.KEEP_DAYS:
        threading.Thread(target=_daily, name="tidy", daemon=True).start()


def _daily() -> None:
    while True:
        try:
            logger.info("tidied: %s", tidy(settings.KEEP_DAYS, backups.folder()))
        except Exception:
            logger.exception("old tables could not be removed; tomorrow they are tried again")
        finally:
            close_old_connections()
        time.sleep(DAY_SECONDS)


def _old(before: datetime) -> models.QuerySet[Match]:
    return Match.objects.filter(changed_at__lt=before)


def _removed(pk: int, before: datetime) -> bool:
    """Delete a table, unless somebody has just tapped on it."""
    with transaction.atomic():
        match = _old(before).select_for_update().filter(pk=pk).first()
        if match is not None:
            actions.delete(match)
    return match is not None


def _old_events(before: datetime) -> list[int]:
    return list(Event.objects.filter(changed_at__lt=before).values_list("pk", flat=True))


def _removed_event(pk: int, before: datetime) -> bool:
    """Delete an event with its players, lists and history, unless somebody has just done something there."""
    with transaction.atomic():
        event = Event.objects.select_for_update().filter(pk=pk, changed_at__lt=before).first()
        if event is not None:
            events.delete(event)
    return event is not None


def _thrown_away(file: Path, before: datetime) -> bool:
    if datetime.fromtimestamp(file.stat().st_mtime, UTC) >= before:
        return False
    file.unlink()
    return True


def _vacuum() -> None:
    """Write SQLite's file anew without what was deleted, also earlier: a deleted row is only forgotten."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    # The log still holds what went.
    empty_log()
