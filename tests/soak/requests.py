"""Requests by the API's own description, right and wrong in every part: never a fault, never a changed table.

Every role calls each operation of `/api/openapi.json`, with parameters and bodies that its schema asks for,
some of which are then spoilt: another type, a value from the catalogue of bad input, something missing,
something extra, a body that is not JSON. Every answer has a status that the description names, and a sentence
if it is a refusal; and what was refused has changed nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import quote

from django.db import transaction
from django.db.models import Sum
from django.http import HttpResponse

from games.api import api
from games.core import engine, system
from games.hall.models import Event, Player
from games.match import play, storage
from games.models import Entry, Match
from games.people import seats
from tests.api.test_bodies import BODIES
from tests.soak.report import Report
from tests.trust import cast
from tests.trust.catalogue import ANYWHERE, LISTS, NAMES, NUMBERS

SPOILT = 0.5
"""The share of requests that have something wrong."""
A_TABLE_LASTS = 300
"""How many requests a table lasts; then everybody goes to a fresh one."""
ODD: tuple[Any, ...] = (
    *(one.text for one in (*NAMES, *LISTS)),
    *(*NUMBERS, *ANYWHERE),
    *("\ud800", "a\udfffb", "\x7f"),
    *(None, True, False, 0, -1, 1.5, 1e300, 2**31, 2**53, 2**63, [], {}, [[]], {"a": 1}, ["a"] * 500),
)
STREAM = "/api/matches/{code}/events"
BREAKS: dict[str, Any] = {
    # It accepts more than JSON, and fails with its own exceptions.
    "lax": lambda: mock.patch("games.api.reading._parsed", json.loads),
}


class Operation(NamedTuple):
    """One operation of the description."""

    method: str
    path: str
    told: dict[str, Any]


def run(requests: int, broken: str = "") -> Report:
    """Send a number of requests. `broken="lax"` reads JSON with Python's own parser, which must be caught."""
    report, luck = Report(), random.Random(requests)
    described = json.loads(json.dumps(api.get_openapi_schema()))
    with BREAKS.get(broken, nullcontext)():
        while report.figures.get("requests", 0) < requests and len(report.wrong) < 100:
            with transaction.atomic():
                left = requests - report.figures.get("requests", 0)
                Robots(described, luck, report).live(min(left, A_TABLE_LASTS))
                transaction.set_rollback(True)
    return report


