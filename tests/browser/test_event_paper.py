"""What an event hands out on paper: a round's pairings, the standings, a slip for each player."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.hall import commands
from tests.browser.driving import BROKEN, Screen, at_sizes
from tests.hall.halls import ANNA, opened, play_round, scores

Screens = Callable[..., Screen]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAPER = (718, 740)
"""How wide A4 and US Letter are between a printer's margins."""
LINES = """all => all.filter(one => {
  const range = document.createRange();
  range.selectNodeContents(one.lastChild);
  return range.getClientRects().length > 1;
}).map(one => one.textContent)"""
"""The headings that take more than one line."""
SIDEWAYS = "all => all.map(one => one.scrollWidth - one.clientWidth).filter(more => more > 0)"
"""By how many pixels each is wider than the phone shows."""
PLAYERS = """
Maximiliana Freifrau von Hohenstein,Tabletopfreunde Hannover
Bartholomew O’Shaughnessy,Verein zur Förderung des Tabletopspiels
"""


def between(players: str) -> str:
    """The code of an event whose first round these have played."""
    code = opened(0)
    commands.import_table(code, ANNA, players)
    commands.check_in_all(code, ANNA)
    play_round(code, lambda g, pairing: scores(pairing, 12, 10))
    return code


def slips(page: Page, players: str = "") -> None:
    """Show an organiser the slips of these players."""
    page.goto("/e/new?kind=tmg-40")
    page.tap('button:text-is("Open the event")')
    page.wait_for_url("**/organise/")
    if players:
        commands.import_table(page.url.split("/")[-3], ANNA, players)
    page.goto(f"{page.url}slips")


def test_names_are_whole_on_a_sheet_that_a_phone_shows(screen: Screens) -> None:
    code = between("Ada Featherstone,Club 1\nFritz Lüdenscheidt,Club 2")
    page = screen(locale="de-DE").page
    for path, names in (("standings", ".ranking tbody th"), ("round/1", ".by-table .player")):
        page.goto(f"/e/{code}/print/{path}")
        assert page.locator(names).evaluate_all(BROKEN) == []
        assert page.locator("thead th").evaluate_all(LINES) == []
        assert page.locator(".leaf, .leaf .wide").evaluate_all(SIDEWAYS) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_points_are_written_on_the_line_of_their_player(screen: Screens) -> None:
    page = screen().page
    page.goto(f"/e/{between(PLAYERS)}/print/round/1")
    page.emulate_media(media="print")
    for width in at_sizes(page, *PAPER, 390):
        for number, points in enumerate(("12", "10")):
            player, written = (
                page.locator(f".by-table {each}").nth(number) for each in (".player", ".score")
            )
            assert written.inner_text() == points, width
            one, other = player.bounding_box(), written.bounding_box()
            assert one["y"] <= other["y"] + other["height"] / 2 <= one["y"] + one["height"], width


def test_the_slips_print_nothing_but_themselves(screen: Screens, settings) -> None:  # type: ignore[no-untyped-def]
    settings.LAN, settings.HTTPS = True, False
    page = screen().page
    slips(page)
    warning = page.locator(".plain-http")
    expect(warning).to_be_visible()
    page.emulate_media(media="print")
    expect(warning).to_be_hidden()


def test_names_are_whole_on_the_slips(screen: Screens) -> None:
    page = screen().page
    slips(page, PLAYERS)
    page.emulate_media(media="print")
    for width in at_sizes(page, *PAPER):
        assert page.locator(".slips div").evaluate_all(BROKEN) == [], width
