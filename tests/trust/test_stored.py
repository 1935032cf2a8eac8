"""Strangers cannot fill the disk: an address has so many bytes a day, and tables that nobody plays at go."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import F
from django.http import HttpResponse
from django.urls import reverse

from config.data import tidying
from games.hall import commands
from games.match import match_file, play
from games.match.play import new_key
from games.models import Match, Seat
from games.web import limits
from tests.browser import driving
from tests.hall import halls
from tests.trust import cast
from tests.trust.cast import BLUE, RED, Phone

pytestmark = pytest.mark.django_db

MB = 2**20
STRANGER, CLUB = "203.0.113.9", "198.51.100.4"


@pytest.fixture
def quota(monkeypatch: pytest.MonkeyPatch) -> limits.Quota:
    """Eight megabytes a day of each address, half a megabyte of each table and event."""
    one = limits.Quota(8 * MB)
    monkeypatch.setattr(limits, "quota", lambda: one)
    places = tuple(limits.Quota(MB // 2, name=name) for name in ("table", "event"))
    monkeypatch.setattr(limits, "quota_of_places", lambda: places)
    cast.rest()
    return one


def open_table(address: str = STRANGER, phone: Phone | None = None) -> HttpResponse:
    form = {"mode": "auction/tracks", "name": "Red", "seat": RED, "key": new_key()}
    return (phone or Phone()).post("/new", form, REMOTE_ADDR=address)


def fill(address: str = STRANGER) -> int:
    """Open tables until that is refused; how many there are."""
    for number in range(60):
        if open_table(address).status_code == 429:
            return number
    raise AssertionError("one address opens tables without end")


def exported() -> bytes:
    """A whole match as a file; it is not here."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    driving.do(match, "red throw:rock\nblue throw:paper\n" * 2)
    file = json.dumps(match_file.whole(Match.objects.get(pk=match.pk)))
    match.delete()
    return file.encode()


# --- so many bytes a day --------------------------------------------------------------------------


def test_one_address_fills_its_share_and_no_other_is_kept_from_anything(quota: limits.Quota) -> None:
    opened = fill()
    assert 30 <= opened <= 34
    assert Match.objects.count() == opened
    refused = open_table()
    assert int(refused["Retry-After"]) > 60
    assert "Please try again in" in refused.content.decode()
    assert open_table(CLUB).status_code == 302
    assert Phone().get("/", REMOTE_ADDR=STRANGER).status_code == 200, "looking costs nothing"


@pytest.mark.parametrize("form", ["/api/matches", "/e/new", "/first-steps/tmg"])
def test_every_way_to_open_something_ends_there(quota: limits.Quota, form: str) -> None:
    fill()
    answer = Phone().post(form, {}, REMOTE_ADDR=STRANGER)
    assert answer.status_code == 429
    if form.startswith("/api/"):
        assert answer.json()["error"] == "too_fast"


def test_nobody_keeps_a_table_behind_the_same_address_from_playing(quota: limits.Quota) -> None:
    phone = Phone()
    match = cast.open_table(phone)
    quota.add("127.0.0.1", 9 * MB)
    assert open_table("127.0.0.1").status_code == 429
    assert phone.post(reverse("adjust", args=[match.code]), cast.correction()).status_code == 302


def test_a_table_at_which_more_is_stored_than_anybody_plays_counts_for_the_address(
    quota: limits.Quota,
) -> None:
    """Somebody who taps without end at a table of their own fills the disk, too."""
    phone, other = Phone(), Phone()
    match = cast.open_table(phone)
    path = reverse("adjust", args=[match.code])

    def tap(number: int) -> int:
        return phone.post(path, cast.correction(f"correction-{number}")).status_code

    of_table, _of_event = limits.quota_of_places()
    of_table.add(match.code, MB)
    before = quota.owed["127.0.0.1"]
    statuses = [tap(number) for number in range(3)]
    assert quota.owed["127.0.0.1"] - before == 3 * limits.LEAST_STORED
    quota.add("127.0.0.1", 9 * MB)
    statuses += [tap(number) for number in range(3, 6)]
    assert statuses == [302] * 3 + [429] * 3
    assert other.post(path, cast.correction("another-key"), REMOTE_ADDR=CLUB).status_code == 403


def test_a_tap_costs_its_table_what_its_entry_takes(quota: limits.Quota) -> None:
    phone = Phone()
    match = cast.open_table(phone)
    before = quota.owed["127.0.0.1"]
    phone.ask("POST", reverse("adjust", args=[match.code]), cast.correction())
    of_table, _of_event = limits.quota_of_places()
    assert (quota.owed["127.0.0.1"], of_table.owed[match.code]) == (before, limits.LEAST_STORED)


def test_what_is_refused_costs_nothing(quota: limits.Quota) -> None:
    for _time in range(60):
        assert Phone().post("/new", {"mode": "no/game"}, REMOTE_ADDR=STRANGER).status_code != 302
    assert open_table().status_code == 302


