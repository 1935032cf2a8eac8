"""How much of a phone the map keeps, whatever the board game asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.core import engine
from games.match import play
from games.models import Match
from games.systems.agot.pieces import HOUSES
from tests.browser.driving import Screen, at_sizes, do
from tests.browser.test_orders import map_seen
from tests.playing import state_of

pytestmark = pytest.mark.browser

IDLE = ("ready", "placed", "rest", "resolved", "no-march", "none", "same")
"""What each house answers until the Westeros cards."""

DRAWN = ("card:last-days-of-summer", "card:clash-of-kings", "card:wildlings-attack")

CUT = "names => names.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"


def played_to(count: int, step: str) -> Match:
    """A game with the map for this many houses, up to a question of its second round."""
    match = play.open_match("agot", "full", {house: house for house in list(HOUSES)[:count]}, seed="room")
    while (state := state_of(match)).question.step != step or state.round < 2:
        seat = engine.awaited(state)[0]
        offered = [offer.action for offer in engine.offers(state, seat)]
        first = next((one for one in (*IDLE, *DRAWN[len(state.cards) :]) if one in offered), offered[0])
        do(match, f"{seat} {first}:1\n" if first.startswith("bid:") else f"{seat} {first}\n")
    match.refresh_from_db()
    return match


@pytest.mark.parametrize(("count", "step"), [(4, "bid"), (6, "bid")])
@pytest.mark.django_db(transaction=True)
def test_the_map_keeps_its_room(screen: Callable[..., Screen], count: int, step: str) -> None:
    match = played_to(count, step)
    seat = engine.awaited(state_of(match))[0]
    phone = screen().sit_down(match, seat)
    assert map_seen(phone) >= 0.45
    assert phone.page.locator(".score .name").evaluate_all(CUT) == []


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 360, "height": 740}])
@pytest.mark.django_db(transaction=True)
def test_a_wildling_card_is_one_tap_away(screen: Callable[..., Screen], size: dict[str, int]) -> None:
    """The map has nothing to do with it, so all nine lie open beside what is left of the map."""
    match = played_to(4, "wildling-card")
    phone = screen(viewport=size, locale="de").sit_down(match, "stark")
    cards = phone.page.locator(".bar [value^='wildling:']")
    assert [card.is_visible() for card in cards.all()] == [True] * 9
    assert phone.page.locator(".bar").evaluate("one => one.scrollHeight - one.clientHeight") == 0


@pytest.mark.django_db(transaction=True)
def test_on_a_tablet_the_round_is_one_line(screen: Callable[..., Screen]) -> None:
    match = played_to(6, "bid")
    tablet = screen(viewport={"width": 820, "height": 1180}, locale="zh-CN").sit_down(match, "stark")
    who = tablet.page.locator(".cell.round .who")
    expect(who).to_contain_text("第2回合，共10回合", use_inner_text=True)
    high = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    assert who.evaluate(high) < 1.5
    assert tablet.page.locator(".score .name").evaluate_all(CUT) == []


@pytest.mark.django_db(transaction=True)
def test_the_names_of_six_houses_are_whole(screen: Callable[..., Screen]) -> None:
    seen = screen(locale="de").watch(played_to(6, "bid"))
    sizes = ((360, 740), (390, 844), (768, 1024), (820, 1180), (1024, 768), (844, 390))
    for size in at_sizes(seen.page, *sizes):
        assert seen.page.locator(".score .name").evaluate_all(CUT) == [], size
    seen.page.goto(seen.page.url + "watch")
    for size in at_sizes(seen.page, *sizes):
        assert seen.page.locator(".tally .who span").evaluate_all(CUT) == [], size


@pytest.mark.parametrize("count", [3, 6])
@pytest.mark.parametrize("locale", ["en-GB", "de", "zh-CN"])
@pytest.mark.django_db(transaction=True)
def test_a_television_names_every_house_beside_its_map(
    screen: Callable[..., Screen], count: int, locale: str
) -> None:
    page = screen(locale=locale).watch(played_to(count, "bid")).page
    page.goto(page.url + "tv?sheet=map")
    for size in at_sizes(page, (1280, 720), (1920, 1080)):
        assert page.locator(".tally .name").evaluate_all(CUT) == [], size


@pytest.mark.django_db(transaction=True)
def test_a_map_that_comes_later_is_drawn_for_watchers(screen: Callable[..., Screen]) -> None:
    match = play.open_match("agot", "light", {house: house for house in list(HOUSES)[:3]}, seed="later")
    do(match, "stark ready\nlannister ready\nbaratheon ready\n")
    watcher = screen().watch(match).page
    watcher.goto(watcher.url + "watch")
    expect(watcher.locator(".between")).to_have_count(0)
    play.adjust(match.code, "stark", "table", "keep:full", play.new_key())
    watcher.wait_for_selector(".between .row")
    expect(watcher.locator("#ground")).to_have_count(1)
    assert watcher.evaluate("document.querySelector('.view').getBoundingClientRect().height") > 300
    play.adjust(match.code, "stark", "objective/karhold", "footman:karhold-of-stark:1", play.new_key())
    watcher.wait_for_selector(".between title:text-is('Karhold, land, Stark: 1 footman')", state="attached")


@pytest.mark.parametrize("path", ["watch", "tv", "embed"])
@pytest.mark.django_db(transaction=True)
def test_points_are_read_on_the_colour_of_a_house_that_acts(screen: Callable[..., Screen], path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    match = played_to(6, "bid")
    page = screen().watch(match).page
    page.goto(page.url + path)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        rule = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
        found = axe.Axe().run(page, options=rule).response["violations"]
        assert [node["html"] for each in found for node in each["nodes"]] == [], scheme