class Robots:
    """Everybody who may call the API, at one table and one event, and what they know to send."""

    def __init__(self, described: dict[str, Any], luck: random.Random, report: Report) -> None:
        self.schemas, self.luck, self.report = described["components"]["schemas"], luck, report
        self.operations = [
            Operation(method.upper(), path, told)
            for path, methods in described["paths"].items()
            for method, told in methods.items()
        ]
        self.world = cast.build()
        self.tokens = ["", "nonsense", "a:b:c"]
        for seat in self.world.match.seats.select_related("match"):
            self.tokens += [seats.api_token(seat)] * 3
        self.tokens.append(seats.api_token(self.world.other.seats.select_related("match").first()))

    def live(self, requests: int) -> None:
        """Send a number of requests, one after another."""
        before = standing()
        for _request in range(requests):
            operation = self.luck.choice(self.operations)
            token, sent = self.luck.choice(self.tokens), self.sent(operation)
            answer = self.ask(operation, token, *sent)
            after = standing()
            where = f"{operation.method} {operation.path} {sent!r:.300}"
            self.report.count("requests")
            self.report.wrong += [f"{where}: {what}" for what in self.judged(operation, answer)]
            self.report.unless(answer.status_code < 400 or after == before, f"{where}: refused, and done")
            before = after

    def judged(self, operation: Operation, answer: HttpResponse) -> Iterator[str]:
        """What is wrong with an answer."""
        if answer.status_code >= 500:
            yield f"a fault, {answer.status_code}"
            return
        if answer.status_code == 406 and operation.path == STREAM:
            # Only a real server streams; who may listen is checked before that.
            self.report.count("answered")
            return
        if answer["Content-Type"].startswith("text/html") and answer.status_code in (400, 404):
            # An odd code may turn it into another address, outside the API.
            self.report.count("led elsewhere")
            return
        if str(answer.status_code) not in operation.told["responses"]:
            yield f"{answer.status_code} is not described, {answer.content[:200]!r}"
        if answer.status_code < 400:
            self.report.count("answered")
            return
        self.report.count("refused")
        try:
            told = json.loads(answer.content)
        except ValueError:
            yield f"{answer.status_code} without JSON, {answer['Content-Type']} {answer.content[:200]!r}"
            return
        if not {"error", "message", "rule"} <= set(told) or len(told["message"]) < 6:
            yield f"no sentence, {told}"

    # --- what is sent -----------------------------------------------------------------------------

    def sent(self, operation: Operation) -> tuple[dict[str, str], Any]:
        """Parameters by name, and a body: an object, or raw bytes with their type."""
        told = operation.told
        known = self.known()
        named = {
            one["name"]: str(self.value(one["schema"], one["name"], known))
            for one in told.get("parameters", ())
        }
        if named and self.luck.random() < SPOILT / 3:
            named[self.luck.choice(list(named))] = str(self.luck.choice(ODD))
        if "requestBody" not in told:
            return named, None
        if self.luck.random() < SPOILT / 3:
            return named, self.luck.choice(BODIES)[1:3]
        schema = told["requestBody"]["content"]["application/json"]["schema"]
        body = self.value(schema, "", known)
        return named, self.spoilt(body) if self.luck.random() < SPOILT else body

    def known(self) -> dict[str, list[Any]]:
        """Values that are right at this moment, or were a moment ago, by field name."""
        match = Match.objects.get(pk=self.world.match.pk)
        state = storage.load(match).state
        offered = [offer.action for seat in state.seats for offer in engine.offers(state, seat)]
        games = [system(slug) for slug in ("auction", "rps", "tmg", "agot", "bushido")]
        events = list(Event.objects.values_list("code", flat=True))
        return {
            "code": [match.code] * 4 + [self.world.other.code, *events, "ZZZZZZ"],
            "action": [*offered, *(f"{one}:1" for one in offered), "power:stark:1", "nothing"],
            "path": ["table", "army/stark", "army/nobody"],
            "seen": [match.version, match.version, 0, match.version + 1],
            "version": [*range(match.version + 1)],
            "system": [game.slug for game in games],
            "mode": [mode.slug for game in games for mode in game.modes],
            "seat": list(state.seats),
            "name": ["Anna", "维斯特洛"],
            "what": ["standings", "pairings", "nothing"],
        }

    def value(self, schema: dict[str, Any], name: str, known: dict[str, list[Any]]) -> Any:
        """A value that fits the schema, or a known one for this name."""
        if "$ref" in schema:
            return self.value(self.schemas[schema["$ref"].rpartition("/")[2]], name, known)
        if "anyOf" in schema:
            return self.value(self.luck.choice(schema["anyOf"]), name, known)
        if name == "key":
            return play.new_key()
        if name in known and schema.get("type") in ("string", "integer"):
            return self.luck.choice(known[name])
        return self.any_value(schema, name, known)

    def any_value(self, schema: dict[str, Any], name: str, known: dict[str, list[Any]]) -> Any:
        """A value that fits the schema."""
        kind, luck = schema.get("type"), self.luck
        if "enum" in schema:
            return luck.choice(schema["enum"])
        if kind == "object":
            needed = schema.get("required", ())
            return {
                key: self.value(told, key, known)
                for key, told in schema.get("properties", {}).items()
                if key in needed or luck.random() < 0.5
            }
        if kind == "array":
            return [self.value(schema["items"], name, known) for _item in range(luck.randrange(4))]
        if kind == "integer":
            return luck.randint(schema.get("minimum", 0), min(schema.get("maximum", 99), 99))
        return {"boolean": luck.random() < 0.5, "number": luck.random(), "null": None}.get(kind or "", "text")

    def spoilt(self, body: Any) -> Any:
        """The same with something missing, extra or changed somewhere inside."""
        if not isinstance(body, dict) or not body:
            return {self.luck.choice(("x", "__class__", "", "\ud800")): self.luck.choice(ODD)}
        name = self.luck.choice(list(body))
        inner = body[name]
        if isinstance(inner, dict) and inner and self.luck.random() < 0.7:
            return {**body, name: self.spoilt(inner)}
        if isinstance(inner, list) and inner and self.luck.random() < 0.7:
            return {**body, name: [self.spoilt(inner[0]), *inner[1:]]}
        fate = self.luck.randrange(6)
        if fate == 0:
            return {key: value for key, value in body.items() if key != name}
        if fate == 1:
            return {**body, self.luck.choice(("more", "id", "seat", "__proto__")): self.luck.choice(ODD)}
        return {**body, name: self.luck.choice(ODD)}

    # --- asking -----------------------------------------------------------------------------------

    def ask(self, operation: Operation, token: str, named: dict[str, str], body: Any) -> HttpResponse:
        """Send one request, whatever it holds, with fresh limits."""
        cast.rest()
        path = operation.path
        for name, value in named.items():
            path = path.replace(f"{{{name}}}", quote(value, safe="", errors="surrogatepass"))
        query = {name: value for name, value in named.items() if f"{{{name}}}" not in operation.path}
        if query:
            path += "?" + "&".join(
                f"{name}={quote(value, errors='surrogatepass')}" for name, value in query.items()
            )
        raw, kind = body if isinstance(body, tuple) else (as_bytes(body), "application/json")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if operation.method == "GET":
            return cast.Phone().generic("GET", path, headers=headers)
        return cast.Phone().generic("POST", path, raw, content_type=kind, headers=headers)


def as_bytes(body: Any) -> bytes:
    return json.dumps(body).encode()


def standing() -> tuple[Any, ...]:
    """What a refusal must not change: how many rows of everything there are, and how far each has come."""
    return (
        Match.objects.count(),
        Match.objects.aggregate(Sum("version")),
        Entry.objects.count(),
        Event.objects.aggregate(Sum("version")),
        Player.objects.count(),
    )
