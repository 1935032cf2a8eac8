"""Tables for more than two: how many play, who sits where, and nothing asked that the game does not need."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.match import storage
from games.models import Match
from tests.trust.cast import link

pytestmark = pytest.mark.django_db

FORM = {"mode": "auction/tracks", "name": "Ada"}


def opened(client: Client, **more: str) -> Match:
    """A table opened over the form."""
    answer = client.post("/new", {**FORM, **more})
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.latest("pk")


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_as_many_seats_as_were_asked_for(client: Client, count: int) -> None:
    match = opened(client, seats=str(count))
    assert match.seats.count() == count
    assert match.seats.filter(is_taken=True).count() == 1


def test_a_seat_of_the_larger_game_can_be_taken(client: Client) -> None:
    match = opened(client, seats="5", seat="tyrell")
    assert [seat.key for seat in match.seats.filter(is_taken=True)] == ["tyrell"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"seats": "7"}, "This game is played by 3 to 6 players."),
        ({"seats": "2"}, "This game is played by 3 to 6 players."),
        ({"seats": "many"}, "This game is played by 3 to 6 players."),
        ({"seats": "3", "seat": "martell"}, "Martell is only used with 6 or more players."),
        ({"seats": "6", "seat": "frey"}, "Choose one of the seats."),
    ],
)
def test_what_does_not_fit_gets_one_sentence(client: Client, more: dict[str, str], sentence: str) -> None:
    answer = client.post("/new", {**FORM, **more})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Match.objects.exists()
    assert 'value="Ada"' in answer.content.decode()


def test_the_form_asks_only_what_the_game_needs(client: Client) -> None:
    page = client.get("/new?game=auction").content.decode()
    assert 'name="seats"' in page
    assert not any(f'name="{name}"' in page for name in ("army", "points", "target", "rival"))
    page = client.get("/new?game=tmg").content.decode()
    assert 'name="seats"' not in page
    assert all(f'name="{name}"' in page for name in ("army", "points", "target", "rival"))


def test_a_table_like_the_last_one_has_as_many_seats(client: Client) -> None:
    match = opened(client, seats="4", seat="greyjoy")
    page = client.get(f"/new?like={match.code}").context["page"]
    assert [one.value for one in page.counts if one.selected] == ["4"]
    assert [one.value for one in page.seats if one.selected] == ["greyjoy"]


def test_nobody_is_led_to_an_army_list(client: Client) -> None:
    match = opened(client)
    path = reverse("army", args=[match.code, "stark"])
    assert path not in client.get(reverse("table", args=[match.code])).content.decode()
    answer = client.get(path)
    assert answer.status_code == 404
    assert "This game needs no army list." in answer.content.decode()


def test_whoever_is_invited_reads_who_sits_there(client: Client) -> None:
    match = opened(client, seats="4")
    other, third = Client(), Client()
    for phone, key, name in ((other, "lannister", "Bo"), (third, "baratheon", "Cy")):
        phone.post(link(match, key), {"name": name})
    page = Client().get(link(match, "greyjoy")).content.decode()
    assert "Against Ada, Bo, Cy" in page


def test_six_sit_at_one_device(client: Client) -> None:
    match = opened(client, seats="6")
    for key in ("lannister", "baratheon", "greyjoy", "tyrell", "martell"):
        assert client.post(reverse("take", args=[match.code]), {"seat": key}).status_code == 302
    assert not match.seats.filter(is_taken=False).exists()
    page = client.get(reverse("table", args=[match.code])).content.decode()
    assert "Play as " not in page, "nothing is hidden, so nobody says who they are"
    assert len(storage.load(match).state.seats) == 6


def test_the_sheet_of_a_house_is_headed_by_the_house(client: Client) -> None:
    match = opened(client, mode="agot/light", seats="3", seat="stark")
    for path, heading in (("army/lannister", "Lannister"), ("table", "Correct the match")):
        sheet = client.get(reverse("piece", args=[match.code, path])).content.decode()
        assert f"{heading}</h2>" in sheet or f"{heading}</h1>" in sheet, path
