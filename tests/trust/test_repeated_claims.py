"""A phone that takes a seat but never gets the answer asks again, and has that seat and all it had before.

The old session lives until the new one has been seen, but never holds what was taken under the new one: a
cookie that somebody planted on a phone opens nothing that the phone takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from games.core import RequestRefused
from games.match import play
from games.models import Entry, Match, Seat, SeatRequest
from games.people import seats
from games.people.sessions import SessionStore
from tests.browser import driving
from tests.trust import cast
from tests.trust.cast import BLUE, OPEN, RED, Phone, World

Claim = tuple[Phone, str, dict[str, str], Match, str]
"""The claiming phone, where the form posts to, its fields, and the table and seat that it opens."""


def key_on(phone: Phone, path: str) -> str:
    """The key in a page's form."""
    return key_in(phone.ask("GET", path).content.decode())


def key_in(page: str) -> str:
    return re.search(r'name="key" value="([\w-]{8,64})"', page)[1]


def by_link(world: World, phone: Phone) -> Claim:
    path = cast.link(world.match, OPEN)
    return phone, path, {"name": "Guest", "key": key_on(phone, path)}, world.match, OPEN


def by_link_of_a_robot(world: World, phone: Phone) -> Claim:
    form = {"system": "auction", "mode": "tracks", "seats": [{"name": name} for name in ("A", "B", "C")]}
    opened = Phone().ask("POST", "/api/matches", form).json()
    path = opened["seats"][1]["link"].removeprefix("http://testserver")
    match = Match.objects.get(code=opened["code"])
    return phone, path, {"name": "", "key": key_on(phone, path)}, match, opened["seats"][1]["seat"]


def by_taking_it_too(world: World, phone: Phone) -> Claim:
    cast.sit(phone, world.match, OPEN)
    world.phones["blue"].ask("POST", reverse("free", args=[world.code]), {"seat": BLUE})
    key = key_on(phone, reverse("seats", args=[world.code]))
    return phone, reverse("take", args=[world.code]), {"seat": BLUE, "key": key}, world.match, BLUE


def by_being_let_in(world: World, phone: Phone) -> Claim:
    path = reverse("join", args=[world.code])
    phone.ask("POST", path, {"name": "Late", "seat": OPEN, "key": key_on(phone, path)})
    asked = SeatRequest.objects.get(name="Late")
    grant = reverse("guests", args=[world.code])
    assert world.phones["red"].ask("POST", grant, {"let_in": str(asked.pk)}).status_code == 302
    return phone, path, {"key": key_on(phone, path)}, world.match, OPEN


def by_moving_code(world: World, phone: Phone) -> Claim:
    moved = world.phones["red"].ask("POST", reverse("move", args=[world.code]), {"seat": RED})
    code = re.search(r'<p class="code">([A-Z2-9]{6})</p>', moved.content.decode())[1]
    key = key_on(phone, reverse("join", args=[world.code]))
    return phone, reverse("move-here", args=[world.code]), {"code": code, "key": key}, world.match, RED


WAYS = {
    way.__name__: way
    for way in (by_link, by_link_of_a_robot, by_taking_it_too, by_being_let_in, by_moving_code)
}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
Way = Callable[[World, Phone], Claim]


def lost(phone: Phone, path: str, form: dict[str, str]) -> HttpResponse:
    """The request arrives and is carried out; the answer never comes back."""
    answer = phone.twin().ask("POST", path, form)
    assert answer.status_code == 302, answer.content.decode()
    return answer


def holds(phone: Phone, match: Match, key: str) -> bool:
    """Whether this phone may act for the seat."""
    answer = phone.ask("POST", reverse("act", args=[match.code]), {"seat": key, "action": "?"})
    return answer.status_code != 403


def another_device(phone: Phone) -> Phone:
    """A device with this one's session, as whoever planted it has, but without what the site set since."""
    other = phone.twin()
    other.cookies.pop(settings.CLAIM_COOKIE_NAME, None)
    return other


@pytest.fixture
def phone(world: World) -> Phone:
    """A phone that already plays at another table."""
    stranger = world.phones["stranger"]
    assert holds(stranger, world.other, RED)
    return stranger


# --- the answer is lost ---------------------------------------------------------------------------


