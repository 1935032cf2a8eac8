"""A season: events added up by its scale. Everything follows from the standings of its events.

The same name at several events is the same person, in capitals or not; two of one name at one event are told
apart by their clubs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.core import Unreadable, name_key, say
from games.core import gettext_noop as _
from games.hall.event_actions import mark_of, position_of
from games.hall.models import Event, EventEntry, Season
from games.hall.rules.event_state import OVER, EventState
from games.hall.rules.standings import Standing, standings
from games.history.position_rows import Kept

MOST_PLACES, MOST_POINTS, MOST_BEST = 100, 9999, 99
"""What a scale may say at most."""
NO_POINTS = _("Write the points by place as whole numbers from 0 to 9999, the winner’s first, at most 100.")


@dataclass(frozen=True)
class Scale:
    """Points by place, points for taking part, and how many events count at most (0: all)."""

    points: tuple[int, ...]
    participation: int = 0
    best: int = 0

    def worth(self, place: int) -> int:
        """What a place at an event is worth."""
        return self.participation + (self.points[place - 1] if place <= len(self.points) else 0)


@dataclass(frozen=True)
class Taken:
    """What somebody got from one event, and whether it is among the events that count for them."""

    event: str
    place: int
    points: int
    counts: bool = True


@dataclass(frozen=True)
class Line:
    """One person in a season: their events in its order, and the games won, drawn and lost there."""

    rank: int
    name: str
    club: str
    total: int
    taken: tuple[Taken, ...]
    record: tuple[int, int, int]


def person_keys(people: Iterable[tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    """Of the players of one event, as key, name and club: the person that each of them is."""
    people = list(people)
    often = Counter(name_key(name) for _key, name, _club in people)
    return {
        key: (name_key(name), name_key(club) if often[name_key(name)] > 1 else "")
        for key, name, club in people
    }


def placed(g: EventState) -> Iterator[Standing]:
    """The standings of an event that is over, without those who had no game there and no bye."""
    return (line for line in standings(g) if line.won + line.drawn + line.lost + line.byes)


def added_up(scale: Scale, events: Mapping[str, EventState]) -> tuple[Line, ...]:
    """The standings of a season over these events by code; only those that are over count."""
    taken: dict[tuple[str, str], list[Taken]] = {}
    named: dict[tuple[str, str], tuple[str, str]] = {}
    records: dict[tuple[str, str], tuple[int, int, int]] = {}
    for code, g in events.items():
        if g.status != OVER:
            continue
        people = person_keys((player.key, player.name, player.club) for player in g.players.values())
        for line in placed(g):
            person = people[line.player]
            named[person] = g.players[line.player].name, g.players[line.player].club
            taken.setdefault(person, []).append(Taken(code, line.rank, scale.worth(line.rank)))
            won, drawn, lost = records.get(person, (0, 0, 0))
            records[person] = won + line.won, drawn + line.drawn, lost + line.lost
    counted = [(person, _counted(scale, each)) for person, each in taken.items()]
    order = sorted(counted, key=lambda scored: (_worth(scored[1]), named[scored[0]]))
    lines: list[Line] = []
    for at, (person, each) in enumerate(order):
        is_tied = at > 0 and _worth(each) == _worth(order[at - 1][1])
        rank = lines[-1].rank if is_tied else at + 1
        lines.append(Line(rank, *named[person], -_worth(each)[0], each, records[person]))
    return tuple(lines)


def _counted(scale: Scale, each: Sequence[Taken]) -> tuple[Taken, ...]:
    """The same, each knowing whether it is among the best that count."""
    best = sorted(range(len(each)), key=lambda at: (-each[at].points, each[at].place, at))
    counts = set(best[: scale.best or len(each)])
    return tuple(
        Taken(result.event, result.place, result.points, counts=at in counts)
        for at, result in enumerate(each)
    )


def _worth(each: Sequence[Taken]) -> tuple[int, list[int]]:
    """What a season is ranked by, the best first: the total, then the better places that count."""
    counted = [result for result in each if result.counts]
    return -sum(result.points for result in counted), sorted(result.place for result in counted)


# --- the season's row ------------------------------------------------------------------------------


LINES: Kept[tuple[Line, ...]] = Kept(32)


def scale_of(season: Season) -> Scale:
    return Scale(tuple(season.points), season.participation, season.best)


def events_of(season: Season) -> list[Event]:
    """The events of a season in the order in which they ended; those that go on come last."""
    events = list(season.events.order_by("created_at", "pk"))
    ended = ended_at(events)
    return sorted(events, key=lambda event: (event.pk not in ended, ended.get(event.pk, event.created_at)))


def ended_at(events: Iterable[Event]) -> dict[int, datetime]:
    """When these events ended, by primary key; those that are not over are left out."""
    over = [event.pk for event in events if event.status == OVER]
    ends = EventEntry.objects.filter(event__in=over, action="finish", undone_by=None).order_by("version")
    return dict(ends.values_list("event", "created_at"))


def lines_of(season: Season, events: Sequence[Event]) -> tuple[Line, ...]:
    """The standings of a season; worked out anew as soon as an event or the scale has changed."""
    scale = scale_of(season)
    mark = scale, tuple((event.pk, *mark_of(event)) for event in events)
    return LINES.get(
        season.pk, mark, lambda: added_up(scale, {event.code: position_of(event) for event in events})
    )


def points_in(text: str) -> list[int]:
    """Points by place as somebody has typed them. Raises `Unreadable`."""
    typed = text.replace(",", " ").replace("，", " ").replace(";", " ").split()
    is_sound = all(
        digits.isascii() and digits.isdigit() and len(digits) < 7 and int(digits) <= MOST_POINTS
        for digits in typed
    )
    if not is_sound or not 0 < len(typed) <= MOST_PLACES:
        raise Unreadable(say(NO_POINTS))
    points = [int(digits) for digits in typed]
    if points != sorted(points, reverse=True):
        raise Unreadable(say(_("A better place cannot be worth fewer points.")))
    return points
