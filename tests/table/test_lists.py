"""The page that a list is brought on suits the words of every game."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Match

pytestmark = pytest.mark.django_db


def test_bushido_has_warbands_and_no_armies(client: Client) -> None:
    client.post("/new", {"mode": "bushido/risen-sun", "name": "Ada"})
    page = client.get(f"/t/{Match.objects.latest('pk').code}/army/red").content.decode()
    assert "Or use a sample" in page
    assert "army" not in " ".join(re.sub(r"<[^>]*>", "", page.partition("<main")[2]).split()).lower()
