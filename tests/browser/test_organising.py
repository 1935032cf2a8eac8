"""An organiser leads an event from one phone: opened, filled from a list, drawn, played, closed, ranked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.hall.rules.standings import standings
from tests.browser.driving import BROKEN, Screen
from tests.browser.test_near import TWICE
from tests.browser.test_undo import ASKEW
from tests.hall.halls import ANNA, by_chance, first_table, opened, play_round, scores, state
from tests.pages.test_looks import CROSSWISE, RULES, SMALL, problems

Screens = Callable[..., Screen]

pytestmark = pytest.mark.browser

PLAYERS = "Name;Club\n" + "\n".join(f"Player {n};Club {n % 3}" for n in range(1, 9))


COUNTED = """document.addEventListener("click", (event) => {
  if (event.isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""
"""Counts the clicks of this tab."""

APART = "all => all.map(one => one.firstChild.getBoundingClientRect().top - one.getBoundingClientRect().top)"
"""How far the name of each row is from the edge of its row."""


def open_event(page: Page) -> str:
    """Open an event and come to its organisers' page; its code."""
    page.goto("/e/new?kind=tmg-40")
    page.fill("#name", "Club evening")
    page.tap("form.form button.main")
    page.wait_for_url("**/organise/")
    return page.url.split("/")[-3]


def big_button(screen: Screen, label: str) -> None:
    """Tap the one big button, which says this, and wait for the page after it."""
    screen.page.wait_for_selector(f'.next :is(button, a):text-is("{label}")')
    with screen.page.expect_navigation():
        screen.page.tap(".next .main")


def to(screen: Screen, label: str) -> None:
    """Follow a link on the organisers' page."""
    with screen.page.expect_navigation():
        screen.page.tap(f'.ways a:text-is("{label}")')


def enter_results(screen: Screen) -> None:
    """Enter every table's result: the player with the lower number wins by the difference."""
    while (left := screen.page.locator(".hall-table:not(.done)")).count():
        with screen.page.expect_navigation():
            left.first.tap()
        names = screen.page.locator(".scores legend").all_text_contents()
        numbers = [int(name.split()[1]) for name in names]
        for field, number in zip(screen.page.locator(".scores input[name^=vp]").all(), numbers, strict=True):
            field.fill(str(12 - number))
        with screen.page.expect_navigation():
            screen.page.tap('button:has-text("Enter the result")')


def test_an_event_from_the_first_tap_to_the_standings(
    screen: Callable[..., Screen], transactional_db
) -> None:
    olga = screen()
    page = olga.page
    page.add_init_script(COUNTED)
    page.goto("/")
    page.tap('a:has-text("Organiser quick start")')
    page.tap('main a:has-text("New event")')
    page.fill("#name", "Club evening")
    page.tap('button:text-is("Open the event")')
    page.wait_for_url("**/organise/")
    big_button(olga, "Enter players")
    page.tap('a:has-text("Paste a list")')
    page.fill("#text", PLAYERS)
    page.tap('button:text-is("Check the list")')
    page.tap('button:has-text("Enter 8 players")')
    page.tap('button:has-text("Check everyone in")')
    page.wait_for_selector(".people .here")
    page.tap(".back")
    for number in (1, 2):
        big_button(olga, f"Pair round {number}")
        if number == 1:
            page.wait_for_selector('.next button:text-is("Open round 1")')
            assert page.evaluate("Number(sessionStorage.clicks)") <= 10
            commands.change_settings(olga.page.url.split("/")[-3], ANNA, {"length": 2})
        big_button(olga, f"Open round {number}")
        big_button(olga, "Start the clock")
        enter_results(olga)
        big_button(olga, f"Close round {number}")
    big_button(olga, "Finalise standings")
    page.wait_for_selector('.next h2:text-is("The event is over")')
    state = event_actions.load_rows(Event.objects.get()).state
    ranked = [line.player for line in standings(state)]
    points = {key: 2 * (12 - int(player.name.split()[1])) for key, player in state.players.items()}
    wins = {key: sum(one.winner == key for one in state.pairings.values()) for key in state.players}
    by_hand = sorted(state.players, key=lambda key: (-wins[key], -points[key]))
    assert ranked == by_hand
    assert (ranked[0], wins[ranked[0]]) == ("p1", 2)
    assert olga.faults == []


def test_two_organisers_see_each_other_on_the_same_page(
    screen: Callable[..., Screen], transactional_db
) -> None:
    olga, otto = screen(), screen(viewport={"width": 1440, "height": 900})
    open_event(olga.page)
    here = olga.page.url
    olga.page.goto(f"{here}import")
    olga.page.fill("#text", PLAYERS)
    olga.page.tap('button:text-is("Check the list")')
    olga.page.tap('button:has-text("Enter 8 players")')
    olga.page.tap('button:has-text("Check everyone in")')
    olga.page.wait_for_selector(".people .here")
    olga.page.goto(f"{here}helpers")
    otto.page.goto(olga.page.locator(".address").first.text_content().strip())
    otto.page.tap("button.main")
    otto.page.wait_for_url("**/organise/")
    otto.page.wait_for_selector("#feed[data-link=live]")
    olga.page.goto(here)
    big_button(olga, "Pair round 1")
    otto.page.wait_for_selector('.next button:text-is("Open round 1")')
    expect(otto.page.locator(".hall-table")).to_have_count(4)
    otto.page.goto(here.replace("/organise/", "/wall"))
    otto.page.wait_for_selector("#feed[data-link=live]")
    big_button(olga, "Open round 1")
    otto.page.wait_for_selector('.hall-table .label:text-is("Not begun")')
    assert otto.faults == []


def test_a_tap_on_its_way_meets_no_other_action(screen: Callable[..., Screen], transactional_db) -> None:
    page = screen().page
    code = open_event(page)
    commands.import_table(code, ANNA, PLAYERS)
    commands.check_in_all(code, ANNA)
    page.reload()
    page.wait_for_selector("#feed[data-link=live]")
    shown = "() => (window.told = [...(window.told ?? []), document.querySelector('.next').inert])"
    page.evaluate(f"document.addEventListener('watch:shown', {shown})")
    commands.pair(code, ANNA)
    page.wait_for_selector('.next button:text-is("Open round 1")')
    assert page.evaluate("window.told") == [True]
    page.wait_for_selector(".next:not([inert])")
    commands.announce(code, ANNA, "Lunch")
    page.wait_for_function("() => window.told.length > 1")
    assert page.evaluate("window.told") == [True, False]


def test_a_large_hall_folds_what_is_done_and_keeps_what_is_open_and_focused(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen().page
    code = open_event(page)
    organisers = page.url
    commands.import_table(code, ANNA, "\n".join(f"Player {number}" for number in range(1, 19)))
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    page.goto(organisers)
    expect(page.locator(".hall-table")).to_have_count(9)
    expect(page.locator('.next a:text-is("Pairings")')).to_have_count(1)
    assert page.locator(".round-tables h2").bounding_box()["height"] < 40
    page.tap(".jump")
    assert page.locator(".ways a").first.evaluate("one => one.getBoundingClientRect().top") < 500
    commands.open_round(code, ANNA)
    tables = [one for one in state(code).pairings.values() if not one.is_bye]
    for one in tables[:2]:
        commands.enter_result(code, ANNA, one.key, scores(one, 10, 2))
    page.wait_for_selector('#tables-done summary:text-is("2 tables done")')
    expect(page.locator(".hall-table:not(.done)")).to_have_count(7)
    expect(page.locator(".hall-table.done").first).to_be_hidden()
    page.tap("#tables-done summary")
    high = "all => all.map((one) => one.offsetHeight)"
    assert max(page.locator(".hall-table").evaluate_all(high)) <= 70
    last = page.locator(".hall-table .no:text-is('9')")
    page.focus(".hall-table:has(.no:text-is('9'))")
    commands.call_judge(code, ANNA, tables[7].key, question="Where?")
    page.wait_for_selector(".hall-table.called")
    assert page.locator(".hall-table .no").first.text_content() == str(tables[7].table)
    expect(page.locator(".hall-table.done").first).to_be_visible()
    assert last.evaluate("one => one.parentNode === document.activeElement")


def test_the_form_of_an_event_stands_in_line_and_ends_with_its_button(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen(locale="de-DE").page
    page.goto("/e/new")
    page.tap("details.folded summary")
    name, own = (page.locator(field).bounding_box() for field in ("#name", "#organiser"))
    assert name["y"] == own["y"]
    told = page.locator("form.form :is(input:not([type=hidden]), select, button)")
    assert "main" in told.last.get_attribute("class")


def test_each_player_of_a_list_is_as_high_as_a_thumb(screen: Callable[..., Screen], transactional_db) -> None:
    page = screen().page
    open_event(page)
    page.goto(f"{page.url}import")
    page.fill("#text", "Ada\nBo;Club")
    page.tap('button:text-is("Check the list")')
    page.tap('button:has-text("Enter 2 players")')
    page.tap('button:has-text("Check everyone in")')
    page.wait_for_selector(".people .here")
    heights = page.locator(".people a").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert len(heights) == 2
    assert min(heights) >= 48


def test_a_list_is_read_in_whole_words_and_stands_in_rows(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen(locale="de-DE").page
    open_event(page)
    page.goto(f"{page.url}import")
    names = ("Bartholomew O’Shaughnessy-Smythe", "Maximiliana von Hohenstein-Wartenfels")
    lines = "".join(f"{name};Verein des Tabletopspiels;Night's Watch\n" for name in names)
    page.fill("#text", lines + ";nobody")
    page.tap("form:has(#text) button.main")
    page.wait_for_selector(".wrong li")
    expect(page.locator('button[value="import"]')).to_have_count(0)
    page.fill("#text", lines)
    page.tap("form:has(#text) button.main")
    page.wait_for_selector(".read")
    assert page.locator(".read :is(td, th)").evaluate_all(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.tap("button[value=import]")
    page.wait_for_selector(".people li")
    assert min(page.locator(".people a").evaluate_all(APART)) >= 5


def test_what_is_unfolded_stands_apart_from_its_button(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen().page
    code = open_event(page)
    commands.import_table(code, ANNA, PLAYERS)
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    page.goto(f"/e/{code}/organise/tables/1-1")
    fold = page.locator(".folded").first
    fold.locator("> summary").tap()
    button, words = (fold.locator(one).first.bounding_box() for one in ("> summary", "label"))
    assert words["y"] - button["y"] - button["height"] >= 6


def test_what_undoes_an_entry_of_the_history_stands_beside_it(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen().page
    code = open_event(page)
    commands.import_table(code, ANNA, PLAYERS)
    page.goto(f"/e/{code}/organise/log")
    expect(page.locator(".log li:has(button)")).to_have_count(1)
    assert page.locator(".log li:has(button)").evaluate_all(ASKEW) == []
    left = [one.bounding_box()["x"] for one in page.locator(".log .line").all()]
    assert len(set(left)) == 1


def test_long_names_of_one_table_stand_apart(screen: Callable[..., Screen], transactional_db) -> None:
    page = screen().page
    page.goto("/e/new?kind=board-game")
    page.tap('button:text-is("Open the event")')
    page.wait_for_url("**/organise/")
    code = page.url.split("/")[-3]
    names = (f"Maximiliana Österreicher-Zollern {number}" for number in range(6))
    commands.import_table(code, ANNA, "\n".join(names))
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    page.reload()
    boxes = [one.bounding_box() for one in page.locator(".hall-table .name").all()]
    assert len(boxes) == 6
    assert all(lower["y"] - upper["y"] - upper["height"] >= 4 for upper, lower in pairwise(boxes))


def test_what_two_with_long_names_report_has_room(screen: Callable[..., Screen], transactional_db) -> None:
    page = screen().page
    page.goto("/e/new?kind=tmg-40")
    page.tap('button:text-is("Open the event")')
    page.wait_for_url("**/organise/")
    organisers, code = page.url, page.url.split("/")[-3]
    commands.import_table(code, ANNA, "Maximiliana Freifrau von Hohenstein\nLi")
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = first_table(code)
    for player, points in zip(table.players, ((7, 5), (5, 7)), strict=True):
        claim = scores(table, *points)
        commands.report(code, Actor(player, "Li", "player"), table.key, player, claim)
    page.goto(f"{organisers}tables/{table.key}")
    said = page.locator(".claims dd")
    expect(said).to_have_count(2)
    assert said.evaluate_all(BROKEN) == []


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "zh-CN"])
def test_pages_of_an_organiser_are_read_however_large_their_letters(
    screen: Callable[..., Screen], transactional_db, language: str
) -> None:
    page = screen(locale=language).page
    page.add_init_script(TWICE)
    code = open_event(page)
    organisers = page.url
    commands.import_table(code, ANNA, PLAYERS)
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    for path in ("", "players", "pairings", "tables/1-1", "log", "import", "settings", "helpers", "slips"):
        page.goto(organisers + path)
        assert page.evaluate(CROSSWISE) <= 0, path


def test_every_page_of_an_event_serves_thumbs_and_eyes(
    screen: Callable[..., Screen], transactional_db
) -> None:
    code = opened(8)
    play_round(code, by_chance(1))
    page = screen().page
    for path in ("", "standings", "round/1", "register", "embed"):
        page.goto(f"/e/{code}/{path}")
        small = [one for one in page.evaluate(SMALL) if "Open on Roundtable" not in one or "x44" not in one]
        assert small == [], path
        assert problems(page, {"type": "tag", "values": RULES}) == [], path


def test_every_page_of_an_organiser_serves_thumbs_and_eyes(
    screen: Callable[..., Screen], transactional_db
) -> None:
    page = screen().page
    code = open_event(page)
    organisers = page.url
    commands.import_table(code, ANNA, PLAYERS)
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.call_judge(code, ANNA, first_table(code).key, question="May a unit that retreats claim a token?")
    for path in ("", "players", "pairings", "tables/1-1", "log", "import", "settings", "helpers", "../wall"):
        page.goto(organisers + path)
        assert page.evaluate(SMALL) == [], path
        assert problems(page, {"type": "tag", "values": RULES}) == [], path
