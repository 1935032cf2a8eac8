"""A table and its people: two players, a watcher, and those who have no business there.

The game is the tests' auction, with three seats (the third stays open), secret bids and a correction, so that
every address of the site has something to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.hall import commands, event_links
from games.hall.models import Event, Player
from games.match import storage, undoing
from games.models import Match, Seat, SeatRequest
from games.people import seats
from games.web import limits
from tests.hall import halls

RED, BLUE, OPEN = "stark", "lannister", "baratheon"
"""The seats: those that the roles `red` and `blue` hold, and the one that nobody has taken."""

OF_EVENTS = ("hall", "organise", "wall", "helper-link")
"""How address names begin that belong to the event, not to the table."""

ROLES = ("anon", "watcher", "red", "blue", "stranger", "ejected", "organiser", "robot")
"""Who asks. The robot has no cookies, only the token of red's seat, which counts only for programs."""
SPECTATORS = ("anon", "watcher", "stranger", "ejected", "organiser", "robot")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


class Phone(Client):
    """A device with its own cookies. Our own faults are answers here, as they are for people."""

    def __init__(self, *, is_browser: bool = False) -> None:
        """With `is_browser`, the token of forms is checked, as it is for a browser's."""
        super().__init__(raise_request_exception=False)
        self.handler = _handler(is_browser)
        self.token = ""

    def twin(self) -> Phone:
        """Another device with the same cookies, so that what it does leaves this one alone."""
        other = Phone()
        other.token = self.token
        for name, morsel in self.cookies.items():
            other.cookies[name] = morsel.value
        return other

    def ask(self, method: str, path: str, data: dict[str, Any] | None = None, **headers: str) -> HttpResponse:
        """One request, not limited by the ones before it."""
        rest()
        encoded = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            encoded["Authorization"] = f"Bearer {self.token}"
        if method == "POST" and path.startswith("/api/"):
            return self.post(path, data or {}, content_type="application/json", headers=encoded)
        if method in ("GET", "HEAD", "POST"):
            return getattr(self, method.lower())(path, data or {}, headers=encoded)
        return self.generic(method, path, headers=encoded)


@cache
def _handler(is_browser: bool) -> ClientHandler:
    """One handler for all phones: every new one would scan all static files."""
    return ClientHandler(enforce_csrf_checks=is_browser)


def rest() -> None:
    """Reset all limits."""
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.forget()


def open_table(phone: Phone, **fields: str) -> Match:
    """A table opened by this phone through the form; the phone sits on its first seat."""
    form = {"mode": "auction/tracks", "name": "Red", "rival": "Blue", "seat": RED, **fields}
    answer = phone.ask("POST", "/new", form)
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.latest("pk")


def sit(phone: Phone, match: Match, key: str, name: str = "") -> None:
    """Claim a seat by its one-time link."""
    answer = phone.ask("POST", link(match, key), {"name": name})
    assert answer.status_code == 302, answer.content.decode()


def link(match: Match, key: str) -> str:
    """The path of a seat's one-time link."""
    seat = Seat.objects.select_related("match").get(match=match, key=key)
    return reverse("claim", args=[match.code, key, seats.link_secret(seat)])


@dataclass
class World:
    """One table and everybody who may come to it, by role."""

    match: Match
    phones: dict[str, Phone]
    other: Match
    """The table at which the stranger plays."""
    event: Event
    """An event at which none of them plays."""
    hall: Event
    """An event whose first round is open: red and blue play in it, and their lists are in."""
    place_link: str
    """The secret of red's link to the event."""

    @property
    def code(self) -> str:
        return self.match.code

    def arguments(self, name: str) -> dict[str, str]:
        """The arguments of an address, for the seat or place of `red` (for a link, the open seat)."""
        if name.startswith("event-") or name == "event":
            return {"code": self.hall.code, "secret": self.place_link, "player": "p2", "number": "1"}
        key = OPEN if name in ("claim", "invitation") else RED
        seat = Seat.objects.select_related("match").get(match=self.match, key=key)
        return {
            "what": "standings",
            "about": "p1",
            "code": self.event.code if name.removeprefix("api:").startswith(OF_EVENTS) else self.code,
            "seat": key,
            "path": f"army/{RED}",
            "secret": seats.link_secret(seat),
            "epoch": str(seat.epoch),
            "game": "tmg",
            "key": "guess",
            "version": "1",
            "table": "factions",
            **dict.fromkeys(("id", "object_id", "content_type_id"), "1"),
        }

    def newest_action(self) -> int:
        """The version of the newest action that can be taken back."""
        return undoing.undoable(self.match, 1)[0].version

    def fingerprint(self) -> object:
        """Everything that a refusal must leave as it is."""
        match = Match.objects.get(pk=self.match.pk)
        holders = tuple(match.seats.values_list("key", "epoch", "is_taken", "move_hash"))
        return storage.load(match).state.to_json(), match.version, match.entries.count(), holders


