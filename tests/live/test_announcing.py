"""What listeners are told of, and how the rows show that something is new."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.core import engine
from games.live import audiences as view
from games.live import bus
from games.live.hub import Audience, hub, stream_url
from games.match import play, storage
from games.models import Entry, Match, Seat, SeatRequest
from games.people import seats
from games.web import clock
from tests.hubs import WATCHER
from tests.playing import Playing

pytestmark = pytest.mark.django_db


Calls = list[tuple[Any, ...]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What the hub is asked to do: the name of the method and its arguments."""
    made: Calls = []
    for name in ("publish", "end", "drop"):
        monkeypatch.setattr(hub, name, lambda *what, name=name: made.append((name, *what)))
    return made


@pytest.fixture
def match() -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})


def test_a_version_is_published(calls: Calls, match: Match) -> None:
    view.announce(2, storage.load(match))
    assert [what[:3] for what in calls] == [("publish", match.code, 2)]


def test_a_board_for_others_knows_what_was_just_done(
    calls: Calls, match: Match, django_capture_on_commit_callbacks: Any
) -> None:
    """Only who is seated may have changed meanwhile; the log is not read again for every listener."""
    Seat.objects.filter(match=match).update(is_taken=True)
    with django_capture_on_commit_callbacks(execute=True):
        answer = engine.offers(storage.load(match).state, "red")[0].action
        Playing(match).tap("red", answer)
    name, code, _version, show = calls[-1]
    assert (name, code) == ("publish", match.code)
    with CaptureQueriesContext(connection) as asked:
        board = show(Audience(("blue",), "en", "table"))
    assert "Ada" in board
    assert not [one for one in asked if Entry._meta.db_table in one["sql"]]


def test_a_deletion_is_told_once_it_is_committed(
    calls: Calls, match: Match, django_capture_on_commit_callbacks: Any
) -> None:
    """A deletion that is taken back with its transaction has ended nobody's stream."""
    with django_capture_on_commit_callbacks() as later:
        match.delete()
    assert calls == []
    for each in later:
        each()
    assert calls == [("end", match.code)]


def test_a_link_to_an_event_ends_on_its_page_and_its_wall(calls: Calls) -> None:
    view.end_streams_of_event("K7QWXM", "judge", 3)
    assert calls == [("drop", f"{room}-K7QWXM", "judge", 3) for room in "ew"]


def test_whatever_becomes_of_a_guests_request_is_news_by_the_rows(match: Match) -> None:
    seat = Seat.objects.filter(match=match).first()
    asked = SeatRequest.objects.create(seat=seat, asker_hash="x", name="Cy", created_at=clock.now())
    marks = [bus.read_rows([match.code])[match.code].guests]
    for answer in (seats.grant, seats.decline):
        answer(asked)
        marks.append(bus.read_rows([match.code])[match.code].guests)
    SeatRequest.objects.update(declined_at=None, created_at=clock.now() + timedelta(seconds=1))
    marks.append(bus.read_rows([match.code])[match.code].guests)
    assert len(set(marks)) == 4
    assert frozenset() not in marks


def test_the_address_of_a_stream_names_its_table_for_a_proxy() -> None:
    assert stream_url("K7QWXM", WATCHER, ()).endswith("?table=K7QWXM")
