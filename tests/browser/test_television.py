"""An event's television across a hall: whole names, however many tables play and however long they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from games.hall import commands, event_links
from games.hall.models import Event, Helper
from tests.browser.driving import BROKEN, Screen, at_sizes
from tests.browser.test_television_close import ONLY
from tests.hall.halls import ANNA, by_chance, opened, play_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Screens = Callable[..., Screen]

NAMES = (
    "Maximiliana Freifrau von Hohenstein-Wart",
    "Bartholomew O’Shaughnessy-Smythe",
    "欧阳修远慕容云海诸葛孔明司马相如",
    "Li",
)
COVERS = """all => all.flatMap((one, at) => {
  const box = one.getBoundingClientRect();
  return all.slice(at + 1).map((other) => other.getBoundingClientRect())
    .filter((other) => box.left < other.right && other.left < box.right)
    .filter((other) => box.top + 5 < other.bottom && other.top + 5 < box.bottom)
    .map(() => one.textContent);
})"""
"""The names that overlap another one."""
CUT = """all => all
  .filter((one) => one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + parseFloat(getComputedStyle(one).fontSize) / 4)
  .map((one) => one.textContent)"""
"""The names that are partly hidden: a letter at the end, or a line."""
BELOW = "all => all.map((one) => one.scrollHeight - one.clientHeight)"
"""By how many pixels each overflows at the bottom."""


def an_event(players: int, **settings: Any) -> str:
    """An event's television after the first round, with an announcement and the second round drawn up."""
    code = opened(0, length=3, **settings)
    everybody = (f"{NAMES[number % len(NAMES)][:37]} {number}" for number in range(10, 10 + players))
    commands.import_table(code, ANNA, "\n".join(everybody))
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.start_clock(code, ANNA)
    commands.announce(code, ANNA, "Lunch is served in the hall next door")
    return f"/e/{code}/tv"


SIZES = ((1920, 1080), (1366, 768))
EVENTS = (
    {"players": 36},
    {"players": 18},
    {"players": 24, "system": "agot", "size": 6},
    {"players": 36, "system": "agot", "size": 6},
)


def turned(page: Any) -> Iterator[str]:
    """Each sheet while it is shown."""
    for key in page.eval_on_selector_all("[data-sheet]", "all => all.map((one) => one.dataset.sheet)"):
        page.evaluate(ONLY, key)
        yield f"[data-sheet='{key}']"


@pytest.mark.parametrize("event", EVENTS)
def test_every_name_of_a_sheet_is_read_whole(screen: Screens, event: dict[str, Any]) -> None:
    page = screen().page
    page.goto(an_event(**event))
    for size in at_sizes(page, *SIZES):
        for sheet in turned(page):
            names = page.locator(f"{sheet} :is(.name, tbody th)")
            assert names.evaluate_all(CUT) == [], (sheet, size)
            assert names.evaluate_all(COVERS) == [], (sheet, size)


COVERED = """code => {
  const box = code.getBoundingClientRect();
  const shown = "#screen > :is(h1, .link), .hallclock, .announcement, h2, .sheet li, .name";
  return [...document.querySelectorAll(shown)]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, other]) => box.left < other.right && other.left < box.right && other.top < box.bottom)
    .map(([text]) => text);
}"""
"""What the QR code lies over."""


def not_begun() -> str:
    return f"/e/{opened(40)}/tv"


def of_pairs() -> str:
    return an_event(18)


@pytest.mark.parametrize("television", [not_begun, of_pairs])
def test_the_code_is_read_from_across_the_hall_and_covers_nothing(
    screen: Screens, television: Callable[[], str]
) -> None:
    page = screen().page
    page.goto(television())
    code = page.locator("#screen > footer img")
    for size in at_sizes(page, *SIZES):
        for sheet in turned(page):
            assert code.evaluate(COVERED) == [], (sheet, size)
        assert code.bounding_box()["height"] > size[1] / 5


def test_few_tables_of_six_have_whole_letters_in_even_lines(screen: Screens) -> None:
    page = screen(viewport={"width": 1920, "height": 1080}).page
    page.goto(an_event(12, system="agot", size=6))
    assert max(page.locator(".several .name").evaluate_all(BELOW)) <= 3
    for table in page.locator(".several > li").all():
        tops = [one.bounding_box()["y"] for one in table.locator("small").all()]
        apart = [lower - upper for upper, lower in pairwise(tops)]
        assert max(apart) < 1.25 * min(apart)


