"""Statistics as plain tables, for CSV files and JSON: keys and numbers, the same in every language."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.record.asked import Asked
from games.record.statistics import FEWEST, Quartiles, Statistics, Tally, rounded

FORMAT, FORMAT_VERSION = "roundtable-statistics", 1

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Plain:
    """A table: the names of its columns, and what makes its rows. An empty cell: too few matches to say."""

    columns: tuple[str, ...]
    rows: Callable[[Statistics], Iterable[Row]]


def _tally(tally: Tally) -> Row:
    low, high = tally.span or (None, None)
    shares = (_share(value) for value in (tally.rate, low, high))
    return (tally.matches, tally.wins, tally.draws, tally.losses, *shares)


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _quartiles(of: str) -> tuple[str, ...]:
    return tuple(f"{of}_{part}" for part in ("lower_quartile", "median", "upper_quartile"))


def _numbers(found: Quartiles) -> Row:
    return rounded(found.lower), rounded(found.median), rounded(found.upper)


TALLY = ("matches", "wins", "draws", "losses", "win_share", "win_share_low", "win_share_high")

TABLES = {
    "factions": Plain(
        ("faction", *TALLY), lambda s: ((key, *_tally(tally)) for key, tally in s.factions.items())
    ),
    "pairings": Plain(
        ("faction", "against", "matches", "wins", "losses"),
        lambda s: ((one.one, one.other, one.matches, one.wins, one.losses) for one in s.pairings),
    ),
    "modes": Plain(
        ("mode", "matches", *_quartiles("minutes"), "rounds_average"),
        lambda s: ((one.mode, one.matches, *_numbers(one.minutes), rounded(one.rounds)) for one in s.modes),
    ),
    "rounds": Plain(
        ("round", "matches", "points_average", "winners_average", "others_average"),
        lambda s: (
            (one.number, one.matches, rounded(one.everybody), rounded(one.winners), rounded(one.others))
            for one in s.rounds
        ),
    ),
    "first": Plain(TALLY, lambda s: (_tally(s.first),)),
    "tempo": Plain(
        ("matches", *_quartiles("minutes"), *_quartiles("entries"), *_quartiles("seconds_between")),
        lambda s: ((s.minutes.count, *_numbers(s.minutes), *_numbers(s.actions), *_numbers(s.seconds)),),
    ),
    "ends": Plain(("end", "matches"), lambda s: s.ends.items()),
}
"""Every table by its name."""


def csv_text(columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A table as CSV (RFC 4180)."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows(rows)
    return file.getvalue()


def as_json(asked: Asked, found: Statistics) -> dict[str, Any]:
    """All tables, what was asked for, and how many matches that is."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": asked.game,
        "mode": asked.mode or None,
        "faction": asked.faction or None,
        "since": asked.since.isoformat() if asked.since else None,
        "until": asked.until.isoformat() if asked.until else None,
        "finished_only": not asked.is_any,
        "matches": found.matches,
        "finished": found.finished,
        "fewest_for_a_share": FEWEST,
        "tables": {
            name: [dict(zip(table.columns, row, strict=True)) for row in table.rows(found)]
            for name, table in TABLES.items()
        },
    }
