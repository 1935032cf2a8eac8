"""Who saves an older page of a player changes what they typed, and takes nothing back that is newer."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from games.hall import commands
from games.people.seats import new_key
from tests.hall.halls import ANNA, opened, state
from tests.hall.places import ask, phone, row
from tests.hall.test_events_in_admin import url
from tests.hall.test_organiser import page, phone_of, send
from tests.hall.test_programs import do, organiser
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def typed_in(text: str) -> dict[str, str]:
    """What a page's form of a player sends if nobody touches it."""
    tags = (dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", text))
    found = {tag["name"]: html.unescape(tag.get("value", "")) for tag in tags if "name" in tag}
    return {name: value for name, value in found.items() if name not in ("csrfmiddlewaretoken", "key")}


def place(player: Phone, code: str) -> dict[str, str]:
    return typed_in(ask(player, code, "event-place").content.decode())


def save(player: Phone, code: str, form: dict[str, str]) -> int:
    return player.ask("POST", reverse("event-place", args=[code]), {**form, "key": new_key()}).status_code


def told(code: str) -> tuple[str, str, str]:
    one = state(code).players["p1"]
    return one.name, one.club, one.faction


def test_a_players_own_page_takes_nothing_back() -> None:
    code = opened(2)
    player = phone(code, "p1")
    older = place(player, code)
    commands.amend(code, ANNA, "p1", club="North", faction="House Stark")
    assert save(player, code, {**older, "name": "Zoe"}) == 302
    assert told(code) == ("Zoe", "North", "House Stark")


def test_a_page_that_was_refused_still_knows_what_it_showed() -> None:
    code = opened(2)
    player = phone(code, "p1")
    older = place(player, code)
    commands.amend(code, ANNA, "p1", faction="House Stark")
    answer = player.ask(
        "POST",
        reverse("event-place", args=[code]),
        {**older, "name": "Player 2", "club": "Club 2", "key": new_key()},
    )
    assert answer.status_code == 422
    again = typed_in(answer.content.decode())
    assert save(player, code, {**again, "club": "South"}) == 302
    assert told(code) == ("Player 2", "South", "House Stark")


def test_an_organisers_page_of_a_player_takes_nothing_back() -> None:
    code = opened(2)
    olga = phone_of(code)
    older = typed_in(page(olga, code, "organise-player", "p1"))
    commands.amend(code, ANNA, "p1", name="Zoe", faction="House Stark")
    fields = {name: older[name] for name in ("name", "faction", "shown")}
    assert send(olga, code, "amend p1", "player/p1", **fields, club="South").status_code == 302
    assert told(code) == ("Zoe", "South", "House Stark")


def test_the_form_in_the_admin_takes_nothing_back(admin_client) -> None:
    code = opened(2)
    one = row(code, "p1")
    older = typed_in(admin_client.get(url(one)).content.decode())
    commands.amend(code, ANNA, "p1", name="Zoe", faction="House Stark")
    assert admin_client.post(url(one), {**older, "club": "South"}).status_code == 302
    assert told(code) == ("Zoe", "South", "House Stark")


def test_a_program_changes_what_it_names() -> None:
    code = opened(2)
    token = organiser(code)
    assert do(code, token, "amend", player="p1", faction="House Stark").status_code == 200
    assert do(code, token, "amend", "another-key-0", player="p1", club="").status_code == 200
    assert told(code) == ("Player 1", "", "House Stark")


def test_who_saves_without_a_change_is_not_in_the_history() -> None:
    code = opened(2)
    player = phone(code, "p1")
    version = row(code, "p1").event.version
    assert save(player, code, place(player, code)) == 302
    assert row(code, "p1").event.version == version
