"""Every planted table of every game, and its pages: for every eye and thumb, with nothing cut off."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.core import systems
from games.management.commands.plant import planted, seeds
from tests.browser.driving import BROKEN, SET_UP, Screen, at_sizes, do, opened
from tests.conftest import BROWSER_ARGUMENTS, Server, chromium
from tests.pages.test_looks import CROSSWISE, RULES, SMALL, problems

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
SEEDED = [path for game in systems() for path in seeds(game.slug)]
OF_AN_END = ("history", "score")
IN_GALLERY = (*OF_AN_END, "piece/table", "seats", "verify", "print")
"""Pages whose markup and colours the gallery shows: here they have the words and lengths of a game."""
PAGES = (*IN_GALLERY, "rules")
"""Pages that look the same at every table of a game: only its last one, which is in play, shows them."""
SIZES = ((390, 844), (320, 640), (195, 422), (844, 390), (820, 1180), (1440, 900))
LOW = ((422, 195), (320, 256), (568, 320))
"""A phone on its side enlarged twice, a desktop four times (WCAG 1.4.10), and a small phone on its side."""
STRIP = """([width, height]) => {
  const bar = document.querySelector(".bar");
  bar.scrollIntoView({ block: "start", behavior: "instant" });
  let { top, bottom } = bar.getBoundingClientRect();
  for (let around = bar.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible") continue;
    const clip = around.getBoundingClientRect();
    top = Math.max(top, clip.top);
    bottom = Math.min(bottom, clip.bottom);
  }
  const least = Math.min(bar.scrollHeight, height / 2);
  const main = [...bar.querySelectorAll(".main, button")].find(one => one.checkVisibility());
  main?.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { x, y, width: across, height: down } = main?.getBoundingClientRect() ?? {};
  const hit = main && document.elementFromPoint(x + across / 2, y + down / 2);
  return [
    bottom - top < least && `${Math.round(bottom - top)} pixels of the question at ${width}`,
    main && !main.contains(hit) && `no ${main.value} at ${width}`,
  ].filter(Boolean);
}"""
"""What cannot be reached by scrolling: half a screen of the question, its first button."""

CUT = "all => all.filter(part => part.scrollWidth > part.clientWidth).map(part => part.className)"
"""Parts of the board that are cut off at their end."""


def misfits(page) -> list[str]:  # type: ignore[no-untyped-def]
    """What on a page is too small for a thumb or runs off a screen."""
    found: list[str] = page.evaluate(SMALL)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate(CROSSWISE) > 0:
            found.append(f"runs off at {width}")
        found += [
            f"{part} cut off at {width}" for part in page.locator(".side, .middle, .bar").evaluate_all(CUT)
        ]
    if page.locator(".bar").count():
        found += [what for size in at_sizes(page, *LOW) for what in page.evaluate(STRIP, size)]
    page.set_viewport_size({"width": 390, "height": 844})
    return found


def unreadable(page) -> list[tuple[str, str]]:  # type: ignore[no-untyped-def]
    """What the checker of accessibility objects to on a page, in light and in dark."""
    found = problems(page, {"type": "tag", "values": RULES})
    page.emulate_media(color_scheme="dark")
    found += problems(page, {"type": "rule", "values": ["color-contrast"]})
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("seed", SEEDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.django_db(transaction=True)
def test_a_table_serves_every_eye_thumb_and_screen(screen: Screens, seed) -> None:
    match = planted(seed)
    seat = match.armies.values_list("key", flat=True)[0]
    player = screen().sit_down(match, seat)
    is_last = seed == seeds(match.system)[-1]
    # A watcher's board has nothing that a player's has not; what is above and below it is always the same.
    for one in (screen().watch(match), player) if is_last else (player,):
        assert misfits(one.page) == []
        assert unreadable(one.page) == []
    for path in PAGES if is_last else OF_AN_END if match.result else ():
        player.page.goto(f"/t/{match.code}/{path}")
        assert misfits(player.page) == [], path
        if path not in IN_GALLERY:
            assert unreadable(player.page) == [], path


def test_a_question_shows_beside_text_twice_as_large(browser, server: Server) -> None:  # type: ignore[no-untyped-def]
    arguments = [*BROWSER_ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    large = browser.browser_type.launch(executable_path=chromium(), args=arguments)
    page = large.new_page(base_url=server.url, viewport={"width": 844, "height": 390})
    Screen(page).sit_down(opened(SET_UP), "red")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate(STRIP, [844, 390]) == []
    large.close()


def test_german_words_twice_as_large_are_not_broken(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen(locale="de", viewport={"width": 195, "height": 422}).sit_down(match, "red")
    assert phone.page.locator("#question, .undo b").evaluate_all(BROKEN) == []
    for path, words in (("score", "h1"), ("rules", "dd")):
        phone.page.goto(f"/t/{match.code}/{path}")
        assert phone.page.locator(words).evaluate_all(BROKEN) == []


@pytest.mark.parametrize("size", LOW, ids=str)
def test_a_new_question_comes_into_sight_on_a_page_that_scrolls_as_one(screen: Screens, size) -> None:
    match = opened(SET_UP)
    blue = screen(viewport=dict(zip(("width", "height"), size, strict=True))).sit_down(match, "blue")
    page = blue.page
    page.eval_on_selector(".live", "page => page.scrollTo(0, page.scrollHeight)")
    assert page.locator("#question").bounding_box()["y"] < 0
    blue.reaches(do(match, "red activate:arya-stark\nred claim:letters\n"))
    assert blue.state == "ask"
    question = page.locator("#question").bounding_box()
    assert question["y"] >= 0
    assert question["y"] + question["height"] <= size[1]
