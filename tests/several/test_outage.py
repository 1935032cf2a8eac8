"""A database that goes away: a clear sentence, nothing lost, and afterwards everybody is up to date again."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator

import pytest
from django.db import connection

from games.core import say
from games.match import play
from tests.serving import Served, database_url
from tests.several.phones import PATIENCE_SECONDS, table, within
from tests.several.wire import Wire

GAME = ("tmg", "a-game-of-thrones")
OUTAGE_SECONDS = 6


@pytest.fixture
def wired(transactional_db: None) -> Iterator[tuple[Served, Wire]]:
    """A server whose database can be taken away from it, while ours stays."""
    if connection.vendor != "postgresql":
        pytest.skip("only a database server can be out of reach")
    wire, served = Wire(database_url()), Served()
    yield served.start(url=wire.url), wire
    served.close()
    wire.close()


def health(port: int) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", "/healthz")
    answer = line.getresponse()
    told = json.loads(answer.read())
    line.close()
    return answer.status, told["status"]


def correction(key: str) -> dict[str, str]:
    return {"path": "army/red", "action": "hand-bonus:red:1", "key": key}


def test_a_database_that_is_gone_is_told_and_nothing_is_lost(wired, listen):
    served, wire = wired
    match, players = table(*GAME)
    red = players["red"]
    phones = [listen(served.port, match.code), listen(served.port, match.code, [("red", 1)])]
    within(20, lambda: all(phone.has(1) for phone in phones))
    assert red.ask(served.port, "/adjust", correction("a-key-before"))[0] == 200
    within(20, lambda: all(phone.has(2) for phone in phones))

    wire.cut()
    until = time.monotonic() + OUTAGE_SECONDS
    while time.monotonic() < until:
        began = time.monotonic()
        status, told = red.ask(served.port, "/adjust", correction("a-key-during"))
        assert status == 503, told
        assert told["message"].startswith("The server cannot save anything right now. Nothing was changed")
        assert time.monotonic() - began < PATIENCE_SECONDS
        time.sleep(0.5)
    assert health(served.port) == (503, "unreachable")
    assert listen(served.port, match.code, [("red", 1)]).status == 503
    play.remark(match.code, say("Hello"))
    assert not any(phone.has_ended for phone in phones)

    wire.mend()
    within(PATIENCE_SECONDS, lambda: all(phone.has(3) for phone in phones))
    for _repetition in range(2):
        status, told = red.ask(served.port, "/adjust", correction("a-key-during"))
        assert (status, told["version"]) == (200, 4)
    within(PATIENCE_SECONDS, lambda: all(phone.versions == [1, 2, 3, 4] for phone in phones))
    # A problem once found is reported for a second.
    within(PATIENCE_SECONDS, lambda: health(served.port) == (200, "ok"))
    assert not any(phone.has_ended for phone in phones)
    # A fresh look and a hint both work again.
    late = listen(served.port, match.code, [("red", 1)])
    within(PATIENCE_SECONDS, lambda: late.versions == [4])


def test_a_database_that_does_not_answer_for_a_while_is_caught_up_with(wired, listen):
    served, wire = wired
    match, _players = table(*GAME)
    phone = listen(served.port, match.code)
    within(20, lambda: phone.has(1))
    wire.hold()
    play.remark(match.code, say("Hello"))
    time.sleep(3)
    assert health(served.port)[0] == 503
    wire.mend()
    within(PATIENCE_SECONDS, lambda: phone.has(2))
    assert phone.versions == [1, 2]


def test_a_listening_connection_that_breaks_is_opened_again(two, listen):
    match, _players = table(*GAME)
    phone = listen(two[1].port, match.code)
    within(20, lambda: phone.has(1))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN %'"
        )
        assert cursor.fetchone()[0] >= 2
    play.remark(match.code, say("Hello"))
    within(PATIENCE_SECONDS, lambda: phone.has(2))
    time.sleep(1)
    waits = []
    for version in range(3, 8):
        play.remark(match.code, say("Hello"))
        waits.append(within(20, lambda wanted=version: phone.has(wanted)))
    assert sorted(waits)[2] < 1.0, "only the look at the rows tells"
