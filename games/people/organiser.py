"""How long somebody is the organiser without touching the admin.

A session lives for a month because a seat does. The organiser's powers do not: after two
hours away the password is asked for again, and the seats of the session stay.
"""

from __future__ import annotations

import time
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

AWAY_SECONDS = 2 * 60 * 60
TOUCH_SECONDS = 5 * 60
"""How exactly the last touch is remembered: a session is not written for every page."""
SESSION_TOUCHED = "admin"


def is_present(request: HttpRequest) -> bool:
    """Whether the password was given, or the admin used, within the last two hours."""
    now, touched = int(time.time()), request.session.get(SESSION_TOUCHED, 0)
    if not 0 <= now - touched < AWAY_SECONDS:
        return False
    if now - touched > TOUCH_SECONDS:
        request.session[SESSION_TOUCHED] = now
    return True


@receiver(user_logged_in)
def _sit_down(request: HttpRequest | None, **_rest: Any) -> None:
    if request is not None:
        request.session[SESSION_TOUCHED] = int(time.time())
