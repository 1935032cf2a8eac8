"""Whether an action's author still has the seat that they speak for: checked again under the match's lock.

A request learns which seats its phone has before it waits for that lock, and a seat may be freed meanwhile.
The match's row counts freed seats: the seat is read again only if that number has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from games.core.words import gettext_noop as _
from games.core.words import say
from games.history.verdict import RequestRefused
from games.models import Match, Seat


class _Speaker(NamedTuple):
    code: str
    seat: str
    epoch: int
    freed: int


_SPEAKER: ContextVar[_Speaker | None] = ContextVar("speaker", default=None)


@contextmanager
def speaking_for(code: str, seat: str, epoch: int, freed: int) -> Iterator[None]:
    """Actions at the table `code` count only while `seat` is at this epoch.

    `freed` is how many seats of the table had been freed when the seat was looked at.
    """
    token = _SPEAKER.set(_Speaker(code, seat, epoch, freed))
    try:
        yield
    finally:
        _SPEAKER.reset(token)


def refuse_lost_seat(match: Match) -> None:
    """Refuse (403) a speaker who has lost their seat, now that nobody else can free it."""
    speaker = _SPEAKER.get()
    if speaker is None or speaker.code != match.code or speaker.freed == match.freed:
        return
    if not Seat.objects.filter(match=match, key=speaker.seat, epoch=speaker.epoch).exists():
        raise seat_lost()


def seat_lost() -> RequestRefused:
    """The refusal (403) of an action for a seat that this device does not have."""
    return RequestRefused(say(_("This device does not have that seat.")), 403, "not_your_seat")
