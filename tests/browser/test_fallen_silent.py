"""A connection that swallows everything and says nothing: nobody falls more than five seconds behind."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from games.hall import commands
from games.live.hub import BEAT_SECONDS, WATCHER_BEAT_SECONDS
from tests.browser.driving import SET_UP, Screen, do, opened, until
from tests.browser.test_live import OVER
from tests.hall import halls
from tests.hall.halls import ANNA
from tests.hall.places import link, table_of

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

SILENT = """
  const streams = [];
  let deaf = false;
  EventSource = class extends EventSource {
    constructor(url) { super(url); streams.push(this); }
    addEventListener(name, hear) {
      super.addEventListener(name, (event) => { if (!deaf || event.told) hear(event); });
    }
  };
  window.say = () => {
    const data = document.querySelector("#board, #region").dataset.version;
    const told = true;
    for (const one of streams) one.dispatchEvent(Object.assign(new MessageEvent("beat", { data }), { told }));
  };
  window.fallSilent = () => { say(); deaf = true; };
"""
"""Streams that can stay open and carry nothing except the beats that a test lets through."""

HASTY = "const wait = AbortSignal.timeout; AbortSignal.timeout = (ms) => wait.call(AbortSignal, ms / 10);"


def listening(screen: Screens, way: str) -> Screen:
    """A screen at a table, with a clock that can be stopped: as the seat ("red"), or as a watcher."""
    match, phone = opened(SET_UP), screen()
    phone.page.add_init_script(SILENT)
    phone.page.clock.install()
    if way == "red":
        phone.sit_down(match, "red")
    else:
        phone.page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector("[data-link=live]", state="attached")
    phone.match = match
    return phone


def falls_silent(phone: Screen) -> list[str]:
    """From now on its streams bring nothing; returns a list of its requests for news."""
    asked: list[str] = []
    phone.page.clock.pause_at(phone.page.evaluate("Date.now() / 1000 + 3"))
    phone.page.on("request", lambda one: re.search("/(board|news).*seen=", one.url) and asked.append(one.url))
    phone.page.evaluate("fallSilent()")
    return asked


@pytest.mark.parametrize("way", ["red", "", "watch", "tv"])
def test_a_stream_that_falls_silent_leaves_nobody_behind(screen: Screens, way: str) -> None:
    phone = listening(screen, way)
    falls_silent(phone)
    version = do(phone.match, "red activate:crannogman-trackers")
    phone.page.clock.run_for(5000)
    phone.page.wait_for_selector(f"[data-version='{version}']", state="attached")


@pytest.mark.parametrize(
    ("way", "seconds"),
    [("red", BEAT_SECONDS), ("", WATCHER_BEAT_SECONDS), ("watch", WATCHER_BEAT_SECONDS)],
)
def test_who_hears_the_stream_live_asks_for_nothing(screen: Screens, way: str, seconds: int) -> None:
    phone = listening(screen, way)
    asked = falls_silent(phone)
    for _beat in range(4):
        phone.page.clock.run_for(1000 * seconds + 300)
        phone.page.evaluate("say()")
    assert phone.page.evaluate("document.querySelector('[data-link]').dataset.link") == "live"
    assert asked == []


def test_who_cannot_hear_any_stream_reads_steadily_how_the_table_is_followed(screen: Screens) -> None:
    """A proxy may hold all streams back. Once that is clear, nothing says that there is no connection."""
    match, phone = opened(SET_UP), screen()
    phone.page.add_init_script("Math.random = () => 0.99")
    phone.page.route("**/live/**", lambda _route: None)
    phone.page.clock.install()
    phone.page.goto(f"/t/{match.code}/")
    signs = [passed(phone) for _half_second in range(90)]
    assert set(signs[30:]) == {"slow"}


def passed(phone: Screen) -> str:
    """What the sign says half a second later, and an answer that is on its way has arrived."""
    phone.page.clock.run_for(500)
    phone.page.wait_for_load_state("networkidle")
    phone.page.wait_for_timeout(50)
    return phone.page.get_attribute("#link", "data-link")


@pytest.mark.parametrize("news", ["/board?", "/stream?"])
def test_what_hangs_gives_its_connection_back_at_a_table(screen: Screens, news: str) -> None:
    code = halls.opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone, (match, _seat) = screen(), table_of(code, "p1")
    hangs(phone, news, f"/t/{match}/")


@pytest.mark.parametrize("news", ["/scores"])
def test_what_hangs_gives_its_connection_back_at_an_event(screen: Screens, news: str) -> None:
    code = halls.opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone = screen()
    phone.page.goto(link(code, "p1"))
    hangs(phone, news, f"/e/{code}/")


def hangs(phone: Screen, news: str, way: str) -> None:
    """Leave a page's requests to such addresses unanswered: it gives them up by itself."""
    given_up: list[str] = []
    phone.page.add_init_script(HASTY)
    phone.page.on("requestfailed", lambda one: news in one.url and given_up.append(one.url))
    phone.page.route("**/live/**", lambda route: route.fulfill(**OVER))
    phone.page.route(lambda url: news in url, lambda _route: None)
    phone.page.goto(way)
    until(lambda: given_up, 30, screen=phone)
