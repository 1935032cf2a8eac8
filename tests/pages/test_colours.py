"""Colours that everybody can read and tell apart, computed from the tokens of the stylesheet.

Contrast is WCAG 2's; colour-blind eyes are simulated with the matrices of Machado, Oliveira and
Fernandes (2009) at full severity, and differences measured in CIELAB.
"""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from games.pictures import poster
from tests.pages import gallery

SHEET = (gallery.ROOT / "static/site/app.css").read_text(encoding="utf-8")
PAIR = r"var\(--light, (#\w+)\) var\(--dark, (#\w+)\)"
SCHEMES = ("light", "dark")
AA, AAA = 4.5, 7.0
EASILY_TOLD = 18.0
"""Differences in CIELAB below 10 are small; this is almost twice what two patches side by side need."""

Colour = tuple[float, float, float]

BLINDNESS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def token(name: str, scheme: str) -> Colour:
    """A colour of the stylesheet as linear light."""
    light, dark = re.search(rf"--{name}: {PAIR}", SHEET).groups()
    return linear(light if scheme == "light" else dark)


def seat(number: int, scheme: str) -> Colour:
    """The colour of a seat's words and edges, which a ground shows."""
    light, dark = re.search(
        rf"\.s{number} {{ --seat: var\(--light, (#\w+)\) var\(--dark, (#\w+)\)", SHEET
    ).groups()
    return linear(light if scheme == "light" else dark)


def printed(number: int) -> Colour:
    """The colour of a house as it is printed, the same in both schemes."""
    return linear(re.search(rf"\.s{number} {{ --seat: .*--fill: (#\w+);", SHEET)[1])


def on_printed(number: int) -> Colour:
    """The colour of words on it."""
    return linear(re.search(rf"\.s{number}\b[^{{]* {{ --on-fill: (#\w+);", SHEET)[1])


def linear(code: str) -> Colour:
    values = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour: Colour) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), colour, strict=True))


def seen_with(blindness: str, colour: Colour) -> Colour:
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, colour, strict=True))))
        for row in BLINDNESS[blindness]
    )
    return red, green, blue


def lab(colour: Colour) -> Colour:
    red, green, blue = colour
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Colour, other: Colour) -> float:
    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5


def test_the_measures_are_right() -> None:
    assert contrast(linear("#000000"), linear("#ffffff")) == pytest.approx(21)
    assert difference(linear("#000000"), linear("#ffffff")) == pytest.approx(100, abs=0.1)
    red, green = linear("#aa3300"), linear("#3c7800")
    assert difference(*(seen_with("deuteranopia", one) for one in (red, green))) < difference(red, green) / 2


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_is_read_across_a_table(scheme: str) -> None:
    grounds = [token(name, scheme) for name in ("paper", "surface", "raised")]
    for ground in grounds:
        assert contrast(token("ink", scheme), ground) >= AAA
        assert contrast(token("muted", scheme), ground) >= AA
        assert contrast(token("bad", scheme), ground) >= AA


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("number", range(1, 9))
def test_a_seats_colour_is_read_on_every_ground(scheme: str, number: int) -> None:
    colour = seat(number, scheme)
    for ground in ("paper", "surface", "raised"):
        assert contrast(colour, token(ground, scheme)) >= AA


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("number", [1, 2])
def test_the_colours_of_two_are_read_under_their_words(scheme: str, number: int) -> None:
    assert contrast(seat(number, scheme), token("on-seat", scheme)) >= AA


@pytest.mark.parametrize("number", range(3, 9))
def test_words_are_read_on_the_printed_colour_of_a_house(number: int) -> None:
    assert contrast(printed(number), on_printed(number)) >= AA


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_two_seats_are_told_apart_by_every_eye(scheme: str, blindness: str) -> None:
    assert difference(*(seen_with(blindness, seat(number, scheme)) for number in (1, 2))) >= 2 * EASILY_TOLD


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_all_houses_are_told_apart_by_every_eye(blindness: str) -> None:
    seen = [seen_with(blindness, printed(number)) for number in range(3, 9)]
    assert min(difference(one, other) for one, other in combinations(seen, 2)) >= EASILY_TOLD


def test_houses_wear_the_colours_of_their_print() -> None:
    """White-grey, red, yellow, black, green, orange: lightness, chroma and hue in CIELAB."""
    stark, lannister, baratheon, greyjoy, tyrell, martell = (lab(printed(number)) for number in range(3, 9))
    assert stark[0] > 85
    assert greyjoy[0] < 15
    assert max(math.hypot(*colour[1:]) for colour in (stark, greyjoy)) < 8
    hues = [math.degrees(math.atan2(b, a)) for _l, a, b in (lannister, martell, baratheon, tyrell)]
    assert [hue // 20 for hue in hues] == [1, 2, 4, 7], "red, orange, yellow, green"
    assert all(math.hypot(*colour[1:]) > 35 for colour in (lannister, martell, baratheon, tyrell))


def test_the_picture_of_a_result_wears_the_colours_of_the_pages() -> None:
    assert [linear(colour) for colour in poster.SEATS[1:]] == [
        seat(number, "light") for number in range(1, 9)
    ]
    assert [linear(colour) for colour in poster.FILLS[3:]] == [printed(number) for number in range(3, 9)]


def test_every_seat_has_a_shape_of_its_own() -> None:
    icons = (gallery.ROOT / "templates/parts/icons.html").read_text(encoding="utf-8")
    shapes = re.findall(r'<symbol id="s(\d)"[^>]*>(.*?)</symbol>', icons, re.S)
    assert [number for number, _shape in shapes] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert all(one != other for (_a, one), (_b, other) in combinations(shapes[2:], 2))
    assert [shape for _number, shape in shapes[:2]] == [shape for _number, shape in shapes[2:4]]
