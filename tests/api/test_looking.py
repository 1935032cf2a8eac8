"""What a match looks like as JSON, for whom, and when there is nothing new to say."""

import pytest
from django.db import connection

from games.api import matches
from games.core import say
from games.match import play
from games.models import Match, Seat
from games.people import seats
from games.web.limits import CODES
from tests.api.robots import Caller, Table

pytestmark = pytest.mark.django_db

MEMBERS = {
    "code", "version", "since", "system", "mode", "ruleset", "round", "seat", "question", "to_act", "offers",
    "table", "derived", "scores", "problems", "log", "result", "commitment", "take_back",
    "altered",
}  # fmt: skip


@pytest.fixture
def table(client):
    return Table(client)


def test_a_seat_sees_its_question_and_offers(table):
    seen = table.look("red")
    assert set(seen) == MEMBERS
    assert seen["question"] == {
        "step": "throw",
        "number": 1,
        "about": [],
        "title": "Choose",
        "help": "The other does not see it before both have chosen.",
        "rule": "RPS-1",
    }
    assert seen["to_act"] == ["red", "blue"]
    assert [offer["action"] for offer in seen["offers"]] == ["throw:paper", "throw:rock", "throw:scissors"]
    assert seen["scores"] == {"red": 0, "blue": 0}
    assert seen["result"] is None


def test_the_fingerprint_of_the_rules_is_theirs_however_the_database_orders_them(client):
    """PostgreSQL keeps the names of a JSON value in an order of its own, inside as well."""
    table = Table(client, "tmg", "a-game-of-thrones")
    before, result, match = table.look(), rules_of_result(client), Match.objects.get()
    Match.objects.update(rules=turned_round(match.rules))
    play.remark(match.code, say("Elsewhere."))
    after = table.look()
    turned = list(after["table"]["rules"]) != list(before["table"]["rules"])
    assert turned or connection.vendor == "postgresql", "which turns back what is written"
    assert after["ruleset"] == before["ruleset"]
    assert rules_of_result(client) == result


def rules_of_result(client):
    return client.get(f"/api/matches/{Match.objects.get().code}/result").json()["rules"]


def turned_round(value):
    """The same JSON value with all its names in the opposite order."""
    if isinstance(value, list):
        return [turned_round(one) for one in value]
    return {name: turned_round(value[name]) for name in [*value][::-1]} if isinstance(value, dict) else value


def test_a_watcher_sees_the_table_and_no_offers(table):
    seen = table.look()
    assert seen["seat"] is None
    assert seen["offers"] == []
    assert seen["table"]["seed"] == ""
    assert len(seen["commitment"]) == 64


def test_a_number_is_one_offer_with_its_bounds(client):
    table = Table(client, "auction", "tracks", 3)
    assert table.look("stark")["offers"] == [
        {"action": "bid:throne", "label": "Bid", "style": "plain", "min": 0, "max": 5}
    ]
    assert table.tap("stark", "bid:throne:5").status_code == 200
    assert table.tap("lannister", "bid:throne:6").status_code == 409
    assert table.tap("lannister", "bid:throne").status_code == 409


def test_the_log_is_sentences_newest_first(table):
    table.tap("red", "throw:rock")
    newest, opened = table.look()["log"]
    assert newest["lines"] == ["Anna has chosen"]
    assert (newest["seat"], newest["kind"], newest["action"]) == ("red", "tap", "throw")
    assert opened["kind"] == "open"


