"""The ratings of a game's players over the rated events of this server, worked out anew from their results.

Nothing of it is stored. Only games between two who agree count, so nobody else is rated at all. The same name
is the same person (`season_standings.person_keys`); what they have said last counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from games.hall.models import Event, Pairing, Player
from games.hall.rules.event_state import AGREED, ALL_LOST, ENTERED, OVER
from games.hall.seasons.entered_games import PLAYED
from games.hall.seasons.glicko import START, Rating, after_period
from games.hall.seasons.season_standings import ended_at, person_keys
from games.history.position_rows import Kept

Person = tuple[str, str]
FEWEST = 6
"""From fewer games than this, a rating says little: its player is listed below, without a place."""


@dataclass(frozen=True)
class Game:
    """A game of two in a month (counted since the year 0): 1 if the first has won, ½ for a draw, 0."""

    month: int
    first: Person
    second: Person
    score: float


@dataclass(frozen=True)
class Rated:
    """A person with their rating, what they played, and their place; None with too few games."""

    name: str
    club: str
    rating: Rating
    won: int
    drawn: int
    lost: int
    rank: int | None = None

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


def all_rated() -> QuerySet[Event]:
    """The events whose results count for ratings."""
    return Event.objects.filter(is_rated=True, is_demo=False, status=OVER).order_by("pk")


def rated_events(game: str) -> list[Event]:
    """Those of one game."""
    return list(all_rated().filter(system=game))


def ratings(game: str) -> tuple[Rated, ...]:
    """Everybody who is rated in a game, in order; worked out anew once any event has changed."""
    mark = tuple(Event.objects.order_by("pk").values_list("pk", "version", "chain"))
    return RATINGS.get(game, mark, lambda: _worked_out(game))


RATINGS: Kept[tuple[Rated, ...]] = Kept(16)


def after(games: Iterable[Game]) -> dict[Person, Rating]:
    """Everybody's rating after these games, a month a period; who plays in none of it is known less well."""
    by_month: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        by_month[game.month].append(game)
    by_person: dict[Person, Rating] = {}
    for month in range(min(by_month, default=1), max(by_month, default=0) + 1):
        before, met = dict(by_person), defaultdict(list)
        for game in by_month[month]:
            met[game.first].append((before.get(game.second, START), game.score))
            met[game.second].append((before.get(game.first, START), 1 - game.score))
        for person in {**before, **met}:
            by_person[person] = after_period(before.get(person, START), met[person])
    return by_person


def _worked_out(game: str) -> tuple[Rated, ...]:
    events = rated_events(game)
    people, named = _people(events)
    games = list(_games(events, people, willing()))
    scores: Counter[tuple[Person, float]] = Counter((game.first, game.score) for game in games)
    scores.update((game.second, 1 - game.score) for game in games)
    rows = [
        Rated(*named[person], rating, *(scores[person, score] for score in (1, 0.5, 0)))
        for person, rating in after(games).items()
    ]
    rows.sort(key=lambda row: (row.games < FEWEST, -row.rating.value, row.name))
    return tuple(replace(row, rank=at if row.games >= FEWEST else None) for at, row in enumerate(rows, 1))


def willing() -> set[Person]:
    """Who agrees that ratings name them: of all that a person has said at any event, the last word counts."""
    said: dict[Person, int] = defaultdict(int)
    withdrawn: dict[Person, int] = defaultdict(int)
    spoke = Player.objects.exclude(agreed_at=None, withdrew_at=None)
    rows = list(spoke.values_list("event", "key", "agreed_at", "withdrew_at"))
    people, _named = _people(Event.objects.filter(pk__in={event for event, *_said in rows}))
    for event, key, agreed, withdrew in rows:
        person = people[event, key]
        said[person] = max(said[person], agreed or 0)
        withdrawn[person] = max(withdrawn[person], withdrew or 0)
    return {person for person, moment in said.items() if moment > withdrawn[person]}


def _people(events: Iterable[Event]) -> tuple[dict[tuple[int, str], Person], dict[Person, tuple[str, str]]]:
    """The person behind each player of these events, and what each person was called last."""
    rows: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    entered = Player.objects.filter(event__in=events).order_by("event", "pk")
    for event, key, name, club in entered.values_list("event", "key", "name", "club"):
        rows[event].append((key, name, club))
    people: dict[tuple[int, str], Person] = {}
    named: dict[Person, tuple[str, str]] = {}
    for event, players in rows.items():
        keys = person_keys(players)
        for key, name, club in players:
            people[event, key] = keys[key]
            named[keys[key]] = name, club
    return people, named


def _games(events: list[Event], people: dict[tuple[int, str], Person], agreed: set[Person]) -> Iterator[Game]:
    """The games of two who agree. Byes, no-shows and games that everybody lost say nothing of anybody."""
    months = {event: _month(moment) for event, moment in ended_at(events).items()}
    opened = {rated_event.pk: _month(rated_event.created_at) for rated_event in events}
    decided = Pairing.objects.filter(event__in=events, state__in=(AGREED, ENTERED), how__in=PLAYED).exclude(
        how=ALL_LOST
    )
    for event, players, winner in decided.order_by("event", "pk").values_list("event", "players", "winner"):
        met = [people[event, key] for key in players if (event, key) in people]
        if len(players) == len(met) == 2 and met[0] != met[1] and agreed.issuperset(met):
            score = 0.5 if not winner else float(winner == players[0])
            yield Game(months.get(event, opened[event]), met[0], met[1], score)


def _month(moment: datetime) -> int:
    at_home = timezone.localtime(moment)
    return 12 * at_home.year + at_home.month
