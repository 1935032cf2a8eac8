"""An event whose rows somebody altered in the database: what cannot be shown is refused with a sentence.

As with a match (`games.match.damage`), the event is checked only after something has failed.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from games.core.system import system
from games.core.words import gettext_noop as _
from games.events import comparing
from games.events.models import Event
from games.match import damage

ALTERED = _(
    "What is stored of this event was altered and cannot be read. Please tell whoever runs the server."
)


def detecting(event: Event) -> AbstractContextManager[None]:
    """Within the block, a failure caused by an altered event raises `Damaged`; others pass unchanged."""
    return damage.blaming(ALTERED, lambda: is_damaged(event))


def is_damaged(event: Event) -> bool:
    """Whether an event's history does not fit its fingerprints or its rows, or cannot be read at all.

    This replays the whole history, so ask only after a failure. Raises `NotServed` if the game is gone.
    """
    system(event.system)
    return damage.is_broken(lambda: comparing.is_sound(Event.objects.get(pk=event.pk)), Event.DoesNotExist)
