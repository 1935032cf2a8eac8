"""Limits that all processes share: exact, by the database's clock, and nobody's address is stored."""

from __future__ import annotations

import http.client
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models import F

from games.models import Allowance
from games.web import limits
from games.web.limits import Limit
from tests.several.phones import table

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="only PostgreSQL lets several processes serve"
)


@pytest.mark.django_db
def test_a_burst_is_exact_and_then_one_waits():
    limit = Limit(30, 0.01, name="a")
    assert [limit.take("red") for _ in range(30)] == [0.0] * 30
    assert limit.take("red") == pytest.approx(100, abs=1)
    assert limit.wait("red") == pytest.approx(100, abs=1)


@pytest.mark.django_db
def test_names_and_keys_are_told_apart():
    one, other = Limit(1, 0.01, name="a"), Limit(1, 0.01, name="b")
    assert not one.take("red")
    assert not one.take("blue")
    assert not other.take("red")
    assert one.take("red")
    assert not one.wait("green")


@pytest.mark.django_db
def test_a_refusal_takes_nothing_and_rest_restores():
    limit = Limit(2, 0.0001, name="a")
    assert [bool(limit.take("red")) for _ in range(20)] == [False] * 2 + [True] * 18
    rest(12_500)
    assert [bool(limit.take("red")) for _ in range(2)] == [False, True]
    rest(30_000)
    assert [bool(limit.take("red")) for _ in range(3)] == [False, False, True]


def rest(seconds: int) -> None:
    """Let this many seconds pass for everybody who has used a limit."""
    Allowance.objects.update(paid_at=F("paid_at") - seconds)


@pytest.mark.django_db
def test_the_clock_of_this_machine_does_not_count(monkeypatch):
    limit = Limit(1, 0.01, name="a")
    assert not limit.take("red")
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert limit.take("red") == pytest.approx(100, abs=1)


@pytest.mark.django_db
def test_nobody_waits_for_hours_because_the_databases_clock_was_set_back():
    limit = Limit(2, 1, name="a")
    limit.take("red")
    Allowance.objects.update(paid_at=time.time() + 3600)
    assert limit.wait("red") == 0
    assert [limit.take("red") > 0 for _tap in range(3)] == [False, False, True]


@pytest.mark.django_db
def test_a_larger_amount_costs_as_much_as_so_many():
    limit = Limit(10, 0.01, name="a")
    assert limit.take("red", 7) == 0
    assert limit.take("red", 3.5) == pytest.approx(50, abs=1)
    assert limit.take("red", 3) == 0
    assert limit.take("red") == pytest.approx(100, abs=1)


@pytest.mark.django_db
def test_no_address_is_stored_and_who_has_rested_is_forgotten():
    assert not limits.CODES.take("192.0.2.1")
    assert not Limit(1, 1000, name="a").take("red")
    assert not any("192" in key for key in Allowance.objects.values_list("key", flat=True))
    time.sleep(0.01)
    limits.tidy_shared()
    assert Allowance.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_threads_together_get_no_more_than_one_would():
    limit = Limit(20, 0.001, name="a")

    def take(_number):
        try:
            return not limit.take("red")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(take, range(100)))
    assert sum(taken) == 20


def test_what_is_taken_in_one_process_is_taken_in_the_other(two):
    match, players = table("tmg", "a-game-of-thrones")
    ports, red = [one.port for one in two], players["red"]
    body = {"action": "nothing", "seen": 1, "key": "a-key-of-mine"}
    statuses, began = [], time.monotonic()
    # A slow machine lets three more pass in each second that it takes.
    while len(statuses) < 600 and 429 not in statuses:
        statuses.append(red.ask(ports[len(statuses) % 2], "/act", body)[0])
    allowed = 30 + (time.monotonic() - began) * 3
    assert statuses[:30] == [409] * 30
    assert statuses[-1] == 429
    assert statuses.count(409) <= allowed + 1
    assert match.entries.count() == 1


def test_codes_that_are_guessed_at_all_processes_in_turn_are_counted_together(two):
    statuses, began = [], time.monotonic()
    burst = round(limits.CODES.credit / limits.CODES.cost)
    while len(statuses) < 4 * burst and 429 not in statuses:
        number = len(statuses)
        line = http.client.HTTPConnection("127.0.0.1", two[number % 2].port, timeout=30)
        line.request("GET", f"/t/NOSUCH{number}/")
        statuses.append(line.getresponse().status)
        line.close()
    # Half as many as two processes with separate limits would have let through.
    assert statuses[-1] == 429
    assert burst <= statuses.count(404) <= burst + 1 + (time.monotonic() - began) / limits.CODES.cost
