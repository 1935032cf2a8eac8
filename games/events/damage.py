"""An event that was altered behind its organisers' back: whoever cannot show it says so in a sentence.

As with a match (`games.match.damage`), the event is looked at only once something has failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

from django.db import DatabaseError

from games.core.system import system
from games.core.words import gettext_noop as _
from games.events import log, rows
from games.events.models import Event, Record
from games.match import damage

ALTERED = _(
    "What is stored of this event was altered and cannot be read. Please tell whoever runs the server."
)


def detecting(event: Event) -> AbstractContextManager[None]:
    """Within, what fails because an event was altered is `Damaged`; any other fault stays what it is."""
    return damage.told_as(ALTERED, lambda: is_damaged(event))


def is_damaged(event: Event) -> bool:
    """Whether the history of an event does not fit its fingerprints or its rows, or cannot be read at all.

    It plays the whole history through: not to be asked while all is well. `NotServed` where the game is gone.
    """
    system(event.system)
    try:
        event = Event.objects.get(pk=event.pk)
        records = list(log.records_of(event))
        return bool(log.faults(event, records)) or not _leads_to_rows(event, records)
    except (Event.DoesNotExist, DatabaseError):
        raise
    except Exception:
        # Whatever breaks on its way through an event that fits its own history was altered.
        return True


def _leads_to_rows(event: Event, records: Iterable[Record]) -> bool:
    """Whether the history leads to the position that the rows are."""
    told, stands = log.replayed(event, records), rows.load(event).state
    for key, pairing in told.pairings.items():
        if key in stands.pairings and stands.pairings[key].match is None:
            # A table may be deleted, and of that no history tells.
            pairing.match = None
    return told == stands
