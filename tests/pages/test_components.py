"""The component page shows what there is, and is itself a page for everybody."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from games.templating import _cached, _cached_large
from tests.pages import gallery

PARTS = {f"parts/{path.name}" for path in (gallery.ROOT / "templates/parts").glob("*.html")}
FRAME = {"parts/forms.html", "parts/icons.html", "parts/language.html", "parts/share.html"}
"""What stands around every page instead of on it."""
ON_PAGES = {
    "parts/back.html",
    "parts/brought.html",
    "parts/builder_choice.html",
    "parts/built.html",
    "parts/calls.html",
    "parts/choice.html",
    "parts/course.html",
    "parts/home_links.html",
    "parts/moment.html",
    "parts/new_choice.html",
    "parts/post.html",
    "parts/printed.html",
    "parts/replay_icons.html",
    "parts/sides.html",
    "parts/stat_rows.html",
    "parts/trusting.html",
    "parts/warnings.html",
}
"""Controls of plain forms, and what one page alone is made of: their pages show them."""


@pytest.fixture
def drawn() -> Iterator[set[str]]:
    """The names of all parts that are drawn meanwhile."""
    names: set[str] = set()
    _cached.cache_clear()
    _cached_large.cache_clear()

    def note(frame: FrameType, event: str, _given: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name == "draw" and path.suffix == ".html":
            names.add(f"{path.parent.name}/{path.name}")

    before = sys.getprofile()
    sys.setprofile(note)
    yield names
    sys.setprofile(before)


@pytest.mark.django_db
def test_every_part_is_shown(client, drawn: set[str]) -> None:
    answer = client.get("/components")
    assert answer.status_code == 200
    assert PARTS - drawn - FRAME == ON_PAGES
    assert answer.content.decode().count("in-dark") > 40


@pytest.mark.django_db
def test_its_headings_are_translated(client) -> None:
    text = client.get("/components", headers={"accept-language": "zh-hans"}).content.decode()
    assert "组件" in text


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 390, 1440])
def test_it_fits_and_everybody_can_read_it(page, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/components")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = axe.Axe().run(page, options={"runOnly": {"type": "rule", "values": ["color-contrast"]}}).response
    assert found["passes"]
    assert [each["nodes"][0]["html"] for each in found["violations"]] == []
