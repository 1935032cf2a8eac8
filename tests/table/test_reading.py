"""Who may correct nothing may still read what stands on a unit's printed card."""

from __future__ import annotations

import pytest
from django.test import Client

from games.match import play
from games.models import Match
from tests.browser import driving
from tests.table.test_start import opened

pytestmark = pytest.mark.django_db

UNIT = "unit/crannogman-trackers"


@pytest.fixture
def match() -> Match:
    return driving.opened(driving.SET_UP)


def cards(client: Client, match: Match) -> list:
    return [
        card
        for side in client.get(f"/t/{match.code}/").context["board"].sides
        for group in side.groups
        for card in group.cards
    ]


def test_a_spectator_reads_the_printed_numbers_and_finds_nothing_to_tap(client: Client, match: Match) -> None:
    shown = cards(client, match)
    assert len(shown) == 14
    assert all(card.read and card.sheet_url == f"/t/{match.code}/piece/unit/{card.key}" for card in shown)
    page = client.get(f"/t/{match.code}/piece/{UNIT}")
    assert page.context["sheet"].profile.attacks
    text = page.content.decode()
    assert "Crannogman Trackers" in text
    assert 'class="profile"' in text
    assert 'form="adjust"' not in text
    assert 'id="adjust"' not in text


def test_only_units_are_read(client: Client, match: Match) -> None:
    for path in ("army/red", "table", "objective/centre"):
        assert client.get(f"/t/{match.code}/piece/{path}").status_code == 403
    assert "Correct" not in client.get(f"/t/{match.code}/").content.decode()


def test_a_game_without_printed_numbers_shows_no_way_to_them(client: Client) -> None:
    match = play.open_match("bushido", "risen-sun", {"red": "Ada", "blue": "Bo"}, {}, seed="reading")
    driving.do(match, "red demo:ryu\nblue demo:ito\nred ready\nblue ready\n")
    assert cards(client, match)
    assert "/piece/" not in client.get(f"/t/{match.code}/").content.decode()


def test_a_player_corrects_until_the_match_is_over_and_reads_on(client: Client) -> None:
    match = opened(client)
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    driving.do(match, driving.SET_UP)
    assert not any(card.read for card in cards(client, match))
    assert client.get(f"/t/{match.code}/piece/{UNIT}").context["sheet"].parts
    driving.do(match, "red army/red concede:red\nred end-match")
    assert all(card.read and card.sheet_url for card in cards(client, match))
    sheet = client.get(f"/t/{match.code}/piece/{UNIT}").context["sheet"]
    assert (sheet.parts, bool(sheet.profile)) == ((), True)


def test_what_is_read_after_a_correction_is_in_the_words_of_the_game() -> None:
    """“Speed” is a word of the shared pages too, which German says otherwise: how fast a replay runs."""
    client = Client(headers={"Accept-Language": "de", "HX-Request": "true"})
    match = opened(client)
    client.post(f"/t/{match.code}/seats/take", {"seat": "red"})
    driving.do(match, driving.SET_UP)
    change = f"{UNIT} wounds:crannogman-trackers:-1"
    form = {"change": change, "seen": match.version, "key": play.new_key(), "sheet": UNIT}
    answer = client.post(f"/t/{match.code}/adjust", form).content.decode()
    sheet = client.get(f"/t/{match.code}/piece/{UNIT}").content.decode()
    assert "<dt>Bewegung</dt>" in sheet
    assert sheet in answer
