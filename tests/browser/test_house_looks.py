"""The board game in the hand: houses in their printed colours, tags and orders that can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.match import play
from games.models import Match
from games.systems.agot import pieces
from games.systems.agot.pieces import HOUSES
from tests.browser.driving import BROKEN, Screen, at_sizes, do
from tests.browser.test_orders import map_seen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TAGS = """() => {
  const paper = document.querySelector(".paper svg");
  const names = document.getElementById("names").cloneNode(true);
  paper.append(names);
  const box = (one) => one.getBoundingClientRect();
  const texts = [...names.querySelectorAll("text")];
  const tags = [...document.querySelectorAll(".pieces > g .row > rect, .pieces > g text")];
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const letters = (one) => {
    // A box of text is as high as its line: what is drawn of it lies between its baseline and its capitals.
    const { left, right, bottom, height } = box(one);
    return { left, right, top: bottom - height * .78, bottom: bottom - height * .2 };
  };
  const drawn = (tag) => (tag.matches("text") ? letters(tag) : box(tag));
  const covered = texts.flatMap((name) => tags.filter((tag) => meet(letters(name), drawn(tag))).map((tag) =>
    `${name.textContent} ${tag.closest("[transform]").getAttribute("transform")} ${tag.textContent}`));
  const scale = box(paper).width / paper.viewBox.baseVal.width;
  const sizes = tags.filter((tag) => tag.matches("text"))
    .map((tag) => parseFloat(getComputedStyle(tag).fontSize) * scale);
  names.remove();
  return { covered, smallest: Math.min(...sizes) };
}"""


def crowded() -> Match:
    """A table for six with units and an order in every area."""
    match = play.open_match("agot", "orders", dict.fromkeys(HOUSES, ""), seed="tags")

    do(match, "\n".join(f"{house} ready" for house in HOUSES))

    def fill(g: Any) -> None:
        for number, (key, area) in enumerate(g.objectives.items()):
            area.house, area.token = list(HOUSES)[number % 6], ""
            if pieces.kind(key) == "land":
                area.footmen, area.knights, area.garrison, area.neutral = 2, 2, 0, 0
            else:
                area.ships = 3
            area.order_token = "march-minus" if pieces.kind(key) != "port" else "support-star"

    play.edit(match.code, fill, "Organiser", "everywhere")
    return match


@pytest.mark.parametrize("locale", ["en-GB", "de", "zh-CN"])
def test_tags_on_the_map_are_read_in_the_hand_and_cover_no_name(
    screen: Callable[..., Screen], locale: str
) -> None:
    page = screen(locale=locale).watch(crowded()).page
    page.click("#tab-middle")
    seen = page.evaluate(TAGS)
    assert seen["smallest"] >= 11
    assert seen["covered"] == []


def test_on_a_small_phone_half_of_the_height_is_the_maps(screen: Callable[..., Screen]) -> None:
    match = crowded()
    for seat in ("stark", ""):
        phone = screen(viewport={"width": 320, "height": 568})
        page = (phone.sit_down(match, seat) if seat else phone.watch(match)).page
        page.click("#tab-middle")
        assert map_seen(phone) >= 0.5
        assert page.locator(".bar").evaluate("one => one.scrollWidth - one.clientWidth") == 0


@pytest.mark.parametrize("locale", ["en-GB", "de", "zh-CN"])
def test_support_and_raid_are_named_on_their_tokens(screen: Callable[..., Screen], locale: str) -> None:
    page = screen(locale=locale).sit_down(crowded(), "stark").page
    for size in at_sizes(page, (390, 844), (320, 568), (844, 390), (820, 1180)):
        names = page.locator(".tokens small")
        assert names.count() == 4
        assert names.evaluate_all(BROKEN) == [] or locale == "de", size
        assert names.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length") == 0
