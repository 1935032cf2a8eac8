"""Every page and fragment as the templates draw it: sound markup, no leaks, small enough."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from config.static import small
from tests.pages import gallery

gallery.configure()

from tests.pages.samples.pages import FRAGMENTS, PAGES, SCREENS  # noqa: E402 - settings first

VOID = {"base", "meta", "link", "input", "img", "br", "hr"}
SVG_EMPTY = {"path", "circle", "ellipse", "rect", "use"}


class Page(HTMLParser):
    """A page read strictly: tags must close, ids must be unique."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag; a repeated attribute is a mistake."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.tags.append((tag, dict(attrs)))
        self.ids.update(value for name, value in attrs if name == "id" and value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Only drawings close themselves."""
        assert tag in SVG_EMPTY, tag
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Each end belongs to the last beginning."""
        assert self.open, tag
        assert self.open.pop() == tag


def drawn(name: str) -> str:
    """The fragment of that name."""
    template, context = FRAGMENTS[name]
    return gallery.draw(template, context)


@pytest.mark.parametrize("name", sorted(PAGES | SCREENS))
def test_a_page_is_sound(name: str) -> None:
    page = Page(gallery.render(name))
    assert [key for key, count in page.ids.items() if count > 1] == []
    used = {attrs["href"] for tag, attrs in page.tags if tag == "use"}
    assert used <= {f"#{key}" for key in page.ids}, "an icon that is not in the sheets"
    labels = {attrs["for"] for tag, attrs in page.tags if tag == "label" and "for" in attrs}
    assert labels <= set(page.ids)


@pytest.mark.parametrize("name", sorted(PAGES | SCREENS))
def test_a_picture_has_a_name_or_is_hidden_from_who_listens(name: str) -> None:
    pictures = [attrs for tag, attrs in Page(gallery.render(name)).tags if tag == "svg"]
    assert [one for one in pictures if not {"aria-hidden", "role"} & one.keys()] == []


@pytest.mark.parametrize("name", sorted(PAGES | SCREENS))
def test_a_page_passes_a_strict_content_policy(name: str) -> None:
    for tag, attrs in Page(gallery.render(name)).tags:
        assert not [key for key in attrs if key == "style" or key.startswith("on")], (tag, attrs)
        assert tag != "style"
        if tag == "script":
            assert (attrs.get("src") or "").startswith("/static/")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_page_has_the_language_switch_and_one_heading(name: str) -> None:
    source = gallery.render(name)
    for language, called in settings.LANGUAGES:
        assert re.search(rf'value="{language}"[^>]*>\s*{called}', source)
    assert source.count("<h1") == 1


@pytest.mark.parametrize("name", sorted(FRAGMENTS))
def test_a_fragment_holds_no_token_and_no_key(name: str) -> None:
    page = Page(drawn(name))
    names = {attrs.get("name") for _, attrs in page.tags}
    assert not names & {"csrfmiddlewaretoken", "key"}


def test_the_board_begins_and_ends_with_its_element() -> None:
    source = drawn("board")
    assert source.startswith('<main id="board"')
    assert source.endswith("</main>")


def test_every_offer_has_one_control() -> None:
    page = Page(drawn("board"))
    actions = [
        attrs["value"]
        for _, attrs in page.tags
        if attrs.get("form") == "table" and attrs.get("name") == "action"
    ]
    assert sorted(actions) == [
        "activate:arya",
        "activate:crossbowmen",
        "activate:honor-guard",
        "activate:trackers",
    ]


def test_a_spectator_gets_no_control_that_posts() -> None:
    posting = [attrs for tag, attrs in Page(gallery.render("watch")).tags if attrs.get("form")]
    assert posting == []


def test_words_from_people_stay_words() -> None:
    from msgspec.structs import replace

    from tests.pages.samples.boards import board_ask

    board = board_ask()
    name = "<img src=x onerror=alert(1)>\"' hx-get=/x"
    seat = replace(board.header.seats[0], name=name)
    header = replace(board.header, seats=(seat, board.header.seats[1]))
    side = replace(board.sides[0], name=name)
    source = gallery.draw(
        "table/board.html", {"board": replace(board, header=header, sides=(side, board.sides[1]))}
    )
    assert "<img" not in source
    assert all("hx-get" not in attrs for _, attrs in Page(source).tags)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_no_page_shows_its_template(name: str) -> None:
    source = re.sub(r"<textarea.*?</textarea>", "", gallery.render(name), flags=re.S)
    assert "{{" not in source
    assert "{%" not in source
    assert "\n" not in source, "a line break that was written for readers of the template"


def weight(text: str) -> int:
    """Bytes on the wire."""
    return len(brotli.compress(text.encode()))


BUDGETS = {
    "home": (4.2, 0),
    "lists-read": (4.4, 0),
    "lobby": (6.2, 8.2),
    "ask": (6.2, 8.2),
    "watch": (6.2, 7.6),
    "replay": (7.7, 4),
    "watching": (4.9, 2.3),
    "score": (4.7, 0),
    "statistics": (5, 0),
    "print": (4.9, 0),
    "tv": (5.5, 2.7),
    "overlay": (3.7, 2.3),
    "embed": (3.5, 2.3),
    "event": (5.8, 2.8),
    "event-tv": (6.7, 3.4),
    "event-print-round": (4.9, 0),
}
"""What the styles and the scripts of a page may weigh on the wire, in kilobytes of 1,024 bytes."""
ADDED = {
    "table/many.css": 0.64,
    "agot/map.css": 1.9,
    "agot/map.js": 1.7,
    "bushido/clock.js": 0.6,
    "hall/strip.css hall/strip.js hall/hall.js": 2,
    "table/first-steps.css table/first-steps.js": 1,
    "table/facing.css": 1,
    "site/install.js": 0.5,
}
"""What some tables' pages load besides."""


def loaded(source: str, kind: str) -> str:
    """The style sheet or the script that a page loads, as it is collected."""
    address = re.search(rf'"(/static/\+[^"]+\.{kind})"', source)
    text = Client().get(address[1]).content.decode() if address else ""
    return small(f"all.{kind}", text)


def sent(names: str) -> int:
    """Bytes on the wire of static files, as they are collected."""
    paths = [Path(finders.find(name) or "") for name in names.split()]
    return sum(weight(small(path.name, path.read_text(encoding="utf-8"))) for path in paths)


@pytest.mark.parametrize("name", sorted(BUDGETS))
def test_the_files_of_a_page_stay_small(name: str) -> None:
    source = gallery.render(name)
    sizes = [weight(loaded(source, kind)) / 1024 for kind in ("css", "js")]
    assert [size for size, budget in zip(sizes, BUDGETS[name], strict=True) if size > budget + 0.001] == []


def test_what_some_tables_add_stays_small() -> None:
    sizes = {names: sent(names) / 1024 for names in ADDED}
    assert {names: size for names, size in sizes.items() if size > ADDED[names]} == {}


def test_a_board_and_its_page_stay_small() -> None:
    assert weight(drawn("board")) < 3 * 1024
    assert weight(gallery.render("ask")) < 6 * 1024


@pytest.mark.parametrize("name", sorted(PAGES | SCREENS))
def test_a_page_loads_one_style_sheet_and_one_script(name: str) -> None:
    tags = Page(gallery.render(name)).tags
    styles = [attrs["href"] for tag, attrs in tags if tag == "link" and attrs["rel"] == "stylesheet"]
    scripts = [attrs["src"] for tag, attrs in tags if tag == "script"]
    assert sum("/static/+" in address for address in styles) == 1
    assert len([one for one in scripts if not re.search("site/install|vendor/", one)]) <= 1
    assert len(styles) == 1 or name in ("over", "overlay", "piece")
