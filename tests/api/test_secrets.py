"""What one seat keeps hidden reaches nobody else: in no byte of any answer, whatever is asked."""

import random
from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from games.api.matches import VIEW
from games.history import commits as chain
from games.live import audiences as view
from games.live import hub
from games.live.hub import Audience
from games.models import Army, Entry, Match
from tests.api.robots import Caller, Table, fresh_key

pytestmark = pytest.mark.django_db

CANARY = "canary-918273645546"


@pytest.fixture
def table(client):
    """A match in play in which red keeps a value, a sealed action and a sentence that hold the canary."""
    table = Table(client)
    table.tap("red", "throw:rock")
    plant(table.code)
    return table


def plant(code):
    army = Army.objects.get(match__code=code, key="red")
    army.hidden = {**army.hidden, "mission": CANARY}
    army.save()
    path = "army/red/hidden/mission"
    entry = Entry.objects.filter(match__code=code, seat="red").first()
    part = entry.sealed["red"]
    sealed = {
        "action": f"throw:{CANARY}",
        "before": {**part["before"], path: "\u2205"},
        "after": {**part["after"], path: CANARY},
        "lines": [{"message": f"You drew {CANARY}", "to": "red"}],
    }
    entry.sealed = chain.salted({"red": sealed})
    entry.commitments = chain.commitments_of(entry.sealed)
    entry.before |= {path: "\u2022"}
    entry.after |= {path: "\u2022"}
    entry.save()


def everything(caller, code):
    """The bytes of every answer that a caller can get about a match."""
    key = fresh_key()
    asked = [
        caller.get("systems"),
        caller.get("openapi.json"),
        caller.get(f"matches/{code}"),
        caller.get(f"matches/{code}/export"),
        caller.get(f"matches/{code}/adjustments"),
        caller.get(f"matches/{code}/adjustments?path=army/red"),
        caller.get(f"matches/{code}/adjustments?path=table"),
        caller.get(f"matches/{code}/events"),
        caller.post(f"matches/{code}/act", {"action": "throw:well", "seen": 2, "key": key}),
        caller.post(f"matches/{code}/undo", {"version": 2, "key": key}),
        caller.post(f"matches/{code}/undo/answer", {"agree": True, "key": key}),
        caller.post(f"matches/{code}/adjust", {"path": "army/red", "action": "hidden:1", "key": key}),
    ]
    return b"\n".join(answer.content + str(answer.headers).encode() for answer in asked)


def test_its_own_seat_reads_it(table):
    assert CANARY.encode() in everything(table.seats["red"], table.code)


def test_nobody_else_reads_it(table, admin_client):
    for caller in (table.seats["blue"], table.watcher, Caller(admin_client)):
        assert CANARY.encode() not in everything(caller, table.code)


def test_the_stream_shows_it_to_its_seat_alone(table):
    shown = {
        seats: CANARY in view.snapshot(table.code, Audience(seats, "en", VIEW))[1]
        for seats in ((), ("red",), ("blue",))
    }
    assert shown == {(): False, ("red",): True, ("blue",): False}


def test_it_stays_hidden_after_the_end(table):
    for _throw in range(2):
        table.tap("red", "throw:rock")
        table.tap("blue", "throw:scissors")
    assert table.look()["result"] is not None
    for caller in (table.seats["blue"], table.watcher):
        assert CANARY.encode() not in everything(caller, table.code)


def test_only_the_one_who_runs_the_server_takes_it_along(table, capsys):
    call_command("export", match=table.code)
    assert CANARY in capsys.readouterr().out


def test_a_sealed_answer_is_there_but_not_what_it_is(client):
    table = Table(client, "auction", "tracks", 3)
    table.tap("stark", "bid:throne:4")
    seen = table.look("lannister")
    assert seen["table"]["armies"]["stark"]["hidden"] == {"bid": None}
    assert seen["log"][0]["action"] == "bid"
    assert table.look("stark")["table"]["armies"]["stark"]["hidden"] == {"bid": 4}


def test_two_worlds_that_differ_in_a_secret_look_alike(client, monkeypatch, quick):
    """Whatever red bids, every byte that blue and the watcher can get is the same."""
    told = {bid: world(client, monkeypatch, bid) for bid in (0, 1, 5)}
    assert told[0] == told[1] == told[5]


NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def world(client, monkeypatch, bid):
    monkeypatch.setattr("games.match.play.fresh_code", lambda _table: "TWINS2")
    monkeypatch.setattr("games.match.play.secrets.token_hex", lambda size: "5" * 2 * size)
    # Salts and commitments differ between any two seals, and times are hashed; all else has to be the same.
    monkeypatch.setattr("games.history.commits.new_salt", lambda: "5a" * 16)
    monkeypatch.setattr("games.core.secret_hash", lambda *_sealed: "c" * 64)
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    monkeypatch.setattr("games.web.clock.now", lambda: NOW)
    table = Table(client, "auction", "tracks", 3)
    table.tap("stark", f"bid:throne:{bid}")
    seen = [look(caller, table.code) for caller in (table.seats["lannister"], table.watcher)]
    Match.objects.get(code=table.code).delete()
    return seen


def look(caller, code):
    paths = (f"matches/{code}", f"matches/{code}/export", f"matches/{code}/adjustments?path=army/stark")
    return [told(caller.get(path)) for path in paths]


def told(answer):
    """A whole answer without the times in it."""
    said = answer.json()
    for entry in said.get("entries", ()):
        entry.pop("at")
    said.pop("opened_at", None)
    return answer.status_code, {**answer.headers, "Content-Length": ""}, said


def test_the_seed_is_shown_only_at_the_end(client, quick):
    table = Table(client)
    seed = Match.objects.get(code=table.code).seed
    for caller in (table.seats["red"], table.watcher):
        assert seed.encode() not in everything(caller, table.code)
    table.play_on(random.Random(2))
    assert table.look()["table"]["seed"] == seed


def test_the_stream_is_signed_for_its_seat(table):
    answer = table.seats["red"].get(f"matches/{table.code}/events")
    ticket = hub.read_stream_token(answer[hub.STREAM_HEADER.decode()])
    assert ticket.audience == Audience(("red",), "en", VIEW)
    assert ticket.match == table.code
    watching = table.watcher.get(f"matches/{table.code}/events")
    assert hub.read_stream_token(watching[hub.STREAM_HEADER.decode()]).epochs == ()
