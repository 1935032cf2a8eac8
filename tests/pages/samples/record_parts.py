"""What is kept of a match, with sample values: its score card."""

from __future__ import annotations

from games.pages.records.score_card import Confirmation, ScorePage, ScoreRound
from games.pictures import charts
from tests.pages.samples.pieces import AT, BACK, BLUE, RED, scores

PLAYERS = (("red", RED, "Anna"), ("blue", BLUE, "Ben"))


def score_card() -> ScorePage:
    """Two rounds: one that both have confirmed, one that this phone is asked for."""
    spans = [charts.Span("Round 1", "1"), charts.Span("Round 2", "2")]
    series = [charts.Series(RED, "Anna", (2, 5)), charts.Series(BLUE, "Ben", (1, 4))]
    agreed = tuple(Confirmation(key, mark, name, "2", "2", True) for key, mark, name in PLAYERS)
    open_one = (
        Confirmation("red", RED, "Anna", "3", "5", key="n0nce7Qw-2-red"),
        Confirmation("blue", BLUE, "Ben", "3", "4"),
    )
    return ScorePage(
        "A Game of Thrones",
        "K7QWXM",
        BACK,
        f"{AT}/score",
        f"{AT}/print",
        scores(),
        (
            ScoreRound(1, "Round 1", agreed, ("Anna +2: controls an objective",), "0" * 16, True),
            ScoreRound(2, "Round 2", open_one, (), "1" * 16),
        ),
        "Round",
        (charts.lines(charts.About("points", "Score", "Anna 5, Ben 4", "Round"), spans, series),),
        (charts.ChartRow("Units destroyed", ("1", "3")),),
        "93 minutes in all",
    )
