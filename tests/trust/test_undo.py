"""Undo never shows more than a player knew, and takes back nobody's tap without their consent: random tables.

The test has its own idea of what may go at once, read from the images of the log: one's own taps that drew
nothing, revealed nothing and did not end the match.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from games.core import ABSENT, system
from games.history import commits
from games.match import play, random_play, storage, undoing
from games.match.storage import current
from games.models import Entry, Match

pytestmark = pytest.mark.django_db

TABLES = (
    ("auction", "tracks"),
    ("rps", "plain"),
    ("tmg", "winds-of-winter"),
    ("agot", "orders"),
    ("agot", "light"),
    ("bushido", "risen-sun"),
)
STEPS = 40


def is_known(entry: Entry) -> bool:
    """Whether it told everybody something that they did not know before: chance, a reveal, the end."""
    after = commits.full_image(entry, "after")
    opened = any(path.count("/") == 3 and value == ABSENT for path, value in after.items())
    return "drawn" in after or "result" in after or opened


def may_go_at_once(entry: Entry, seat: str) -> bool:
    return entry.seat in ("", seat) and not is_known(entry)


@dataclass
class Tally:
    asked: int = 0
    at_once: int = 0
    agreed: int = 0
    refused: int = 0
    outgrown: int = 0
    forbidden: list[int] = field(default_factory=list)


class Company:
    """A table where somebody now and then wants something back, and the others agree, decline or play on."""

    def __init__(self, game: str, mode: str, luck: random.Random) -> None:
        names = list(system(game).seat_names)[: system(game).seat_range[0]]
        self.match = play.open_match(game, mode, {name: name for name in names}, seed=f"undo {game}")
        self.luck, self.tally = luck, Tally()

    def fresh(self) -> Match:
        self.match.refresh_from_db()
        return self.match

    def undone(self) -> set[int]:
        return set(self.match.entries.exclude(undoes=None).values_list("undoes__version", flat=True))

    def position(self) -> dict[str, object]:
        return storage.load(self.fresh()).state.to_json()

    def play_on(self) -> bool:
        """One tap by anybody who can; False when the match is over."""
        state = storage.load(self.fresh()).state
        if state.result is not None:
            return False
        seat, action = random_play.tap(state, self.luck)
        play.tap(self.match.code, seat, action, self.match.version, play.new_key())
        return True

    def wants_back(self) -> None:
        standing = undoing.undoable(self.fresh(), 6)
        if not standing:
            return
        seat, entry = self.luck.choice(storage.load(self.match).state.seats), self.luck.choice(standing)
        before, undone = self.position(), self.undone()
        self.tally.asked += 1
        try:
            undoing.ask(self.match.code, seat, entry.version, play.new_key())
        except play.RequestRefused:
            self.tally.refused += 1
            assert self.position() == before
            return
        gone = self.match.entries.filter(version__in=self.undone() - undone)
        self.tally.at_once += bool(gone)
        self.tally.forbidden += [each.version for each in gone if not may_go_at_once(each, seat)]
        if not gone:
            assert self.position() == before, "nothing goes before they agree"
        if self.fresh().undo_request is not None:
            self.answer(before)

    def answer(self, before: dict[str, object]) -> None:
        """All who were asked agree, or one declines, or one plays on and agrees too late."""
        request, undone = self.match.undo_request, self.undone()
        needed = list(request["needs"])
        others = [
            seat for seat in storage.load(self.match).state.seats if seat not in (*needed, request["by"])
        ]
        for seat in others:
            with pytest.raises(play.RequestRefused):
                undoing.answer(self.match.code, seat, True, play.new_key())
        what = self.luck.choice(["agree", "decline", "late"])
        for seat in needed[:-1]:
            undoing.answer(self.match.code, seat, True, play.new_key())
            assert self.undone() == undone, "all have to agree"
        if what == "agree" and self.is_outgrown(request):
            with pytest.raises(play.RequestRefused):
                undoing.answer(self.match.code, needed[-1], True, play.new_key())
            assert self.undone() == undone
            self.tally.outgrown += 1
        elif what == "agree":
            undoing.answer(self.match.code, needed[-1], True, play.new_key())
            assert self.undone() - undone == set(request["versions"])
            self.tally.agreed += 1
        elif what == "decline":
            undoing.answer(self.match.code, needed[-1], False, play.new_key())
            assert self.position() == before
        else:
            self.too_late(needed, undone)

    def is_outgrown(self, request: dict[str, Any]) -> bool:
        """Whether later answers now rest on what an older request wants back: nobody agreed to undo those."""
        planned = undoing.plan(current(self.match), request["by"], request["target"])
        return [entry.version for entry in planned.entries] != request["versions"]

    def too_late(self, needed: list[str], undone: set[int]) -> None:
        self.play_on()
        if self.fresh().undo_request is None:
            with pytest.raises(play.RequestRefused):
                undoing.answer(self.match.code, needed[-1], True, play.new_key())
            assert self.undone() == undone


def spent(game: str, mode: str, steps: int = STEPS) -> Tally:
    luck = random.Random(f"{game} {mode}")
    company = Company(game, mode, luck)
    for _step in range(steps):
        if not company.play_on():
            company = fresh_table(company, game, mode)
        if luck.random() < 0.6:
            company.wants_back()
    return company.tally


def fresh_table(company: Company, game: str, mode: str) -> Company:
    another = Company(game, mode, company.luck)
    another.tally = company.tally
    return another


@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_no_undo_takes_back_what_is_known_or_anothers(game: str, mode: str) -> None:
    tally = spent(game, mode)
    assert tally.forbidden == []
    assert tally.asked > STEPS / 4
    assert tally.at_once + tally.agreed > 0
    print(f"PROMISE P8: {game} {mode}: {tally.asked} undo requests, {tally.agreed} agreed, 0 forbidden")


def test_an_undo_that_asks_nobody_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoing, "needs", lambda seats, seat, entries: ())
    assert sum(len(spent(game, mode, 20).forbidden) for game, mode in TABLES[:2]) > 0


def was_sealed(entry: Entry) -> bool:
    return entry.kind == Entry.Kind.TAP and commits.SEALED in entry.after.values()


@pytest.mark.parametrize(("game", "mode"), [table for table in TABLES if table != ("agot", "light")])
def test_what_was_sealed_for_a_question_that_is_over_never_goes_alone(game: str, mode: str) -> None:
    """Anything that came later may rest on it, and how much goes with it must not reveal what it was."""
    company = Company(game, mode, random.Random(1))
    while company.fresh().version < STEPS * 3 / 2 and company.play_on():
        pass
    standing, looked_at = undoing.undoable(company.fresh()), 0
    for number, entry in enumerate(standing):
        if was_sealed(entry) and any("flow" in later.after for later in standing[:number]):
            planned = undoing.plan(current(company.match), entry.seat, entry.version)
            assert planned.entries == tuple(standing[: number + 1]), (entry.version, entry.action)
            looked_at += 1
    assert looked_at
