"""A score is read from two metres on a tablet and on a desktop; a phone keeps its room for the game."""

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
"""How high a digit is drawn, in pixels."""


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


def assert_nothing_is_cut(phone: Screen) -> None:
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert phone.page.eval_on_selector_all(".cell, .points, .round .who", wide) == 0
