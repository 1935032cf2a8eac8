"""A phone whose browser is not Chromium: what `Screen` sees and does, in Firefox and WebKit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.models import Match
from tests.browser.driving import link, until
from tests.browser.engines.driver import Browser, Refused

LISTEN = """
  if (!window.faults) {
    window.faults = [];
    addEventListener("error", (event) => faults.push(event.message));
    addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
  }
"""


class Phone:
    """One of the two browsers at a table; `base` is the server's address."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.browser = browser
        self.base = base
        browser.size(390, 844)

    def goto(self, path: str) -> Phone:
        """Go to an address; a path is one on the server."""
        self.browser.goto(path if "://" in path else self.base + path)
        return self

    def sit_down(self, match: Match, seat: str) -> Phone:
        """Claim a seat by its link and come to the table."""
        self.goto(link(match, seat))
        self.browser.tap("button.main")
        self.until(lambda: "/claim/" not in self.ask("location.pathname"))
        match.refresh_from_db()
        return self.goto(f"/t/{match.code}/").live()

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.browser.run(f"return {expression}")

    def until(self, condition: Callable[[], object], seconds: float = 40) -> None:
        def holds() -> object:
            try:
                return condition()
            except Refused:
                return False  # A page that is just being left runs no script.

        until(holds, seconds)

    def sees(self, selector: str) -> None:
        """Wait until there is such an element."""
        try:
            self.until(lambda: self.has(selector))
        except AssertionError:
            shown = self.ask("location.pathname + '\\n' + document.body.innerText")
            raise AssertionError(f"{self.browser.name} shows no {selector}, but {shown}") from None

    def has(self, selector: str) -> bool:
        return bool(self.browser.run("return document.querySelector(arguments[0]) !== null", selector))

    def live(self) -> Phone:
        """Wait until the stream is open; from then on faults are recorded."""
        self.sees("#link[data-link=live]")
        self.browser.run(LISTEN)
        return self

    def reaches(self, version: int) -> None:
        """Wait until this version is shown."""
        self.sees(f"#board[data-version='{version}']")

    @property
    def version(self) -> int:
        return int(self.ask("document.getElementById('board').dataset.version"))

    @property
    def state(self) -> str:
        return str(self.ask("document.getElementById('board').dataset.state"))

    @property
    def offers(self) -> list[str]:
        return self._values("button[form=table][name=action]")

    @property
    def notes(self) -> list[str]:
        return self._values(".note button[form=adjust]")

    def _values(self, selector: str) -> list[str]:
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.value)", selector
        )
        return found

    def press(self, value: str) -> None:
        """Tap the one button with this value, opening its folds and waiting while it rests."""
        button = f"button[name][value='{value}']"
        folded = f"details:not([open]):has({button})"
        while self.has(folded):
            self.browser.tap(f"{folded} > summary")
        self.browser.tap(f"{button}:not([data-fresh])")

    def tap(self, value: str) -> int:
        """Tap a button, and wait for the board that it leads to; returns its version."""
        before = self.version
        self.press(value)
        self.reaches(before + 1)
        return before + 1

    def says(self, selector: str) -> str:
        """The text of an element as it is shown."""
        words = self.browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return " ".join(words.split())

    @property
    def faults(self) -> list[str]:
        """What went wrong since the stream opened; a page that was loaded again is a fault, too."""
        found: list[str] = self.ask("window.faults ?? ['loaded again']")
        return found
