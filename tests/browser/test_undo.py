"""Undo says what it takes back: one's own action at once, another's only with their consent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
Phones = tuple[Match, Screen, Screen]


@pytest.fixture
def phones(screen: Screens) -> Phones:
    """A match in its first round on two phones."""
    match = opened(SET_UP)
    return match, screen().sit_down(match, "red"), screen().sit_down(match, "blue")


def undo(phone: Screen) -> int:
    """Press "Undo" and wait for the board."""
    version = phone.version + 1
    phone.page.tap(".undo")
    phone.reaches(version)
    return version


ASKEW = """all => all.map(one => {
  const button = one.querySelector("details, button").getBoundingClientRect();
  const words = [...one.querySelectorAll("p")].map(each => each.getBoundingClientRect());
  return (button.top + button.bottom - words[0].top - words.at(-1).bottom) / 2;
}).filter(pixels => Math.abs(pixels) > 4)"""
"""By how many pixels what undoes an entry is above or below the middle of its words."""


def test_ones_own_action_goes_at_once(phones: Phones) -> None:
    _match, red, blue = phones
    blue.reaches(red.tap("activate:crannogman-trackers"))
    assert red.says(".undo") == "Undo Ada: Crannogman Trackers activates."
    blue.reaches(undo(red))
    assert red.state == "ask"
    assert "activate:crannogman-trackers" in red.offers
    assert blue.state == "wait"


def test_several_steps_go_one_after_the_other(phones: Phones) -> None:
    _match, red, _blue = phones
    red.tap("activate:crannogman-trackers")
    red.tap("unit/crannogman-trackers claim:crannogman-trackers:centre")
    undo(red)
    undo(red)
    assert red.state == "ask"
    assert "activate:crannogman-trackers" in red.offers


@pytest.mark.parametrize(("choice", "state"), [("agree", "ask"), ("decline", "wait")])
def test_the_rivals_action_is_asked_for_on_the_other_phone(phones: Phones, choice: str, state: str) -> None:
    _match, red, blue = phones
    blue.reaches(red.tap("activate:crannogman-trackers"))
    assert blue.says(".undo small") == "Ada must agree"
    red.reaches(undo(blue))
    assert red.says(".request b") == "Bo asks to undo:"
    assert red.says(".request li") == "Ada: Crannogman Trackers activates."
    expect(blue.page.locator(".request button")).to_have_count(1)
    red.press(choice)
    red.page.wait_for_selector(".request", state="detached")
    blue.reaches(red.version)
    assert red.state == state
    expect(blue.page.locator(".request")).to_have_count(0)


def test_who_asked_may_think_again(phones: Phones) -> None:
    _match, red, blue = phones
    blue.reaches(red.tap("activate:crannogman-trackers"))
    red.reaches(undo(blue))
    blue.press("decline")
    blue.page.wait_for_selector(".request", state="detached")
    red.reaches(blue.version)
    expect(red.page.locator(".request")).to_have_count(0)
    assert red.state == "wait"


def test_a_roll_is_taken_back_only_together(screen: Screens) -> None:
    match = opened("red demo:stark\nblue demo:lannister\nred ready\nblue ready\n")
    red, blue = screen().sit_down(match, "red"), screen().sit_down(match, "blue")
    blue.reaches(red.tap("roll"))
    assert red.says(".undo small") == "Bo must agree"
    blue.reaches(undo(red))
    assert blue.says(".request b") == "Ada asks to undo:"
    blue.press("agree")
    red.reaches(match.version + 3)
    assert "roll" in red.offers


def test_what_undoes_an_entry_stands_beside_it(phones: Phones) -> None:
    match, red, _blue = phones
    do(match, "red activate:crannogman-trackers\nblue activate:knights-of-casterly-rock\n")
    red.page.goto(f"/t/{match.code}/history")
    entries = red.page.locator(".entry:has(details)")
    assert entries.count() > 1
    assert entries.evaluate_all(ASKEW) == []
    assert min(one.bounding_box()["height"] for one in entries.all()) < 64


def test_the_history_takes_back_from_any_point(phones: Phones) -> None:
    match, red, _blue = phones
    do(match, "red unit/gregor-clegane wounds:gregor-clegane:-1\nred activate:crannogman-trackers")
    wound = match.entries.get(path="unit/gregor-clegane")
    red.page.goto(f"/t/{match.code}/history")
    red.page.tap(f"#v{wound.version} summary")
    red.page.tap(f"#v{wound.version} button")
    red.page.wait_for_url(f"**/t/{match.code}/")
    red.live()
    assert red.says("#card-gregor-clegane .left") == "4/4"
    assert red.state == "wait"
