"""How long somebody stays the organiser without using the admin or doing anything as the organiser.

A session lives for a month because a seat does. The organiser's powers do not: after two hours away the
password is asked for again, and the seats of the session stay. An open page that asks for news by itself is
nobody's presence. If a second factor is required (ROUNDTABLE_SECOND_FACTOR), the password alone makes nobody
the organiser.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY

from games.web import clock
from games.web.clock import AHEAD_SECONDS

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
