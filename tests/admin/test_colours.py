"""The admin wears the colours of the tables: the same palette, readable in light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

STATIC = Path(__file__).parents[2] / "static"
ADMIN = (STATIC / "organiser-admin/admin.css").read_text()
APP = (STATIC / "site/app.css").read_text()
PAIR = re.compile(
    r"(--[a-z0-9-]+|\.s\d \{ --seat): var\(--light, (#[0-9a-f]{6})\) var\(--dark, (#[0-9a-f]{6})\);"
)

ON = [
    ("--ink", "--surface"),
    ("--ink", "--paper"),
    ("--ink", "--raised"),
    ("--ink", "--line"),
    ("--muted", "--surface"),
    ("--muted", "--paper"),
    ("--accent", "--surface"),
    ("--accent", "--paper"),
    ("--bad", "--surface"),
    ("--on-seat", "--accent"),
    ("--on-seat", "--bad"),
    ("--on-seat", "--muted"),
]
"""What is written on what."""


def palette(css: str) -> dict[str, tuple[str, str]]:
    return {name: (light, dark) for name, light, dark in reversed(PAIR.findall(css))}


def test_the_palette_is_that_of_the_tables():
    ours, tables = palette(ADMIN), palette(APP)
    shared = ours.keys() & tables.keys()
    assert {name for pair in ON for name in pair} | {f".s{n} {{ --seat" for n in range(1, 9)} <= shared
    assert {name: ours[name] for name in shared} == {name: tables[name] for name in shared}


def test_every_colour_of_the_stock_admin_is_ours():
    stock = Path(finders.find("admin/css/base.css") or "").read_text().partition("color-scheme")[0]
    names = set(re.findall(r"^\s+(--[a-z-]+):", stock, re.MULTILINE)) - {"--font-family-monospace"}
    assert "--header-bg" in names
    assert {name for name in names if f"{name}: " not in ADMIN} == set()


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), ON)
def test_text_can_be_read(text, ground, scheme):
    ours = palette(ADMIN)
    assert contrast(ours[text][scheme], ours[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_edge_of_a_field_is_seen(scheme):
    ours = palette(ADMIN)
    assert contrast(ours["--border-color"][scheme], ours["--surface"][scheme]) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG measures it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
