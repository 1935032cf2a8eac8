"""Continue from here: a practice table begins with what everybody knew then, and never touches its match."""

from __future__ import annotations

import html
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from games import catalogue
from games.core import ABSENT, NONE, RequestRefused
from games.history import commits
from games.management.commands.plant import planted, seeds
from games.match import match_file, play, practice, storage
from games.models import Match
from games.web import clock
from tests.playing import Playing
from tests.trust import cast, twins
from tests.trust.test_secret_hands import SET_UP

pytestmark = pytest.mark.django_db

SEEDS = [path for game in ("tmg", "bushido", "agot") for path in seeds(game)]


def everything_of(match: Match) -> list[object]:
    """All rows that belong to a match, as the database has them."""
    found: list[object] = []
    for name in ("match", "army", "unit", "objective", "round", "score", "entry", "seat"):
        column = "id" if name == "match" else "match_id"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM games_{name} WHERE {column} = %s ORDER BY id", [match.pk])
            found += cursor.fetchall()
    return found


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_practice_table_goes_on_from_a_moment_and_never_touches_its_match(path: Path) -> None:
    match = planted(path)
    before, luck = everything_of(match), random.Random(1)
    for version in (1, match.version // 3, match.version // 2, match.version - 1):
        new = practice.open_practice(match, version)
        start = practice.beginning(match, storage.position(match, version), version)
        then, now = storage.position(match, start), storage.load(new).state
        assert commits.lines_for(new.entries.get(version=1), None)[0].message.startswith("Practice table")
        assert (now.units, now.objectives, now.round, now.flow) == (
            then.units,
            then.objectives,
            then.round,
            then.flow,
        )
        assert all(now.points(seat) == then.points(seat) for seat in now.seats)
        assert not any(army.name for army in now.armies.values())
        assert not any(score.author for score in now.scores.values())
        assert now.seed != then.seed
        assert now.drawn == 0
        assert (new.is_practice, new.is_listed, new.version) == (True, False, 1)
        Playing(new).at_random(luck, 15)
    assert everything_of(match) == before
    call_command("replay", "--all", "--check")


def test_it_begins_as_it_was_then_although_somebody_taps_before_it_opens() -> None:
    match = play.open_match("tmg", "manual-scoring", {"red": "Anna", "blue": "Bo"})
    for _time in range(2):
        play.edit(match.code, lambda g: g.score("red", 1, "points"), "Anna", "as played")
    seen = Match.objects.get(pk=match.pk)
    play.edit(match.code, lambda g: g.score("red", 5, "points"), "Anna", "as played")
    new = practice.open_practice(seen, 3)
    assert storage.load(new).state.points("red") == 2


def test_the_players_names_stay_behind() -> None:
    """Whoever practises on a stranger's match keeps nobody's name for longer than that match does."""
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Ben"})
    play.edit(match.code, lambda g: g.score("red", 1, "a gift"), "Anna", "counted by Ben")
    for version in range(1, Match.objects.get(pk=match.pk).version + 1):
        new = practice.open_practice(match, version)
        assert not re.search("Anna|Ben", repr(everything_of(new))), version


def test_a_practice_table_is_exported_checked_and_comes_back(tmp_path: Path) -> None:
    match = planted(SEEDS[0])
    new = practice.open_practice(match, match.version // 2)
    Playing(new).at_random(random.Random(2), 40)
    new.refresh_from_db()
    file = json.loads(json.dumps(match_file.whole(new)))
    again, was_here = match_file.import_match(file, storage.load)
    assert not was_here
    assert storage.load(again).state.to_json() == storage.load(new).state.to_json()
    assert not list(storage.misfits(new))
    for moment in storage.outline(new):
        assert Client().get(f"/t/{new.code}/replay/{moment.version}").status_code == 200


# --- secrets --------------------------------------------------------------------------------------

LEADING = "stark bid:throne:2, lannister bid:throne:1"


@pytest.fixture
def auction() -> Match:
    """Two of three have sealed their bids."""
    match = play.open_match("auction", "tracks", twins.HOUSES, seed="practice")
    for action in LEADING.split(", "):
        twins.tap(match, *action.split())
    match.refresh_from_db()
    return match


def test_what_is_sealed_is_asked_again(auction: Match) -> None:
    sealed = storage.position(auction, auction.version)
    assert any(army.hidden for army in sealed.armies.values())
    start = practice.beginning(auction, sealed, auction.version)
    assert start == auction.version - 2
    new = practice.open_practice(auction, auction.version)
    assert not any(army.hidden for army in storage.load(new).state.armies.values())
    assert not new.entries.get(version=1).sealed
    assert f"from entry {start} of table {auction.code}" in Client().get(f"/t/{new.code}/").content.decode()


def test_before_anything_is_sealed_it_begins_where_it_was_asked_for(auction: Match) -> None:
    start = auction.version - 2
    assert practice.beginning(auction, storage.position(auction, start), start) == start


SECOND = "baratheon bid:throne:0, stark bid:fiefdoms:1"


def test_what_was_sealed_and_opened_long_ago_is_no_secret(auction: Match) -> None:
    """Another match seals in the same versions, and this one goes on after the moment in question."""
    other = play.open_match("auction", "tracks", twins.HOUSES, seed="another")
    twins.tap(other, "baratheon", "bid:throne:1")
    first = auction.version
    for action in SECOND.split(", "):
        twins.tap(auction, *action.split())
    auction.refresh_from_db()
    last = auction.version
    assert practice.beginning(auction, storage.position(auction, last), last) == last - 1
    assert practice.beginning(auction, storage.position(auction, first), first) == first - 2


def test_what_a_finished_match_keeps_to_its_end_is_asked_again(auction: Match) -> None:
    """Whoever holds it, a practice table with every side on one phone must not show it."""
    for action in SECOND.split(", "):
        twins.tap(auction, *action.split())
    end = {"winner": "stark", "how": "adjudication"}
    Match.objects.filter(pk=auction.pk).update(result=end, finished_at=clock.now())
    auction.refresh_from_db()
    state = replace(storage.position(auction, auction.version), result=None)
    assert state.armies["stark"].hidden
    assert practice.beginning(auction, state, auction.version) == auction.version - 1


def with_decks() -> Match:
    """A match whose tactics cards the app keeps, with cards in both hands."""
    match = play.open_match("tmg", "manual-scoring", twins.PLAYERS, {"decks": 1}, seed="decks")
    for action in SET_UP:
        twins.tap(match, *action.split())
    match.refresh_from_db()
    return match


def test_hands_are_dealt_again_from_what_everybody_knows() -> None:
    match = with_decks()
    old = storage.load(match).state
    hands = set()
    for _table in range(4):
        now = storage.load(practice.open_practice(match, match.version)).state
        for seat, army in now.armies.items():
            was = old.armies[seat]
            assert (army.hand, army.deck) == (was.hand, was.deck)
            assert sorted(army.hidden["hand"] + army.hidden["deck"]) == sorted(
                was.hidden["hand"] + was.hidden["deck"]
            )
        hands.add(json.dumps([army.hidden["hand"] for army in now.armies.values()]))
    assert len(hands) > 1


def test_what_a_finished_match_has_revealed_is_no_secret_and_what_it_kept_is() -> None:
    match = play.open_match("auction", "tracks", twins.HOUSES, seed="over")
    twins.tap(match, "stark", "bid:throne:2")
    match.refresh_from_db()
    version, sealed = match.version, storage.position(match, match.version)
    assert practice.beginning(match, sealed, version) < version
    Playing(match).at_random(random.Random(4), 400)
    match.refresh_from_db()
    assert match.result is not None
    assert not any(army.hidden for army in storage.load(match).state.armies.values())
    assert practice.beginning(match, sealed, version) == version
    new = practice.open_practice(match, version)
    assert storage.load(new).state.armies["stark"].hidden == sealed.armies["stark"].hidden
    # Secrets known from the finished match are sealed at this table from its first entry on.
    again = practice.beginning(new, storage.load(new).state, 1)
    assert again == 0
    with pytest.raises(RequestRefused):
        practice.open_practice(new, 1)
    twins.tap(new, "lannister", "bid:throne:1")
    new.refresh_from_db()
    assert practice.beginning(new, storage.load(new).state, 2) == 0


# --- rules that changed since ---------------------------------------------------------------------


def test_rules_that_cannot_go_on_from_a_moment_say_so(auction: Match, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def broken(g: object) -> None:
        raise KeyError("a piece of long ago")

    monkeypatch.setattr(practice.core, "advance", broken)
    with pytest.raises(RequestRefused) as refused:
        practice.open_practice(auction, 1)
    assert (refused.value.status, refused.value.error) == (409, "impossible")
    assert Match.objects.count() == 1


def test_rules_that_go_on_from_a_moment_know_what_organisers_say_of_the_game(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    known = []
    match = planted(SEEDS[0])
    monkeypatch.setattr(practice.core, "advance", lambda g: known.append(g.entries))
    practice.open_practice(match, match.version // 2)
    assert known == [catalogue.current(match.system)]
    assert known != [NONE]


# --- pages ----------------------------------------------------------------------------------------


def post(phone: cast.Phone, match: Match, version: object, key: str = "practice-key-0") -> object:
    return phone.ask("POST", f"/t/{match.code}/replay/{version}/practice", {"key": key})


def test_a_tap_opens_a_table_with_every_side_on_this_phone(auction: Match) -> None:
    phone = cast.Phone()
    answer = post(phone, auction, 1)
    new = Match.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{new.code}/")
    source = html.unescape(phone.ask("GET", f"/t/{new.code}/").content.decode())
    assert "Practice · " in source
    assert new.seats.filter(is_taken=True).count() == 3
    assert post(phone, auction, 1)["Location"] == f"/t/{new.code}/"
    assert Match.objects.latest("pk") == new
    assert post(phone, auction, 1, "practice-key-1")["Location"] != f"/t/{new.code}/"


@pytest.mark.parametrize("way", ["/t/{code}/replay/1/practice", "/first-steps/tmg"])
def test_an_organiser_sees_that_practice_tables_come_from_one_address_and_not_which(
    auction: Match, way: str
) -> None:
    found = []
    for number, address in enumerate(("10.20.30.40", "10.20.30.40", "10.20.30.41")):
        client, path = Client(REMOTE_ADDR=address), way.format(code=auction.code)
        assert client.post(path, {"key": f"practice-key-{number}"}).status_code == 302
        found.append(Match.objects.latest("pk").opened_from)
    assert [len(one) for one in found] == [64] * 3
    assert found[0] == found[1] != found[2]


def test_where_the_match_is_over_nothing_goes_on() -> None:
    match = planted(next(path for path in seeds("tmg") if "finished" in path.stem))
    count = Match.objects.count()
    assert post(cast.Phone(), match, match.version).status_code == 409
    for wrong in (0, match.version + 1, "x"):
        assert post(cast.Phone(), match, wrong).status_code == 404
    assert Match.objects.count() == count
    source = Client().get(f"/t/{match.code}/replay/{match.version}").content.decode()
    assert "Continue from here" not in source
    assert (
        "Continue from here" in Client().get(f"/t/{match.code}/replay/{match.version - 1}").content.decode()
    )


def test_one_value_that_is_revealed_leaves_the_others_of_its_seat_sealed():
    whole = practice._with(set(), "red", "army/red", {"hidden": {"bid": 1, "vim": "oni"}})
    assert whole == {("red", "bid"), ("red", "vim")}
    assert practice._with(whole, "red", "army/red/hidden/bid", ABSENT) == {("red", "vim")}
    assert practice._with(set(), "red", "army/red/hidden/bid", 1) == {("red", "bid")}
