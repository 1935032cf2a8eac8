"""What a page of an event asks of the database does not grow with the hall."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.hall import halls, team_events
from tests.hall.event_addresses import addresses, crowded

pytestmark = pytest.mark.django_db


def counted(code: str) -> dict[str, int]:
    """How many statements each page of an event takes, its first round over and its second half played."""
    found = {}
    for name, phone, path in addresses(crowded(code)):
        with CaptureQueriesContext(connection) as asked:
            answer = phone.get(path)
        assert answer.status_code < 500
        found[name] = len(asked)
    return found


def growing(small: dict[str, int], large: dict[str, int]) -> dict[str, tuple[int, int]]:
    return {name: (small[name], large[name]) for name in small if large[name] > small[name]}


def test_no_page_takes_more_statements_in_a_larger_hall() -> None:
    small, large = (counted(halls.opened(players, mode="manual-scoring")) for players in (12, 60))
    assert growing(small, large) == {}
    assert len(small) > 60


def test_no_page_takes_more_statements_with_more_teams() -> None:
    small, large = (counted(team_events.opened(teams, team_tables="lot")) for teams in (4, 9))
    assert growing(small, large) == {}
