"""How statements go to SQLite: as Django writes them, by another driver and with less work for each.

Django writes `%s` where a value belongs and SQLite wants `?`. Searching a statement for that takes as long as
SQLite takes to carry it out, and the same few are sent again and again, so each is converted once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.backends.sqlite3._functions import register  # type: ignore[import-untyped]

from config.data.sqlite import driver

Parameters = Sequence[Any] | Mapping[str, Any]
PLACE = re.compile("(?<!%)%s")
"""Where Django has a statement take a value; `%%s` is text."""


WRITES = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "REPLACE")
"""How statements begin that take the writers' lock; those that change tables are nobody's request."""
writers: defaultdict[str, driver.Writers] = defaultdict(driver.Writers)
"""Who writes to each database, by its name."""


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
    """A connection to SQLite."""

    Database = driver

    def get_new_connection(self, conn_params: dict[str, Any]) -> driver.Connection:
        connection = driver.connect(conn_params["database"], conn_params["timeout"])
        connection.writers = writers[str(conn_params["database"])]
        register(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        for command in self.init_commands:  # type: ignore[attr-defined]
            connection.execute(command)
        return connection

    def create_cursor(self, name: str | None = None) -> Cursor:
        return Cursor(self.connection)

    def close_if_unusable_or_obsolete(self) -> None:
        """Look after the connection between two requests, but not while they share a commit."""
        if not self.in_atomic_block:
            super().close_if_unusable_or_obsolete()

    def _set_autocommit(self, autocommit: bool) -> None:
        # Without a transaction SQLite saves each statement by itself; there is nothing to switch on.
        if not autocommit:
            self._start_transaction_under_autocommit()  # type: ignore[attr-defined]
