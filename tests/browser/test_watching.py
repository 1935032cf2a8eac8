"""A watcher reads the printed numbers over the table, and cannot change anything."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.match import play
from tests.browser.driving import SET_UP, Screen, opened
from tests.pages.test_looks import CROSSWISE

pytestmark = pytest.mark.browser


def test_the_numbers_open_over_the_table(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    eye = screen().watch(match)
    eye.page.tap("#card-crannogman-trackers .pencil")
    eye.page.wait_for_selector("#sheet[open] .profile")
    assert "Crannogman Trackers" in eye.says("#sheet h2")
    expect(eye.page.locator("#sheet :is(button, input, textarea)")).to_have_count(0)
    eye.page.tap("#sheet [data-close]")
    expect(eye.page.locator("#sheet[open]")).to_have_count(0)
    assert eye.faults == []


LONG = "Konstantinopolitanische Dudelsackpfeifer"
HOUSES = dict.fromkeys(("stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"), "")


@pytest.mark.parametrize("page", ["watch", "embed"])
@pytest.mark.parametrize(
    "table", [("agot", "light", HOUSES), ("tmg", "a-game-of-thrones", {"red": LONG, "blue": LONG})]
)
def test_nothing_runs_off_a_narrow_phone(
    screen: Callable[..., Screen], table: tuple[str, str, dict[str, str]], page: str
) -> None:
    match = play.open_match(*table)
    first, *_others = table[2]
    play.edit(match.code, lambda g: g.score(first, 1, "a point"), "Organiser", "there is a graph")
    eye = screen(viewport={"width": 320, "height": 640}, locale="de-DE").page
    eye.goto(f"/t/{match.code}/{page}")
    assert eye.locator(".seat, .numbers").count()
    assert eye.evaluate(CROSSWISE) <= 0
