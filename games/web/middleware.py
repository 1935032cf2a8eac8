"""The few rules that hold for every request and response, each a small middleware."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import gettext as _

from games import translation
from games.web.database import one_request
from games.web.refusals import refuse, refuse_trouble

Answer = Callable[[HttpRequest], HttpResponse]


def browser_rules(get_response: Answer) -> Answer:
    """Set headers: which features of a phone a page may use, who may load it, and that no cache keeps it."""
    permissions = ", ".join(f"{feature}=({who})" for feature, who in settings.PERMISSIONS_POLICY.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", permissions)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def each_for_itself(get_response: Answer) -> Answer:
    """Begin each request without the notes of the previous one on this thread (`one_request`)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with one_request():
            return get_response(request)

    return middleware


def most_bytes(path: str) -> int:
    """The most bytes that may be sent to this address."""
    large = (most for address, most in settings.LARGE_BODIES.items() if re.fullmatch(address, path))
    return next(large, settings.BODY_LIMIT)


def body_limit(get_response: Answer) -> Answer:
    """Refuse a body that is too big or compressed before anything reads it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()):
            return refuse(request, 400, _("That request was garbled on its way. Please try again."))
        most = most_bytes(request.path_info)
        if int(length) > most:
            sentence = _("That is too big: at most %(limit)d KB can be sent.") % {"limit": most // 1024}
            return refuse(request, 413, sentence)
        if request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
            return refuse(request, 415, _("Compressed requests are not accepted. Please send it unpacked."))
        return get_response(request)

    return middleware


class ReaderLanguage(LocaleMiddleware):
    """Django's choice of a language; Chinese sentences close up around Chinese names."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the reader's language."""
        super().process_request(request)
        translation.activate_spaced()


class PlainWords:
    """Answer two failures with a sentence: a database that does not work (503), a wrong method (405)."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.content:
            return response
        refusal = refuse(request, 405, _("This address does not take that kind of request."))
        refusal["Allow"] = response["Allow"]
        return refusal

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return refuse_trouble(request, exception)
