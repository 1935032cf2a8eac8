"""Measures every response: the outermost middleware, so that nothing goes uncounted."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from games.monitoring import spent
from games.monitoring.measures import ANSWERS, WAITS, count_refusal
from games.monitoring.slow import slow_answers

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FILE = gettext_noop("a file")
"""The name for requests that are not for a page."""
ASKED_AT = "roundtable.asked_at"
"""Under this key the shell says when the whole request had arrived, by `time.perf_counter`."""


def measured(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count how long a response took and what the time was spent on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        asked: float = request.META.get(ASKED_AT, began)
        with spent.counted() as counted:
            counted.add(spent.WAITING, began - asked)
            response = get_response(request)
        WAITS.observe(began - asked)
        spent.tell_once_saved(counted, lambda: tell(page_of(request), response.status_code, asked, counted))
        return response

    return middleware


def tell(page: str, status: int, asked: float, counted: spent.Spent) -> None:
    """Count a finished response, and how long it took since the request."""
    seconds = time.perf_counter() - asked
    ANSWERS.labels(page, f"{status // 100}xx").observe(seconds)
    if status >= 400:
        count_refusal(status)
    slow_answers.note(page, seconds, counted)


def page_of(request: HttpRequest) -> str:
    """The name of the requested page, without any values from its address."""
    match = request.resolver_match
    if match is None:
        return FILE
    # Anybody may make up a method, and each would become a label of its own.
    method = request.method if request.method in METHODS else "other"
    return f"{method} {match.view_name or match.route}"
