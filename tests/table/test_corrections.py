"""Where a correction leads that was made on the page of a sheet, without scripts."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from games.match import play
from games.models import Match
from tests.browser import driving
from tests.table.test_start import opened

pytestmark = pytest.mark.django_db

UNIT = "unit/crannogman-trackers"


@pytest.fixture
def match(client: Client) -> Match:
    """A match in its first round, whose red side this browser plays."""
    started = opened(client)
    client.post(f"/t/{started.code}/seats/take", {"seat": "red"})
    driving.do(started, driving.SET_UP)
    return started


def correct(client: Client, match: Match, sheet: str, action: str) -> HttpResponse:
    match.refresh_from_db()
    form = {"change": f"{sheet} {action}", "seen": match.version, "key": play.new_key(), "sheet": sheet}
    return client.post(f"/t/{match.code}/adjust", form)


def test_a_correction_leads_back_to_its_sheet(client: Client, match: Match) -> None:
    answer = correct(client, match, UNIT, "wounds:crannogman-trackers:-1")
    assert answer["Location"] == f"/t/{match.code}/piece/{UNIT}"


def test_a_correction_that_asks_something_leads_to_the_table(client: Client, match: Match) -> None:
    """Whether the match ends on time is for the others to confirm."""
    answer = correct(client, match, "table", "time-out")
    assert answer["Location"] == f"/t/{match.code}/"
    assert correct(client, match, UNIT, "wounds:crannogman-trackers:-1")["Location"].endswith(UNIT)


def test_the_sheet_of_the_table_is_called_as_in_the_menu(client: Client, match: Match) -> None:
    assert client.get(f"/t/{match.code}/piece/table").context["sheet"].title == "Correct the match"
