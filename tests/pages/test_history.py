"""The history offers to undo what can be undone, and nothing else."""

import random
import re

import pytest

from games.match import fuzz, play, storage, undoing
from tests.pages.test_score_card import seated
from tests.trust.cast import Phone


@pytest.fixture
def match(db):
    """A match of more actions than can be undone at once, the newest of them undone."""
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="history")
    state, version, luck = storage.load(match).state, match.version, random.Random(3)
    for _tap in range(undoing.FARTHEST + 5):
        verdict = play.tap(match.code, *fuzz.tap(state, luck), version, play.new_key())
        state, version = verdict.loaded.state, verdict.version
    undoing.ask(match.code, "", version, play.new_key(), "Olga")
    match.refresh_from_db()
    return match


def offered(phone, match):
    """The versions that the page offers to undo, newest first."""
    text = phone.ask("GET", f"/t/{match.code}/history").content.decode()
    return list(map(int, re.findall(r'name="undo" value="(\d+)"', text)))


def test_all_within_reach_can_be_undone_from_the_history(match):
    phone = seated(match, "red")
    versions = offered(phone, match)
    assert versions == [entry.version for entry in undoing.undoable(match)]
    assert len(versions) == undoing.FARTHEST
    assert versions[0] == match.version - 2, "the newest action was undone"
    assert offered(Phone(), match) == []
