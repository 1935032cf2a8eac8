"""Whether this server can do its work, for a load balancer or a curious organiser."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database answers and its tables are up to date, else 503."""
    try:
        problem = _problem()
    except DatabaseError:
        problem = "database"
    answer = {"status": problem or "ok", "version": settings.VERSION}
    return JsonResponse(answer, status=503 if problem else 200)


def _problem() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if not _is_migrated():
        _is_migrated.cache_clear()
        return "migrations"
    return None


@cache
def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
