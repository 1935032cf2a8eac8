"""Random play, for fuzzing, tests and benchmarks: robots that only tap what is offered, and undo at random.

With random undos, nobody may lose an answer, be left without one, or be shown one. Whatever is undone, alone
or with all that rests on it, at once or long after: somebody can act, and the match goes on to its end; who
has answered, or has not, is asked before an undo changes that; a question that is put to several is over only
once each of them has answered it; and where the actions that stand can be played again from the beginning,
they lead to the same position.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games import core
from games.core import (
    Draw,
    IllegalAction,
    Offer,
    Question,
    RequestRefused,
    State,
    System,
    canonical,
    diff,
    plain,
    system,
)
from games.history import commits
from games.history.commits import SEALED
from games.match import storage, undoing
from games.match.storage import Command
from games.models import Entry

ONWARDS = 0.9
"""How often a robot looks only at seats that have yet to answer."""


def ways(game: System, mode: str) -> Iterator[dict[str, int]]:
    """The options to try a mode with: the usual ones, and for the first mode each of the game's variants."""
    yield {}
    if mode == game.modes[0].slug:
        yield from game.variants


def fresh_state(
    game: System, mode: str, seed: int, seats: int | None = None, options: Mapping[str, int] | None = None
) -> State:
    """A fresh position of a game with the fewest seats, or as many as asked for, and with these options."""
    count = seats or game.seat_range[0]
    names = dict(list(game.seat_names.items())[:count])
    state = game.open(mode, names, f"seed-{seed}", dict(options or {}))
    core.advance(state)
    return state


def tap_of(offer: Offer, luck: random.Random) -> str:
    """An action that the offer covers: itself, or with a number from its range."""
    if offer.minimum is None or offer.maximum is None:
        return offer.action
    return f"{offer.action}:{luck.randint(offer.minimum, offer.maximum)}"


def tap(state: State, luck: random.Random) -> tuple[str, str]:
    """A seat and an action that it may tap now; a seat that has answered seldom changes its mind."""
    seat = _seat(state, luck)
    return seat, tap_of(luck.choice(core.offers(state, seat)), luck)


def _seat(state: State, luck: random.Random) -> str:
    """A seat that can answer, mostly one that has yet to; stops at the first that it finds."""
    asked, onwards = list(core.asked(state)), luck.random() < ONWARDS
    if len(asked) == 1:  # A lone seat always has an answer.
        return luck.choice(asked)
    answered = []
    while asked:
        seat = luck.choice(asked)
        if core.has_to_answer(state, seat) if onwards else core.answers(state, seat):
            return seat
        asked.remove(seat)
        answered.append(seat)
    return luck.choice([seat for seat in answered if core.answers(state, seat)])


def correction(state: State, luck: random.Random) -> tuple[str, str, str] | None:
    """A seat, a path and a correction that the game offers there; None if there is none."""
    corrections = system(state.system).corrections_step
    path = luck.choice(sorted(corrections.paths(state)))
    offered = core.corrections_of(state, path)
    if not offered:
        return None
    return luck.choice(state.seats), path, tap_of(luck.choice(offered), luck)


def play(state: State, luck: random.Random, longest: int) -> Iterator[tuple[str, str, State]]:
    """Play to the end: seat, action and the position after each tap. Raises if the end never comes."""
    core.keep(state)
    for _count in range(longest):
        if state.result is not None:
            return
        seat, action = tap(state, luck)
        state = core.play(state, seat, action)
        yield seat, action, state
    if state.result is None:
        raise RuntimeError(f"{state.system} did not end within {longest} taps")


# --- with random undos -----------------------------------------------------------------------------


FIRST_UNDOS, TAPS_AN_UNDO = 12, 40
"""How many undos a match may have at most, and after how many taps one more, so that it comes to its end."""

UNDO, CORRECTION = 0.2, 0.04
"""How often something is undone, or corrected, in place of a tap."""

WAVERING = 600
"""After how many taps players only play on."""

SECOND_THOUGHT = 0.25
"""How often a seat that has answered changes its mind while others have yet to answer."""

LATELY = 6
"""Half of the undos are of one of so many newest actions, the others of any that is within reach."""


