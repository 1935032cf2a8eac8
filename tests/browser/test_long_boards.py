"""A board too long for the compressed stream arrives as what has changed, and is the same board."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.live.frames import Packed, Plain
from games.live.hub import hub
from games.match import play
from games.systems.agot.pieces import HOUSES
from tests.browser.driving import Screen
from tests.playing import Playing

pytestmark = pytest.mark.browser

COUNTED = """
  const Real = EventSource;
  window.heard = { board: 0, change: 0 };
  EventSource = class extends Real {
    constructor(url) { super(url + "%s"); }
    addEventListener(kind, listen) {
      super.addEventListener(kind, (event) => { if (kind in heard) heard[kind] += 1; listen(event); });
    }
  };
"""
"""A page that counts how it got each board; its stream's address ends as the test wants."""
WORDS = """
  [...document.querySelectorAll('%s *')].map(
    one => [one.tagName, one.textContent.replace(/\\d+:\\d\\d/g, "…"), one.id])
"""
"""Every element with its text, but not how long a player has been waited for: pages differ by a second."""


@pytest.mark.parametrize(("wish", "history"), [("", Packed), ("&plain=1", Plain)])
def test_what_is_joined_on_a_phone_is_what_a_fresh_page_shows(
    screen: Callable[..., Screen], wish: str, history: type[Plain]
) -> None:
    match = play.open_match("agot", "full", {house: f"{house} 活 é" for house in HOUSES}, seed="long")
    playing = Playing(match)
    playing.at_random(random.Random(5), 20)
    looks_on = screen()
    looks_on.page.add_init_script(COUNTED % wish)
    looks_on.page.goto(f"/t/{match.code}/")
    looks_on.live()
    for _tap in range(12):
        playing.at_random(random.Random(playing.loaded.match.version), 1)
        looks_on.reaches(playing.loaded.match.version)
    told = looks_on.page.evaluate("heard")
    assert told["change"] >= 10
    (listener,) = (one for all_ in hub.rooms[match.code].listeners.values() for one in all_)
    assert type(listener.history) is history
    fresh = screen()
    fresh.page.goto(f"/t/{match.code}/")
    fresh.live()
    assert looks_on.page.evaluate(WORDS % "#board") == fresh.page.evaluate(WORDS % "#board")


def test_the_watchers_page_joins_what_it_is_told(screen: Callable[..., Screen]) -> None:
    match = play.open_match("agot", "full", {house: f"{house} 活 é" for house in HOUSES}, seed="long")
    playing = Playing(match)
    playing.at_random(random.Random(5), 20)
    looks_on, fresh = screen().page, screen().page
    looks_on.add_init_script(COUNTED % "&plain=1")
    looks_on.goto(f"/t/{match.code}/watch")
    looks_on.wait_for_selector("#feed[data-link=live]", state="attached")
    for _tap in range(6):
        playing.at_random(random.Random(playing.loaded.match.version), 1)
        looks_on.wait_for_selector(
            f"#region[data-version='{playing.loaded.match.version}']", state="attached"
        )
    assert looks_on.evaluate("heard.change") >= 5
    fresh.goto(f"/t/{match.code}/watch")
    assert looks_on.evaluate(WORDS % "#region") == fresh.evaluate(WORDS % "#region")
