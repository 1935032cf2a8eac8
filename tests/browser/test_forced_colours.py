"""Colours that the system chooses, for high contrast: what a colour says is still said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import SET_UP, Screen, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
LOOK = "(one, name) => getComputedStyle(one)[name]"


@pytest.fixture
def board(screen: Screens) -> Screen:
    return screen(forced_colors="active").sit_down(opened(SET_UP), "red")


def of(board: Screen, selector: str, name: str) -> str:
    return board.page.locator(selector).first.evaluate(LOOK, name)


def test_whose_turn_it_is_and_which_tab_is_open_can_be_seen(board: Screen) -> None:
    acts, waits = (of(board, f"#tab-{seat}", "backgroundColor") for seat in ("red", "blue"))
    assert acts != waits
    assert of(board, "#tab-red", "color") != acts
    tabs = {of(board, f"#tab-{tab}", "borderBottomColor") for tab in ("blue", "middle")}
    assert tabs == {of(board, "body", "backgroundColor")}
    assert of(board, "#tab-red", "borderBottomColor") != acts


def test_what_is_left_and_the_round_can_be_seen(board: Screen) -> None:
    assert of(board, ".pips .on", "backgroundColor") == of(board, "body", "color")
    assert of(board, ".track .now", "backgroundColor") == of(board, "body", "color")


def test_nothing_is_painted_behind_large_figures(screen: Screens) -> None:
    match = opened(SET_UP)
    guest = screen(forced_colors="active", viewport={"width": 820, "height": 1180})
    for page in ("", "watch"):
        guest.page.goto(f"/t/{match.code}/{page}")
        figures = guest.page.locator(".points b")
        assert figures.count() >= 2
        assert {one.evaluate(LOOK, "forcedColorAdjust") for one in figures.all()} == {"none"}
