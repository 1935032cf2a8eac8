"""Matches played through their rows without reading the rows again before every action.

They write what a phone's tap writes. `tests/contract/test_rows.py` shows for every game that a position read
again is the one that was written; other tests need not pay for that at each tap.
"""

from __future__ import annotations

import copy
import random

from django.db import transaction

from games.core import Line, State, engine
from games.match import play, random_play, storage
from games.match.storage import Command
from games.models import Entry, Match


def state_of(match: Match) -> State:
    """The position of a match as its rows are now; `match` itself stays as it was read."""
    return storage.load(Match.objects.get(pk=match.pk)).state


def tap(match: Match, seat: str, action: str) -> int:
    """The version after a tap by a phone that shows the newest board; `match` stays as it was read."""
    seen = Match.objects.get(pk=match.pk).version
    return play.tap(match.code, seat, action, seen, play.new_key()).version


class Playing:
    """A match in hand: its rows, and the position that they hold."""

    def __init__(self, match: Match) -> None:
        self._match = match.pk
        self.read()

    def read(self) -> None:
        """Read the position from the rows as they are now."""
        self.loaded = storage.load(Match.objects.get(pk=self._match))

    @property
    def state(self) -> State:
        return self.loaded.state

    def tap(self, seat: str, action: str) -> None:
        """Do what a phone's tap on something offered does."""
        after = engine.play(self.state, seat, action)
        author = play.author_of(self.loaded, seat)
        payload = f"tap {seat} {action}"
        self._commit(after, Command(Entry.Kind.TAP, seat, author, "", action, "", play.new_key(), payload))

    def remark(self, line: Line, author: str = "", action: str = "") -> None:
        """Write a sentence into the log that changes nothing."""
        after = self.state.copy()
        after.lines = [line]
        self._commit(after, Command(Entry.Kind.REMARK, "", author, action=action))

    def _commit(self, after: State, command: Command) -> None:
        with transaction.atomic():
            play.commit(self.loaded, after, command)
        # A commit hands its board on: others may be drawing it while the next action is under way.
        ids = {kind: dict(keys) for kind, keys in self.loaded.ids.items()}
        self.loaded = storage.LoadedMatch(copy.copy(self.loaded.match), self.state, ids)

    def adjust(self, seat: str, path: str, action: str, note: str = "") -> None:
        """Do what a correction does."""
        play.adjust(self.loaded.match.code, seat, path, action, play.new_key(), note=note)
        self.read()

    def at_random(self, luck: random.Random, taps: int) -> None:
        """Tap at random this many times, or until the match ends."""
        for _count in range(taps):
            if self.state.result is not None:
                return
            self.tap(*random_play.tap(self.state, luck))


def played_on(match: Match, taps: int = 40) -> Match:
    """The match after a number of random taps like those of phones, or at its end."""
    state, version, luck = storage.load(match).state, match.version, random.Random(3)
    for _tap in range(taps):
        if state.result is not None:
            break
        verdict = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key())
        assert verdict.loaded is not None
        state, version = verdict.loaded.state, verdict.version
    match.refresh_from_db()
    return match
