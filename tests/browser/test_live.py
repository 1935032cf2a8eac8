"""News reaches every screen, through sleep, lost connections and a server that restarts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import override_settings
from playwright.sync_api import Route, expect

from games.live.hub import hub
from games.web.program import program
from tests.browser.driving import OURS, SET_UP, Screen, do, opened, outdate_streams, until
from tests.serving import Served

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def sign(screen: Screen) -> str:
    """What the screen says about its connection: "live", "slow" or "off"."""
    return screen.page.get_attribute("#link", "data-link")


def first_offer(screen: Screen) -> str:
    return next(offer for offer in screen.offers if offer.startswith("activate:"))


def test_a_phone_that_slept_is_right_when_it_wakes(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    devtools = phone.page.context.new_cdp_session(phone.page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    version = do(match, "red activate:crannogman-trackers\nblue activate:gregor-clegane")
    time.sleep(1)
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    phone.reaches(version)


def test_a_phone_whose_stream_died_in_its_sleep_asks_when_it_wakes(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(SLEEPER)
    phone.sit_down(match, "red")
    phone.page.evaluate("sleep()")
    phone.page.context.set_offline(True)
    version = do(match, "red activate:crannogman-trackers\nblue activate:gregor-clegane")
    phone.page.wait_for_timeout(1500)
    assert phone.version < version
    phone.page.context.set_offline(False)
    phone.page.evaluate("wake()")
    phone.reaches(version)


SLEEPER = """
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  const Real = EventSource;
  const open = new Set();
  EventSource = class extends Real { constructor(url) { super(url); open.add(this); } };
  window.sleep = () => { hidden = true; open.forEach((one) => one.close()); };
  window.wake = () => { hidden = false; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""A page that the phone puts to sleep: it is hidden, and its stream is gone without notice."""


def test_a_silent_server_is_named_within_five_seconds_and_found_again(
    screen: Screens, served: Served
) -> None:
    match = opened(SET_UP)
    phone = screen(base_url=served.url)
    phone.page.clock.install()
    phone.sit_down(match, "red")
    served.send(signal.SIGSTOP)
    # By the phone's own clock, which only advances when told to.
    phone.page.clock.pause_at(phone.page.evaluate("Date.now() / 1000 + 0.5"))
    phone.page.clock.run_for(5000)
    assert sign(phone) == "off"
    assert phone.says("#link") == "No connection"
    phone.page.clock.resume()
    served.send(signal.SIGCONT)
    phone.live()
    version = phone.tap(first_offer(phone))
    assert phone.versions()[-1] == version


@pytest.mark.parametrize("way", ["", "watch"])
def test_a_clock_that_is_set_back_hides_no_silence(screen: Screens, way: str) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector("[data-link=live]", state="attached")
    phone.page.evaluate("const now = Date.now; Date.now = () => now() - 7_200_000")
    phone.page.route("**/*", lambda route: route.abort())
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.page.wait_for_selector("[data-link=off]", state="attached")
    version = do(match, "red activate:crannogman-trackers")
    phone.page.unroute("**/*")
    phone.page.wait_for_selector(f"[data-version='{version}']", state="attached", timeout=6000)
    phone.page.wait_for_selector("[data-link=live]", state="attached")


def test_a_server_that_starts_again_loses_nothing(screen: Screens, served: Served) -> None:
    match = opened(SET_UP)
    red = screen(base_url=served.url).sit_down(match, "red")
    blue = screen(base_url=served.url).sit_down(match, "blue")
    version = red.tap(first_offer(red))
    blue.reaches(version)
    served.stop()
    for phone in (red, blue):
        until(lambda phone=phone: sign(phone) == "off", screen=phone)
        assert phone.version == version
    served.start()
    for phone in (red, blue):
        phone.page.wait_for_selector("#link[data-link=live]")
    version = blue.tap(first_offer(blue))
    red.reaches(version)
    assert red.state == "ask"


def test_pages_of_an_earlier_program_are_loaded_again(screen: Screens) -> None:
    match = opened(SET_UP)
    player, watcher = screen().sit_down(match, "red"), screen().watch(match)
    for phone in (player, watcher):
        phone.page.evaluate("document.documentElement.dataset.old = 1")
    program.cache_clear()
    try:
        with override_settings(VERSION="99"):
            hub.start_over()
            for phone in (player, watcher):
                phone.page.wait_for_selector("html:not([data-old])", state="attached")
                phone.live()
            version = player.tap(first_offer(player))
            watcher.reaches(version)
    finally:
        program.cache_clear()


def test_what_somebody_is_typing_survives_the_news(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    phone.page.tap(".side.mine .cards .pencil >> nth=0")
    phone.page.wait_for_selector("#sheet[open]")
    phone.page.focus("#sheet #reason")
    phone.page.keyboard.type("we counted")
    version = do(match, "red activate:crannogman-trackers\nblue activate:gregor-clegane")
    phone.reaches(version)
    phone.page.keyboard.type(" again")
    assert phone.page.input_value("#sheet #reason") == "we counted again"
    phone.page.tap("#sheet button[name=change][value$=':-1']")
    phone.reaches(version + 1)
    assert match.entries.last().note == "we counted again"


def test_a_panel_that_was_scrolled_stays_where_it_was(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen(viewport={"width": 390, "height": 640}).sit_down(match, "red")
    phone.page.evaluate("document.querySelector('.side.mine').scrollTop = 150")
    version = do(match, "red unit/gregor-clegane wounds:gregor-clegane:-1")
    phone.reaches(version)
    assert phone.page.evaluate("document.querySelector('.side.mine').scrollTop") == 150


def test_a_phone_without_a_stream_asks_every_few_seconds(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.route("**/live/**", lambda route: route.abort())
    phone.page.goto(f"/t/{match.code}/")
    until(lambda: sign(phone) == "slow", 8, screen=phone)
    assert phone.says("#link") == "Updates every few seconds"
    version = do(match, "red activate:crannogman-trackers")
    phone.reaches(version, 6)


def test_an_older_board_never_replaces_a_newer_one(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    held = []
    phone.page.route("**/act", lambda route: held.append((route, route.fetch())))
    before = phone.version
    phone.press(first_offer(phone))
    until(lambda: held, screen=phone)
    version = do(match, "blue activate:gregor-clegane")
    phone.reaches(version)
    route, late = held[0]
    assert f'data-version="{before + 1}"' in late.text()
    route.fulfill(response=late)
    phone.page.wait_for_timeout(500)
    assert phone.version == version
    assert phone.versions() == sorted(phone.versions())
    expect(phone.page.locator("[data-pending]")).to_have_count(0)
    assert phone.state == "ask"


def test_a_server_with_open_streams_ends(screen: Screens, served: Served) -> None:
    match = opened(SET_UP)
    screens = [screen(base_url=served.url).watch(match) for _each in range(3)]
    assert all(sign(each) == "live" for each in screens)
    served.stop()


def test_a_long_game_comes_compressed_and_whole(screen: Screens) -> None:
    match = opened(SET_UP)
    phone, watcher = screen(), screen()
    packed = []
    for each in (phone, watcher):
        each.page.on(
            "response",
            lambda answer: "/live/" in answer.url and packed.append(answer.header_value("content-encoding")),
        )
    phone.sit_down(match, "red")
    watcher.watch(match)
    for number in range(30):
        version = do(match, f"red unit/gregor-clegane wounds:gregor-clegane:{1 if number % 2 else -1}")
        if number % 3 == 0:
            phone.reaches(version)
            watcher.reaches(version)
        if number % 10 == 9:
            # One of the two streams has beats between the boards, the other has none.
            phone.page.wait_for_timeout(2300)
    for each in (phone, watcher):
        each.reaches(version)
        assert sign(each) == "live"
        assert each.versions() == sorted(set(each.versions()))
        shown = "document.querySelector('#board').textContent.replace(/\\s+/g, ' ')"
        before = each.page.evaluate(shown)
        each.page.reload()
        assert each.live().page.evaluate(shown) == before
    assert len(packed) >= 4
    assert set(packed) == {"gzip"}


SPOILT = """
  const Real = EventSource;
  window.asked = [];
  EventSource = function (url) {
    window.asked.push(url);
    if (url.includes("plain=1")) return new Real(url);
    const silent = new EventTarget();
    silent.close = () => {};
    setTimeout(() => silent.onopen?.(new Event("open")), 50);
    return silent;
  };
"""
"""Something on the way holds back a compressed stream: it opens, and nothing arrives."""


def test_a_compressed_stream_that_says_nothing_is_asked_for_plain(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(SPOILT)
    phone.page.goto(f"/t/{match.code}/")
    until(lambda: sign(phone) == "live", screen=phone)
    assert [("plain=1" in url) for url in phone.page.evaluate("asked")] == [False, True]
    phone.reaches(do(match, "red activate:crannogman-trackers"), 2)


def test_who_finds_no_room_reads_so_and_is_kept_current(
    screen: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(SET_UP)
    monkeypatch.setitem(hub.limits, "match", 0)
    phone = screen()
    phone.page.goto(f"/t/{match.code}/")
    until(lambda: sign(phone) == "full", 8, screen=phone)
    assert phone.says("#link") == "Server busy: slower updates"
    phone.reaches(do(match, "red activate:crannogman-trackers"), 7)
    monkeypatch.setitem(hub.limits, "match", 10)
    until(lambda: sign(phone) == "live", 8, screen=phone)


def test_an_address_that_is_too_old_is_exchanged(screen: Screens, monkeypatch: pytest.MonkeyPatch) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    fetched = []
    phone.page.on("request", lambda request: "/stream" in request.url and fetched.append(request.url))
    outdate_streams(monkeypatch)
    until(lambda: fetched, screen=phone)
    monkeypatch.setattr(hub, "started", 0)
    phone.reaches(do(match, "red activate:crannogman-trackers"), 6)
    until(lambda: sign(phone) == "live", screen=phone)


def test_spectators_come_back_after_a_restart_without_asking_for_an_address(
    screen: Screens, served: Served
) -> None:
    match = opened(SET_UP)
    watcher = screen(base_url=served.url).watch(match)
    asked = []
    watcher.page.on("request", lambda request: asked.append(request.url))
    served.kill()
    until(lambda: any("/live/" in url for url in asked), screen=watcher)
    version = do(match, "red activate:crannogman-trackers")
    served.start()
    watcher.reaches(version, 8)
    watcher.live()
    assert not [url for url in asked if f"/t/{match.code}/stream" in url]


def test_a_stream_that_comes_back_is_told_what_the_phone_shows(screen: Screens) -> None:
    match = opened(SET_UP)
    screen().sit_down(match, "blue")
    phone = screen().sit_down(match, "red")
    asked: list[str] = []
    phone.page.on("request", lambda one: "/live/" in one.url and asked.append(one.url))
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: asked, screen=phone)
    query = parse_qs(urlsplit(asked[0]).query)
    assert (query["table"], query["seen"]) == ([match.code], [str(phone.version)])


def test_a_page_does_not_load_itself_again_and_again(screen: Screens) -> None:
    phone = screen().sit_down(opened(SET_UP), "red")
    phone.live()
    loads: list[float] = []
    phone.page.on("load", lambda: loads.append(time.monotonic()))
    for news in ("**/stream?*", "**/board?*"):
        phone.page.route(news, lambda route: route.fulfill(status=410, headers=OURS))
    phone.page.route("**/live/**", lambda route: route.abort())
    phone.page.reload()
    until(lambda: len(loads) > 2, screen=phone)
    assert min(later - earlier for earlier, later in pairwise(loads)) > 2


COUNTED = """
  const Real = EventSource;
  window.streams = [];
  EventSource = class extends Real { constructor(url) { super(url); streams.push(this); } };
  window.wake = () => document.dispatchEvent(new Event("visibilitychange"));
"""
"""Records every stream that a page opens."""

OVER = {"content_type": "text/event-stream", "body": "event: over\ndata: \n\n"}
"""A stream that says that its address is no longer valid."""


@pytest.mark.parametrize("way", ["", "watch"])
def test_an_address_that_comes_late_opens_no_second_stream(screen: Screens, way: str) -> None:
    match = opened(SET_UP)
    phone, held = screen(), []
    phone.page.add_init_script(COUNTED)
    phone.page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector("[data-link=live]", state="attached")

    def hold(route: Route) -> None:
        held.append(route)

    phone.page.route("**/stream?*", hold)
    phone.page.route("**/live/**", lambda route: route.fulfill(**OVER))
    phone.page.evaluate("wake()")
    until(lambda: held, screen=phone)
    phone.page.unroute("**/live/**")
    phone.page.evaluate("wake(), wake()")
    until(lambda: len(held) == 3, screen=phone)
    for route in held:
        route.continue_()
    until(lambda: phone.page.evaluate("streams.some((one) => one.readyState === 1)"), screen=phone)
    phone.page.wait_for_timeout(500)
    assert phone.page.evaluate("streams.filter((one) => one.readyState < 2).length") == 1


@pytest.mark.parametrize("way", ["", "watch"])
def test_an_address_that_never_comes_is_asked_for_again(screen: Screens, way: str) -> None:
    match = opened(SET_UP)
    phone, held = screen(), []
    phone.page.add_init_script(COUNTED)
    phone.page.clock.install()
    phone.page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector("[data-link=live]", state="attached")
    phone.page.route("**/stream?*", lambda route: route.continue_() if held else held.append(route))
    phone.page.route("**/live/**", lambda route: route.fulfill(**OVER))
    phone.page.evaluate("wake()")
    until(lambda: held, screen=phone)
    phone.page.unroute("**/live/**")
    phone.page.clock.fast_forward(8000)
    phone.page.clock.fast_forward(5000)
    until(lambda: phone.page.evaluate("streams.some((one) => one.readyState === 1)"), screen=phone)
