"""From the lifted thumb to the frame that shows a pressed button, on a slow phone with a slow server."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")
os.environ["ROUNDTABLE_DATA"] = tempfile.mkdtemp()
# The driver runs a loop in this thread, so Django would take every query here for an async one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

import django  # noqa: E402 - the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from tests.bench import printer  # noqa: E402
from tests.browser.driving import SET_UP, Screen, opened, until  # noqa: E402
from tests.conftest import BROWSER_ARGUMENTS, chromium  # noqa: E402
from tests.serving import Served  # noqa: E402

SLOWER = 4
SERVER_SECONDS = 0.4
TAPS = 12

STOPWATCH = """
  window.answers = [];
  addEventListener("pointerup", (event) => {
    requestAnimationFrame(function look() {
      if (!document.querySelector("[data-pending]")) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.answers.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(0);
    });
  }, { capture: true, once: false });
"""

BARE = """
  document.querySelector("button").addEventListener("click", ({ target }) => {
    target.toggleAttribute("data-pending", true);
    setTimeout(() => target.removeAttribute("data-pending"), 60);
  });
"""


def slowed(page: Any) -> None:
    """Slow a page's phone down to a fraction of this machine's speed."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def floor(page: Any) -> list[float]:
    """What the browser itself needs to show one pressed button on an empty page, in milliseconds."""
    page.set_content(f"<button>x</button><script>{STOPWATCH}{BARE}</script>")
    slowed(page)
    for _each in range(TAPS):
        page.tap("button")
        page.wait_for_timeout(100)
    return list(page.evaluate("window.answers"))


def taps(page: Any) -> list[float]:
    """Milliseconds until a tapped note about the acting unit shows, long before its answer arrives."""
    match, phone = opened(SET_UP), Screen(page)
    page.add_init_script(STOPWATCH)
    phone.sit_down(match, "red")
    slowed(page)
    page.route("**/adjust", lambda route: (time.sleep(SERVER_SECONDS), route.continue_()))
    version = phone.tap(next(offer for offer in phone.offers if offer.startswith("activate:")))
    for _each in range(TAPS):
        until(lambda: page.locator("[data-pending]").count() == 0, 10, screen=phone)
        phone.press(next(note for note in phone.notes if "engage:" in note))
        version += 1
        phone.reaches(version, 10)
    return list(page.evaluate("window.answers"))


def main() -> None:
    path = chromium()
    if path is None:
        print("\nNo Chromium is installed: how soon a tap is seen was not measured.")
        return
    call_command("migrate", verbosity=0)
    served = Served().start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
            device = {"base_url": served.url, "viewport": {"width": 390, "height": 844}, "has_touch": True}
            bare, seen = (ask(browser.new_context(**device).new_page()) for ask in (floor, taps))
    finally:
        served.close()
    printer.title(f"A tap is seen, in milliseconds, at a {SLOWER}th of the speed (aim: 100 ms)")
    printer.line("a bare button on an empty page", bare)
    printer.line("a tap at the table", seen, bare)


if __name__ == "__main__":
    main()
