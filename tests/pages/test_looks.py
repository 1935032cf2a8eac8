"""Every page in a real browser: readable by everybody, reachable by a thumb, nothing cut off."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pages import gallery

pytestmark = pytest.mark.browser

sync_api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, textarea, input")]
  .filter(e => !e.matches(".unseen, .skip, svg a, [type=radio], [type=checkbox], [type=hidden]"))
  .filter(e => e.checkVisibility())
  .map(e => [e.getBoundingClientRect(), e.outerHTML.slice(0, 90)])
  .filter(([box]) => box.width && (box.width < 47.5 || box.height < 47.5))
  .map(([box, html]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)"""
"""Targets below 44 pixels. What is small on a map is zoomed, and stands in list and bar as well."""
CROSSWISE = "document.documentElement.scrollWidth - innerWidth"
CHECK = """async options => {
  const found = await axe.run({ ...options, resultTypes: ["violations"] });
  return [found.passes.length, found.violations.map(each => [each.id, each.nodes[0].html])];
}"""
"""What the accessibility checker objects to; of what it accepts it need not tell the places."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that says nothing."""

    def log_message(self, *parts: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the gallery is served."""
    folder = Path(tmp_path_factory.mktemp("gallery"))
    gallery.write(folder)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def names() -> list[str]:
    """All pages of the gallery."""
    gallery.configure()
    from tests.pages.samples.pages import PAGES

    return sorted(PAGES)


@pytest.fixture(scope="module")
def phone(browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    """The one phone on which all pages are looked at: opening another takes as long as a page."""
    opened = browser.new_page(reduced_motion="reduce")
    # A gallery has no table behind it: a page that were told so would load itself again.
    opened.route(re.compile(r"/(t|live)/"), lambda route: route.abort())
    yield opened
    opened.context.close()


@pytest.fixture(params=names())
def page(request: pytest.FixtureRequest, phone: sync_api.Page, address: str) -> sync_api.Page:
    """Each page of the gallery on a phone."""
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.emulate_media(color_scheme="light")
    phone.context.clear_cookies()
    phone.goto(f"{address}/{request.param}.html")
    return phone


def problems(page: sync_api.Page, only: dict[str, object]) -> list[tuple[str, str]]:
    """What the accessibility checker objects to, with the first example of each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.Axe().axe_script)
    passed, told = page.evaluate(CHECK, {"runOnly": only})
    assert passed, "the checker did not run"
    # The checker takes whatever stands in a disabled group of fields for disabled, also what can be scrolled.
    return [
        (rule, html)
        for rule, html in told
        if rule != "scrollable-region-focusable" or 'tabindex="0"' not in html
    ]


def test_a_page_serves_every_eye_thumb_and_screen(page: sync_api.Page) -> None:
    assert page.evaluate(SMALL) == []
    assert problems(page, {"type": "tag", "values": RULES}) == []
    page.emulate_media(color_scheme="dark")
    assert problems(page, {"type": "rule", "values": ["color-contrast"]}) == []
    for width, height in ((320, 640), (195, 422), (844, 390), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CROSSWISE) <= 0, f"{width} wide"
    page.evaluate("document.documentElement.dir = 'rtl'")
    for width, height in ((390, 844), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CROSSWISE) <= 0, f"{width} wide from right to left"
