"""What is sealed leaves the server for nobody else before the reveal: worlds that differ in it look alike.

The same script is played in both worlds with another secret; every byte that any other role can fetch (every
address of the resolver, streams, headers, sizes) has to be equal. Leaks planted on purpose have to show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import combinations
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management.color import no_style
from django.db import connection, transaction
from django.http import HttpResponse
from django.utils import timezone

from games import play, seats
from games.core import chance
from games.core.system import Offer, system
from games.core.words import Line
from games.models import Army, Match, Seat
from tests.conftest import Server
from tests.trust import cast
from tests.trust.cast import Phone
from tests.trust.sockets import Browser, Listener

Transcript = list[tuple[str, str, object]]
"""Role, address, and all of the answer."""

NOW = timezone.now()
CODE, SEED = "TWINNN", "a seed that both worlds share"

NOISE = (
    (r'(name="csrfmiddlewaretoken" value=")[^"]+', r"\1"),
    (r'(name="key" value=")[^"]+', r"\1"),
    (r"/live/[\w:-]+", "/live/"),
    (r"<time>[^<]+</time>", ""),
    (r'("at": ?")[^"]+', r"\1"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", ""),
)
"""What differs between any two looks at the same thing."""


def seen(answer: HttpResponse) -> object:
    """All that an answer tells: its status, headers, size and text, without what is new at every look."""
    headers = {
        name: value for name, value in answer.items() if name not in ("Expires", "x-roundtable-stream")
    }
    text = answer.content.decode(errors="backslashreplace")
    for pattern, replacement in NOISE:
        text = re.sub(pattern, replacement, text)
    return answer.status_code, headers, sorted(answer.cookies), len(answer.content), text


@contextmanager
def a_world(
    mode: tuple[str, str], names: dict[str, str], options: dict[str, int] | None = None
) -> Iterator[Match]:
    """A table whose code, seed and row numbers are the same in every world; it vanishes afterwards."""
    # No clock ticks: pages that show a time would differ whenever a minute ends between two worlds.
    with mock.patch("django.utils.timezone.now", return_value=NOW), transaction.atomic():
        count_anew()
        match = play.open_match(*mode, names, options, seed=SEED)
        Match.objects.filter(pk=match.pk).update(code=CODE)
        match.refresh_from_db()
        yield match
        transaction.set_rollback(True)


def count_anew() -> None:
    """Number new rows as if those that vanished had never been: PostgreSQL does not count back by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)


def others_than(secret_seat: str, match: Match) -> dict[str, Phone]:
    """Everybody who must not know: spectators, the organiser, the other seats with phone and token."""
    phones = {role: Phone() for role in ("anon", "organiser")}
    phones["organiser"].force_login(get_user_model().objects.create_superuser("organiser", password="x" * 12))
    for seat in match.seats.select_related("match").exclude(key=secret_seat):
        phones[seat.key], phones[f"robot {seat.key}"] = Phone(), Phone()
        cast.sit(phones[seat.key], match, seat.key)
        phones[f"robot {seat.key}"].token = seats.api_token(
            Seat.objects.select_related("match").get(pk=seat.pk)
        )
    return phones


def looks(
    match: Match, phones: dict[str, Phone], everywhere: bool = True
) -> Iterator[tuple[str, str, object]]:
    """Every GET of every role; or only the pages that a leak would reach first."""
    few = [f"/t/{match.code}/", f"/t/{match.code}/history", f"/api/matches/{match.code}"]
    for role, phone in phones.items():
        for path in paths(match, role) if everywhere else few:
            yield role, path, seen(phone.ask("GET", path))
            if "/board" in path or "/piece/" in path:
                yield role, f"{path} by htmx", seen(phone.ask("GET", path, HX_Request="true"))


def paths(match: Match, role: str) -> list[str]:
    """Every address, for each army where it names one. What cannot know of a table is left out."""
    armies = list(Army.objects.filter(match=match).values_list("pk", "key"))
    arguments = {"code": match.code, "secret": "0" * 26, "epoch": "1", "game": "tmg"}
    found = []
    for address in cast.addresses():
        if address.route.startswith(("admin/auth", "admin/password", "admin/logout", "i18n", "api/openapi")):
            continue
        if address.route.startswith("admin/") and role != "organiser":
            continue
        for pk, key in armies:
            numbers = dict.fromkeys(
                ("id", "object_id", "content_type_id"), str(number(address.name, match, pk))
            )
            found.append(address.path({**arguments, **numbers, "seat": key, "path": f"army/{key}"}))
    return list(dict.fromkeys(found))


