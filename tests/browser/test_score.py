"""The score of a round, agreed on two phones: each source is visible, and corrected if it is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.management.commands.plant import planted, seeds
from games.match import play, storage
from games.models import Match
from tests.browser import driving
from tests.browser.driving import BROKEN, SET_UP, Screen, at_sizes, do, opened

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
SCORING = """
red  unit/eddards-honor-guard claim:eddards-honor-guard:centre
red  unit/house-tully-cavaliers claim:house-tully-cavaliers:token-a
red  unit/house-tully-cavaliers wounds:house-tully-cavaliers:-7
red  unit/house-tully-cavaliers engage:house-tully-cavaliers:lannister-crossbowmen
blue unit/gregor-clegane claim:gregor-clegane:token-b
"""
"""Ada holds the centre, Bo token B; token A is contested."""


@pytest.fixture
def scored(screen: Screens) -> Match:
    """A match that asks for the score of its second round."""
    match = opened(SET_UP)
    driving.play_until(match, lambda state: state.round == 2 and state.question.step == "score-points")
    do(match, SCORING)
    return match


def lines(phone: Screen) -> list[str]:
    return [" ".join(text.split()) for text in phone.page.locator(".sources li").all_inner_texts()]


def test_each_source_stands_above_agree_and_leads_to_what_corrects_it(scored: Match, screen: Screens) -> None:
    red, blue = screen().sit_down(scored, "red"), screen().sit_down(scored, "blue")
    shown = [
        "Centre → Ada Eddard's Honor Guard · additional point +2",
        "Token A House Tully Cavaliers, contested by Lannister Crossbowmen 0",
        "Token B → Bo Gregor Clegane +1",
    ]
    assert lines(red) == lines(blue) == shown
    blue.reaches(red.tap("agree"))
    assert lines(red) == shown
    red.page.tap(".sources li:nth-child(3) a")
    red.page.wait_for_selector("#sheet[open]")
    assert red.says("#sheet h2") == "Token B"
    version = red.version + 1
    red.page.tap("#sheet button[value$='controller:token-b:nobody']")
    blue.reaches(version)
    assert lines(blue)[2] == "Token B Set by the players 0"
    assert blue.says("#question") == "This round scores: Ada 2, Bo 0"
    assert (red.state, blue.state) == ("ask", "ask")


def test_agree_is_in_reach_of_the_thumb_on_every_screen(scored: Match, screen: Screens) -> None:
    phone = screen().sit_down(scored, "red")
    for width, height in ((390, 844), (844, 390), (360, 640), (820, 1180), (1440, 900)):
        phone.page.set_viewport_size({"width": width, "height": height})
        box = phone.page.locator(".bar .main").bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= height - box["height"], (width, height)
        wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (width, height)


@pytest.mark.parametrize("locale", ["en", "de", "zh-CN"])
def test_the_points_of_a_round_and_the_total_stand_in_one_line(
    transactional_db: None, screen: Screens, locale: str
) -> None:
    phone = screen(locale=locale)
    phone.page.goto(f"/t/{planted(seeds('tmg')[0]).code}/score")
    last = phone.page.locator(".round-score").last.locator("tr:first-child td").first
    assert " ".join(last.inner_text().split()).startswith("+3 ")
    for width in at_sizes(phone.page, 320, 360, 390, 1440):
        assert last.bounding_box()["height"] < 40, width
        assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width


def test_names_and_labels_of_the_score_card_are_not_broken(scored: Match, screen: Screens) -> None:
    for seat in ("red", "blue"):
        play.rename(scored.code, seat, "Maximiliane vom Hohenfels")
    phone = screen(locale="de")
    phone.page.goto(f"/t/{scored.code}/score")
    for width, cells in ((390, "thead th"), (390, "tbody th"), (320, "tbody th")):
        phone.page.set_viewport_size({"width": width, "height": 844})
        assert phone.page.locator(f".card-of {cells}").evaluate_all(BROKEN) == [], (width, cells)


def test_both_phones_see_what_the_last_unit_did_and_may_note_more(scored: Match, screen: Screens) -> None:
    state = storage.load(scored).state
    last = state.units[state.acting]
    red, blue = screen().sit_down(scored, "red"), screen().sit_down(scored, "blue")
    for phone in (red, blue):
        assert phone.says(".middle .note h3") == f"Last activation: {last.name}"
        assert phone.says(".middle .note .hint").startswith(f"{last.name} ")
