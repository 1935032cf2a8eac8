"""The pages of a match at three sizes, in Firefox and WebKit: nothing cut off, everything in reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.models import Match
from tests.browser.driving import SET_UP, opened
from tests.browser.engines.driver import Browser
from tests.browser.engines.phone import Phone
from tests.pages.test_looks import CROSSWISE, SMALL

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (844, 390), (820, 1180))
HIDDEN = """
  const isMeant = (one) => one.checkVisibility() && !one.matches(".unseen, .skip");
  return [...document.querySelectorAll(arguments[0])].filter(isMeant).filter((one) => {
    one.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { x, y, width, height } = one.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return !there || !(one.contains(there) || there.contains(one));
  }).map((one) => one.outerHTML.slice(0, 90));
"""
"""Controls whose middle cannot be touched once they are scrolled into view."""
ZOOMING = """
  [...document.querySelectorAll("input:not([type=radio], [type=checkbox], [type=range]), select, textarea")]
    .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.outerHTML.slice(0, 90))
"""
"""Fields that make an iPhone zoom the page when touched."""


def places(match: Match) -> Iterator[tuple[str, str]]:
    """Addresses, and the controls that must be in reach there."""
    yield "/", "a.main, form[action='/find'] button"
    yield "/new", "form button.main"
    yield "army/red", "button"
    yield "", ".bar button, .bar a, .score a, .site summary"
    for page in ("history", "score", "seats", "replay", "watch", "overlay/help", "piece/table"):
        yield page, "main a, main button"


def faults(phone: Phone, controls: str) -> Iterator[object]:
    """What is wrong with a page, at any size and size by size."""
    for what in phone.ask(ZOOMING.strip()):
        yield f"letters too small: {what}"
    for width, height in SIZES:
        phone.browser.size(width, height)
        over = phone.ask(CROSSWISE)
        if over > 0:
            yield f"runs off by {over} at {width}"
        for what in phone.browser.run(HIDDEN, controls):
            yield f"out of reach at {width}: {what}"
        for what in phone.ask(f"({SMALL})()"):
            yield f"too small at {width}: {what}"


def test_every_page_of_a_match_fits_every_screen(engine: Browser, server) -> None:
    match = opened(SET_UP + "red activate:crannogman-trackers\n")
    phone = Phone(engine, server.url).sit_down(match, "red")
    for page, controls in places(match):
        phone.goto(page if page.startswith("/") else f"/t/{match.code}/{page}")
        assert list(faults(phone, controls)) == [], page or "table"
