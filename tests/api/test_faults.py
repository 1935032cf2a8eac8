"""What goes wrong on our side: told as a fault where it is one, as a busy table where it is that."""

import gzip

import apsw
import pytest
from django.db import OperationalError, ProgrammingError
from django.test import Client

from games.api import matches
from games.models import Seat
from tests.api.robots import Table

pytestmark = pytest.mark.django_db

SECRET = "the hand of red"


@pytest.fixture
def table(client):
    return Table(client)


def failing(monkeypatch, problem):
    """The next look at a match fails."""

    def fail(*_asked):
        raise problem

    monkeypatch.setattr(matches, "position", fail)


@pytest.mark.parametrize("problem", [ZeroDivisionError(SECRET), ProgrammingError(SECRET)], ids=type)
def test_a_fault_of_ours_is_no_refusal_and_shows_nobody_what_it_was(table, monkeypatch, problem):
    """It reaches the log and whoever watches it; a program that was told to try again would for ever."""
    failing(monkeypatch, problem)
    with pytest.raises(type(problem)):
        table.watcher.get(f"matches/{table.code}")
    answer = Client(raise_request_exception=False).get(f"/api/matches/{table.code}")
    assert answer.status_code == 500
    assert SECRET not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()


def test_a_busy_database_is_told_with_when_to_come_back(table, monkeypatch):
    problem = OperationalError("database is locked")
    problem.__cause__ = apsw.exception_for(apsw.SQLITE_BUSY)
    failing(monkeypatch, problem)
    answer = table.watcher.get(f"matches/{table.code}")
    assert (answer.status_code, answer.json()["error"], answer["Retry-After"]) == (503, "busy", "1")


def test_a_refusal_says_what_is_wrong_where_and_by_which_rule(table):
    refused = table.tap("red", "throw:well").json()
    assert refused["rule"] == "RPS-1"
    odd = table.seats["red"].send(f"matches/{table.code}/act", "{").json()
    assert (odd["message"], odd["rule"]) == ("This is not JSON.", None)
    odd = table.do("red", "act", {"action": "throw:rock"}).json()
    assert odd["message"].endswith("seen: This is missing.")
    odd = table.do("red", "act", {"action": "throw:rock", "seen": 1, "king": 1}).json()
    assert odd["message"].endswith("king: This does not belong here.")


def test_json_in_utf_8_is_taken_however_it_is_written_and_nothing_packed_is(table):
    body = '{"action": "throw:rock", "seen": 1, "key": "key-of-a-robot"}'
    path = f"matches/{table.code}/act"
    packed = table.seats["red"].send(path, gzip.compress(body.encode()), Content_Encoding="gzip")
    assert (packed.status_code, packed.json()["message"][:19]) == (415, "Compressed requests")
    for kind in ("application/json; charset=UTF-8", "application/json"):
        assert table.seats["red"].send(path, body, content_type=kind).status_code == 200


def test_what_is_refused_leaves_the_seat_as_free_as_it_was(table):
    """A token is held from its first action on, not from one that failed."""
    before = taken(table)
    assert table.tap("red", "throw:well").status_code == 409
    assert taken(table) == before == []
    assert table.tap("red", "throw:rock").status_code == 200
    assert taken(table) == ["red"]


def taken(table):
    return list(Seat.objects.filter(match__code=table.code, is_taken=True).values_list("key", flat=True))


def test_corrections_of_the_table_itself_are_asked_for_by_its_name(client):
    table = Table(client, "auction", "tracks", 3)
    ask = f"matches/{table.code}/adjustments"
    told = table.seats["stark"].get(f"{ask}?path=table")
    assert (told.status_code, told.json()["path"]) == (200, "table")
    told = table.seats["stark"].get(ask).json()
    assert (told["path"], told["offers"]) == (None, [])
