"""Guests who ask for a seat: few at a time, none in the log before they are let in, answered with one tap."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from games.history.signals import requests_changed
from games.models import Entry, Match, Seat, SeatRequest
from games.people import seats
from tests.hearing import heard
from tests.trust import cast
from tests.trust.cast import BLUE, OPEN, Phone, World


def ask(phone: Phone, match: Match, name: str = "") -> int:
    form = {"name": name, "seat": OPEN}
    return phone.ask("POST", reverse("join", args=[match.code]), form).status_code


def answer(world: World, role: str = "red", **choice: int) -> int:
    form = {name: str(number) for name, number in choice.items()}
    return world.phones[role].ask("POST", reverse("guests", args=[world.code]), form).status_code


def page(phone: Phone, name: str, match: Match) -> str:
    return phone.ask("GET", reverse(name, args=[match.code])).content.decode()


def log(match: Match) -> int:
    return Entry.objects.filter(match=match).count()


def test_a_flood_of_requests_fills_no_log_and_only_three_wait(world: World):
    """The watcher already waits; with two more the table has three, and the rest are asked to come back."""
    entries, version = log(world.match), Match.objects.get(pk=world.match.pk).version
    statuses = [ask(Phone(), world.match, f"Stranger {number}") for number in range(20)]
    assert statuses == [302, 302] + [409] * 18
    assert SeatRequest.objects.filter(seat__match=world.match).count() == 3
    assert log(world.match) == entries
    assert Match.objects.get(pk=world.match.pk).version == version
    full = Phone().ask("POST", reverse("join", args=[world.code]), {"name": "Late", "seat": OPEN})
    assert "Several guests are waiting already" in full.content.decode()
    assert ask(world.phones["watcher"], world.match, "Guest") == 302, "who waits may ask again"


def test_a_place_among_those_who_wait_comes_free_by_an_answer_and_by_time(world: World):
    for _number in range(2):
        ask(Phone(), world.match)
    assert ask(Phone(), world.match) == 409
    assert answer(world, turn_away=cast.request_of_name(world.match, "Guest").pk) == 302
    assert ask(Phone(), world.match) == 302
    assert ask(Phone(), world.match) == 409
    long_ago = timezone.now() - timedelta(minutes=11)
    SeatRequest.objects.filter(seat__match=world.match).update(created_at=long_ago)
    assert ask(Phone(), world.match) == 302


def test_a_guest_is_in_the_log_once_let_in_and_only_once(world: World):
    entries, asked = log(world.match), cast.request_of(world.match)
    for _time in range(2):
        assert answer(world, let_in=asked.pk) == 302
        assert log(world.match) == entries + 1
    newest = Entry.objects.filter(match=world.match).latest("version")
    assert "Guest" in str(newest.lines)
    assert newest.author == "Red"


def test_a_guest_is_let_in_however_many_have_asked_before_at_all_tables(world: World):
    """Strangers ask at tables of their own; what they number must not use up what a player may send."""
    asked = cast.request_of(world.match)
    SeatRequest.objects.filter(pk=asked.pk).update(id=2_000_000_000)
    assert answer(world, let_in=2_000_000_000) == 302
    assert SeatRequest.objects.get(pk=2_000_000_000).granted_at is not None


def test_who_sits_sees_who_asks_on_top_and_nobody_else_does(world: World):
    asked = cast.request_of(world.match)
    button = f'form="guests" name="let_in" value="{asked.pk}"'
    for role in ("red", "blue"):
        shown = page(world.phones[role], "table", world.match)
        assert "Guest wants" in shown
        assert button in shown
        assert shown.index(button) < shown.index('<nav class="score"')
    for role in ("watcher", "anon", "stranger", "ejected", "organiser"):
        assert "let_in" not in page(world.phones[role], "table", world.match)
        assert "data-guests" not in page(world.phones[role], "board", world.match)
    assert answer(world, role="watcher", let_in=asked.pk) == 403


def test_a_guest_without_a_name_is_a_guest(world: World):
    answer(world, turn_away=cast.request_of(world.match).pk)
    assert ask(Phone(), world.match) == 302
    assert "A guest wants" in page(world.phones["red"], "table", world.match)


def test_a_guest_who_is_turned_away_is_told_and_may_ask_again(world: World):
    watcher, asked = world.phones["watcher"], cast.request_of(world.match)
    assert "data-waiting" in page(watcher, "join", world.match)
    answer(world, turn_away=asked.pk)
    told = page(watcher, "join", world.match)
    assert "Your request was declined" in told
    assert "data-waiting" not in told
    assert "Guest wants" not in page(world.phones["red"], "table", world.match)
    assert ask(watcher, world.match, "Guest") == 302
    assert "data-waiting" in page(watcher, "join", world.match)
    assert answer(world, let_in=asked.pk) == 302
    assert "data-granted" in page(watcher, "join", world.match)


def test_a_guest_who_watches_is_shown_the_way_to_the_answer_and_nobody_else_is(world: World):
    watcher, way = world.phones["watcher"], f'data-page="{reverse("join", args=[world.code])}"'
    for name in ("table", "watch"):
        assert way in page(watcher, name, world.match)
        for role in ("anon", "stranger", "red", "organiser"):
            assert way not in page(world.phones[role], name, world.match)
    answer(world, turn_away=cast.request_of(world.match).pk)
    assert way not in page(watcher, "table", world.match)
    ask(watcher, world.match, "Guest")
    answer(world, let_in=cast.request_of(world.match).pk)
    assert way in page(watcher, "table", world.match)


def test_an_answer_that_comes_too_late_is_said(world: World):
    asked = cast.request_of(world.match)
    cast.sit(Phone(), world.match, OPEN)
    for choice in ("let_in", "turn_away"):
        said = world.phones["red"].ask(
            "POST", reverse("guests", args=[world.code]), {choice: str(asked.pk)}, HX_Request="true"
        )
        assert said.status_code == 409
        assert "No one is asking for that seat any more" in said.content.decode()
    assert not seats.open_requests(world.match).exists()


def test_who_waits_is_who_has_no_answer_yet_and_has_asked_a_short_while_ago(world: World):
    asked, now = cast.request_of(world.match), timezone.now()

    def waits() -> bool:
        asked.refresh_from_db()
        listed = asked in seats.open_requests(world.match)
        assert listed == seats.is_waiting(asked), "the guest's page and the table's agree"
        return listed

    assert waits()
    for answered, stands in ((seats.decline, "declined_at"), (seats.grant, "granted_at")) * 2:
        answered(asked)
        assert not waits()
        assert [name for name in ("granted_at", "declined_at") if getattr(asked, name)] == [stands]
    for age, is_waiting in ((9, True), (11, False)):
        fresh = {"granted_at": None, "declined_at": None, "created_at": now - timedelta(minutes=age)}
        SeatRequest.objects.filter(pk=asked.pk).update(**fresh)
        assert waits() == is_waiting


def test_a_poll_hears_of_a_guest_although_the_version_stays(world: World):
    red, path = world.phones["red"], reverse("board", args=[world.code])
    match = Match.objects.get(pk=world.match.pk)
    asked = cast.request_of(match)
    known = {"seen": str(match.version), "guests": str(asked.pk)}
    assert red.ask("GET", path, known).status_code == 204
    ask(Phone(), match)
    news = red.ask("GET", path, known)
    assert news.status_code == 200
    mark = re.search(r' data-guests="([\d.]+)"', news.content.decode())[1]
    assert mark.startswith(f"{asked.pk}.")
    assert red.ask("GET", path, {**known, "guests": mark}).status_code == 204
    assert red.ask("GET", path, {"seen": str(match.version)}).status_code == 204


def test_every_phone_at_the_table_hears_who_asks_and_who_was_turned_away(
    world: World, django_capture_on_commit_callbacks
):
    with heard(requests_changed, "code") as told:
        with django_capture_on_commit_callbacks(execute=True):
            ask(Phone(), world.match)
            assert told == [], "not before it is so"
        with django_capture_on_commit_callbacks(execute=True):
            answer(world, turn_away=SeatRequest.objects.latest("pk").pk)
    assert told == [(world.code,), (world.code,)]


def test_who_sits_at_another_table_answers_no_guest_of_this_one(world: World):
    """P11: a request's number opens nothing elsewhere."""
    asked = cast.request_of(world.match)
    for choice in ("let_in", "turn_away"):
        form = {choice: str(asked.pk)}
        stranger = world.phones["stranger"]
        assert stranger.ask("POST", reverse("guests", args=[world.other.code]), form).status_code == 409
    asked.refresh_from_db()
    assert (asked.granted_at, asked.declined_at) == (None, None)


