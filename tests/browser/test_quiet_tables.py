"""What a table leaves out until it is wanted: warnings that were read, pencils, copies of one tap."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import SET_UP, Screen, opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEEN = "all => all.filter(one => getComputedStyle(one).opacity === '1').length"

LINES = "e => { const all = new Range(); all.selectNodeContents(e); return all.getClientRects().length }"
"""On how many lines the words of an element stand."""


@pytest.mark.parametrize("scripts", [True, False])
def test_the_warning_of_a_plain_network_is_closed_once(
    screen: Callable[..., Screen],
    settings,  # type: ignore[no-untyped-def]
    scripts: bool,
) -> None:
    settings.LAN, settings.HTTPS = True, False
    page = screen(java_script_enabled=scripts).page
    page.goto("/stats")
    button = page.locator(".plain-http button")
    assert button.evaluate(LINES) == 1, "its word is not broken"
    button.tap()
    page.wait_for_url("**/stats")
    expect(page.locator(".plain-http")).to_have_count(0)
    page.goto("/")
    expect(page.locator(".plain-http")).to_have_count(0)
    page.goto(f"/t/{opened().code}/")
    expect(page.locator(".menu .plain-http")).to_have_count(1)


def test_pencils_are_shown_while_their_switch_is_on_and_a_tap_on_a_card_corrects_it(
    screen: Callable[..., Screen],
) -> None:
    page = screen().sit_down(opened(SET_UP), "red").page
    pencils = page.locator(".board .pencil .i")
    assert pencils.evaluate_all(SEEN) == 0
    page.tap(".menu summary")
    page.tap("#correcting")
    assert pencils.evaluate_all(SEEN) == pencils.count() > 10
    page.keyboard.press("Escape")
    page.tap("#tab-middle")
    page.locator("#middle .card .title").first.tap()
    expect(page.locator("#sheet[open]")).to_be_visible()


def test_all_tokens_are_laid_with_one_tap(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP.partition("red   placed")[0])
    phone = screen().sit_down(match, "red")
    phone.tap("all-placed")
    assert "draw" in phone.offers


def test_the_skip_link_is_out_of_sight_until_it_has_the_focus(screen: Callable[..., Screen]) -> None:
    page = screen(viewport={"width": 320, "height": 568}, locale="de").page
    page.goto("/")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    bottom = "one => one.getBoundingClientRect().bottom"
    assert page.locator(".skip").evaluate(bottom) <= 0
    page.keyboard.press("Tab")
    assert page.locator(".skip").evaluate("one => one.getBoundingClientRect().top") >= 0


def test_a_file_is_chosen_with_a_button_like_ours(screen: Callable[..., Screen]) -> None:
    page = screen().sit_down(opened(), "red").page
    page.goto(f"{page.url}army/red")
    style = "one => getComputedStyle(one, '::file-selector-button').borderRadius"
    assert page.locator("input[type=file]").evaluate(style) == "8px"
