"""The map of the board game in Firefox and WebKit: an area is touched where it is drawn."""

from __future__ import annotations

import pytest

from games.core import engine as rules
from games.match import storage
from games.models import Match
from tests.browser.driving import do
from tests.browser.engines.driver import Browser
from tests.browser.engines.phone import Phone
from tests.browser.test_map import marching  # noqa: F401

pytestmark = pytest.mark.browser
POINT = """
  const box = document.querySelector(".paper svg").getBoundingClientRect();
  const [x, y] = [box.x + arguments[0] / 1000 * box.width, box.y + arguments[1] / 1800 * box.height];
  const areas = document.elementsFromPoint(x, y).map((one) => one.closest(".paper a")).filter(Boolean);
  return areas.length && !document.querySelector("[data-fresh]") ? [x, y, areas[0].ariaLabel] : null;
"""
"""Where a point of the drawing is on the screen, and in which area, once it may be touched there."""


def resting(phone: Phone, x: int, y: int) -> tuple[float, float]:
    """A point of the drawing on the screen, once scrolling has stopped."""
    seen: list[object] = [None]

    def rests() -> bool:
        seen.append(phone.browser.run(POINT, x, y))
        return seen[-1] is not None and seen[-1] == seen[-2]

    phone.until(rests)
    return seen[-1][:2]  # type: ignore[index]


def test_a_march_is_touched_on_the_map(engine: Browser, server, marching: Match) -> None:  # noqa: F811
    while (seat := rules.awaited(storage.load(marching).state)[0]) != "stark":
        do(marching, f"{seat} no-march")
    do(marching, "stark march:winterfell:zero")
    phone = Phone(engine, server.url).sit_down(marching, "stark")
    phone.browser.tap("#tab-middle")
    before = phone.version
    assert phone.has(".from")
    assert phone.ask("document.querySelectorAll('.can').length") == len(
        [one for one in phone.offers if one.startswith("to:")]
    )
    width = "document.querySelector('.paper').getBoundingClientRect().width"
    narrow = phone.ask(width)
    phone.browser.tap(".zooms a:nth-of-type(2)")
    phone.until(lambda: phone.ask(width) > 1.5 * narrow)
    phone.browser.touch(*resting(phone, 690, 130))
    phone.reaches(before + 1)
    assert "Which units march to Karhold?" in phone.says(".bar")
    assert phone.ask(width) > 1.5 * narrow
    assert phone.faults == []