def is_free(match: Match) -> bool:
    return not Seat.objects.get(match=match, key=OPEN).is_taken


def test_who_asks_elsewhere_sits_down_on_nothing_that_others_were_granted_here(world: World):
    """P11: a grant is for one phone at one table, whatever else the phone has asked for."""
    elsewhere, watcher = Phone(), world.phones["watcher"]
    assert ask(elsewhere, world.other) == 302
    assert answer(world, let_in=cast.request_of(world.match).pk) == 302
    assert "data-granted" not in page(elsewhere, "join", world.match)
    assert ask(elsewhere, world.match) == 302
    assert is_free(world.match)
    assert "data-granted" not in page(watcher, "join", world.other)
    assert ask(watcher, world.other, "Guest") == 302
    assert is_free(world.match)
    assert is_free(world.other)
    assert "data-granted" in page(watcher, "join", world.match)


def test_who_is_turned_away_while_they_sit_down_does_not_sit(world: World, monkeypatch: pytest.MonkeyPatch):
    taken_by, asked = seats.taken_by, cast.request_of(world.match)
    assert answer(world, let_in=asked.pk) == 302

    def turned_away_meanwhile(*claim: object) -> list[Seat]:
        seats.decline(asked)
        return taken_by(*claim)

    monkeypatch.setattr(seats, "taken_by", turned_away_meanwhile)
    assert ask(world.phones["watcher"], world.match, "Guest") == 409
    assert is_free(world.match)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Grünwald", "小龙", 'a"b;c', "O'Neil, Jr."])
