"""How players come to an event: by themselves or by their link; equal names, double taps, refusals."""

from __future__ import annotations

import logging

import pytest
from django.http import HttpResponse
from django.urls import reverse

from config.logs import JsonLine, PlainLine
from games.hall import commands, event_links
from games.hall.models import Event, Helper, Player
from tests.hall.halls import ANNA, opened, state
from tests.hall.places import ask, card, link, page, phone, post, row, said
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    return opened(0)


def register(phone: Phone, code: str, name: str, club: str = "", key: str = "key-of-a-page-0") -> object:
    return post(phone, code, "event-register", name=name, club=club, faction="", key=key)


def test_who_registers_has_their_place_at_once(code: str) -> None:
    anna = Phone()
    assert "Register" in page(anna, code)
    assert register(anna, code, "Anna", "Club North").status_code == 302
    assert "Anna" in card(anna, code)
    assert "Scan your own QR code" not in page(anna, code)
    assert state(code).players["p1"].club == "Club North"
    assert ask(anna, code, "event-register").status_code == 302
    assert link(code, "p1") in ask(anna, code, "event-place").content.decode()


def test_a_form_that_is_sent_twice_enters_one_player(code: str) -> None:
    """The first answer was lost: the phone has no place yet and sends the same form again."""
    register(Phone(), code, "Anna")
    second = Phone()
    assert register(second, code, "Anna").status_code == 302
    assert list(Player.objects.values_list("key", flat=True)) == ["p1"]
    assert "Anna" in card(second, code)


def test_a_key_that_was_used_for_another_name_gives_nobodys_place(code: str) -> None:
    register(Phone(), code, "Anna")
    other = Phone()
    assert register(other, code, "Ben").status_code == 422
    assert "yours" not in ask(other, code).content.decode()


def test_a_form_sent_again_opens_no_place_that_got_a_new_link(code: str) -> None:
    """The phone was lost: whoever has it may still send the form by which it came to its place."""
    lost = Phone()
    register(lost, code, "Anna")
    commands.new_link(code, ANNA, "p1")
    answer = register(lost, code, "Anna")
    assert answer.status_code == 422
    assert "This link no longer works." in answer.content.decode()
    assert ask(lost, code, "event-place").status_code == 403
    sent = {"name": "Robin", "key": "key-of-a-robot-0"}
    told = ask_api(code, sent)
    assert told.status_code == 201
    assert ask_api(code, sent).json() == told.json()
    commands.new_link(code, ANNA, told.json()["player"])
    again = ask_api(code, sent)
    assert (again.status_code, "token" in again.json()) == (404, False)


def test_a_form_sent_again_by_whoever_was_removed_is_answered_in_a_sentence(code: str) -> None:
    phone, sent = Phone(), {"name": "Robin", "key": "key-of-a-robot-0"}
    register(phone, code, "Anna")
    assert ask_api(code, sent).status_code == 201
    for key in list(state(code).players):
        commands.remove(code, ANNA, key)
    again = register(Phone(), code, "Anna")
    assert again.status_code == 422
    assert "There is no such player in this event." in said(again)
    told = ask_api(code, sent)
    assert (told.status_code, told.json()["error"]) == (404, "unknown")
    assert state(code).players == {}


def ask_api(code: str, sent: dict[str, object]) -> HttpResponse:
    """A program registers a player."""
    return Phone().ask("POST", reverse("api:hall-players", args=[code]), sent)


def test_who_has_registered_on_another_phone_learns_where_their_code_is(code: str) -> None:
    register(Phone(), code, "Zoe")
    refused = register(Phone(), code, "Zoe", key="another-key-0")
    assert "ask the organisers for your own QR code" in said(refused)
    assert "QR code" not in said(register(Phone(), code, ""))


def test_names_alike_are_told_apart_by_their_club(code: str) -> None:
    register(Phone(), code, "Anna", "North")
    refused = register(Phone(), code, "anna", "north", "another-key-0")
    assert refused.status_code == 422
    assert "Add a club or an initial" in said(refused)
    assert 'value="north"' in refused.content.decode(), "what was typed is kept"
    assert register(Phone(), code, "Anna", "South", "another-key-1").status_code == 302
    assert len(state(code).players) == 2


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u202e", "a\u0000b"])
def test_no_name_is_no_player(code: str, name: str) -> None:
    assert register(Phone(), code, name).status_code == 422
    assert state(code).players == {}


def test_a_closed_registration_points_to_the_organisers(code: str) -> None:
    commands.change_settings(code, ANNA, {"is_open": False})
    assert 'name="name"' not in ask(Phone(), code, "event-register").content.decode()
    assert "Scan your own QR code" in page(Phone(), code)
    assert "Register" not in page(Phone(), code)
    refused = register(Phone(), code, "Anna")
    assert refused.status_code == 422
    assert state(code).players == {}


