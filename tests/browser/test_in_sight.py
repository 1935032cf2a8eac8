"""Whoever is asked sees something to tap, in every mode and wherever the match stands."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.core import engine, systems
from games.match import play
from tests.browser.driving import SET_UP, Screen, claim, do, opened
from tests.playing import Playing

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

SEEN = """version => {
  const board = document.getElementById("board");
  if (Number(board.dataset.version) < version) return false;
  if (board.dataset.state !== "ask") return true;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const offers = all("#board button[form=table][name=action]");
  const answers = offers.filter(one => !one.matches(".quiet, .danger"));
  const ways = all(".bar .folded:not([open]) > summary, .bar a:is([href*='?seat='], [href*='/army/'])");
  return [...(answers.length ? answers : offers), ...ways].some(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return width && one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}"""
"""Whether this version is shown and, if the device is asked, an answer or the way to one is on the screen."""


SIZES = ({"width": 390, "height": 844}, {"width": 320, "height": 568})


@pytest.mark.parametrize("game", systems(), ids=lambda game: game.slug)
def test_an_answer_to_each_question_is_on_the_screen_however_it_came(screen: Screens, game) -> None:  # type: ignore[no-untyped-def]
    luck, seen = random.Random(game.slug), set()
    seats = list(game.seat_names)[: game.seat_range[0]]
    for number, mode in enumerate(game.modes):
        match = play.open_match(game.slug, mode.slug, dict.fromkeys(seats, ""), {}, seed="sight")
        phone = screen(viewport=SIZES[number % 2])
        # One device for all, or for the first seat alone.
        held = seats if number % 4 < 2 else seats[:1]
        for seat in held:
            claim(phone.page, match, seat)
        phone.page.goto(f"/t/{match.code}/")
        playing = Playing(match)
        for _tap in range(50):
            playing.at_random(luck, 1)
            asked = tuple(engine.to_act(playing.state))
            key = (asked and playing.state.question.step, asked)
            if key in seen or not {*held} & {*asked}:
                continue
            seen.add(key)
            match.refresh_from_db()
            phone.page.wait_for_function(SEEN, arg=match.version, timeout=8000)
            # Until the next question they look at what lies between the sides.
            phone.page.evaluate("document.getElementById('tab-middle').click()")
        phone.page.context.close()


def test_from_elsewhere_the_page_turns_to_the_question_and_a_button_leads_back(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen(viewport={"width": 320, "height": 568}).sit_down(match, "red")
    way = phone.page.locator(".to-answers button")
    assert way.is_hidden()
    phone.page.click("#tab-middle")
    way.click()
    phone.page.wait_for_function(SEEN, arg=match.version)
    way.wait_for(state="hidden")
    do(match, "red activate:crannogman-trackers\n")
    phone.page.click("#tab-middle")
    phone.reaches(version := do(match, "blue activate:gregor-clegane\n"))
    phone.page.wait_for_function(SEEN, arg=version)


def test_back_closes_a_sheet_and_does_not_leave_the_table(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen()
    phone.page.goto("/")
    phone.sit_down(match, "red")
    page, opens = phone.page, "#card-eddards-honor-guard .pencil"
    table = page.url
    for closes in (page.go_back, lambda: page.keyboard.press("Escape")):
        page.click(opens)
        page.wait_for_selector("#sheet[open]")
        closes()
        page.wait_for_selector("#sheet:not([open])", state="attached")
        page.wait_for_function("() => !history.state?.sheet")
        assert page.url == table
    page.go_back()
    assert page.url != table
