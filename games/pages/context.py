"""The frame around every page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from games.core import ViewModel


class Language(ViewModel):
    """One choice of the language switch; `name` is the language's own ("简体中文")."""

    code: str
    name: str
    current: bool = False


class Site(ViewModel):
    """The frame around every page, given by a context processor as `site`.

    `here` is where the language switch returns to; `plain_http` says that this table is
    not encrypted, and `warning_url` closes the banner that says so, "" once a device has
    closed it; `worker_url` is then empty, and a phone
    stores nothing of the program.
    """

    home_url: str
    language_url: str
    here: str
    languages: tuple[Language, ...] = ()
    manifest_url: str = "/manifest.webmanifest"
    worker_url: str = ""
    plain_http: bool = False
    warning_url: str = ""


def site(request: HttpRequest) -> dict[str, object]:
    return {"site": frame(request.get_full_path(), is_warned=settings.PLAIN_COOKIE_NAME in request.COOKIES)}


def token(request: HttpRequest) -> dict[str, object]:
    """`csrf_token`, the same in all forms of a page; a page that does not use it sets no cookie."""
    return {"csrf_token": SimpleLazyObject(lambda: get_token(request))}


def frame(here: str, *, is_warned: bool = False) -> Site:
    """The way home, the language switch, what a phone may keep, the banner of a plain-http table.

    `here` is the address that the switch comes back to.
    """
    active = get_language()
    return Site(
        home_url=reverse("home"),
        language_url=reverse("set_language"),
        here=here,
        languages=tuple(Language(code, name, code == active) for code, name in settings.LANGUAGES),
        manifest_url=reverse("manifest"),
        worker_url="" if settings.LAN and not settings.HTTPS else reverse("worker"),
        plain_http=settings.LAN and not settings.HTTPS,
        warning_url=reverse("close-warning") if settings.LAN and not settings.HTTPS and not is_warned else "",
    )


@require_POST
def close_warning(request: HttpRequest) -> HttpResponse:
    """Close the banner of a plain-http table on this device, and go back to the page below it."""
    here = request.POST.get("next", "")
    answer = HttpResponseRedirect(
        here if url_has_allowed_host_and_scheme(here, allowed_hosts=None) else reverse("home")
    )
    answer.set_cookie(
        settings.PLAIN_COOKIE_NAME, "1", settings.LANGUAGE_COOKIE_AGE, httponly=True, samesite="Lax"
    )
    return answer
