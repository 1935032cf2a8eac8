"""What a phone loads on its first visit of a table, and what it makes of the updates that follow."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from games.models import Match
from tests.bench.visits import MOST, REQUESTS, club, first_visit, midway, phone_at, seated, tap_at_random

pytestmark = pytest.mark.browser

TAPS = 8
IS_AS_LOADED = """async () => {
  const shown = document.getElementById("board").cloneNode(true);
  const loaded = document.createElement("template");
  const answer = await get(document.getElementById("link").dataset.news + "&seen=0");
  loaded.innerHTML = (await answer.text()).trim();
  const boards = [shown, loaded.content.firstElementChild];
  for (const board of boards) for (const node of [board, ...board.querySelectorAll("*")]) {
    for (const name of ["open", "data-fresh", "data-changed", "aria-current"]) node.removeAttribute(name);
  }
  return shown.isEqualNode(loaded.content.firstElementChild);
}"""
WATCH_CARDS = """() => {
  const touched = new Set();
  const note = ({ target }) => touched.add(target.closest?.("li.card"));
  const all = { childList: true, subtree: true, attributes: true };
  new MutationObserver((changes) => changes.forEach(note)).observe(document.getElementById("board"), all);
  window.spared = () => [...document.querySelectorAll("#board li.card")].some((card) => !touched.has(card));
}"""


def test_a_first_visit_is_small_and_an_update_draws_what_has_changed(
    transactional_db: None, browser: Any, tmp_path: Path
) -> None:
    matches = {way: midway(*way) for way in MOST}
    with club(tmp_path) as served:
        for way, most in MOST.items():
            sizes = first_visit(browser, served, matches[way])
            assert sum(sizes.values()) <= most, sizes
            assert len(sizes) <= REQUESTS, sizes
            shows_what_would_be_loaded(browser, served, matches[way])


def shows_what_would_be_loaded(browser: Any, served: Any, match: Match) -> None:
    """After updates the page is as if it were loaded now, and cards that have not changed were left alone."""
    page, others, luck = phone_at(browser, served, match), seated(browser, served, match), random.Random(5)
    page.emulate_media(reduced_motion="reduce")  # otherwise numbers may still be counting
    page.evaluate(WATCH_CARDS)
    for _tap in range(TAPS):
        if not (version := tap_at_random(others, served, match, luck)):
            break
        page.wait_for_selector(f"#board[data-version='{version}']", state="attached")
    assert page.evaluate(IS_AS_LOADED)
    assert page.evaluate("spared()")
    page.context.close()
    others.context.close()
