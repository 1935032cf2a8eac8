"""Clocks that differ between machines: what several processes compare is by the database's clock."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.core import say
from games.live import bus
from games.live.hub import TOKEN_SECONDS, read_stream_token, stream_token
from games.match import delay, play
from games.models import Entry, Seat
from games.people import seats, sessions
from games.web import clock
from tests.hubs import RED

EPOCHS = (("red", 1),)


@pytest.fixture
def machine(monkeypatch):
    """Set this machine's clock wrong by a number of seconds, and agree with the others or not."""
    right, now = time.time, timezone.now
    monkeypatch.setattr(clock, "_ahead", 0.0)

    def wrong_by(seconds, *, agreed=True):
        monkeypatch.setattr(time, "time", lambda: right() + seconds)
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(seconds=seconds))
        clock.agree(right() if agreed else time.time(), time.time())

    return wrong_by


@pytest.mark.parametrize("seconds", [-86_400, -TOKEN_SECONDS - 60, 0, TOKEN_SECONDS + 60, 86_400])
def test_a_ticket_of_one_machine_is_good_at_another(machine, seconds):
    machine(seconds)
    token = stream_token("M", EPOCHS, RED)
    machine(0)
    assert read_stream_token(token) is not None
    machine(-seconds)
    assert read_stream_token(token) is not None


def test_machines_that_have_not_agreed_show_what_this_is_for(machine):
    token = stream_token("M", EPOCHS, RED)
    machine(TOKEN_SECONDS + 60, agreed=False)
    assert read_stream_token(token) is None
    machine(TOKEN_SECONDS + 60)
    assert read_stream_token(token) is not None


@pytest.mark.django_db
def test_a_moving_code_is_good_for_five_minutes_of_the_common_clock(machine):
    match = play.open_match("rps", "plain", {"red": "", "blue": ""})
    seat = Seat.objects.select_related("match").get(match=match, key="red")
    machine(7200)
    seats.moving_code(seat)
    seat.refresh_from_db()
    machine(0)
    assert 290 < (seat.move_until - clock.now()).total_seconds() <= 300


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only a database server has a clock of its own")
@pytest.mark.django_db(transaction=True)
def test_every_look_at_the_rows_agrees_on_the_time(machine):
    right = time.time()
    machine(3600, agreed=False)
    assert clock.seconds() - right > 3500
    bus.check_rows([])
    assert abs(clock.seconds() - right) < 10


@pytest.mark.django_db
@pytest.mark.parametrize("skew", [-7200, 7200])
def test_a_match_is_shown_late_by_the_common_clock(machine, skew):
    """Whichever machine took the tap, and whichever is asked."""
    match = play.open_match("rps", "plain", {"red": "", "blue": ""})
    match.watch_delay = 5
    machine(skew)
    newest = play.remark(match.code, say("Hello")).version
    machine(-skew)
    assert delay.shown_version(match) < newest
    Entry.objects.filter(match=match).update(created_at=clock.now() - timedelta(minutes=6))
    machine(skew)
    assert delay.shown_version(match) == newest


@pytest.mark.django_db
@pytest.mark.parametrize("skew", [-7200, 7200])
def test_a_form_that_opened_an_event_at_one_machine_is_known_at_another(machine, client, skew):
    form = {"name": "Cup", "organiser": "Anna", "key": "the-key-of-a-form"}
    machine(skew)
    first = client.post("/e/new", form)["Location"]
    machine(-skew)
    assert client.post("/e/new", form)["Location"] == first


def test_who_logged_in_at_one_machine_is_the_organiser_at_another(machine, rf):
    request = rf.get("/admin/")
    request.session = {}
    for here, there in ((7200, 0), (0, 7200), (0.9, 0), (0, 0.9)):
        machine(here)
        sessions._remember(request)
        machine(there)
        assert sessions.is_present(request), (here, there)
