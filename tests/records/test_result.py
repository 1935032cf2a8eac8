"""A result says who played what, how it ended and why, in numbers that were worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.urls import reverse

from games.core import system
from games.core.corrections import result_fields
from games.match import match_file, play
from games.models import Entry, Match, Round
from games.results import kind_of_end, result_of
from games.systems.agot.pieces import THRONE, House
from games.systems.bushido.pieces import Unit as Model
from games.translation import override_game
from tests.playing import played_on
from tests.records.conftest import opened, position


def side(told, seat):  # type: ignore[no-untyped-def]
    return next(one for one in told["sides"] if one["seat"] == seat)


def test_the_score_so_far(skirmish):
    match, g = skirmish
    told = result_of(match, g)
    assert (told["status"], told["end"]) == ("running", None)
    red, blue = told["sides"]
    assert (red["name"], red["colour"], blue["name"]) == ("Anna", "Red", "")
    assert (red["faction"], blue["faction"]) == ({"key": "stark", "title": "Stark"}, None)
    assert (red["list_cost"], blue["list_cost"]) == (40, 38)
    assert (red["points"], red["difference"], blue["points"], blue["difference"]) == (3, 2, 1, -2)
    assert red["tie_breaks"] == {"points_destroyed": 11, "points_on_table": 6}
    assert blue["tie_breaks"] == {"points_destroyed": 5, "points_on_table": 0}
    assert [one["place"] for one in told["sides"]] == [None, None]
    assert told["rounds"] == [
        {"number": 1, "title": "Round 1", "first": "blue", "points": {"red": 2, "blue": 0}},
        {"number": 2, "title": "Round 2", "first": "red", "points": {"red": 1, "blue": 1}},
    ]
    assert [(one["round"], one["seat"], one["points"], one["source"]) for one in told["scores"]] == [
        (1, "red", 2, "Centre"),
        (2, "red", 1, "East"),
        (2, "blue", 1, "West"),
    ]
    assert told["rules"]["options"] == {"points": 40, "target": 10, "strict": 0, "ruleset": 2020, "decks": 0}


def test_points_from_the_set_up_stand_before_the_first_round(skirmish):
    match, g = skirmish
    g.scores["1"] = replace(g.scores["1"], round=0)
    told = result_of(match, g)["rounds"]
    assert [(one["number"], one["first"], one["points"]) for one in told] == [
        (0, None, {"red": 2, "blue": 0}),
        (1, "blue", {"red": 0, "blue": 0}),
        (2, "red", {"red": 1, "blue": 1}),
    ]


@pytest.mark.parametrize(
    ("winner", "how", "kind", "places"),
    [
        ("red", "points", "played", [1, 2]),
        ("blue", "concession", "conceded", [2, 1]),
        ("red", "time-out", "time", [1, 2]),
        (None, "adjudication", "adjudicated", [1, 1]),
        (None, "draw", "played", [1, 1]),
    ],
)
def test_how_it_ended(skirmish, winner, how, kind, places):
    match, g = skirmish
    g.result = result_fields(g, winner, how)
    told = result_of(match, g)
    assert told["status"] == "finished"
    assert (told["end"]["kind"], told["end"]["how"], told["end"]["winner"]) == (kind, how, winner)
    assert [one["place"] for one in told["sides"]] == places


def test_the_clock_of_one_player_is_time_too():
    assert (kind_of_end("clock"), kind_of_end("last-turn")) == ("time", "played")


def test_titles_are_in_the_readers_language_and_keys_are_not(skirmish):
    match, g = skirmish
    g.result = result_fields(g, "red", "concession")
    with override_game("tmg", "zh-hans"):
        told = result_of(match, g)
    assert side(told, "red")["faction"] == {"key": "stark", "title": "史塔克"}
    assert told["game"]["slug"] == "tmg"
    assert told["game"]["title"] != "A Song of Ice and Fire: Tabletop Miniatures Game"
    assert told["end"]["sentence"] not in ("concession", "by concession")


# --- Bushido: when a VIM was removed --------------------------------------------------------------


@pytest.fixture
def duel(db):  # type: ignore[no-untyped-def]
    match = opened("bushido", "risen-sun", {"red": "Anna", "blue": "Ben"})
    g = position(match)
    g.units["oni"] = Model("oni", "blue", name="Oni", place="removed")
    g.armies["red"].scenario_points, g.armies["red"].rice, g.armies["blue"].vim = 4, 99, "oni"
    return match, g


def noted(match: Match, *moments: tuple[int, str]) -> None:
    """Entries that put the model somewhere, by turn."""
    for version, (turn, place) in enumerate(moments, 2):
        after = {"unit/oni/place": place, "army/red/scenario_points": version}
        Entry.objects.create(match=match, version=version, kind="tap", round=turn, after=after)


@pytest.mark.parametrize(
    ("moments", "turn"),
    [
        ([(1, "table"), (3, "removed")], {"enemy_vim_removed": 3}),
        ([(2, "removed"), (2, "table"), (4, "removed")], {"enemy_vim_removed": 4}),
        ([(1, "table")], {}),
        ([], {}),
    ],
)
def test_the_turn_in_which_a_vim_was_removed(duel, moments, turn):
    match, g = duel
    noted(match, *moments)
    noted(opened("bushido", "risen-sun", {"red": "Ada", "blue": "Bob"}), (5, "table"), (6, "removed"))
    told = result_of(match, g)
    assert side(told, "red")["turning_points"] == turn
    assert side(told, "blue")["turning_points"] == {}
    assert (side(told, "red")["tie_breaks"], side(told, "red")["list_cost"]) == ({"scenario_points": 4}, 99)
    assert side(told, "blue")["list_cost"] is None


def test_nobody_is_told_of_a_vim_that_is_still_hidden(duel):
    match, g = duel
    noted(match, (3, "removed"))
    g.armies["blue"].vim = "?"
    g.armies["blue"].hidden = {"vim": "oni"}
    told = result_of(match, g)
    assert side(told, "red")["turning_points"] == {}
    assert "oni" not in json.dumps(told)


def test_what_a_game_counts_is_read_as_a_spectator_reads_it(db, monkeypatch):
    """Whatever a game works out of a position, it has none of the sealed values to work with."""
    match = opened("auction", "tracks", {"stark": "A", "lannister": "B", "baratheon": "C"})
    play.tap(match.code, "stark", "bid:throne:4", match.version, "a-key-0")
    match.refresh_from_db()

    def sealed(_game, g, seat):
        return g.armies[seat].hidden

    monkeypatch.setattr(type(system("auction")), "tie_breaks", sealed)
    assert [one["tie_breaks"] for one in result_of(match)["sides"]] == [{"bid": None}, {}, {}]


def test_one_side_alone_is_behind_nobody(skirmish):
    match, g = skirmish
    del g.armies["blue"]
    g.scores = {key: score for key, score in g.scores.items() if score.seat == "red"}
    assert [one["difference"] for one in result_of(match, g)["sides"]] == [0]


# --- the board game: places ------------------------------------------------------------------------

HOUSES = {"stark": "A", "lannister": "B", "baratheon": "C", "greyjoy": "D"}


@pytest.fixture
def thrones(db):  # type: ignore[no-untyped-def]
    """Greyjoy has 4 castles; the others 3: Stark has more land, and of the two left Baratheon more supply."""
    match = opened("agot", "light", HOUSES)
    g = position(match)
    numbers = {"stark": (3, 9, 1), "lannister": (3, 7, 2), "baratheon": (3, 7, 4), "greyjoy": (4, 1, 0)}
    g.round = 10
    for seat, (castles, land, supply) in numbers.items():
        house: House = g.armies[seat]
        house.land, house.supply, house.power = land, supply, 5
        g.score(seat, castles, "castles and strongholds")
    g.set_track(THRONE, ("lannister", "greyjoy", "stark", "baratheon"))
    return match, g


def test_houses_are_placed_as_the_rules_break_ties(thrones):
    match, g = thrones
    g.result = result_fields(g, "greyjoy", "castles")
    told = result_of(match, g)
    places = {one["seat"]: one["place"] for one in told["sides"]}
    assert places == {"greyjoy": 1, "stark": 2, "baratheon": 3, "lannister": 4}
    expected = {"land_areas": 7, "supply": 4, "power": 5, "iron_throne": 4}
    assert side(told, "baratheon")["tie_breaks"] == expected
    assert [one["difference"] for one in told["sides"]] == [-1, -1, -1, 1]


def test_the_iron_throne_breaks_the_last_tie(thrones):
    match, g = thrones
    for army in g.armies.values():
        army.land = army.supply = 0
    g.result = result_fields(g, "baratheon", "adjudication")
    places = {one["seat"]: one["place"] for one in result_of(match, g)["sides"]}
    assert places == {"baratheon": 1, "greyjoy": 2, "lannister": 3, "stark": 4}
    assert "land_areas" not in side(result_of(match, g), "stark")["tie_breaks"]


# --- time, history, addresses ----------------------------------------------------------------------


def elsewhere(begun):
    """Another table at which a round has begun and somebody has tapped."""
    other = played_on(opened("rps", "plain", {"red": "Ada", "blue": "Bob"}), 6)
    Round.objects.filter(match=other, number=1).update(begun_at=begun)
    return other


def test_times_and_counts(db):
    elsewhere(datetime(2026, 4, 1, tzinfo=UTC))
    match = played_on(opened("rps", "plain", {"red": "Anna", "blue": "Ben"}), 6)
    begun = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)
    Round.objects.filter(match=match, number=1).update(begun_at=begun)
    Match.objects.filter(pk=match.pk).update(
        created_at=begun - timedelta(minutes=5), finished_at=begun + timedelta(minutes=2)
    )
    match.refresh_from_db()
    told = result_of(match)
    taps = match.entries.filter(kind="tap").count()
    assert taps >= 2
    assert told["times"] == {
        "opened_at": "2026-05-01T18:25:00Z",
        "began_at": "2026-05-01T18:30:00Z",
        "ended_at": "2026-05-01T18:32:00Z",
        "seconds": 120,
    }
    assert told["history"]["entries"] == match.version
    assert told["history"]["taps"] == taps
    assert told["history"]["fingerprint"] == match.entries.get(version=match.version).hash


def test_a_clock_that_was_set_back_counts_no_seconds(db):
    match = played_on(opened("rps", "plain", {"red": "Anna", "blue": "Ben"}), 6)
    begun = Round.objects.get(match=match, number=1).begun_at
    match.finished_at = begun - timedelta(minutes=5)
    assert result_of(match)["times"]["seconds"] == 0


def test_practice_is_told_from_matches(skirmish):
    match, g = skirmish
    assert (result_of(match, g)["is_demo"], result_of(match, g)["is_practice"]) == (False, False)
    match.is_practice = True
    assert (result_of(match, g)["is_demo"], result_of(match, g)["is_practice"]) == (False, True)


def test_what_was_undone_is_counted(db):
    match = opened("rps", "plain", {"red": "Anna", "blue": "Ben"})
    entry = Entry.objects.create(match=match, version=2, kind="tap")
    Entry.objects.create(match=match, version=3, kind="undo", undoes=entry)
    Entry.objects.create(match=match, version=4, kind="adjust")
    Entry.objects.create(match=match, version=5, kind="edit")
    history = result_of(match)["history"]
    assert (history["taps"], history["undone"], history["corrections"]) == (1, 1, 2)


@pytest.fixture
def finished(db):  # type: ignore[no-untyped-def]
    match = played_on(opened("rps", "plain", {"red": "Anna", "blue": "Ben"}), 400)
    assert match.result is not None
    return match


def test_who_knows_the_code_gets_the_result(client, finished):
    Match.objects.filter(pk=finished.pk).update(is_listed=False)
    answer = client.get(f"/t/{finished.code}/result.json")
    told = answer.json()
    assert answer["Content-Type"] == "application/json"
    assert answer["Link"] == '</schema/result-1.json>; rel="describedby"'
    assert (told["code"], told["end"]["winner"]) == (finished.code, finished.result["winner"])
    assert told == client.get(f"/api/matches/{finished.code}/result").json()
    missing = client.get("/t/NOSUCH/result.json")
    assert (missing.status_code, missing.json()["error"]) == (404, "unknown")


def test_the_score_card_leads_to_the_result(client, finished):
    page = client.get(f"/t/{finished.code}/score").content.decode()
    assert f'href="/t/{finished.code}/result.json"' in page


def test_a_result_that_the_reader_has_is_not_sent_again(client, finished):
    path = reverse("result", args=[finished.code])
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(path, headers={"If-None-Match": tag, "Accept-Language": "zh-hans"}).status_code == 200
    play.remark(finished.code, play.say("A word."))
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("name", ["result", "picture", "api:match", "api:result"])
def test_what_another_history_or_program_tells_is_sent_again(client, finished, monkeypatch, name):
    path, before = reverse(name, args=[finished.code]), transaction.savepoint()
    play.remark(finished.code, play.say("A word."))
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    monkeypatch.setattr("games.web.program.program", lambda: "a later one")
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200
    monkeypatch.undo()
    transaction.savepoint_rollback(before)
    play.remark(finished.code, play.say("Another word."))
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_an_imported_match_keeps_the_times_of_its_rounds(finished):
    begun = Round.objects.get(match=finished, number=1).begun_at
    file = json.loads(json.dumps(match_file.whole(finished)))
    twin, _is_replay = match_file.import_match(file, lambda match: None)
    opening = Entry.objects.filter(match=finished, after__has_key="round/1").get()
    assert Round.objects.get(match=twin, number=1).begun_at == opening.created_at
    assert abs(begun - opening.created_at) < timedelta(seconds=5)
    assert result_of(twin)["times"]["seconds"] is not None
