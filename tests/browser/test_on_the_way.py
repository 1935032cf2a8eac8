"""Something between phone and table answers instead: a hall's log-in page, a proxy without its server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.live.hub import hub
from tests.browser.driving import SET_UP, Screen, do, opened, outdate_streams, until
from tests.browser.test_joining import asks, code_of, guest, host, is_seated
from tests.browser.test_queue import STRIKE, back, counts, struck

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

LOG_IN = "<!doctype html><title>Hall</title><h1>Welcome</h1><form method=post><button>Accept</button></form>"


def spoken_for(phone: Screen, status: int) -> None:
    """From now on something else answers all that this phone asks; it asks for news within half a second."""

    def answer(route) -> None:  # type: ignore[no-untyped-def]
        route.fulfill(status=status, body=LOG_IN, content_type="text/html")

    phone.page.route("**/*", answer)
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def spoken_to(phone: Screen) -> None:
    """From now on the table itself answers again."""
    phone.page.unroute("**/*")


@pytest.mark.parametrize("status", [200, 404])
def test_a_tap_that_waits_has_not_arrived(screen: Screens, status: int) -> None:
    match, phone = struck(screen, 1)
    spoken_for(phone, status)
    back(phone)
    phone.page.wait_for_selector("#link[data-link=off]")
    phone.page.tap("[data-unsent=retry]")
    phone.page.wait_for_timeout(500)
    counts(phone, "1 tap waiting")
    expect(phone.page.locator("#board")).to_have_count(1)
    spoken_to(phone)
    phone.reaches(match.version + 1, 10)
    phone.page.wait_for_selector("#unsent", state="hidden")
    assert phone.says("#card-lannister-crossbowmen .left") == "11/12"
    assert match.entries.filter(action=STRIKE.split()[1]).count() == 1


def test_a_tap_that_somebody_else_forbids_waits(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    loaded = phone.page.evaluate("loadedAt")
    spoken_for(phone, 403)
    phone.press("activate:crannogman-trackers")
    counts(phone, "1 tap waiting")
    spoken_to(phone)
    phone.reaches(match.version + 1, 10)
    assert phone.page.evaluate("loadedAt") == loaded
    assert phone.state == "wait"


@pytest.mark.parametrize(("way", "status"), [("", 404), ("watch", 200), ("tv", 404)])
def test_a_page_of_the_table_stays(screen: Screens, way: str, status: int) -> None:
    match = opened(SET_UP)
    watcher, shown = screen(), "#region" if way else "#board"
    watcher.page.goto(f"/t/{match.code}/{way}")
    sign = "#feed" if way else "#link"
    watcher.page.wait_for_selector(f"{sign}[data-link=live]", state="attached")
    loaded = watcher.page.evaluate("loadedAt")
    spoken_for(watcher, status)
    watcher.page.wait_for_selector(f"{sign}[data-link=off]", state="attached")
    spoken_to(watcher)
    version = do(match, "red activate:crannogman-trackers")
    watcher.page.wait_for_selector(f"{shown}[data-version='{version}']", state="attached")
    assert watcher.page.evaluate("loadedAt") == loaded


@pytest.mark.parametrize(("way", "sign", "shown"), [("", "#link", "#board"), ("watch", "#feed", "#region")])
def test_a_page_stays_where_something_else_answers_for_its_stream(
    screen: Screens, monkeypatch: pytest.MonkeyPatch, way: str, sign: str, shown: str
) -> None:
    match, phone, asked = opened(SET_UP), screen(), []

    def answer(route) -> None:  # type: ignore[no-untyped-def]
        asked.append(route.request.url)
        route.fulfill(status=410, body=LOG_IN, content_type="text/html")

    phone.sit_down(match, "red").page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector(f"{sign}[data-link=live]", state="attached")
    loaded = phone.page.evaluate("loadedAt")
    phone.page.route("**/stream?*", answer)
    outdate_streams(monkeypatch)
    until(lambda: asked, screen=phone)
    phone.page.wait_for_timeout(500)
    phone.page.unroute("**/stream?*")
    monkeypatch.setattr(hub, "started", 0)
    version = do(match, "red activate:crannogman-trackers")
    phone.page.wait_for_selector(f"{shown}[data-version='{version}']", state="attached")
    assert phone.page.evaluate("loadedAt") == loaded


def test_details_of_a_unit_are_not_sought_elsewhere(screen: Screens) -> None:
    phone = screen().sit_down(opened(SET_UP), "red")
    spoken_for(phone, 200)
    phone.page.tap(".side.mine .cards .pencil >> nth=0")
    counts(phone, "Not sent")
    assert phone.says("#unsent li").endswith("Open this again when you are connected.")
    expect(phone.page.locator("#board")).to_have_count(1)


def test_who_waits_for_a_seat_goes_on_waiting(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    asks(blue, code_of(red), "Bo")
    spoken_for(blue, 502)
    blue.page.wait_for_timeout(1500)
    expect(blue.page.locator("[data-waiting]")).to_have_count(1)
    spoken_to(blue)
    red.page.tap("button[name=let_in]")
    until(lambda: is_seated(blue), screen=blue)


def test_details_of_a_unit_that_never_come_are_given_up(screen: Screens) -> None:
    phone = screen().sit_down(opened(SET_UP), "red")
    phone.page.route("**/piece/**", lambda _route: None)
    phone.page.tap(".side.mine .cards .pencil >> nth=0")
    counts(phone, "Not sent")
    assert phone.says("#unsent li").endswith("Open this again when you are connected.")
    expect(phone.page.locator(".pencil[data-pending]")).to_have_count(0)


def test_who_waits_for_a_seat_asks_again_where_no_answer_comes(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    blue.page.route("**/live/**", lambda route: route.abort())
    asks(blue, code_of(red), "Bo")
    held: list[Any] = []
    blue.page.route("**/join", lambda route: route.continue_() if held else held.append(route))
    until(lambda: held, screen=blue)
    red.page.tap("button[name=let_in]")
    until(lambda: is_seated(blue), screen=blue)


@pytest.mark.parametrize(
    ("way", "script"), [("", "vendor/htmx"), ("", "+site/client"), ("watch", "+site/client")]
)
def test_a_script_that_is_lost_on_its_way_is_fetched_again(screen: Screens, way: str, script: str) -> None:
    match = opened(SET_UP)
    watcher = screen()
    watcher.page.route(f"**/static/{script}*", lambda route: route.abort(), times=2)
    watcher.page.goto(f"/t/{match.code}/{way}")
    watcher.page.wait_for_selector("[data-link=live]", state="attached")
    version = do(match, "red activate:crannogman-trackers")
    watcher.page.wait_for_selector(f"[data-version='{version}']", state="attached")


def test_a_board_that_never_comes_holds_up_no_other(screen: Screens) -> None:
    match = opened(SET_UP)
    watcher = screen()
    given_up: list[str] = []
    watcher.page.on("requestfailed", lambda one: "/board?" in one.url and given_up.append(one.url))
    watcher.page.route("**/live/**", lambda route: route.abort())
    watcher.page.route("**/board?*", lambda _route: None)
    watcher.page.goto(f"/t/{match.code}/")
    until(lambda: given_up, 16, screen=watcher)


def test_a_page_that_was_cut_on_its_way_has_buttons_that_work(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")

    def cut(route) -> None:  # type: ignore[no-untyped-def]
        whole = route.fetch()
        route.fulfill(response=whole, body=whole.text().partition("</main>")[0])

    phone.page.route(f"**/t/{match.code}/", cut)
    phone.page.route("**/live/**", lambda route: route.abort())
    phone.page.reload()
    phone.tap(phone.offers[0])
    match.refresh_from_db()
    assert match.version == phone.version
