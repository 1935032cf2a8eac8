"""Phones of years ago: what their browsers lack costs comfort, but no tap, no news and no readable word.

The syntax of htmx asks for a browser of 2020 or later, which has all that is older. `LACKS` are the functions
that scripts use and that came later, and `NEW` is what our style sheets use of the kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.driving import OURS, SET_UP, Screen, claim, do, opened
from tests.browser.test_queue import ENGAGED, STRIKE, back, counts, out_of_reach
from tests.pages.test_looks import CROSSWISE, problems

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

LACKS = {
    "AbortSignal": ["timeout", "any"],
    "Object": ["hasOwn"],
    "Element.prototype": ["replaceChildren", "ariaLabel", "moveBefore", "setHTMLUnsafe"],
    "Document": ["parseHTMLUnsafe"],
    "Document.prototype": ["startViewTransition"],
    "HTMLElement.prototype": ["inert", "showPopover"],
    "URLSearchParams.prototype": ["size"],
    "Navigator.prototype": ["userActivation", "wakeLock", "vibrate", "share", "clipboard", "serviceWorker"],
    "window": ["navigation", "Notification", "AudioContext", "caches", "structuredClone"],
}
"""What came after 2020, by where it is."""

WITHOUT = f"""
  const lacks = {json.dumps(LACKS)};
  const places = {{ {", ".join(f'"{place}": window.{place}' for place in LACKS)} }};
  for (const name of lacks[window.name] ?? []) delete places[window.name][name];
"""
"""A browser without the functions of one place, which the window's name says."""

NEW = re.compile(
    r"light-dark\(|color-mix\(|@container|container-(?=type|name)|overscroll-behavior|text-wrap|accent-color"
    r"|(?<=\d)(?:[dls]v[hw]|cq[bhiw])\b"
)
"""What style sheets may say that a phone of 2015 does not know: it drops the rule or declaration."""


def aged(route: Any) -> None:
    """A style sheet as an old browser reads it: an unknown word in place of what is new."""
    answer = route.fetch()
    route.fulfill(response=answer, body=NEW.sub(lambda new: f"{new[0][:1]}old-{new[0][1:]}", answer.text()))


@pytest.fixture
def old(screen: Screens) -> Callable[..., Screen]:
    """A maker of small phones that know no newer style sheets."""

    def make(**options: Any) -> Screen:
        phone = screen(viewport={"width": 320, "height": 568}, **options)
        phone.page.route("**/*.css", aged)
        return phone

    return make


def test_whatever_is_missing_a_tap_counts_and_one_made_out_of_reach_too(screen: Screens) -> None:
    match = opened(ENGAGED)
    phone = screen()
    phone.page.add_init_script(WITHOUT)
    phone.sit_down(match, "red")
    version = match.version
    for place in LACKS:
        phone.page.evaluate("place => { window.name = place }", place)
        phone.page.reload()
        phone.live()
        version = phone.tap(STRIKE)
        out_of_reach(phone)
        phone.press(STRIKE)
        counts(phone, "1 tap waiting")
        back(phone)
        version += 1
        phone.reaches(version, 10)
        phone.page.wait_for_selector("#unsent", state="hidden")
        phone.reaches(version := do(match, "blue unit/lannister-crossbowmen wounds:lannister-crossbowmen:2"))
    assert not [fault for fault in phone.faults if fault.startswith("error:")]


@pytest.mark.parametrize("lack", ["submitter", "htmx", "client"])
def test_where_a_script_cannot_run_forms_are_plain_and_news_still_comes(screen: Screens, lack: str) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(f"delete SubmitEvent.prototype.{lack}")
    broken = {"status": 200, "content_type": "text/javascript", "headers": OURS, "body": "({"}
    phone.page.route(re.compile(rf"/static/.*{lack}.*\.js"), lambda route: route.fulfill(**broken))
    claim(phone.page, match, "red")
    match.refresh_from_db()
    phone.page.goto(f"/t/{match.code}/")
    with phone.page.expect_navigation():
        phone.press(next(offer for offer in phone.offers if offer.startswith("activate:")))
    phone.reaches(match.version + 1)
    version = do(match, "blue unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1")
    if lack == "client":
        phone.page.reload()
    phone.reaches(version)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_style_sheets_that_it_half_understands_leave_words_readable(old: Screens, scheme: str) -> None:
    match = opened(ENGAGED)
    phone = old(color_scheme=scheme).sit_down(match, "red")
    do(match, "blue unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1")
    ground = phone.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(244, 241, 233)", "dark": "rgb(18, 21, 24)"}[scheme]
    for address in (f"/t/{match.code}/", f"/t/{match.code}/watch", f"/t/{match.code}/score", "/"):
        phone.page.goto(address)
        assert problems(phone.page, {"type": "rule", "values": ["color-contrast"]}) == [], address
        assert phone.page.evaluate(CROSSWISE) <= 0, address
