"""The admin under its own name, open while an organiser is present; wrong passwords are counted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.sites import AdminSite
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.forms.renderers import BaseRenderer, DjangoTemplates, Jinja2
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core import is_number, name_key, systems
from games.pages.context import site
from games.people.sessions import is_present, lacks_code, stay
from games.web import LOGIN_NAMES, LOGINS, Limit, address, limits

log = logging.getLogger(__name__)

APPS = ("games", "events", "webhooks", "auth")
MODELS = ("Match", "Army", "Unit", "Objective", "Entry", "CatalogueEntry", "User", "Group")
"""The order in which the admin lists its apps and models."""


LONGEST_SEARCH = 200
"""Characters: each word of a search is looked for in several columns, and databases limit a query's size."""


class RoundtableAdmin(AdminSite):
    """The admin under its own name, open while an organiser is present."""

    site_header = _("Roundtable")
    site_title = _("Roundtable")
    index_title = _("Organiser admin")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The tables first: matches, then what stands on them, then the log."""
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["models"].sort(key=lambda model: _place(model["object_name"], MODELS))
            app["models"] = [entry for model in app["models"] for entry in _entries(model)]
        return sorted(apps, key=lambda app: _place(app["app_label"], APPS))

    def get_urls(self) -> list[Any]:
        """The admin's own addresses, and the page that says how the server is doing."""
        from config import status
        from config.admin import one_time_codes

        return [
            path("running/", self.admin_view(status.page), name="running"),
            path("running/backup/", self.admin_view(status.back_up), name="back-up"),
            path("second-factor/", one_time_codes.page, name="second-factor"),
            *super().get_urls(),
        ]

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """A page of the admin; it refuses searches and selections that its own lists cannot send."""
        shown = super().admin_view(view, cacheable)

        @wraps(shown)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
            if len(request.GET.get("q", "")) > LONGEST_SEARCH or not all(map(is_number, chosen)):
                raise BadRequest
            return shown(request, *args, **kwargs)

        return answered

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What every page of the admin shows, including whether there is a second factor to look after."""
        return {**super().each_context(request), "second_factor": settings.SECOND_FACTOR}

    def has_permission(self, request: HttpRequest) -> bool:
        if not super().has_permission(request) or not is_present(request):
            return False
        stay(request)
        return True

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        # Somebody who was away too long is asked for the password, not told to log in as somebody else.
        away = {} if is_present(request) else {"user": AnonymousUser()}
        # Django's log-in page means something else by "site", so the frame is passed by name.
        context = {**away, **site(request), **(extra_context or {})}
        if request.method == "POST":
            return self._try(request, context)
        if request.method == "GET" and lacks_code(request):
            return _to_second_factor(request.GET.get("next", ""))
        return super().login(request, context)

    def _try(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        """Log in with the password that was sent; a wrong one is counted."""
        if refusal := _slow_guesser(request):
            return refusal
        # Before the log-in, which gives the device another session.
        counted, who = _counted(request), _attempt(request)
        response = super().login(request, context)
        if response.status_code != 302:
            log.warning("failed log-in %s", who)
            for limit, key in counted:
                limit.take(key)
        elif settings.SECOND_FACTOR:
            return _to_second_factor(response["Location"])
        return response


def _to_second_factor(onward: str) -> HttpResponse:
    """Go to the code, which comes after the password, and from there to the page that was wanted."""
    return redirect(reverse("admin:second-factor", query={"next": onward} if onward else None))


def _slow_guesser(request: HttpRequest) -> HttpResponse | None:
    """The refusal (429) for anyone who has tried too many passwords; a right one is refused, too."""
    seconds = max(limit.wait(key) for limit, key in _counted(request))
    if not seconds:
        return None
    log.warning("log-in %s refused: too many attempts", _attempt(request))
    return limits.refusal_for(request, seconds)


def _counted(request: HttpRequest) -> list[tuple[Limit, str]]:
    """The limits that a wrong password counts against: those of the address and of the name typed.

    A device on which this same person was signed in before has a limit of its own, so that no
    stranger can lock the organiser out of it.
    """
    name = request.POST.get("username", "")
    if name and name == request.user.get_username():
        return [(LOGINS, f"device {request.session.session_key}")]
    return [
        (LOGINS, address(request)),
        (LOGIN_NAMES, name_key(name.strip())[:150]),
    ]


def _attempt(request: HttpRequest) -> str:
    """Who is trying, and from where. A name that nobody here has is not repeated: it may be a password."""
    name = request.POST.get("username", "")
    is_user = name.isprintable() and get_user_model().objects.filter(username=name).exists()
    return f"as {repr(name) if is_user else 'an unknown name'} from {address(request)}"


def _entries(model: dict[str, Any]) -> list[dict[str, Any]]:
    """What the admin lists for a model: itself; for game data, each kind of each game by its own name."""
    if model["object_name"] != "CatalogueEntry":
        return [model]
    return [
        {
            **model,
            "name": gettext(made.title),
            "admin_url": f"{model['admin_url']}?of={game.slug}:{kind}",
            "add_url": model["add_url"] and f"{model['add_url']}?system={game.slug}&kind={kind}",
        }
        for game in systems()
        for kind, made in game.entry_kinds.items()
    ]


def _place(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)


class Widgets(BaseRenderer):
    """Draws Django's own controls with Jinja2; the admin's exist only as Django templates."""

    def __init__(self) -> None:
        self.compiled, self.others = Jinja2(), DjangoTemplates()

    def get_template(self, template_name: str) -> Any:
        place = self.compiled if template_name.startswith("django/forms/") else self.others
        return place.get_template(template_name)
