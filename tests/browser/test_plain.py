"""The table without scripts: every control posts, and every answer leads back to the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, link, opened, play_until, text_of

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def press(page: Any, selector: str) -> None:
    """Press a button and wait for the page that comes back."""
    with page.expect_navigation():
        page.locator(selector).first.tap()


def answer(page: Any, action: str) -> None:
    """Go to the table and press an answer."""
    page.reload()
    press(page, f"button[name=action][value='{action}']")


def bring(page: Any, army: str) -> None:
    page.fill("textarea", text_of(army))
    press(page, "button:not(.unseen)[value=read]")
    press(page, "button[value=ready]")


def seat_both(red: Any, blue: Any) -> Match:
    """Start a table, invite the opponent, bring both armies."""
    red.goto("/new")
    red.fill("#name", "Ada")
    press(red, "button.main")
    press(red, ".bar a[href$='/army/red']")
    bring(red, "stark")
    press(red, ".invitee .more")
    invitation = red.inner_text(".invitation .address >> nth=0")
    press(red, "a.back")
    blue.goto(invitation)
    blue.fill("#name", "Bo")
    press(blue, "button.main")
    bring(blue, "lannister")
    return Match.objects.get()


def set_up(red: Any, blue: Any) -> None:
    answer(red, "rolled:6")
    answer(blue, "rolled:1")
    for page in (red, blue, red, blue):
        answer(page, "placed")
    answer(blue, "draw")
    answer(red, "rolled:2")
    answer(blue, "rolled:5")
    answer(blue, "pick-zone")
    answer(blue, "deployed")
    answer(red, "deployed")


def actions(page: Any) -> list[str]:
    return page.locator("button[name=action]").evaluate_all("all => all.map(one => one.value)")


def press_first(red: Any, blue: Any) -> None:
    """Both press the first offer that leads on, if there is one."""
    for page in (red, blue):
        page.reload()
        if offered := actions(page):
            wanted = next(action for action in offered if action not in ("back", "decline"))
            press(page, f"button[name=action][value='{wanted}']")


def test_a_round_without_scripts(screen: Screens) -> None:
    red = screen(java_script_enabled=False).page
    blue = screen(java_script_enabled=False).page
    match = seat_both(red, blue)
    set_up(red, blue)
    expect(red.locator("#question").first).to_have_text("Activate a unit", use_inner_text=True)

    answer(red, "activate:crannogman-trackers")
    red.wait_for_url(f"**/t/{match.code}/")
    expect(red.locator("#question").first).to_contain_text("Crannogman Trackers", use_inner_text=True)
    press(red, "button[name=change][value$=' claim:crannogman-trackers:centre']")
    expect(red.locator("#card-centre").first).to_contain_text("Crannogman Trackers", use_inner_text=True)

    press(red, "#card-house-tully-cavaliers a.pencil")
    red.fill("#reason", "a stray arrow")
    press(red, "button[name=change][value$=':-3']")
    red.wait_for_url("**/piece/unit/house-tully-cavaliers")
    assert match.entries.last().note == "a stray arrow"
    press(red, "a.close")
    expect(red.locator("#card-house-tully-cavaliers .left").first).to_have_text("9/12", use_inner_text=True)

    press(red, "button[name=undo]")
    expect(red.locator("#card-house-tully-cavaliers .left").first).to_have_text("12/12", use_inner_text=True)

    # Each kind of answer is pressed once; later ones of its kind are given behind the pages' backs.
    for step in ("turn", "claim-zone", "end-of-turn"):
        play_until(match, lambda state, step=step: state.question.step == step)
        press_first(red, blue)
    while Match.objects.get().round == 1:
        press_first(red, blue)
    red.reload()
    expect(red.locator("#tab-middle").first).to_contain_text("Round 2 of 6", use_inner_text=True)


def test_a_stale_press_without_scripts_is_explained_on_the_table(screen: Screens) -> None:
    red = screen(java_script_enabled=False).page
    blue = screen(java_script_enabled=False).page
    match = seat_both(red, blue)
    old = red.context.new_page()
    for page in (red, old):
        page.goto(f"/t/{match.code}/")
    press(red, "button[name=action][value='rolled:6']")
    press(old, "button[name=action][value='rolled:5']")
    expect(old.locator(".notice.bad")).to_have_count(1)
    assert old.inner_text(".notice.bad").startswith("It is not your turn")
    expect(old.locator("#question").first).to_have_text("Waiting for Bo", use_inner_text=True)


def test_who_waits_without_scripts_looks_again(screen: Screens) -> None:
    match = opened(SET_UP)
    blue = screen(java_script_enabled=False).page
    blue.goto(link(match, "blue"))
    press(blue, "button.main")
    blue.goto(f"/t/{match.code}/")
    expect(blue.locator(".bar h2").first).to_contain_text("Waiting for Ada", use_inner_text=True)
    do(match, "red activate:crannogman-trackers")
    press(blue, "header a[title=Reload]")
    expect(blue.locator(".bar h2").first).to_contain_text("Activate a unit", use_inner_text=True)
