"""Sessions whose key can be replaced without ever leaving a phone without one.

A session that goes on under a new key leaves the old one as it was, until a request shows that the phone has
the new key. So a lost response costs nothing, and somebody with the old key gains nothing.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.models import Seat
from games.prepared import Prepared
from games.web.database import begin_saving, trouble

REPLACES = "replaces"
WHICH = ""
"""Among the seats of a table in a session: its match's primary key, as an import may bring a code back."""

_SESSIONS = Prepared(lambda key: Session.objects.filter(session_key=key))


def holds(held: dict[str, int], chair: Seat) -> bool:
    """Whether a session that holds this under a table's code still has the seat."""
    return held.get(chair.key) == chair.epoch and held.get(WHICH) == chair.match_id


def of_match(held: dict[str, int], match: int) -> dict[str, int]:
    """What a session holds under a table's code, as far as it belongs to this match."""
    return {**(held if held.get(WHICH) == match else {}), WHICH: match}


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with `start_over` as well as `cycle_key`."""

    def __init__(self, session_key: str | None = None) -> None:
        # A cookie holds anything, even what no database can look up.
        is_possible = session_key is not None and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if is_possible else None)

    def start_over(self) -> None:
        """Save everything under a new key; the old session is kept until the new key is seen."""
        old = self.session_key
        if old and REPLACES in self:
            self.delete(old)  # Created in this same request: no phone knows it.
        elif old and self.exists(old):
            self[REPLACES] = old
        self.create()

    def save(self, must_create: bool = False) -> None:
        """Store it; Django mistakes any failure of the database for a log-out elsewhere."""
        try:
            super().save(must_create)
        except UpdateError as failed:
            cause = failed.__context__
            if cause is None or trouble(cause) is None:
                raise
            # Sessions are stored after the view: what was asked for may be saved by now.
            begin_saving()
            raise cause from cause.__cause__

    def load(self) -> dict[str, Any]:
        """What the session holds. The session that it replaces is deleted, as the phone has the new key."""
        found = _SESSIONS(self.session_key or "")
        is_current = bool(found) and found[0].expire_date > timezone.now()
        # One that is gone or has run out is left to Django.
        data: dict[str, Any] = self.decode(found[0].session_data) if is_current else super().load()
        if old := data.pop(REPLACES, ""):
            self.delete(old)
            self.modified = True
        return data
