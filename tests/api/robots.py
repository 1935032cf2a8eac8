"""Robots that know nothing but the API: they open a match, look, and tap what is offered."""

from __future__ import annotations

import json
import random
from itertools import count


class Caller:
    """Somebody who calls the API: a seat with its token, or a spectator without one."""

    def __init__(self, client, token="", language="en"):
        self.client = client
        self.headers = {"Accept-Language": language}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path, **headers):
        return self.client.get(f"/api/{path}", headers={**self.headers, **headers})

    def post(self, path, body, **headers):
        return self.send(path, json.dumps(body), **headers)

    def send(self, path, raw, content_type="application/json", **headers):
        """A body as it is, bytes or text."""
        return self.client.generic(
            "POST", f"/api/{path}", raw, content_type=content_type, headers={**self.headers, **headers}
        )


_numbers = count(1)


def fresh_key():
    """A key that no robot has used."""
    return f"key-{next(_numbers):06}"


class Table:
    """A match opened over the API with a caller for each seat and one who watches."""

    def __init__(self, client, system="rps", mode="plain", seats=2, **opening):
        players = [{"name": name} for name in NAMES[:seats]]
        body = {"system": system, "mode": mode, "seats": players, **opening}
        answer = Caller(client).post("matches", body)
        assert answer.status_code == 201, answer.content
        opened = answer.json()
        self.code = opened["code"]
        self.opened = opened
        self.seats = {one["seat"]: Caller(client, one["token"]) for one in opened["seats"]}
        self.watcher = Caller(client)

    def look(self, seat=None):
        """The position as a seat (None: the watcher) sees it."""
        caller = self.seats[seat] if seat else self.watcher
        answer = caller.get(f"matches/{self.code}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def do(self, seat, action, body):
        """An action of a seat: the answer whatever it is."""
        return self.seats[seat].post(f"matches/{self.code}/{action}", {"key": fresh_key(), **body})

    def tap(self, seat, action, **more):
        """A tap at the newest version."""
        return self.do(seat, "act", {"action": action, "seen": self.look()["version"], **more})

    def play_on(self, luck, taps=10_000):
        """Tap at random what is offered until the match is over, or this often; answers the last look."""
        position = self.look()
        for _tap in range(taps):
            if position["result"] is not None:
                break
            position = self.tap_at_random(position, luck)
        return position

    def tap_at_random(self, position, luck):
        """One tap of a seat that is asked; `position` may be its own look already."""
        seat = luck.choice(position["to_act"])
        seen = position if position["seat"] == seat else self.look(seat)
        answer = self.do(seat, "act", {"action": chosen(seen["offers"], luck), "seen": seen["version"]})
        assert answer.status_code == 200, answer.content
        return answer.json()


NAMES = ("Anna", "Bo", "Cleo", "Dag", "Eve", "Finn")


def chosen(offers, luck: random.Random):
    """An offered action, with a number where it takes one."""
    offer = luck.choice(offers)
    if "min" not in offer:
        return offer["action"]
    return f"{offer['action']}:{luck.randint(offer['min'], offer['max'])}"
