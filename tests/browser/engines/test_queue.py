"""Taps made while the laptop is away, in Firefox and WebKit: kept visible, and sent once it is back."""

from __future__ import annotations

import pytest

from tests.browser.driving import opened
from tests.browser.engines.driver import Browser
from tests.browser.engines.phone import Phone
from tests.browser.test_queue import ENGAGED, STRIKE
from tests.serving import Served

pytestmark = pytest.mark.browser


def test_taps_wait_for_a_laptop_that_is_away_and_outlive_the_page(engine: Browser, served: Served) -> None:
    match = opened(ENGAGED)
    phone = Phone(engine, served.url).sit_down(match, "red")
    served.stop()
    phone.press(STRIKE)
    phone.until(lambda: phone.says("#unsent b") == "1 tap waiting")
    phone.press(STRIKE)
    phone.until(lambda: phone.says("#unsent b") == "2 taps waiting")
    phone.sees("#link[data-link=off]")
    assert phone.says("#card-lannister-crossbowmen .left") == "12/12"
    served.start()
    phone.goto(f"/t/{match.code}/")
    phone.reaches(match.version + 2)
    # The number counts to its value.
    phone.until(lambda: phone.says("#card-lannister-crossbowmen .left") == "10/12")
    phone.sees("#unsent[hidden]")
