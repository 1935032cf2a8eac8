"""Freshly opened matches of the games that exist for tests."""

from __future__ import annotations

import pytest

from games.match import play
from games.models import Match


@pytest.fixture
def rps(db) -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}, seed="winter")


@pytest.fixture
def auction(db) -> Match:
    seats = {key: key.title() for key in ("stark", "lannister", "baratheon")}
    return play.open_match("auction", "tracks", seats, seed="winter")
