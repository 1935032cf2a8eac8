"""How statements go to SQLite: as Django sends them, only that each text is converted once.

Django writes `%s` where a value belongs and SQLite wants `?`. To look through a text for that takes as long
as SQLite takes to carry it out, and the same few texts are sent again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django.db.backends.sqlite3 import base


class Cursor(base.SQLiteCursorWrapper):
    """Django's cursor, which remembers how it has converted a text."""

    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        """A statement as SQLite wants it."""
        if param_names is None:
            return _converted(query)
        return super().convert_query(query, param_names=param_names)


@lru_cache(maxsize=500)
def _converted(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite."""

    def create_cursor(self, name: str | None = None) -> Cursor:
        """A cursor of ours."""
        return self.connection.cursor(factory=Cursor)
