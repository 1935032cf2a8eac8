"""Tabs out of sight: without encryption a browser keeps six connections, which their streams would use up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.live.hub import hub
from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, opened, until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

CONNECTIONS = 6
"""How many a browser keeps to one server over HTTP/1.1."""
HIDING = """
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  window.hide = (away) => { hidden = away; document.dispatchEvent(new Event("visibilitychange")); };
"""


def showing(phone: Screen, match: Match, way: str) -> Screen:
    """A page of the match that hears its stream, and can be hidden."""
    phone.page.add_init_script(HIDING)
    phone.page.goto(f"/t/{match.code}/{way}")
    phone.page.wait_for_selector("[data-link=live]", state="attached")
    return phone


def is_heard(match: Match) -> bool:
    """Whether any stream of the match is open."""
    return match.code in hub.rooms


@pytest.mark.parametrize("way", ["", "watch", "tv"])
def test_a_watchers_tab_listens_only_while_it_can_be_seen(screen: Screens, way: str) -> None:
    match = opened(SET_UP)
    watcher = showing(screen(), match, way)
    watcher.page.evaluate("hide(true)")
    until(lambda: not is_heard(match), screen=watcher)
    version = do(match, "red activate:crannogman-trackers")
    watcher.page.evaluate("hide(false)")
    watcher.page.wait_for_selector(f"[data-version='{version}']", state="attached")
    watcher.page.wait_for_selector("[data-link=live]", state="attached")


def test_a_player_is_called_from_a_tab_out_of_sight_until_the_match_is_over(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.add_init_script(HIDING)
    phone.sit_down(match, "blue").page.evaluate("hide(true)")
    phone.reaches(do(match, "red activate:crannogman-trackers"))
    assert phone.page.title().startswith("Your turn")
    phone.page.evaluate("hide(false)")
    do(match, "red army/red concede:red\nred end-match")
    phone.page.wait_for_selector("#board[data-state=over]", state="attached")
    phone.page.evaluate("hide(true)")
    until(lambda: not is_heard(match), screen=phone)


def test_with_many_tabs_out_of_sight_another_one_opens_and_taps(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    for _tab in range(CONNECTIONS):
        showing(Screen(phone.page.context.new_page()), match, "").page.evaluate("hide(true)")
    phone.sit_down(match, "red").tap("activate:crannogman-trackers")