def test_a_device_keeps_the_name_it_was_given(world: World, name: str):
    phone = Phone()
    cast.sit(phone, world.match, OPEN, name)
    fresh = Phone()
    fresh.cookies[settings.NAME_COOKIE_NAME] = phone.cookies[settings.NAME_COOKIE_NAME].value
    Seat.objects.filter(match=world.match, key=OPEN).update(is_taken=False, claimed_at=None)
    forms = (cast.link(world.match, OPEN), reverse("join", args=[world.code]), "/new")
    for path in forms:
        assert fresh.ask("GET", path).context["page"].name == name, path


@pytest.mark.parametrize("value", ["%E2%80%AEgnp.exe", "%00", "x" * 500, "%FF"])
def test_a_cookie_that_holds_no_name_is_none(world: World, value: str):
    phone = Phone()
    phone.cookies[settings.NAME_COOKIE_NAME] = value
    assert phone.ask("GET", "/new").context["page"].name == ""


def test_a_name_is_changed_from_the_page_of_seats_and_told(world: World):
    red, path = world.phones["red"], reverse("name", args=[world.code])
    assert f'href="{path}"' in page(red, "seats", world.match)
    assert red.ask("POST", path, {"name": "Rosa"}).status_code == 302
    assert world.match.armies.get(key=cast.RED).name == "Rosa"
    assert "Red is now called Rosa." in page(world.phones["anon"], "table", world.match)
    entries = log(world.match)
    assert red.ask("POST", path, {"name": "Rosa"}).status_code == 302
    assert log(world.match) == entries
    bad = red.ask("POST", path, {"name": "\u202egnp.exe"})
    assert bad.status_code == 422
    assert "reverse its direction" in bad.content.decode()
    assert red.ask("POST", path, {"name": "Rosa", "seat": cast.BLUE}).status_code == 403


# --- many guests, and no more guests --------------------------------------------------------------


def from_address(address: str) -> Phone:
    """A phone at another address."""
    phone = Phone()
    phone.defaults["REMOTE_ADDR"] = address
    return phone


def waiting(world: World) -> list[str]:
    return [one.name for one in seats.open_requests(world.match)]


