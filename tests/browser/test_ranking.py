"""An event's standings on every screen: whole names, whole numbers, no sideways scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.hall import commands
from tests.browser.driving import BROKEN, Screen, at_sizes
from tests.browser.test_near import TWICE
from tests.hall.halls import ANNA, by_chance, opened, play_round
from tests.pages.test_looks import RULES, problems

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

CRITERIA = ("points", "wins", "vp", "difference", "destroyed", "strength", "scenario")
PLAYERS = (
    "Maximiliana Freifrau von Hohenstein-Wart;Verein zur Förderung des Tabletopspiels;Night’s Watch",
    "欧阳修远慕容云海诸葛孔明司马相如东方不败西门吹雪上官婉儿令狐冲独孤求败欧阳修远;北京桌面游戏俱乐部;Stark",
    "Bartholomew O’Shaughnessy-Smythe;Les Chevaliers de la Table Ronde;Lannister",
    "Li",
)
HIDDEN = "all => all.map((one) => one.scrollWidth - one.clientWidth)"
"""By how many pixels each overflows sideways."""
TELLS = """row => {
  const tops = [...row.children].map((one) => one.getBoundingClientRect().bottom);
  const label = (cell) => getComputedStyle(cell, "::before").content;
  return [tops[4] > tops[1], label(row.children[4]), label(row.children[0])];
}"""
"""Whether the second value is below the name, its label, and the label of the place."""


@pytest.fixture
def code(transactional_db) -> str:
    code = opened(0, criteria=CRITERIA, length=5)
    commands.import_table(code, ANNA, "\n".join(PLAYERS))
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    return code


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "zh-CN"])
def test_standings_are_read_without_pushing_them_sideways(screen: Screens, code: str, language: str) -> None:
    page = screen(locale=language).page
    for path in ("standings", ""):
        page.goto(f"/e/{code}/{path}")
        for width in at_sizes(page, 320, 390, 844, 1024, 1440):
            assert page.eval_on_selector_all(".wide", HIDDEN) == [0], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (path, width)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_beside_the_pairings_names_have_room(screen: Screens, code: str, language: str) -> None:
    page = screen(viewport={"width": 1440, "height": 900}, locale=language).page
    page.goto(f"/e/{code}/")
    head = page.locator(".ranking thead th:visible")
    expect(head).to_have_count(8)
    assert head.nth(1).bounding_box()["width"] >= 250
    page.wait_for_selector("#feed[data-link=live]")
    assert page.locator(".mine").count() == 0, "a spectator has no line of their own"
    page.goto(f"/e/{code}/standings")
    expect(head).to_have_count(10)


def test_a_phone_shows_a_name_and_below_it_labelled_values(screen: Screens, code: str) -> None:
    page = screen(locale="de-DE").page
    page.goto(f"/e/{code}/standings")
    below, label, of_place = page.eval_on_selector(".ranking tbody tr", TELLS)
    assert (below, of_place) == (True, "none")
    assert label == '"Gewonnen " / ""'
    # Why somebody stands above another is a sentence, and may part where it likes.
    page.eval_on_selector_all(".why", "all => all.forEach(one => one.remove())")
    assert page.eval_on_selector_all(".ranking tbody th", BROKEN) == [PLAYERS[1].partition(";")[0]]
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(1 + len(PLAYERS))
    expect(page.get_by_role("columnheader", name="Vernichtet")).to_have_count(1)
    expect(page.get_by_role("rowheader", name="Li", exact=True)).to_have_count(1)
    assert problems(page, {"type": "tag", "values": RULES}) == []


def test_a_wide_screen_shows_the_table(screen: Screens, code: str) -> None:
    page = screen(viewport={"width": 1440, "height": 900}).page
    page.goto(f"/e/{code}/standings")
    assert page.eval_on_selector(".ranking tbody tr", TELLS)[:2] == [False, "none"]
    expect(page.locator(".ranking thead th:last-child")).to_be_visible()
    names = page.eval_on_selector_all(".ranking tbody th", "all => all.map((one) => one.clientWidth)")
    assert min(names) >= 300


def test_standings_in_letters_twice_as_large(screen: Screens, code: str) -> None:
    page = screen(locale="de-DE").page
    page.add_init_script(TWICE)
    page.goto(f"/e/{code}/standings")
    assert page.eval_on_selector_all(".wide", HIDDEN) == [0]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
