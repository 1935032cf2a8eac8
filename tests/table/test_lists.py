"""The page that a list is brought on suits the words of every game."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Match
from tests.browser import driving
from tests.table.test_start import opened

pytestmark = pytest.mark.django_db


def read(client: Client, path: str) -> str:
    """What stands on a page, without its markup."""
    page = client.get(path).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition("<main")[2]).split()).lower()


def test_bushido_has_warbands_and_no_armies(client: Client) -> None:
    client.post("/new", {"mode": "bushido/risen-sun", "name": "Ada"})
    match = Match.objects.latest("pk")
    bringing = read(client, f"/t/{match.code}/army/red")
    assert "or use a sample" in bringing
    driving.do(match, "red demo:ryu\n")
    lobby, again = read(client, f"/t/{match.code}/"), read(client, f"/new?like={match.code}")
    assert "change or replace your list" in lobby
    assert "the same lists as last time" in again
    assert not re.search("arm(y|ies)", bringing + lobby + again)


CHANGES = ({"do": "ready"}, {"do": "keep"}, {"demo": "stark"}, {"do": "read", "text": "Faction: Stark"})


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ("red demo:stark\nred ready", "You are ready. To change your list, first tap “Not ready yet”"),
        (
            "red demo:stark\nblue demo:lannister\nred ready\nblue ready",
            "The match has begun. Correct a unit with the pencil on its card.",
        ),
        (driving.SET_UP, "The match has begun. Correct a unit with the pencil on its card."),
        (driving.SET_UP + "red army/red concede:red\nred end-match", "The match is over."),
    ],
)
def test_a_list_that_can_no_longer_be_changed_is_read_and_says_why(
    client: Client, actions: str, why: str
) -> None:
    match = opened(client)
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    version = driving.do(match, actions)
    address = f"/t/{match.code}/army/red"
    page = client.get(address)
    assert (page.status_code, page.context["page"].notice.tone) == (200, "")
    for change in CHANGES:
        answer = client.post(address, change)
        assert (answer.status_code, answer.context["page"].notice.tone) == (409, "bad")
        text = answer.content.decode()
        assert why in text
        assert "Eddard" in text
        assert "<textarea" not in text
        assert f'class="button main" href="/t/{match.code}/"' in text
    match.refresh_from_db()
    assert match.version == version


def test_who_is_not_ready_any_more_corrects_the_list(client: Client) -> None:
    match = opened(client)
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    driving.do(match, "red demo:stark\nred ready\nred unready\nblue demo:stark\nblue ready")
    assert "<textarea" in client.get(f"/t/{match.code}/army/red").content.decode()


def test_a_file_is_refused_with_the_same_reason(client: Client) -> None:
    client.post("/new", {"mode": "bushido/risen-sun", "name": "Ada"})
    match = Match.objects.latest("pk")
    driving.do(match, "red demo:ryu\nred ready")
    answer = client.post(f"/t/{match.code}/army/red/file")
    assert answer.status_code == 409
    assert "You are ready." in answer.content.decode()


def test_before_a_list_is_brought_the_page_shows_one_and_which_files_it_opens(client: Client) -> None:
    client.post("/new", {"mode": "bushido/risen-sun", "name": "Ada"})
    match = Match.objects.latest("pk")
    page = client.get(f"/t/{match.code}/army/red").context["page"]
    assert "Hiromasa [16 Rice]" in page.placeholder
    assert page.endings == ".ros, .rosz, .json"
    driving.do(match, "red demo:ryu")
    assert client.get(f"/t/{match.code}/army/red").context["page"].placeholder == ""
