"""An organiser copies the address of an event, also where the browser refuses to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import Screen
from tests.browser.test_organising import open_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_address_of_an_event_is_copied_or_at_least_selected(screen: Callable[..., Screen]) -> None:
    page = screen().page
    page.add_init_script("delete Navigator.prototype.clipboard; document.execCommand = () => false")
    code = open_event(page)
    copy, share = page.locator(".to-copy button").all()
    copy.tap()
    assert page.evaluate("getSelection().toString().trim()").endswith(f"/e/{code}/")
    page.evaluate("document.execCommand = () => true")
    copy.tap()
    expect(copy).to_have_text("Copied")
    expect(share).to_be_visible()
