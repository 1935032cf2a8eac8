"""Who sits at the organiser's desk, and for how long without touching it.

A session lives for a month because a seat does. The organiser's powers do not: after two
hours away the password is asked for again, and the seats of the session stay.
"""

from __future__ import annotations

import time
from typing import Any

from django.contrib.admin.sites import AdminSite
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.views.context import site

AWAY_SECONDS = 2 * 60 * 60
TOUCH_SECONDS = 5 * 60
"""How exactly the last touch is remembered: a session is not written for every page."""
SESSION_TOUCHED = "desk"


APPS = ("games", "auth")
MODELS = ("Match", "Army", "Unit", "Objective", "Entry", "Sheet", "User", "Group")
"""In which order the desk lists what it has."""


class Desk(AdminSite):
    """The admin under its name here, open while somebody is present."""

    site_header = _("Roundtable")
    site_title = _("Roundtable")
    index_title = _("Organiser admin")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The tables first, and of them the matches, then what stands on them, then the log."""
        found = super().get_app_list(request, app_label)
        for app in found:
            app["models"].sort(key=lambda model: _place(model["object_name"], MODELS))
        return sorted(found, key=lambda app: _place(app["app_label"], APPS))

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and is_present(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        # Somebody who was away too long is asked for the password, not told to be somebody else.
        away = {} if is_present(request) else {"user": AnonymousUser()}
        # What Django's page of the password calls "site" is another: the frame is given by name.
        return super().login(request, {**away, **site(request), **(extra_context or {})})


def _place(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)


def is_present(request: HttpRequest) -> bool:
    """Whether the password was given, or the desk touched, within the last two hours."""
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