def test_a_player_who_has_left_has_a_whole_line(screen: Screens) -> None:
    code = opened(4, length=3)
    play_round(code, by_chance(1))
    commands.drop(code, ANNA, "p3")
    page = screen(viewport={"width": 1920, "height": 1080}).page
    page.goto(f"/e/{code}/tv")
    page.evaluate(ONLY, "standings-1")
    lines = page.locator(".places tbody tr").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert len(lines) == 4
    assert max(lines) - min(lines) <= 1


def test_all_six_of_each_table_are_seen_below_an_announcement(screen: Screens) -> None:
    page = screen().page
    page.goto(an_event(36, system="agot", size=6))
    for size in at_sizes(page, *SIZES):
        assert max(page.locator(".several > li").evaluate_all(BELOW)) <= 3, size


def test_the_time_of_an_announcement_is_one_word_in_a_narrow_frame(screen: Screens) -> None:
    page = screen(viewport={"width": 320, "height": 900}).page
    page.goto(an_event(6).replace("tv", "embed"))
    assert page.locator(".announcement time").evaluate_all(BROKEN) == []


@pytest.mark.parametrize(("page", "width"), [("tv", 1920), ("tv", 390), ("embed", 390)])
def test_who_plays_nobody_is_told_so_in_one_line(screen: Screens, page: str, width: int) -> None:
    code = opened(5, length=3)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    shown = screen(locale="de", viewport={"width": width, "height": 1080}).page
    shown.goto(f"/e/{code}/{page}")
    label = shown.locator(".bye .number").first
    expect(label).to_have_text("Freilos", use_inner_text=True)
    assert label.evaluate("one => one.offsetHeight < 1.8 * parseFloat(getComputedStyle(one).fontSize)")
    assert label.evaluate("one => one.scrollWidth <= one.clientWidth + 1")


FAMILIES = ("Kovács", "Brown", "O’Shaughnessy", "Ng", "Szczepański", "van der Berg", "Müller", "Papadopoulos")
GIVEN = ("Éva", "Wolfgang", "Li", "Maximilian", "Jo", "Katharina", "Ann", "Bartholomew", "Ødger", "Zoe")
HALL = [
    f"{GIVEN[n % 10]} {'' if n < 80 else 'JM'[n // 160] + '. '}{FAMILIES[n // 10 % 8]}" for n in range(199)
]


def a_hall(*, is_seating: bool) -> str:
    """The television of two hundred whose second round is open, its tables from 99 on."""
    code = opened(0, length=5, first_table=99)
    commands.import_table(code, ANNA, "\n".join([*HALL, "欧阳修远"]))
    commands.check_in_all(code, ANNA)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    if not is_seating:
        commands.start_clock(code, ANNA)
    return f"/e/{code}/tv"


ENOUGH = """(all, least) => all.filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
  .map((one) => one.textContent.trim())"""
"""The names that are written smaller than this."""


@pytest.mark.parametrize("is_seating", [True, False])
def test_two_hundred_names_are_read_from_six_metres_on_every_screen(
    screen: Screens, is_seating: bool
) -> None:
    page = screen().page
    page.goto(a_hall(is_seating=is_seating))
    seen = 0
    for width, height in at_sizes(page, (1280, 720), (1920, 1080), (3840, 2160)):
        for sheet in turned(page):
            names = page.locator(f"{sheet} :is(.name, tbody th)")
            seen += names.count()
            assert names.evaluate_all(CUT) == [], (sheet, width)
            assert names.evaluate_all(ENOUGH, 48 * height / 1080 - 0.5) == [], (sheet, width)
            numbers = page.locator(f"{sheet} :is(.number, td:nth-child(-n + 5)):visible")
            assert numbers.evaluate_all(CUT) == [], (sheet, width)
            assert page.locator(sheet).evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    assert seen == 3 * (200 if is_seating else 400)


def test_the_wall_grows_with_the_screen_and_cuts_no_name(screen: Screens) -> None:
    page = screen().page
    code = a_hall(is_seating=False).split("/")[2]
    link = event_links.secret(Helper.objects.create(event=Event.objects.get(code=code), role="organiser"))
    page.goto(f"/e/{code}/helper/{link}")
    page.locator("button.main").first.click()
    page.goto(f"/e/{code}/wall")
    sizes = []
    for width, _height in at_sizes(page, (1280, 720), (1920, 1080), (3840, 2160)):
        names = page.locator(".hall-table .name")
        assert names.count() == 200
        assert names.evaluate_all(CUT) == [], width
        sizes.append(names.first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)"))
    assert sizes[1] >= 20
    assert sizes[2] == pytest.approx(2 * sizes[1], abs=1)
