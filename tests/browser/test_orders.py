"""The board game with orders on the phones: placed in secret, turned over together, resolved on the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.core import State, engine
from games.match import play, storage
from games.models import Match
from games.systems.agot import SYSTEM
from games.systems.agot.page import map_drawing
from tests.browser.driving import Screen, do, untroubled
from tests.browser.test_map import spot

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

GIVEN = {
    "lannister": {
        "lannisport": "defense", "stoney-sept": "defense", "the-golden-sound": "support",
        "port-of-lannisport": "support",
    },
    "baratheon": {"dragonstone": "defense", "kingswood": "defense", "shipbreaker-bay": "support"},
    "greyjoy": {
        "pyke": "defense", "greywater-watch": "support", "ironmans-bay": "raid", "port-of-pyke": "support",
    },
}  # fmt: skip
"""What the other houses place, mostly behind the screens' backs."""


def standing(match: Match) -> State:
    match.refresh_from_db()
    return storage.load(match).state


def opened_with_orders(phone: Screen) -> Match:
    """A table for four, opened from the form for new tables; the phone has Stark's seat."""
    page = phone.page
    page.goto("/new?game=agot")
    choice = page.locator("input[name=mode][value='agot/orders']")
    fold = page.locator("details:not([open])", has=choice)
    if fold.count():
        fold.locator("summary").tap()
    page.locator("label", has=choice).tap()
    page.select_option("#seats", "4")
    page.fill("#name", "Ada")
    seat = page.locator("input[name=seat][value='stark']")
    if seat.count():
        page.locator("label", has=seat).tap()
    page.tap("button.main")
    page.wait_for_url("**/t/*/**")
    match = Match.objects.get()
    page.goto(f"/t/{match.code}/")
    phone.live()
    return match


def give(match: Match, house: str) -> None:
    """A house places its orders and confirms them, behind the screens' backs."""
    for area, order in GIVEN[house].items():
        if f"at:{area}" in [offer.action for offer in engine.offers(standing(match), house)]:
            do(match, f"{house} at:{area}")
        do(match, f"{house} order:{order}")
    do(match, f"{house} placed")


def on_the_map(phone: Screen, action: str) -> int:
    """Tap the area of an answer on the map, at its name; returns the version that it leads to."""
    before = phone.version
    if not phone.page.locator("#atlas-view").is_visible():
        phone.page.click("#tab-middle")
    expect(phone.page.locator(f".paper a[data-does='{action}']")).to_have_count(1)
    x, y = map_drawing.sheet()["areas"][action.split(":")[1]]["at"]
    phone.page.wait_for_timeout(400)  # the bar's height changes with every question, with an animation
    phone.page.touchscreen.tap(*spot(phone.page, x, y))
    phone.reaches(before + 1)
    return before + 1


def placing(match: Match, stark: Screen, rival: Screen) -> None:
    """Place Stark's three orders, in the bar and on the map; one of them is exchanged for another."""
    assert "Which order for Winterfell?" in stark.says(".bar")
    stark.tap("order:consolidate")
    on_the_map(stark, "at:the-shivering-sea")
    stark.tap("order:raid-star")
    assert "Which order for White Harbor?" in stark.says(".bar")
    stark.tap("order:march-zero")
    on_the_map(stark, "at:white-harbor")
    version = stark.tap("order:march-plus")
    assert "3 of 3 placed" in stark.says(".bar")
    rival.reaches(version)
    knows_nothing(stark, rival)
    stark.tap("placed")


def map_seen(phone: Screen) -> float:
    """How much of the screen's height the map has, between the header and the bar."""
    phone.page.wait_for_timeout(400)
    view, bar = (phone.page.locator(each).bounding_box() for each in ("#atlas-view", ".bar"))
    under = phone.page.locator(".sides").bounding_box()["y"]
    seen = min(bar["y"], view["y"] + view["height"]) - max(under, view["y"])
    return seen / phone.page.viewport_size["height"]


def knows_nothing(stark: Screen, rival: Screen) -> None:
    """Nothing that Stark's page says about its orders is on the rival's page, although that has confirmed."""
    words = ("March +1", "Raid ★", "march-plus", "raid-star", "Consolidate Power")
    assert [word for word in words if word in stark.page.content()][:2] == ["March +1", "Raid ★"]
    page = rival.page.locator("#board").evaluate("board => board.outerHTML")
    assert [word for word in words if word in page] == []


def answer_until(match: Match, step: str) -> None:
    """Have everybody asked give the idle answer until this question is open."""
    while standing(match).question.step != step:
        seat = engine.to_act(standing(match))[0]
        offered = [offer.action for offer in engine.offers(standing(match), seat)]
        do(match, f"{seat} {next(one for one in ('rest', 'keep', *offered) if one in offered)}")


