"""A whole match as it reads at the table, told anew by the rules of today: one for each kind of scenario.

After a change that is meant, `GOLDEN=rewrite make test` writes the new telling, to be read as a difference.
"""

import os
from pathlib import Path

import pytest

from games.match import transcript
from games.systems.bushido.rules import scenarios
from games.systems.bushido.tests import tables  # noqa: F401
from tests.retelling import retell

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_match_is_told_the_same_today(path):
    text = path.read_text(encoding="utf-8")
    today = retell(text)
    if os.environ.get("GOLDEN") == "rewrite":
        path.write_text(today, encoding="utf-8")
    assert today == path.read_text(encoding="utf-8")


def last(path):
    *_others, (_action, state) = transcript.positions(path.read_text(encoding="utf-8"))
    return state


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_match_is_whole_and_scored(path):
    state = last(path)
    assert state.result["winner"] is not None
    assert sum(state.result["points"].values()) >= 2


def test_there_is_a_golden_match_of_every_kind_of_scenario():
    found = {path.stem: scenarios.of(last(path)) for path in GOLDEN}
    assert sorted(found) == ["objectives", "variable-length", "vim", "zones"]
    for kind in ("objectives", "zones", "vim"):
        assert kind in found[kind].kinds
    assert found["variable-length"].variable_from
