"""Rate limits shared by several processes: one statement each, by the database's own clock.

The table has no write-ahead log (`UNLOGGED`): a limit that a crash forgets is no loss, and a tap waits for
only one flush, its own.
"""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils.crypto import salted_hmac

MARGIN = 1e-6
"""Absorbs the rounding of sums, so that a burst is exact."""

NOW = "extract(epoch FROM clock_timestamp())::float8"
# More than the credit is never owed, so this was written before the database's clock was set back.
PAID_AT = f"CASE WHEN paid_at > {NOW} + %(credit)s + 60 THEN {NOW} ELSE paid_at END"
KEPT_AT = PAID_AT.replace("paid_at", "kept.paid_at")
# The first item is paid for after its cost; later ones once everything before them is paid for too.
TAKE = f"""
    INSERT INTO games_allowance AS kept (key, paid_at) VALUES (%(key)s, {NOW} + %(cost)s)
    ON CONFLICT (key) DO UPDATE SET paid_at = greatest({KEPT_AT} + %(cost)s, excluded.paid_at)
    WHERE {KEPT_AT} + %(cost)s - (excluded.paid_at - %(cost)s) - %(credit)s <= {MARGIN}
"""  # noqa: S608 - our own words
WAIT = f"""
    SELECT greatest({PAID_AT}, {NOW}) + %(cost)s - {NOW} - %(credit)s FROM games_allowance WHERE key = %(key)s
"""  # noqa: S608 - our own words
TIDY = f"DELETE FROM games_allowance WHERE paid_at < {NOW}"  # noqa: S608 - our own words


def take(key: str, cost: float, credit: float) -> float:
    """0 if it may be done now; otherwise the seconds to wait, and nothing is taken."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE, _asked(key, cost, credit))
        if cursor.rowcount:
            return 0.0
    # The limit may have recovered in between: then the wait is a moment, not zero.
    return wait(key, cost, credit) or MARGIN


def wait(key: str, cost: float, credit: float) -> float:
    """The seconds until one could be taken; nothing is taken."""
    with connection.cursor() as cursor:
        cursor.execute(WAIT, _asked(key, cost, credit))
        found = cursor.fetchone()
    late = found[0] if found else cost - credit
    return late if late > MARGIN else 0.0


def tidy() -> None:
    """Delete the rows of keys that are back at their full limit."""
    with connection.cursor() as cursor:
        cursor.execute(TIDY)


def forget() -> None:
    """Delete all rows."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_allowance")


def _asked(key: str, cost: float, credit: float) -> dict[str, Any]:
    """The parameters of a statement. The key is stored as a keyed hash, as an address is personal data."""
    hidden = salted_hmac("roundtable limit", key, algorithm="sha256").hexdigest()[:40]
    return {"key": hidden, "cost": cost, "credit": credit}
