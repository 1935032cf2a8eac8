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
