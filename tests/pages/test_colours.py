"""Colours that everybody can read and tell apart, computed from the tokens of the stylesheet.

Contrast is WCAG 2's; colour-blind eyes are simulated with the matrices of Machado, Oliveira and
Fernandes (2009) at full severity, and differences measured in CIELAB.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest

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
    light, dark = re.search(
        rf"\.s{number} {{ --seat: var\(--light, (#\w+)\) var\(--dark, (#\w+)\)", SHEET
    ).groups()
    return linear(light if scheme == "light" else dark)


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
@pytest.mark.parametrize("number", range(1, 7))
def test_a_seats_colour_is_read_on_every_ground_and_under_its_words(scheme: str, number: int) -> None:
    colour = seat(number, scheme)
    for ground in ("paper", "surface", "raised"):
        assert contrast(colour, token(ground, scheme)) >= AA
    assert contrast(colour, token("on-seat", scheme)) >= AA


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_all_seats_are_told_apart_by_every_eye(scheme: str, blindness: str) -> None:
    seen = [seen_with(blindness, seat(number, scheme)) for number in range(1, 7)]
    assert difference(seen[0], seen[1]) >= 2 * EASILY_TOLD
    assert min(difference(one, other) for one, other in combinations(seen, 2)) >= EASILY_TOLD


def test_every_seat_has_a_shape_of_its_own() -> None:
    icons = (gallery.ROOT / "templates/parts/icons.html").read_text(encoding="utf-8")
    shapes = re.findall(r'<symbol id="s(\d)"[^>]*>(.*?)</symbol>', icons, re.S)
    assert [number for number, _shape in shapes] == ["1", "2", "3", "4", "5", "6"]
    assert all(one != other for (_a, one), (_b, other) in combinations(shapes, 2))
