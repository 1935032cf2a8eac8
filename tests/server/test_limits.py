"""Limits are exact, each key has its own, and a refusal says how long to wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from games.people.sessions import SessionStore
from games.web.limits import (
    CODES,
    Limit,
    address,
    client_address,
    device,
    device_at_table,
    limited,
    too_fast,
)


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


@pytest.mark.parametrize(
    ("forwarded", "hops", "expected"),
    [
        ("", 0, "10.0.0.1"),
        ("6.6.6.6", 0, "10.0.0.1"),
        ("", 1, "10.0.0.1"),
        ("203.0.113.5", 1, "203.0.113.5"),
        ("6.6.6.6, 203.0.113.5", 1, "203.0.113.5"),
        ("6.6.6.6, 203.0.113.5, 10.9.9.9", 2, "203.0.113.5"),
        ("203.0.113.5", 2, "10.0.0.1"),
        (" , ,", 1, "10.0.0.1"),
        ("203.0.113.5:51234", 1, "203.0.113.5"),
        ("6.6.6.6:1, 203.0.113.5:51234, 10.9.9.9:80", 2, "203.0.113.5"),
        ("[2001:db8:1:2::1]:443", 1, "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", 1, "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", 1, "2001:db8:1:2::/64"),
        ("[::ffff:203.0.113.5]:80", 1, "203.0.113.5"),
        ("[fe80::1%eth0]:80", 1, "fe80::/64"),
        ("203.0.113.5, unknown", 1, "10.0.0.1"),
        ("_hidden:7", 1, "10.0.0.1"),
        ("[203.0.113.5", 1, "10.0.0.1"),
        ("203.0.113.5:51234:1", 1, "10.0.0.1"),
    ],
)
def test_only_our_own_proxies_are_believed(forwarded, hops, expected, settings):
    assert client_address("10.0.0.1", forwarded, hops) == expected
    settings.TRUSTED_PROXY_HOPS = hops
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    assert address(RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", **headers)) == expected


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2", False),
        ("64:ff9b::192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_who_has_a_whole_network_of_addresses_is_still_one(one, other, is_same):
    assert (client_address(one, "", 0) == client_address(other, "", 0)) == is_same
    assert (client_address("", one, 1) == client_address("", other, 1)) == is_same


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


@pytest.mark.django_db
def test_a_device_is_known_by_its_session_and_else_by_its_address():
    """Two strangers do not share their tries; a made-up cookie counts as a stranger's."""

    def device_of(where, key=None):
        request = RequestFactory().get("/", REMOTE_ADDR=where)
        request.session = SessionStore(key)
        return device(request)

    held = SessionStore()
    held["seats"] = {}
    held.save()
    assert [device_of(where) for where in ("192.0.2.1", "192.0.2.2")] == ["192.0.2.1", "192.0.2.2"]
    assert device_of("192.0.2.1", "made-up-by-somebody") == "192.0.2.1"
    assert device_of("192.0.2.1", held.session_key) == device_of("192.0.2.2", held.session_key)
    assert device_of("192.0.2.1", held.session_key) == held.session_key


@pytest.mark.django_db
def test_a_device_is_counted_at_each_table_however_its_code_is_typed():
    def counted(code):
        request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")
        request.session = SessionStore()
        request.resolver_match = SimpleNamespace(kwargs={"code": code})
        return device_at_table(request)

    assert counted("abcdef") == counted("AbCdEf") == counted("ABCDEF")
    assert counted("ABCDEF") != counted("GHJKMN")
