"""A Clash of Kings on two phones: two units begin, a flank opens, and destroyed units return."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.match import storage
from games.models import Match
from tests.browser.driving import Screen, do, opened, play_until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
Phones = tuple[Match, Screen, Screen]

BROUGHT = """
red   demo:stark
blue  demo:lannister
red   ready
blue  ready
red   rolled:5
blue  rolled:2
red   pick-zone
"""
DEPLOYED = """
red   deploy:crannogman-trackers
red   deploy:house-tully-cavaliers
red   deployed
blue  deploy:gregor-clegane
blue  deploy:lannister-crossbowmen
blue  deployed
"""


def phones(screen: Screens, actions: str) -> Phones:
    match = opened(actions, "a-clash-of-kings")
    return match, screen().sit_down(match, "red"), screen().sit_down(match, "blue")


def in_round_two(screen: Screens) -> Phones:
    """Red controls the West token, and it is Red's turn with everybody fresh."""
    match = opened(BROUGHT + DEPLOYED, "a-clash-of-kings")
    play_until(match, lambda state: state.round == 2)
    do(match, "red unit/crannogman-trackers claim:crannogman-trackers:west")
    if storage.load(match).state.turn == "blue":
        do(match, "blue activate:gregor-clegane")
    return match, screen().sit_down(match, "red"), screen().sit_down(match, "blue")


def card(phone: Screen, unit: str) -> str:
    return phone.says(f"#card-{unit}")


def test_the_mode_is_chosen_for_a_new_table(screen: Screens) -> None:
    phone = screen()
    phone.page.goto("/new")
    phone.page.locator(".choice", has_text="A Clash of Kings").tap()
    phone.page.select_option("#army", "stark")
    phone.page.tap("form.form button.main")
    phone.page.wait_for_selector("#board")
    assert Match.objects.latest("pk").mode == "a-clash-of-kings"


def test_two_units_are_picked_by_their_cards_and_the_others_wait(screen: Screens) -> None:
    _match, red, blue = phones(screen, BROUGHT)
    red.tap("deploy:crannogman-trackers")
    assert "Pick a Combat Unit to deploy: 1 more" in red.says(".bar")
    red.tap("deploy:house-tully-cavaliers")
    assert "Deployed" in card(red, "house-tully-cavaliers")
    blue.reaches(red.tap("deployed"))
    assert "In Reserve" in card(red, "eddards-honor-guard")
    assert blue.state == "ask"


def test_a_unit_arrives_at_the_flank_that_the_opposite_token_opens(screen: Screens) -> None:
    _match, red, blue = in_round_two(screen)
    red.tap("deploy:eddards-honor-guard")
    assert "at least 1 inch" in red.says(".bar")
    assert red.offers == ["arrive:own-zone", "arrive:east", "back"]
    blue.reaches(red.tap("arrive:east"))
    assert "Activated" in card(red, "eddards-honor-guard")
    assert blue.state == "ask"


def test_what_was_destroyed_before_it_activated_comes_back_in_the_same_round(screen: Screens) -> None:
    match, red, blue = in_round_two(screen)
    version = do(match, "blue unit/house-tully-cavaliers destroy:house-tully-cavaliers")
    for phone in (red, blue):
        phone.reaches(version)
    assert "In Reserve" in card(red, "house-tully-cavaliers")
    assert red.score[1] == 1
    red.tap("deploy:house-tully-cavaliers")
    blue.reaches(red.tap("arrive:own-zone"))
    assert "In Reserve" not in card(red, "house-tully-cavaliers")
    assert red.faults == blue.faults == []
