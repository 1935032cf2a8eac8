"""Who may ask for what, and how: every address, every role, every method. An address without a row fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from tests.trust import cast
from tests.trust.cast import METHODS, RED, ROLES, Address, World

Row = dict[str, int | dict[str, int]]

EVERYBODY = 200
PLAYERS = {"red": 200, "blue": 200, "*": 403}
PLAYERS_DO = {"red": 302, "blue": 302, "*": 403}
ONLY_RED = {"red": 200, "*": 403}
THE_ORGANISER = {"organiser": 200, "*": 403}
THE_TOKEN = {"robot": 200, "*": 401}
ANY = 0
"""Any status except a fault of ours (5xx)."""

ACCESS: dict[str, Row] = {
    "/healthz": {"GET": EVERYBODY},
    "manifest": {"GET": EVERYBODY},
    "worker": {"GET": EVERYBODY},
    "offline": {"GET": EVERYBODY},
    "welcome": {"GET": 404},
    # Without `play --https` there is nothing to explain.
    "trust": {"GET": 404},
    "trust-file": {"GET": 404},
    "trust-known": {"GET": 204},
    "/readyz": {"GET": EVERYBODY},
    "/metrics": {"GET": {"organiser": 200, "*": 403}},
    "set_language": dict.fromkeys(METHODS, 302),
    "close-warning": {"POST": 302},
    "home": {"GET": EVERYBODY},
    "new": {"GET": EVERYBODY, "POST": 302},
    "new-game": {"GET": EVERYBODY, "POST": 302},
    "first-steps": {"GET": EVERYBODY},
    "first-round": {"POST": 302},
    "first-event": {"GET": EVERYBODY},
    "guide": {"POST": PLAYERS_DO},
    "find": {"GET": 302},
    "table": {"GET": EVERYBODY},
    "board": {"GET": EVERYBODY},
    "stream": {"GET": EVERYBODY},
    "arrived": {"GET": {"red": 422, "blue": 422, "*": 403}},
    "act": {"POST": PLAYERS_DO},
    "adjust": {"POST": PLAYERS_DO},
    "undo": {"POST": PLAYERS_DO},
    # The auction brings no armies; other tests show what their pages do, with lists of the miniatures game.
    "army": {"GET": {"red": 404, "*": 403}, "POST": {"red": 404, "*": 403}},
    "army-file": {"POST": {"red": 415, "*": 403}},
    "piece": {"GET": PLAYERS},
    "history": {"GET": EVERYBODY},
    "replay": {"GET": 302},
    "replay-moment": {"GET": EVERYBODY},
    "practice": {"POST": 302},
    "score": {"GET": EVERYBODY, "POST": {"red": 409, "blue": 409, "*": 403}},
    "watch": {"GET": EVERYBODY},
    "watch-news": {"GET": EVERYBODY},
    "watch-stream": {"GET": EVERYBODY},
    "watch-delay": {"POST": PLAYERS_DO},
    "tv": {"GET": EVERYBODY},
    "tv-hall": {"GET": EVERYBODY},
    "tv-news": {"GET": EVERYBODY},
    "overlay": {"GET": EVERYBODY},
    "embed": {"GET": EVERYBODY},
    "elsewhere": {"GET": EVERYBODY},
    "event-embed": {"GET": EVERYBODY},
    "event-elsewhere": {"GET": EVERYBODY},
    "overlay-look": {"GET": EVERYBODY},
    "print": {"GET": EVERYBODY},
    "recap": {"GET": 302},
    "forget": {"POST": 302},
    "demo": {"GET": 404},
    "event-overlay": {"GET": EVERYBODY},
    "event-date": {"GET": PLAYERS, "POST": {"red": 422, "blue": 422, "*": 403}},
    "event-print-names": {"GET": EVERYBODY},
    "event-print-slips": {"GET": EVERYBODY},
    "api:hall-seat": {"POST": {"robot": 403, "*": 401}},
    "picture": {"GET": EVERYBODY},
    "verify": {"GET": EVERYBODY},
    "verify-program": {"GET": EVERYBODY},
    "rematch": {"GET": 302},
    "result": {"GET": EVERYBODY},
    "result-schema": {"GET": EVERYBODY},
    "statistics": {"GET": EVERYBODY},
    "statistics-games-csv": {"GET": EVERYBODY},
    "statistics-game": {"GET": EVERYBODY},
    "statistics-json": {"GET": EVERYBODY},
    "statistics-csv": {"GET": EVERYBODY},
    "rules": {"GET": EVERYBODY},
    "table-rules": {"GET": EVERYBODY},
    "facing": {"POST": 302},
    "seats": {"GET": EVERYBODY},
    "invitation": {"GET": PLAYERS},
    "guests": {"POST": PLAYERS_DO},
    "name": {"GET": PLAYERS, "POST": PLAYERS_DO},
    "move": {"POST": ONLY_RED},
    "take": {"POST": PLAYERS_DO},
    "unseal": {"POST": {"organiser": 302, "*": 403}},
    "free": {"POST": {"red": 302, "organiser": 302, "*": 403}},
    "join": {"GET": {"red": 302, "blue": 302, "*": 200}, "POST": 302},
    "move-here": {"GET": EVERYBODY, "POST": 404},
    "claim": {"GET": EVERYBODY, "POST": 302},
    "new-event": {"GET": EVERYBODY, "POST": 302},
    "helper-link": {"GET": 404, "POST": 404},
    "wall": {"GET": THE_ORGANISER},
    "wall-news": {"GET": THE_ORGANISER},
    "wall-stream": {"GET": THE_ORGANISER},
    "organise": {"GET": THE_ORGANISER},
    "organise-do": {"POST": {"organiser": 302, "*": 403}},
    "organise-preview": {"POST": THE_ORGANISER},
    "organise-picked": {"POST": THE_ORGANISER},
    "organise-players": {"GET": THE_ORGANISER},
    # The event has no players and no tables yet.
    "organise-player": {"GET": {"organiser": 404, "*": 403}},
    "organise-table": {"GET": {"organiser": 404, "*": 403}},
    "organise-teams": {"GET": THE_ORGANISER},
    "organise-team": {"GET": {"organiser": 404, "*": 403}},
    "organise-match": {"GET": {"organiser": 404, "*": 403}},
    "organise-pairings": {"GET": THE_ORGANISER},
    "organise-results": {"GET": THE_ORGANISER},
    "organise-log": {"GET": THE_ORGANISER},
    "organise-import": {"GET": THE_ORGANISER},
    "organise-removing": {"GET": THE_ORGANISER},
    "organise-settings": {"GET": THE_ORGANISER},
    "organise-helpers": {"GET": THE_ORGANISER},
    "organise-slips": {"GET": THE_ORGANISER},
    "organise-altered": {"GET": THE_ORGANISER},
    "organise-file": {"GET": THE_ORGANISER},
    "events": {"GET": EVERYBODY},
    "ratings": {"GET": EVERYBODY},
    "ratings-game": {"GET": EVERYBODY},
    "ratings-csv": {"GET": EVERYBODY},
    "api:ratings": {"GET": EVERYBODY},
    "seasons": {"GET": EVERYBODY},
    "new-season": {"GET": THE_ORGANISER, "POST": {"organiser": 422, "*": 403}},
    # There is no season.
    "season": {"GET": 404},
    "season-csv": {"GET": 404},
    "season-form": {"GET": 404, "POST": 404},
    "api:season": {"GET": 404},
    "event": {"GET": EVERYBODY},
    "event-board": {"GET": EVERYBODY},
    "event-stream": {"GET": EVERYBODY},
    "event-round": {"GET": EVERYBODY},
    "event-standings": {"GET": EVERYBODY},
    "event-standings-board": {"GET": EVERYBODY},
    "event-print-standings": {"GET": EVERYBODY},
    "event-print-round": {"GET": EVERYBODY},
    "event-scores": {"GET": EVERYBODY},
    "event-tv": {"GET": EVERYBODY},
    "event-tv-news": {"GET": EVERYBODY},
    "event-tv-stream": {"GET": EVERYBODY},
    # The event has begun: nobody registers any more, and lists are fixed.
    "event-register": {
        "GET": {"red": 302, "blue": 302, "*": 200},
        "POST": {"red": 302, "blue": 302, "*": 422},
    },
    "event-me": {"GET": EVERYBODY, "POST": 302},
    "event-place": {"GET": PLAYERS, "POST": PLAYERS_DO},
    # Everybody plays for themselves at this event.
    "event-team": {"GET": 403, "POST": 403},
    "event-leave": {"GET": PLAYERS, "POST": PLAYERS_DO},
    "event-do": {"POST": PLAYERS_DO},
    "event-list": {"GET": PLAYERS, "POST": {"red": 422, "blue": 422, "*": 403}},
    "event-lists": {"GET": PLAYERS},
    "event-result": {"GET": PLAYERS, "POST": PLAYERS_DO},
    "event-contest": {"GET": PLAYERS, "POST": {"red": 422, "blue": 422, "*": 403}},
    "event-judge": {"GET": PLAYERS, "POST": PLAYERS_DO},
    "table-event": {"GET": 410},
    "api:openapi-json": {"GET": EVERYBODY},
    "api:systems": {"GET": EVERYBODY},
    "api:matches": {"POST": 201},
    "api:match": {"GET": EVERYBODY},
    "api:act": {"POST": THE_TOKEN},
    "api:adjustments": {"GET": THE_TOKEN},
    "api:adjust": {"POST": THE_TOKEN},
    "api:undo": {"POST": THE_TOKEN},
    "api:undo-answer": {"POST": {"robot": 409, "*": 401}},
    "api:altered": {"POST": {"robot": 409, "*": 401}},
    "api:army": {"POST": {"robot": 409, "*": 401}},
    "api:events": {"GET": 406},
    "api:export": {"GET": EVERYBODY},
    "api:result": {"GET": EVERYBODY},
    "api:import": {"POST": 422},
    "api:halls": {"POST": 201},
    # The robot's token is for a seat, which opens nothing at an event.
    "api:hall": {"GET": {"robot": 403, "*": 200}},
    "api:hall-table": {"GET": {"robot": 403, "*": 200}},
    "api:hall-history": {"GET": {"robot": 403, "*": 200}},
    "api:hall-players": {"POST": {"robot": 403, "*": 201}},
    "api:hall-do": {"POST": {"robot": 403, "*": 401}},
    "api:api-root": dict.fromkeys(METHODS, 404),
}
"""What each role gets for each method ("*": the roles not named). HEAD is GET; a method not named is 405."""

LOGIN: Row = {
    "GET": {"organiser": 302, "*": 200},
    "HEAD": 200,
    **dict.fromkeys(("POST", "PUT", "OPTIONS"), 200),
}
ADMIN: Row = {method: {"organiser": ANY, "*": 302} for method in METHODS}
"""The organiser's pages: everybody else is sent to the login, whatever they ask for."""


