"""Matches made as rows, whose numbers are known: thousands of them in seconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from games.core import system
from games.models import Army, Match, Round, Score

START = datetime(2026, 5, 1, 18, 0, tzinfo=UTC)
_CODES = count(1)


@dataclass(frozen=True)
class Played:
    """A match: who played what, who won (None: a draw), how, how long, and the points by round and side.

    `minutes` is None for a match that goes on.
    """

    factions: tuple[str, ...] = ("stark", "freefolk")
    winner: str | None = "red"
    how: str = "points"
    mode: str = "a-game-of-thrones"
    minutes: int | None = 90
    actions: int = 100
    first: str | None = "red"
    points: tuple[tuple[int, ...], ...] = ((1, 0), (2, 1))
    game: str = "tmg"
    day: int = 0
    more: dict[str, Any] = field(default_factory=dict)


def write(played: Iterable[Played], rules: dict[str, Any] | None = None) -> list[Match]:
    """These matches as rows."""
    told = list(played)
    if not told:
        return []
    matches = Match.objects.bulk_create([_match(one, rules or {}) for one in told])
    keys = [match.pk for match in matches]
    Match.objects.filter(pk__gte=keys[0], pk__lte=keys[-1]).update(created_at=START - timedelta(minutes=30))
    armies = Army.objects.bulk_create(
        [army for pair in zip(matches, told, strict=True) for army in _armies(*pair)]
    )
    seated = {(army.match_id, army.key): army for army in armies}
    Round.objects.bulk_create(
        [one for pair in zip(matches, told, strict=True) for one in _rounds(*pair, seated)]
    )
    Score.objects.bulk_create(
        [one for pair in zip(matches, told, strict=True) for one in _scores(*pair, seated)]
    )
    return matches


def _match(one: Played, rules: dict[str, Any]) -> Match:
    over = one.minutes is not None
    result = {"winner": one.winner, "how": one.how, "points": {}} if over else None
    return Match(
        code=f"Q{next(_CODES):07}",
        system=one.game,
        mode=one.mode,
        rules=rules,
        round=len(one.points),
        version=one.actions,
        since=1,
        seed="seed",
        result=result,
        finished_at=_at(one) + timedelta(minutes=one.minutes) if one.minutes is not None else None,
        **one.more,
    )


def _at(one: Played) -> datetime:
    return START + timedelta(days=one.day)


def _seats(one: Played) -> list[str]:
    return list(system(one.game).seat_names)[: len(one.factions)]


def _armies(match: Match, one: Played) -> list[Army]:
    pairs = zip(_seats(one), one.factions, strict=True)
    return [Army(match=match, key=key, faction=faction, name=f"Person {key}") for key, faction in pairs]


def _rounds(match: Match, one: Played, seated: dict[Any, Army]) -> list[Round]:
    first = seated.get((match.pk, one.first))
    begun = [(number, _at(one) + timedelta(minutes=number - 1)) for number in range(1, len(one.points) + 1)]
    return [Round(match=match, number=number, first=first, begun_at=at) for number, at in begun]


def _scores(match: Match, one: Played, seated: dict[Any, Army]) -> list[Score]:
    given = [
        (number, seat, points)
        for number, line in enumerate(one.points, 1)
        for seat, points in zip(_seats(one), line, strict=True)
    ]
    return [
        Score(match=match, army=seated[match.pk, seat], number=at, round=number, points=points, reason="R")
        for at, (number, seat, points) in enumerate(given, 1)
    ]