def number(name: str, match: Match, army: int) -> int:
    """The row that a page of the organiser's desk is about."""
    return army if "army" in name else match.pk


def transcript(
    mode: tuple[str, str],
    names: dict[str, str],
    script: Callable[[Match], Iterator[str]],
    everywhere: bool,
    options: dict[str, int] | None = None,
) -> Transcript:
    """All that others see whenever the script stops; the seat it yields is the one with the secret."""
    told: Transcript = []
    with a_world(mode, names, options) as match:
        phones: dict[str, Phone] = {}
        for secret_seat in script(match):
            phones = phones or others_than(secret_seat, match)
            told += looks(match, phones, everywhere)
    return told


def differences(first: Transcript, second: Transcript) -> list[str]:
    assert [row[:2] for row in first] == [row[:2] for row in second]
    return [f"{a[0]} {a[1]}" for a, b in zip(first, second, strict=True) if a[2] != b[2]]


# --- the games ------------------------------------------------------------------------------------

HOUSES = {"stark": "Stark", "lannister": "Lannister", "baratheon": "Baratheon"}
PLAYERS = {"red": "Red", "blue": "Blue"}


def tap(match: Match, seat: str, action: str) -> None:
    match.refresh_from_db()
    play.tap(match.code, seat, action, match.version, f"key-{seat}-{match.version:04}")


def auction(amount: int, everywhere: bool = True) -> Transcript:
    """Stark bids this much; then Lannister bids, and Baratheon has yet to."""

    def script(match: Match) -> Iterator[str]:
        tap(match, "stark", f"bid:throne:{amount}")
        tap(match, "lannister", "bid:throne:2")
        yield "stark"

    return transcript(("auction", "tracks"), HOUSES, script, everywhere)


def throws(thing: str) -> Transcript:
    """Red has thrown this, and blue has not."""

    def script(match: Match) -> Iterator[str]:
        tap(match, "red", f"throw:{thing}")
        yield "red"

    return transcript(("rps", "plain"), PLAYERS, script, everywhere=True)


SET_UP = (
    *("red demo:stark", "blue demo:greyjoy", "red ready", "blue ready", "red tokens:0"),
    *("red rolled:6", "blue rolled:1", "red pick-zone", "red deployed", "blue deployed"),
)
RED_DRAWS = (0, 1, 2, 6, 7)
"""The draws of red's own cards: its first hand, before blue's, and the two that letters bring."""


def hands(shift: int, everywhere: bool = True) -> Transcript:
    """The app keeps the tactics decks; chance deals red other cards in each world, and red plays none."""
    draw, dealt = chance.draw, set()

    def drawn(seed: str, counter: int, outcomes: int) -> int:
        value = draw(seed, counter, outcomes)
        return (value + shift) % outcomes if counter in RED_DRAWS else value

    def script(match: Match) -> Iterator[str]:
        for deed in SET_UP:
            tap(match, *deed.split())
        yield "red"
        for deed in ("blue activate:ironmakers", "red activate:arya-stark", "red claim:letters"):
            tap(match, *deed.split())
        dealt.update(match.armies.get(key="red").hidden["hand"])
        yield "red"

    with mock.patch("games.core.chance.draw", drawn):
        told = transcript(("tmg", "manual-scoring"), PLAYERS, script, everywhere, {"decks": 1})
    HANDS[shift] = dealt
    return told


HANDS: dict[int, set[str]] = {}


@pytest.mark.django_db
def test_no_hand_can_be_told_from_another_before_it_is_played():
    first, second = hands(0), hands(7)
    assert HANDS[0] != HANDS[7]
    assert differences(first, second) == []
    assert {role for role, _path, _seen in first} == {"anon", "organiser", "blue", "robot blue"}


def names_what_is_drawn(g: Any, seat: str, cards: int) -> Line:
    return Line(f"{seat} draws {g.armies[seat].hidden['hand']}")


