"""What a seat does over the API: taps, corrections, taking back, armies; once each, or not at all."""

import json

import pytest
from django.db import connection

from config.data.sqlite import driver
from games.match import storage
from games.models import Entry, Match
from tests.api.robots import Caller, Table, fresh_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(client):
    return Table(client)


def facts(table):
    """Everything that an action can change."""
    match = Match.objects.get(code=table.code)
    return match.version, match.undo_request, storage.load(match).state.to_json(), Entry.objects.count()


def error(answer):
    return answer.status_code, answer.json()["error"]


def test_a_tap_is_answered_with_the_fresh_position(table):
    answer = table.tap("red", "throw:rock")
    seen = answer.json()
    assert answer.status_code == 200
    assert (seen["accepted"], seen["replayed"], seen["version"]) == (True, False, 2)
    assert {name: value for name, value in seen.items() if name not in ("accepted", "replayed")} == (
        table.look("red")
    )
    assert "Idempotent-Replay" not in answer


def test_the_same_key_again_is_answered_as_before(table):
    body = {"action": "throw:rock", "seen": 1, "key": "once-and-only"}
    first = table.do("red", "act", body)
    table.tap("blue", "throw:rock")
    before = facts(table)
    again = table.do("red", "act", body)
    assert again.status_code == first.status_code == 200
    assert again["Idempotent-Replay"] == "1"
    assert again.json()["replayed"]
    assert again.json()["version"] == 3
    assert facts(table) == before


def test_the_same_key_for_something_else_is_422(table):
    body = {"action": "throw:rock", "seen": 1, "key": "once-and-only"}
    table.do("red", "act", body)
    before = facts(table)
    assert error(table.do("red", "act", {**body, "action": "throw:paper"})) == (422, "key_reused")
    adjust = {"path": "table", "action": "score:red:1", "key": "once-and-only"}
    assert error(table.do("red", "adjust", adjust)) == (422, "key_reused")
    assert facts(table) == before


def test_keys_are_each_seats_own(table):
    body = {"seen": 1, "key": "everybodys-key"}
    assert table.do("red", "act", {**body, "action": "throw:rock"}).status_code == 200
    assert table.do("blue", "act", {**body, "action": "throw:paper"}).status_code == 200


def test_a_refusal_stores_no_key(table):
    body = {"action": "throw:rock", "key": "tried-before"}
    assert error(table.do("red", "act", {**body, "seen": 9})) == (409, "stale")
    assert table.do("red", "act", {**body, "seen": 1}).status_code == 200


def test_simultaneous_answers_do_not_make_each_other_stale(table):
    assert table.do("red", "act", {"action": "throw:rock", "seen": 1}).status_code == 200
    assert table.do("blue", "act", {"action": "throw:rock", "seen": 1}).status_code == 200


REFUSALS = [
    ("red", {"action": "throw:well", "seen": 2}, 409, "not_offered"),
    ("red", {"action": "throw:rock", "seen": 1}, 409, "not_offered"),
    ("blue", {"action": "throw:rock", "seen": 0}, 409, "stale"),
    ("blue", {"action": "throw:rock", "seen": 99}, 409, "stale"),
    ("blue", {"action": "throw:rock:3", "seen": 2}, 409, "not_offered"),
    ("blue", {"action": "__class__", "seen": 2}, 422, "unreadable"),
    ("blue", {"action": "run", "seen": 2}, 409, "not_offered"),
    ("blue", {"action": "asked", "seen": 2}, 409, "not_offered"),
    ("blue", {"action": "copy", "seen": 2}, 409, "not_offered"),
]


@pytest.mark.parametrize(("seat", "body", "status", "word"), REFUSALS)
def test_a_refused_tap_says_why_and_changes_nothing(table, seat, body, status, word):
    table.tap("red", "throw:rock")
    before = facts(table)
    answer = table.do(seat, "act", body)
    assert error(answer) == (status, word)
    assert answer.json()["message"]
    assert facts(table) == before


def test_a_409_brings_the_fresh_position_and_the_rule(table):
    table.tap("red", "throw:rock")
    refused = table.tap("red", "throw:rock").json()
    assert refused["rule"] == "RPS-1"
    assert refused["version"] == 2
    assert refused["match"] == table.look("red")