def row_of(address: Address) -> Row:
    """The row of an address."""
    if address.route == "admin/login/":
        return LOGIN
    return ADMIN if is_admin(address) else ACCESS[address.name]


def is_admin(address: Address) -> bool:
    return address.route.startswith("admin/")


def forms_of_pages() -> list[Address]:
    """Every page address that takes a form."""
    ours = [address for address in cast.addresses() if not address.route.startswith(("admin/", "api/"))]
    return [address for address in ours if "POST" in row_of(address)]


def expected(row: Row, role: str, method: str) -> int:
    if method == "HEAD" and method not in row:
        method = "GET"
    cell = row.get(method, 405)
    return cell if isinstance(cell, int) else cell.get(role, cell.get("*", 405))


def form(world: World, name: str) -> dict[str, Any]:
    """What red's page would send."""
    forms: dict[str, dict[str, Any]] = {
        "new": {"mode": "auction/tracks", "name": "Somebody", "seat": RED},
        "new-game": {"mode": "auction/tracks", "name": "Somebody", "seat": RED},
        "find": {"code": world.code.lower()},
        "act": cast.bid(world.match),
        "adjust": cast.correction("correction-1"),
        "undo": {"undo": str(world.newest_action()), "key": "undo-key-0"},
        "army": {"do": "read", "text": "Faction: Stark"},
        "practice": {"key": "practice-key-0"},
        "first-round": {"key": "first-steps-key-0"},
        "score": {"round": "1", "seen": "0" * 16, "key": "score-key-0"},
        "guests": {"let_in": str(cast.request_of(world.match).pk)},
        "unseal": {"seat": RED},
        "name": {"name": "Somebody else"},
        "move": {"seat": RED},
        "watch-delay": {"delay": "0"},
        "take": {"seat": cast.OPEN},
        "free": {"seat": RED},
        "join": {"name": "Guest", "seat": cast.OPEN},
        "move-here": {"code": "ABC234"},
        "claim": {"name": "Guest"},
        "new-event": {"name": "Club evening", "organiser": "Olga", "key": "new-event-key-0"},
        "organise-do": {"do": "announce", "text": "Welcome", "key": "organise-key-0"},
        "organise-preview": {"text": "Ada;Club"},
        "organise-picked": {"pick": "p1"},
        "set_language": {"language": "en", "next": "/"},
        "event-register": {"name": "Guest", "key": "event-key-0"},
        "event-place": {"name": "Red", "club": "A club", "faction": "", "key": "event-key-1"},
        "event-leave": {"key": "event-key-2"},
        "event-team": {"key": "event-key-9"},
        "event-do": {"do": "check-in", "key": "event-key-3"},
        "event-list": {"first": "Faction: Stark", "key": "event-key-4"},
        "event-result": {"vp-p1": "7", "vp-p2": "5", "winner": "", "key": "event-key-5"},
        "event-contest": {"reason": "It was a draw", "key": "event-key-6"},
        "event-judge": {"question": "May I?", "key": "event-key-7"},
        "api:matches": {"system": "auction", "mode": "tracks", "seats": [{"name": name} for name in "abc"]},
        "api:act": {"action": "bid:throne:2", "seen": world.match.version, "key": "bid-key-0"},
        "api:adjust": {"path": f"army/{RED}", "action": f"power:{RED}:1", "key": "correction-1"},
        "api:undo": {"version": world.newest_action(), "key": "undo-key-0"},
        "api:undo-answer": {"agree": True, "key": "undo-key-0"},
        "api:altered": {"restore": True, "key": "altered-key-0"},
        "api:halls": {"system": "tmg", "settings": {"name": "Cup"}},
        "api:hall-players": {"name": "Ada", "key": "the-key-of-a-player-0"},
        "api:hall-do": {"action": "pair", "key": "pair-key-0"},
        "api:army": {"text": "Faction: Stark", "key": "army-key-0"},
    }
    return forms.get(name, {})