def build() -> World:
    """The table at its first question, with everybody's cookies as set by the site itself."""
    phones = {role: Phone() for role in ROLES}
    match = open_table(phones["ejected"], name="Red")
    phones["ejected"].ask("POST", reverse("free", args=[match.code]), {"seat": RED})
    sit(phones["red"], match, RED, "Red")
    sit(phones["blue"], match, BLUE, "Blue")
    phones["red"].ask("POST", reverse("adjust", args=[match.code]), correction())
    phones["watcher"].ask("GET", reverse("table", args=[match.code]))
    phones["watcher"].ask("POST", reverse("join", args=[match.code]), {"name": "Guest", "seat": OPEN})
    other = open_table(phones["stranger"], name="Stranger")
    people = get_user_model().objects
    phones["organiser"].force_login(people.create_superuser("organiser", password="a long enough password"))
    phones["robot"].token = seats.api_token(match.seats.select_related("match").get(key=RED))
    match.refresh_from_db()
    event, _organiser = commands.open_event({"system": "tmg", "name": "Cup"}, "Anna")
    hall, links = _hall(phones)
    return World(match, phones, other, event, hall, links["red"])


def _hall(phones: dict[str, Phone]) -> tuple[Event, dict[str, str]]:
    code = halls.opened(0)
    links = {}
    for role in ("red", "blue"):
        key = commands.register(code, halls.ANNA, role.title()).made
        commands.check_in(code, halls.ANNA, key)
        commands.hand_in(code, halls.ANNA, key, [f"The list of {role}"])
        player = Player.objects.select_related("event").get(event__code=code, key=key)
        links[role] = event_links.secret(player)
        phones[role].ask("POST", reverse("event-me", args=[code, links[role]]))
    commands.pair(code, halls.ANNA)
    commands.open_round(code, halls.ANNA)
    return Event.objects.get(code=code), links


def lose(monkeypatch: pytest.MonkeyPatch, key: str = "") -> None:
    """Free a seat (by default the phone's) after the phone was asked for it, before the match is locked."""
    speaks = seats.Phone.speaks

    def lost(phone: seats.Phone, code: str, seat: str) -> Any:
        seats.revoke(Seat.objects.select_related("match").get(match__code=code, key=key or seat))
        return speaks(phone, code, seat)

    monkeypatch.setattr(seats.Phone, "speaks", lost)


def correction(key: str = "correction-0") -> dict[str, str]:
    """The form of a correction that anybody seated may make."""
    return {"change": f"army/{RED} power:{RED}:1", "key": key, "reason": "counted wrong"}


def bid(match: Match, amount: int = 2, key: str = "bid-key-0") -> dict[str, str]:
    """The form of a bid as the page sends it."""
    return {"action": "bid:throne", "number:bid:throne": str(amount), "seen": str(match.version), "key": key}


def request_of(match: Match) -> SeatRequest:
    """The watcher's request for a seat."""
    return SeatRequest.objects.get(seat__match=match)


def request_of_name(match: Match, name: str) -> SeatRequest:
    """The request for a seat by somebody with this name."""
    return SeatRequest.objects.get(seat__match=match, name=name)


# --- every address --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Address:
    """A pattern of the resolver: its name with the namespace (or its route if it has no name)."""

    name: str
    route: str
    converters: tuple[str, ...]

    def path(self, arguments: dict[str, str]) -> str:
        """The path with these arguments in it."""
        plain = re.sub(r"\(\?P<app_label>(\w+)[^)]*\)", r"\1", self.route).replace("(?P<url>.*)", "nothing")
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: arguments[found[1]], plain)
        return "/" + filled


STORED = frozenset(
    {
        "picture",
        "result",
        "result-schema",
        "statistics",
        "statistics-csv",
        "statistics-game",
        "statistics-json",
    }
)
"""What a browser may keep for a while, or revalidate."""


def addresses() -> Iterator[Address]:
    """Every address that the site answers, as the resolver knows it."""
    yield from _walk(get_resolver().url_patterns, "", "", ())


def _walk(patterns: list, route: str, namespace: str, converters: tuple[str, ...]) -> Iterator[Address]:
    for pattern in patterns:
        here = route + str(pattern.pattern).removeprefix("^").removesuffix("$").removesuffix("\\Z")
        inside = (*converters, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            name = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, here, name, inside)
        elif isinstance(pattern, URLPattern):
            yield Address(f"{namespace}{pattern.name}" if pattern.name else "/" + here, here, inside)
