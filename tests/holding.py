"""What the session of a phone holds that has seats at a table, as if it had taken them."""

from __future__ import annotations

from games.models import Seat
from games.people.sessions import WHICH


def holding(code: str, *keys: str) -> dict[str, dict[str, int]]:
    """The value of `seats.SESSION_SEATS` for these seats of a table (all of them without any)."""
    chairs = Seat.objects.filter(match__code=code, **({"key__in": keys} if keys else {}))
    rows = list(chairs.values_list("key", "epoch", "match_id"))
    return {code: {WHICH: rows[0][2], **{key: epoch for key, epoch, _match in rows}}}
