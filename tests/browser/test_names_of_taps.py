"""What the list of waiting taps calls each of them: by its button, as it was when it was tapped."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright import sync_api

from games.core import engine
from games.match import play, storage
from tests.browser.driving import SET_UP, Screen, do, opened, play_until
from tests.browser.test_bushido import answers, plainest
from tests.browser.test_queue import ENGAGED, counts, out_of_reach, waiting
from tests.playing import Playing

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

WARBANDS = """
red demo:ito
red ready
blue demo:yurei
blue ready
red scenario:keii
red deployed
blue deployed
"""


def test_a_waiting_tap_is_named_although_its_button_went_before_its_turn(screen: Screens) -> None:
    """Where the first one stands on an objective, there are no buttons to stand on another one."""
    match = opened(ENGAGED)
    phone = screen().sit_down(match, "red")
    held: list[sync_api.Route] = []

    def hold(route: sync_api.Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.abort()

    phone.page.route("**/adjust", hold)
    first, second = [note for note in phone.notes if " claim:" in note][:2]
    name = phone.page.inner_text(f".note button[value='{second}']")
    phone.press(first)
    phone.press(second)
    held[0].continue_()
    counts(phone, "1 tap waiting")
    assert name in waiting(phone)[0]
    assert not [fault for fault in phone.faults if fault.startswith("error:")]


def test_a_waiting_tap_is_named_by_what_is_heard_of_its_button(screen: Screens) -> None:
    """What is heard already contains the few words that are seen on a narrow button."""
    match = play.open_match("bushido", "risen-sun", {"red": "", "blue": ""}, {"points": 100}, seed="maple39")
    do(match, WARBANDS)
    seat, offers = answers((playing := Playing(match)).state)
    while not any(offer.startswith("simple:") for offer in offers):
        playing.tap(seat, plainest(seat, offers))
        seat, offers = answers(playing.state)
    phone = screen().sit_down(match, seat)
    out_of_reach(phone)
    phone.press(next(offer for offer in phone.offers if offer.startswith("simple:")))
    counts(phone, "1 tap waiting")
    [line] = waiting(phone)
    assert line.casefold().count("simple") == 1


def test_a_waiting_tap_is_named_without_the_small_print(screen: Screens) -> None:
    match = opened(SET_UP)
    play_until(match, lambda state: state.question.step == "claim-zone")
    state = storage.load(match).state
    phone = screen().sit_down(match, engine.to_act(state)[0])
    out_of_reach(phone)
    button = phone.page.locator("button[name=action]:has(small) >> nth=0")
    name = button.locator("span").evaluate("one => one.firstChild.data")
    button.tap()
    counts(phone, "1 tap waiting")
    assert waiting(phone) == [name]


def test_a_waiting_tap_that_shows_a_sign_is_named_by_what_is_heard_of_it(screen: Screens) -> None:
    names = {"lannister": "", "stark": "", "baratheon": ""}
    match = play.open_match("agot", "orders", names, seed="signs")
    playing, luck = Playing(match), random.Random(1)
    while not any(offer.startswith("order:") for offer in answers(playing.state)[1]):
        playing.at_random(luck, 1)
    phone = screen().sit_down(match, answers(playing.state)[0])
    out_of_reach(phone)
    button = phone.page.locator("button[value^='order:'][aria-label] >> nth=0")
    name = button.get_attribute("aria-label")
    button.tap()
    counts(phone, "1 tap waiting")
    assert waiting(phone) == [" ".join(name.split())]
