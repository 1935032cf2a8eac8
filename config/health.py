"""Whether this server can do its work, for a load balancer or a curious organiser."""

from __future__ import annotations

import threading
import time
from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from games.live.hub import hub
from games.web import journal, trouble
from games.web.database import BROKEN, MIGRATIONS, Trouble, probe

KEPT_SECONDS = 1.0
"""How long an answer is good: however many ask, the database is tried at most once a second."""


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while taps can be saved, else 503 with what is wrong: a word, and the reason in words."""
    problem = wrong()
    answer = {"status": problem.word if problem else "ok", "version": settings.VERSION}
    if problem:
        answer["reason"] = problem.reason
    return JsonResponse(answer, status=503 if problem else 200)


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Like `healthz`, but also 503 once this process is about to stop: send it nobody new."""
    if hub.started and not hub.is_open:
        return JsonResponse({"status": "stopping", "version": settings.VERSION}, status=503)
    return healthz(request)


def wrong() -> Trouble | None:
    """What keeps taps from being saved, at most a moment old; None for nothing."""
    return _latest.trouble()


class Latest:
    """The latest finding, and how long it is good."""

    def __init__(self) -> None:
        self.until = 0.0
        self.found: Trouble | None = None
        self.lock = threading.Lock()

    def trouble(self) -> Trouble | None:
        """What is wrong now, at most a moment old; None for nothing."""
        with self.lock:
            if time.monotonic() >= self.until:
                self.found = _wrong()
                self.until = time.monotonic() + KEPT_SECONDS
            return self.found

    def forget(self) -> None:
        """Look again the next time."""
        self.until = 0.0


_latest = Latest()


def _wrong() -> Trouble | None:
    if wrong := probe():
        return wrong
    try:
        if not is_migrated():
            is_migrated.cache_clear()
            journal.note(MIGRATIONS)
            return MIGRATIONS
    except DatabaseError as problem:
        wrong = trouble(problem) or BROKEN
        journal.note(wrong, problem)
        return wrong
    journal.all_is_well()
    return None


@cache
def is_migrated() -> bool:
    """Whether the database's tables are those of this version; a yes is remembered."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
