"""The page that a list is brought on suits the words of every game."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Match
from tests.browser import driving

pytestmark = pytest.mark.django_db


def read(client: Client, path: str) -> str:
    """What stands on a page, without its markup."""
    page = client.get(path).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition("<main")[2]).split()).lower()


def test_bushido_has_warbands_and_no_armies(client: Client) -> None:
    client.post("/new", {"mode": "bushido/risen-sun", "name": "Ada"})
    match = Match.objects.latest("pk")
    bringing = read(client, f"/t/{match.code}/army/red")
    assert "or use a sample" in bringing
    driving.do(match, "red demo:ryu\n")
    lobby, again = read(client, f"/t/{match.code}/"), read(client, f"/new?like={match.code}")
    assert "correct the list" in lobby
    assert "the same lists as last time" in again
    assert not re.search("arm(y|ies)", bringing + lobby + again)
