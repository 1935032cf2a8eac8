"""Sessions whose key can be replaced without a moment in which a phone has none.

A session that goes on under a new key leaves the old one as it was, until a request shows that the phone
has the new key. So a lost answer costs nothing, and whoever has the old key gains nothing.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.prepared import Prepared

REPLACES = "replaces"

_SESSIONS = Prepared(lambda key: Session.objects.filter(session_key=key))


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with `begin_anew` beside `cycle_key`."""

    def begin_anew(self) -> None:
        """Save all that it holds under a new key; the stored old one is kept until the new one is seen."""
        old = self.session_key
        if old and self.exists(old):
            self[REPLACES] = old
        self.create()

    def _get_session_from_db(self) -> Session | None:
        """The row that Django's own method asks for, without putting the query together each time."""
        found = _SESSIONS(self.session_key or "")
        if found and found[0].expire_date > timezone.now():
            return found[0]
        self._session_key = None
        return None

    def load(self) -> dict[str, Any]:
        """What the session holds. The one that it replaces is deleted: the phone has the new key."""
        data = super().load()
        if old := data.pop(REPLACES, ""):
            self.delete(old)
            self.modified = True
        return data
