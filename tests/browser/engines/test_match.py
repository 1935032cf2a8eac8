"""One match on three browsers, from set-up to end: Firefox against WebKit, with Chromium watching."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from games.live.frames import Packed
from games.live.hub import hub
from games.models import Match
from tests.browser.driving import Screen, play_until, text_of
from tests.browser.engines.driver import Browser
from tests.browser.engines.phone import Phone
from tests.browser.test_match import SET_UP, Club, activate, play_round

pytestmark = pytest.mark.browser


def bring(phone: Phone, army: str) -> None:
    """Paste a list, check that it was understood, and be ready."""
    phone.browser.fill("textarea", text_of(army))
    phone.browser.tap("button:not(.unseen)[value=read]")
    phone.sees(".rows")
    assert not phone.has(".warnings li")
    phone.browser.tap("button[name=do][value=ready]")
    phone.sees("#board")


def gather(club: Club) -> str:
    """Go from the home page to two armies; returns the table's code."""
    red, blue, watcher = club.everyone
    red.goto("/new")
    red.browser.fill("#name", "Ada")
    red.browser.fill("#target", "2")
    red.browser.tap("form button.main")
    red.sees("#board")
    address = red.live().ask("location.pathname")
    red.browser.tap(".invitee .more")
    red.sees(".invitation .address")
    blue.goto(red.says(".invitation .address"))
    blue.browser.fill("#name", "Bo")
    blue.browser.tap("button.main")
    blue.sees("textarea")
    bring(blue, "lannister")
    red.goto(address + "army/red")
    bring(red, "stark")
    watcher.page.goto(address)
    for each in club.everyone:
        each.live()
    return address.split("/")[2]


def test_firefox_plays_webkit_while_chromium_watches(
    firefox: Browser, webkit: Browser, screen: Callable[..., Screen], server, capsys
) -> None:
    began = time.monotonic()
    club = Club(Phone(firefox, server.url), Phone(webkit, server.url), screen(), noted=0)
    code = gather(club)
    for seat, answer in SET_UP:
        club.tap(seat, answer, "set-up")
    for _turn in range(4):
        activate(club)
    # The turns up to the last scoring are played behind the screens; all three show the outcome.
    match = Match.objects.get(code=code)
    play_until(match, lambda state: state.round == 2 and state.question.step == "score-points")
    for each in club.everyone:
        each.reaches(match.version)
    while club.red.state != "over":
        play_round(club)

    assert club.red.says(".result h2") == club.blue.says(".result h2") == club.watcher.says(".result h2")
    assert club.red.says(".result h2") in ("Ada wins", "Bo wins")
    assert max(club.scores[-1]) >= 2
    assert [each.faults for each in club.everyone] == [[], [], []]
    # All three read the compressed chain, from the first board to the last.
    listeners = [each for all_ in hub.rooms[code].listeners.values() for each in all_]
    assert [type(each.history) for each in listeners] == [Packed] * 3
    waits = sorted(club.waits)
    with capsys.disabled():
        print(
            f"\nThree browsers: {len(club.waits)} taps {dict(club.taps)}, all screens "
            f"{1000 * waits[len(waits) // 2]:.0f} ms after the tapper's (most {1000 * waits[-1]:.0f}), "
            f"{time.monotonic() - began:.0f} s"
        )
