"""The screen stays on during a match, and the switch in the menu never promises more than is true."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import SET_UP, Screen, do, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

STUB = """
  window.locks = [];
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  window.turn = (off) => {
    hidden = off;
    if (off) window.locks.forEach((lock) => lock.release());
    document.dispatchEvent(new Event("visibilitychange"));
  };
  Object.defineProperty(navigator, "wakeLock", { value: { async request() {
    if (window.empty) throw new DOMException("low battery", "NotAllowedError");
    const lock = { released: false, async release() {
      if (lock.released) return;
      lock.released = true;
      lock.onrelease?.();
    } };
    window.locks.push(lock);
    return lock;
  } } });
  window.held = () => window.locks.filter((lock) => !lock.released).length;
"""
"""A phone with a wake lock: it releases the lock while the page is hidden, and refuses it when `empty`."""

NEVER = (
    "This page cannot keep the screen on here. Choose a longer screen timeout in the settings of the device."
)


def seated(screen: Screens, script: str = STUB, actions: str = SET_UP) -> Screen:
    phone = screen()
    phone.page.add_init_script(script)
    return phone.sit_down(opened(actions), "red")


def badge(phone: Screen, words: str) -> None:
    """Wait until the switch says this."""
    phone.page.wait_for_selector(f"#awake small:text-is('{words}')", state="attached")


def held(phone: Screen) -> int:
    return phone.page.evaluate("window.held()")


def test_the_screen_stays_on_from_the_start_and_again_after_every_sleep(screen: Screens) -> None:
    phone = seated(screen)
    badge(phone, "Screen stays on")
    phone.page.evaluate("turn(true)")
    badge(phone, "Screen turns off normally")
    assert phone.page.get_attribute("#awake", "aria-checked") == "false"
    phone.page.evaluate("turn(false)")
    badge(phone, "Screen stays on")
    assert phone.page.get_attribute("#awake", "aria-checked") == "true"
    assert held(phone) == 1


def test_the_switch_lets_the_phone_sleep_and_remembers_it(screen: Screens) -> None:
    phone = seated(screen)
    badge(phone, "Screen stays on")
    phone.page.tap(".menu summary")
    phone.page.tap("#awake")
    badge(phone, "Screen turns off normally")
    assert held(phone) == 0
    phone.page.reload()
    phone.live()
    phone.page.tap(".points >> nth=0")
    badge(phone, "Screen turns off normally")
    phone.page.tap(".menu summary")
    phone.page.tap("#awake")
    badge(phone, "Screen stays on")
    assert held(phone) == 1


def test_a_phone_that_refuses_is_asked_again_at_the_next_tap(screen: Screens) -> None:
    phone = seated(screen, STUB + "window.empty = true;")
    phone.page.tap(".points >> nth=0")
    badge(phone, NEVER)
    phone.page.evaluate("window.empty = false")
    phone.page.tap(".points >> nth=0")
    badge(phone, "Screen stays on")


def test_who_is_refused_before_the_first_touch_is_not_told_that_it_is_impossible(screen: Screens) -> None:
    """As in Safari, which first wants the page to be touched."""
    phone = seated(screen, STUB + "window.empty = true;")
    badge(phone, "Screen turns off normally")


def test_where_the_browser_cannot_the_switch_says_so(screen: Screens) -> None:
    """As at a plain-http table, where a browser has no wake lock at all."""
    phone = seated(screen, "Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    badge(phone, NEVER)
    assert phone.page.is_disabled("#awake")
    assert phone.page.get_attribute("#awake", "aria-checked") == "false"


def test_after_the_result_the_phone_may_sleep(screen: Screens) -> None:
    phone = screen()
    phone.page.add_init_script(STUB)
    match = opened(SET_UP)
    phone.sit_down(match, "red")
    badge(phone, "Screen stays on")
    do(match, "red army/red concede:red\nred end-match")
    badge(phone, "Screen turns off normally")
    assert held(phone) == 0


FELT = """
  window.felt = [];
  Object.defineProperty(navigator, "vibrate", { value: (pattern) => window.felt.push(String(pattern)) });
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_felt_are_an_own_action_that_counts_and_the_turn(screen: Screens, motion: str) -> None:
    match = opened(SET_UP)
    phone = screen(reduced_motion=motion)
    phone.page.add_init_script(FELT)
    phone.sit_down(match, "red")
    button = f"button[value='{phone.offers[0]}']"
    phone.page.eval_on_selector(button, "button => button.value = 'activate:gregor-clegane'")
    phone.press("activate:gregor-clegane")
    phone.page.wait_for_selector(".notice.bad")
    assert phone.page.evaluate("window.felt") == []
    phone.tap("activate:crannogman-trackers")
    phone.reaches(do(match, "blue activate:gregor-clegane"))
    felt = phone.page.evaluate("window.felt")
    assert felt == (["12", "20,60,20"] if motion == "no-preference" else [])
