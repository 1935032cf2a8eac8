"""Waiting taps on a phone survive a reload, in each tab separately; no tab sends a discarded one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.models import Entry, Match
from tests.browser.driving import SET_UP, Screen, do, opened, until
from tests.browser.test_queue import (
    ENGAGED,
    STRIKE,
    actions,
    back,
    counts,
    out_of_reach,
    stored,
    strike,
    struck,
    swallowed,
    unit,
)

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def two_tabs(screen: Screens, actions: str = ENGAGED) -> tuple[Match, Screen, Screen]:
    """A table, and a phone that shows it in two tabs, whose corrections do not get through."""
    match = opened(actions)
    phone = screen().sit_down(match, "red")
    other = Screen(phone.page.context.new_page())
    for tab in (phone, other):
        tab.page.route("**/adjust", lambda route: route.abort())
    return match, phone, other


def test_what_is_discarded_in_one_tab_is_sent_by_none(screen: Screens) -> None:
    match, phone, other = two_tabs(screen)
    strike(phone, 2)
    other.watch(match)
    counts(other, "2 taps waiting")
    other.page.tap("[data-unsent=drop]")
    for tab in (other, phone):
        tab.page.wait_for_selector("#unsent", state="hidden")
        tab.page.unroute("**/adjust")
    version = do(match, "blue unit/gregor-clegane wounds:gregor-clegane:-1")
    for tab in (other, phone):
        tab.reaches(version)
    phone.page.wait_for_timeout(500)
    match.refresh_from_db()
    assert match.version == version


def test_what_waits_in_one_tab_is_not_lost_to_another(screen: Screens) -> None:
    match, phone, other = two_tabs(screen)
    other.watch(match)
    strike(phone, 2)
    strike(other, 1)
    phone.page.reload()
    counts(phone, "3 taps waiting")
    for tab in (phone, other):
        tab.page.unroute("**/adjust")
    for tab in (phone, other):
        tab.reaches(match.version + 3, 10)
        tab.page.wait_for_selector("#unsent", state="hidden")
    assert phone.says("#card-lannister-crossbowmen .left") == "9/12"
    assert stored(phone) == []


def test_another_tab_says_nothing_of_an_answer_that_waits(screen: Screens) -> None:
    match, phone, other = two_tabs(screen, SET_UP)
    phone.page.route("**/act", lambda route: route.abort())
    phone.press(unit(phone))
    counts(phone, "1 tap waiting")
    other.watch(match)
    assert other.page.is_hidden("#unsent")
    counts(phone, "1 tap waiting")
    phone.page.unroute("**/act")
    phone.reaches(match.version + 1, 10)


def test_an_answer_that_arrived_before_a_reload_is_not_called_undone(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    phone.page.route("**/act", swallowed)
    wanted = unit(phone)
    phone.press(wanted)
    counts(phone, "1 tap waiting")
    phone.page.reload()
    until(lambda: stored(phone) == [], screen=phone)
    assert phone.page.locator("#unsent").is_hidden()
    assert actions(match, Entry.Kind.TAP)[-1] == wanted


def test_of_an_answer_from_before_a_reload_nothing_is_said_until_the_table_is_heard(screen: Screens) -> None:
    phone = screen().sit_down(opened(SET_UP), "red")
    phone.page.route("**/act", lambda route: route.abort())
    phone.page.route("**/arrived?*", lambda route: route.abort())
    phone.press(unit(phone))
    counts(phone, "1 tap waiting")
    with phone.page.expect_request("**/arrived?*"):
        phone.page.reload()
    assert phone.page.locator("#unsent").is_hidden()
    assert stored(phone) == [{"form": "table", "seat": "red"}]
    phone.page.unroute("**/arrived?*")
    counts(phone, "Not sent")


@pytest.mark.parametrize("what", ["forbidden", "none", "full"])
def test_where_nothing_can_be_stored_taps_wait_all_the_same(screen: Screens, what: str) -> None:
    match = opened(ENGAGED)
    phone = screen()
    phone.page.add_init_script(STORAGE % what)
    phone.sit_down(match, "red")
    expect(phone.page.locator("#awake:not([hidden]), #call-sound:not([hidden])")).to_have_count(2)
    for switch in ("#awake", "#call-sound"):
        phone.page.eval_on_selector(switch, "button => button.click()")
    out_of_reach(phone)
    phone.press(STRIKE)
    counts(phone, "1 tap waiting")
    back(phone)
    phone.reaches(match.version + 1, 10)
    phone.page.wait_for_selector("#unsent", state="hidden")
    assert not [fault for fault in phone.faults if fault.startswith("error:")]


STORAGE = """
  const full = new Proxy({}, { set() { throw new DOMException("full", "QuotaExceededError"); } });
  const found = {
    forbidden() { throw new DOMException("forbidden", "SecurityError"); },
    none: () => null,
    full: () => full,
  };
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get: found["%s"] });
  for (const [kind, name] of [["CacheStorage", "keys"], ["ServiceWorkerContainer", "getRegistrations"]])
    if (window[kind]) window[kind].prototype[name] = async () => found.forbidden();
"""
"""A browser that stores nothing: by its settings, as in some apps' own windows, or for lack of room."""


def test_what_is_on_its_way_can_be_discarded_too(screen: Screens) -> None:
    match, phone = struck(screen, 1)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    phone.page.route("**/adjust", hold)
    back(phone)
    until(lambda: held, screen=phone)
    phone.page.tap("[data-unsent=drop]")
    held.pop().abort()
    phone.page.wait_for_selector("#unsent", state="hidden")
    phone.page.wait_for_timeout(2500)
    assert held == []
    assert stored(phone) == []
    match.refresh_from_db()
    assert phone.version == match.version
