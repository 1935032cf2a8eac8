"""How long answers take: as numbers for programs, and one line in the log for one that took too long.

The line says what took most of it; the admin shows the newest. `measured` is the outermost middleware, so
that nothing goes uncounted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from games.core import gettext_noop as _
from games.monitoring.measures import ANSWERS, WAITS, count_refusal

log = logging.getLogger("roundtable.slow")

SLOW_SECONDS = 0.5
"""From here on an answer is slow enough to be noticed, and is logged."""
MEANT_TO_BE_SLOW = frozenset({"POST admin:login"})
"""Password checks are slow, so that nobody can try many."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FILE = _("a file")
"""The name for requests that are not for a page."""
ASKED_AT = "roundtable.asked_at"
"""Under this key the shell says when the whole request had arrived, by `time.perf_counter`."""

WAITING, SAVING, DRAWING, ELSEWHERE = "thread", "saving", "drawing", "elsewhere"
PARTS = {
    WAITING: _("waiting for a thread"),
    SAVING: _("saving to the disk"),
    DRAWING: _("drawing the board"),
    ELSEWHERE: _("the program and its database"),
}
"""Where most of an answer's time can go, in words for people."""

Spent = dict[str, float]
"""The seconds of one answer by where they went."""

_spent: ContextVar[Spent | None] = ContextVar("spent", default=None)

Unsaved = list[tuple[Spent, float, Callable[[], None]]]
"""What answers have spent, since when they wait to be saved, and the function that reports each."""

_unsaved: ContextVar[Unsaved | None] = ContextVar("unsaved", default=None)


def measured(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Count how long a response took and what the time was spent on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        asked: float = request.META.get(ASKED_AT, began)
        spent = {WAITING: began - asked}
        _spent.set(spent)
        response = get_response(request)
        WAITS.observe(began - asked)
        report_when_saved(spent, partial(tell, page_of(request), response.status_code, asked, spent))
        return response

    return middleware


def spend(part: str, began: float) -> None:
    """Count the time since `began` (`time.perf_counter`) for a part of the answer, if one is being made."""
    if (spent := _spent.get()) is not None:
        spent[part] = spent.get(part, 0.0) + time.perf_counter() - began


def report_when_saved(spent: Spent, report: Callable[[], None]) -> None:
    """Report what an answer has spent: now, or once it is saved together with others."""
    if (unsaved := _unsaved.get()) is not None:
        unsaved.append((spent, time.perf_counter(), report))
    else:
        report()


@contextmanager
def saved_together() -> Iterator[None]:
    """Answer requests inside this block that are saved together at its end; until then their time runs on.

    If the block fails, nothing is reported: they are answered again.
    """
    unsaved: Unsaved = []
    token = _unsaved.set(unsaved)
    try:
        yield
    finally:
        _unsaved.reset(token)
    for spent, since, report in unsaved:
        spent[SAVING] = spent.get(SAVING, 0.0) + time.perf_counter() - since
        report()


def tell(page: str, status: int, asked: float, spent: Spent) -> None:
    """Count a finished response, and how long it took since the request."""
    seconds = time.perf_counter() - asked
    ANSWERS.labels(page, f"{status // 100}xx").observe(seconds)
    if status >= 400:
        count_refusal(status)
    if seconds >= SLOW_SECONDS:
        slow_answers.note(page, seconds, spent)


def page_of(request: HttpRequest) -> str:
    """The name of the requested page, without any values from its address."""
    match = request.resolver_match
    if match is None:
        return FILE
    # Anybody may make up a method, and each would become a label of its own.
    method = request.method if request.method in METHODS else "other"
    return f"{method} {match.view_name or match.route}"


class Slow(NamedTuple):
    """A slow answer: when (seconds since 1970), to which page, how long it took, and most of it where."""

    at: float
    page: str
    seconds: float
    part: str


class SlowAnswers:
    """How many answers of this process were slow, and the newest of them."""

    def __init__(self) -> None:
        self.count = 0
        self.newest: Slow | None = None

    def note(self, page: str, seconds: float, spent: Spent) -> None:
        """Count and log a slow answer, unless its page is meant to be slow."""
        if page in MEANT_TO_BE_SLOW:
            return
        took = {**spent, ELSEWHERE: seconds - sum(spent.values())}
        part = max(took, key=lambda each: took[each])
        self.count += 1
        self.newest = Slow(time.time(), page, seconds, part)
        log.warning("slow answer: %s took %d ms, most of it %s", page, seconds * 1000, PARTS[part])


slow_answers = SlowAnswers()
