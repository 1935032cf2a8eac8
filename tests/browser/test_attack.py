"""An attack on two phones: at most six taps for both, seen by all, undone as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.match.storage import current
from tests.browser.driving import SET_UP, Screen, do, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]


def fighter(match: Any, seat: str) -> str:
    """A unit of a side that fights."""
    units = current(match).state.units.values()
    return next(unit.key for unit in units if unit.army == seat and unit.kind == "infantry")


def test_an_attack_takes_six_taps_at_most_on_two_phones(screen: Screens) -> None:
    match = opened(SET_UP)
    attacker, target = fighter(match, "red"), fighter(match, "blue")
    do(match, f"red activate:{attacker}\n")
    red, blue, watcher = screen(), screen(), screen()
    red.sit_down(match, "red")
    blue.sit_down(match, "blue")
    watcher.watch(match)

    def sheets(count: int) -> None:
        for each in (red, blue, watcher):
            expect(each.page.locator("section.attack")).to_have_count(count)

    def wounds() -> int:
        return current(match).state.units[target].wounds

    whole = wounds()
    # The first tap opens the target, the second the sheet.
    red.tap(f"unit/{attacker} attack:{attacker}:{target}")
    sheets(1)
    assert watcher.page.locator("section.attack button").count() == 0
    red.tap("table hits:5")
    blue.tap("table blocks:2")
    blue.tap("table panics:2")
    assert wounds() == whole - 5
    sheets(0)

    # What Blue's phone entered stays marked on Red's until Red taps.
    marked, left = f"#card-{target}[data-changed]", f"#card-{target} .gauge b"
    expect(red.page.locator(left)).to_have_text(str(whole - 5))
    expect(red.page.locator(marked)).to_have_count(1)
    expect(blue.page.locator(marked)).to_have_count(0)

    # Rolled on the phones it takes six.
    red.tap(f"unit/{attacker} attack:{attacker}:{target}")
    expect(red.page.locator(marked)).to_have_count(0)
    red.tap("table roll-dice")
    blue.tap("table roll-dice")
    before = blue.version
    blue.page.locator("section.attack .main").tap()
    blue.reaches(before + 1)
    match.refresh_from_db()
    sheets(1 if current(match).state.attack else 0)
    assert [each.faults for each in (red, blue, watcher)] == [[], [], []]
