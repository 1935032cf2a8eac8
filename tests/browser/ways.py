"""How a browser gets to a page or a state of it: ways that can follow one another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.models import Match, Seat
from games.people import seats
from tests.browser.driving import claim

Way = Callable[[Any], None]
Scene = tuple[str, Way]


def at(path: str) -> Way:
    """An address."""
    return lambda page: page.goto(path)


def seated(match: Match, seat: str, path: str = "", also: Way | None = None) -> Way:
    """A seat's phone at its table, or on one of its pages."""

    def go(page: Any) -> None:
        seats.revoke(Seat.objects.select_related("match").get(match=match, key=seat))
        claim(page, match, seat)
        page.goto(f"/t/{match.code}/{path}")
        if not path:
            page.wait_for_selector("#link[data-link=live]", state="attached")
        if also:
            also(page)

    return go


def tab(key: str, scroll_to: str = "") -> Way:
    """Turn to one side of the board, and to something on it."""

    def turn(page: Any) -> None:
        page.click(f"#tab-{key}")
        page.wait_for_timeout(500)
        if scroll_to:
            page.locator(scroll_to).first.scroll_into_view_if_needed()

    return turn


def then(*ways: Way) -> Way:
    """One after the other."""

    def go(page: Any) -> None:
        for way in ways:
            way(page)

    return go


def clicking(selector: str) -> Way:
    """A tap on the one element that matches."""
    return lambda page: page.click(selector)


def unfolded(page: Any) -> None:
    """Open every fold of a page."""
    page.eval_on_selector_all("main details", "all => all.forEach(one => one.open = true)")
