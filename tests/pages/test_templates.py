"""Every page and fragment as the templates draw it: sound markup, no leaks, small enough."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import brotli
import pytest
from django.conf import settings

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


def sent(path: Path) -> int:
    """Bytes on the wire of a static file, as it is collected."""
    text = path.read_text(encoding="utf-8")
    return weight(small(path.name, text) if "vendor" not in path.parts else text)


BUDGETS = {
    "styles of a match": 6.4,
    "styles of more than two seats": 0.64,
    "styles of a wide screen": 0.34,
    "styles of a map": 1.74,
    "what a map adds to a television": 0.5,
    "styles of the score card": 6.0,
    "styles of the watchers' page": 6.0,
    "scripts of the watchers' page": 3.0,
    "styles of the organisers' pages": 6.5,
    "styles of the wall": 5.0,
    "styles of a television": 6.0,
    "what a television's page in the hand adds": 1.2,
    "scripts of a television": 3.0,
    "styles of an overlay": 5.0,
    "styles of a frame": 5.0,
    "styles of the statistics": 7.0,
    "styles of the printed match": 6.0,
    "styles of an event's page": 6.27,
    "scripts of an event's page": 3.1,
    "styles of an event's television": 6.44,
    "styles of a printed event": 6.0,
    "what an event adds to a table's page": 2.0,
    "what first steps add to a table's page": 1.0,
    "styles of first steps' own pages": 6.0,
    "styles of an army's page": 6.0,
    "styles of a replay, besides those of a match": 1.5,
    "our scripts of a replay": 3.2,
    "scripts of a match": 19.68,
    "our scripts of a match": 7.58,
    "scripts that keep a phone's copy": 1.5,
    "a board": 3.0,
    "a match page": 6.0,
}
"""What each may weigh on the wire, in kilobytes of 1,024 bytes."""


SENT = {
    "styles of more than two seats": "table/many.css",
    "styles of a wide screen": "table/wide.css",
    "styles of the score card": "site/app.css site/pages.css records/score.css",
    "styles of the watchers' page": "site/app.css watching/watch.css",
    "scripts of the watchers' page": "site/install.js site/client.js watching/watch.js",
    "styles of the organisers' pages": "site/app.css site/pages.css hall/organiser/organiser.css",
    "styles of the wall": "site/app.css hall/organiser/organiser.css",
    "styles of a television": "site/app.css watching/screen.css",
    "what a television's page in the hand adds": "watching/close.css",
    "scripts of a television": "site/client.js watching/watch.js watching/screen.js",
    "styles of an overlay": "site/app.css watching/overlay.css",
    "styles of a frame": "site/app.css watching/embed.css",
    "styles of the statistics": "site/app.css site/pages.css records/score.css records/statistics.css",
    "styles of the printed match": "site/app.css site/pages.css records/print.css",
    "styles of an event's page": "site/app.css site/pages.css hall/hall.css",
    "scripts of an event's page": "site/client.js watching/watch.js hall/hall.js",
    "styles of an event's television": "site/app.css watching/screen.css hall/tv.css",
    "styles of a printed event": "site/app.css site/pages.css hall/print.css",
    "what an event adds to a table's page": "hall/strip.css hall/strip.js hall/hall.js",
    "what first steps add to a table's page": "table/first-steps.css table/first-steps.js",
    "styles of first steps' own pages": "site/app.css site/pages.css opening/first-steps.css",
    "styles of an army's page": "site/app.css site/pages.css opening/lists.css",
    "styles of a replay, besides those of a match": "records/replay.css",
    "our scripts of a replay": "site/client.js records/replay.js",
}
"""Files that are asked for together."""


def weights() -> dict[str, int]:
    """What each weighs."""
    static = gallery.ROOT / "static"
    own = {path: sent(path) for path in gallery.ROOT.glob("games/systems/*/static/*/*.css")}
    maps = [size for path, size in own.items() if path.name == "map.css"]
    screens = [size for path, size in own.items() if path.name == "screen.css"]
    games = [size for path, size in own.items() if path.name not in ("map.css", "screen.css")]
    table = re.findall(r'src="/static/([\w/.]+js)"', gallery.render("ask"))
    scripts = {name: sent(static / name) for name in table}
    vendors, install = scripts["vendor/htmx.min.js"], scripts["site/install.js"]
    worker = weight((static / "site/worker.js").read_text(encoding="utf-8"))
    return {
        **{what: sum(sent(static / name) for name in names.split()) for what, names in SENT.items()},
        "styles of a match": sent(static / "site/app.css") + sent(static / "table/table.css") + max(games),
        "styles of a map": max(maps),
        "what a map adds to a television": max(screens),
        "scripts of a match": sum(scripts.values()),
        "our scripts of a match": sum(scripts.values()) - vendors - install,
        "scripts that keep a phone's copy": worker + sent(static / "site/offline.js") + install,
        "a board": weight(drawn("board")),
        "a match page": weight(gallery.render("ask")),
    }


def test_the_pages_stay_small() -> None:
    found = weights()
    assert found.keys() == BUDGETS.keys()
    assert {what: size for what, size in found.items() if size > BUDGETS[what] * 1024} == {}
