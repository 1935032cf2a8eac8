"""Replay with thumbs and keys: the slider, the links, playing, and the same as pages without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from games.management.commands.plant import planted, seeds
from games.match import storage
from games.models import Match
from games.pages.records import history_pages
from tests.browser.driving import SET_UP, Screen, at_sizes, opened, until
from tests.browser.test_fallen_silent import HASTY

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


@pytest.fixture
def match(server: Any) -> Match:
    """The finished demo match."""
    return planted(next(path for path in seeds("tmg") if "finished" in path.stem))


@pytest.fixture
def replay(match: Match, screen: Screens) -> Screen:
    """A phone at its fortieth entry."""
    found = screen()
    found.page.goto(f"/t/{match.code}/replay/40")
    found.page.wait_for_selector("html.js")
    return found


def settled(replay: Screen, version: int) -> None:
    """Wait until an entry is shown everywhere: on the board, at the slider, in the address."""
    replay.reaches(version)
    until(lambda: spoken(replay) == replay.page.get_attribute("#board", "data-words"), screen=replay)
    assert replay.page.input_value("#at") == str(version)
    assert re.search(rf"/replay/{version}(\?|$)", replay.page.url)


def spoken(replay: Screen) -> str:
    """What a screen reader says about the slider."""
    return replay.page.get_attribute("#at", "aria-valuetext")


def test_the_ways_lead_on_and_back_without_loading_a_page(replay: Screen, match: Match) -> None:
    loaded = replay.page.evaluate("window.loadedAt")
    for way, version in (("onward", 41), ("back", 40), ("first", 1), ("last", match.version)):
        replay.page.tap(f"#way-{way}")
        settled(replay, version)
    assert replay.page.get_attribute("#way-last", "aria-disabled") == "true"
    assert replay.says("#said") == replay.page.get_attribute("#board", "data-words")
    assert replay.page.evaluate("window.loadedAt") == loaded
    replay.page.reload()
    assert replay.version == match.version
    assert replay.faults == []


def test_the_slider_goes_through_all_entries_with_keys(replay: Screen, match: Match) -> None:
    replay.page.focus("#at")
    for key, version in (
        ("ArrowRight", 41),
        ("ArrowLeft", 40),
        ("Home", 1),
        ("End", match.version),
        ("ArrowDown", match.version - 1),
    ):
        replay.page.keyboard.press(key)
        settled(replay, version)
        assert f"entry {version} of {match.version}" in spoken(replay)


def test_a_thumb_that_slides_is_followed_to_where_it_stops(replay: Screen) -> None:
    for version in (50, 60, 75, 90):
        replay.page.eval_on_selector(
            "#at", "(one, n) => { one.value = n; one.dispatchEvent(new Event('input')); }", version
        )
    settled(replay, 90)
    assert set(replay.versions()) <= {40, 50, 60, 75, 90}


def test_keys_work_wherever_nothing_else_takes_them(replay: Screen) -> None:
    replay.page.keyboard.press("ArrowRight")
    settled(replay, 41)
    replay.page.focus("select[name=by]")
    replay.page.keyboard.press("Home")
    replay.page.focus("#way-back")
    replay.page.keyboard.press("ArrowLeft")
    settled(replay, 40)


def test_it_plays_by_itself_until_it_is_paused_or_over(replay: Screen, match: Match) -> None:
    replay.page.select_option("select[name=speed]", "250")
    replay.page.keyboard.press("Space")
    replay.page.wait_for_selector("html.runs")
    until(lambda: replay.version > 43, 20, screen=replay)
    replay.page.tap("#play")
    replay.page.wait_for_selector("html:not(.runs)")
    shown = [version for version in replay.versions() if version >= 40]
    assert shown == list(range(40, shown[-1] + 1))
    replay.page.goto(f"/t/{match.code}/replay/{match.version - 2}")
    replay.page.select_option("select[name=speed]", "250")
    replay.page.tap("#play")
    replay.reaches(match.version, 20)
    replay.page.wait_for_selector("html:not(.runs)")


def test_a_step_goes_by_what_was_chosen(replay: Screen, match: Match) -> None:
    outline = storage.outline(match)
    rounds = [one.version for last, one in pairwise(outline) if one.round > last.round]
    replay.page.select_option("select[name=by]", "round")
    replay.page.wait_for_url("**/replay/40?by=round")
    following = next(version for version in rounds if version > 40)
    until(lambda: replay.page.get_attribute("#way-onward", "data-at") == str(following), screen=replay)
    replay.page.tap("#way-onward")
    settled(replay, following)
    blue = next(one.version for one in outline[following:] if one.seat == "blue")
    replay.page.select_option("select[name=by]", "blue")
    until(lambda: replay.page.get_attribute("#way-onward", "data-at") == str(blue), screen=replay)


def test_nothing_on_the_board_can_be_tapped_for_whoever_plays(match: Match, screen: Screens) -> None:
    phone = screen().sit_down(match, "red")
    phone.page.goto(f"/t/{match.code}/replay/60")
    buttons = phone.page.locator(".sides button")
    assert all(buttons.nth(n).is_disabled() for n in range(buttons.count()))
    expect(phone.page.locator("a[data-eyes]")).to_have_count(2)


def test_without_scripts_every_moment_is_a_page(match: Match, screen: Screens) -> None:
    plain = screen(java_script_enabled=False)
    plain.page.goto(f"/t/{match.code}/replay/40")
    plain.page.tap("#way-onward")
    plain.page.wait_for_url("**/replay/41")
    plain.page.select_option("select[name=by]", "points")
    plain.page.tap(".show")
    plain.page.wait_for_url("**/replay/41?by=points")
    points = plain.page.get_attribute("#way-onward", "data-at")
    plain.page.tap("#way-onward")
    plain.page.wait_for_url(f"**/replay/{points}?by=points")
    assert plain.version == int(points) > 42
    expect(plain.page.locator("#play")).to_be_hidden()
    plain.page.tap(".practice")
    plain.page.wait_for_url(lambda url: "/replay/" not in url)
    assert "Practice" in plain.says("h1")


def test_a_lost_connection_is_said_and_the_shown_moment_stays(replay: Screen) -> None:
    replay.page.context.set_offline(True)
    replay.page.tap("#way-onward")
    until(lambda: replay.says("#said") == "No connection", screen=replay)
    assert replay.version == 40
    assert replay.page.input_value("#at") == "40"
    replay.page.context.set_offline(False)
    replay.page.tap("#way-onward")
    settled(replay, 41)


@pytest.mark.parametrize("status", [200, 502])
def test_what_somebody_on_the_way_answers_is_no_moment(replay: Screen, status: int) -> None:
    replay.page.route("**/replay/41*", lambda route: route.fulfill(status=status, body="<h1>Welcome</h1>"))
    replay.page.tap("#way-onward")
    until(lambda: replay.says("#said") == "No connection", screen=replay)
    assert replay.version == 40


def test_a_moment_that_never_comes_is_given_up(match: Match, screen: Screens) -> None:
    replay = screen()
    replay.page.add_init_script(HASTY)
    replay.page.goto(f"/t/{match.code}/replay/40")
    replay.page.wait_for_selector("html.js")
    replay.page.route("**/replay/41*", lambda _route: None)
    replay.page.tap("#way-onward")
    until(lambda: replay.says("#said") == "No connection", screen=replay)
    replay.page.tap("#way-back")
    settled(replay, 39)


def test_the_controls_are_in_sight_on_every_screen(replay: Screen) -> None:
    clipped = "one => one.scrollWidth > one.clientWidth + 1"
    sizes = ((360, 740), (390, 844), (844, 390), (820, 1180), (1440, 900))
    for width, height in at_sizes(replay.page, *sizes):
        for control in ("#way-first", "#play", "#way-last", "#at", "select[name=by]", ".practice"):
            box = replay.page.locator(control).bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= width - box["width"], (control, width)
            assert 0 <= box["y"] <= height - box["height"], (control, width)
        assert replay.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
        assert not replay.page.eval_on_selector("#play", clipped), width


def test_an_address_that_may_not_be_copied_is_selected(replay: Screen) -> None:
    replay.page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error()))")
    replay.page.tap("#link-here")
    address = replay.page.locator("#link-here").evaluate("(link) => link.href")
    until(lambda: replay.page.evaluate("String(getSelection())") == address, screen=replay)
    assert replay.says("#said").startswith("Your browser blocked copying.")
    expect(replay.page.locator(".told b", has_text=address)).to_be_visible()
    replay.page.tap("#way-onward")
    settled(replay, 41)
    expect(replay.page.locator(".copied")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "de", "zh-CN"])
def test_what_is_chosen_is_read_whole(match: Match, screen: Screens, language: str) -> None:
    page = screen(locale=language).page
    page.goto(f"/t/{match.code}/replay/40")
    hidden = page.eval_on_selector_all(
        ".choices select",
        """all => all.map(one => {
          const shown = one.offsetWidth;
          one.style.maxInlineSize = "none";
          return one.offsetWidth - shown;
        })""",
    )
    assert hidden == [0, 0]


SHADE = """one => {
  const { backgroundAttachment, backgroundImage } = getComputedStyle(one);
  return [backgroundAttachment, backgroundImage.split("linear-gradient").length - 1];
}"""


def test_an_entry_that_goes_on_below_shows_it_and_is_whole_where_there_is_room(screen: Screens) -> None:
    match, page = opened(SET_UP), screen().page
    page.goto(f"/t/{match.code}/replay/{match.version}")
    told = page.locator(".told")
    longer = "one => one.scrollHeight > one.clientHeight + 1"
    for size in at_sizes(page, (390, 844), (844, 390)):
        assert told.evaluate(longer), size
        # The shade at the edge stays, and what covers it comes with the end of the text.
        assert told.evaluate(SHADE) == ["local, scroll", 2], size
    for size in at_sizes(page, (820, 1180), (1440, 900)):
        assert not told.evaluate(longer), size


def test_a_bare_link_to_an_entry_of_a_long_history_leads_there(
    match: Match, screen: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the newest entries are on the first page, and the server never sees what follows "#"."""
    monkeypatch.setattr(history_pages, "AT_ONCE", 20)
    page = screen().page
    page.goto(f"/t/{match.code}/history?seat=red#v57")
    page.wait_for_selector("#v57:target")
    assert page.url.endswith("/history?seat=red&upto=57#v57")
    page.evaluate("location.hash = 'v7'")
    page.wait_for_selector("#v7:target")
    page.goto(f"/t/{match.code}/history#v99999")
    page.wait_for_url("**?upto=99999#v99999")
    page.wait_for_selector(f"#v{match.version}")
