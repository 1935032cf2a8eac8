"""What became of an action: a verdict, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from django.db import IntegrityError

from games.core.words import Line
from games.match.storage import LoadedMatch
from games.models import Entry
from games.monitoring.measures import ACTIONS


class RequestRefused(Exception):
    """An action that was refused: a sentence for the player, the rule, and the HTTP status."""

    def __init__(self, line: Line, status: int, error: str, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.status = status
        self.error = error
        self.rule = rule


class Answer(Protocol):
    """What every answer to an action says: whether it was a repeat, and which entry it made, if any."""

    @property
    def is_replay(self) -> bool: ...
    @property
    def entry(self) -> object: ...


@dataclass(frozen=True)
class Verdict:
    """What became of an action: its version, whether it was a repeat, the match after it, its entry."""

    version: int
    is_replay: bool = False
    loaded: LoadedMatch | None = field(default=None, compare=False, repr=False)
    entry: Entry | None = field(default=None, compare=False, repr=False)


AnswerT = TypeVar("AnswerT", bound=Answer)


def answered_once(
    kind: str, carry_out: Callable[[], AnswerT], find_earlier: Callable[[], AnswerT | None]
) -> AnswerT:
    """What became of an action, at a table or at an event; `find_earlier` finds the answer to a known key."""
    try:
        verdict = carry_out()
    except (RequestRefused, IntegrityError) as refused:
        if (earlier := find_earlier()) is None:
            ACTIONS.labels(kind, getattr(refused, "error", "conflict")).inc()
            raise
        verdict = earlier
    if verdict.entry is None:
        verdict = find_earlier() or verdict
    ACTIONS.labels(kind, "repeated" if verdict.is_replay else "done").inc()
    return verdict
