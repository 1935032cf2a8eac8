"""A phone gets the board after its own tap once: as the answer, or by asking for it if the answer is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.live.hub import BEAT_SECONDS
from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, opened, until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

EARS = """
  window.boards = [];
  EventSource = class extends EventSource {
    addEventListener(name, hear) {
      super.addEventListener(name, (event) => {
        if (name === "board" || name === "change") boards.push(Number(event.lastEventId));
        hear(event);
      });
    }
  };
"""
"""Remembers the versions of the boards that a page's stream brings."""


def at_table(screen: Screens, match: Match, seat: str) -> Screen:
    phone = screen()
    phone.page.add_init_script(EARS)
    phone.sit_down(match, seat)
    phone.page.evaluate("boards.length = 0")
    return phone


def heard(phone: Screen) -> list[int]:
    return phone.page.evaluate("boards")


def activation(phone: Screen) -> str:
    return next(offer for offer in phone.offers if offer.startswith("activate:"))


def test_the_stream_brings_a_tap_to_all_but_the_tab_that_made_it(screen: Screens) -> None:
    match = opened(SET_UP)
    red, blue = (at_table(screen, match, seat) for seat in ("red", "blue"))
    second = Screen(red.page.context.new_page())
    second.page.add_init_script(EARS)
    second.watch(match)
    version = red.tap(activation(red))
    for phone in (blue, second):
        phone.reaches(version)
    red.page.wait_for_timeout(1000 * BEAT_SECONDS)
    assert (version in heard(red), version in heard(second), version in heard(blue)) == (False, True, True)
    # The next board follows one that this stream has not brought.
    later = do(match, "blue unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1")
    for phone in (red, blue, second):
        phone.reaches(later)
        assert heard(phone)[-1] == later
    assert red.page.inner_text("#board") == second.page.inner_text("#board")


@pytest.mark.parametrize("lost", ["abort", "empty"])
def test_a_phone_whose_answer_was_lost_is_shown_the_board_all_the_same(screen: Screens, lost: str) -> None:
    match = opened(SET_UP)
    red = at_table(screen, match, "red")

    def loses(route: Any) -> None:
        route.fetch()
        route.abort() if lost == "abort" else route.fulfill(status=502, body="")

    red.page.route("**/act", loses, times=1)
    red.press(activation(red))
    red.reaches(match.version + 1, 3 * BEAT_SECONDS)
    until(lambda: red.page.is_hidden("#unsent"), screen=red)
    match.refresh_from_db()
    assert match.version == red.version
