"""Watchers' pages in browsers: live, after a restart, without a network, transparent over a picture."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Error as Left
from playwright.sync_api import expect

from games.hall import commands
from games.live.hub import hub
from games.models import Match
from tests.browser.driving import OURS, SET_UP, Screen, do, opened, until
from tests.hall import halls
from tests.hall.halls import ANNA
from tests.serving import Served

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
PATIENT = 40_000
"""Milliseconds that a slow machine may need for a second's work; tests wait for a state, never for a time."""


def shows(screen: Screen, version: int) -> None:
    screen.page.wait_for_selector(f"#region[data-version='{version}']", state="attached", timeout=PATIENT)


def says(screen: Screen, state: str) -> None:
    screen.page.wait_for_selector(f"#feed[data-link={state}]", state="attached", timeout=PATIENT)


def at(screen: Screen, match: Match, page: str) -> Screen:
    screen.page.goto(f"/t/{match.code}/{page}")
    says(screen, "live")
    return screen


def holds(screen: Screen, expression: str) -> None:
    """Wait until this holds; the page's own policy forbids the browser to evaluate it for us."""
    for _tenth in range(PATIENT // 100):
        # A page that is just being left has nobody to answer.
        with suppress(Left):
            if screen.page.evaluate(expression):
                return
        screen.page.wait_for_timeout(100)
    raise AssertionError(expression)


def loaded(screen: Screen) -> float:
    return screen.page.evaluate("loadedAt")


def test_a_watcher_sees_a_tap_and_the_time_that_counts(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = at(screen(), match, "watch")
    version = do(match, 'red activate:arya-stark\nred army/red points:red:2 "a card"')
    shows(eye, version)
    expect(eye.page.locator("[data-seat=red] .points b").first).to_have_text("2", use_inner_text=True)
    expect(eye.page.locator("[data-seat=red].changed")).to_have_count(1)
    expect(eye.page.locator("[data-seat=blue].changed")).to_have_count(0)
    counted = "document.querySelector('.since').textContent.match(/^\\d+:\\d\\d$/)"
    holds(eye, counted)
    before = eye.page.inner_text(".since")
    holds(eye, f"document.querySelector('.since').textContent !== '{before}'")
    assert eye.page.inner_text("#said") == eye.page.get_attribute("#region", "data-news")
    assert eye.faults == []


def test_the_time_is_the_servers(screen: Screens) -> None:
    """A watcher whose clock is an hour fast does not add an hour."""
    match = opened(SET_UP)
    eye = screen()
    eye.page.add_init_script("{ const real = Date.now; Date.now = () => real() + 3600e3; }")
    at(eye, match, "watch")
    holds(eye, "document.querySelector('.since').textContent.match(/^\\d+:\\d\\d$/)")
    assert int(eye.page.inner_text(".since").split(":")[0]) < 60


@pytest.mark.parametrize("hours", [1, -1])
def test_a_television_whose_clock_is_set_asks_for_the_time(screen: Screens, hours: int) -> None:
    match = opened(SET_UP)
    eye = at(screen(), match, "tv")
    before = loaded(eye)
    sets_its_clock(eye, hours)
    holds(eye, "document.querySelector('.since').textContent.match(/^[0-5]?\\d:[0-5]\\d$/)")
    holds(eye, "document.querySelector('.since').textContent > '0:00'")
    says(eye, "live")
    assert loaded(eye) == before


@pytest.mark.parametrize("hours", [2, -2])
def test_an_events_television_whose_clock_is_set_asks_for_the_time(screen: Screens, hours: int) -> None:
    code = halls.opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.start_clock(code, ANNA)
    eye = screen()
    eye.page.goto(f"/e/{code}/tv")
    says(eye, "live")
    said = eye.says(".hallclock")
    sets_its_clock(eye, hours)
    minutes = "document.querySelector('.hallclock b').textContent.split(':')[0]"
    was = said.split(":")[0].split()[-1]
    holds(eye, f"Math.abs({minutes} - {was}) < 2")


def test_a_television_that_was_tapped_turns_again_though_its_clock_is_set_back(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen(viewport={"width": 1920, "height": 1080})
    eye.page.clock.install()
    eye.page.goto(f"/t/{match.code}/tv?turn=30")
    eye.page.wait_for_selector("[data-sheet=score]:not([hidden])")
    eye.page.click("#region", position={"x": 2, "y": 2})
    eye.page.wait_for_selector("[data-sheet=sides]:not([hidden])")
    sets_its_clock(eye, -24)
    eye.page.clock.run_for(95_000)
    expect(eye.page.locator("[data-sheet=sides]:not([hidden])")).to_have_count(0)


def sets_its_clock(eye: Screen, hours: int) -> None:
    """Set the clock of a device, and wait until its page has ticked once."""
    eye.page.evaluate(f"{{ const real = Date.now; Date.now = () => real() + {hours} * 3600e3; }}")
    eye.page.wait_for_timeout(600)


def test_a_server_that_starts_again_is_found_again(screen: Screens, served: Served) -> None:
    match = opened(SET_UP)
    eyes = [at(screen(base_url=served.url), match, page) for page in ("watch", "tv", "overlay")]
    served.stop()
    for eye in eyes:
        says(eye, "off")
    version = do(match, "red activate:arya-stark")
    served.start()
    for eye in eyes:
        shows(eye, version)
        says(eye, "live")


def ended(route) -> None:  # type: ignore[no-untyped-def]
    """The server's word that a page's program is gone."""
    route.fulfill(status=410, headers=OURS)


def test_a_page_of_another_program_loads_itself_again(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen()
    eye.page.route("**/live/**", lambda route: route.abort(), times=1)
    eye.page.route("**/watch/stream?*", ended, times=1)
    eye.page.add_init_script("sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1")
    eye.page.goto(f"/t/{match.code}/tv")
    holds(eye, "sessionStorage.loads === '2'")
    says(eye, "live")


def test_a_page_that_works_is_never_left_for_one_that_cannot_be_had(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen()
    asked: list[str] = []
    eye.page.goto(f"/t/{match.code}/tv")
    first = loaded(eye)
    eye.page.route(f"**/t/{match.code}/tv", lambda route: (asked.append(""), route.abort()))
    eye.page.route("**/watch/stream?*", ended)
    eye.page.route("**/live/**", lambda route: route.abort())
    eye.page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: len(asked) >= 2, PATIENT / 1000, screen=eye)
    assert loaded(eye) == first
    expect(eye.page.locator("#region")).to_have_count(1)


def test_without_a_stream_a_page_asks_every_few_seconds(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen()
    eye.page.route("**/live/**", lambda route: route.abort())
    eye.page.goto(f"/t/{match.code}/watch")
    says(eye, "slow")
    shows(eye, do(match, "red activate:arya-stark"))


def test_a_television_turns_its_sheets_and_news_do_not_turn_them_back(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen(viewport={"width": 1920, "height": 1080})
    eye.page.goto(f"/t/{match.code}/tv?turn=3")
    eye.page.wait_for_selector("[data-sheet=score]:not([hidden])")
    eye.page.wait_for_selector("[data-sheet=sides]:not([hidden])", timeout=PATIENT)
    eye.page.evaluate("for (let id = 1; id < 1000; id++) clearInterval(id)")
    shows(eye, do(match, "red activate:arya-stark"))
    expect(eye.page.locator("[data-sheet]:not([hidden])")).to_have_count(1)
    expect(eye.page.locator(".dots li.here")).to_have_count(1)
    assert eye.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_television_with_several_tables_asks_for_news(screen: Screens) -> None:
    matches = [opened(SET_UP), opened(SET_UP)]
    eye = screen(viewport={"width": 1920, "height": 1080})
    eye.page.goto("/tv?tables=" + ",".join(match.code for match in matches))
    version = do(matches[1], "red activate:arya-stark")
    eye.page.wait_for_selector(f"#region[data-version$='-{version}']", state="attached", timeout=PATIENT)


def test_a_table_that_is_deleted_leaves_a_sentence_and_comes_back(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen()
    eye.page.clock.install()
    at(eye, match, "tv")
    code = match.code
    Match.objects.filter(pk=match.pk).update(code="GONEAB")
    hub.end(code)
    eye.page.wait_for_selector("#wait", timeout=PATIENT)
    Match.objects.filter(pk=match.pk).update(code=code)
    # It asks every minute; this minute passes at once.
    eye.page.clock.fast_forward(60_000)
    eye.page.wait_for_selector("#region", state="attached", timeout=PATIENT)


# --- over a picture --------------------------------------------------------------------------------------


def picture(screen: Screen) -> Image.Image:
    return Image.open(io.BytesIO(screen.page.screenshot(omit_background=True))).convert("RGBA")


def panel(image: Image.Image) -> tuple[int, int, int, int]:
    found = image.getchannel("A").getbbox()
    assert found is not None
    return found


def overlay(screen: Screens, match: Match, query: str = "", **options: Any) -> Screen:
    size = {"viewport": {"width": 1920, "height": 1080}, **options}
    return at(screen(**size), match, f"overlay{query}")


def test_an_overlay_paints_nothing_but_its_panel(screen: Screens) -> None:
    image = picture(overlay(screen, opened(SET_UP), color_scheme="dark"))
    left, top, right, bottom = panel(image)
    assert image.size == (1920, 1080)
    assert 960 - left == pytest.approx(right - 960, abs=2), "in the middle"
    assert 1080 - bottom == pytest.approx(38, abs=2), "two percent from the edge"
    assert bottom - top < 150
    clear = image.getchannel("A").histogram()[0]
    assert clear > 0.93 * 1920 * 1080


@pytest.mark.parametrize(
    ("place", "corner"),
    [
        ("top-left", (38, 38)),
        ("top-right", (1882, 38)),
        ("bottom-left", (38, 1042)),
        ("bottom-right", (1882, 1042)),
    ],
)
def test_an_overlay_stands_where_its_address_says(
    screen: Screens, place: str, corner: tuple[int, int]
) -> None:
    left, top, right, bottom = panel(picture(overlay(screen, opened(SET_UP), f"?place={place}")))
    found = (left if "left" in place else right, top if "top" in place else bottom)
    assert found == pytest.approx(corner, abs=2)


def test_an_overlay_is_as_large_as_its_address_says(screen: Screens) -> None:
    match = opened(SET_UP)
    widths = [
        right - left
        for left, _top, right, _bottom in (
            panel(picture(overlay(screen, match, f"?size={size}"))) for size in (50, 100, 150)
        )
    ]
    assert widths[0] < 0.6 * widths[1]
    assert widths[2] > 1.4 * widths[1]


def test_an_overlay_has_the_colours_of_its_address(screen: Screens) -> None:
    image = picture(overlay(screen, opened(SET_UP), "?ground=00ff00&veil=100&shape=column&show=score"))
    colours = {colour for _count, colour in image.getcolors(1920 * 1080) or ()}
    assert (0, 255, 0, 255) in colours
    assert max(panel(image)[2] - panel(image)[0], 1) < 600


def test_an_overlay_lets_the_picture_through(screen: Screens) -> None:
    image = picture(overlay(screen, opened(SET_UP), "?ground=000000&veil=50&shape=column"))
    alphas = {alpha for _count, alpha in image.getchannel("A").getcolors() or ()}
    assert any(120 <= alpha <= 135 for alpha in alphas)


def test_an_address_is_copied_by_a_tap(screen: Screens) -> None:
    match = opened(SET_UP)
    eye = screen()
    eye.page.goto(f"/t/{match.code}/elsewhere")
    button = eye.page.locator("[data-copied]").first
    before = button.inner_text()
    button.click()
    holds(eye, f"document.querySelector('[data-copied]').innerText !== {before!r}")
    assert eye.faults == []
