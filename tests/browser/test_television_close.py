"""A television's page on a phone, or in letters larger than a television's: read from top to bottom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.hall import commands
from games.match import play
from tests.browser.driving import BROKEN, SET_UP, Screen, at_sizes, do, opened
from tests.browser.test_near import TWICE
from tests.browser.test_ranking import PLAYERS
from tests.hall import halls
from tests.hall.halls import ANNA, by_chance, play_round
from tests.pages.test_looks import CROSSWISE
from tests.table.test_home import opened as fresh
from tests.watching.test_map import begun

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

PHONE, ASIDE = {"width": 390, "height": 844}, {"width": 844, "height": 390}
LOOKS: dict[str, tuple[dict[str, int], bool]] = {
    "a phone": (PHONE, False),
    "a phone, twice as large": (PHONE, True),
    "a phone on its side, twice as large": (ASIDE, True),
}
ONLY = """key => {
  for (const one of document.querySelectorAll("[data-sheet]")) one.hidden = one.dataset.sheet !== key;
  document.getElementById("screen").dataset.at = key;
  document.getElementById("screen").dispatchEvent(new Event("screen:shown"));
}"""
"""Shows one sheet, as the page's script does after a while."""
CUT = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && !one.closest(".unseen, svg"))
  .filter((one) => !["visible", "inline"].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 90))"""
"""What holds more than is visible."""
HIDDEN = """all => all
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 3)
  .map((one) => one.textContent)"""
"""What is read only in part."""
LEAST = """() => Math.min(...[...document.querySelectorAll("main :is(p, b, span, h1, h2, h3, td, th, li)")]
  .filter((one) => one.checkVisibility() && one.textContent.trim())
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
"""The smallest letters, in pixels."""


def an_event() -> str:
    code = halls.opened(0, length=3)
    commands.import_table(code, ANNA, "\n".join(PLAYERS))
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    commands.announce(code, ANNA, "Lunch is served in the hall next door at half past twelve")
    return f"/e/{code}/tv"


def tables() -> str:
    codes = [opened(SET_UP).code, fresh("agot").code]
    return f"/tv?tables={','.join(codes)}"


PLACES: dict[str, Callable[[], str]] = {
    "an event": an_event,
    "a table of two": lambda: f"/t/{opened(SET_UP).code}/tv",
    "a table of six": lambda: f"/t/{fresh('agot').code}/tv",
    "a table with a map": lambda: f"/t/{begun('orders').code}/tv",
    "several tables": tables,
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.django_db(transaction=True)
def test_it_is_read_from_top_to_bottom(screen: Screens, place: str, look: str) -> None:
    size, is_twice = LOOKS[look]
    page = screen(viewport=size, locale="de-DE").page
    if is_twice:
        page.add_init_script(TWICE)
    page.goto(PLACES[place]())
    # Whether its news are live is said in words, some of them long.
    page.wait_for_selector("#feed:not([data-link=''])")
    for key in page.eval_on_selector_all("[data-sheet]", "all => all.map((one) => one.dataset.sheet)"):
        page.evaluate(ONLY, key)
        assert page.evaluate(CROSSWISE) <= 0, key
        assert page.evaluate(CUT) == [], key
        assert page.evaluate(LEAST) >= 12, key
    page.evaluate("scrollTo(0, 1e6)")
    foot: Any = page.locator("#screen > footer img").bounding_box()
    assert foot["y"] + foot["height"] <= size["height"] + 1


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.django_db(transaction=True)
def test_in_the_hand_no_sheet_is_turned_away_from_who_reads(screen: Screens, place: str) -> None:
    page = screen(viewport=PHONE).page
    page.goto(f"{(address := PLACES[place]())}{'&' if '?' in address else '?'}turn=3")
    sheets = page.locator("[data-sheet]:not(.last)")
    seen = "all => all.map((one) => one.checkVisibility())"
    every = [True] * sheets.count()
    assert sheets.evaluate_all(seen) == every
    page.wait_for_timeout(3500)
    assert sheets.evaluate_all(seen) == every
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("() => document.querySelectorAll('[data-sheet]:not([hidden])').length === 1")


@pytest.mark.django_db(transaction=True)
def test_in_the_hand_each_side_is_one_line(screen: Screens) -> None:
    page = screen(viewport=PHONE, locale="de-DE").page
    page.goto(PLACES["a table with a map"]())
    for side in page.locator(".tally").all():
        name, points = (side.locator(part).bounding_box() for part in (".who", ".points"))
        assert points["y"] < name["y"] + name["height"]


@pytest.mark.django_db(transaction=True)
def test_a_tap_turns_a_television_and_keeps_what_it_shows(screen: Screens) -> None:
    page = screen(viewport=ASIDE).page
    page.goto(an_event() + "?turn=3")
    shown = page.locator("[data-sheet]:not([hidden])")
    assert shown.get_attribute("data-sheet") == "pairings-1"
    page.tap("#region")
    assert shown.get_attribute("data-sheet") == "standings-1"
    page.wait_for_timeout(3500)
    assert shown.get_attribute("data-sheet") == "standings-1"


@pytest.mark.django_db(transaction=True)
def test_a_television_is_one_picture_as_before(screen: Screens) -> None:
    page = screen(viewport={"width": 1920, "height": 1080}).page
    page.goto(an_event())
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 28.8
    first, second = (page.locator(".at-tables .player").nth(n).bounding_box() for n in (0, 1))
    assert second["x"] == first["x"]


@pytest.mark.django_db(transaction=True)
def test_points_beside_a_long_name_are_one_number(screen: Screens) -> None:
    code = halls.opened(0)
    commands.import_table(code, ANNA, "Ekaterina Fernández-González\nGiovanni Österreicher-Zollern")
    commands.check_in_all(code, ANNA)
    play_round(code, lambda g, pairing: halls.scores(pairing, 12, 10))
    page = screen(viewport=PHONE).page
    page.goto(f"/e/{code}/tv")
    assert page.locator(".at-tables .player b").evaluate_all(BROKEN) == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "zh-CN"])
