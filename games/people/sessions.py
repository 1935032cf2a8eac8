"""Sessions whose key can be replaced without ever leaving a phone without one.

A session that goes on under a new key leaves the old one as it was, until a request shows that the phone has
the new key. So a lost response costs nothing, and somebody with the old key gains nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db.models import QuerySet, Subquery
from django.utils import timezone

from games.models import Match, Seat
from games.prepared import Prepared
from games.web.database import begin_saving, trouble

REPLACES = "replaces"
WHICH = ""
"""Among the seats of a table in a session: its match's primary key, as an import may bring a code back."""

_SESSIONS = Prepared(lambda key: Session.objects.filter(session_key=key))


def chairs_of(code: str) -> QuerySet[Seat]:
    """The rows of all seats of a table, in seating order, with the columns that phones and boards need."""
    match = Subquery(Match.objects.filter(code=code).order_by().values("pk"))
    asked = ("match", "key", "epoch", "is_taken", "blind_at")
    return Seat.objects.filter(match=match).order_by("pk").only(*asked)


def _beside_chairs(code: str, key: str) -> QuerySet[Seat]:
    stored = Session.objects.filter(session_key=key)
    data, until = Subquery(stored.values("session_data")), Subquery(stored.values("expire_date"))
    return chairs_of(code).annotate(session_data=data, session_until=until)


_CHAIRS = Prepared(_beside_chairs)


def holds(held: dict[str, int], chair: Seat) -> bool:
    """Whether a session that holds this under a table's code still has the seat."""
    return held.get(chair.key) == chair.epoch and held.get(WHICH) == chair.match_id


def of_match(held: dict[str, int], match: int) -> dict[str, int]:
    """What a session holds under a table's code, as far as it belongs to this match."""
    return {**(held if held.get(WHICH) == match else {}), WHICH: match}


class SessionStore(DatabaseStore):
    """Django's sessions in the database, with `start_over` as well as `cycle_key`."""

    def _validate_session_key(self, key: str) -> bool:
        """Whether the key may be one of ours: a cookie holds anything, even what no database can look up."""
        is_one = bool(super()._validate_session_key(key))  # type: ignore[misc]
        return is_one and key.isascii() and key.isalnum()

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

    def _get_session_from_db(self) -> Session | None:
        """The row that Django's own method reads, without building the query each time."""
        found = _SESSIONS(self.session_key or "")
        if found and found[0].expire_date > timezone.now():
            return found[0]
        self._session_key = None
        return None

    def chairs_beside(self, code: str) -> list[Seat]:
        """All seats of a table, read in one query with this session; none if the session was read before."""
        if self.session_key is None or hasattr(self, "_session_cache"):
            return []
        chairs = _CHAIRS(code, self.session_key)
        if chairs:
            self._take(**{name: vars(chairs[0])[name] for name in ("session_data", "session_until")})
        return chairs

    def _take(self, session_data: str | None, session_until: datetime | None) -> None:
        if session_data is None or session_until is None or session_until <= timezone.now():
            self._session_key, self._session_cache = None, {}
        else:
            self._session_cache = self._followed(self.decode(session_data))

    def load(self) -> dict[str, Any]:
        """What the session holds."""
        return self._followed(super().load())

    def _followed(self, data: dict[str, Any]) -> dict[str, Any]:
        """The session's values. The session that it replaces is deleted, as the phone has the new key."""
        if old := data.pop(REPLACES, ""):
            self.delete(old)
            self.modified = True
        return data
