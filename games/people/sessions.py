"""Sessions: of phones, whose key can be replaced without ever leaving a phone without one, and of organisers.

A session that goes on under a new key leaves the old one as it was, until a request shows that the phone has
the new key. So a lost response costs nothing, and somebody with the old key gains nothing.

A session lives for a month because a seat does. The organiser's powers do not: after two hours away the
password is asked for again, and the seats of the session stay. An open page that asks for news by itself is
nobody's presence. If a second factor is required (ROUNDTABLE_SECOND_FACTOR), the password alone makes nobody
the organiser.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY

from games.models import Seat
from games.prepared import Prepared
from games.web import begin_saving, clock, trouble
from games.web.clock import AHEAD_SECONDS

REPLACES = "replaces"
WHICH = ""
"""Among the seats of a table in a session: its match's primary key, as an import may bring a code back."""

_SESSIONS = Prepared(lambda key: Session.objects.filter(session_key=key))


def holds(held: dict[str, int], chair: Seat) -> bool:
    """Whether a session that holds this under a table's code still has the seat."""
    return held.get(chair.key) == chair.epoch and held.get(WHICH) == chair.match_id


def of_match(held: dict[str, int], match: int) -> dict[str, int]:
    """What a session holds under a table's code, as far as it belongs to this match."""
    return {**(held if held.get(WHICH) == match else {}), WHICH: match}


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with `start_over` as well as `cycle_key`."""

    def __init__(self, session_key: str | None = None) -> None:
        # A cookie holds anything, even what no database can look up.
        is_possible = session_key is not None and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if is_possible else None)

    def start_over(self) -> None:
        """Save everything under a new key; the old session is kept until the new key is seen."""
        old = self.session_key
        if old and REPLACES in self:
            self.delete(old)  # Created in this same request: no phone knows it.
        elif old and self.exists(old):
            self[REPLACES] = old
        self.create()

    def save(self, must_create: bool = False) -> None:
        """Store it; Django mistakes any failure of the database for a log-out elsewhere."""
        try:
            super().save(must_create)
        except UpdateError as failed:
            cause = failed.__context__
            if cause is None or trouble(cause) is None:
                raise
            # Sessions are stored after the view: what was asked for may be saved by now.
            begin_saving()
            raise cause from cause.__cause__

    def load(self) -> dict[str, Any]:
        """What the session holds. The session that it replaces is deleted, as the phone has the new key."""
        rows = _SESSIONS(self.session_key or "")
        is_current = bool(rows) and rows[0].expire_date > timezone.now()
        # One that is gone or has run out is left to Django.
        data: dict[str, Any] = self.decode(rows[0].session_data) if is_current else super().load()
        if old := data.pop(REPLACES, ""):
            self.delete(old)
            self.modified = True
        return data


# --- how long somebody stays the organiser ---------------------------------------------------------


AWAY_SECONDS = 2 * 60 * 60
TOUCH_SECONDS = 5 * 60
"""How precisely the last use is remembered: a session is not written for every page."""
SESSION_TOUCHED = "admin"


def is_present(request: HttpRequest) -> bool:
    """Whether all that a log-in requires was given, and the powers used within the last two hours.

    Whatever the organiser posts, anywhere, is such a use.
    """
    if not gave_password(request) or (settings.SECOND_FACTOR and not is_verified(request)):
        return False
    if request.method == "POST":
        stay(request)
    return True


def stay(request: HttpRequest) -> None:
    """Remember that somebody who is present has just used the organiser's powers."""
    now = int(clock.seconds())
    if now - request.session[SESSION_TOUCHED] > TOUCH_SECONDS:
        request.session[SESSION_TOUCHED] = now


def gave_password(request: HttpRequest) -> bool:
    """Whether the password was given, or the organiser's powers used, within the last two hours."""
    away = int(clock.seconds()) - request.session.get(SESSION_TOUCHED, 0)
    return -AHEAD_SECONDS <= away < AWAY_SECONDS


def is_verified(request: HttpRequest) -> bool:
    """Whether this user has given a code since the password, from a device that is still theirs."""
    from django_otp.models import Device

    kept = request.session.get(DEVICE_ID_SESSION_KEY)
    device = Device.from_persistent_id(kept) if kept else None
    return device is not None and device.confirmed and device.user_id == request.user.pk


def lacks_code(request: HttpRequest) -> bool:
    """Whether somebody who may use the admin gave the password, but not yet the second factor."""
    user = request.user
    may_come = settings.SECOND_FACTOR and user.is_authenticated and user.is_active and user.is_staff
    return bool(may_come) and gave_password(request) and not is_verified(request)


@receiver(user_logged_in)
def _remember(request: HttpRequest | None, **_rest: Any) -> None:
    if request is not None:
        request.session[SESSION_TOUCHED] = int(clock.seconds())
        # A new password log-in needs a new code.
        request.session.pop(DEVICE_ID_SESSION_KEY, None)
