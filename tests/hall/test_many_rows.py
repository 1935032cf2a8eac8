"""Pages and lists of many tables or players ask the database as often as those of a few."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.hall import commands
from games.match import play
from games.models import Match
from tests.hall import halls
from tests.hall.test_organiser import phone_of
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

OF_EVENTS = (
    *(
        f"/e/{{}}/{page}"
        for page in ("", "standings", "round/1", "tv", "organise/", "organise/results", "organise/players")
    ),
    *(f"/api/events/{{}}{page}" for page in ("", "/history", "/tables/players", "/tables/standings")),
)


def statements(ask: Callable[[], object]) -> int:
    ask()
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


@pytest.mark.parametrize("address", ["/", "/?q=Ada", "/stats", "/stats/tmg", "/events"])
def test_many_tables_and_events(address: str) -> None:
    def more(count: int) -> int:
        for _ in range(count):
            play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
            halls.opened(0)
        Match.objects.update(is_listed=True)
        return statements(lambda: Phone().get(address))

    assert more(2) == more(10)


def test_many_players_of_an_event() -> None:
    def of(players: int) -> dict[str, int]:
        code = halls.opened(players)
        halls.play_round(code, halls.by_chance(1))
        commands.pair(code, halls.ANNA)
        commands.open_round(code, halls.ANNA)
        phone, counts = phone_of(code), {}
        for address in OF_EVENTS:
            assert phone.get(address.format(code)).status_code == 200, address
            counts[address] = statements(lambda address=address: phone.get(address.format(code)))
        return counts

    assert of(6) == of(16)
