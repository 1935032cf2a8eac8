"""The board game's map on a phone: taps on areas, zooming in and out, and news that does not move it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.core import engine
from games.match import play, storage
from games.models import Match
from tests.browser.driving import BROKEN, Screen, do

pytestmark = pytest.mark.browser

HOUSES = {"stark": "Ada", "lannister": "Bo", "baratheon": "Cy"}
IDLE = ("placed", "rest", "resolved", "same", "none", "over")
"""What each house answers until the houses march."""


@pytest.fixture
def marching() -> Match:
    """A table with the map, at the first March order."""
    match = play.open_match("agot", "full", HOUSES, seed="browser")
    do(match, "\n".join(f"{house} ready" for house in HOUSES))
    while (state := storage.load(match).state).question.step != "marches":
        seat = engine.awaited(state)[0]
        offered = [offer.action for offer in engine.offers(state, seat)]
        do(match, f"{seat} {next((one for one in IDLE if one in offered), offered[0])}")
        match.refresh_from_db()
    return match


def spot(page: Any, x: int, y: int) -> tuple[float, float]:
    """Where a point of the drawing is on the screen, once new controls are no longer inert."""
    page.wait_for_selector("[data-fresh]", state="detached")
    page.locator(".paper").scroll_into_view_if_needed()
    box = page.locator(".paper svg").bounding_box()
    return box["x"] + x / 1000 * box["width"], box["y"] + y / 1800 * box["height"]


def test_a_march_is_tapped_on_the_map_which_news_do_not_move(
    screen: Callable[..., Screen], marching: Match
) -> None:
    order = engine.awaited(storage.load(marching).state)[0]
    assert order in HOUSES
    phone = screen().sit_down(marching, "stark")
    while (seat := engine.awaited(storage.load(marching).state)[0]) != "stark":
        phone.reaches(do(marching, f"{seat} no-march"))
    phone.reaches(do(marching, "stark march:winterfell:zero"))
    page = phone.page
    page.click("#tab-middle")
    expect(page.locator(".from")).to_have_count(1)
    assert page.locator(".can").count() == len([one for one in phone.offers if one.startswith("to:")])

    page.emulate_media(reduced_motion="reduce")
    page.click(".zooms a >> nth=1")
    wide = page.locator(".paper").bounding_box()["width"]
    before = phone.version
    page.mouse.click(*spot(page, 690, 130))
    phone.reaches(before + 1)
    assert "Which units march to Karhold?" in phone.says(".bar")
    assert page.locator(".paper").bounding_box()["width"] == wide

    page.focus("#atlas-view")
    page.keyboard.press("0")
    assert page.locator(".paper").bounding_box()["width"] == pytest.approx(wide / 2, abs=2)
    assert phone.faults == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (844, 390)])
def test_the_whole_map_stands_above_the_question(
    screen: Callable[..., Screen], marching: Match, width: int, height: int
) -> None:
    phone = screen(viewport={"width": width, "height": height}).sit_down(marching, "stark")
    page = phone.page
    page.click("#tab-middle")
    page.click(".zooms a >> nth=1")
    page.click(".zooms a >> nth=0")
    page.wait_for_timeout(400)
    paper, bar = page.locator(".paper").bounding_box(), page.locator(".bar").bounding_box()
    under = bar["y"] if bar["y"] > paper["y"] else height
    assert paper["y"] >= page.locator("nav.score").bounding_box()["y"]
    assert paper["y"] + paper["height"] <= under + 1
    assert phone.faults == []


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1180, 820), (1440, 900)])
def test_on_its_side_a_tablet_asks_beside_the_map(
    screen: Callable[..., Screen], marching: Match, width: int, height: int
) -> None:
    seat = engine.awaited(storage.load(marching).state)[0]
    tablet = screen(viewport={"width": width, "height": height}).sit_down(marching, seat)
    view, bar = (tablet.page.locator(part).bounding_box() for part in (".view", ".bar"))
    assert bar["x"] >= view["x"] + view["width"]
    assert bar["y"] <= view["y"]
    assert bar["y"] + bar["height"] == height
    assert tablet.page.locator(".bar").evaluate("one => one.scrollHeight <= one.clientHeight")
    assert tablet.page.locator(".side >> nth=0").bounding_box()["width"] >= 240
    assert tablet.faults == []


def test_a_long_way_out_stays_within_the_bar(screen: Callable[..., Screen], marching: Match) -> None:
    while (seat := engine.awaited(storage.load(marching).state)[0]) != "stark":
        do(marching, f"{seat} no-march")
    do(marching, "stark march:winterfell:zero\nstark to:karhold")
    phone = screen(viewport={"width": 844, "height": 390}, locale="de-DE").sit_down(marching, "stark")
    assert phone.offers
    assert phone.page.locator(".bar").evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_on_a_small_phone_no_name_of_an_area_breaks_but_at_a_hyphen(
    screen: Callable[..., Screen], marching: Match
) -> None:
    """Among the ways from Winterfell is “Weißwasserhafen”."""
    do(marching, "baratheon no-march\nlannister no-march\nstark march:winterfell:zero")
    phone = screen(locale="de", viewport={"width": 360, "height": 740}).sit_down(marching, "stark")
    names = phone.page.locator(".bar [value^='to:']")
    assert names.count() > 3
    assert names.evaluate_all(BROKEN) == []
