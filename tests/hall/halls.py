"""Events for tests: opened, filled, played on by robots."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.core import RequestRefused
from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.hall.rules.event_state import EventState, Pairing, Player
from games.match import play as tables

ANNA = Actor("", "Anna", "organiser")

Score = Callable[[EventState, Pairing], dict[str, Any]]


def opened(players: int = 8, **settings: Any) -> str:
    """The code of an event with so many players who are all here."""
    seed = settings.pop("seed", "")
    event = event_actions.open_event(
        {"system": "tmg", "name": "Cup", "length": 3, **settings}, ANNA, seed=seed
    )
    if players:
        names = "\n".join(f"Player {n},Club {n % 5}" for n in range(1, players + 1))
        commands.import_table(event.code, ANNA, names)
    commands.check_in_all(event.code, ANNA)
    return event.code


def state(code: str) -> EventState:
    """The event as its rows are."""
    return event_actions.load_rows(Event.objects.get(code=code)).state


def gathering(players: int = 8, **fields: Any) -> EventState:
    """An event without rows."""
    g = EventState(**{"system": "tmg", "mode": "a-game-of-thrones", "seed": "seed", "name": "Cup", **fields})
    for n in range(1, players + 1):
        g.players[f"p{n}"] = Player(
            f"p{n}", n, f"Player {n}", f"Club {n % 5}", checked_in=True, lot=n * 7919 % 1000
        )
    return g


def scores(pairing: Pairing, *points: int, **more: Any) -> dict[str, Any]:
    """A result as somebody says it, the points in the order of the players."""
    return {"scores": {key: {"vp": vp} for key, vp in zip(pairing.players, points, strict=True)}, **more}


def by_chance(seed: int) -> Score:
    """Random results; at tables of several nobody has as much as another, which would ask for places."""
    chance = random.Random(seed)

    def score(g: EventState, pairing: Pairing) -> dict[str, Any]:
        if len(pairing.players) > 2:
            return scores(pairing, *chance.sample(range(13), len(pairing.players)))
        told = {
            key: {"vp": chance.randint(0, 12), "destroyed": chance.randint(0, 40)} for key in pairing.players
        }
        return {"scores": told}

    return score


def play_round(code: str, score: Score) -> int:
    """Pair, open and play a round to its end; its number."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = state(code)
    number = g.last.number
    for pairing in g.at(number):
        if not pairing.is_bye:
            commands.enter_result(code, ANNA, pairing.key, score(g, pairing))
    commands.close_round(code, ANNA)
    return number


def drawn() -> tuple[str, Pairing]:
    """A knock-out, and its first table, which ended in a draw in the app."""
    code = opened(4, kind="knock-out", mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one = next(state(code).at(1))
    end_level(one.match)
    event_actions.take_over_results(code)
    return code, one


def end_level(code: str) -> None:
    """A match ends in a draw."""

    def change(g: Any) -> None:
        for seat in g.seats:
            g.score(seat, 5, "points")
        g.result = {"winner": None, "how": "adjudication", "points": dict.fromkeys(g.seats, 5)}

    tables.edit(code, change, "Anna", "as played")


def refused(command: Callable[..., Any], *arguments: Any, **more: Any) -> RequestRefused:
    """How a command is refused."""
    with pytest.raises(RequestRefused) as told:
        command(*arguments, **more)
    return told.value


def first_table(code: str) -> Pairing:
    """The first table of the newest round."""
    g = state(code)
    return next(one for one in g.at(g.last.number) if not one.is_bye)


def begun(players: int = 4, **settings: Any) -> str:
    """The code of an event whose first round is open."""
    code = opened(players, mode="manual-scoring", **settings)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def end(code: str, *points: int) -> None:
    """A match ends with these points; the first seat has won."""

    def change(g: Any) -> None:
        for seat, vp in zip(g.seats, points, strict=True):
            g.score(seat, vp, "points")
        points_now = {seat: g.points(seat) for seat in g.seats}
        g.result = {"winner": g.seats[0], "how": "adjudication", "points": points_now}

    tables.edit(code, change, "Anna", "as played")
