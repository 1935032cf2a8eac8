"""Whole matches as they read at the table, of every mode and number of houses."""

from pathlib import Path

from games.systems.agot import SYSTEM
from games.systems.agot.tests import tables  # noqa: F401
from tests.retelling import assert_same_today, golden, last_position


@golden(__file__)
def test_a_golden_match_reads_the_same_today(path):
    assert_same_today(path)


@golden(__file__)
def test_a_golden_match_is_whole(path):
    end = last_position(path)
    assert end.result["winner"] in end.seats


def test_there_is_a_golden_match_of_every_mode_and_number_of_houses():
    low, high = SYSTEM.seat_range
    wanted = {f"{mode.slug}-{count}" for mode in SYSTEM.modes for count in range(low, high + 1)}
    assert {path.stem for path in Path(__file__).parent.glob("golden/*.txt")} == wanted