def test_a_round_of_orders_from_the_new_table_to_the_next_round(screen: Screens) -> None:
    stark = screen()
    match = opened_with_orders(stark)
    assert (match.mode, len(match.seats.all())) == ("orders", 4)
    greyjoy, lannister = (screen().sit_down(match, house) for house in ("greyjoy", "lannister"))
    for phone in (stark, greyjoy, lannister):
        phone.reaches(standing_version(match))
        phone.tap("ready")
    do(match, "baratheon ready")
    for house in ("lannister", "baratheon"):
        give(match, house)
    for phone in (stark, greyjoy, lannister):
        phone.reaches(standing_version(match))

    placing(match, stark, lannister)
    give(match, "greyjoy")
    lannister.reaches(standing_version(match))
    assert "March +1" in lannister.page.locator("#board").evaluate("board => board.outerHTML")

    answer_until(match, "raids")
    greyjoy.reaches(standing_version(match))
    assert "raid:ironmans-bay:the-golden-sound" in greyjoy.offers
    greyjoy.tap("raid:ironmans-bay:the-golden-sound")
    assert standing(match).objectives["the-golden-sound"].order_token == ""

    stark.reaches(standing_version(match))
    assert stark.offers == ["march:white-harbor:plus"]
    stark.tap("march:white-harbor:plus")
    on_the_map(stark, "to:moat-cailin")
    while standing(match).question.step == "load":
        stark.tap(next(one for one in stark.offers if one.startswith("take:")))
    stark.tap("go")
    if standing(match).question.step == "leave-token":
        stark.tap("leave")
    g: Any = standing(match)
    assert (g.objectives["moat-cailin"].house, g.round) == ("stark", 2)
    assert (g.objectives["white-harbor"].token, g.armies["stark"].power) == ("stark", 5 - 1 + 2)
    lannister.reaches(match.version)
    expect(lannister.page.locator("body")).to_contain_text("Round 2", use_inner_text=True)
    untroubled((stark, greyjoy, lannister), stark.page.url.split("/")[2])


def standing_version(match: Match) -> int:
    match.refresh_from_db()
    return match.version


IN_REACH = """buttons => buttons.filter(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map(one => one.value)"""


def test_no_remark_lies_over_a_token(screen: Screens) -> None:
    houses = {house: house for house in ("stark", "lannister", "baratheon")}
    match = play.open_match("agot", "orders", houses, seed="browser")
    do(match, "".join(f"{house} ready\n" for house in houses) + "lannister at:port-of-lannisport\n")
    phone = screen().sit_down(match, "lannister")
    assert "no effect" in phone.says(".bar .tokens + .hint")
    tokens = phone.page.locator(".tokens button")
    assert tokens.count() > 8
    assert tokens.evaluate_all(IN_REACH) == []
    assert phone.page.locator("footer button.undo").evaluate_all(IN_REACH) == []


LATER = """
stark ready
lannister ready
baratheon ready
stark placed
lannister placed
baratheon placed
lannister rest
stark resolved
stark resolved
stark none
lannister none
baratheon none
stark same
lannister same
baratheon same
stark card:last-days-of-summer
stark card:last-days-of-summer
stark card:storm-of-swords
"""
"""Actions of the light mode, up to the orders of the second round."""


def enter(phone: Screen, area: str, **units: int) -> None:
    """Enter what a house has in an area, found on the map."""
    on_the_map(phone, f"at:{area}")
    for unit, number in units.items():
        phone.tap(f"has:{unit.replace('_', '-')}:{number}")
    phone.tap("leave")


@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_the_map_keeps_half_of_a_phone_while_orders_are_placed(screen: Screens, houses: int) -> None:
    names = dict(zip(SYSTEM.seat_names, "ABCDEF"[:houses], strict=False))
    match = play.open_match("agot", "orders", names, seed="browser")
    do(match, "".join(f"{house} ready\n" for house in names))
    stark = screen(viewport={"width": 390, "height": 844}).sit_down(match, "stark")
    assert "Which order for Winterfell?" in stark.says(".bar")
    assert map_seen(stark) >= 0.5
    stark.tap("order:consolidate")
    on_the_map(stark, "at:the-shivering-sea")
    assert map_seen(stark) >= 0.5


def test_the_map_comes_in_and_is_surveyed_on_two_phones(screen: Screens) -> None:
    names = {"stark": "Ada", "lannister": "Bo", "baratheon": "Cy"}
    match = play.open_match("agot", "light", names, seed="browser")
    do(match, LATER)
    stark, lannister = (screen().sit_down(match, house) for house in ("stark", "lannister"))
    watcher = screen().watch(match)
    expect(stark.page.locator(".paper")).to_have_count(0)

    stark.page.goto(f"/t/{match.code}/piece/table")
    expect(stark.page.locator("body")).to_contain_text("What the app tracks", use_inner_text=True)
    with stark.page.expect_navigation():
        stark.press("table keep:full")
    stark.page.goto(f"/t/{match.code}/")
    stark.live()
    assert "Enter what you have on the board" in stark.says(".bar")
    lannister.reaches(standing_version(match))
    for other in (lannister, watcher):
        expect(other.page.locator("#ground")).to_have_count(1)

    enter(stark, "karhold", footman=2, knight=1)
    lannister.reaches(standing_version(match))
    enter(lannister, "riverrun", siege_engine=1)
    stark.reaches(standing_version(match))
    stark.tap("done")
    lannister.reaches(standing_version(match))
    lannister.tap("done")
    stark.reaches(do(match, "baratheon done"))

    g: Any = standing(match)
    karhold, riverrun = g.objectives["karhold"], g.objectives["riverrun"]
    assert (match.mode, g.question.step) == ("full", "planning")
    assert (karhold.house, karhold.footmen, karhold.knights) == ("stark", 2, 1)
    assert (riverrun.house, riverrun.siege_engines) == ("lannister", 1)
    for phone in (stark, lannister):
        phone.reaches(match.version)
        expect(phone.page.locator("#card-karhold")).to_contain_text("2")
    untroubled((stark, lannister), stark.page.url.split("/")[2])
