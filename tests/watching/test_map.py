"""The map of the board game on the watchers' page: shown as it lies, with nothing to tap."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from games.match import play
from games.models import Match
from games.templating import part
from tests.browser.driving import do
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

HOUSES = ("stark", "lannister", "baratheon")


def begun(mode: str) -> Match:
    """The first round of three houses."""
    match = play.open_match("agot", mode, {house: house for house in HOUSES}, seed="watched")
    do(match, "\n".join(f"{house} ready" for house in HOUSES))
    return match


def page_of(match: Match) -> str:
    return Phone().ask("GET", f"/t/{match.code}/watch").content.decode()


def tv_of(match: Match, query: str = "") -> str:
    return Phone().ask("GET", f"/t/{match.code}/tv{query}").content.decode()


@pytest.mark.parametrize("mode", ["full", "orders"])
def test_watchers_see_the_map_and_what_lies_there(mode: str) -> None:
    page = page_of(begun(mode))
    region = page[page.index('<div id="region"') :]
    assert "<title>Winterfell, stronghold, Stark: 1 footman, 1 knight, garrison 2</title>" in region
    assert page.count('id="ground"') == page.count('id="winterfell"') == 1
    assert 'id="ground"' not in region, "it comes once in a page, outside what is sent after every tap"
    assert "agot/map" in page


def test_there_is_nothing_to_tap_on_it() -> None:
    page = page_of(begun("full"))
    drawn = re.search(r'<section class="atlas between".*?</section>', page, re.S)
    assert drawn is not None
    assert "href" not in re.sub(r"<use[^>]*>", "", drawn[0])
    assert "data-does" not in drawn[0]


def test_orders_lie_face_down_for_watchers() -> None:
    pages = []
    for order in ("order:raid", "order:support"):
        match = begun("orders")
        do(match, "\n".join(f"stark {tap}" for tap in (order, "order:defense", "order:defense", "placed")))
        pages.append(re.findall("<title>.*?</title>", page_of(match)))
    assert any("Winterfell" in title and "order face down" in title for title in pages[0])
    assert pages[0][1:] == pages[1][1:], "the first is the page's own, with the table's code"


def test_without_a_map_in_the_app_there_is_none_to_watch() -> None:
    page = page_of(begun("light"))
    assert 'class="atlas' not in page
    assert 'id="ground"' not in page
    assert "agot/map" not in page


@pytest.mark.parametrize("mode", ["full", "orders"])
def test_a_television_shows_the_map_on_a_sheet_of_its_own(mode: str) -> None:
    page = tv_of(begun(mode), "?sheet=map")
    region = page[page.index('<div id="region"') :]
    sheet = re.search(r'<section class="sheet" data-sheet="map">.*?</section>', region, re.S)
    assert sheet is not None
    assert (
        sheet[0].count("<title>Winterfell, stronghold, Stark: 1 footman, 1 knight, garrison 2</title>") == 2
    )
    assert page.count('id="ground"') == page.count('id="winterfell"') == 1
    assert 'id="ground"' not in region, "it comes once in a page, outside what is sent after every tap"
    assert "agot/map" in page
    assert "agot/screen" in page
    assert "sheet=sides" in page, "the next sheet without scripts"


def test_a_television_shows_no_order_that_lies_face_down() -> None:
    pages = []
    for order in ("order:raid", "order:support"):
        match = begun("orders")
        do(match, "\n".join(f"stark {tap}" for tap in (order, "order:defense", "order:defense", "placed")))
        pages.append(re.findall("<title>.*?</title>", tv_of(match)))
    assert any("Winterfell" in title and "order face down" in title for title in pages[0])
    assert pages[0][1:] == pages[1][1:], "the first is the page's own, with the table's code"


def test_a_television_without_a_map_has_no_sheet_for_it() -> None:
    page = tv_of(begun("light"))
    assert 'data-sheet="map"' not in page
    assert "agot/" not in page
    assert "sheet=sides" in page, "the next sheet without scripts"


def test_an_area_is_drawn_as_its_shape_and_a_harbour_as_a_circle() -> None:
    """With the class that marks it, if it has one."""
    land, port = SimpleNamespace(key="winterfell", harbour=None), SimpleNamespace(key="p", harbour=(3, 4))
    assert part("agot/spot.html", shape=land).strip() == '<use href="#winterfell"/>'
    assert 'class="open" href="#winterfell"' in part("agot/spot.html", shape=land, state="open")
    assert 'cx="3" cy="4" r="32"' in part("agot/spot.html", shape=port)
    open_to_a_tap = SimpleNamespace(key="winterfell", harbour=None, state="open")
    over = part("agot/on_ground.html", map=SimpleNamespace(outlined=[open_to_a_tap], shapes=[]))
    assert 'class="open" href="#winterfell"' in over
