"""The overlay of a stream: what its address may say."""

from __future__ import annotations

import html
import re
from urllib.parse import urlencode

import pytest

from games.models import Match
from games.pages.watching.elsewhere import OverlayStyle, read_style, style_sheet
from tests.browser import driving
from tests.trust.cast import Phone


@pytest.fixture
def match(db: None) -> Match:
    return driving.opened(driving.SET_UP)


def test_nothing_said_is_the_usual_look() -> None:
    assert read_style({}) == OverlayStyle()
    assert OverlayStyle().query() == {}


FULL = {
    "place": "top-right",
    "shape": "column",
    "size": "150",
    "edge": "5",
    "veil": "40",
    "ground": "#FFFFFF",
    "ink": "0a3",
    "seat1": "112233",
    "seat6": "445566",
    "show": "round,clock",
}


def test_an_address_says_all_of_it() -> None:
    look = read_style(FULL)
    assert (look.place, look.shape, look.size, look.edge, look.veil) == ("top-right", "column", 150, 5, 40)
    assert (look.ground, look.ink) == ("ffffff", "00aa33")
    assert (look.seats[0], look.seats[5]) == ("112233", "445566")
    assert look.seats[1:5] == ("",) * 4
    assert look.parts == ("round", "clock")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("place", "middle"),
        ("shape", "circle"),
        ("size", "49"),
        ("size", "301"),
        ("size", "-1"),
        ("size", "1e2"),
        ("size", "²"),
        ("edge", "21"),
        ("veil", "101"),
        ("ground", "red"),
        ("ground", "12345"),
        ("ink", "ffffff;} body{display:none"),
        ("seat3", "url(//evil.example)"),
        ("seat3", "fffffff"),
    ],
)
def test_the_usual_stands_in_for_what_cannot_be_used(name: str, said: str) -> None:
    assert read_style({name: said}) == OverlayStyle()


def test_unknown_parts_are_left_out() -> None:
    assert read_style({"show": "turn,score,evil"}).parts == ("turn",)


@pytest.mark.parametrize("said", ["49", "}{", "ffffff;}", "\n", "</style>"])
def test_a_style_holds_nothing_that_an_address_could_smuggle_in(said: str) -> None:
    found = style_sheet(read_style(dict.fromkeys(FULL, said)))
    assert re.fullmatch(r"(\.overlay( \.s[1-6])? \{ (--[a-z]+: [#\w.%]+;? ?)+\}\n)+", found), found


@pytest.mark.parametrize(("size", "shown"), [("150", "1.5"), ("50", "0.5"), ("100", "1")])
def test_a_style_says_the_size(size: str, shown: str) -> None:
    assert f"--size: {shown};" in style_sheet(read_style({"size": size}))


def test_the_overlay_looks_as_its_address_says(match: Match) -> None:
    answer = Phone().ask("GET", f"/t/{match.code}/overlay?{urlencode(FULL)}")
    text = answer.content.decode()
    assert not answer.cookies
    assert '<main class="at top-right column no-names no-turn no-track">' in text
    link = re.search(r'href="(/overlay/look.css[^"]*)"', text)
    assert link is not None
    sheet = Phone().ask("GET", html.unescape(link[1]))
    assert sheet["Content-Type"] == "text/css; charset=utf-8"
    assert sheet.content.decode() == style_sheet(read_style(FULL))
