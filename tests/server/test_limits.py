"""Limits are exact, each key has its own, and a refusal says how long to wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from games.web.limits import CODES, Limit, limited, too_fast


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_burst_is_exact(clock):
    limit = Limit(30, 3, clock)
    assert [limit.take("red") for _ in range(30)] == [0.0] * 30
    assert limit.take("red") == pytest.approx(1 / 3)


def test_after_a_burst_the_rate_holds(clock):
    limit = Limit(5, 2, clock)
    taken = 0
    for _ in range(1000):
        taken += not limit.take("red")
        clock.now += 0.01
    assert taken in (24, 25)


def test_rest_restores_the_burst_and_no_more(clock):
    limit = Limit(3, 1, clock)
    for _ in range(3):
        limit.take("red")
    clock.now += 1000
    assert [bool(limit.take("red")) for _ in range(4)] == [False, False, False, True]


def test_a_refusal_takes_nothing(clock):
    limit = Limit(1, 1, clock)
    limit.take("red")
    for _ in range(100):
        assert limit.take("red") == pytest.approx(1.0)
    clock.now += 1.0
    assert limit.take("red") == 0.0


def test_one_seat_does_not_slow_another(clock):
    limit = Limit(1, 1, clock)
    assert not limit.take("red")
    assert not limit.take("blue")
    assert limit.take("red")


def test_threads_together_get_no_more_than_one_would():
    limit = Limit(50, 0.001)
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda _: not limit.take("red"), range(400)))
    assert sum(taken) == 50


def test_who_has_rested_is_forgotten(clock):
    limit = Limit(1, 1, clock)
    for number in range(10_001):
        limit.take(str(number))
    clock.now += 10
    limit.take("one more")
    assert len(limit.paid) == 1


def test_who_has_to_wait_is_not_forgotten_for_a_crowd(clock):
    """Otherwise somebody with many addresses could reset the limit of one of them."""
    limit = Limit(1, 1, clock)
    assert (limit.take("guesser"), limit.take("guesser")) == (0.0, pytest.approx(1.0))
    for number in range(10_002):
        limit.take(f"crowd {number}")
    assert limit.take("guesser") == pytest.approx(1.0)


def test_a_refusal_is_a_sentence_with_the_time_to_wait(clock):
    limit = Limit(1, 0.5, clock)
    request = RequestFactory().get("/")
    assert too_fast(request, limit, "red") is None
    refusal = too_fast(request, limit, "red")
    assert refusal.status_code == 429
    assert refusal["Retry-After"] == "2"
    assert "in 2 seconds" in refusal.content.decode()


def test_a_page_comes_again_by_itself_and_what_was_sent_does_not(clock):
    limit, requests = Limit(1, 0.5, clock), RequestFactory()
    limit.take("red")
    page = too_fast(requests.get("/", PATH_INFO="//evil.example/stats"), limit, "red")
    assert page["Refresh"] == "2"
    assert 'href="/%2Fevil.example/stats"' in page.content.decode()
    sent = too_fast(requests.post("/new", headers={"Referer": "http://testserver/new/tmg"}), limit, "red")
    assert "Refresh" not in sent
    assert 'class="button main" href="/new/tmg"' in sent.content.decode()
    tap = too_fast(requests.get("/", headers={"HX-Request": "true"}), limit, "red")
    assert ("Refresh" in tap, tap["Retry-After"]) == (False, "2")


def test_a_view_is_limited_by_method_and_key(clock):
    @limited(Limit(1, 1, clock), key=lambda request: request.GET.get("seat", ""))
    def tap(request):
        return HttpResponse("done")

    requests = RequestFactory()
    assert [tap(requests.post("/?seat=red")).status_code for _ in range(2)] == [200, 429]
    assert tap(requests.post("/?seat=blue")).status_code == 200
    assert tap(requests.get("/?seat=red")).status_code == 200


def test_a_view_is_limited_by_address_unless_told_otherwise(clock):
    @limited(Limit(1, 1, clock))
    def guess(request):
        return HttpResponse("no")

    requests = RequestFactory()
    assert guess(requests.post("/", REMOTE_ADDR="192.0.2.1")).status_code == 200
    assert guess(requests.post("/", REMOTE_ADDR="192.0.2.1")).status_code == 429
    assert guess(requests.post("/", REMOTE_ADDR="192.0.2.2")).status_code == 200


def test_a_thousand_guesses_of_a_code_take_longer_than_an_evening():
    seconds = 990 * CODES.cost
    assert seconds > 90 * 60


@pytest.mark.django_db
def test_guessing_the_organisers_password_is_slow(client):
    answers = [client.post("/admin/login/", {"username": "organiser", "password": "x"}) for _ in range(12)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2


def test_to_ask_how_long_takes_nothing(clock):
    limit = Limit(1, 1, clock)
    assert [limit.wait("red") for _ in range(3)] == [0.0] * 3
    limit.take("red")
    assert limit.wait("red") == limit.take("red") == pytest.approx(1.0)
