"""A tournament of 32 players over five rounds, run by programs through the API alone.

Its standings are worked out twice more: with plain sums over the pairings that the API tells, and with the
points of another library.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from typing import Any

import pytest
from cardarena_tournament_core import Matchup, MatchupOutcome, Round, YuGiOh
from cardarena_tournament_core import Player as Other
from django.test import Client

from games.match import play
from games.models import Match
from games.web import limits
from tests.playing import Playing

pytestmark = pytest.mark.django_db

PLAYERS, ROUNDS = 32, 5


class Robot:
    """A program with a token."""

    def __init__(self, code: str, token: str) -> None:
        self.code, self.headers = code, {"Authorization": f"Bearer {token}"}

    def do(self, action: str, status: int = 200, **said: Any) -> dict[str, Any]:
        body = {"action": action, "key": play.new_key(), **said}
        answer = Client().post(
            f"/api/events/{self.code}/do", json.dumps(body), "application/json", headers=self.headers
        )
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def quick(monkeypatch):
    for limit in (limits.TAPS, limits.OPENINGS):
        monkeypatch.setattr(limit, "credit", 1e9)


def opened(**settings: Any) -> Robot:
    body = {"system": "tmg", "organiser": "Anna", "settings": {"name": "Winter Cup", **settings}}
    answer = Client().post("/api/events", json.dumps(body), "application/json")
    assert answer.status_code == 201, answer.content
    return Robot(answer.json()["code"], answer.json()["token"])


def look(code: str) -> dict[str, Any]:
    return Client().get(f"/api/events/{code}").json()


def test_a_tournament_of_thirty_two(quick):
    anna = opened(
        mode="manual-scoring", length=ROUNDS, criteria=["wins", "vp", "difference", "strength", "lot"]
    )
    players = {}
    for n in range(1, PLAYERS + 1):
        body = {"name": f"Player {n}", "club": f"Club {n % 7}", "key": play.new_key()}
        answer = (
            Client().post(f"/api/events/{anna.code}/players", json.dumps(body), "application/json").json()
        )
        players[answer["player"]] = Robot(anna.code, answer["token"])
    for key, robot in players.items():
        robot.do("check-in", player=key)
    luck = random.Random(32)
    for number in range(1, ROUNDS + 1):
        anna.do("pair")
        anna.do("open-round")
        anna.do("start-clock")
        tables = look(anna.code)["rounds"][-1]["pairings"]
        assert len(tables) == PLAYERS // 2
        for table in tables:
            if number == 1 and table["table"] <= 3:
                Playing(Match.objects.get(code=table["match"])).at_random(luck, 1000)
            else:
                agree(players, table, luck)
        anna.do("close-round")
    anna.do("finish")
    hall = look(anna.code)
    assert hall["status"] == "over"
    met = [frozenset(one["players"]) for each in hall["rounds"] for one in each["pairings"]]
    assert len(set(met)) == len(met) == ROUNDS * PLAYERS // 2
    ours = [line["player"] for line in hall["standings"]]
    assert ours == by_hand(hall)
    assert wins_of_another_library(hall) == {
        line["player"]: line["won"] * 3 + line["drawn"] for line in hall["standings"]
    }
    history = Client().get(f"/api/events/{anna.code}/history").json()["entries"]
    assert [one["version"] for one in history] == list(range(1, hall["version"] + 1))
    assert history[-1]["hash"] == hall["history"]


def agree(players: dict[str, Robot], table: dict[str, Any], luck: random.Random) -> None:
    """Both players report the same."""
    scores = {key: {"vp": luck.randint(0, 12), "destroyed": luck.randint(0, 40)} for key in table["players"]}
    for key in table["players"]:
        players[key].do("report", pairing=table["key"], player=key, scores=scores)


def by_hand(hall: dict[str, Any], *, by_destroyed: bool = False) -> list[str]:
    """The ranking with plain sums: by wins, victory points, difference, strength of schedule and lot.

    `by_destroyed`: points destroyed decide before the strength of schedule.
    """
    wins: dict[str, float] = defaultdict(float)
    points: dict[str, float] = defaultdict(float)
    difference: dict[str, float] = defaultdict(float)
    destroyed: dict[str, float] = defaultdict(float)
    rivals = defaultdict(list)
    for each in hall["rounds"]:
        for one in each["pairings"]:
            for own, other in (one["players"], reversed(one["players"])):
                vp, theirs = one["results"][own]["vp"], one["results"][other]["vp"]
                wins[own] += 1 if one["winner"] == own else 0.5 if not one["winner"] else 0
                points[own] += vp
                difference[own] += vp - theirs
                destroyed[own] += by_destroyed and one["results"][own]["destroyed"]
                rivals[own].append(other)
    lots = {line["player"]: line["values"]["lot"] for line in hall["standings"]}
    strength = {key: sum(wins[other] for other in rivals[key]) for key in rivals}
    return sorted(
        lots,
        key=lambda key: (
            *(-wins[key], -points[key], -difference[key], -destroyed[key], -strength[key]),
            lots[key],
        ),
    )


def wins_of_another_library(hall: dict[str, Any]) -> dict[str, int]:
    """Three points for a win and one for a draw, as `cardarena_tournament_core` counts them."""
    known = {player["key"]: Other(id=player["key"], name=player["name"]) for player in hall["players"]}
    rounds = []
    for each in hall["rounds"]:
        matchups = []
        for one in each["pairings"]:
            first, second = one["players"]
            outcome = {first: MatchupOutcome.PLAYER1_WINS, second: MatchupOutcome.PLAYER2_WINS}
            found = outcome.get(one["winner"], MatchupOutcome.DRAW)
            matchups.append(Matchup(player1=known[first], player2=known[second], outcome=found))
        rounds.append(Round(round_number=each["number"], matchups=matchups))
    return {line.player.id: line.points for line in YuGiOh().calculate(rounds)}