@pytest.mark.django_db(transaction=True)
def test_a_television_names_all_six_that_the_table_waits_for(screen: Screens, locale: str) -> None:
    houses = ("stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell")
    match = play.open_match("agot", "orders", {house: house.title() for house in houses}, seed="watched")
    do(match, "\n".join(f"{house} ready" for house in houses))
    page = screen(locale=locale, viewport={"width": 1920, "height": 1080}).page
    for sheet in ("score", "map"):
        page.goto(f"/t/{match.code}/tv?sheet={sheet}")
        for width, height in at_sizes(page, (1920, 1080), (1366, 768)):
            assert page.locator(".turn p").evaluate_all(HIDDEN) == [], (width, height)
            inside, outside = (page.locator(one).bounding_box() for one in (".turn p", ".turn"))
            assert outside["y"] <= inside["y"]
            assert inside["y"] + inside["height"] <= outside["y"] + outside["height"]


@pytest.mark.parametrize("size", [(1920, 1080), (1440, 900), (1024, 768)])
@pytest.mark.django_db(transaction=True)
def test_a_map_fills_a_television_and_is_not_cut(screen: Screens, size: tuple[int, int]) -> None:
    """Its north beside its south, the larger the screen is; the score stays in sight."""
    page = screen(viewport={"width": size[0], "height": size[1]}).page
    page.goto(f"/t/{begun('orders').code}/tv?sheet=map")
    page.wait_for_selector("#feed[data-link=live]", state="attached")
    north, south = (page.locator(".paper").nth(n).bounding_box() for n in (0, 1))
    assert north["width"] > size[0] * 0.4
    assert north["x"] + north["width"] < south["x"]
    assert south["x"] + south["width"] <= size[0]
    assert south["y"] + south["height"] <= size[1]
    assert page.locator(".tally").evaluate_all("all => all.every((one) => one.checkVisibility())")
