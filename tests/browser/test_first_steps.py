"""First steps on a phone: what is to be tapped next comes into sight by itself."""

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
"""The action of the control that is pointed at, once a finger can reach it."""


def test_the_next_control_comes_into_sight(screen: Callable[..., Screen], server: Server) -> None:
    phone = screen(viewport={"width": 390, "height": 560})
    phone.page.goto("/")
    phone.page.tap(".rounds form[action*=tmg] button")
    phone.page.wait_for_selector("#board")
    for action in ("activate:eddards-honor-guard", "claim:eddards-honor-guard:centre", "activate:lannister"):
        until(lambda action=action: action in phone.page.evaluate(IN_SIGHT), screen=phone)
        phone.page.tap(f".hinted[value*='{action}']")
