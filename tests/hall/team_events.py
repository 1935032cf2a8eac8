"""Team events for tests: opened, put up by robots, played."""

from __future__ import annotations

import random
from typing import Any

from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.hall.rules.event_state import EventState, TeamMatch
from tests.hall.halls import ANNA, by_chance, state

USUAL = {"system": "tmg", "mode": "manual-scoring", "name": "Cup", "length": 3}
NAMES = ("Lions", "Wolves", "Stags", "Krakens", "Roses", "Suns", "Falcons", "Trouts", "Bears")


def opened(count: int = 2, size: int = 3, **settings: Any) -> str:
    """The code of an event with so many full teams who are all here."""
    seed = settings.pop("seed", "teams")
    event = event_actions.open_event(
        {
            "system": "tmg",
            "mode": "manual-scoring",
            "name": "Cup",
            "length": 3,
            "team_size": size,
            **settings,
        },
        ANNA,
        seed=seed,
    )
    for name in NAMES[:count]:
        commands.register_team(event.code, ANNA, name, [f"{name[:-1]} {n}" for n in range(1, size + 1)])
    commands.check_in_all(event.code, ANNA)
    return event.code


def begun(count: int = 2, size: int = 3, **settings: Any) -> str:
    """The same with its first round open."""
    code = opened(count, size, **settings)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def captain(code: str, team: str) -> Actor:
    """The captain of a team as who acts."""
    g = state(code)
    key = g.captain_of(team)
    return Actor(key, g.players[key].name, "player")


def match_of(code: str, at: int = 0) -> TeamMatch:
    """A team match of the newest round."""
    g = state(code)
    return g.matches_at(g.last.number)[at]


def answer(code: str, key: str, team: str, *players: str) -> None:
    """A captain answers the question that is open."""
    for player in players:
        commands.propose(code, captain(code, team), key, player)


def put_up_all(code: str, seed: int = 1) -> None:
    """Robots answer for all captains of the newest round."""
    chance = random.Random(seed)
    while waiting := [one for one in _matches(state(code)) if one.question]:
        match = waiting[0]
        team = match.waits_for[0]
        named = commands.sealed(Event.objects.get(code=code), match, team)
        answer(code, match.key, team, chance.choice([k for k in match.offers(team) if k not in named]))


def _matches(g: EventState) -> list[TeamMatch]:
    return g.matches_at(g.last.number)


def play_round(code: str, seed: int = 1) -> int:
    """Pair, open, put up and play a round to its end; its number."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    put_up_all(code, seed)
    return end_round(code, seed)


def end_round(code: str, seed: int = 1) -> int:
    """Play the open round to its end."""
    g, score = state(code), by_chance(seed)
    for pairing in g.at(g.last.number):
        if not pairing.is_decided:
            commands.enter_result(code, ANNA, pairing.key, score(g, pairing))
    commands.close_round(code, ANNA)
    return g.last.number