def test_nothing_new_is_304(table):
    first = table.watcher.get(f"matches/{table.code}")
    again = table.watcher.get(f"matches/{table.code}", If_None_Match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert "no-store" in again["Cache-Control"]
    table.tap("red", "throw:rock")
    assert table.watcher.get(f"matches/{table.code}", If_None_Match=first["ETag"]).status_code == 200


def test_a_tag_is_for_one_reader_and_one_language(table):
    red = table.seats["red"].get(f"matches/{table.code}")["ETag"]
    chinese = Caller(table.watcher.client, language="zh-hans").get(f"matches/{table.code}")["ETag"]
    english = table.watcher.get(f"matches/{table.code}")["ETag"]
    blue = table.seats["blue"].get(f"matches/{table.code}")["ETag"]
    assert len({red, blue, chinese, english}) == 4
    for other in (red, chinese, "*", '"', "W/", "garbage", f'"{"9" * 9000}"'):
        assert table.watcher.get(f"matches/{table.code}", If_None_Match=other).status_code == 200


def test_no_cache_keeps_a_position(table):
    answer = table.seats["red"].get(f"matches/{table.code}")
    assert "no-store" in answer["Cache-Control"]
    assert {"Authorization", "Accept-Language"} <= set(answer["Vary"].split(", "))
    assert not answer.cookies


def test_a_head_is_a_get_without_its_body(table):
    answer = table.watcher.client.head(f"/api/matches/{table.code}")
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_code_is_read_in_any_case(table):
    assert table.watcher.get(f"matches/{table.code.lower()}").json()["code"] == table.code


@pytest.mark.parametrize(
    "code", ["ZZZZZZ", "0", "%00", "a" * 5000, "9" * 5000, "%ff%fe", "Ⅷ", "..%2f..", "'--"]
)
def test_an_unknown_code_is_404_with_a_sentence(table, code):
    answer = table.watcher.get(f"matches/{code}")
    assert answer.status_code == 404
    assert answer.json()["message"]


def tokens(table):
    """Tokens that open nothing here."""
    other = Table(table.watcher.client)
    good = table.opened["seats"][0]["token"]
    number, mac = good.split(".")
    return [
        other.opened["seats"][0]["token"],
        f"{int(number) + 1}.{mac}",
        f"{number}.{mac[:-1]}",
        f"{number}.",
        f"{'9' * 5000}.{mac}",
        f"{'9' * 19}.{mac}",
        f"-{good}",
        "x",
        "é.é",
        ".",
        "",
    ]


def test_a_token_that_opens_no_seat_here_is_403(table):
    for token in tokens(table):
        CODES.forget()
        answer = Caller(table.watcher.client, token or " ").get(f"matches/{table.code}")
        assert answer.status_code == 403, token
        assert answer.json()["error"] == "bad_token"


def test_a_revoked_token_is_403_at_once(table):
    seats.revoke(Seat.objects.select_related("match").get(match__code=table.code, key="red"))
    assert table.seats["red"].get(f"matches/{table.code}").status_code == 403
    assert table.tap("red", "throw:rock").status_code == 403
    assert table.tap("blue", "throw:rock").status_code == 200


def test_a_seat_that_is_freed_while_its_token_taps_stays_free(table, monkeypatch):
    red = Seat.objects.select_related("match").get(match__code=table.code, key="red")
    monkeypatch.setattr(matches, "slow_down", lambda *_all: seats.revoke(red))
    answer = table.tap("red", "throw:rock")
    assert (answer.status_code, answer.json()["error"]) == (403, "bad_token")
    red.refresh_from_db()
    assert not red.is_taken, "nobody holds it, and nobody could take it"


def test_a_seat_that_is_freed_while_its_tap_waits_for_the_match_is_refused(table, monkeypatch):
    red, occupy = Seat.objects.select_related("match").get(match__code=table.code, key="red"), seats.occupy

    def freed_after(*seat):
        occupy(*seat)
        seats.revoke(red)

    monkeypatch.setattr(seats, "occupy", freed_after)
    answer = table.tap("red", "throw:rock")
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_seat")


def test_a_session_is_worth_nothing_here(table, client, admin_client):
    """Neither a seated phone nor the organiser's browser sees or does more than a watcher."""
    table.tap("red", "throw:rock")
    link = table.opened["seats"][0]["link"].removeprefix("http://testserver")
    client.post(link)
    plain = table.look()
    for browser in (client, admin_client):
        assert Caller(browser).get(f"matches/{table.code}").json() == plain
        body = {"action": "throw:paper", "seen": 2, "key": "k" * 8}
        assert Caller(browser).post(f"matches/{table.code}/act", body).status_code == 401


def test_sentences_come_in_the_language_asked_for(table, client):
    chinese = Caller(client, language="zh-hans").get("matches/ZZZZZZ")
    assert chinese["Content-Language"] == "zh-hans"


def test_a_look_costs_few_queries(client, django_assert_max_num_queries):
    table = Table(client, "tmg", "a-game-of-thrones")
    with django_assert_max_num_queries(9):
        table.look("red")
    tag = table.seats["red"].get(f"matches/{table.code}")["ETag"]
    with django_assert_max_num_queries(2):
        table.seats["red"].get(f"matches/{table.code}", If_None_Match=tag)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS"])
def test_other_methods_are_405_in_our_form(table, method):
    for path in ("systems", "matches", f"matches/{table.code}", f"matches/{table.code}/act", "import"):
        answer = table.watcher.client.generic(method, f"/api/{path}")
        assert answer.status_code == 405
        assert set(answer.json()) == {"error", "message", "rule"}
        assert answer["Allow"]


def test_a_tap_cannot_be_made_by_looking(table):
    for action in ("act", "adjust", "undo", "undo/answer", "altered", "army"):
        answer = table.seats["red"].get(f"matches/{table.code}/{action}", X_HTTP_Method_Override="POST")
        assert answer.status_code == 405
    assert Match.objects.get(code=table.code).version == 1


def test_who_asks_to_take_back_is_shown(client):
    table = Table(client)
    table.tap("red", "throw:rock")
    last = table.tap("blue", "throw:paper").json()
    assert table.do("blue", "undo", {"version": last["version"]}).status_code == 200
    asked = table.look()["take_back"]
    assert asked["by"] == "blue"
    assert asked["waits_for"] == ["red"]
    assert asked["actions"]


def test_problems_are_told(client):
    table = Table(client, "tmg", "a-game-of-thrones")

    def strange(state):
        next(iter(state.units.values())).wounds = -4

    play.edit(table.code, strange, "Organiser", "to see")
    assert isinstance(table.look()["problems"], list)
