"""The rules, tried with taps that nobody is offered, and with a second look at every position they produce.

After each random tap, in every mode: what is not offered is refused with a sentence and leaves the position
as it was; the position survives JSON, and the images of all taps applied in turn lead to it; no piece appears
from nowhere or vanishes; and where two colours play, the same taps with the colours swapped lead to the same
position with the colours swapped.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import count, groupby
from typing import Any
from unittest import mock

from games.core import IllegalAction, Malformed, apply, diff, engine, parse_action
from games.management.commands.fuzz import Case, _cases
from games.match import random_play
from games.systems.agot.tests.test_invariants import wrong as wrong_with_the_map
from tests.soak.report import Report

WRONG_TAPS = 4
"""How many wrong taps are tried after each tap."""
REMEMBERED = 60
COLOURS = {"red": "blue", "blue": "red"}
A_COLOUR = re.compile(r"(?<![\w-])(?:red|blue)(?!\w|-(?!east|west))")
"""A colour as a seat, or as a half of the table; not at the beginning of another word."""


def _touching(state: Any, seat: str, meant: object) -> str:
    state.asked += 1
    return "Refused, after something was changed."


def _favouring(state: Any, seat: str, action: str) -> Any:
    after = _play(state, seat, action)
    after.drawn += seat == "red"
    return after


_play = engine.play
UNFAIR: dict[str, Any] = {"favours": lambda: mock.patch("games.core.engine.play", _favouring)}
LAX: dict[str, Any] = {
    "loose": lambda: mock.patch("games.core.engine.is_among", return_value=True),
    "touched": lambda: mock.patch("games.core.engine._why_not", _touching),
}
"""Broken on purpose: red's taps count for more; anything tapped is done; a refusal leaves a trace."""


def run(taps: int, broken: str = "") -> Report:
    """Make and check a number of taps in each mode, taking its numbers of seats and options by turns."""
    report = Report()
    trouble: AbstractContextManager[object] = LAX.get(broken, nullcontext)()
    with UNFAIR.get(broken, nullcontext)():
        every_mode(taps, trouble, report)
    return report


def every_mode(taps: int, trouble: AbstractContextManager[object], report: Report) -> None:
    for _mode, cases in groupby(_cases(None, None), lambda one: (one.game.slug, one.mode)):
        kinds, played = list(cases), 0
        for seed in count():
            if played >= taps or len(report.wrong) > 100:
                break
            played += closely(kinds[seed % len(kinds)], seed, taps - played, trouble, report)
        report.count("modes")


def closely(case: Case, seed: int, most: int, trouble: AbstractContextManager[object], report: Report) -> int:
    """Play a random match, up to `most` taps, checking each; returns how many taps that was."""
    luck, taps, seen = random.Random(seed), 0, ["ready"]
    before = folded = random_play.fresh_state(case.game, case.mode, seed, case.seats, case.options)
    mirrored = Mirrored(case, seed)
    stored = before.to_json()
    try:
        for seat, action, after in random_play.play(before, luck, case.game.longest):
            where, taps = f"{case}: seed {seed} tap {taps + 1} {seat} {action}", taps + 1
            report.unless(before.to_json() == stored, f"{where}: changed the position before it")
            stored = after.to_json()
            report.unless(read_again(after, stored) == after, f"{where}: JSON loses something")
            folded = apply(folded, diff(before, after)[1])
            report.unless(folded == after, f"{where}: the images do not lead there")
            report.wrong += [f"{where}: {what}" for what in wrong_with_pieces(before, after)]
            report.wrong += [f"{where}: {what}" for what in mirrored.follow(seat, action, after, stored)]
            seen = [*seen[-REMEMBERED:], action]
            for one, tap in wrong_taps(after, seen, luck):
                report.count("wrong taps")
                with trouble:
                    report.wrong += [f"{where}: then {what}" for what in refused(after, stored, one, tap)]
            before = after
            if taps == most:
                break
    except Exception as problem:
        report.wrong.append(f"{case}: seed {seed} tap {taps + 1} broke: {problem!r}")
        taps = most
    report.count("taps", taps)
    report.count("taps mirrored", mirrored.taps)
    return taps


def read_again(state: Any, stored: dict[str, Any]) -> Any:
    """The position as a file or a database returns it."""
    return type(state).from_json(json.loads(json.dumps(stored)))


# --- what is not offered --------------------------------------------------------------------------


def wrong_taps(state: Any, seen: list[str], luck: random.Random) -> Iterator[tuple[str, str]]:
    """Taps that a seat is not offered now: from another moment, somebody else's, or with something wrong."""
    for _try in range(WRONG_TAPS):
        seat = luck.choice(state.seats)
        offered = [offer for one in state.seats for offer in engine.offers(state, one)]
        if offered and luck.random() < 0.7:
            action = mangled(luck.choice(offered), state, luck)
        else:
            action = luck.choice(seen)
        if not is_offered(state, seat, action):
            yield seat, action


