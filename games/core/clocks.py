"""Clocks: how long each seat has thought, computed from the times of the log, so that undo restores it.

The core never reads a clock: the caller passes in the times of the log and the current time (seconds since
1970).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Clock:
    """What a game times: the `steps` whose questions cost time, and the verbs (`within`) that only open or
    close a smaller question, so that the same spell of thinking goes on. Questions of the steps in `over` lie
    over another one, whose time runs on. `turn` is the field of a position that says whose time runs, "" if
    none does: a correction that changes it ends a spell, as those with a verb in `passing` do in any case."""

    steps: frozenset[str]
    within: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    turn: str = ""
    passing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Timed:
    """An entry of the log: when, what kind, at which step, whose, which verb; what it undoes.

    A correction that `passes` the turn on is an entry of the seat whose turn it was, "" if nobody knows.
    """

    version: int
    at: float
    kind: str
    step: str = ""
    seat: str = ""
    verb: str = ""
    undoes: int | None = None
    passes: bool = False


@dataclass(slots=True)
class Thought:
    """Seconds that each seat has used; `since` is when the open question began to cost time, `spell` when the
    current spell of thinking began, `now` the current time."""

    spent: dict[str, float] = field(default_factory=dict)
    since: float = 0.0
    spell: float = 0.0
    now: float = 0.0

    def used(self, seat: str, *, is_asked: bool) -> float:
        """The seconds that a seat has used, including those of the question that it is asked now."""
        return self.spent.get(seat, 0.0) + (max(0.0, self.now - self.since) if is_asked else 0.0)


class Taken(NamedTuple):
    """The seconds that an entry cost its seat, and how long its question and its spell had lasted."""

    seat: str
    counted: float
    elapsed: float
    spell: float


def thought(moments: Iterable[Timed], clock: Clock, now: float) -> Thought:
    """Everybody's thinking time.

    Taps, and corrections that pass the turn on, cost time; undoing one gives it back; other entries
    change nothing.
    """
    thinking = Thought(now=now)
    taken: dict[int, Taken] = {}
    for moment in moments:
        if moment.kind == "tap" and moment.step in clock.over:
            continue
        if moment.kind == "tap" or moment.passes:
            taken[moment.version] = _charge(thinking, moment, clock)
        elif moment.undoes in taken:
            _give_back(thinking, taken.pop(moment.undoes), moment.at)
        elif moment.kind == "open":
            thinking.since = thinking.spell = moment.at
    return thinking


def _charge(thinking: Thought, moment: Timed, clock: Clock) -> Taken:
    """Add the time of an entry to what its seat has used, and begin the next question."""
    elapsed = max(0.0, moment.at - thinking.since)
    counted = elapsed if moment.step in clock.steps else 0.0
    taken = Taken(moment.seat, counted, elapsed, moment.at - thinking.spell)
    thinking.spent[moment.seat] = thinking.spent.get(moment.seat, 0.0) + counted
    thinking.since = moment.at
    if moment.verb not in clock.within:
        thinking.spell = moment.at
    return taken


def _give_back(thinking: Thought, taken: Taken, at: float) -> None:
    """Take up question and spell where they were when an entry was made that is undone now."""
    thinking.spent[taken.seat] -= taken.counted
    thinking.since, thinking.spell = at - taken.elapsed, at - taken.spell
