"""A tap shows at once, counts once, and is never lost without a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.models import Entry
from tests.browser.driving import SET_UP, Screen, do, opened, until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

MARKED = """
  window.marked = [];
  addEventListener("click", ({ target }) => {
    const button = target.closest("button[form][name]");
    if (button) window.marked.push(button.hasAttribute("data-pending"));
  });
"""
"""Whether each tapped button shows as pressed before its click is over, so that the next frame has it."""


def unit(screen: Screen) -> str:
    return next(offer for offer in screen.offers if offer.startswith("activate:"))


def actions(match: Any) -> int:
    return Entry.objects.filter(match=match, kind=Entry.Kind.TAP, action__startswith="activate:").count()


def test_a_tap_is_seen_at_once_however_long_the_server_takes(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(MARKED)
    phone.sit_down(match, "red")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    phone.page.route(re.compile("/(act|adjust)$"), hold)

    def tap(value: str) -> None:
        phone.press(value)
        until(lambda: held, screen=phone)
        pressed = phone.page.locator("[data-pending]")
        expect(pressed).to_have_count(1)
        assert pressed.get_attribute("value") == value
        held.pop().continue_()
        until(lambda: pressed.count() == 0, screen=phone)

    tap(unit(phone))
    tap(next(note for note in phone.notes if "engage:" in note))
    assert phone.page.evaluate("window.marked") == [True, True]
    phone.reaches(match.version + 2)


def test_a_double_tap_counts_once(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    button = phone.page.locator(f"button[value='{unit(phone)}']")
    button.dblclick()
    phone.reaches(match.version + 1)
    phone.page.wait_for_timeout(400)
    assert actions(match) == 1
    assert phone.version == match.version + 1


def test_two_phones_of_one_seat_count_once_and_the_slower_is_told_why(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    other = Screen(phone.page.context.new_page())
    for pattern in ("**/live/**", "**/board?*", "**/stream"):
        other.page.route(pattern, lambda route: route.abort())
    other.page.goto(f"/t/{match.code}/")
    phone.tap(unit(phone))
    other.press(unit(other))
    other.page.wait_for_selector(".notice.bad")
    expect(other.page.locator(".notice")).to_have_count(1)
    assert other.says(".notice") == "Something changed. Check the table, then tap again."
    assert other.version == match.version + 1
    assert other.state == "wait"
    assert actions(match) == 1


def test_a_tap_that_the_rules_refuse_says_why_and_changes_nothing(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    button = f"button[value='{unit(phone)}']"
    phone.page.eval_on_selector(button, "button => button.value = 'activate:gregor-clegane'")
    phone.press("activate:gregor-clegane")
    phone.page.wait_for_selector(".notice.bad")
    assert phone.says(".notice") == "You cannot do that now. Rule TMG-17"
    assert actions(match) == 0
    assert phone.state == "ask"
    phone.tap(unit(phone))
    expect(phone.page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_refusal_is_read_though_the_table_goes_on_at_once(screen: Screens, is_late: bool) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    held: list[Any] = []
    phone.page.route("**/act", lambda route: held.append((route, route.fetch())))
    button = f"button[value='{unit(phone)}']"
    phone.page.eval_on_selector(button, "button => button.value = 'activate:gregor-clegane'")
    phone.press("activate:gregor-clegane")
    until(lambda: held, screen=phone)
    route, answer = held.pop()

    def refuse() -> None:
        route.fulfill(response=answer)
        until(lambda: not phone.page.locator("[data-pending]").count(), screen=phone)

    steps = [refuse, lambda: phone.reaches(do(match, "blue unit/gregor-clegane wounds:gregor-clegane:-1"))]
    for step in reversed(steps) if is_late else steps:
        step()
    phone.page.wait_for_selector("#unsent:not([hidden])")
    said = phone.says("#unsent li")
    assert said.startswith("Activate")
    assert said.endswith("You cannot do that now. Rule TMG-17")
    phone.page.tap("[data-unsent=read]")
    phone.page.unroute("**/act")
    # The morph skipped the pressed button; what it offers now is fetched once its old answer is here.
    until(lambda: "activate:gregor-clegane" not in phone.offers, screen=phone)
    phone.tap(unit(phone))
    assert phone.page.is_hidden("#unsent")


def test_what_was_relabelled_rests_for_a_moment(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(RESTING)
    phone.sit_down(match, "blue")
    assert phone.state == "wait"
    version = do(match, "red activate:crannogman-trackers")
    phone.reaches(version)
    until(lambda: phone.page.evaluate("window.rested"), screen=phone)
    assert phone.page.evaluate("window.rested") == 300
    phone.page.wait_for_timeout(200)
    assert actions(match) == 1
    phone.tap(unit(phone))
    assert actions(match) == 2


RESTING = """
  const plain = window.setTimeout;
  window.setTimeout = (callback, delay, ...rest) => {
    if (document.querySelector("[data-fresh]")) window.asked ??= delay;
    return plain(callback, delay, ...rest);
  };
  let began = false;
  new MutationObserver(() => {
    const fresh = document.querySelector("[data-fresh]");
    if (fresh && !began) { began = true; fresh.click(); }
    if (began && !fresh) window.rested = window.asked;
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["data-fresh"] });
"""
"""Clicks the first button that rests, and records how long it was told to rest: no clock is read."""


@pytest.mark.parametrize("has_arrived", [False, True])
def test_a_lost_tap_is_named_and_sent_again_once(screen: Screens, has_arrived: bool) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")

    def lose(route: Any) -> None:
        if has_arrived:
            route.fetch()
        route.abort()

    phone.page.route("**/act", lose)
    wanted = unit(phone)
    phone.press(wanted)
    phone.page.wait_for_selector("#unsent:not([hidden])")
    assert phone.says("#unsent p") == "1 tap waiting"
    assert phone.says("#unsent ul").startswith("Activate")
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.page.wait_for_selector("#unsent", state="hidden")
    phone.reaches(match.version + 1)
    assert actions(match) == 1
    assert phone.state == "wait"


def test_a_busy_server_is_asked_again(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    sentence = '<p role="alert">Nothing was saved: ask &amp; wait.</p>'
    busy = {"status": 503, "body": sentence, "content_type": "text/html", "headers": {"Retry-After": "1"}}
    phone.page.route("**/act", lambda route: route.fulfill(**busy))
    phone.press(unit(phone))
    phone.page.wait_for_selector("#unsent:not([hidden]) li:has-text('Nothing was saved: ask & wait.')")
    phone.page.unroute("**/act")
    phone.reaches(match.version + 1)
    assert actions(match) == 1


def test_corrections_add_up_however_fast_they_come(screen: Screens) -> None:
    match = opened(SET_UP + "red activate:crannogman-trackers\n")
    do(match, "red unit/crannogman-trackers engage:crannogman-trackers:lannister-crossbowmen")
    phone = screen().sit_down(match, "red")
    strike = phone.page.locator("button[value='unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1']")
    for _each in range(3):
        strike.tap()
    phone.reaches(match.version + 3)
    assert phone.says("#card-lannister-crossbowmen .left") == "9/12"


def test_a_shot_at_whomever_costs_two_taps_and_shows_its_ranks(screen: Screens) -> None:
    match = opened(SET_UP + "red activate:crannogman-trackers\n")
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    assert "is done with Crannogman Trackers" in blue.says(".bar")
    before = match.version
    tile = "[id^='hit-lannister-crossbowmen-']"
    shot = red.page.locator(tile)
    shot.locator("summary").tap()
    shot.locator("button[value$=':-5']").tap()
    red.reaches(before + 1)
    assert red.says(f"{tile} .gauge") == "7/12"
    expect(shot.locator(".pips .on")).to_have_count(2)
    # It stays within reach behind its title, while the next of one's own units is chosen.
    blue.reaches(before + 1)
    blue.tap(unit(blue))
    red.reaches(before + 2)
    assert red.page.locator(f"button[value='{unit(red)}']").bounding_box()["y"] < 844 / 2
    red.page.locator("#note > summary").tap()
    shot.locator("button[value$=':-1']").tap()
    red.reaches(before + 3)
    assert red.says(f"{tile} .gauge") == "6/12"
