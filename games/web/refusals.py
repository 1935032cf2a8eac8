"""Every refusal is a response: the right status, one sentence a player understands, and nothing changed."""

from __future__ import annotations

import logging
import sys
from urllib.parse import urlsplit

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from games import view_models
from games.core import NotServed
from games.web.database import journal, sentence_of, trouble

WHOLE_PAGE = "full"
"""The type of request by which htmx 4 asks for a whole page: at a boosted link, or going back in history."""


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page. Our own scripts say that they are htmx, and no type."""
    # Only htmx 4 names a type. It names a source, no trigger; and its target is `tag#id`, not the id alone.
    said = _said_by_htmx(request)
    return bool(said) and said.request_type != WHOLE_PAGE


def _said_by_htmx(request: HttpRequest) -> HtmxDetails:
    """`request.htmx`; what is refused before any middleware has seen it gets its own."""
    if not hasattr(request, "htmx"):
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
    return request.htmx  # type: ignore[attr-defined]


log = logging.getLogger(__name__)
ERRORS = {
    400: "malformed",
    401: "no_token",
    403: "forbidden",
    404: "unknown",
    405: "method",
    409: "conflict",
    413: "too_big",
    415: "wrong_type",
    422: "invalid",
    429: "too_fast",
    500: "fault",
    503: "busy",
}
"""The `error` of a JSON refusal that no view of the API has named itself."""
REPEATABLE = (400, 413, 415, 500)
"""What is refused for how it was sent, or through no fault of its sender."""


def refuse(
    request: HttpRequest, status: int, sentence: str, back: view_models.Link | None = None, error: str = ""
) -> HttpResponse:
    """A refusal in the form that was asked for: JSON for programs, a sentence for htmx, otherwise a page.

    `back` is the way on that a page offers, by default `_way_on`. `error` is the refusal's name in JSON.
    """
    if is_for_programs(request):
        answer = {"error": error or ERRORS.get(status, "refused"), "message": sentence, "rule": None}
        return JsonResponse(answer, status=status)
    if wants_fragment(request):
        return HttpResponse(format_html('<p role="alert">{}</p>', sentence), status=status)
    page = view_models.MessagePage(_("That did not work"), sentence, back or _way_on(request, status))
    return _page(request, status, page)


def is_for_programs(request: HttpRequest) -> bool:
    """Whether an address answers with JSON."""
    return request.path_info.startswith("/api/") or request.path_info.endswith(".json")


def _way_on(request: HttpRequest, status: int) -> view_models.Link:
    """Back to a form of ours that was sent in vain and may be sent again; otherwise the start page."""
    if request.method == "POST" and status in REPEATABLE and (page := _page_before(request)) != "/":
        return view_models.Link(page, _("Try again"))
    return view_models.Link("/", _("Home"))


def pause(request: HttpRequest, status: int, sentence: str, seconds: int) -> HttpResponse:
    """A temporary refusal (429, 503): the same may be sent again after so many seconds.

    A page that was only to be read reloads by itself. A post is repeated only by its sender: the way on is
    the page that it came from.
    """
    if is_for_programs(request) or wants_fragment(request):
        response = refuse(request, status, sentence)
    elif request.method in ("GET", "HEAD"):
        again = view_models.Link(escape_leading_slashes(request.get_full_path()), _("Try again"))
        hint = _("This page retries automatically.")
        response = _page(
            request, status, view_models.MessagePage(_("One moment, please"), sentence, again, hint)
        )
        response["Refresh"] = str(seconds)
    else:
        response = refuse(request, status, sentence, view_models.Link(_page_before(request), _("Try again")))
    response["Retry-After"] = str(seconds)
    return response


def _page(request: HttpRequest, status: int, page: view_models.MessagePage) -> HttpResponse:
    return HttpResponse(render_to_string("message.html", {"page": page}, request), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, also for a host name that is not this server's."""
    if isinstance(exception, DisallowedHost):
        return refuse(
            request, 400, _("This server is not known by that name. Use the address that it printed.")
        )
    return refuse(request, 400, _("That request could not be understood."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 with its own sentence."""
    return refuse(request, 403, str(exception) or _("This device is not allowed to do that."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    sentence = _("Nothing found. Check the address or table code.")
    return refuse(request, 404, sentence)


def refuse_trouble(request: HttpRequest, exception: BaseException | None) -> HttpResponse | None:
    """The refusal (503) for trouble with the database or a missing game; None for a bug of ours.

    It is a pause: the same tap with the same key may be sent again.
    """
    if isinstance(exception, NotServed):
        sentence = _("This table’s game is not installed here right now. The table is safe.")
        return refuse(request, 503, sentence)
    wrong = trouble(exception)
    if wrong is None:
        return None
    journal.note(wrong, exception)
    return pause(request, 503, _(sentence_of(wrong)), wrong.retry_seconds)


def fault(request: HttpRequest) -> HttpResponse:
    """The last resort: what broke may break the page too, and then the sentence is sent alone."""
    # A session is saved after the view has answered, where no middleware sees the error.
    if refusal := refuse_trouble(request, sys.exc_info()[1]):
        return refusal
    sentence = _("Something went wrong on our side. Nothing was changed; please go back and try again.")
    try:
        return refuse(request, 500, sentence)
    except Exception:
        log.exception("the page that says so failed as well")
        return HttpResponse(sentence, status=500, content_type="text/plain; charset=utf-8")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A page that was open too long, or a form from elsewhere: the way back loads a fresh page.

    A device that keeps no cookies gets no further by that.
    """
    sentence = _("This page is out of date. Reload it and tap again.")
    if reason == REASON_NO_CSRF_COOKIE:
        sentence = _("This device blocks cookies. Allow them for this address, then reload.")
    return refuse(request, 403, sentence, view_models.Link(_page_before(request), _("Reload")))


def _page_before(request: HttpRequest) -> str:
    """The path of the page of ours that the request came from; otherwise the start page.

    Anybody can forge a Referer: `//evil.example` is a path in it, but another site as a link.
    """
    try:
        page = urlsplit(request.headers.get("Referer", ""))
        is_here = page.netloc == request.get_host()
    except (ValueError, DisallowedHost):
        return "/"
    return page.path if is_here and url_has_allowed_host_and_scheme(page.path, None) else "/"
