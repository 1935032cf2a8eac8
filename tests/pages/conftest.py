"""Matches that several pages are drawn of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from games.models import Match
from tests.pages.test_score_card import GAMES, played


@pytest.fixture(scope="module", params=GAMES, ids=lambda case: "-".join(map(str, case)))
def _midway(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker) -> Iterator[Match]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield played(*request.param, 180)
        transaction.set_rollback(True)


@pytest.fixture
def midway(_midway: Match, db: None) -> Match:
    """A match of each game and mode after many random taps, played once for all tests of a module."""
    return Match.objects.get(pk=_midway.pk)
