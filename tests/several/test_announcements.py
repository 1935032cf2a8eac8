"""What PostgreSQL announces by itself: what was committed, once, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction

from games.core import say
from games.match import play
from games.models import Match, Seat, SeatRequest
from games.people import seats
from tests.serving import database_url

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL announces"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def heard(transactional_db: None) -> Iterator[Callable[[], list]]:
    """What has been announced since the last call."""
    with psycopg.connect(database_url(), autocommit=True) as listening:
        listening.execute("LISTEN roundtable")

        def since() -> list:
            return [json.loads(told.payload) for told in listening.notifies(timeout=0.3)]

        yield since


@pytest.fixture
def match(heard: Callable[[], list]) -> Match:
    opened = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    heard()
    return opened


def test_a_version_is_announced_with_the_name_of_the_process(heard, match):
    play.remark(match.code, say("Hello"))
    assert heard() == [["version", match.code, 2, "", settings.PROCESS]]


def test_what_is_not_committed_is_not_announced(heard, match):
    with transaction.atomic():
        play.remark(match.code, say("Hello"))
        seats.revoke(Seat.objects.select_related("match").get(match=match, key="red"))
        transaction.set_rollback(True)
    assert heard() == []


def test_nothing_is_announced_before_the_commit(heard, match):
    with transaction.atomic():
        play.remark(match.code, say("Hello"))
        assert heard() == []
    assert len(heard()) == 1


def test_seats_guests_and_the_end_are_announced(heard, match):
    red = Seat.objects.select_related("match").get(match=match, key="red")
    asked = SeatRequest.objects.create(seat=red, name="Cleo", asker_hash="x")
    seats.decline(asked)
    assert [told[:4] for told in heard()] == [["refresh", match.code, 0, ""]] * 2
    SeatRequest.objects.all().delete()
    heard()
    seats.revoke(red)
    assert [told[:4] for told in heard()] == [["drop", match.code, 1, "red"]]
    match.delete()
    assert [told[:4] for told in heard()] == [["end", match.code, 0, ""]]


def test_what_phones_do_not_see_is_not_announced(heard, match):
    Match.objects.filter(pk=match.pk).update(is_listed=False)
    Seat.objects.filter(match=match).update(is_taken=True)
    assert heard() == []
