"""Programs run and play a whole event by the API alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client

from games.match.play import new_key
from games.web import limits
from tests.api.robots import Caller, chosen
from tests.hall.places import do, phone

pytestmark = pytest.mark.django_db


def answered(caller: Caller, address: str, status: int = 200, /, **body: Any) -> Any:
    """What a call answers, not slowed down by the ones before it."""
    for limit in (limits.TAPS, limits.OPENINGS, limits.REGISTRATIONS):
        limit.forget()
    answer = caller.post(address, body)
    assert answer.status_code == status, answer.content
    return answer.json()


def eight(client: Client, **settings: Any) -> tuple[str, Caller, dict[str, Caller]]:
    """An event with eight players who are here: its code, its organiser, its players."""
    guest = Caller(client)
    wanted = {"name": "Robots", "length": 2, **settings}
    event = answered(guest, "events", 201, system="rps", settings=wanted)
    address, organiser = f"events/{event['code']}", Caller(client, event["token"])
    players = {}
    for number in range(8):
        made = answered(guest, f"{address}/players", 201, name=f"Robot {number}", key=new_key())
        players[made["player"]] = Caller(client, made["token"])
    answered(organiser, f"{address}/do", action="check-in-all", key=new_key())
    return address, organiser, players


def test_eight_robots_play_a_whole_event(client: Client) -> None:
    address, organiser, players = eight(client)
    luck = random.Random(1)

    def command(action: str) -> None:
        answered(organiser, f"{address}/do", action=action, key=new_key())

    for _round in range(2):
        command("pair")
        command("open-round")
        tables: dict[str, dict[str, Caller]] = {}
        for player in players.values():
            seat = answered(player, f"{address}/seat")
            assert answered(player, f"{address}/seat") == seat, "asked again, it is the same seat"
            tables.setdefault(seat["match"], {})[seat["seat"]] = Caller(client, seat["token"])
        for match, seated in tables.items():
            while (position := Caller(client).get(f"matches/{match}").json())["result"] is None:
                seat = luck.choice(position["to_act"])
                seen = seated[seat].get(f"matches/{match}").json()
                tap = {"action": chosen(seen["offers"], luck), "seen": seen["version"], "key": new_key()}
                answered(seated[seat], f"matches/{match}/act", **tap)
        command("close-round")
    command("finish")
    event = organiser.get(address).json()
    assert event["status"] == "over"
    results = [one for found in event["rounds"] for one in found["pairings"]]
    assert [one["state"] for one in results] == ["agreed"] * 8
    assert sum(line["won"] + line["drawn"] + line["lost"] for line in event["standings"]) == 16
    rivals = [frozenset(one["players"]) for one in results]
    assert len(set(rivals)) == 8, "nobody meets twice"


def test_a_seat_is_for_its_player_alone_and_not_while_a_phone_holds_it(client: Client) -> None:
    address, organiser, players = eight(client)
    key, caller = next(iter(players.items()))
    assert answered(caller, f"{address}/seat", 409)["error"] == "no_table"
    assert answered(organiser, f"{address}/seat", 401)["error"] == "no_token"
    for action in ("pair", "open-round"):
        answered(organiser, f"{address}/do", action=action, key=new_key())
    code = address.rpartition("/")[2]
    do(phone(code, key), code, "sit")
    assert answered(caller, f"{address}/seat", 409)["error"] == "seat_taken"
