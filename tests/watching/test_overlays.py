"""The overlay of a stream: what its address may say, and the page that builds the address."""

from __future__ import annotations

import html
import re
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from games.models import Match
from games.views.watching import overlay_style
from games.views.watching.overlay_style import OverlayStyle, read, style
from tests.browser import driving
from tests.trust.cast import Phone


@pytest.fixture
def match(db: None) -> Match:
    return driving.opened(driving.SET_UP)


def test_nothing_said_is_the_usual_look() -> None:
    assert read({}) == (OverlayStyle(), ())
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
    look, faults = read(FULL)
    assert faults == ()
    assert (look.place, look.shape, look.size, look.edge, look.veil) == ("top-right", "column", 150, 5, 40)
    assert (look.ground, look.ink) == ("ffffff", "00aa33")
    assert (look.seats[0], look.seats[5]) == ("112233", "445566")
    assert look.seats[1:5] == overlay_style.SEATS[1:5]
    assert look.parts == ("round", "clock")


def test_what_is_said_is_said_again() -> None:
    look, _faults = read(FULL)
    assert read(look.query()) == (look, ())
    assert read(OverlayStyle(parts=()).query()) == (OverlayStyle(parts=()), ())


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
def test_what_cannot_be_used_is_told_and_the_usual_stands_in(name: str, said: str) -> None:
    look, faults = read({name: said})
    assert look == OverlayStyle()
    assert len(faults) == 1
    assert f"“{name}”" in faults[0]


def test_unknown_parts_are_left_out_and_told() -> None:
    look, faults = read({"show": "turn,score,evil"})
    assert look.parts == ("turn",)
    assert len(faults) == 1


@pytest.mark.parametrize("said", ["49", "}{", "ffffff;}", "\n", "</style>"])
def test_a_style_holds_nothing_that_an_address_could_smuggle_in(said: str) -> None:
    found = style(read(dict.fromkeys(FULL, said))[0])
    assert re.fullmatch(r"(\.overlay( \.s[1-6])? \{ (--[a-z]+: [#\w.%]+;? ?)+\}\n)+", found), found


@pytest.mark.parametrize(("size", "shown"), [("150", "1.5"), ("50", "0.5"), ("100", "1")])
def test_a_style_says_the_size(size: str, shown: str) -> None:
    assert f"--size: {shown};" in style(read({"size": size})[0])


def test_the_overlay_looks_as_its_address_says(match: Match) -> None:
    answer = Phone().ask("GET", f"/t/{match.code}/overlay?{urlencode(FULL)}")
    text = answer.content.decode()
    assert not answer.cookies
    assert '<main class="at top-right column no-names no-turn no-track">' in text
    link = re.search(r'href="(/overlay/look.css[^"]*)"', text)
    assert link is not None
    sheet = Phone().ask("GET", html.unescape(link[1]))
    assert sheet["Content-Type"] == "text/css; charset=utf-8"
    assert sheet.content.decode() == style(read(FULL)[0])


def test_only_our_own_page_may_frame_it(match: Match) -> None:
    answer = Phone().ask("GET", f"/t/{match.code}/overlay")
    assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    table = Phone().ask("GET", f"/t/{match.code}/")
    assert "frame-ancestors 'none'" in table["Content-Security-Policy"]
    assert table["X-Frame-Options"] == "DENY"


def built(match: Match, query: str = "") -> str:
    answer = Phone().ask("GET", reverse("overlay-help", args=[match.code]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_builds_the_address_of_its_form(match: Match) -> None:
    form = "?place=top&shape=row&lang=zh-hans&size=120&edge=2&veil=85&ground=%23121518"
    form += "&show=score&show=round&show=turn"
    text = html.unescape(built(match, form))
    path = f"/t/{match.code}/overlay?place=top&size=120&show=score%2Cround%2Cturn&lang=zh-hans"
    assert f'<input id="address" value="http://testserver{path}"' in text
    assert f'<iframe src="{path}"' in text


def test_the_page_tells_what_cannot_be_used(match: Match) -> None:
    assert built(match, "?size=9&veil=x").count('role="alert"') == 2
    assert 'role="alert"' not in built(match)


def test_the_page_offers_the_colours_of_its_seats(match: Match) -> None:
    names = re.findall(r'<input type="color" name="(\w+)" value="(#\w{6})">', built(match))
    assert [name for name, _value in names] == ["ground", "ink", "seat1", "seat2"]


def test_two_languages_are_offered(match: Match) -> None:
    assert 'value="zh-hans" selected' in built(match, "?lang=zh-hans")
    assert 'value="zh-hans" selected' not in built(match, "?lang=xx")
