"""The same program under Django's own ASGI handler, as `django-admin startproject` would serve it.

`ROUNDTABLE_STOCK` names what else is done as Django does it: "templates" (its own language instead of Jinja2,
no part cached), "queries" (each built when it is sent, through Django's own backend), "rows" (a position is
read before each tap).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.asgi import get_asgi_application
from django.db import models

application = get_asgi_application()

from games import prepared  # noqa: E402 - Django comes first
from games.match import storage  # noqa: E402
from games.pages.table import boards  # noqa: E402
from tests.bench import in_django  # noqa: E402


def insert(row: models.Model) -> None:
    """Write a new row."""
    row.save(force_insert=True)


def create(table: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Write new rows."""
    return [row.pk for row in table._default_manager.bulk_create([table(**cells) for cells in rows])]


def update(table: type[models.Model], keys: Collection[int], cells: Mapping[str, Any]) -> None:
    """Give rows their values."""
    table._default_manager.filter(pk__in=keys).update(**cells)


def save_columns(row: models.Model, names: Collection[str], at: datetime) -> None:
    """Write some columns of a row."""
    row.changed_at = at  # type: ignore[attr-defined]
    row.save(update_fields=[*names, "changed_at"])


def _draw_by_django() -> None:
    boards.part = in_django.drawn  # type: ignore[assignment]


def _ask_by_django() -> None:
    prepared.Prepared.__call__ = lambda self, *texts: list(self.query(*texts))  # type: ignore[method-assign]
    prepared.insert, prepared.create = insert, create
    prepared.update, prepared.save_columns = update, save_columns


def _read_the_rows() -> None:
    storage.recall = lambda match: None


STEPS = {"templates": _draw_by_django, "queries": _ask_by_django, "rows": _read_the_rows}
for step in os.environ.get("ROUNDTABLE_STOCK", "").split():
    STEPS[step]()