def test_a_watcher_cannot_do_anything(table):
    for action, body in ACTIONS.items():
        answer = table.watcher.post(f"matches/{table.code}/{action}", {**body, "key": fresh_key()})
        assert error(answer) == (401, "no_token")
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert set(answer.json()) == {"error", "message", "rule"}


ACTIONS = {
    "act": {"action": "throw:rock", "seen": 1},
    "adjust": {"path": "table", "action": "score:1"},
    "undo": {"version": 1},
    "undo/answer": {"agree": True},
    "army": {"text": "Faction: Stark"},
}


def test_nothing_is_done_at_an_unknown_table(table):
    for action, body in ACTIONS.items():
        answer = table.seats["red"].post(f"matches/ZZZZZZ/{action}", {**body, "key": fresh_key()})
        assert error(answer) == (404, "unknown")


def test_after_the_end_nothing_is_offered(table):
    for _throw in range(2):
        table.tap("red", "throw:rock")
        table.tap("blue", "throw:scissors")
    assert table.look()["result"]["winner"] == "red"
    before = facts(table)
    assert table.tap("red", "throw:rock").status_code == 409
    assert error(table.do("red", "adjust", ACTIONS["adjust"])) == (409, "finished")
    assert facts(table) == before


# --- corrections ---------------------------------------------------------------------------------


def test_what_may_be_corrected_is_told_and_done(client):
    table = Table(client, "auction", "tracks", 3)
    told = table.seats["stark"].get(f"matches/{table.code}/adjustments").json()
    assert "army/martell" not in told["paths"]
    assert "army/stark" in told["paths"]
    told = table.seats["stark"].get(f"matches/{table.code}/adjustments?path=army/stark").json()
    offer = next(offer for offer in told["offers"] if offer["action"] == "power:stark")
    assert (offer["min"], offer["max"]) == (-5, 15)
    body = {"path": "army/stark", "action": "power:stark:-2", "note": "counted again"}
    answer = table.do("lannister", "adjust", body)
    assert answer.status_code == 200
    assert answer.json()["table"]["armies"]["stark"]["power"] == 3
    newest = table.look()["log"][0]
    assert (newest["kind"], newest["seat"], newest["path"]) == ("adjust", "lannister", "army/stark")
    assert Entry.objects.latest("version").note == "counted again"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"path": "army/stark", "action": "power:stark:99"}, 409),
        ({"path": "army/nobody", "action": "power:stark:1"}, 409),
        ({"path": "army/stark/hidden/bid", "action": "power:stark:1"}, 422),
        ({"path": "seed", "action": "power:stark:1"}, 422),
        ({"path": "army/stark", "action": "power"}, 409),
        ({"path": "army/stark", "action": "power:stark:-1", "note": "a\nb"}, 422),
        ({"path": "army/stark", "action": "power:stark:-1", "note": "x" * 201}, 422),
    ],
)
def test_a_refused_correction_changes_nothing(client, change, status):
    table = Table(client, "auction", "tracks", 3)
    before = facts(table)
    assert table.do("stark", "adjust", change).status_code == status
    assert facts(table) == before


@pytest.mark.parametrize(
    "path", ["unit/nobody", "army/../stark", "round", "%00", "x" * 5000, "army/stark/hidden"]
)
def test_a_piece_that_is_not_there_is_404(table, path):
    answer = table.seats["red"].get(f"matches/{table.code}/adjustments?path={path}")
    assert error(answer) == (404, "unknown")


def test_a_watcher_is_not_told_what_may_be_corrected(table):
    answer = table.watcher.get(f"matches/{table.code}/adjustments")
    assert error(answer) == (401, "no_token")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_wrong_token_is_403_for_every_action_and_asks_for_no_other(table, client):
    """A token was sent: it is refused, not asked for."""
    foreign = Table(client).seats["red"]
    for action, body in ACTIONS.items():
        answer = foreign.post(f"matches/{table.code}/{action}", {**body, "key": fresh_key()})
        assert error(answer) == (403, "bad_token")
        assert "WWW-Authenticate" not in answer


# --- taking back ---------------------------------------------------------------------------------


def test_an_own_action_is_taken_back_at_once(table):
    table.tap("red", "throw:rock")
    answer = table.do("red", "undo", {"version": 2})
    assert answer.status_code == 200
    assert answer.json()["to_act"] == ["red", "blue"]
    assert [action["undone"] for action in answer.json()["log"]] == [False, True, False]


