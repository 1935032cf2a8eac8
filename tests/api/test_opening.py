"""A program opens a match: its seats, their tokens and links, and everything that is refused."""

import pytest
from django.test import Client

from games.hall import commands
from games.hall.event_actions import Actor
from games.hall.models import Event, EventEntry, Helper
from games.models import Entry, Match, Seat
from games.people import seats
from tests.api.robots import Caller, Table

pytestmark = pytest.mark.django_db

TWO = [{"name": "Anna"}, {"name": "Bo"}]
RPS = {"system": "rps", "mode": "plain", "seats": TWO}
TMG = {"system": "tmg", "mode": "a-game-of-thrones", "seats": TWO}

LIST = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell

Combat Units
 • Stark Sworn Swords ( 5 )
"""


def test_every_game_is_listed_with_what_it_takes_to_open_it(client):
    games = {game["slug"]: game for game in Caller(client).get("systems").json()["systems"]}
    assert games["auction"]["seats"] == {"min": 3, "max": 6}
    assert games["rps"]["modes"] == [{"slug": "plain", "title": "Plain"}]
    assert [colour["slug"] for colour in games["tmg"]["colours"]] == ["red", "blue"]
    points = next(option for option in games["tmg"]["options"] if option["name"] == "points")
    assert points["min"] <= points["default"] <= points["max"]
    assert "stark" in {army["slug"] for army in games["tmg"]["armies"]}


def test_each_seat_gets_a_token_and_a_link(client):
    table = Table(client)
    red, blue = table.opened["seats"]
    assert (red["seat"], blue["seat"]) == ("red", "blue")
    assert len({red["token"], blue["token"], red["link"], blue["link"]}) == 4
    assert table.look("red")["seat"] == "red"
    assert table.look("blue")["seat"] == "blue"


def test_whoever_opens_a_match_gets_the_keys_of_no_other(client):
    one, other = Table(client), Table(client)
    assert [seat["seat"] for seat in other.opened["seats"]] == ["red", "blue"]
    keys = {seat[what] for seat in one.opened["seats"] for what in ("token", "link")}
    assert not keys & {seat[what] for seat in other.opened["seats"] for what in ("token", "link")}
    assert all(f"/{other.code}/" in seat["link"] for seat in other.opened["seats"])


def test_the_version_that_is_told_is_the_one_to_tap_at(client):
    table = Table(client, "tmg", "a-game-of-thrones")
    assert table.opened["version"] == table.look()["version"] > 1


def test_players_need_no_names(client):
    opened = Caller(client).post("matches", {**RPS, "seats": [{"name": ""}, {"name": ""}]})
    assert opened.status_code == 201, opened.content


def test_claiming_the_link_does_not_end_the_token(client):
    table = Table(client)
    link = table.opened["seats"][0]["link"].removeprefix("http://testserver")
    phone = Client()
    assert phone.get(link).status_code == 200
    assert phone.post(link).status_code == 302
    assert phone.get(f"/t/{table.code}/").context["board"].seat == "red"
    assert table.tap("red", "throw:rock").status_code == 200
    assert Client().post(link).status_code == 409


def test_without_an_army_each_seat_brings_another_demo(client):
    armies = Table(client, "tmg", "a-game-of-thrones").look()["table"]["armies"]
    assert armies["red"]["faction"]
    assert armies["blue"]["faction"]
    assert armies["red"]["faction"] != armies["blue"]["faction"]


def test_an_army_is_a_demo_or_a_pasted_list(client):
    seats = [{"name": "Anna", "army": "targaryen"}, {"name": "Bo", "army": LIST}]
    opened = Caller(client).post("matches", {**TMG, "seats": seats})
    assert opened.status_code == 201
    table = Caller(client).get(f"matches/{opened.json()['code']}").json()["table"]
    assert table["armies"]["red"]["faction"] == "targaryen"
    assert table["armies"]["blue"]["faction"] == "stark"
    assert [unit["name"] for unit in table["units"].values() if unit["army"] == "blue"] == [
        "Stark Sworn Swords"
    ]


def test_options_and_names_arrive(client):
    opened = Caller(client).post("matches", {**TMG, "options": {"points": 30}, "listed": False})
    match = Match.objects.get(code=opened.json()["code"])
    assert match.rules["points"] == 30
    assert not match.is_listed
    assert list(match.armies.values_list("name", flat=True)) == ["Anna", "Bo"]


def test_a_robot_chooses_among_the_rulesets(client):
    games = Caller(client).get("systems").json()["systems"]
    options = {
        option["name"]: option for game in games if game["slug"] == "tmg" for option in game["options"]
    }
    assert options["points"]["values"] == []
    (usual, later) = options["ruleset"]["values"]
    assert usual["value"] == options["ruleset"]["default"]
    table = Table(client, "tmg", "a-game-of-thrones", options={"ruleset": later["value"]})
    assert table.look()["ruleset"]["title"] == later["title"]
    assert table.look()["table"]["rules"]["ruleset"] == later["value"]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_as_many_seats_as_are_named(client, count):
    table = Table(client, "auction", "tracks", count)
    assert list(table.seats) == ["stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"][:count]


NAMED = [
    ({**RPS, "system": "chess"}, "no such game"),
    ({**RPS, "mode": "fancy"}, "no such mode"),
    ({**RPS, "seats": TWO[:1]}, "2 to 2 players"),
    ({**RPS, "seats": []}, "2 to 2 players"),
    ({**RPS, "seats": [*TWO, {"name": "Cleo"}]}, "2 to 2 players"),
    ({**RPS, "seats": [{"name": "Anna"}, {"name": "ａｎｎａ"}]}, "same name"),
    ({**RPS, "seats": [{"name": "Anna\u202e"}, {"name": "Bo"}]}, "seats.0.name"),
    ({**RPS, "seats": [{"name": 7}, {"name": "Bo"}]}, "seats.0.name"),
    ({**RPS, "seats": ["Anna", "Bo"]}, "seats.0"),
    ({**RPS, "seats": "Anna"}, "seats"),
    ({**RPS, "seats": [{"name": "A"}] * 99}, "too many"),
    ({**RPS, "options": {"points": 30}}, "no such option"),
    ({**TMG, "options": {"points": 1000}}, "from 10 to 100"),
    ({**TMG, "options": {"points": "many"}}, "options.points"),
    ({**TMG, "options": [30]}, "options"),
    ({**TMG, "options": {"ruleset": 2021}}, "no such value"),
    ({**RPS, "listed": "yes"}, "true or false"),
    ({**RPS, "owner": "Anna"}, "does not belong"),
    ({"mode": "plain", "seats": TWO}, "system: This is missing"),
    ({**TMG, "seats": [{"name": "A", "army": "starks"}, {"name": "B"}]}, "no sample army"),
    ({**TMG, "seats": [{"name": "A", "army": "PK\x03\x04 zip zip"}, {"name": "B"}]}, "a file, not a list"),
    ({**TMG, "seats": [{"name": "A", "army": "   "}, {"name": "B"}]}, "nothing to read"),
    ({**TMG, "seats": [{"name": "A", "army": ["Stark"]}, {"name": "B"}]}, "must be text"),
    ({**RPS, "seats": [{"name": "A", "army": "a list of\nmany lines"}, {"name": "B"}]}, "no army list"),
]


@pytest.mark.parametrize(("body", "sentence"), NAMED, ids=[sentence for _body, sentence in NAMED])
def test_what_cannot_be_opened_is_refused_and_nothing_is_written(client, body, sentence):
    answer = Caller(client).post("matches", body)
    assert answer.status_code in (415, 422)
    assert sentence in answer.json()["message"]
    assert not Match.objects.exists()


KEY = "a-key-of-an-opening"


def opened(client, body=TMG, key=KEY):
    return Caller(client).post("matches", {**body, "key": key})


@pytest.mark.parametrize("body", [RPS, TMG])
def test_the_same_key_twice_is_the_same_match_with_the_same_answer(client, body):
    first, again = opened(client, body), opened(client, body)
    assert [first.status_code, again.status_code] == [201, 201]
    assert first.json() == again.json()
    assert "Idempotent-Replay" not in first.headers
    assert again["Idempotent-Replay"] == "1"
    assert Match.objects.count() == 1
    assert opened(client, body, KEY + "2").json()["code"] != first.json()["code"]


def test_what_is_left_out_may_be_named_the_second_time(client):
    first = opened(client, {**RPS, "seats": [{}, {}]})
    again = opened(client, {**RPS, "seats": [{"name": ""}, {"army": None}], "options": {}, "listed": True})
    assert again.json() == first.json()


@pytest.mark.parametrize("other", [{"listed": False}, {"seats": TWO[::-1]}, RPS, {"options": {"points": 30}}])
def test_a_key_that_opened_another_match_is_refused(client, other):
    opened(client)
    answer = opened(client, {**TMG, **other})
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")
    assert Match.objects.count() == 1


def test_a_refused_opening_leaves_its_key_free(client):
    assert opened(client, {**TMG, "seats": [{"army": "starks"}, {}]}).status_code == 422
    assert opened(client).status_code == 201


def test_the_key_of_a_match_that_was_deleted_opens_another(client):
    first = opened(client).json()["code"]
    Match.objects.get(code=first).delete()
    assert opened(client).json()["code"] != first


def test_the_match_asked_for_again_may_have_gone_on(client):
    first = opened(client, RPS).json()
    red = Caller(client, first["seats"][0]["token"])
    tapped = red.post(f"matches/{first['code']}/act", {"action": "throw:rock", "seen": 1, "key": "first-tap"})
    assert tapped.status_code == 200
    again = opened(client, RPS).json()
    assert again == {**first, "version": tapped.json()["version"]}


def test_asking_again_gives_no_seat_back_that_was_taken_away(client):
    first = opened(client, RPS).json()
    seats.revoke(Seat.objects.get(match__code=first["code"], key="red"))
    again = opened(client, RPS).json()
    assert again["seats"][1:] == first["seats"][1:]
    for answer in (first, again):
        red = Caller(client, answer["seats"][0]["token"])
        assert red.get(f"matches/{first['code']}").status_code == 403


@pytest.mark.parametrize("key", ["", "fifteen-letters", "x" * 65, "with a blank in it", 7, None, ["a" * 16]])
def test_a_key_that_could_be_guessed_or_read_wrongly_is_refused(client, key):
    answer = opened(client, key=key)
    assert answer.status_code == 422
    assert not Match.objects.exists()


def test_the_key_is_kept_where_nobody_reads_it(client):
    match = Match.objects.get(code=opened(client).json()["code"])
    kept = [str(list(rows.values())) for rows in (Match.objects.all(), Entry.objects.all())]
    assert match.opening_hash
    assert not any(KEY in one for one in kept)


# --- events ---------------------------------------------------------------------------------------

CUP = {"system": "tmg", "settings": {"name": "Cup"}, "organiser": "Anna"}


def held(client, body=CUP, key=KEY):
    return Caller(client).post("events", {**body, "key": key})


def test_the_same_key_twice_is_the_same_event_with_the_same_token(client):
    first, again = held(client), held(client)
    assert [first.status_code, again.status_code] == [201, 201]
    assert first.json() == again.json()
    assert ("Idempotent-Replay" in first.headers, again["Idempotent-Replay"]) == (False, "1")
    assert Event.objects.count() == 1
    organiser = Caller(client, again.json()["token"])
    said = {"action": "settings", "settings": {"name": "Open"}, "key": "another-name"}
    assert organiser.post(f"events/{again.json()['code']}/do", said).status_code == 200
    assert held(client, key=KEY + "2").json()["code"] != first.json()["code"]


@pytest.mark.parametrize("other", [{"organiser": "Bo"}, {"settings": {"name": "B"}}, {"system": "bushido"}])
def test_a_key_that_opened_another_event_is_refused(client, other):
    held(client)
    answer = held(client, {**CUP, **other})
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")
    assert Event.objects.count() == 1


def test_an_event_is_opened_without_a_key_each_time(client):
    codes = {Caller(client).post("events", CUP).json()["code"] for _time in range(2)}
    assert len(codes) == Event.objects.count() == 2


def test_whoever_was_dismissed_gets_no_token_by_asking_again(client):
    event = Event.objects.get(code=held(client).json()["code"])
    opener = Helper.objects.get(event=event)
    commands.appoint(event.code, Actor("", "Bo"), Helper.Role.ORGANISER, "Bo")
    commands.dismiss(event.code, Actor("", "Bo"), opener.pk)
    answer = held(client)
    assert (answer.status_code, answer.json()["error"]) == (403, "bad_token")
    assert "token" not in answer.json()


@pytest.mark.parametrize("key", ["fifteen-letters", "x" * 65, 7, None])
def test_a_key_that_could_be_guessed_opens_no_event(client, key):
    assert held(client, key=key).status_code == 422
    assert not Event.objects.exists()


def test_the_key_of_an_event_is_kept_where_nobody_reads_it(client):
    held(client)
    kept = [str(list(rows.values())) for rows in (Event.objects.all(), EventEntry.objects.all())]
    assert not any(KEY in one for one in kept)
