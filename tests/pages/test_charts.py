"""Drawings of numbers, round by round: everything inside the frame, and said as a table too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pictures import charts
from tests.pages import gallery

gallery.configure()

NUMBERS = st.integers(min_value=-40, max_value=2000)


def chart_of(rows: list[list[int]], draw=charts.lines) -> charts.Chart:  # type: ignore[no-untyped-def]
    spans = [charts.Span(f"Round {n}", str(n)) for n in range(len(rows))]
    series = [
        charts.Series(mark, f"P{mark}", tuple(row[mark - 1] for row in rows))
        for mark in range(1, len(rows[0]) + 1)
    ]
    return draw(charts.About("points", "Points", "all of them", "Turn"), spans, series)


@pytest.mark.parametrize("draw", [charts.lines, charts.columns])
@given(
    st.integers(1, 6).flatmap(
        lambda seats: st.lists(st.lists(NUMBERS, min_size=seats, max_size=seats), min_size=1, max_size=14)
    )
)
def test_everything_stands_inside_the_frame(draw, rows):  # type: ignore[no-untyped-def]
    chart = chart_of(rows, draw)
    for mark in chart.marks:
        assert 0 <= mark.x <= chart.width - charts.MARK
        assert 0 <= mark.y <= chart.height - charts.MARK
    assert len({tick.label for tick in chart.upwards}) == len(chart.upwards) <= 7
    assert len(chart.across) <= 10
    assert len(chart.marks) == len(rows) * len(rows[0])


def test_a_higher_number_stands_higher():
    chart = chart_of([[0], [4], [2]])
    heights = [mark.y for mark in chart.marks]
    assert heights[1] < heights[2] < heights[0]


def test_a_drawing_says_its_numbers_as_a_table_too():
    source = gallery.draw("parts/chart.html", {"chart": chart_of([[1, 2], [3, 5]])})
    assert re.findall(r"<td>(\d+)</td>", source) == ["1", "2", "3", "5"]
    assert '<th scope="col">Turn</th>' in source
    assert "<title" in source
    assert "<desc" in source
    assert source.count('href="#s1"') == 3, "two points and the head of the column"


def test_a_name_in_a_drawing_stays_words():
    name = "</desc><script>alert(1)</script>"
    series = [charts.Series(1, name, (1,))]
    chart = charts.lines(charts.About("points", name, name, name), [charts.Span(name, "1")], series)
    assert "<script" not in gallery.draw("parts/chart.html", {"chart": chart})
