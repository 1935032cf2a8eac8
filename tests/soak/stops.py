"""Places in random play that differ as much as possible, and tables set up there.

First every step that a game comes to, then every mode, number of seats and moment of each step: a few of
these show more than many places from one match would.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, islice, zip_longest

from django.db import transaction

from games import catalogue
from games.core import IllegalAction, State, engine, say
from games.management.commands.fuzz import Case, _cases
from games.match import play, random_play
from games.models import Match
from tests.soak.report import Report

CORRECTED = 0.06
"""How often a correction comes between two taps: rarely, since it leads away from what people play."""
A_SHORT_MATCH = 250
"""Actions of the first match of each kind; later ones may be longer."""
BEFORE = 3
"""How many actions a table's log holds before the stop."""


@dataclass(frozen=True)
class Done:
    """Something that was done: a tap or, with a `path`, a correction."""

    seat: str
    action: str
    path: str = ""

    @property
    def verb(self) -> str:
        return self.action.partition(":")[0]

    def __str__(self) -> str:
        return " ".join(filter(None, (self.seat, self.path, self.action)))


@dataclass(frozen=True)
class Stop:
    """A position in a random match, one a few actions earlier, and what came next (None: it was over)."""

    case: Case
    seed: int
    number: int
    start: State
    lately: tuple[Done, ...]
    state: State
    then: Done | None
    draws: bool = False
    """Whether chance decides what comes next."""

    def __str__(self) -> str:
        return f"{self.case}: seed {self.seed} at {self.number}, {self.step}"

    @property
    def step(self) -> str:
        """The name of the step that asks; "over" if the match has ended."""
        return self.state.question.step if engine.step_of(self.state) else "over"

    @property
    def does(self) -> tuple[str, str]:
        """The kind of action that comes next: its verb, and for a correction the kind of piece."""
        return (self.then.verb, self.then.path.partition("/")[0]) if self.then else ("", "")

    @property
    def moment(self) -> tuple[object, ...]:
        """What makes one moment of a step look different from another."""
        sealed = sum(bool(army.hidden) for army in self.state.armies.values())
        return len(engine.awaited(self.state)), sealed, min(self.state.round, 2), len(self.state.flow)

    @property
    def is_half_sealed(self) -> bool:
        """Whether some have sealed an answer while others are still asked."""
        return any(army.hidden for army in self.state.armies.values()) and bool(engine.awaited(self.state))


Mark = Callable[[Stop], object]
BY_STEP: tuple[Mark, ...] = (
    lambda stop: (stop.case.game.slug, stop.step, stop.is_half_sealed),
    lambda stop: (stop.case.game.slug, stop.case.mode, stop.step),
    lambda stop: (str(stop.case), stop.step),
    lambda stop: (str(stop.case), stop.step, stop.moment),
    lambda stop: (str(stop.case), stop.step, stop.moment, stop.seed),
)
"""What makes a stop a new one, in the order in which it is looked for."""
BY_ACTION: tuple[Mark, ...] = (
    lambda stop: (stop.case.game.slug, stop.does, stop.draws),
    *(lambda stop, mark=mark: (mark(stop), stop.does, stop.draws) for mark in BY_STEP),
)
"""First every kind of action of a game, then every kind at each of the marks above."""


def stops(marks: tuple[Mark, ...]) -> Iterator[Stop]:
    """An endless stream: from the matches of every seed, stops new by the first mark, then by the next."""
    known: set[object] = set()
    for seed in count():
        for place in range(len(marks)):
            found: dict[str, list[Stop]] = {}
            for stop in walked(seed):
                if marks[place](stop) not in known:
                    known.update(mark(stop) for mark in marks)
                    found.setdefault(stop.case.game.slug, []).append(stop)
            yield from filter(None, chain.from_iterable(zip_longest(*found.values())))


@lru_cache(maxsize=1)
def walked(seed: int) -> tuple[Stop, ...]:
    """Every position in a random match of each kind, with corrections now and then."""
    return tuple(stop for case in _cases(None, None) for stop in walk(case, seed))


def walk(case: Case, seed: int) -> Iterator[Stop]:
    luck = random.Random(f"{case} {seed}")
    state = engine.keep(random_play.fresh_state(case.game, case.mode, seed, case.seats, case.options))
    past: deque[tuple[State, Done]] = deque(maxlen=BEFORE)
    for number in range(A_SHORT_MATCH * (1 + seed)):
        over = state.result is not None
        done, after = (None, state) if over else following(state, luck)
        start = past[0][0] if past else state
        lately = tuple(one for _state, one in past)
        yield Stop(case, seed, number, start, lately, state, done, after.drawn != state.drawn)
        if done is None:
            return
        past.append((state, done))
        state = after


def following(state: State, luck: random.Random) -> tuple[Done, State]:
    """A random tap or correction, and the position after it."""
    corrected = random_play.correction(state, luck) if luck.random() < CORRECTED else None
    if corrected is not None:
        seat, path, action = corrected
        try:
            return Done(seat, action, path), engine.adjust(state, seat, path, action, "")
        except IllegalAction:
            pass
    seat, action = random_play.tap(state, luck)
    return Done(seat, action), engine.play(state, seat, action)


def table_at(stop: Stop, hidden: str = "") -> Match:
    """A table at this stop, the last actions in its log. Each seat hides `hidden` and its own name."""
    start = stop.start.copy()
    for seat in start.seats if hidden else ():
        start.hide(seat, "canary", f"{hidden}-{seat}")
    start.entries = catalogue.current(start.system)
    match = play.create_match(Match(is_listed=False), start, say("The table is started."))
    for one in stop.lately:
        do(match, one)
    return match


def do(match: Match, done: Done) -> None:
    """Do it at the table as a phone would."""
    if done.path:
        play.adjust(match.code, done.seat, done.path, done.action, play.new_key())
    else:
        match.refresh_from_db()
        play.tap(match.code, done.seat, done.action, match.version, play.new_key())
    match.refresh_from_db()


def tried_at(
    places: int, wrong: Callable[[Stop, int, Report], Iterator[str]], what: str, report: Report
) -> None:
    """Report what is wrong at a number of places, each with its number; nothing stays in the database."""
    for number, stop in enumerate(islice(stops(BY_STEP), places)):
        with transaction.atomic():
            try:
                report.wrong += [f"{stop}: {one}" for one in wrong(stop, number, report)]
            except Exception as problem:
                report.wrong.append(f"{stop} broke: {problem!r}")
            transaction.set_rollback(True)
        report.count(what)
        if len(report.wrong) > 100:
            break
