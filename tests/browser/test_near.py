"""Small screens and large letters: names, points and the board keep their room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.match import transcript
from games.models import Match
from tests.browser.driving import BROKEN, SET_UP, Screen, carry_out, opened
from tests.browser.scenes_recorded import table
from tests.pages.test_looks import CROSSWISE
from tests.table.test_home import opened as fresh

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
SMALL = {"width": 320, "height": 640}
TWICE = """new MutationObserver((_changes, observer) => {
  document.documentElement.style.fontSize = "200%";
  observer.disconnect();
}).observe(document, { childList: true })"""
"""Makes only letters twice as large, as some browsers do, which no media query notices.

From the very start, as in a browser set so: if told later, Chromium may not re-evaluate container queries.
"""
GAMES = Path(__file__).parents[2] / "games/systems"


def bushido(taps: int) -> Match:
    return recorded("bushido/tests/golden/vim.txt", taps)


def recorded(path: str, taps: int) -> Match:
    """A recorded match after a number of taps."""
    text = (GAMES / path).read_text(encoding="utf-8")
    match = table(text.splitlines()[0])
    carry_out(match, list(transcript.actions(text))[:taps])
    return match


def widths(phone: Screen, selector: str) -> list[float]:
    return phone.page.eval_on_selector_all(selector, "all => all.map((one) => one.clientWidth)")


@pytest.mark.django_db(transaction=True)
def test_a_long_phase_leaves_names_their_room(screen: Screens) -> None:
    phone = screen(viewport=SMALL, locale="de-DE").watch(opened(SET_UP))
    assert min(widths(phone, ".cell:not(.round)")) >= 100


@pytest.mark.django_db(transaction=True)
def test_what_stands_beside_the_points_is_whole(screen: Screens) -> None:
    phone = screen(viewport=SMALL).watch(bushido(17))
    assert "Friendly" in phone.says(".points .beside")
    assert phone.page.eval_on_selector_all(".points small", BROKEN) == []


@pytest.mark.parametrize("taps", [11, 17, 29])
@pytest.mark.django_db(transaction=True)
def test_a_long_question_leaves_the_board_in_sight(screen: Screens, taps: int) -> None:
    match = bushido(taps)
    for seat in ("red", "blue"):
        phone = screen(viewport=SMALL).sit_down(match, seat)
        assert phone.page.eval_on_selector(".sides", "one => one.clientHeight") >= 100


@pytest.mark.parametrize("game", ["tmg", "agot"])
@pytest.mark.django_db(transaction=True)
def test_letters_alone_twice_as_large_are_read(screen: Screens, game: str) -> None:
    match = opened(SET_UP) if game == "tmg" else fresh(game)
    phone = screen()
    phone.page.add_init_script(TWICE)
    phone.watch(match)
    assert phone.page.evaluate(CROSSWISE) <= 0
    assert phone.page.eval_on_selector_all(".points > *, .score .who, .phase", BROKEN) == []
    assert min(widths(phone, ".cell")) >= 120
    bar, sides = phone.page.locator(".bar").bounding_box(), phone.page.locator(".sides").bounding_box()
    assert bar["y"] + bar["height"] <= sides["y"] + 1
    assert sides["height"] > 400


WIDE = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
"""How many hold more than is visible."""


@pytest.mark.parametrize("game", ["tmg", "agot"])
@pytest.mark.django_db(transaction=True)
def test_pages_of_a_match_are_read_however_large_their_letters(screen: Screens, game: str) -> None:
    match = opened(SET_UP) if game == "tmg" else fresh(game)
    page = screen().page
    page.add_init_script(TWICE)
    words = "main h1, .turn h2, .scores .label, .scores b, .meta b"
    for path in ("print", "score", "history", "watch", "replay", "embed"):
        page.goto(f"/t/{match.code}/{path}")
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert page.evaluate(CROSSWISE) <= 0, path
        assert page.eval_on_selector_all(".place, .ways, .turn, .scores, .sheet-of-paper", WIDE) == 0, path
        assert page.eval_on_selector_all(words, BROKEN) == [], path


@pytest.mark.django_db(transaction=True)
def test_a_replay_on_a_phone_on_its_side_tells_what_happened(screen: Screens) -> None:
    match = opened(SET_UP)
    page = screen(viewport={"width": 844, "height": 390}, locale="de-DE").page
    page.goto(f"/t/{match.code}/replay")
    assert page.eval_on_selector(".told", "one => one.clientHeight") >= 40
    ways = page.locator(".ways > :visible")
    tops = {ways.nth(n).bounding_box()["y"] for n in range(ways.count())}
    assert len(tops) == 1


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "zh-CN"])
@pytest.mark.django_db(transaction=True)
def test_the_parts_of_the_map_are_named_in_whole_words(screen: Screens, language: str) -> None:
    match = recorded("agot/tests/golden/full-3.txt", 8)
    phone = screen(viewport=SMALL, locale=language).watch(match)
    assert phone.page.eval_on_selector_all(".zooms > *", BROKEN) == []
    tops = phone.page.eval_on_selector_all(".zooms > *", "all => all.map((one) => one.offsetTop)")
    assert len(set(tops)) == 1
