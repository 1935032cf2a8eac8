"""What is kept of a match: on a sheet of paper, played again, and counted."""

from __future__ import annotations

from games import view_models
from games.pages.records import history_pages, score_card, stat_pages
from games.pictures import charts
from games.pictures.charts import course
from tests.pages.samples.boards import board_ask, board_watch
from tests.pages.samples.pieces import AT, BACK, BLUE, RED

SHARE = view_models.Share(
    "Anna 5 – Ben 4",
    "A Game of Thrones · Round 3 of 6",
    f"https://roundtable.example{AT}/",
    f"https://roundtable.example{AT}/score.png?v=57",
    "Anna 5 – Ben 4 · Round 3 of 6",
)


def paper() -> score_card.PrintPage:
    """A table on a sheet of paper."""
    return score_card.PrintPage(
        "A Game of Thrones",
        "K7QWXM",
        BACK,
        board_ask(),
        "Waiting for Anna",
        "2026-11-21 14:30 UTC",
        f"https://roundtable.example{AT}/",
        2,
    )


def moment() -> history_pages.Moment:
    """An entry in the middle of a match that was taken back later."""
    return history_pages.Moment(
        57,
        "Round 3 of 6 · 57/171",
        "Anna",
        RED,
        ("Crannogman Trackers activate.", "They claim East."),
        "Undone later",
        "Waiting for Ben",
        BLUE,
        "Round 3 of 6, entry 57 of 171. Crannogman Trackers activate. They claim East.",
        history_pages.Way("First", "first-of", 1, f"{AT}/replay/1"),
        history_pages.Way("Back", "back-one", 56, f"{AT}/replay/56"),
        history_pages.Way("Onward", "on-one", 58, f"{AT}/replay/58"),
        history_pages.Way("Last", "last-of"),
        f"https://roundtable.example{AT}/replay/57",
        f"{AT}/replay/57/practice",
        "Starts before anything was sealed.",
    )


def replayed(icons: str) -> history_pages.ReplayPage:
    """A match from its opening to its end, at a moment in between."""
    points = [(0, 0)] * 30 + [(2, 1)] * 40 + [(5, 4)] * 101
    by = (
        view_models.Option("entry", "Every entry", True),
        view_models.Option("round", "Round"),
        view_models.Option("red", "Anna"),
    )
    return history_pages.ReplayPage(
        "A Game of Thrones",
        "K7QWXM",
        BACK,
        f"{AT}/replay",
        171,
        board_watch(),
        moment(),
        course("Anna 5, Ben 4", (RED, BLUE), points, [(20, "1"), (60, "2"), (110, "3")]),
        (
            history_pages.Select("by", "Step size", by),
            history_pages.Select("speed", "Speed", (view_models.Option("1200", "1×", True),)),
        ),
        False,
        True,
        (view_models.Link(f"{AT}/replay/57", "What Anna saw", current=True),),
        (("view", "everybody"),),
        "n0nce7Qw",
        icons,
    )


def statistics() -> stat_pages.StatisticsPage:
    """Counted matches: figures, a table with bars, one with a drawing, a form with something wrong in it."""
    spans = [charts.Span("Round 1", "1"), charts.Span("Round 2", "2")]
    series = [charts.Series(4, "Winners", (2.5, 1.9)), charts.Series(6, "Others", (1.2, 1.4))]
    lines = charts.lines(charts.About("rounds", "Points by round", "On average", "Round"), spans, series)
    wins = (
        stat_pages.StatRow("Stark", ("24", "12–2–10", "54%"), stat_pages.Bar(54.2, 35.1, 72.1, 50.0)),
        stat_pages.StatRow("Free Folk", ("4", "1–0–3", "–")),
    )
    points = (
        stat_pages.StatRow("Round 1", ("24", "2.5", "1.2")),
        stat_pages.StatRow("Round 2", ("20", "1.9", "1.4")),
    )
    return stat_pages.StatisticsPage(
        "A Game of Thrones",
        view_models.Link("/stats", "Statistics"),
        "Counted from public tables.",
        (
            stat_pages.Figure("24", "matches"),
            stat_pages.Figure("93", "minutes, the median", "half of them took 80 to 105"),
        ),
        (
            stat_pages.StatTable(
                "factions",
                "Who wins",
                "A draw counts half.",
                ((0, "Faction"), (0, "Matches"), (0, "Won–drawn–lost"), (0, "Win rate")),
                wins[:1],
                "/stats/game/factions.csv",
                wins[1:],
            ),
            stat_pages.StatTable(
                "rounds",
                "Points by round",
                "",
                ((0, "Round"), (0, "Matches"), (4, "Winners"), (6, "Others")),
                points,
                "/stats/game/rounds.csv",
                chart=lines,
            ),
        ),
        (
            stat_pages.StatField("mode", "Mode", options=(view_models.Option("", "All modes", True),)),
            stat_pages.StatField("since", "From", "x", error="Please enter a date."),
        ),
        "/stats/game",
        "/stats/game.json",
        "4 matches: too few to tell",
        is_narrow=True,
        errors=("Please enter a date.",),
    )