THREE = ("anon", "red", "organiser")
RARE = tuple(method for method in METHODS if method not in ("GET", "POST"))


def cells(world: World) -> Iterator[tuple[Address, str, str, str, dict[str, Any]]]:
    """Address, path, role, method, form. In the admin and where no table is named, three roles stand for all.

    Roles take turns at the rare methods.
    """
    for number, address in enumerate(cast.addresses()):
        path, data = address.path(world.arguments(address.name)), form(world, address.name)
        names_a_table = "<" in address.route and not is_admin(address)
        roles = ROLES if names_a_table else THREE
        for role in roles:
            for method in ("GET", "POST"):
                yield address, path, role, method, data
        for turn, method in enumerate(RARE, number):
            yield address, path, roles[turn % len(roles)], method, data if method == "HEAD" else {}


def test_every_address_has_a_row_and_every_row_an_address():
    names = {address.name for address in cast.addresses() if not is_admin(address)}
    assert names - ACCESS.keys() == set(), "say in ACCESS who may ask for these"
    assert ACCESS.keys() - names == set(), "these are gone"


def test_everybody_gets_what_the_table_says(world: World):
    wrong, count = [], 0
    for address, path, role, method, data in cells(world):
        with transaction.atomic():
            answer = world.phones[role].twin().ask(method, path, data)
            transaction.set_rollback(True)
        count += 1
        wanted = expected(row_of(address), role, method)
        if answer.status_code >= 500 or answer.status_code != (wanted or answer.status_code):
            wrong.append(f"{method} {address.name} as {role}: {answer.status_code}")
        if "no-store" not in answer["Cache-Control"] and address.name not in cast.STORED:
            wrong.append(f"{method} {address.name} as {role} may be stored: {answer['Cache-Control']}")
    assert not wrong, "\n".join(wrong)
    print(f"PROMISE P11: {count} cells, 0 wrong")


