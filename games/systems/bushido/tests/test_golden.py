"""Whole matches as they read at the table, one for each kind of scenario."""

from pathlib import Path

from games.systems.bushido.rules import scenarios
from games.systems.bushido.tests import tables  # noqa: F401
from tests.retelling import assert_same_today, golden, last_position


@golden(__file__)
def test_a_golden_match_reads_the_same_today(path):
    assert_same_today(path)


@golden(__file__)
def test_a_golden_match_is_whole_and_scored(path):
    end = last_position(path)
    assert end.result["winner"] is not None
    assert sum(end.result["points"].values()) >= 2


def test_there_is_a_golden_match_of_every_kind_of_scenario():
    paths = Path(__file__).parent.glob("golden/*.txt")
    found = {path.stem: scenarios.of(last_position(path)) for path in paths}
    assert sorted(found) == ["objectives", "variable-length", "vim", "zones"]
    for kind in ("objectives", "zones", "vim"):
        assert kind in found[kind].kinds
    assert found["variable-length"].variable_from
