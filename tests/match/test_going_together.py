"""What cannot be taken back alone: an action goes with anything that wrote the same place or refers to it."""

from __future__ import annotations

import pytest

from games.history.commits import SEALED
from games.match import undoing
from games.models import Entry

WOLVES, GONE = {"unit/wolves": {"name": "Wolves"}}, {"unit/wolves": None}


def entry(before=None, after=None, kind=Entry.Kind.TAP):
    return Entry(kind=kind, before=before or {}, after=after or {})


@pytest.mark.parametrize(
    ("made", "later", "goes_with_it"),
    [
        (entry({}, {"army/red/power": 1}), entry(after={"army/red/power": 2}), True),
        (entry({}, {"army/red/power": 1}), entry(after={"army/blue/power": 2}), False),
        (entry({}, {"flow": []}), entry(after={"army/red/power": 1}), True),
        (entry({}, {"flow": []}), entry(after={"army/red/power": 1}, kind=Entry.Kind.ADJUST), False),
        (entry(GONE, WOLVES), entry(after={"army/red/leads": "wolves"}), True),
        (entry(GONE, WOLVES), entry(after={"army/red/leads": ["bears", "wolves"]}), True),
        (entry(GONE, WOLVES), entry(after={"army/red/leads": [{"wolves": 1}]}), True),
        (entry(GONE, WOLVES), entry(after={"army/red/leads": "bears"}), False),
        (entry(GONE, WOLVES), entry(after={"army/red/hidden/bid": SEALED}), True),
        (entry({}, {"army/red/power": 1}), entry(after={"army/blue/hidden/bid": SEALED}), False),
        (entry({"army/red/leads": "wolves"}, {"army/red/leads": ""}), entry(WOLVES, GONE), True),
        (entry({"army/red/leads": "bears"}, {"army/red/leads": ""}), entry(WOLVES, GONE), False),
        (entry(WOLVES, {"unit/wolves": {}}), entry(after={"army/red/leads": "wolves"}), False),
        (entry({"army/red/leads": None}, {}), entry(after={"army/blue/leads": "red"}), False),
        (entry({"score/1": None}, {}), entry(after={"army/red/leads": "1"}), False),
        (entry({"round/1": None}, {}), entry(after={"army/red/leads": "1"}), False),
        (entry({}, {"army/red/hidden/bid": SEALED}), entry(after={"army/red/power": 1}), False),
        (entry({}, {"army/red/power": 1}), entry(after={"flow": []}), False),
        (entry({}, {"asked": 3}), entry(after={"asked": 4}), False),
    ],
)
def test_what_speaks_of_an_action_goes_with_it(made, later, goes_with_it):
    assert undoing._clash(made, later) is goes_with_it
