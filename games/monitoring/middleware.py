"""Measures every answer: outermost, so that nothing of it goes uncounted."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from games.monitoring import slow, spent
from games.monitoring.measures import ANSWERS, WAITS, count_refusal

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FILE = gettext_noop("a file")
"""What is asked for where no page was."""
ASKED_AT = "roundtable.asked_at"
"""Where the shell says when the whole request was there, by `time.perf_counter`."""


def measured(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count what an answer took and what it was spent on."""

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
    """Count an answer that is whole, and how long it took since it was asked for."""
    seconds = time.perf_counter() - asked
    ANSWERS.labels(page, f"{status // 100}xx").observe(seconds)
    if status >= 400:
        count_refusal(status)
    slow.note(page, status, seconds, counted)


def page_of(request: HttpRequest) -> str:
    """The name of the page that was asked for, without anything that its address holds."""
    match = request.resolver_match
    if match is None:
        return FILE
    # Anybody may make up a method, and each would be counted for itself.
    method = request.method if request.method in METHODS else "other"
    return f"{method} {match.view_name or match.route}"
