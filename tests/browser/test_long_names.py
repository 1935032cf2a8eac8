"""Names of forty letters, also from right to left: cut at their end, and nothing is pushed out of sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.match import play
from tests.browser.driving import SET_UP, Screen, at_sizes, do
from tests.pages.test_looks import CROSSWISE

pytestmark = pytest.mark.browser

NAMES = {
    "red": "عبدالرحمنالمنصوريالطويلجدامنبغدادالقديمة",
    "blue": "Wolfeschlegelsteinhausenbergerdorffwelche",
}

CUT = """all => all.map(name => {
  const range = document.createRange(), box = name.getBoundingClientRect();
  range.setStart(name.firstChild, 0);
  range.setEnd(name.firstChild, 1);
  const first = range.getBoundingClientRect(), around = name.parentElement.getBoundingClientRect();
  if (box.left < around.left - 1 || box.right > around.right + 1) return false;
  if (first.left < box.left - 1 || first.right > box.right + 1) return false;
  return box.left >= 0 && box.right <= innerWidth + 1;
})"""
"""Whether each name stays where it belongs, and its first letter is seen."""


def test_names_are_cut_at_their_end(screen: Callable[..., Screen]) -> None:
    match = play.open_match("tmg", "a-game-of-thrones", NAMES)
    do(match, SET_UP)
    phone = screen().sit_down(match, "red")
    for address in ("", "watch", "tv", "overlay"):
        phone.page.goto(f"/t/{match.code}/{address}")
        names = phone.page.locator(
            ":is(.score .name, #region .name, #region .turn span, #region span.turn):visible"
        )
        for size in at_sizes(phone.page, 320, 390, (844, 390), (820, 1180)):
            assert names.count() >= 2
            assert all(names.evaluate_all(CUT)), (address, size)
            assert phone.page.evaluate(CROSSWISE) <= 0, (address, size)
