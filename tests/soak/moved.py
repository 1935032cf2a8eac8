"""Matches that move to another server in the middle of a step, and are played on alike here and there.

A table is somewhere in its match: answers half given and sealed, a window open, something just taken back or
asked back, a guest waiting. It is written to a JSON file and read again. The match that arrives is the same:
position, what each seat is offered, log and fingerprints. Then both are played on with the same taps, one of
them taken back in both, and come to the same end with the same log.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any
from unittest import mock

from games.api.matches import show
from games.core import State, engine
from games.match import match_file, play, random_play, storage, undoing
from games.models import Entry, Match, SeatRequest
from tests.soak.report import Report, faults
from tests.soak.stops import Stop, table_at, tried_at

ON, TO_THE_END = 4, 0.3
"""How many taps both make through their rows, and how often the rules alone also play the rest."""
TOLD = (
    "kind",
    "seat",
    "author",
    "step",
    "round",
    "path",
    "action",
    "note",
    "lines",
    "before",
    "after",
    "draws",
)
"""Columns of an entry that are the same wherever it is played: no times, nothing salted."""
APART = ("code", "checksum")
BREAKS: dict[str, Callable[[], Any]] = {
    "masks": lambda: mock.patch.object(match_file, "whole", lambda match, **_options: _whole(match)),
    "forgets": lambda: mock.patch("games.match.match_file.storage.create", _a_question_behind),
}
"""Broken on purpose: secrets stay behind; the rows that arrive have a question less than the log."""


_whole, _create = match_file.whole, storage.create


def _a_question_behind(match: Match, state: State) -> object:
    behind = state.copy()
    behind.asked -= 1
    return _create(match, behind)


def run(matches: int, broken: str = "") -> Report:
    """Move a number of matches. `broken` names what is broken on purpose."""
    report = Report()
    with BREAKS.get(broken, nullcontext)():
        tried_at(matches, moved, "matches", report)
    return report


def moved(stop: Stop, number: int, report: Report) -> Iterator[str]:
    """What is wrong with a match that moves from this stop."""
    luck = random.Random(str(stop))
    here = table_at(stop)
    unsettle(here, number, luck, report)
    file = match_file.whole(here, with_secrets=True)
    there, _is_known = match_file.import_match(json.loads(json.dumps(file)), show, to_play_on=True)
    here.refresh_from_db()
    there.refresh_from_db()
    yield from arrived(here, there, file)
    yield from played_on(here, there, luck, report)


def unsettle(match: Match, number: int, luck: random.Random, report: Report) -> None:
    """By turns, do nothing, take something back, ask for it back, or have a guest wait for a seat."""
    state = storage.load(match).state
    standing = undoing.undoable(match, 3)
    if number % 2 and standing and state.result is None:
        seat = luck.choice(state.seats)
        undoing.ask(match.code, seat, luck.choice(standing).version, play.new_key())
        match.refresh_from_db()
        report.count("requests open" if match.undo_request else "taken back before")
    if number % 3 == 2:
        SeatRequest.objects.create(seat=match.seats.first(), name="Guest")
        report.count("guests")
    report.count("sealed", sum(len(army.hidden) for army in state.armies.values()))


def arrived(here: Match, there: Match, file: dict[str, Any]) -> Iterator[str]:
    """What differs in a match after it has arrived."""
    one, other = (storage.load(match).state for match in (here, there))
    if one.to_json() != other.to_json():
        yield "the position is another"
    yield from unlike(one, other)
    again = match_file.whole(there, with_secrets=True)
    yield from (f"{name} is another" for name in file if name not in APART and again[name] != file[name])
    if (here.version, here.since, here.chain) != (there.version, there.since, there.chain):
        yield "the row is another"
    if there.seats.count() != len(one.seats) or there.seats.filter(is_taken=True).exists():
        yield "the seats are not free"


def unlike(one: State, other: State) -> Iterator[str]:
    """What two tables ask and offer differently."""
    if engine.awaited(one) != engine.awaited(other):
        yield "others are asked"
    for seat in one.seats:
        if engine.offers(one, seat) != engine.offers(other, seat):
            yield f"{seat} is offered something else"
        if engine.view(one, seat).to_json() != engine.view(other, seat).to_json():
            yield f"{seat} sees something else"


def played_on(here: Match, there: Match, luck: random.Random, report: Report) -> Iterator[str]:
    """Make the same taps in both; yields what comes out differently."""
    for number in range(ON):
        state = storage.load(here).state
        if state.result is not None:
            break
        seat, action = random_play.tap(state, luck)
        for match in (here, there):
            play.tap(match.code, seat, action, match.version, play.new_key())
        back = number == ON // 2
        if back:
            version = here.version + 1
            for match in (here, there):
                undoing.ask(match.code, "", version, play.new_key(), "Olga")
        here.refresh_from_db()
        there.refresh_from_db()
        report.count("taps in both", 1 + back)
    yield from same_log(here, there)
    one, other = (storage.load(match).state for match in (here, there))
    yield from unlike(one, other)
    yield from (f"played on, {fault}" for fault in faults(there))
    if luck.random() < TO_THE_END:
        yield from to_the_end(one, other, luck, report)


def same_log(here: Match, there: Match) -> Iterator[str]:
    logs = [
        list(Entry.objects.filter(match=match).order_by("version").values(*TOLD)) for match in (here, there)
    ]
    if len(logs[0]) != len(logs[1]):
        yield "the logs are not as long"
    for version, (one, other) in enumerate(zip(*logs, strict=False), 1):
        yield from (f"{name} of entry {version} is another" for name in TOLD if one[name] != other[name])


def to_the_end(one: State, other: State, luck: random.Random, report: Report) -> Iterator[str]:
    """Play both positions to their end by the rules alone, with the taps of the first."""
    longest = engine.system(one.system).longest
    one, other = engine.keep(one), engine.keep(other)
    for _count in range(longest):
        if one.result is not None:
            report.count("ends")
            break
        seat, action = random_play.tap(one, luck)
        one, other = (engine.play(state, seat, action) for state in (one, other))
    if one.to_json() != other.to_json():
        yield "the end is another"
