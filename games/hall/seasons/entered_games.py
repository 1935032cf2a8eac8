"""Games of events whose result was entered or reported by hand, because their table did not reach its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from games.core import System, name_key
from games.hall.models import Pairing, Player, Round
from games.hall.rules.event_state import (
    ADJUDICATED,
    AGREED,
    ALL_LOST,
    CONCEDED,
    DRAFTED,
    ENTERED,
    FINISHED,
    TIME,
)
from games.models import Army
from games.translation import catalogue

PLAYED = (FINISHED, CONCEDED, TIME, ADJUDICATED, ALL_LOST)
"""How a game ended that two or more have played; byes and no-shows are not games."""


@dataclass(frozen=True)
class EnteredGame:
    """Who played what, which of the `sides` won (None: none of them), and how it ended.

    A side is its faction, in a game without factions its seat, "" if that is not known. `match` is the table
    that was opened for it, if it is there; `at` when anything last happened there, or at the event.
    """

    match: str | None
    mode: str
    at: datetime
    sides: tuple[str, ...]
    winner: int | None
    how: str


def decided_by_hand() -> QuerySet[Pairing]:
    """The decided games of public events whose table has not ended, or is gone."""
    public = Pairing.objects.filter(event__is_demo=False, event__is_listed=True, how__in=PLAYED)
    return public.filter(Q(match=None) | Q(match__finished_at=None), state__in=(AGREED, ENTERED)).order_by()


def entered_games(game: System) -> Iterator[EnteredGame]:
    """The games of all events of a game that were entered by hand."""
    at = Coalesce("match__changed_at", "event__changed_at")
    names = ("event", "round", "players", "seats", "match", "winner", "how")
    rows = list(decided_by_hand().filter(event__system=game.slug).values_list(*names, at))
    events = {row[0] for row in rows}
    modes = {
        (event, number): mode
        for event, number, mode in Round.objects.filter(event__in=events)
        .exclude(state=DRAFTED)
        .values_list("event", "number", "mode")
    }
    factions = _factions(game, events, {row[4] for row in rows if row[4]}) if game.factions else {}
    for event, number, players, seats, match, winner, how, moment in rows:
        seated = zip(players, seats, strict=False)
        sides = tuple(
            factions.get((match, seat)) or factions.get((event, key), "") if game.factions else seat
            for key, seat in seated
        )
        place = players.index(winner) if winner in players else None
        yield EnteredGame(match, modes.get((event, number), ""), moment, sides, place, how)


def _factions(game: System, events: set[int], matches: set[str]) -> dict[tuple[object, str], str]:
    """The factions of armies by match and seat, and those of players by event and key."""
    factions: dict[tuple[object, str], str] = defaultdict(str)
    armies = Army.objects.filter(match__code__in=matches).exclude(faction="")
    factions.update(
        {(code, seat): key for code, seat, key in armies.values_list("match__code", "key", "faction")}
    )
    by_name = _named(game.slug, tuple(game.factions.items()))
    people = Player.objects.filter(event__in=events).exclude(faction="")
    for event, key, faction in people.values_list("event", "key", "faction"):
        factions[event, key] = by_name.get(name_key(faction), faction)
    return factions


@lru_cache(maxsize=16)
def _named(slug: str, factions: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The factions of a game by their keys and their names in every language."""
    by_name = {name_key(key): key for key, _title in factions}
    for language, _name in settings.LANGUAGES:
        words = catalogue(language, slug)
        by_name |= {name_key(words.gettext(title)): key for key, title in factions}
    return by_name
