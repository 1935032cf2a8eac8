"""How long somebody is the organiser without touching the admin.

A session lives for a month because a seat does. The organiser's powers do not: after two
hours away the password is asked for again, and the seats of the session stay. Where a second factor is
wanted (ROUNDTABLE_SECOND_FACTOR), the password alone makes nobody the organiser.
"""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY

AWAY_SECONDS = 2 * 60 * 60
TOUCH_SECONDS = 5 * 60
"""How exactly the last touch is remembered: a session is not written for every page."""
SESSION_TOUCHED = "admin"


def is_present(request: HttpRequest) -> bool:
    """Whether all that a log-in asks for was given, or the admin used, within the last two hours."""
    return gave_password(request) and (not settings.SECOND_FACTOR or is_verified(request))


def gave_password(request: HttpRequest) -> bool:
    """Whether the password was given, or the admin used, within the last two hours."""
    now, touched = int(time.time()), request.session.get(SESSION_TOUCHED, 0)
    if not 0 <= now - touched < AWAY_SECONDS:
        return False
    if now - touched > TOUCH_SECONDS:
        request.session[SESSION_TOUCHED] = now
    return True


def is_verified(request: HttpRequest) -> bool:
    """Whether a code of this very person was given since the password was, and its device is still theirs."""
    from django_otp.models import Device

    kept = request.session.get(DEVICE_ID_SESSION_KEY)
    device = Device.from_persistent_id(kept) if kept else None
    return device is not None and device.confirmed and device.user_id == request.user.pk


def lacks_code(request: HttpRequest) -> bool:
    """Whether somebody who may use the admin gave the password, and the second factor is still to come."""
    user = request.user
    may_come = settings.SECOND_FACTOR and user.is_authenticated and user.is_active and user.is_staff
    return bool(may_come) and gave_password(request) and not is_verified(request)


@receiver(user_logged_in)
def _remember(request: HttpRequest | None, **_rest: Any) -> None:
    if request is not None:
        request.session[SESSION_TOUCHED] = int(time.time())
        # Whoever gives the password anew gives a code anew.
        request.session.pop(DEVICE_ID_SESSION_KEY, None)
