"""Sessions whose key can be replaced without a moment in which a phone has none.

A session that goes on under a new key leaves the old one as it was, until a request shows that the phone
has the new key. So a lost answer costs nothing, and whoever has the old key gains nothing.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

REPLACES = "replaces"


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with `begin_anew` beside `cycle_key`."""

    def begin_anew(self) -> None:
        """Save all that it holds under a new key; the stored old one is kept until the new one is seen."""
        old = self.session_key
        if old and self.exists(old):
            self[REPLACES] = old
        self.create()

    def load(self) -> dict[str, Any]:
        """What the session holds. The one that it replaces is deleted: the phone has the new key."""
        data = super().load()
        if old := data.pop(REPLACES, ""):
            self.delete(old)
            self.modified = True
        return data
