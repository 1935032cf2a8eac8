"""Answers from pages that were overtaken: their question is open, but no longer asks what they show.

A page stays good while others answer the same question, so that simultaneous answers do not refuse each
other. It is overtaken once its own seat has tapped, and when something that the answer decides has changed.
"""

from __future__ import annotations

from games.core import engine
from games.core.state import State
from games.core.words import say
from games.history.verdict import RequestRefused
from games.match import moments
from games.match.committing import STALE
from games.match.storage import LoadedMatch
from games.models import Entry, Match


def refuse_overtaken(loaded: LoadedMatch, seat: str, seen: int) -> None:
    """Refuse (409) an answer of a seat from a page that showed version `seen` and was overtaken."""
    if seen == loaded.match.version:
        return
    if _has_tapped(loaded.match, seat, seen) or _decides_otherwise(loaded, seen):
        raise RequestRefused(say(STALE), 409, "stale")


def _has_tapped(match: Match, seat: str, seen: int) -> bool:
    """Whether this seat has tapped since: a second die, or a second card, would count the first one twice."""
    later = Entry.objects.filter(match=match, version__gt=seen)
    return later.filter(seat=seat, kind=Entry.Kind.TAP).exists()


def _decides_otherwise(loaded: LoadedMatch, seen: int) -> bool:
    """Whether the answer would decide something else than it did then."""
    now = _at_stake(loaded.state)
    return bool(now) and now != _at_stake(moments.rewound(loaded.state, loaded.match, seen))


def _at_stake(state: State) -> str:
    step = engine.step_of(state)
    return "" if step is None else step.at_stake(state)
