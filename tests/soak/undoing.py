"""Every kind of action taken back, and done again: the table is as it was, and then as it became.

At tables at different steps something is done: each kind of tap and correction in turn, an army brought, an
organiser's edit. Somebody asks for it back, and everybody asked agrees. Then the rows hold the position from
before, value by value; everybody is offered what they were offered; the same action leads to the same
position, except for what is drawn, since draws continue along the seed. And the history fits together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from typing import Any
from unittest import mock

from django.db import transaction

from games.core import IllegalAction, Offer, RequestRefused, State, apply, engine
from games.match import play, random_play, storage, undoing
from games.models import Match
from tests.soak.report import Report, faults
from tests.soak.stops import BY_ACTION, Done, Stop, do, stops, table_at

ORGANISER = "Olga"
MOVING = undoing.COUNTERS | {"flow"}
"""What an undo does not move back, and the number under which it asks again."""
BREAKS: dict[str, Callable[[], Any]] = {
    "forgets": lambda: mock.patch.object(undoing, "apply", _forgetting),
    "draws": lambda: mock.patch.object(undoing, "COUNTERS", frozenset({"asked"})),
}
"""Broken on purpose: one value that should go back stays as it is; what was drawn is drawn once more."""


def _forgetting(state: State, image: dict[str, Any]) -> State:
    return apply(state, dict(list(image.items())[1:]))


def run(actions: int, broken: str = "") -> Report:
    """Try a number of actions. `broken` names what is broken on purpose."""
    report = Report()
    with BREAKS.get(broken, nullcontext)():
        for number, stop in enumerate(islice(stops(BY_ACTION), actions)):
            with transaction.atomic():
                there(stop, number, report)
                transaction.set_rollback(True)
            if len(report.wrong) > 100:
                break
    return report


def there(stop: Stop, number: int, report: Report) -> None:
    """Try what random play did next or, if the match was over, something that an organiser does."""
    luck = random.Random(str(stop))
    try:
        match = table_at(stop)
        for kind, what, action in actions_at(stop, number, luck):
            found = list(back_and_again(match, kind, action, luck, report))
            report.wrong += [f"{stop}, {what}: {wrong}" for wrong in found]
        report.wrong += [f"{stop}: {fault}" for fault in faults(match)]
    except Exception as problem:
        report.wrong.append(f"{stop}: {stop.then} broke: {problem!r}")


Action = Callable[[Match], object]


def actions_at(stop: Stop, number: int, luck: random.Random) -> Iterator[tuple[str, str, Action]]:
    """What to try at a stop, with its kind first: what came next there, and by turns something else."""
    if stop.then is not None:
        kind = "corrections" if stop.then.path else "taps"
        yield kind, str(stop.then), lambda match: do(match, stop.then)
    if number % 4 == 0 and stop.then is not None and (found := correction(stop.state, luck)) is not None:
        yield "corrections", str(found), lambda match: do(match, found)
    if number % 4 == 2:
        change = edit(stop.state, luck)
        yield "edits", "an edit", lambda match: play.edit(match.code, change, ORGANISER, "counted again")
    if brings(stop):
        seat, text = luck.choice(stop.state.seats), stop.case.game.example
        bring = f"{seat} brings an army"
        yield "armies", bring, lambda match: play.bring(match.code, seat, text, play.new_key())


def correction(state: State, luck: random.Random) -> Done | None:
    """A correction that the game accepts here."""
    for _try in range(4):
        if (found := random_play.correction(state, luck)) is None:
            continue
        seat, path, action = found
        try:
            engine.adjust(state, seat, path, action, "")
        except IllegalAction:
            continue
        return Done(seat, action, path)
    return None


def edit(state: State, luck: random.Random) -> Callable[[State], None]:
    """Something that an organiser changes."""
    if state.units and luck.random() < 0.7:
        key = luck.choice(sorted(state.units))
        return lambda g: setattr(g.units[key], "name", g.units[key].name + " (again)")
    seat = luck.choice(state.seats)
    return lambda g: g.score(seat, 1, "counted again")


def brings(stop: Stop) -> bool:
    return bool(stop.case.game.example) and not stop.state.round and stop.number < 3


def back_and_again(
    match: Match, kind: str, action: Action, luck: random.Random, report: Report
) -> Iterator[str]:
    """What is wrong when this is done, taken back, done again and taken back once more."""
    before = looks(match)
    if (after := tried(match, action)) is None:
        return
    report.count(kind)
    yield from gone(match, before, luck, report)
    again = tried(match, action)
    if again is None:
        yield "cannot be done again"
        return
    yield from same_again(before, after, again)
    if drawn := after.state.drawn - before.state.drawn:
        report.count("draws", drawn)
    yield from gone(match, before, luck, report)


class Looks:
    """A table as it is now: its position as read from the rows, and what everybody is offered."""

    def __init__(self, match: Match) -> None:
        match.refresh_from_db()
        self.version = match.version
        self.state = storage.load(match).state
        self.stored = self.state.to_json()
        self.offers: dict[str, tuple[Offer, ...]] = {
            seat: engine.offers(self.state, seat) for seat in self.state.seats
        }
        self.asked = engine.to_act(self.state), engine.awaited(self.state)
        self.row = match.finished_at is None, match.undo_request


looks = Looks


def tried(match: Match, action: Action) -> Looks | None:
    """The table after an action; None if it changes nothing, or is refused."""
    version = match.version
    try:
        action(match)
    except RequestRefused:
        return None
    found = looks(match)
    return found if found.version > version else None


def gone(match: Match, before: Looks, luck: random.Random, report: Report) -> Iterator[str]:
    """Somebody asks for the newest action back, and all agree; yields what is not as before."""
    seat, version = luck.choice((*before.state.seats, "")), match.version
    if before.state.result is not None:
        seat = ""
    undoing.ask(match.code, seat, version, play.new_key(), "" if seat else ORGANISER)
    match.refresh_from_db()
    if asked := match.undo_request:
        report.count("agreed to")
        for needed in asked["needs"]:
            undoing.answer(match.code, needed, True, play.new_key())
    now = looks(match)
    yield from (f"{what} is not as before" for what in differing(before, now))
    if now.state.drawn < before.state.drawn or now.state.asked <= before.state.asked:
        yield "a counter went back"


def differing(one: Looks, other: Looks) -> Iterator[str]:
    yield from (name for name in one.stored if name not in MOVING and one.stored[name] != other.stored[name])
    if questions(one.state) != questions(other.state):
        yield "what is asked"
    if one.offers != other.offers:
        yield "what is offered"
    if one.asked != other.asked:
        yield "who is asked"
    if one.row != other.row:
        yield "the row"


def questions(state: State) -> list[tuple[object, ...]]:
    return [(question.step, question.about) for question in state.flow]


def same_again(before: Looks, after: Looks, again: Looks) -> Iterator[str]:
    """The second time leads where the first did; where chance decides, on to the next draws."""
    if after.state.drawn == before.state.drawn:
        yield from (f"{what} is another when it is done again" for what in differing(after, again))
    elif again.state.drawn <= after.state.drawn:
        yield "what was drawn is drawn once more"