def test_an_import_costs_by_its_length(quota: limits.Quota) -> None:
    form = {"content_type": "application/json", "REMOTE_ADDR": STRANGER}
    padded = b" " * 3_500_000
    assert Phone().post("/api/import", exported() + padded, **form).status_code == 201
    assert Match.objects.exclude(opened_from="").count() == 1
    assert open_table().status_code == 429


def test_organisers_are_never_refused_and_anybody_may_log_in(quota: limits.Quota) -> None:
    fill()
    phone = Phone()
    login = {"username": "olenna", "password": "a long enough password"}
    get_user_model().objects.create_superuser(**login)
    answer = phone.post("/admin/login/?next=/admin/", login, REMOTE_ADDR=STRANGER)
    assert answer.status_code == 302
    assert open_table(phone=phone).status_code == 302


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.skipif(connection.vendor != "sqlite", reason="there the database's own clock counts")
def test_a_share_comes_back_in_the_course_of_a_day() -> None:
    clock = Clock()
    quota = limits.Quota(MB, clock)
    quota.add("here", 3 * MB)
    assert quota.wait("here") == pytest.approx(limits.DAY_SECONDS / 16, rel=0.01), "a piece is the first"
    assert quota.wait("there") == 0
    clock.now += limits.DAY_SECONDS
    assert quota.wait("here") > 0, "two more days are owed"
    clock.now += limits.DAY_SECONDS + 60
    assert quota.wait("here") == 0


def test_without_a_limit_nobody_waits() -> None:
    quota = limits.Quota(0)
    quota.add("here", 10**15)
    assert quota.wait("here") == 0


# --- tables that nobody plays at ------------------------------------------------------------------


def age(match: Match, days: int) -> None:
    """Everything that happened at a table happened so long ago."""
    back = timedelta(days=days)
    moved = {name: F(name) - back for name in ("created_at", "changed_at")}
    Match.objects.filter(pk=match.pk).update(**moved)
    match.entries.update(created_at=F("created_at") - back)
    Seat.objects.filter(match=match).exclude(claimed_at=None).update(claimed_at=F("claimed_at") - back)


def by_program(phone: Phone) -> Match:
    form = {"system": "auction", "mode": "tracks", "seats": [{"name": name} for name in "ABC"]}
    assert phone.ask("POST", "/api/matches", form).status_code == 201
    return Match.objects.latest("pk")


def by_form(phone: Phone) -> Match:
    return cast.open_table(phone)


def by_import(phone: Phone) -> Match:
    answer = phone.post("/api/import", exported(), content_type="application/json")
    assert answer.status_code == 201
    return Match.objects.get(code=answer.json()["code"])


def by_command(phone: Phone) -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})


def for_an_event(phone: Phone) -> Match:
    code = halls.opened(2)
    commands.pair(code, halls.ANNA)
    commands.open_round(code, halls.ANNA)
    Match.objects.update(opened_from="somewhere")
    return Match.objects.latest("pk")


def is_kept(match: Match) -> bool:
    tidying.clear_unused(7)
    return Match.objects.filter(pk=match.pk).exists()


@pytest.mark.parametrize(
    ("opened", "days"), [(by_program, 7), (by_import, 7), (by_form, 30)], ids=["program", "import", "form"]
)
def test_a_table_that_nobody_played_at_goes_after_its_time(
    opened: Callable[[Phone], Match], days: int
) -> None:
    """Whoever opened it by the form sits there, for as long as their phone keeps the seat."""
    match = opened(Phone())
    age(match, days - 1)
    assert is_kept(match)
    age(match, 2)
    assert not is_kept(match)


@pytest.mark.parametrize("opened", [by_command, for_an_event])
def test_what_no_stranger_opened_stays(opened: Callable[[Phone], Match]) -> None:
    match = opened(Phone())
    age(match, 400)
    assert is_kept(match)


@pytest.mark.parametrize("opened", [by_program, by_form])
def test_a_table_that_somebody_played_at_stays(opened: Callable[[Phone], Match]) -> None:
    phone = Phone()
    match = opened(phone)
    Match.objects.filter(pk=match.pk).update(created_at=F("created_at") - timedelta(days=1))
    cast.sit(phone, match, BLUE)
    assert phone.ask("POST", reverse("adjust", args=[match.code]), cast.correction()).status_code == 302
    Seat.objects.filter(match=match).update(is_taken=False)
    age(match, 400)
    assert is_kept(match)


def test_a_table_played_at_after_the_clock_was_set_back_stays() -> None:
    match = by_program(Phone())
    age(match, 400)
    Match.objects.filter(pk=match.pk).update(changed_at=F("created_at") - timedelta(days=400))
    assert is_kept(match)


def test_an_organisers_import_stays() -> None:
    phone = Phone()
    phone.force_login(get_user_model().objects.create_superuser("olenna", password="a long enough password"))
    match = by_import(phone)
    age(match, 400)
    assert is_kept(match)
