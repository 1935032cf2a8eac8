"""The score on the board, round by round."""

import pytest

from games.match import play
from games.models import Match
from games.pages.table.loaded import Table

pytestmark = pytest.mark.django_db


def test_a_round_adds_up_what_a_side_was_given_in_it():
    match = play.open_match("rps", "plain", {"red": "", "blue": ""})

    def give(g) -> None:
        for seat, points in (("red", 2), ("blue", 1), ("red", 3)):
            g.score(seat, points, "a gift")
        g.round += 1
        g.score("blue", 4, "a gift")

    play.edit(match.code, give, "Olenna", "a gift")
    lines = Table(Match.objects.get(pk=match.pk)).page.score_table().lines
    assert [line.points for line in lines] == [("5", "1"), ("0", "4")]
    assert [len(line.reasons) for line in lines] == [2, 1]


def test_what_was_lost_has_the_same_minus_everywhere():
    match = play.open_match("rps", "plain", {"red": "", "blue": ""})
    play.edit(match.code, lambda g: g.score("red", -2, "a loss"), "Olenna", "a loss")
    shown = Table(Match.objects.get(pk=match.pk)).page.score_table()
    (line,) = shown.lines
    assert [line.points, shown.total] == [("\N{MINUS SIGN}2", "0")] * 2
    assert "\N{MINUS SIGN}2" in line.reasons[0]
