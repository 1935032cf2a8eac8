"""The program on the phone: it opens without a connection, says so plainly, and keeps no position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.driving import SET_UP, Screen, link, opened
from tests.serving import Served

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

READY = "navigator.serviceWorker.ready.then(() => true)"
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


def kept(page: Any) -> list[str]:
    """Every address whose answer the phone keeps."""
    return page.evaluate(KEPT)


def installed(screen: Screens, **options: Any) -> Screen:
    phone = screen(service_workers="allow", **options)
    phone.page.goto("/")
    phone.page.evaluate(READY)
    phone.page.wait_for_timeout(200)
    return phone


def test_the_worker_obeys_the_content_policy_and_keeps_no_position(screen: Screens) -> None:
    phone = installed(screen)
    match = opened(SET_UP)
    secret = link(match, "red")
    phone.sit_down(match, "red")
    phone.tap(next(offer for offer in phone.offers if offer.startswith("activate:")))
    for path in ("history", "seats", "verify"):
        phone.page.goto(f"/t/{match.code}/{path}")
    assert phone.faults == []
    phone.page.goto(f"/api/matches/{match.code}")
    phone.page.goto("/admin/login/")
    paths = kept(phone.page)
    assert "/offline" in paths
    assert secret not in paths
    assert [path for path in paths if not path.startswith("/static/")] == ["/offline"]


def test_without_a_connection_one_page_says_so_and_makes_way_by_itself(
    screen: Screens, served: Served
) -> None:
    match = opened(SET_UP)
    phone = installed(screen, base_url=served.url)
    phone.sit_down(match, "red")
    served.stop()
    phone.page.reload()
    assert phone.says("h1") == "No connection"
    assert match.code not in phone.page.content()
    assert "Ada" not in phone.page.content()
    assert phone.page.evaluate("getComputedStyle(document.querySelector('.brand')).display") == "flex"
    served.start()
    phone.page.wait_for_selector("#board", state="attached", timeout=10000)
    phone.live()


def test_the_page_speaks_the_language_that_was_read_last(screen: Screens, served: Served) -> None:
    phone = installed(screen, base_url=served.url)
    phone.page.tap("button[value=zh-hans]")
    phone.page.wait_for_selector("html[lang=zh-hans]")
    phone.page.wait_for_timeout(500)
    served.stop()
    phone.page.goto("/new")
    assert phone.says("h1") == "没有连接"


def test_hashed_files_come_from_the_phone_first(screen: Screens) -> None:
    phone = installed(screen)
    said = phone.page.evaluate("""async () => {
      const [name] = await caches.keys();
      const cache = await caches.open(name);
      await cache.put("/static/app.0123456789ab.css", new Response("kept"));
      await cache.put("/static/site/app.css", new Response("kept"));
      const read = async (path) => (await fetch(path)).text();
      return [await read("/static/app.0123456789ab.css"), await read("/static/site/app.css")];
    }""")
    assert said[0] == "kept"
    assert said[1] != "kept"


def test_an_older_version_makes_way(screen: Screens) -> None:
    phone = screen(service_workers="allow")
    # One of our pages would install the worker at once, but what an older worker left must be there first.
    phone.page.goto("/healthz")
    phone.page.evaluate("caches.open('roundtable-000000000000')")
    phone.page.evaluate("caches.open('another-program')")
    phone.page.goto("/")
    phone.page.evaluate(READY)
    phone.page.wait_for_function("""async () => {
      const names = await caches.keys();
      return names.length === 2 && !names.includes("roundtable-000000000000");
    }""")
    assert "another-program" in phone.page.evaluate("caches.keys()")


def test_without_encryption_what_was_kept_goes(screen: Screens, settings) -> None:
    phone = installed(screen)
    assert len(kept(phone.page)) > 3
    settings.LAN = True
    phone.page.reload()
    phone.page.wait_for_timeout(500)
    assert kept(phone.page) == []
    assert phone.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_nothing_stands_in_the_way_of_installing(screen: Screens) -> None:
    phone = installed(screen)
    devtools = phone.page.context.new_cdp_session(phone.page)
    assert devtools.send("Page.getAppManifest")["errors"] == []
    hindrances = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in hindrances if each["errorId"] != "in-incognito"] == []
