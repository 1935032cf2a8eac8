"""Whether whoever acts still has the seat that they speak for: asked once more under the lock of the match.

A request is told which seats its phone has before it waits for that lock, and meanwhile a seat may be freed.
The match's row counts the seats that were freed: only where that number has changed is the seat read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from games.core.words import gettext_noop as _
from games.core.words import say
from games.match.verdict import RequestRefused
from games.models import Match, Seat


class _Speaker(NamedTuple):
    code: str
    seat: str
    epoch: int
    freed: int


_SPEAKER: ContextVar[_Speaker | None] = ContextVar("speaker", default=None)


@contextmanager
def speaking_for(code: str, seat: str, epoch: int, freed: int) -> Iterator[None]:
    """What is done at the table `code` counts only while `seat` is at this epoch.

    `freed` is how many seats of the table had been freed when the seat was looked at.
    """
    token = _SPEAKER.set(_Speaker(code, seat, epoch, freed))
    try:
        yield
    finally:
        _SPEAKER.reset(token)


def refuse_lost_seat(match: Match) -> None:
    """Refuse (403) whoever has lost the seat that they speak for, now that nobody else can free it."""
    speaker = _SPEAKER.get()
    if speaker is None or speaker.code != match.code or speaker.freed == match.freed:
        return
    if not Seat.objects.filter(match=match, key=speaker.seat, epoch=speaker.epoch).exists():
        raise seat_lost()


def seat_lost() -> RequestRefused:
    """The refusal (403) of an action for a seat that this device does not have."""
    return RequestRefused(say(_("This device does not have that seat.")), 403, "not_your_seat")
