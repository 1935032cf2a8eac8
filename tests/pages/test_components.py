"""Every part of the design can be drawn with sample values, without a match."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from games.templating import _cached
from tests.pages import gallery
from tests.pages.samples import components

PARTS = {
    f"{folder}/{path.name}"
    for folder in ("opening", "parts", "table", "records", "site")
    for path in (gallery.ROOT / "templates" / folder).glob("*.html")
    if "macro draw(" in path.read_text(encoding="utf-8")
}
FRAME = {"parts/forms.html", "parts/icons.html", "parts/language.html", "parts/share.html"}
"""What stands around every page instead of on it."""
ON_PAGES = {
    "opening/brought.html",
    "opening/choice.html",
    "opening/home_links.html",
    "opening/new_choice.html",
    "opening/sitting.html",
    "opening/warnings.html",
    "parts/back.html",
    "parts/described.html",
    "parts/feed.html",
    "parts/listed_event.html",
    "parts/options.html",
    "parts/post.html",
    "parts/sides.html",
    "parts/waiting.html",
    "table/adjusted.html",
    "table/board.html",
    "table/calls.html",
    "table/ending_links.html",
    "records/course.html",
    "records/moment.html",
    "records/printed.html",
    "records/printed_place.html",
    "records/replay_icons.html",
    "records/stat_rows.html",
    "records/story.html",
    "site/trusting.html",
}
"""Controls of plain forms, and what one page or one folder is made of: their pages show them."""


@pytest.fixture
def drawn() -> Iterator[set[str]]:
    """The names of all parts that are drawn meanwhile."""
    names: set[str] = set()
    _cached.cache_clear()

    def note(frame: FrameType, event: str, _given: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name == "draw" and path.suffix == ".html":
            names.add(f"{path.parent.name}/{path.name}")

    before = sys.getprofile()
    sys.setprofile(note)
    yield names
    sys.setprofile(before)


def test_every_part_has_a_sample(drawn: set[str]) -> None:
    for kind in components.kinds():
        for sample in kind.samples:
            assert gallery.draw(sample.template, sample.context), (kind.title, sample.label)
    assert PARTS - drawn - FRAME == ON_PAGES
