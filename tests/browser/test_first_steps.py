"""First steps on a phone: what to tap next scrolls into view by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import Screen, until
from tests.conftest import Server

pytestmark = pytest.mark.browser

IN_SIGHT = """() => {
  const control = document.querySelector(".hinted");
  if (!control?.checkVisibility()) return "";
  const { x, y, width, height } = control.getBoundingClientRect();
  const there = document.elementFromPoint(x + width / 2, y + height / 2);
  return control.contains(there) ? control.value : "";
}"""
"""The action of the highlighted control, once a finger can reach it."""


def test_the_next_control_comes_into_sight(screen: Callable[..., Screen], server: Server) -> None:
    phone = screen(viewport={"width": 844, "height": 390})
    phone.page.goto("/")
    phone.page.tap(".rounds form[action*=bushido] button")
    phone.page.wait_for_selector("#board")

    def in_sight(action: str = "") -> str:
        until(lambda: (value := phone.page.evaluate(IN_SIGHT)) and action in value, screen=phone)
        return ".hinted"

    # Dice decide how many taps lead there. The fold is highlighted: what is in it would be below the edge.
    fold = phone.page.locator("details:has(.hinted[value*='pray:']) > summary")
    while not fold.count():
        version = phone.version
        phone.page.tap(in_sight())
        phone.reaches(version + 1)
    fold.tap()
    in_sight("pray:")


def test_nothing_looks_stronger_than_what_is_pointed_at(screen: Callable[..., Screen]) -> None:
    phone = screen()
    phone.page.goto("/")
    phone.page.tap(".rounds form[action*=agot] button")
    phone.page.wait_for_selector("#board")
    same = phone.page.locator(".bar .main[value*='same']:not(.hinted)")
    while not same.count():
        version = phone.version
        phone.page.locator(".hinted").first.tap()
        phone.reaches(version + 1)
    plain = "one => getComputedStyle(one).backgroundColor"
    assert same.evaluate(plain) == phone.page.locator(".bar button.hinted").evaluate(plain)
