"""A tab in the background tells of the turn: by title and icon and, if wanted, by sound and notification."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.core import engine
from games.match import storage
from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

STUB = """
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  window.hide = (off) => { hidden = off; };
  window.rung = 0;
  window.told = [];
  const pitch = { setValueAtTime() {} };
  const node = () => ({ connect() {}, frequency: pitch, start() { window.rung += 1; }, stop() {} });
  window.AudioContext = class {
    state = "suspended";
    currentTime = 0;
    async resume() { if (navigator.userActivation.hasBeenActive) this.state = "running"; }
    createOscillator() { return node(); }
  };
  window.answer = "granted";
  window.Notification = class {
    static permission = sessionStorage.permission ?? "default";
    static async requestPermission() {
      return (sessionStorage.permission = window.Notification.permission = window.answer);
    }
    constructor(title, more) { window.told.push(`${title} ${more.tag}`); }
  };
  Object.defineProperty(navigator, "serviceWorker", { value: undefined });
"""
"""A browser that plays sounds only after a touch, and asks its player before it notifies."""

NEVER = "Notifications need https and a browser that supports them."
TURN = "Your turn · "


def seated(screen: Screens, seat: str, script: str = STUB) -> tuple[Screen, Match]:
    phone, match = screen(), opened(SET_UP)
    phone.page.add_init_script(script)
    return phone.sit_down(match, seat), match


def calls(phone: Screen) -> bool:
    """Whether the icon of the tab says that it is this player's turn."""
    icon = phone.page.get_attribute("link[rel='icon']", "href")
    return icon == phone.page.get_attribute("#live", "data-icon")


def says(phone: Screen, switch: str, words: str) -> None:
    """Wait until the switch says this."""
    phone.page.wait_for_selector(f"#{switch} small:text-is('{words}')", state="attached")


def switch(phone: Screen, name: str) -> None:
    phone.page.tap(".menu summary")
    phone.page.tap(f"#{name}")
    phone.page.tap(".menu summary")


def acts(match: Match, seat: str) -> int:
    """Have the next combat unit of a side act, so that the turn passes on."""
    state = storage.load(match).state
    offers = {offer.action for offer in engine.offers(state, seat)}
    units = (unit.key for unit in state.units_of(seat) if unit.kind != "ncu")
    return do(match, f"{seat} {next(f'activate:{key}' for key in units if f'activate:{key}' in offers)}")


def red_acts(match: Match) -> int:
    """The turn passes from Red to Blue."""
    return acts(match, "red")


def test_title_and_icon_say_whose_turn_it_is(screen: Screens) -> None:
    red, match = seated(screen, "red")
    assert red.page.title().startswith(TURN)
    assert calls(red)
    red.reaches(red_acts(match))
    red.page.wait_for_function("() => !document.title.startsWith('Your turn')")
    assert not calls(red)


def test_the_turn_comes_to_a_tab_that_waits(screen: Screens) -> None:
    blue, match = seated(screen, "blue")
    assert not blue.page.title().startswith(TURN)
    blue.reaches(red_acts(match))
    blue.page.wait_for_function("() => document.title.startsWith('Your turn')")
    assert calls(blue)
    assert blue.page.evaluate("[rung, told]") == [0, []], "nothing was switched on"


def test_a_watcher_has_no_turn_and_no_switches(screen: Screens) -> None:
    watcher = screen().watch(opened(SET_UP))
    assert "Your turn" not in watcher.page.title()
    expect(watcher.page.locator("#call-sound, #call-notice")).to_have_count(0)


def test_the_sound_is_off_until_switched_on_and_is_kept_by_the_device(screen: Screens) -> None:
    blue, match = seated(screen, "blue")
    says(blue, "call-sound", "Sound off")
    switch(blue, "call-sound")
    says(blue, "call-sound", "Sounds when your turn comes")
    blue.page.reload()
    blue.live()
    says(blue, "call-sound", "Tap the page once: browsers allow sound only after a tap.")
    blue.page.tap(".points >> nth=0")
    says(blue, "call-sound", "Sounds when your turn comes")
    blue.reaches(red_acts(match))
    blue.page.wait_for_function("() => window.rung === 1")


def test_switched_off_it_is_silent_again(screen: Screens) -> None:
    blue, match = seated(screen, "blue")
    switch(blue, "call-sound")
    switch(blue, "call-sound")
    says(blue, "call-sound", "Sound off")
    heard = blue.page.evaluate("rung")
    blue.reaches(red_acts(match))
    blue.page.wait_for_function("() => document.title.startsWith('Your turn')")
    assert blue.page.evaluate("rung") == heard


def test_a_notification_comes_only_where_it_was_allowed_and_the_page_is_hidden(screen: Screens) -> None:
    blue, match = seated(screen, "blue")
    says(blue, "call-notice", "Notifications off")
    assert blue.page.evaluate("Notification.permission") == "default", "nobody asks by itself"
    switch(blue, "call-notice")
    says(blue, "call-notice", "Tells you while this page is in the background")
    blue.reaches(red_acts(match))
    blue.page.wait_for_function("() => document.title.startsWith('Your turn')")
    assert blue.page.evaluate("told") == []
    blue.page.evaluate("hide(true)")
    blue.reaches(acts(match, "blue"))
    assert blue.page.evaluate("told") == [], "the turn went away"
    blue.reaches(acts(match, "red"))
    blue.page.wait_for_function(f"() => told.join() === 'Your turn /t/{match.code}/'")


def test_whoever_says_no_is_told_where_to_change_it(screen: Screens) -> None:
    blue, _match = seated(screen, "blue", STUB + "window.answer = 'denied';")
    switch(blue, "call-notice")
    says(blue, "call-notice", "Notifications are blocked. Allow them in the settings of the browser.")
    assert blue.page.get_attribute("#call-notice", "aria-checked") == "false"


def test_where_the_browser_cannot_the_switches_say_so(screen: Screens) -> None:
    """As at a plain-http table, where a browser has no notifications."""
    never = (
        "Object.defineProperty(window, 'isSecureContext', { value: false }); window.AudioContext = undefined;"
    )
    blue, match = seated(screen, "blue", STUB + never)
    says(blue, "call-sound", "This browser cannot play sounds.")
    says(
        blue,
        "call-notice",
        "Notifications need https and a browser that supports them.",
    )
    assert blue.page.is_disabled("#call-sound")
    assert blue.page.is_disabled("#call-notice")
    blue.reaches(red_acts(match))
    blue.page.wait_for_function("() => document.title.startsWith('Your turn')")
    assert blue.faults == []
