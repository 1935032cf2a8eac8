"""Removes old tables, with the names of people in them, after as many days as the organiser has set.

A table is old when nobody has tapped on it for that long, whether it was finished or not. Its history,
requests for seats and notes go with it. So do the log of the admin, expired sessions and old backups.

A clock may have been wrong while people played: a small computer without one of its own goes on from
yesterday, or from 1970. So an entry written after a young one is young as well.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection, connections, models, transaction

from config.data import backups, unfinished
from config.data.sqlite_guard import empty_log
from games.admin import match_commands
from games.hall import admin as events
from games.hall import event_file as exchange
from games.hall.models import Event, EventEntry, Pairing
from games.live import bus
from games.match import match_file
from games.models import Entry, Match, Seat, SeatRequest
from games.web import clock

logger = logging.getLogger(__name__)

DAY_SECONDS = 24 * 60 * 60
MOST_DAYS = 365_000
"""Nothing is older than this, and no calendar goes back much further."""
SITTING_DOWN = timedelta(minutes=1)
"""For so long after it was opened whatever happens at a table belongs to its opening."""
MOST_ENTRIES = 2**63 - 1
"""A number that no entry reaches."""

Row = TypeVar("Row", Match, Event)


@dataclass(frozen=True)
class Removed:
    """How many of each kind were removed."""

    tables: int
    events: int
    requests: int
    admin_entries: int
    sessions: int
    backups: int


def tidy(days: int, folder: Path) -> Removed:
    """Remove what is older than so many days by the common clock, including the backups in a folder."""
    if connection.vendor == "postgresql":
        bus.agree_on_the_time()
    now = clock.now()
    before = now - timedelta(days=min(days, MOST_DAYS))
    matches = _old(Match.objects.all(), _written_since(Entry, before, now), before)
    halls = _old(Event.objects.all(), _written_since(EventEntry, before, now), before)
    removed = Removed(
        _remove(matches, match_commands.delete),
        _remove(halls, events.delete),
        SeatRequest.objects.filter(created_at__lt=before).delete()[0],
        LogEntry.objects.filter(action_time__lt=before).delete()[0],
        Session.objects.filter(expire_date__lt=now).delete()[0],
        sum(_thrown_away(file, before) for file in folder.glob(backups.NAMES)),
    )
    unfinished.clear(folder)
    _vacuum()
    return removed


def clear_unused(days: int) -> int:
    """Remove tables that strangers opened and nobody has played at for so many days; how many they were.

    Once somebody has taken a seat, a table stays for at least as long as a phone keeps it. A match that a
    stranger imported has no seats, and nobody ever plays at it. Tables of events, demo tables and what
    commands import stay.
    """
    now = clock.now()
    of_events = models.Exists(Pairing.objects.filter(match=models.OuterRef("code")))
    opened = Match.objects.filter(is_demo=False).exclude(opened_from="").exclude(of_events)
    imported = models.Exists(match_file.openings().filter(match=models.OuterRef("pk")))
    # A change that seems to come before the opening came after the clock was set back.
    opening = models.F("created_at"), models.F("created_at") + SITTING_DOWN
    untouched = models.Q(changed_at__range=opening)
    seated = models.Exists(Seat.objects.filter(match=models.OuterRef("pk"), is_taken=True))
    kept = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    after, after_sitting = (now - timedelta(days=min(days, MOST_DAYS)), now - kept)
    removed = 0
    for unused, before in (
        (opened.filter(untouched | models.Q(imported)).exclude(seated), after),
        (opened.filter(untouched).filter(seated), min(after, after_sitting)),
    ):
        removed += _remove(_old(unused, _written_since(Entry, before, now), before), match_commands.delete)
    return removed


def tidy_daily() -> None:
    """Tidy now and once a day after that, in a thread; do nothing where no limit is set."""
    if settings.KEEP_DAYS or settings.KEEP_UNUSED_DAYS:
        threading.Thread(target=_daily, name="tidy", daemon=True).start()


def _daily() -> None:
    while True:
        try:
            if settings.KEEP_UNUSED_DAYS:
                logger.info("unused tables removed: %s", clear_unused(settings.KEEP_UNUSED_DAYS))
            if settings.KEEP_DAYS:
                logger.info("tidied: %s", tidy(settings.KEEP_DAYS, backups.folder()))
        except Exception:
            logger.exception("old tables could not be removed; tomorrow they are tried again")
        finally:
            # It is needed again tomorrow.
            connections.close_all()
        time.sleep(DAY_SECONDS)


def _old(rows: models.QuerySet[Row], young: models.QuerySet[Any], before: datetime) -> models.QuerySet[Row]:
    """The matches or events that nobody has changed since `before`, and that have no young entry."""
    return rows.filter(changed_at__lt=before).exclude(pk__in=young)


def _written_since(
    entries: type[Entry | EventEntry], before: datetime, now: datetime
) -> models.QuerySet[Any]:
    """The keys of those with an entry from this time or after one: numbers rise whatever the clock says.

    The dates of what came as a file are those that somebody wrote there: they say nothing about others.
    """
    of, brought = ("match", match_file.openings()) if entries is Entry else ("event", exchange.openings())
    written = entries.objects.filter(created_at__range=(before, now))
    written = written.exclude(models.Q((f"{of}__in", brought.values(of))))
    first = written.aggregate(first=models.Min("pk"))["first"]
    return entries.objects.filter(pk__gte=first or MOST_ENTRIES).values(f"{of}_id")


def _remove(old: models.QuerySet[Any], delete: Callable[[Any], None]) -> int:
    """Delete tables or events, each unless somebody has just done something there; returns how many."""
    removed = 0
    for pk in list(old.values_list("pk", flat=True)):
        with transaction.atomic():
            row = old.select_for_update().filter(pk=pk).first()
            if row is not None:
                delete(row)
                removed += 1
    return removed


def _thrown_away(file: Path, before: datetime) -> bool:
    try:
        if datetime.fromtimestamp(file.stat().st_mtime, UTC) >= before:
            return False
        file.unlink()
    except FileNotFoundError:
        # Somebody else, such as the next backup, has just removed it.
        return False
    return True


def _vacuum() -> None:
    """Rewrite SQLite's file without the rows deleted now or earlier: a deleted row is only forgotten."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    # The log still holds what was removed.
    empty_log()