def offers_it_to_all(step: Any, g: Any, path: str) -> Iterator[Offer]:
    yield from (Offer(f"lose:{key}", Line(key)) for key in g.armies["red"].hidden.get("hand") or ())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("place", "leak"),
    [
        ("games.systems.tmg.decks.drawn", names_what_is_drawn),
        ("games.systems.tmg.desk.TmgDesk.corrections", offers_it_to_all),
    ],
)
def test_a_hand_that_leaks_would_show(place: str, leak: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(place, leak)
    everywhere = leak is offers_it_to_all
    assert differences(hands(0, everywhere), hands(7, everywhere)) != []


TO_THE_CLASH = """
stark ready, lannister ready, baratheon ready, stark placed, lannister placed, baratheon placed,
lannister rest, stark resolved, stark resolved, stark none, lannister none, baratheon none, stark same,
lannister same, baratheon same, stark card:last-days-of-summer, stark card:clash-of-kings,
stark card:wildlings-attack
"""
"""A round of the board game up to its first sealed bids; an attack of the wildlings follows them."""


def board_game(amount: int, stop: str, everywhere: bool) -> Transcript:
    """All that others see around a bid of this size by Stark, at the place in the game called `stop`."""

    def script(match: Match) -> Iterator[str]:
        play_to_the_clash(match)
        if stop == "wildlings":
            for track, ahead in (("iron-throne", 2), ("fiefdoms", 2), ("kings-court", 0)):
                tap(match, "lannister", f"bid:{track}:1")
                tap(match, "stark", f"bid:{track}:0")
                if ahead:
                    tap(match, "baratheon", f"bid:{track}:{ahead}")
            tap(match, "baratheon", "bid:kings-court:0")
            tap(match, "baratheon", "place:stark")
        what = "wildlings" if stop == "wildlings" else "iron-throne"
        tap(match, "lannister", f"bid:{what}:1")
        tap(match, "stark", f"bid:{what}:{amount}")
        if stop != "unsealed":
            yield "stark"
        tap(match, "stark", "unseal")
        yield "stark"

    return transcript(("agot", "light"), HOUSES, script, everywhere)


def play_to_the_clash(match: Match) -> None:
    """Tap all that leads to the first sealed bids."""
    for deed in TO_THE_CLASH.replace("\n", " ").split(", "):
        tap(match, *deed.split())


@pytest.mark.django_db
@pytest.mark.parametrize("stop", ["clash", "unsealed", "wildlings"])
def test_no_bid_of_the_board_game_can_be_told_from_another(stop: str):
    """Every address at the first bid; at the others what a leak reaches first."""
    everywhere = stop == "clash"
    worlds = {
        amount: board_game(amount, stop, everywhere) for amount in ((0, 5) if everywhere else (0, 3, 5))
    }
    pairs = list(combinations(worlds, 2))
    assert [differences(worlds[one], worlds[other]) for one, other in pairs] == [[]] * len(pairs)
    assert len({role for role, _path, _seen in worlds[0]}) == 6


@pytest.mark.django_db
def test_no_bid_can_be_told_from_another_before_the_reveal():
    worlds = {amount: auction(amount) for amount in (0, 1, 5)}
    pairs = list(combinations(worlds, 2))
    assert [differences(worlds[one], worlds[other]) for one, other in pairs] == [[]] * len(pairs)
    roles = {role for role, _path, _seen in worlds[0]}
    assert len(roles) == 6
    assert len(worlds[0]) > 20 * len(roles)
    print(f"PROMISE P5: {len(pairs)} pairs of worlds, {len(worlds[0])} looks of {len(roles)} roles, 0 differ")


@pytest.mark.django_db
def test_no_throw_can_be_told_from_another_before_both_have_thrown():
    rock, paper = throws("rock"), throws("paper")
    assert differences(rock, paper) == []


@pytest.mark.django_db
def test_what_is_revealed_can_be_told_apart():
    """The worlds do differ, and the looks do reach what differs."""

    def script(match: Match, thing: str) -> Iterator[str]:
        tap(match, "red", f"throw:{thing}")
        tap(match, "blue", "throw:rock")
        yield "red"

    rock, paper = (
        transcript(("rps", "plain"), PLAYERS, partial(script, thing=thing), everywhere=False)
        for thing in ("rock", "paper")
    )
    assert len(differences(rock, paper)) == len(rock)


# --- leaks that have to be caught -----------------------------------------------------------------


def says_the_length(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    g.hide(seat, "bid", amount)
    g.say("%(house)s has bid %(mask)s", house=g.armies[seat].name, mask="*" * amount)


def forgets_nought(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    if amount:
        g.hide(seat, "bid", amount)
    g.say("%(house)s has bid", house=g.armies[seat].name)


def pays_at_once(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    g.hide(seat, "bid", amount)
    g.armies[seat].power -= amount
    g.say("%(house)s has bid", house=g.armies[seat].name)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("leak", "pair"), [(says_the_length, (1, 5)), (forgets_nought, (0, 1)), (pays_at_once, (1, 5))]
)
def test_a_leak_would_show(leak: Callable[..., None], pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch):
    (bid,) = {type(step) for step in system("auction").all_steps() if step.name == "bid"}
    monkeypatch.setattr(bid, "bid", leak)
    assert differences(auction(pair[0], everywhere=False), auction(pair[1], everywhere=False)) != []


@pytest.mark.django_db
def test_a_view_that_forgets_whose_it_is_would_show(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("games.log._owner_of_secret", lambda path: None)
    monkeypatch.setattr("games.core.engine.view", lambda state, seat: state)
    with a_world(("rps", "plain"), PLAYERS) as match:
        plant(match)
        found = canaries(match, others_than("red", match))
    assert found != []


# --- a marker in every hidden value ---------------------------------------------------------------


def plant(match: Match) -> None:
    """Hide a marker in every army and in the seed."""
    for army in match.armies.all():
        Army.objects.filter(pk=army.pk).update(hidden={"throw": f"canary-{army.key}"})
    Match.objects.filter(pk=match.pk).update(seed="canary-seed")


def canaries(match: Match, phones: dict[str, Phone]) -> list[tuple[str, str, str]]:
    """Whose marker anybody else can read, and where."""
    found = []
    for role, path, answer in looks(match, phones):
        for marker in set(re.findall(r"canary-\w+", repr(answer))):
            if marker.removeprefix("canary-") != role.removeprefix("robot "):
                found.append((role, path, marker))
    return found


@pytest.mark.django_db
def test_no_marker_leaves_its_seat():
    with a_world(("rps", "plain"), PLAYERS) as match:
        phones = others_than("nobody", match)
        plant(match)
        assert canaries(match, phones) == []


@pytest.mark.django_db
def test_what_a_database_dump_shows_of_an_entry_is_sealed():
    """The public columns of the log, which lists and exports are made of, never hold the bid."""
    with a_world(("auction", "tracks"), HOUSES) as match:
        tap(match, "stark", "bid:throne:4")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT action, lines, before, after, payload FROM games_entry WHERE match_id = %s",
                [match.pk],
            )
            public = repr(cursor.fetchall()[1:])
    assert "bid" in public
    assert not re.search(r"bid:throne:|(?<![\w])4(?![\w])", public)


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_no_stream_tells_a_throw_before_both_have_thrown(server: Server):
    told = {thing: frames(server, thing) for thing in ("rock", "paper", "scissors")}
    assert len(told["rock"]) >= 8
    assert told["rock"] == told["paper"] == told["scissors"]


def frames(server: Server, thing: str) -> list[object]:
    """All that blue's stream and a spectator's carry while red throws this."""
    match = play.open_match("rps", "plain", PLAYERS, seed=SEED)
    match.code = CODE
    match.save()
    blue, guest = Browser(server.port), Browser(server.port)
    blue.post(cast.link(match, "blue"), {"name": ""})
    carried: list[object] = []
    with (
        Listener(server.port, blue.stream_of(CODE)) as to_blue,
        Listener(server.port, guest.stream_of(CODE)) as to_guests,
    ):
        for version, deed in enumerate((None, f"throw:{thing}"), 1):
            if deed:
                tap(match, "red", deed)
            for stream in (to_blue, to_guests):
                event = stream.board(version)
                assert event
                carried += [event["id"], len(event["data"]), event["data"]]
    match.delete()
    return carried


@pytest.mark.django_db(transaction=True)
def test_no_stream_tells_a_bid_of_the_board_game_before_the_reveal(server: Server):
    told = {amount: frames_of_a_bid(server, amount) for amount in (0, 3, 5)}
    assert len(told[0]) == 18
    assert told[0] == told[3] == told[5]


def frames_of_a_bid(server: Server, amount: int) -> list[object]:
    """All that Lannister's stream and a spectator's carry while Stark seals, takes back and seals."""
    match = play.open_match("agot", "light", HOUSES, seed=SEED)
    match.code = CODE
    match.save()
    play_to_the_clash(match)
    match.refresh_from_db()
    before = match.version
    other, guest = Browser(server.port), Browser(server.port)
    other.post(cast.link(match, "lannister"), {"name": ""})
    carried: list[object] = []
    with (
        Listener(server.port, other.stream_of(CODE)) as to_other,
        Listener(server.port, guest.stream_of(CODE)) as to_guests,
    ):
        bid = f"bid:iron-throne:{amount}"
        for version, deed in enumerate((bid, "unseal", bid), before + 2):
            tap(match, "stark", deed)
            for stream in (to_other, to_guests):
                event = stream.board(version)
                assert event
                carried += [event["id"], len(event["data"]), event["data"]]
    match.delete()
    return carried