def test_a_link_does_nothing_until_it_is_confirmed(code: str) -> None:
    commands.register(code, ANNA, "Anna")
    anna = Phone()
    opened_page = anna.ask("GET", link(code, "p1"))
    assert "This device will be registered as Anna" in said(opened_page)
    assert opened_page["Referrer-Policy"] == "strict-origin"
    assert "yours" not in ask(anna, code).content.decode()
    assert anna.ask("POST", link(code, "p1")).status_code == 302
    assert "Anna" in card(anna, code)


def test_a_link_for_another_player_says_whose_place_goes(code: str) -> None:
    commands.register(code, ANNA, "Anna")
    commands.register(code, ANNA, "Ben")
    shared = phone(code, "p1")
    assert "It is currently registered as Anna." in said(shared.ask("GET", link(code, "p2")))


def test_a_helpers_device_is_told_before_it_becomes_a_players(code: str) -> None:
    """It was the only one of its organiser, whose link nobody had kept."""
    commands.register(code, ANNA, "Ben")
    olga = Phone()
    assert olga.ask("POST", helpers_link(code, "Olga")).status_code == 302
    told = "It is currently registered as Olga."
    assert told in page(olga, code, "event-register")
    assert told in said(olga.ask("GET", link(code, "p1")))
    assert told not in page(Phone(), code, "event-register")


def helpers_link(code: str, name: str) -> str:
    made = commands.appoint(code, ANNA, "organiser", name).made
    helper = Helper.objects.select_related("event").get(pk=made)
    return reverse("helper-link", args=[code, event_links.secret(helper)])


@pytest.mark.parametrize("told", ["p1.0", "p1.é", "h1.x", "p99999999999999999999.x", "x", "p1." + "0" * 32])
def test_a_wrong_link_opens_nothing(code: str, told: str) -> None:
    commands.register(code, ANNA, "Anna")
    for method in ("GET", "POST"):
        assert Phone().ask(method, reverse("event-me", args=[code, told])).status_code == 404


def test_the_link_of_another_event_opens_nothing(code: str) -> None:
    commands.register(code, ANNA, "Anna")
    other = opened(1)
    theirs = link(other, "p1").rpartition("/")[2]
    assert Phone().ask("GET", reverse("event-me", args=[code, theirs])).status_code == 404


def test_a_place_can_be_renamed_by_its_holder_only(code: str) -> None:
    commands.register(code, ANNA, "Anna")
    commands.register(code, ANNA, "Ben")
    anna = phone(code, "p1")
    form = {"name": "Anna Bell", "club": "", "faction": "House Stark"}
    assert post(anna, code, "event-place", **form).status_code == 302
    assert (row(code, "p1").name, row(code, "p1").faction) == ("Anna Bell", "House Stark")
    assert post(anna, code, "event-place", **{**form, "name": "Ben"}, key="another-key-0").status_code == 422
    assert post(Phone(), code, "event-place", **form).status_code == 403


def test_once_an_event_has_begun_a_place_keeps_its_faction(code: str) -> None:
    """Whatever the form says: there is no field for it any more, so nothing could be said about it."""
    for name in ("Anna", "Ben"):
        commands.register(code, ANNA, name, faction="House Stark")
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    form = {"name": "Anna Bell", "club": "", "faction": "Faction: \u202eBolton"}
    assert post(phone(code, "p1"), code, "event-place", **form).status_code == 302
    assert (row(code, "p1").name, row(code, "p1").faction) == ("Anna Bell", "House Stark")


def test_the_list_of_events_leaves_out_what_is_not_to_be_shown(code: str) -> None:
    assert "Cup" in Phone().ask("GET", "/events").content.decode()
    commands.change_settings(code, ANNA, {"is_listed": False})
    assert "Cup" not in Phone().ask("GET", "/events").content.decode()
    assert "Cup" not in Phone().ask("GET", "/").content.decode()
    assert Event.objects.get(code=code).is_listed is False


@pytest.mark.parametrize("form", [PlainLine(), JsonLine()])
def test_no_log_line_holds_what_opens_a_place(code: str, form: logging.Formatter) -> None:
    commands.register(code, ANNA, "Anna")
    told = event_links.secret(row(code, "p1"))
    for path in (link(code, "p1"), reverse("helper-link", args=[code, told])):
        record = logging.LogRecord("django.request", logging.WARNING, "", 0, "Not Found: %s", (path,), None)
        assert told.partition(".")[2] not in form.format(record)
        assert f"/e/{code}/" in form.format(record)
