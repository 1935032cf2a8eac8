"""Logging in to the admin: wrong passwords are slowed and logged, the right one gets in."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.match import play
from games.people import sessions
from games.web import limits

RIGHT = {"username": "olenna", "password": "thorns-and-roses"}
WRONG = {**RIGHT, "password": "a-secret-typed-wrong"}
LOGGER = "config.admin.admin_site"


def attempt(client, form, address="127.0.0.1", **query):
    return client.post(reverse("admin:login", query=query or None), form, REMOTE_ADDR=address)


def test_the_password_can_be_tried_only_so_often_from_one_address(client, organiser):
    answers = [attempt(client, {**WRONG, "username": f"name-{n}"}).status_code for n in range(12)]
    assert answers == [200] * 10 + [429] * 2
    assert attempt(client, WRONG, "192.0.2.1").status_code == 200


def test_the_password_of_one_name_can_be_tried_only_so_often_from_everywhere(client, organiser):
    names = ["olenna", "Olenna", "OLENNA ", "ｏlenna"]
    answers = [
        attempt(client, {**WRONG, "username": names[n % 4]}, f"192.0.2.{n}").status_code for n in range(23)
    ]
    assert answers == [200] * 20 + [429] * 3
    assert attempt(client, {**WRONG, "username": "margaery"}, "192.0.2.99").status_code == 200


def test_a_right_password_is_no_attempt(client, organiser):
    for _visit in range(30):
        assert attempt(client, RIGHT).status_code == 302
        client.logout()


def test_the_organisers_own_device_is_not_locked_out_by_a_stranger(admin_client, monkeypatch):
    """Behind the same address and after the same name: the device was signed in before."""
    for n in range(30):
        attempt(Client(), WRONG, "127.0.0.1" if n < 10 else f"192.0.2.{n}")
    assert attempt(Client(), RIGHT).status_code == 429
    later = sessions.clock.time.time() + sessions.AWAY_SECONDS + 1
    monkeypatch.setattr(sessions.clock.time, "time", lambda: later)
    assert admin_client.get("/admin/").status_code == 302
    assert attempt(admin_client, RIGHT).status_code == 302


class Session(dict):
    """A session that counts how often it has to be saved."""

    saved = 0

    def __setitem__(self, name, value):
        self.saved += 1
        super().__setitem__(name, value)


def test_whoever_works_all_evening_stays_the_organiser(rf, monkeypatch):
    """And two hours after the last action they are it no more, however the clock was set."""
    began, request = 1_800_000_000, rf.post("/t/ABCDEF/free")
    request.session = Session({sessions.SESSION_TOUCHED: began})

    def is_it(at):
        monkeypatch.setattr(sessions.clock.time, "time", lambda: at)
        return sessions.is_present(request)

    evening = range(began, began + 5 * 3600, 60)
    assert all(map(is_it, evening))
    assert request.session.saved <= len(evening) * 60 // sessions.TOUCH_SECONDS, "not for every page"
    last = request.session[sessions.SESSION_TOUCHED]
    assert not is_it(last - 3600)
    assert is_it(last - 1), "another machine's clock may be a moment behind"
    assert not is_it(last + 2 * 3600)
    assert is_it(last + 2 * 3600 - 1)
    request.session = Session()
    assert not is_it(began)


@pytest.mark.parametrize(
    ("path", "stays"), [("/admin/", True), ("/t/{code}/board", False), ("/t/{code}/", False)]
)
def test_a_page_left_open_keeps_nobody_the_organiser(admin_client, monkeypatch, path, stays):
    """A page of a table asks for news day and night. A page of the admin does not."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    began = sessions.clock.time.time()

    def after(hours, path):
        monkeypatch.setattr(sessions.clock.time, "time", lambda: began + hours * 3600)
        return admin_client.get(path).status_code

    for hours in (1.1, 2.0, 2.9):
        after(hours, path.format(code=match.code))
    assert after(3.0, "/admin/") == (200 if stays else 302)


def test_a_known_device_cannot_try_without_end_either(admin_client):
    get_user_model().objects.create_user("margaery", password="growing-strong", is_staff=True)
    answers = [attempt(admin_client, WRONG).status_code for _try in range(12)]
    assert answers == [200] * 10 + [429] * 2
    # For another name it is a device like any other.
    assert attempt(admin_client, {**WRONG, "username": "margaery"}).status_code == 200


def test_a_failed_attempt_leaves_a_line_without_the_password(client, organiser, caplog):
    get_user_model().objects.create_user("guest", password="no-staff-at-all")
    with caplog.at_level(logging.WARNING, LOGGER):
        attempt(client, WRONG, "192.0.2.1")
        attempt(client, {"username": "guest", "password": "no-staff-at-all"}, "192.0.2.2")
        attempt(client, {"username": "a-secret-typed-into-the-name", "password": ""}, "192.0.2.3")
        attempt(client, RIGHT, "192.0.2.4")
    assert [record.getMessage() for record in caplog.records] == [
        "failed log-in as 'olenna' from 192.0.2.1",
        "failed log-in as 'guest' from 192.0.2.2",
        "failed log-in as an unknown name from 192.0.2.3",
    ]


def test_who_is_refused_for_trying_too_often_leaves_a_line_too(client, organiser, caplog):
    while not limits.LOGINS.take("192.0.2.1"):
        pass
    with caplog.at_level(logging.WARNING, LOGGER):
        assert attempt(client, WRONG, "192.0.2.1").status_code == 429
    assert [record.getMessage() for record in caplog.records] == [
        "log-in as 'olenna' from 192.0.2.1 refused: too many attempts"
    ]


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_a_log_in_for_a_foreign_page_ends_at_the_admin(client, organiser, elsewhere):
    answer = attempt(client, RIGHT, next=elsewhere)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("admin:index")
    assert client.get(answer["Location"]).status_code == 200


def test_a_log_in_goes_on_to_the_page_that_was_wanted(client, organiser):
    wanted = reverse("admin:games_match_changelist")
    assert attempt(client, RIGHT, next=wanted)["Location"] == wanted