def is_offered(state: Any, seat: str, action: str) -> bool:
    try:
        return engine.is_among(engine.offers(state, seat), parse_action(action))
    except Malformed:
        return False


def mangled(offer: Any, state: Any, luck: random.Random) -> str:
    """An offered action, maybe somebody else's; or one with a wrong or extra noun, or too large a number."""
    verb, *nouns = offer.action.split(":")
    nouns += [str(luck.choice((offer.minimum - 1, offer.maximum + 1)))] if offer.minimum is not None else []
    keys = (*state.seats, *state.units, *state.objectives, "nobody", "0", "-1", "999")
    fate = luck.randrange(4)
    if fate == 1 and nouns:
        nouns[luck.randrange(len(nouns))] = luck.choice(keys)
    elif fate == 2:
        nouns.append(luck.choice(keys))
    elif fate == 3 and nouns:
        nouns.pop()
    return ":".join((verb, *nouns))


def refused(state: Any, stored: dict[str, Any], seat: str, action: str) -> Iterator[str]:
    """What is wrong with how the rules handle such a tap."""
    try:
        engine.play(state, seat, action)
        yield f"{seat} {action} is not offered, and was done"
    except IllegalAction as refusal:
        if not str(refusal.line):
            yield f"{seat} {action} is refused without a word"
    except Malformed:
        pass
    except Exception as problem:
        yield f"{seat} {action} broke: {problem!r}"
    if state.to_json() != stored:
        yield f"{seat} {action} was refused, and has changed the position"


# --- no piece from nowhere ------------------------------------------------------------------------


def wrong_with_pieces(before: Any, after: Any) -> Iterator[str]:
    """What a tap must not do to the pieces of any game, and what must hold for those of this one."""
    for name in ("drawn", "asked", "round"):
        if getattr(after, name) < getattr(before, name):
            yield f"{name} went back"
    if before.armies.keys() != after.armies.keys():
        yield "a side came or went"
    if any(after.scores.get(key) != score for key, score in before.scores.items()):
        yield "a score that was given was changed"
    if before.round and (gone := before.units.keys() - after.units.keys()):
        yield f"{gone} went for good"
    for key, unit in after.units.items():
        if unit.key != key or unit.army not in after.armies:
            yield f"{key} belongs to nobody"
        if unit.wounds < 0 or unit.wounds > getattr(unit, "wounds_total", unit.wounds):
            yield f"{key} has {unit.wounds} wounds"
    for army in after.armies.values():
        if min(getattr(army, name, 0) or 0 for name in ("power", "hand", "deck")) < 0:
            yield f"{army.key} has less than nothing"
    if after.system == "agot" and after.objectives:
        yield from wrong_with_the_map(after)


# --- the colours changed about --------------------------------------------------------------------


def swapped(text: str) -> str:
    """A text with the colours swapped."""
    return A_COLOUR.sub(lambda found: COLOURS[found[0]], text)


class Mirrored:
    """The same match with the colours swapped, as long as no place on the table belongs to one colour."""

    def __init__(self, case: Case, seed: int) -> None:
        self.taps = 0
        self.state: Any = None
        # Cards dealt by the app would differ, since the hands come in the other order.
        if COLOURS.keys() == case.game.seat_names.keys() and not case.options:
            names = {COLOURS[seat]: name for seat, name in case.game.seat_names.items()}
            self.state = case.game.open(case.mode, names, f"seed-{seed}", {})
            engine.advance(self.state)

    def follow(self, seat: str, action: str, after: Any, stored: dict[str, Any]) -> Iterator[str]:
        """Play the same tap there; yields what differs but should not."""
        # A scenario may assign places to colours: with the colours swapped its table is another one.
        if self.state is None or any(getattr(one, "aligned", None) for one in after.objectives.values()):
            self.state = None
            return
        self.taps += 1
        try:
            self.state = engine.play(self.state, swapped(seat), swapped(action))
        except IllegalAction as refusal:
            self.state = None
            yield f"with the colours changed about it is refused: {refusal.line}"
            return
        here = ordered(json.loads(swapped(json.dumps(stored))))
        there = ordered(json.loads(json.dumps(self.state.to_json())))
        if here != there:
            self.state = None
            yield f"with the colours changed about other {sorted(k for k in here if here[k] != there[k])}"


LEFT_OUT = {
    "armies": ("order", "agreed"),
    "units": ("order",),
    "objectives": ("order", "name"),
    "scores": ("source", "key"),
}


def ordered(stored: dict[str, Any]) -> dict[str, Any]:
    """A stored position without anything that only says which side comes first, or what a half is called."""
    for kind, names in LEFT_OUT.items():
        for piece in stored[kind].values():
            for name in names:
                piece.pop(name, None)
    stored["scores"] = sorted(map(str, stored["scores"].values()))
    return stored
