"""The end of a match on two phones: by hand, with the other's answer; and the rematch that one opens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import SET_UP, Screen, do, opened
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
    red.page.tap(".result .main")
    red.page.tap("button.main")
    red.live()
    blue.reaches(version + 1)
    way = blue.page.locator(".result .answers a").first
    expect(way).to_have_text("A rematch is open: take your seat", use_inner_text=True)
    way.tap()
    assert blue.page.input_value("#name") == "Bo"
    blue.page.tap("button.main")
    blue.page.wait_for_url("**/army/blue")
    red.page.wait_for_selector("text=Here: Bo", state="attached")