@ways
def test_a_lost_answer_costs_no_seat_and_the_claim_can_be_repeated(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    lost(phone, path, form)
    assert holds(phone, world.other, RED), "what it held before is still its own"
    assert not holds(phone, match, seat), "the old session got nothing"
    entries = Entry.objects.filter(match=match).count()
    for _time in range(2):
        assert phone.ask("POST", path, form).status_code == 302
        assert holds(phone, match, seat)
        assert holds(phone, world.other, RED)
    assert Entry.objects.filter(match=match).count() == entries, "sitting down is told once"


@ways
def test_twenty_lost_answers_in_a_row_cost_nothing(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    for _time in range(20):
        lost(phone, path, form)
    assert phone.ask("POST", path, form).status_code == 302
    assert holds(phone, match, seat)
    assert holds(phone, world.other, RED)


@ways
def test_a_phone_without_any_cookie_repeats_its_claim(world: World, way: Way):
    phone, path, form, match, seat = way(world, Phone())
    lost(phone, path, form)
    assert phone.ask("POST", path, form).status_code == 302
    assert holds(phone, match, seat)


def test_a_table_whose_answer_was_lost_is_opened_once(world: World, phone: Phone):
    form = {"mode": "auction/tracks", "name": "Ada", "seat": RED, "key": key_on(phone, "/new?game=auction")}
    first = lost(phone, "/new", form)
    assert holds(phone, world.other, RED)
    tables = Match.objects.count()
    again = phone.ask("POST", "/new", form)
    assert again["Location"] == first["Location"]
    assert Match.objects.count() == tables
    assert holds(phone, Match.objects.latest("pk"), RED)
    assert holds(phone, world.other, RED)
    other = phone.ask("POST", "/new", {**form, "name": "Ben"})
    assert other["Location"] != first["Location"], "a form that was changed asks for another table"


def first_steps(phone: Phone, world: World) -> tuple[str, dict[str, str]]:
    return "/first-steps/tmg", {"key": key_on(phone, "/first-steps")}


def practice(phone: Phone, world: World) -> tuple[str, dict[str, str]]:
    path = f"/t/{world.code}/replay/1"
    return f"{path}/practice", {"key": key_on(phone, path)}


def rematch(phone: Phone, world: World) -> tuple[str, dict[str, str]]:
    """The form for a rematch of a match that is over, at which one device had all seats."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    driving.do(match, "red throw:rock\nblue throw:paper\n" * 2)
    for seat in ("red", "blue"):
        cast.sit(phone, match, seat)
    form = {"mode": "rps/plain", "seat": "red", "like": match.code, "name": "Ada"}
    return "/new", {**form, "key": key_on(phone, "/new")}


@pytest.mark.parametrize("opening", [first_steps, practice, rematch])
def test_a_table_for_one_device_whose_answer_was_lost_has_all_its_seats_there(
    world: World, phone: Phone, opening: Callable[[Phone, World], tuple[str, dict[str, str]]]
):
    path, form = opening(phone, world)
    first = lost(phone, path, form)
    assert phone.ask("POST", path, form)["Location"] == first["Location"]
    new = Match.objects.latest("pk")
    assert all(holds(phone, new, seat.key) for seat in new.seats.all())
    assert holds(phone, world.other, RED)


def test_a_request_for_a_seat_whose_answer_was_lost_is_one_request(world: World, phone: Phone):
    path = reverse("join", args=[world.code])
    form = {"name": "Late", "seat": OPEN, "key": key_on(phone, path)}
    lost(phone, path, form)
    assert holds(phone, world.other, RED)
    assert phone.ask("POST", path, form).status_code == 302
    assert holds(phone, world.other, RED)
    asked = SeatRequest.objects.get(name="Late")
    world.phones["red"].ask("POST", reverse("guests", args=[world.code]), {"let_in": str(asked.pk)})
    assert phone.ask("POST", path, {"key": key_on(phone, path)}).status_code == 302
    assert holds(phone, world.match, OPEN)


def test_a_request_whose_answer_was_lost_counts_once_among_those_who_wait(world: World, phone: Phone):
    path = reverse("join", args=[world.code])
    form = {"name": "Late", "seat": OPEN, "key": key_on(phone, path)}
    lost(phone, path, form)
    while seats.open_requests(world.match).count() < seats.MOST_REQUESTS:
        other = Phone()
        other.ask("POST", path, {"name": "Other", "seat": OPEN, "key": key_on(other, path)})
    assert phone.ask("POST", path, form).status_code == 302
    assert SeatRequest.objects.filter(name="Late").count() == 1


# --- the page is opened again ---------------------------------------------------------------------


def opened_again(phone: Phone, way: Way, world: World, path: str) -> tuple[str, dict[str, str]]:
    """Where the page posts to that the same link, code or place in the menu leads to, and its fields."""
    if way is by_taking_it_too:
        path = reverse("seats", args=[world.code])
    page = phone.ask("GET", path)
    assert page.status_code == 200
    shown = page.content.decode()
    if way is by_taking_it_too:
        return reverse("take", args=[world.code]), {"seat": BLUE, "key": key_in(shown)}
    return re.search(r'<form method="post"[^>]* action="([^"]+)"', shown)[1], {"key": key_in(shown)}


@ways
@pytest.mark.parametrize("has_cookies", [True, False])
def test_a_claim_whose_answer_was_lost_is_made_up_for_by_opening_its_page_again(
    world: World, phone: Phone, way: Way, has_cookies: bool
):
    """The same link, the same code: the page that was posted from is gone, and its key with it."""
    if not has_cookies and way is not by_taking_it_too:
        phone = Phone()
    phone, path, form, match, seat = way(world, phone)
    lost(phone, path, form)
    assert not holds(phone, match, seat)
    entries = Entry.objects.filter(match=match).count()
    assert phone.ask(*("POST", *opened_again(phone, way, world, path))).status_code == 302
    assert holds(phone, match, seat)
    assert Entry.objects.filter(match=match).count() == entries, "sitting down is told once"


@ways
def test_on_another_device_the_page_opened_again_takes_nothing(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    lost(phone, path, form)
    for other in (another_device(phone), Phone()):
        page = other.ask("GET", reverse("seats", args=[world.code]) if way is by_taking_it_too else path)
        shown = page.content.decode()
        key = key_in(shown) if 'name="key"' in shown else ""
        assert other.ask("POST", path, {**form, "key": key}).status_code in (403, 404, 409, 422)
        assert not holds(other, match, seat)


def test_a_used_link_shows_another_device_the_way_to_bring_the_seat_along(world: World):
    path, owner, other = cast.link(world.match, OPEN), Phone(), Phone()
    assert owner.ask("POST", path, {"name": "Guest", "key": key_on(owner, path)}).status_code == 302
    refused = other.ask("GET", path)
    assert refused.status_code == 409
    assert f'action="{reverse("move-here", args=[world.code])}"' in refused.content.decode()
    shown = owner.ask("POST", reverse("move", args=[world.code]), {"seat": OPEN}).content.decode()
    code = re.search(r'<p class="code">([A-Z2-9]{6})</p>', shown)[1]
    moved = other.ask(
        "POST",
        reverse("move-here", args=[world.code]),
        {"code": code, "key": key_in(refused.content.decode())},
    )
    assert moved.status_code == 302
    assert (holds(owner, world.match, OPEN), holds(other, world.match, OPEN)) == (False, True)


def test_a_page_opened_often_before_the_claim_is_opened_again_after_it(world: World):
    path, phone = cast.link(world.match, OPEN), Phone()
    keys = [key_on(phone, path) for _time in range(9)]
    lost(phone, path, {"name": "Guest", "key": keys[-3]})
    assert phone.ask("POST", path, {"key": key_on(phone, path)}).status_code == 302
    assert holds(phone, world.match, OPEN)


def test_a_seat_moved_to_a_device_that_has_just_taken_another_is_that_seat(world: World):
    """The code that was typed counts, not the seat that this device took a moment ago."""
    phone, path, form, match, seat = by_link(world, Phone())
    assert phone.ask("POST", path, form).status_code == 302
    _other, path, form, _match, moved = by_moving_code(world, Phone())
    assert phone.ask("POST", path, {**form, "key": key_on(phone, path)}).status_code == 302
    assert holds(phone, match, seat)
    assert holds(phone, match, moved)


# --- for how long, and for whom -------------------------------------------------------------------


@ways
def test_after_ten_minutes_a_claim_is_not_repeated(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    lost(phone, path, form)
    claimed = Seat.objects.filter(match=match, key=seat)
    claimed.update(claimed_at=timezone.now() - timedelta(minutes=9))
    assert phone.twin().ask("POST", path, form).status_code == 302
    claimed.update(claimed_at=timezone.now() - timedelta(minutes=11))
    assert phone.ask("POST", path, form).status_code in (404, 409, 422)
    assert not holds(phone, match, seat)
    assert holds(phone, world.other, RED)


@ways
def test_another_key_repeats_nothing(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    lost(phone, path, form)
    phone = another_device(phone)
    for key in ("another-key-of-a-page", "", form["key"] + "x"):
        assert phone.ask("POST", path, {**form, "key": key}).status_code in (404, 409, 422)
        assert not holds(phone, match, seat)
    assert phone.ask("POST", path, {**form, "key": "x\0"}).status_code == 422


@ways
def test_a_seat_that_was_freed_since_is_not_taken_by_a_repeated_claim(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    first = phone.twin()
    first.ask("POST", path, form)
    first.ask("POST", reverse("free", args=[match.code]), {"seat": seat})
    if way is not by_taking_it_too:
        assert phone.ask("POST", path, form).status_code in (404, 409, 422)
        assert not holds(phone, match, seat)


def test_a_page_from_before_an_update_has_no_key_and_still_takes_the_seat_once(world: World):
    path = cast.link(world.match, OPEN)
    first, second = Phone(), Phone()
    assert first.ask("POST", path, {"name": "First"}).status_code == 302
    assert second.ask("POST", path, {"name": "First"}).status_code == 409
    assert second.ask("POST", path, {"name": "First", "key": ""}).status_code == 409


# --- a planted cookie -----------------------------------------------------------------------------


@ways
def test_a_planted_cookie_does_not_hold_what_its_phone_takes(world: World, phone: Phone, way: Way):
    phone, path, form, match, seat = way(world, phone)
    planted = phone.twin()
    assert phone.ask("POST", path, form).status_code == 302
    assert not holds(planted, match, seat), "not while the new session has yet to be seen"
    assert holds(phone, match, seat)
    assert not holds(planted, match, seat)
    assert not holds(planted, world.other, RED), "once the new session was seen the old one is gone"


@ways
def test_a_planted_cookie_cannot_repeat_the_claim(world: World, phone: Phone, way: Way):
    """The person who planted it may see the same page, but each page has its own key."""
    phone, path, form, match, seat = way(world, phone)
    planted = another_device(phone)
    page = {by_taking_it_too: "seats", by_being_let_in: "join", by_moving_code: "join"}.get(way, "")
    shown = reverse(page, args=[world.code]) if page else path
    own = key_on(planted, shown)
    assert own != form["key"]
    # What that page's cookie says can be planted as well.
    phone.cookies[settings.CLAIM_COOKIE_NAME] = planted.cookies[settings.CLAIM_COOKIE_NAME].value
    form["key"] = key_on(phone, shown)
    assert phone.ask("POST", path, form).status_code == 302
    assert planted.ask("POST", path, {**form, "key": own}).status_code in (403, 404, 409, 422)
    assert not holds(planted, match, seat)
    assert holds(phone, match, seat)


def test_a_planted_cookie_does_not_sit_down_on_what_its_phone_asked_for(world: World, phone: Phone):
    path = reverse("join", args=[world.code])
    planted = phone.twin()
    phone.ask("POST", path, {"name": "Late", "seat": OPEN, "key": key_on(phone, path)})
    asked = SeatRequest.objects.get(name="Late")
    world.phones["red"].ask("POST", reverse("guests", args=[world.code]), {"let_in": str(asked.pk)})
    assert planted.ask("POST", path, {"key": key_on(planted, path)}).status_code == 422
    assert not holds(planted, world.match, OPEN)
    assert phone.ask("POST", path, {"key": key_on(phone, path)}).status_code == 302
    assert holds(phone, world.match, OPEN)


def test_the_old_session_is_deleted_by_whatever_page_sees_the_new_one(world: World, phone: Phone):
    old = phone.cookies[settings.SESSION_COOKIE_NAME].value
    cast.sit(phone, world.match, OPEN)
    assert Session.objects.filter(session_key=old).exists()
    phone.ask("GET", reverse("home"))
    assert not Session.objects.filter(session_key=old).exists()
    new = phone.cookies[settings.SESSION_COOKIE_NAME].value
    for _time in range(2):
        assert holds(phone, world.match, OPEN)
        assert phone.cookies[settings.SESSION_COOKIE_NAME].value == new


@pytest.mark.django_db
def test_a_page_that_took_a_seat_gets_no_other_by_its_key(rf: RequestFactory):
    tables = [play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}) for _table in range(2)]
    own, beside, elsewhere, _fourth = Seat.objects.filter(match__in=tables).order_by("pk")
    request, key = rf.get("/"), "the-key-of-a-page"
    request.session = SessionStore()
    assert seats.sit_down(request, own, key)
    Seat.objects.update(is_taken=True)
    for taken in (beside, elsewhere):
        with pytest.raises(RequestRefused, match="This seat is taken"):
            seats.sit_down(request, taken, key)
    assert [seats.claimed(table, key) for table in tables] == [(own, key), None]
    assert [seats.taken_by(key, table) for table in tables] == [[own], []]