def alike(first: Any, second: Any) -> bool:
    """Whether two answers cannot be told apart: status, size, headers."""
    return facts_of(first) == facts_of(second)


def facts_of(answer: Any) -> object:
    return answer.status_code, len(answer.content), sorted(answer.headers)


UNKNOWN = "ZZZZZZ"


@pytest.mark.parametrize("role", ["anon", "red", "organiser"])
def test_a_link_tells_nothing_apart(world: World, role: str):
    """A wrong secret, another table's secret, no such table, no such seat: all get the same answer."""
    secret = cast.link(world.other, cast.OPEN).rpartition("/")[2]
    wrong = [
        reverse("claim", args=[world.code, cast.OPEN, "0" * len(secret)]),
        reverse("claim", args=[world.code, cast.OPEN, secret]),
        reverse("claim", args=[UNKNOWN, cast.OPEN, secret]),
        reverse("claim", args=[world.code, "nosuchone", secret]),
    ]
    for method in ("GET", "POST"):
        answers = [world.phones[role].ask(method, path) for path in wrong]
        assert all(alike(answers[0], answer) for answer in answers), [facts_of(one) for one in answers]
        assert answers[0].status_code == 404


def test_what_belongs_to_another_table_does_not_exist(world: World):
    red, stranger = world.phones["red"], world.phones["stranger"]
    stranger.ask("POST", reverse("move", args=[world.other.code]), {"seat": RED})
    world.phones["anon"].ask(
        "POST", reverse("join", args=[world.other.code]), {"name": "X", "seat": cast.BLUE}
    )
    foreign = cast.request_of(world.other).pk
    for name, theirs, nobodys in [
        ("guests", {"let_in": str(foreign)}, {"let_in": "999999"}),
        ("undo", {"undo": "77", "key": "undo-key-1"}, {"undo": "78", "key": "undo-key-2"}),
    ]:
        path = reverse(name, args=[world.code])
        assert alike(red.ask("POST", path, theirs), red.ask("POST", path, nobodys)), name