def test_a_reveal_is_taken_back_when_the_other_agrees(client, table):
    table.tap("red", "throw:rock")
    table.tap("blue", "throw:scissors")
    other = Table(client)
    for seat in ("red", "blue"):
        other.tap(seat, "throw:paper")
    table.do("blue", "undo", {"version": 3})
    assert len(table.look()["take_back"]["actions"]) == 1
    assert table.look()["scores"]["red"] == 1
    assert error(table.do("blue", "undo/answer", {"agree": True})) == (409, "not_asked")
    assert table.do("red", "undo/answer", {"agree": True}).status_code == 200
    assert table.look()["scores"]["red"] == 0
    assert table.look()["take_back"] is None


def test_an_undo_waits_for_those_who_have_not_agreed_yet(client):
    table = Table(client, "auction", "tracks", 3)
    for amount, seat in enumerate(("stark", "lannister", "baratheon")):
        table.tap(seat, f"bid:throne:{amount}")
    table.do("stark", "undo", {"version": 4})
    assert sorted(table.look()["take_back"]["waits_for"]) == ["baratheon", "lannister"]
    assert table.do("lannister", "undo/answer", {"agree": True}).status_code == 200
    assert table.look()["take_back"]["waits_for"] == ["baratheon"]


def test_a_request_can_be_declined(table):
    table.tap("red", "throw:rock")
    table.tap("blue", "throw:scissors")
    table.do("blue", "undo", {"version": 3})
    assert table.do("red", "undo/answer", {"agree": False}).status_code == 200
    assert table.look()["take_back"] is None
    assert table.look()["scores"]["red"] == 1


def test_what_cannot_be_taken_back_is_409(table):
    table.tap("red", "throw:rock")
    table.do("red", "undo", {"version": 2})
    for version in (0, 1, 2, 3, 4, 999_999):
        assert error(table.do("red", "undo", {"version": version})) == (409, "nothing_to_undo")
    assert error(table.do("red", "undo/answer", {"agree": True})) == (409, "no_request")


# --- armies --------------------------------------------------------------------------------------


def test_an_army_is_brought_until_ready(client):
    table = Table(client, "tmg", "a-game-of-thrones")
    answer = table.do("red", "army", {"text": "Faction: Stark\n\nCombat Units\n • Stark Sworn Swords ( 5 )"})
    assert answer.status_code == 200
    units = answer.json()["table"]["units"].values()
    assert [unit["name"] for unit in units if unit["army"] == "red"] == ["Stark Sworn Swords"]
    table.tap("red", "ready")
    before = facts(table)
    refused = table.do("red", "army", {"text": "Faction: Stark\n\nCombat Units\n • Umber Berserkers ( 7 )"})
    assert error(refused) == (409, "not_offered")
    assert facts(table) == before


def test_the_words_of_a_list_that_were_not_used_are_told_by_their_lines(client):
    table = Table(client, "tmg", "a-game-of-thrones")
    text = "Faction: Stark\nPlayer: Bob\n • Stark Sworn Swords ( 5 ) // painted"
    assert table.do("red", "army", {"text": text}).json()["unused"] == [
        {"line": 2, "text": "Player: Bob"},
        {"line": 3, "text": "painted"},
    ]
    assert table.do("red", "army", {"text": "Faction: Stark\n • Stark Bowmen ( 6 )"}).json()["unused"] == []


# --- a busy database -----------------------------------------------------------------------------


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the lock of a whole database is SQLite's")
@pytest.mark.django_db(transaction=True)
def test_a_locked_database_is_503_and_the_same_key_works_later(client):
    table = Table(client)
    body = json.dumps({"action": "throw:rock", "seen": 1, "key": "patient-key"})
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    other = driver.connect(connection.settings_dict["NAME"])
    other.execute("BEGIN IMMEDIATE")
    busy = table.seats["red"].send(f"matches/{table.code}/act", body)
    other.rollback()
    other.close()
    assert error(busy) == (503, "busy")
    assert busy["Retry-After"] == "1"
    assert table.seats["red"].send(f"matches/{table.code}/act", body).json()["version"] == 2
    connection.close()


def test_a_seat_that_is_not_the_tokens_cannot_be_named(table):
    body = {"action": "throw:rock", "seen": 1, "seat": "blue"}
    assert error(table.do("red", "act", body)) == (422, "unreadable")
    assert Caller(table.watcher.client).get(f"matches/{table.code}").json()["version"] == 1
