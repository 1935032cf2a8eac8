"""Addresses that another device can open."""

from __future__ import annotations

import pytest

from games.web import network

OWN = "192.0.2.7"


@pytest.fixture
def laptop(settings, monkeypatch):
    """A laptop in a club with one address."""
    settings.LAN = True
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(network, "own_addresses", lambda: [OWN])


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("localhost:8000", f"http://{OWN}:8000/t/ABC/"),
        ("127.0.0.1", f"http://{OWN}/t/ABC/"),
        ("[::1]:8000", f"http://{OWN}:8000/t/ABC/"),
        ("[::1]", f"http://{OWN}/t/ABC/"),
        ("localhost:99999", f"http://{OWN}:99999/t/ABC/"),
        ("laptop.local:8000", "http://laptop.local:8000/t/ABC/"),
        ("192.0.2.8:8000", "http://192.0.2.8:8000/t/ABC/"),
    ],
)
@pytest.mark.usefixtures("laptop")
def test_a_code_never_leads_a_phone_to_itself(rf, host, told):
    assert network.address_for_others(rf.get("/", headers={"host": host}), "/t/ABC/") == told


@pytest.mark.usefixtures("laptop")
def test_a_laptop_without_a_network_names_itself(rf, monkeypatch):
    monkeypatch.setattr(network, "own_addresses", list)
    request = rf.get("/", headers={"host": "localhost:8000"})
    assert network.address_for_others(request, "/t/ABC/") == "http://localhost:8000/t/ABC/"


def test_a_server_is_called_as_it_was_called(rf):
    request = rf.get("/", headers={"host": "localhost"})
    assert network.address_for_others(request, "/") == "http://localhost/"


@pytest.mark.parametrize(
    ("routed", "named", "told"),
    [
        # A name of the machine also leads to itself and to its virtual machines.
        ("192.168.1.20", {"127.0.1.1", "172.27.1.1", "169.254.7.7"}, "192.168.1.20 172.27.1.1 169.254.7.7"),
        ("203.0.114.9", {"10.1.2.3", "203.0.114.8"}, "10.1.2.3 203.0.114.9 203.0.114.8"),
        ("", {"169.254.7.7", "127.0.0.1"}, "169.254.7.7"),
        ("", set(), ""),
    ],
)
def test_the_code_leads_to_the_likeliest_address(monkeypatch, routed, named, told):
    monkeypatch.setattr(network, "_leaving_towards", lambda _route: routed or None)
    monkeypatch.setattr(network, "_named_addresses", lambda: named)
    assert network.own_addresses() == told.split()


def test_a_machine_that_does_not_know_its_own_name_has_no_named_addresses(monkeypatch):
    def unknown(_name):
        raise OSError

    monkeypatch.setattr(network.socket, "gethostbyname_ex", unknown)
    assert network._named_addresses() == set()
