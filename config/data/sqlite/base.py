"""How statements go to SQLite: as Django writes them, by another driver and with less work for each.

Django writes `%s` where a value belongs and SQLite wants `?`. Searching a statement for that takes as long as
SQLite takes to carry it out, and the same few are sent again and again, so each is converted once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base

from config.data.sqlite import driver

Parameters = Sequence[Any] | Mapping[str, Any]
PLACE = re.compile("(?<!%)%s")
"""Where Django has a statement take a value; `%%s` is text."""


WRITES = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "REPLACE")
"""How statements begin that take the writers' lock; those that change tables are nobody's request."""


class Cursor(driver.Cursor):
    """A cursor that takes statements as Django writes them, and remembers how each is converted."""

    def execute(self, query: str, params: Parameters | None = None) -> Cursor:  # type: ignore[override]
        """Carry out a statement; outside a transaction, one that writes waits for its turn."""
        is_alone = not self.connection.in_transaction and query.startswith(WRITES)
        if is_alone:
            self.connection.wait_for_turn()
        try:
            statement = query if params is None else converted(query, params)
            return super().execute(statement, params)  # type: ignore[return-value]
        finally:
            if is_alone:
                self.connection.end_turn()

    def executemany(self, query: str, param_list: Iterable[Parameters]) -> None:  # type: ignore[override]
        """Carry out a statement for each of several sets of values."""
        for params in param_list:
            self.execute(query, params)


def converted(query: str, params: Parameters) -> str:
    """A statement as SQLite wants it."""
    if isinstance(params, Mapping):
        return query % {name: f":{name}" for name in params}
    return _converted(query)


@lru_cache(maxsize=500)
def _converted(query: str) -> str:
    return PLACE.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite that Python's module lets our driver open, by its own option `factory`."""

    Database = driver

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "factory": driver.connect_to_write}

    def create_cursor(self, name: str | None = None) -> Cursor:
        return Cursor(self.connection)

    def close_if_unusable_or_obsolete(self) -> None:
        """Look after the connection between two requests, but not while they share a commit."""
        if not self.in_atomic_block:
            super().close_if_unusable_or_obsolete()
