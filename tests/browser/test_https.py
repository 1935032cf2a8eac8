"""`play --https` in a real browser: from the scanned code to a live table in a secure context."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import Screen
from tests.server.test_play_command import Laptop

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def test_who_trusts_the_computer_goes_straight_on_and_plays_live(screen: Screens, laptop: Laptop) -> None:
    start = f"http://127.0.0.1:{laptop.port}/"
    phone, other = (screen(base_url=start, ignore_https_errors=True) for _phone in range(2))
    phone.page.goto("/")
    phone.page.wait_for_url(re.compile(r"https://127\.0\.0\.1:\d+/$"))
    assert phone.page.evaluate("isSecureContext && 'wakeLock' in navigator && !!navigator.clipboard")
    expect(phone.page.locator(".plain-http")).to_have_count(0)
    phone.page.goto(phone.page.url + "new")
    phone.page.locator("form button.main").first.tap()
    phone.page.wait_for_selector("#board")
    phone.page.wait_for_selector("#link[data-link=live]", state="attached")
    code = phone.page.inner_text("h1 small")
    other.page.goto(f"{start}trust#/t/{code}/")
    other.page.wait_for_url(re.compile(rf"https://127\.0\.0\.1:\d+/t/{code}/$"))
    other.page.wait_for_selector("#link[data-link=live]", state="attached")


def test_who_does_not_trust_it_reads_what_to_do(screen: Screens, laptop: Laptop) -> None:
    phone = screen(base_url=f"http://127.0.0.1:{laptop.port}/")
    phone.page.goto("/trust#/t/ABCDEF/")
    link = phone.page.locator("a[data-known]")
    assert link.get_attribute("href").endswith("/t/ABCDEF/")
    expect(phone.page.locator("details")).to_have_count(5)
    phone.page.wait_for_url("**/trust#/t/ABCDEF/")
