"""The lists that a device has brought are offered again at its next table, and its matches stay in sight."""

from __future__ import annotations

import pytest
from django.test import Client

from games.match import play, storage
from games.models import Match, Seat
from games.pages.opening import list_pages
from tests.browser import driving

pytestmark = pytest.mark.django_db

STARK = driving.text_of("stark")
WITHOUT = "What this device remembers"


def opened(client: Client, mode: str = "tmg/a-game-of-thrones", name: str = "Ada") -> Match:
    """A table that this device has started, sitting at red."""
    assert client.post("/new", {"mode": mode, "name": name, "rival": "Bo"}).status_code == 302
    return Match.objects.latest("pk")


def offered(client: Client, match: Match) -> list[str]:
    return [one.value for one in client.get(f"/t/{match.code}/army/red").context["page"].own]


def brought(client: Client, text: str = STARK) -> Match:
    match = opened(client)
    play.bring(match.code, "red", text, play.new_key())
    return match


def names(match: Match) -> list[str]:
    return sorted(unit.name for unit in storage.load(match).state.units.values() if unit.player == "red")


def end(match: Match) -> None:
    result = {"winner": "blue", "how": "concession", "points": {"red": 0, "blue": 0}}
    Match.objects.filter(pk=match.pk).update(result=result, finished_at=match.created_at)


def test_a_list_comes_again_with_one_tap(client: Client) -> None:
    before, now = brought(client), opened(client)
    (choice,) = offered(client, now)
    assert choice == f"{before.code}:red"
    address = f"/t/{now.code}/army/red"
    assert client.post(address, {"again": choice})["Location"] == address
    assert names(now) == names(before)
    assert names(now)


def test_corrections_come_along(client: Client) -> None:
    before = brought(client)
    whole = names(before)
    roster = list_pages.system("tmg").roster(storage.load(Match.objects.get(pk=before.pk)).state, "red")
    play.amend(before.code, "red", list(roster.rows)[1:], play.new_key())
    now = opened(client)
    client.post(f"/t/{now.code}/army/red", {"again": f"{before.code}:red"})
    assert names(now) == names(before)
    assert len(names(now)) < len(whole)


def test_the_same_list_is_offered_only_from_the_newest_match(client: Client) -> None:
    brought(client)
    newest, now = brought(client), opened(client)
    assert offered(client, now) == [f"{newest.code}:red"]


def test_at_most_six_are_offered(client: Client) -> None:
    for number in range(list_pages.MOST_OWN + 2):
        match = brought(client)
        roster = list_pages.system("tmg").roster(storage.load(Match.objects.get(pk=match.pk)).state, "red")
        play.amend(match.code, "red", list(roster.rows)[: number + 1], play.new_key())
    assert len(offered(client, opened(client))) == list_pages.MOST_OWN


def test_samples_and_other_games_are_not_offered(client: Client) -> None:
    sample = opened(client)
    play.tap(sample.code, "red", "demo:stark", sample.version, play.new_key())
    brought(client)
    other = opened(client, "bushido/risen-sun")
    assert offered(client, other) == []
    assert len(offered(client, opened(client))) == 1


def test_nobody_else_gets_them(client: Client) -> None:
    mine, stranger = brought(client), Client()
    theirs = opened(stranger, name="Eve")
    assert offered(stranger, theirs) == []
    answer = stranger.post(f"/t/{theirs.code}/army/red", {"again": f"{mine.code}:red"})
    assert answer.status_code == 422
    assert names(theirs) == []
    Seat.objects.filter(match=mine, key="red").update(epoch=2)
    assert offered(client, opened(client)) == [], "a seat that is no longer this device's"


def test_finished_matches_are_my_matches_with_their_result(client: Client) -> None:
    over, running = brought(client), opened(client)
    end(over)
    sections = dict(client.get("/").context["page"].sections)
    assert [row.url for row in sections["My matches"]] == [f"/t/{over.code}/"]
    assert [row.url for row in sections["Your tables"]] == [f"/t/{running.code}/"]
    assert "Bo wins" in sections["My matches"][0].details
    assert "My matches" not in dict(Client().get("/").context["page"].sections)


def test_a_draw_is_called_one(client: Client) -> None:
    match = opened(client)
    Match.objects.filter(pk=match.pk).update(
        result={"winner": None, "how": "draw", "points": {}}, finished_at=match.created_at
    )
    (row,) = dict(client.get("/").context["page"].sections)["My matches"]
    assert "A draw" in row.details


def test_a_device_forgets_finished_matches_and_keeps_its_seats(client: Client) -> None:
    over, running = brought(client), opened(client)
    assert WITHOUT not in client.get("/").content.decode()
    end(over)
    assert WITHOUT in client.get("/").content.decode()
    assert client.post("/forget")["Location"] == "/"
    sections = dict(client.get("/").context["page"].sections)
    assert "My matches" not in sections
    assert [row.url for row in sections["Your tables"]] == [f"/t/{running.code}/"]
    assert offered(client, running) == []
    assert client.get(f"/t/{running.code}/").context["board"].seat == "red"
    assert client.get(f"/t/{over.code}/").context["board"].seat == ""
    assert Match.objects.filter(pk=over.pk).exists()
    assert client.get("/forget").status_code == 405