class Broken(RuntimeError):
    """An undo has led to what must never be."""


@dataclass
class Done:
    """An action that was carried out, and the question that was open."""

    entry: Entry
    action: str
    path: str
    question: Question
    draws: tuple[Draw, ...]


@dataclass
class Table:
    """A match whose players undo at random; `played` are the actions that stand, the oldest first.

    `waited` are the seats that each question has waited for, by its number; None once somebody corrected
    something meanwhile, which may change who is asked.
    """

    start: State
    luck: random.Random
    corrects: bool
    state: State = field(init=False)
    played: list[Done] = field(default_factory=list)
    version: int = 1
    taps: int = 0
    undos: int = 0
    alone: int = 0
    compared: int = 0
    is_defined: bool = True
    waited: dict[int, set[str] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = core.keep(self.start)
        self._note_waiting()

    # --- what players do -------------------------------------------------------------------------

    def play(self, longest: int) -> None:
        """Play to the end; raises `Broken`, or RuntimeError if the end never comes."""
        while self.state.result is None:
            if self.taps == longest:
                raise RuntimeError(f"{self.state.system} did not end within {longest} taps")
            self.go_on()

    def go_on(self) -> None:
        """One tap, or now and then a correction or an undo."""
        chance = self.luck.random()
        most = FIRST_UNDOS + min(self.taps, WAVERING) // TAPS_AN_UNDO
        if chance < UNDO and self.undos < most and self.played:
            self.undo()
        elif self.corrects and chance > 1 - CORRECTION:
            self.correct()
        else:
            self.tap()

    def tap(self) -> None:
        """Somebody taps what is offered; who has answered often changes its mind."""
        seat, action = tap(self.state, self.luck)
        answered = [player for player in core.to_act(self.state) if player not in core.awaited(self.state)]
        if answered and self.taps < WAVERING and self.luck.random() < SECOND_THOUGHT:
            seat = self.luck.choice(answered)
            action = tap_of(self.luck.choice(core.answers(self.state, seat)), self.luck)
        self.taps += 1
        self._carry_out(Entry.Kind.TAP, seat, action, "", core.play(self.state, seat, action))

    def correct(self) -> None:
        """Somebody corrects something, if the rules take it without a reason."""
        if (proposal := correction(self.state, self.luck)) is None:
            return
        seat, path, action = proposal
        try:
            after = core.adjust(self.state, seat, path, action)
        except IllegalAction:
            return
        self._carry_out(Entry.Kind.ADJUST, seat, action, path, after)

    def undo(self) -> None:
        """Somebody undoes an action, and all who are asked agree."""
        actions = [done.entry for done in reversed(self.played[-undoing.FARTHEST :])]
        target = self.luck.choice(actions[:LATELY] if self.luck.random() < 0.5 else actions)
        seat = self.luck.choice(self.state.seats)
        self.undos += 1
        try:
            planned = undoing.plan_of(self.state, actions, seat, target.version)
        except RequestRefused as refusal:
            raise Broken(f"version {target.version} is not undone: {refusal}") from None
        before, after = self.state, core.keep(undoing.without_all(self.state, planned.entries))
        check_undo(before, after, seat, planned.needs)
        gone = {entry.version for entry in planned.entries}
        self.played = [done for done in self.played if done.entry.version not in gone]
        self.state = after
        if any(entry.kind == Entry.Kind.ADJUST for entry in planned.entries):
            self.waited |= {question.number: None for question in (*before.flow, *after.flow)}
        self._note_waiting()
        self.version += len(gone)
        if target is not actions[0] and len(gone) == 1:
            self.alone += 1
            self.is_defined = self.is_defined and _is_only_an_answer(target)
            self.compare()

    def _carry_out(self, kind: Entry.Kind, seat: str, action: str, path: str, after: State) -> None:
        before, self.state = self.state, core.keep(after)
        self.version += 1
        old, new = diff(before, after)
        entry = Entry(
            version=self.version,
            kind=kind,
            seat=seat,
            before=commits.public(old),
            after=commits.public(new),
            sealed=storage.sealed_part(after, Command(kind, seat), old, new),
            is_final=core.is_final(before, after),
        )
        self.played.append(Done(entry, action, path, before.question, tuple(after.draws)))
        if kind == Entry.Kind.ADJUST:
            self.waited |= {question.number: None for question in (*before.flow, *after.flow)}
        elif before.question not in after.flow:
            self.check_answers(before, seat)
        self._note_waiting()

    def _note_waiting(self) -> None:
        seats = self.waited.setdefault(self.state.question.number, set()) if self.state.flow else None
        if seats is not None:
            seats |= {*core.awaited(self.state)}

    # --- what has to hold ------------------------------------------------------------------------

    def check_answers(self, before: State, seat: str) -> None:
        """A question that this seat was the last to answer has standing answers of all it waited for."""
        waited = self.waited[before.question.number]
        if waited is None or core.awaited(before) != (seat,):
            return
        heard = {done.entry.seat for done in self.played if done.question == before.question}
        if silent := waited - heard:
            raise Broken(f"{before.question.step} is over, but nobody has heard {', '.join(sorted(silent))}")

    def compare(self) -> None:
        """The actions that stand lead to this position, as if what was undone alone had never been done.

        That is defined as long as all of them can be played again, and only answers were undone alone.
        """
        again = self._again() if self.is_defined else None
        if again is None:
            self.is_defined = False
            return
        self.compared += 1
        here, there = plainly(self.state), plainly(again)
        if here != there:
            names = sorted(name for name in here if canonical(here[name]) != canonical(there[name]))
            raise Broken(f"without what was undone these would be different: {', '.join(names)}")

    def _again(self) -> State | None:
        state = self.start
        for done in self.played:
            state = state.copy()
            if done.draws:
                state.drawn = done.draws[0].counter
            core.keep(state)
            try:
                state = _repeated(state, done)
            except IllegalAction:
                return None
            core.keep(state)
        return state


def _repeated(state: State, done: Done) -> State:
    if done.entry.kind == Entry.Kind.ADJUST:
        return core.adjust(state, done.entry.seat, done.path, done.action)
    return core.play(state, done.entry.seat, done.action)


def _is_only_an_answer(entry: Entry) -> bool:
    """Whether nothing but the position tells whether an action was made.

    What a correction changed has counted until it is undone, and the keys of pieces depend on those that came
    before them.
    """
    made = [path for path, value in entry.before.items() if value is None and path.count("/") == 1]
    return entry.kind == Entry.Kind.TAP and not made


def check_undo(before: State, after: State, seat: str, asked: Iterable[str]) -> None:
    """Whether somebody can act after an undo, and nothing was changed or shown without asking."""
    if not undoing.goes_on(after):
        raise Broken("nobody can act after an undo")
    if before.question == after.question:
        for other in before.rivals(seat):
            if other not in asked and before.has_answered(other) != after.has_answered(other):
                raise Broken(f"nobody has asked {other}, whose answer is another now")
    for reader in (*after.seats, None):
        view = core.view(after, reader)
        if any(value is not None for army, value in _hidden(view) if army != reader):
            raise Broken("an undo shows what is hidden")
    for image in map(commits.public, diff(before, after)):
        if any("/hidden/" in path and value != SEALED for path, value in image.items()):
            raise Broken("an undo tells the log what is hidden")


def _hidden(state: State) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, army in state.armies.items() for value in army.hidden.values())


def plainly(state: State) -> dict[str, Any]:
    """A position without what only counts: the numbers of questions, draws and lines of the score."""
    numbers = {question.number: place for place, question in enumerate(state.flow)}
    position: dict[str, Any] = state.to_json()
    for name in ("asked", "drawn", "seed"):
        position.pop(name)
    position["flow"] = [[question.step, list(question.about)] for question in state.flow]
    for kind, mapping in state.kinds.items():
        position[mapping] = {key: piece.to_json() for key, piece in getattr(state, mapping).items()}
        if kind == "army":
            for army in position[mapping].values():
                army["answered"] = numbers.get(army["answered"])
    position["scores"] = sorted(canonical({**plain(row), "key": ""}) for row in state.scores.values())
    return position
