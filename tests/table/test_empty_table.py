"""A table that has yet to begin says next to each person what to do: the opener, who waits, who looks on."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Match, Seat

pytestmark = pytest.mark.django_db

NOBODY = "This seat is free."
SHOW = ". Let them scan the QR code of this table."
FREE = "There is a free seat: take it to play, or just watch."


@pytest.fixture
def red(client: Client) -> Client:
    client.post("/new", {"mode": "tmg/a-game-of-thrones", "seat": "red", "army": "stark"})
    return client


def text(phone: Client) -> str:
    return phone.get(f"/t/{Match.objects.get().code}/").content.decode()


def ready(phone: Client) -> None:
    match = Match.objects.get()
    sent = {"action": "ready", "seen": str(match.version), "key": "ready-key-0"}
    assert phone.post(f"/t/{match.code}/act", sent).status_code == 302


def test_who_opened_it_is_asked_and_sees_the_empty_seat(red: Client) -> None:
    assert NOBODY in text(red)
    assert SHOW not in text(red)


def test_who_waits_for_somebody_that_has_not_come_is_told_to_show_the_code(red: Client) -> None:
    ready(red)
    assert f"Not here yet: Blue{SHOW}" in text(red)


def test_several_who_have_not_come_are_named_together(client: Client) -> None:
    client.post("/new", {"mode": "agot/light", "seat": "stark", "seats": "3"})
    ready(client)
    assert f"Not here yet: Lannister, Baratheon{SHOW}" in text(client)


def test_who_looks_on_is_told_of_the_free_seat(red: Client) -> None:
    assert FREE in text(Client())
    assert SHOW not in text(Client())


def test_once_everybody_has_come_nothing_of_this_is_said(red: Client) -> None:
    ready(red)
    Seat.objects.update(is_taken=True)
    for phone in (red, Client()):
        said = text(phone)
        assert (NOBODY in said, SHOW in said, FREE in said) == (False, False, False)


def code_of(phone: Client, seat: str, epoch: int) -> HttpResponse:
    """What a page gets that shows the QR code of a seat's link."""
    return phone.get(reverse("invitation", args=[Match.objects.get().code, seat, epoch]))


def test_the_code_of_a_seat_that_was_taken_meanwhile_is_nothing_to_show_and_no_error(red: Client) -> None:
    chair = Seat.objects.get(key="blue")
    answer = code_of(red, "blue", chair.epoch)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert code_of(red, "blue", chair.epoch + 1).status_code == 204
    Seat.objects.filter(key="blue").update(is_taken=True)
    assert code_of(red, "blue", chair.epoch).status_code == 204
    assert code_of(red, "green", chair.epoch).status_code == 404
