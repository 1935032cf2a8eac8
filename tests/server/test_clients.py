"""Whose a request is: behind our proxies, in a household, on a device."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.test import RequestFactory

from games.people.sessions import SessionStore
from games.web.network import address, client_address, device, device_at_table


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
