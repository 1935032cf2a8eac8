"""One device between two players: nothing on it covers anything else, whichever way it is held."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.browser.driving import BROKEN, SET_UP, Screen, at_sizes, do, opened, play_until, until
from tests.browser.states import faces, sits_twice
from tests.browser.test_every_table import LOW, STRIP
from tests.browser.ways import seated

pytestmark = pytest.mark.browser

BROUGHT = "".join(line for line in SET_UP.splitlines(keepends=True) if "demo:" in line or "ready" in line)
UPRIGHT, LYING = (820, 1180), (1180, 820)
"""A tablet's sizes."""
PARTS = "#side-red, #side-blue, .score, .bar"
IN_SIGHT = """one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
BOXES = """all => all.map(one => one.getBoundingClientRect())
    .map(box => [box.left, box.top, box.right, box.bottom].map(Math.round))"""


@pytest.mark.django_db(transaction=True)
def test_two_players_face_each_other(screen: Callable[..., Screen]) -> None:
    page = screen().page
    seated(opened(SET_UP), "red", also=sits_twice)(page)
    faces(page)
    for width, height in ((390, 844), (844, 390), (820, 1180), (1180, 820), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        boxes = page.eval_on_selector_all(PARTS, BOXES)
        assert len(boxes) == 4
        for number, (left, top, right, bottom) in enumerate(boxes):
            assert right - left > 100
            assert bottom - top > 40
            assert min(left, top) >= 0
            assert right <= width
            assert bottom <= height
            for other in boxes[number + 1 :]:
                apart = other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top
                assert apart, (width, boxes[number], other)


@pytest.mark.django_db(transaction=True)
def test_the_score_between_them_is_not_cut(screen: Callable[..., Screen]) -> None:
    page = screen(locale="zh-CN").page
    seated(opened(SET_UP), "red", also=sits_twice)(page)
    faces(page)
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"
    lines = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    for width, height in ((390, 844), (844, 390), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.eval_on_selector_all(".score .cell, .score .name, .score .points", wide) == [], width
        assert page.locator(".cell.round .who").evaluate(lines) < 2.5


def between(
    screen: Callable[..., Screen],
    width: int,
    height: int,
    actions: str = SET_UP,
    mode: str = "a-game-of-thrones",
) -> Screen:
    """A tablet that lies between Ada and Bo."""
    tablet = screen(viewport={"width": width, "height": height})
    seated(opened(actions, mode), "red", also=sits_twice)(tablet.page)
    faces(tablet.page)
    return tablet.live()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.django_db(transaction=True)
def test_words_are_whole_on_a_phone(screen: Callable[..., Screen], locale: str) -> None:
    page = screen(locale=locale).page
    seated(opened(SET_UP), "red", also=sits_twice)(page)
    faces(page)
    for size in at_sizes(page, (390, 844), (844, 390)):
        for words in (".cell.round .phase", ".face .title b", ".side h3 > *"):
            assert page.locator(words).evaluate_all(BROKEN) == [], (size, words)


@pytest.mark.parametrize(("width", "height"), [UPRIGHT, LYING])
@pytest.mark.django_db(transaction=True)
def test_what_zones_do_is_told_in_whole_words(screen: Callable[..., Screen], width: int, height: int) -> None:
    tiles = between(screen, width, height).page.locator(".tiles")
    expect(tiles.locator(".tile")).to_have_count(5)
    assert tiles.evaluate_all(BROKEN) == []


@pytest.mark.django_db(transaction=True)
def test_an_activation_is_one_tap_in_either_half(screen: Callable[..., Screen]) -> None:
    tablet = between(screen, *LYING)
    for half, unit in (
        ("red", "crannogman-trackers"),
        ("blue", "lannister-crossbowmen"),
        ("red", "house-tully-cavaliers"),
    ):
        button = f"#side-{half} button[value='activate:{unit}']"
        expect(tablet.page.locator(button)).to_have_count(1)
        assert tablet.state == "ask"
        tablet.tap(f"activate:{unit}")
        expect(tablet.page.locator("body")).not_to_contain_text("Play as", use_inner_text=True)
        assert tablet.page.locator(f"#side-{half} .note button[form=adjust]").count() > 0
    assert tablet.faults == []


@pytest.mark.parametrize(("width", "height"), [UPRIGHT, LYING])
@pytest.mark.django_db(transaction=True)
def test_both_halves_have_something_to_see_and_all_is_in_reach(
    screen: Callable[..., Screen], width: int, height: int
) -> None:
    page = between(screen, width, height).page
    for part in ("#side-red .card", "#side-blue .card", ".middle .card", "footer .undo", ".menu summary"):
        box = page.locator(part).first.bounding_box()
        assert box, part
        assert box["height"] > 20, part
        assert 0 <= box["y"] < height, part
    for half in ("red", "blue"):
        box = page.locator(f"#side-{half}").bounding_box()
        assert box
        assert box["height"] >= 0.2 * height, "most of it belongs to the players"


@pytest.mark.django_db(transaction=True)
def test_both_are_asked_at_once_each_on_their_own_half(screen: Callable[..., Screen]) -> None:
    tablet = between(screen, *UPRIGHT, BROUGHT)
    far = "#side-blue .note button[value='blue roll']"
    assert tablet.page.locator(far).bounding_box()["y"] < UPRIGHT[1] / 2
    before = tablet.version
    tablet.page.tap(far)
    tablet.reaches(before + 1)
    expect(tablet.page.locator(far)).to_have_count(0)
    tablet.tap("roll")
    scored = between(screen, *UPRIGHT)
    match = Match.objects.get(code=scored.page.inner_text("h1 small"))
    play_until(match, lambda state: state.round == 2 and state.question.step == "score-points")
    scored.reaches(match.version)
    for half, button in (("#side-blue", "blue agree"), (".bar", "agree")):
        answer = scored.page.locator(f"{half} button[value='{button}']")
        until(partial(answer.evaluate, IN_SIGHT), screen=scored)
        scored.tap(button)
    assert scored.faults == []


@pytest.mark.django_db(transaction=True)
def test_a_half_that_was_scrolled_turns_to_its_new_question(screen: Callable[..., Screen]) -> None:
    almost = BROUGHT.removesuffix("blue  ready\n")
    tablet = between(screen, *LYING, almost)
    scrolled = "document.querySelector('#side-blue').scrollTop"
    tablet.page.evaluate(f"{scrolled} = 999")
    assert tablet.page.evaluate(scrolled) > 50
    tablet.reaches(do(Match.objects.get(code=tablet.page.inner_text("h1 small")), "blue ready"))
    roll = tablet.page.locator("#side-blue .note button[value='blue roll']")
    until(partial(roll.evaluate, IN_SIGHT), screen=tablet)
    assert tablet.page.evaluate(scrolled) == 0


@pytest.mark.django_db(transaction=True)
def test_secrets_are_chosen_on_both_halves_at_once(screen: Callable[..., Screen]) -> None:
    tablet = between(screen, *LYING, BROUGHT, "winds-of-winter")
    page = tablet.page
    expect(page.locator("[value*='pick:']")).to_have_count(0)
    assert page.locator(".bar > .button:visible").count() == 0, "nobody takes the tablet in hand"
    for half in ("red", "blue"):
        page.tap(f"#side-{half} .note a:has-text('Show my secrets')")
        page.wait_for_selector(f"#side-{half} [value='{half} pick:m01']")
    tablet.live()
    for number, half in enumerate(("red", "blue", "blue", "red"), 1):
        tablet.tap(f"{half} pick:m{number:02}")
    expect(page.locator("[value='red pick:m02']")).to_have_count(1)
    expect(page.locator("[value='red pick:m01'], [value='blue pick:m02']")).to_have_count(0)
    page.tap("#side-red .note a:has-text('Hide my secrets')")
    page.wait_for_selector("#side-red .note a:has-text('Show my secrets')")
    expect(page.locator("[value*='red pick:']")).to_have_count(0)
    expect(page.locator("[value='blue pick:m04']")).to_have_count(1)
    assert tablet.faults == []


@pytest.mark.django_db(transaction=True)
def test_on_a_small_screen_the_question_comes_before_the_halves(screen: Callable[..., Screen]) -> None:
    page = between(screen, *LOW[0]).page
    for size in at_sizes(page, *LOW):
        page.evaluate("document.querySelector('#live').scrollTo(0, 0)")
        assert page.locator(".bar").bounding_box()["y"] < size[1], size
        assert page.evaluate(STRIP, size) == []