def test_pieces_and_armies_of_others_are_not_told_from_none(world: World):
    red = world.phones["red"]
    assert alike(
        *(red.ask("GET", reverse("piece", args=[world.code, path])) for path in ("unit/aa", "unit/bb"))
    )
    assert alike(*(red.ask("GET", reverse("army", args=[world.code, seat])) for seat in (cast.BLUE, "x" * 9)))


def test_a_form_without_its_token_changes_nothing(world: World):
    before = world.fingerprint()
    phone = cast.Phone(is_browser=True)
    for name, morsel in world.phones["red"].cookies.items():
        phone.cookies[name] = morsel.value
    assert len(forms_of_pages()) > 10
    for address in forms_of_pages():
        path = address.path(world.arguments(address.name))
        for headers in ({}, {"HX_Request": "true"}, {"Origin": "https://evil.example"}):
            answer = phone.ask("POST", path, form(world, address.name), **headers)
            assert answer.status_code == 403, address.name
            assert "reload" in answer.content.decode().lower()
    assert world.fingerprint() == before


@pytest.mark.parametrize("role", cast.SPECTATORS)
@pytest.mark.parametrize("headers", [{}, {"HX_Request": "true"}], ids=["plain", "htmx"])
def test_who_only_watches_is_told_so(world: World, role: str, headers: dict[str, str]):
    before = world.fingerprint()
    for name in ("act", "adjust", "undo"):
        answer = world.phones[role].ask(
            "POST", reverse(name, args=[world.code]), form(world, name), **headers
        )
        assert answer.status_code == 403
        assert answer.content.decode().count("You are watching this table. Only players can tap.") == 1
    assert world.fingerprint() == before


def test_a_seat_in_the_form_is_no_seat(world: World):
    """The phone's own seat counts, whatever the form says; a seat that it does not hold is refused."""
    before = world.fingerprint()
    for name in ("act", "adjust", "undo"):
        for key in ("seat", "side", "army", "user"):
            data = {**form(world, name), key: cast.BLUE}
            answer = world.phones["watcher"].ask("POST", reverse(name, args=[world.code]), data)
            assert answer.status_code == 403
        forged = {**form(world, name), "seat": cast.BLUE}
        answer = world.phones["red"].ask("POST", reverse(name, args=[world.code]), forged)
        assert answer.status_code == 403
        assert "does not have that seat" in answer.content.decode()
    assert world.fingerprint() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_another_method_cannot_be_smuggled_in(world: World, method: str):
    before = world.fingerprint()
    for address in forms_of_pages():
        path, data = address.path(world.arguments(address.name)), form(world, address.name)
        for more, headers in (({"_method": method}, {}), ({}, {"X_HTTP_Method_Override": method})):
            answer = world.phones["red"].ask("GET", path, {**data, **more}, **headers)
            assert answer.status_code in (200, 302, 403, 404, 405), address.name
    assert world.fingerprint() == before