def close(world: World, role: str = "red", choice: str = "close") -> int:
    path = reverse("guests", args=[world.code])
    return world.phones[role].ask("POST", path, {"requests": choice}).status_code


def test_three_strangers_keep_no_friend_out_and_the_friend_is_the_second_in_line(world: World):
    """The watcher, from the strangers' address, asked first."""
    for number in range(5):
        ask(Phone(), world.match, f"Stranger {number}")
    assert ask(from_address("10.0.0.7"), world.match, "Friend") == 302
    assert waiting(world) == ["Guest", "Friend", "Stranger 0", "Stranger 1"]
    answer(world, turn_away=cast.request_of_name(world.match, "Guest").pk)
    assert "Friend wants" in page(world.phones["red"], "table", world.match), "the bar shows the first"


def test_a_table_is_not_asked_by_more_than_a_dozen(world: World):
    statuses = [ask(from_address(f"10.0.0.{number}"), world.match, "Late") for number in range(20)]
    assert statuses == [302] * 11 + [409] * 9, "the watcher waits as well"


def test_who_asks_again_after_a_refusal_waits_behind_the_others(world: World):
    watcher, asked = world.phones["watcher"], cast.request_of(world.match)
    ask(Phone(), world.match, "Next")
    answer(world, turn_away=asked.pk)
    ask(watcher, world.match, "Guest")
    assert waiting(world) == ["Next", "Guest"]


@pytest.mark.parametrize("role", ["red", "blue"])
def test_one_tap_turns_all_away_and_closes_the_table_until_another_opens_it(world: World, role: str):
    entries, watcher = log(world.match), world.phones["watcher"]
    ask(Phone(), world.match, "Stranger")
    assert 'form="guests" name="requests" value="close"' in page(world.phones[role], "table", world.match)
    assert close(world, role) == 302
    assert waiting(world) == []
    assert "wants" not in page(world.phones["red"], "table", world.match)
    assert "data-waiting" not in page(watcher, "join", world.match), "who waited hears of it"
    for phone in (watcher, Phone(), from_address("10.0.0.7")):
        assert ask(phone, world.match, "Again") == 409
        assert 'name="seat"' not in page(phone, "join", world.match)
    assert waiting(world) == []
    assert 'name="requests" value="open"' in page(world.phones[role], "seats", world.match)
    assert close(world, role, "open") == 302
    assert ask(watcher, world.match, "Guest") == 302
    assert waiting(world) == ["Guest"]
    assert log(world.match) == entries, "it is no part of the match"


def test_a_friend_with_the_seats_own_link_sits_down_at_a_closed_table(world: World):
    close(world)
    friend = Phone()
    cast.sit(friend, world.match, OPEN, "Friend")
    assert seats.chair(world.match, OPEN).is_taken


def test_who_was_let_in_before_the_table_closed_still_sits_down(world: World):
    answer(world, let_in=cast.request_of(world.match).pk)
    close(world)
    assert "data-granted" in page(world.phones["watcher"], "join", world.match)


@pytest.mark.parametrize("choice", ["", "shut", "close\0"])
def test_only_who_sits_closes_a_table_and_only_in_so_many_words(world: World, choice: str):
    for role in ("watcher", "anon", "stranger", "ejected", "organiser"):
        assert close(world, role) == 403
    assert close(world, choice=choice) == 422
    assert waiting(world) == ["Guest"]


def test_a_table_whose_seats_are_taken_or_that_is_over_says_nothing_of_requests(world: World):
    cast.sit(Phone(), world.match, OPEN)
    assert 'name="requests"' not in page(world.phones["red"], "seats", world.match)


def test_the_address_of_who_asks_is_kept_as_a_hash_that_tells_nothing_elsewhere(world: World):
    """Two tables asked from one address have nothing in common."""
    asker = from_address("10.0.0.7")
    ask(asker, world.match, "Here")
    asker.ask("POST", reverse("join", args=[world.other.code]), {"name": "There", "seat": BLUE})
    here, there = (SeatRequest.objects.get(name=name).address_hash for name in ("Here", "There"))
    assert here != there
    assert "10.0.0.7" not in here + there
    assert len(here) == len(there) == 64
