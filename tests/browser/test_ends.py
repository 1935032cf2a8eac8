"""The end of a match on two phones: by hand, with the other's answer; and the rematch that one opens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import SET_UP, Screen, do, opened, play_until
from tests.browser.test_clash import BROUGHT, DEPLOYED

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def at_the_table(phone: Screen, button: str) -> None:
    """Tap the menu, *Correct the match*, and a button on its sheet, which leads back to the table."""
    phone.page.tap(".menu summary")
    phone.page.tap(".menu a[href$='/piece/table']")
    phone.page.wait_for_url("**/piece/table")
    phone.press(button)
    phone.page.wait_for_url("**/t/*/")
    phone.live()


def test_time_is_up_once_the_other_phone_says_so(screen: Screens) -> None:
    match = opened(SET_UP)
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    version = do(match, 'red army/red points:red:3 "a token forgotten"')
    at_the_table(red, "table time-out")
    blue.reaches(version + 1)
    assert blue.offers == ["end-match", "play-on"]
    assert "Proposed by Ada: end the match here. Ada would win: Ada 3, Bo 0." in blue.says(".bar")
    assert red.offers == []
    assert "Ada would win: Ada 3, Bo 0." in red.says(".bar")
    red.reaches(blue.tap("play-on"))
    assert red.state == "ask"
    at_the_table(red, "table time-out")
    blue.reaches(version + 3)
    red.reaches(blue.tap("end-match"))
    assert blue.says("#question") == "Ada wins"
    assert red.says("#question") == "Ada wins"


def test_units_in_reserve_keep_a_clash_of_kings_going(screen: Screens) -> None:
    match = opened(BROUGHT + DEPLOYED, "a-clash-of-kings")
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    red.reaches(blue.tap("activate:gregor-clegane"))
    blue.reaches(red.tap("activate:crannogman-trackers"))
    for unit in ("gregor-clegane", "lannister-crossbowmen"):
        before = red.version
        red.page.locator(f"[id^='hit-{unit}-'] summary").tap()
        red.press(f"unit/{unit} destroy:{unit}")
        blue.reaches(before + 1)
    assert blue.offers == ["play-on", "end-match"]
    assert "Units remain in Reserve" in blue.says(".bar")
    assert "main" in blue.page.get_attribute("button[value=play-on]", "class")
    assert red.offers == [], "who would win is not asked"
    red.reaches(blue.tap("play-on"))
    match.refresh_from_db()
    assert match.result is None
    assert blue.state == "ask"


def test_the_rematch_comes_to_the_other_phone_by_itself(screen: Screens) -> None:
    match = opened(SET_UP)
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    version = do(match, 'red army/red points:red:3 "a token forgotten"\nred table time-out\nblue end-match')
    for phone in (red, blue):
        phone.reaches(version)
    red.page.tap(".ending .main")
    red.page.tap("button.main")
    red.live()
    blue.reaches(version + 1)
    way = blue.page.locator(".ending .main")
    expect(way).to_have_text("A rematch is open: take your seat", use_inner_text=True)
    way.tap()
    assert blue.page.input_value("#name") == "Bo"
    blue.page.tap("button.main")
    blue.page.wait_for_url("**/army/blue")
    red.page.wait_for_selector("text=Joined: Bo", state="attached")


def test_nobody_is_taken_anywhere_as_the_match_ends(screen: Screens) -> None:
    match = opened(SET_UP)
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    red.page.tap("#tab-middle")
    blue.page.tap(".score a[href='#side-red']")
    where = "document.elementFromPoint(195, 150).closest('.sides > section').id"
    for phone in (red, blue):
        phone.page.wait_for_timeout(600)
    before = [phone.page.evaluate(where) for phone in (red, blue)]
    assert before == ["middle", "side-red"]
    version = do(match, 'red army/red points:red:3 "a token"\nred table time-out\nblue end-match')
    for phone in (red, blue):
        phone.reaches(version)
        phone.page.wait_for_timeout(600)
    assert [phone.page.evaluate(where) for phone in (red, blue)] == before
    assert red.page.evaluate("document.querySelector('.bar').scrollTop") == 0


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)])
def test_the_two_actions_are_in_sight_and_the_others_folded(screen: Screens, size: tuple[int, int]) -> None:
    match = opened(SET_UP)
    do(match, 'red army/red points:red:3 "a token"\nred table time-out\nblue end-match')
    width, height = size
    red = screen(viewport={"width": width, "height": height}).sit_down(match, "red")
    for name in ("Rematch", "Share"):
        expect(red.page.locator(".ending a", has_text=name)).to_be_in_viewport(ratio=0.9)
    expect(red.page.locator("#question")).to_be_in_viewport(ratio=0.9)
    expect(red.page.locator(".more-links a").first).not_to_be_visible()
    assert red.page.evaluate("document.documentElement.scrollWidth") <= width
    red.page.locator(".more-links summary").tap()
    expect(red.page.locator(".more-links a", has_text="History")).to_be_visible()


def test_the_recap_plays_by_itself_and_a_tap_steps(screen: Screens) -> None:
    match = opened(SET_UP)
    play_until(match, lambda state: state.round == 3)
    do(match, 'red army/red points:red:3 "a token"\nred table time-out\nblue end-match')
    moving = screen(reduced_motion="no-preference").page
    moving.clock.install()
    moving.goto(f"/t/{match.code}/recap")
    shown = "document.querySelector('#recap > .now h2').textContent.trim()"
    assert moving.evaluate(shown) == "Round 1 of 6" or moving.evaluate(shown) == "Round 1"
    moving.clock.run_for(21_000)
    assert moving.evaluate(shown) == "Ada wins"
    assert moving.locator(".paused").is_visible()
    still = screen().page
    still.goto(f"/t/{match.code}/recap")
    first = still.evaluate(shown)
    still.wait_for_timeout(300)
    assert still.locator(".paused").is_visible(), "it waits for a tap"
    still.tap("#recap")
    assert still.evaluate(shown) != first
    still.keyboard.press("ArrowLeft")
    assert still.evaluate(shown) == first
    assert still.locator("#recap > li:visible").count() == 1


def test_without_scripts_the_recap_is_a_list_of_its_rounds(screen: Screens) -> None:
    match = opened(SET_UP)
    play_until(match, lambda state: state.round == 2)
    do(match, 'red army/red points:red:3 "a token"\nred table time-out\nblue end-match')
    plain = screen(java_script_enabled=False).page
    plain.goto(f"/t/{match.code}/recap")
    assert plain.locator("#recap > li:visible").count() == 3
    assert not plain.locator(".recap-ways").is_visible()
