"""What is counted, told in words and drawings: every row is reached, and no figure looks odd."""

from __future__ import annotations

from itertools import combinations

import pytest

from games import statistics
from games.core import system
from games.pages.records import stat_pages
from games.pages.records.stat_pages import MOST_PAIRS, StatisticsInWords
from games.statistics import Asked, count
from tests.records.many import Played, write

pytestmark = pytest.mark.django_db


def told(*played: Played) -> StatisticsInWords:
    write(played)
    return StatisticsInWords(system("tmg"), count(Asked("tmg")), dict.fromkeys(statistics.TABLES, "/file"))


def test_pairings_beyond_the_most_wait_folded():
    pairs = list(combinations(sorted(system("tmg").factions), 2))[: MOST_PAIRS + 2]
    table = told(*(Played(pair) for pair in pairs)).pairings()
    assert (len(table.rows), len(table.rest)) == (MOST_PAIRS, 2)
    assert len({row.label for row in (*table.rows, *table.rest)}) == len(pairs)


def test_lengths_are_drawn_from_the_shortest_on_and_the_longest_share_a_column():
    minutes = [61] * 20 + [75] * 18 + [600] * 2
    chart = told(*(Played(minutes=each) for each in minutes)).histogram("Length")
    assert chart is not None
    assert [(row.label, *row.values) for row in chart.rows] == [
        ("60", "20"),
        ("65", "0"),
        ("70", "0"),
        ("75", "18"),
        ("80", "2"),
    ]


def test_matches_that_took_equally_long_are_one_column():
    chart = told(*(Played(minutes=90) for _match in range(10))).histogram("Length")
    assert chart is not None
    assert [(row.label, *row.values) for row in chart.rows] == [("90", "10"), ("95", "0")]


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.04, "0.0"), (-0.06, "-0.1"), (9.96, "10.0"), (54.4, "54"), (1234.0, "1,234"), (7, "7"), (None, "–")],
)
def test_numbers_as_they_are_read(value, text):
    assert stat_pages._number(value) == text
