"""Whole matches as they read at the table, of every mode and every variant."""

from pathlib import Path

from games.systems.tmg import SYSTEM
from games.systems.tmg.tests import tables  # noqa: F401
from tests.retelling import assert_same_today, golden, last_position


@golden(__file__)
def test_a_golden_match_reads_the_same_today(path):
    assert_same_today(path)


@golden(__file__)
def test_a_golden_match_is_whole(path):
    assert last_position(path).result is not None


def test_there_is_a_golden_match_of_every_mode_and_of_every_variant():
    paths = Path(__file__).parent.glob("golden/*.txt")
    headings = [path.read_text(encoding="utf-8").splitlines()[0].split() for path in paths]
    assert {heading[2] for heading in headings} == {f"mode={mode.slug}" for mode in SYSTEM.modes}
    for variant in SYSTEM.variants:
        settings = {f"{name}={value}" for name, value in variant.items()}
        assert any(settings <= set(heading) for heading in headings)
