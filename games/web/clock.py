"""What time it is: by the database server if several machines serve, as their clocks may differ."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

from games.core import Unreadable, say
from games.core import gettext_noop as _

NO_MOMENT = _("Write a day and a time, such as 2026-12-05T19:00.")
AHEAD_SECONDS = 60
"""By how much clocks may differ. What is from further ahead is from before a clock was set back."""

_ahead = 0.0
"""Seconds by which the common clock is ahead of this machine's."""


def seconds() -> float:
    """Seconds since 1970, by the common clock."""
    return time.time() + _ahead


def now() -> datetime:
    """The current time, by the common clock."""
    return datetime.fromtimestamp(seconds(), UTC)


def in_days(days: int, zone: str = "") -> int:
    """The same time of day so many days from now (seconds since 1970): a day may have 23 or 25 hours."""
    return later(int(seconds()), days, zone)


def later(moment: int, days: int, zone: str = "") -> int:
    """The same time of day so many days after a moment."""
    return int((at_home(datetime.fromtimestamp(moment, UTC), zone) + timedelta(days=days)).timestamp())


def at_home(moment: datetime, zone: str = "") -> datetime:
    """A moment by the clocks of this time zone; by the server's if it has no name, or none known here."""
    return timezone.localtime(moment, ZoneInfo(zone) if zone and is_zone(zone) else None)


def read(text: str, zone: str = "") -> int:
    """A day, or a day and a time, as forms send them, by the clocks of this zone: "2026-12-05T19:00".

    A day alone means its last minute. `Unreadable` for anything else.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        if "T" not in text:
            moment = moment.replace(hour=23, minute=59)
        home = moment.replace(tzinfo=at_home(now(), zone).tzinfo)
        if not 2000 <= moment.year <= 2100:
            raise ValueError
    except ValueError:
        raise Unreadable(say(NO_MOMENT)) from None
    return int(home.timestamp())


def is_zone(name: str) -> bool:
    """Whether a time zone has this name; "" is the server's own."""
    return not name or name in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def agree(database_time: float, asked: float) -> None:
    """The database said `database_time` (seconds since 1970) when it was asked at `asked`, by our clock."""
    global _ahead
    # It answered at some moment between the question and now.
    _ahead = database_time - (asked + time.time()) / 2
