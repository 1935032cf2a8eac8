"""A hand in the app: seen on one phone only, played with one tap, and not folded up by what others do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.match import storage
from tests.browser.driving import SET_UP, Screen, do, held, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
HAND = ".side.mine > .folded > summary"


def test_a_hand_is_played_from_one_phone_and_no_other_shows_it(screen: Screens) -> None:
    match = opened(SET_UP, decks=1)
    red, blue, guest = (
        screen().sit_down(match, "red"),
        screen().sit_down(match, "blue"),
        screen().watch(match),
    )
    do(match, 'blue army/blue name-card:blue:c01 "Old debts"\nred activate:crannogman-trackers\n')
    card = held(match)[0]
    for other in (blue, guest):
        assert f"play:{card}" not in other.page.content()
    red.page.click(HAND)
    expect(red.page.locator(f"button[value='play:{card}']")).to_be_visible()
    version = do(match, "blue activate:gregor-clegane\n")
    red.reaches(version)
    expect(red.page.locator(f"button[value='play:{card}']"), "what others do folds it away").to_be_visible()
    version = red.tap(f"play:{card}")
    for other in (red, blue, guest):
        other.reaches(version)
        assert "Hand 2, deck 17" in other.says("#side-red")
        assert "Discard pile: 1 card" in other.says("#side-red")
    assert storage.load(match).state.armies["red"].discards == (card,)
    guest.page.click("#side-red > .folded > summary")
    button, pile = (
        guest.page.locator(f"#side-red > .folded > {part}").bounding_box() for part in ("summary", "ul")
    )
    assert pile["y"] - button["y"] - button["height"] >= 4, "the cards stand apart from their button"


def test_a_card_for_a_unit_takes_the_unit_and_how_long(screen: Screens) -> None:
    match = opened(SET_UP, decks=1)
    red = screen().sit_down(match, "red")
    red.page.click(HAND)
    red.tap(f"lay:{held(match)[0]}")
    red.tap("on:crannogman-trackers")
    red.tap("until:round")
    assert "this round" in red.says("#card-crannogman-trackers")
