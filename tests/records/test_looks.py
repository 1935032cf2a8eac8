"""The page of statistics on a phone and on a large screen: nothing sticks out, everything can be tapped."""

from __future__ import annotations

import random

import pytest

from games.core import system
from tests.pages.test_looks import RULES, problems
from tests.records.many import Played, write

pytestmark = pytest.mark.browser


TOO_SMALL = """[...document.querySelectorAll('main :is(a, button, select, input, summary)')]
    .filter(one => one.checkVisibility()).map(one => [one.textContent.trim(), one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""
"""What a thumb would miss."""


@pytest.fixture
def many(server):  # type: ignore[no-untyped-def]
    """Four hundred matches of all factions and modes."""
    luck, game = random.Random(1), system("tmg")
    factions, modes = list(game.factions), [mode.slug for mode in game.modes]
    write(
        Played(
            tuple(luck.choices(factions, k=2)),
            luck.choice(["red", "blue", None]),
            luck.choice(["points", "concession", "time-out"]),
            luck.choice(modes),
            luck.randint(40, 180),
            luck.randint(100, 400),
            points=tuple((luck.randint(0, 4), luck.randint(0, 4)) for _round in range(luck.randint(2, 6))),
        )
        for _match in range(400)
    )


@pytest.mark.parametrize(("widths", "has_touch"), [((360, 320), True), ((820, 1440), False)])
def test_nothing_sticks_out(phone, many, widths: tuple[int, ...], has_touch: bool):  # type: ignore[no-untyped-def]
    page = phone(has_touch=has_touch)
    for path in ("/stats", "/stats/bushido", "/stats/tmg?mode=chess&since=x", "/stats/tmg"):
        page.goto(path)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            assert page.evaluate(TOO_SMALL) == [], (path, width)
    assert problems(page, {"type": "tag", "values": RULES}) == []
    page.emulate_media(color_scheme="dark")
    assert problems(page, {"type": "rule", "values": ["color-contrast"]}) == []


def test_matches_are_chosen_without_javascript(phone, many):  # type: ignore[no-untyped-def]
    page = phone(java_script_enabled=False)
    page.goto("/stats/tmg")
    page.get_by_text("Choose matches").click()
    page.get_by_label("Mode").select_option("fire-and-blood")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**/stats/tmg?mode=fire-and-blood**")
    assert page.locator("#modes tbody tr").count() == 1
