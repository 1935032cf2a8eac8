"""On paper a whole table is one sheet of A4, whatever is played."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from msgspec.structs import replace
from playwright.sync_api import expect

from games.management.commands.plant import planted, seeds
from games.models import Match
from games.pages.records.score_card import density
from tests.browser.driving import BROKEN, at_sizes
from tests.pages.samples import SITE
from tests.pages.samples.boards import board_ask
from tests.pages.samples.records import paper
from tests.pages.test_score_card import GAMES, play_on, played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STICKING_OUT = """all => all.filter(one =>
  one.getBoundingClientRect().bottom > one.closest("li").getBoundingClientRect().bottom + 1
).map(one => one.textContent)"""
"""What is said beside a name, but reaches into the next row."""


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@pytest.mark.parametrize(("slug", "mode", "count"), GAMES[::2])
def test_a_table_fits_one_sheet(phone, server, slug: str, mode: str, count: int):  # type: ignore[no-untyped-def]
    page, match = phone(), played(slug, mode, count, 0)
    for taps, languages in ((90, ["en"]), (310, ["de", "zh-hans"])):
        play_on(match, taps)
        for language in languages:
            chosen = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": server.url}
            page.context.add_cookies([chosen])
            page.goto(reverse("print", args=[match.code]))
            assert page.evaluate("document.documentElement.lang").startswith(language[:2])
            density_of = page.evaluate("document.body.className")
            assert pages(page.pdf(prefer_css_page_size=True)) == 1, (language, density_of)


@pytest.mark.parametrize("units", [8, 14, 20, 24])
def test_larger_armies_fit_one_sheet_too(phone, units: int):  # type: ignore[no-untyped-def]
    """The more there is, the smaller the print: two armies with attachments, conditions and long names."""
    page = phone()
    shown = replace(paper(), board=crowded(units), density=density(crowded(units)))
    source = render_to_string("records/print.html", {"page": shown, "site": SITE, "csrf_token": "token"})
    page.route("**/crowded", lambda route: route.fulfill(body=source, content_type="text/html"))
    page.goto("/crowded")
    assert pages(page.pdf(prefer_css_page_size=True)) == 1, shown.density


@pytest.mark.parametrize(
    ("game", "locale", "word"),
    [("tmg", "en-GB", "Crossbowmen"), ("bushido", "de-DE", "Aktivierungs\xadzähler")],
)
def test_on_a_phone_names_and_counts_are_whole(phone, game: str, locale: str, word: str):  # type: ignore[no-untyped-def]
    page, match = phone(locale=locale), planted(seeds(game)[0])
    page.goto(reverse("print", args=[match.code]))
    expect(page.locator(".sheet-of-paper").first).to_contain_text(word, use_inner_text=True)
    for width in at_sizes(page, 390, 360):
        assert page.locator(".sheet-of-paper :is(b, .gauge)").evaluate_all(BROKEN) == [], width
        assert page.locator(".sheet-of-paper .gauge").evaluate_all(STICKING_OUT) == [], width
    page.emulate_media(media="print")
    for width in at_sizes(page, 718):
        assert page.locator(".sheet-of-paper .gauge").evaluate_all(STICKING_OUT) == [], width


def crowded(units: int):  # type: ignore[no-untyped-def]
    board = board_ask()
    cards = board.sides[0].groups[0].cards
    many = tuple(replace(cards[n % len(cards)], key=f"unit-{n}") for n in range(units))
    sides = tuple(
        replace(side, groups=(replace(side.groups[0], cards=many), *side.groups[1:])) for side in board.sides
    )
    return replace(board, sides=sides)


def test_a_round_is_confirmed_with_one_tap_and_without_a_script(phone):  # type: ignore[no-untyped-def]
    match = played("rps", "plain", 2)
    red, blue = phone(java_script_enabled=False), phone()
    for page, seat in ((red, "red"), (blue, "blue")):
        sit(page, match, seat)
        page.goto(reverse("score", args=[match.code]))
    red.locator("#round-1 button").click()
    expect(red.locator("#round-1 .confirmed")).to_have_count(1)
    blue.reload()
    expect(blue.locator("#round-1 .confirmed")).to_have_count(1)
    expect(blue.locator("#round-1 button")).to_have_count(1)


def sit(page, match: Match, seat: str) -> None:  # type: ignore[no-untyped-def]
    from tests.trust.cast import link

    page.goto(link(match, seat))
    page.locator("main button").last.click()
    page.wait_for_url(f"**/t/{match.code}/")
