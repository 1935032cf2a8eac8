"""A phone's session: gone once expired, renewed safely."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.core import system
from games.match import play, random_play, storage
from games.models import Match, Seat
from games.people import seats
from games.people.sessions import REPLACES, SessionStore
from tests.trust import cast
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

STATEMENTS, TAPS = 7, 60
KINDS = ("SELECT", "INSERT", "UPDATE", "DELETE")
OURS = 1
"""The query for the version that `tap` makes itself."""
RESTS = "DELETE FROM games_allowance"
"""The query that a phone of these tests makes before it taps, so that it is never too fast."""


@pytest.fixture
def match() -> Match:
    return play.open_match("tmg", "a-game-of-thrones", {"red": "Red", "blue": "Blue"}, seed="sessions")


def tap(phone: Phone, match: Match, seat: str, action: str) -> int:
    """Tap it; returns the status of the answer."""
    version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
    form = {"action": action, "seat": seat, "seen": str(version), "key": play.new_key()}
    return phone.ask("POST", reverse("act", args=[match.code]), form, HX_Request="true").status_code


@pytest.mark.parametrize("slug", ["agot", "bushido", "tmg"])
def test_most_taps_ask_the_database_seven_times_or_less(
    slug: str, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    game = system(slug)
    keys = tuple(game.seat_names)[: min(game.seat_range)]
    match = play.open_match(game.slug, game.modes[0].slug, dict.fromkeys(keys, ""), seed="statements")
    phone, luck, asked = Phone(), random.Random(2), []
    for key in keys:
        cast.sit(phone, match, key)
    for _tap in range(TAPS):
        state = storage.load(Match.objects.get(pk=match.pk)).state
        if state.result is not None:
            break
        seat, action = random_play.tap(state, luck)
        with CaptureQueriesContext(connection) as said, django_capture_on_commit_callbacks(execute=True):
            assert tap(phone, match, seat, action) == 200
        statements = [query["sql"].lstrip() for query in said if query["sql"] != RESTS]
        asked.append(sum(sql.startswith(KINDS) for sql in statements) - OURS)
    shared = connection.vendor == "postgresql"  # the allowance that several processes share
    assert statistics.median(asked) <= STATEMENTS + shared


def test_a_session_that_has_run_out_holds_no_seat(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert tap(red, match, "red", "ready") == 403


def test_a_session_that_has_run_out_knows_no_table_on_any_other_page(match: Match) -> None:
    """A page without a table reads the session on its own, as the admin and the event pages do."""
    red = Phone()
    cast.sit(red, match, "red")
    key = red.cookies[settings.SESSION_COOKIE_NAME].value
    assert match.code in SessionStore(key)[seats.SESSION_SEATS]
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    expired = SessionStore(key)
    assert seats.SESSION_SEATS not in expired
    assert expired.session_key is None, "what is kept from now on is kept under another key"


def test_a_phone_keeps_its_newest_tables_only(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request reads the whole session: one that grew with each table would in time slow all others."""
    monkeypatch.setattr(seats, "MOST_TABLES", 2)
    red, tables = Phone(), [match]
    cast.sit(red, match, "red")
    tables.append(cast.open_table(red, mode="tmg/a-game-of-thrones", seat="red"))
    cast.sit(red, match, "blue")
    tables.append(cast.open_table(red, mode="tmg/a-game-of-thrones", seat="red"))
    assert [tap(red, table, "red", "nothing") for table in tables] == [409, 403, 409]
    assert tap(red, match, "blue", "nothing") == 409


def test_a_session_that_is_deleted_holds_no_seat(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    Session.objects.all().delete()
    assert tap(red, match, "red", "ready") == 403


def test_a_session_does_not_hold_a_seat_that_is_free(match: Match) -> None:
    """An import may bring a code back, and not every session says which match it belongs to."""
    red = Phone()
    cast.sit(red, match, "red")
    Seat.objects.filter(match=match).update(is_taken=False)
    assert tap(red, match, "red", "ready") == 403


def test_a_session_opens_no_other_table(match: Match) -> None:
    other = play.open_match("tmg", "a-game-of-thrones", {"red": "Red", "blue": "Blue"}, seed="other")
    Seat.objects.filter(match=other).update(is_taken=True)
    red = Phone()
    cast.sit(red, match, "red")
    assert tap(red, other, "red", "ready") == 403


def test_the_session_that_was_replaced_goes_with_the_first_tap_that_shows_the_new_key(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    first = red.cookies[settings.SESSION_COOKIE_NAME].value
    cast.sit(red, match, "blue")
    second = red.cookies[settings.SESSION_COOKIE_NAME].value
    assert Session.objects.get(session_key=second).get_decoded()[REPLACES] == first
    assert Session.objects.filter(session_key=first).exists()
    tap(red, match, "red", "nothing-such")
    assert not Session.objects.filter(session_key=first).exists()
    assert REPLACES not in Session.objects.get(session_key=second).get_decoded()


def test_two_seats_taken_by_one_form_leave_one_session(match: Match) -> None:
    phone = Phone()
    cast.sit(phone, match, "red")
    old = phone.cookies[settings.SESSION_COOKIE_NAME].value
    assert phone.ask("POST", "/first-steps/tmg", {"key": "the-key-of-a-form"}).status_code == 302
    assert Session.objects.filter(session_key=old).exists(), "its answer may be lost"
    phone.ask("GET", "/")
    new = phone.cookies[settings.SESSION_COOKIE_NAME].value
    assert list(Session.objects.values_list("session_key", flat=True)) == [new]


@pytest.mark.parametrize("key", ["\\000" + "a" * 31, "\\351" * 32, "-" * 32], ids=str)
def test_no_database_is_asked_for_a_key_that_is_none_of_ours(match: Match, client: Client, key: str) -> None:
    """In quotes a cookie can hold any character, even one that PostgreSQL accepts in no query."""
    cookie = f'{settings.SESSION_COOKIE_NAME}="{key}"'
    for path in (reverse("table", args=[match.code]), reverse("join", args=[match.code]), "/admin/login/"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path, headers={"cookie": cookie}).status_code == 200, path
        assert not any("django_session" in one["sql"] for one in asked.captured_queries), path
