"""A score can be read from two metres on a tablet and a desktop; on every screen the game keeps its room."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.models import Match
from tests.browser.driving import SET_UP, Screen, opened
from tests.table.test_home import opened as table

pytestmark = pytest.mark.browser

CENTIMETRE = 96 / 2.54
DIGIT = """all => all.map((one) => {
  const pen = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(one);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return pen.measureText("0").actualBoundingBoxAscent;
})"""
"""The height of a digit as drawn, in pixels."""


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1180, 820), (1440, 900)])
@pytest.mark.django_db(transaction=True)
def test_the_score_of_two_is_an_inch_high(screen: Callable[..., Screen], width: int, height: int) -> None:
    phone = screen(viewport={"width": width, "height": height}).watch(opened(SET_UP))
    heights = phone.page.eval_on_selector_all(".points b", DIGIT)
    assert len(heights) == 2
    assert min(heights) >= 2.4 * CENTIMETRE
    size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert min(phone.page.eval_on_selector_all(".round .who", size)) >= 40
    assert min(phone.page.eval_on_selector_all(".cell:not(.round) .who", size)) >= 28
    assert_nothing_is_cut(phone)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_the_header_stays_low(screen: Callable[..., Screen], width: int, height: int) -> None:
    phone = screen(viewport={"width": width, "height": height}).watch(opened(SET_UP))
    assert phone.page.eval_on_selector(".score", "one => one.offsetHeight") <= 100


@pytest.mark.parametrize("width", [820, 1440])
@pytest.mark.django_db(transaction=True)
def test_the_scores_of_six_have_room(screen: Callable[..., Screen], width: int) -> None:
    match: Match = table("agot")
    phone = screen(viewport={"width": width, "height": 1000}).watch(match)
    assert_nothing_is_cut(phone)
    assert min(phone.page.eval_on_selector_all(".points b", DIGIT)) >= 50


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.django_db(transaction=True)
def test_on_a_laptop_the_question_takes_no_height_from_the_board(
    screen: Callable[..., Screen], seats: int
) -> None:
    match = opened(SET_UP) if seats == 2 else table("agot")
    page = screen(viewport={"width": 1366, "height": 768}).watch(match).page
    places = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    sides, bar = (page.eval_on_selector_all(part, places)[0] for part in (".sides", ".bar"))
    assert (sides["top"], sides["bottom"], sides["right"]) == (bar["top"], bar["bottom"], bar["left"])
    assert sides["bottom"] == 768
    assert page.evaluate("document.documentElement.scrollWidth") == 1366


def assert_nothing_is_cut(phone: Screen) -> None:
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert phone.page.eval_on_selector_all(".cell, .points, .round .who", wide) == 0
