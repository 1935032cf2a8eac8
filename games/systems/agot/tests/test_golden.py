"""Whole matches as they read at the table, told anew by the rules of today.

After a change that is meant, `GOLDEN=rewrite make test` writes the new telling, to be read as a difference.
"""

import os
from pathlib import Path

import pytest

from games.systems.agot import SYSTEM
from games.systems.agot.tests import tables  # noqa: F401
from tests.retelling import retell

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_a_golden_match_is_told_the_same_today(path):
    today = retell(path.read_text(encoding="utf-8"))
    if os.environ.get("GOLDEN") == "rewrite":
        path.write_text(today, encoding="utf-8")
    assert today == path.read_text(encoding="utf-8")
    assert "wins the game." in today


def test_there_is_a_golden_match_of_every_mode_and_number_of_houses():
    low, high = SYSTEM.seat_range
    wanted = {f"{mode.slug}-{count}" for mode in SYSTEM.modes for count in range(low, high + 1)}
    assert {path.stem for path in GOLDEN} == wanted
