"""In a real browser: names that run nothing, lost seats, pages out of date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from games.match import play
from games.models import Entry, Match, Seat
from games.people import seats
from tests.conftest import Server
from tests.trust import cast
from tests.trust.catalogue import LITERAL

pytestmark = pytest.mark.browser

Device = Any
"""A page of Playwright."""


@pytest.fixture
def odd_table(server: Server) -> Match:
    """The miniatures game, with odd names wherever a name can be."""
    odd = [one.text for one in LITERAL]
    match = play.open_match("tmg", "a-game-of-thrones", {"red": odd[10], "blue": odd[9]})
    lines = "".join(f"• {text} (5)\n" for text in odd)
    for seat in ("red", "blue"):
        play.bring(match.code, seat, f"Faction: Stark\nCombat Units\n{lines}", play.new_key())
    unit = match.units.first()
    for n, text in enumerate(odd):
        hand = ("army/red", f"hand-bonus:red:{1 if n % 4 else -1}")
        path, action = (f"unit/{unit.key}", f"note:{unit.key}") if n % 2 else hand
        play.adjust(match.code, "red", path, action, f"odd-key-{n}", note=text)
    return match


class Watch:
    """What a page does that nobody asked it to."""

    def __init__(self, page: Device, server: Server) -> None:
        self.wrong: list[str] = []
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self.wrong.append(f"error {error}"))
        page.on("console", self.console)
        page.on("request", lambda request: self.request(request, server.url))

    def console(self, message: Any) -> None:
        # The fixture blocks service workers, which would hide requests from these tests.
        if message.type in ("error", "warning") and "Service Worker" not in message.text:
            self.wrong.append(f"console {message.text}")

    def request(self, request: Any, home: str) -> None:
        is_ours = request.url.startswith((home + "/", "data:"))
        if not is_ours or request.method != "GET":
            self.wrong.append(f"{request.method} {request.url}")


def test_names_run_nothing_and_press_no_button(
    phone: Callable[..., Device], server: Server, odd_table: Match
):
    red = sit(phone, odd_table, "red")
    watch = Watch(red, server)
    code = odd_table.code
    sheet = f"/t/{code}/piece/unit/{odd_table.units.first().key}"
    for path in (f"/t/{code}/", f"/t/{code}/history", f"/t/{code}/seats", f"/t/{code}/army/red", sheet, "/"):
        red.goto(path, wait_until="load")
        red.wait_for_timeout(150)
        assert data_made_no_markup(red) == []
    assert watch.wrong == []


def data_made_no_markup(page: Device) -> list[str]:
    """Elements and attributes that only the odd names could have created."""
    return page.evaluate(
        r"""() => [...document.querySelectorAll('*')].flatMap((element) =>
            [...element.attributes].filter(({name, value}) =>
                name.startsWith('on') || ['/undo', 'load'].includes(value) || name === 'src' && value === 'x'
            ).map(({name}) => element.tagName + ' ' + name))"""
    )


def sit(phone: Callable[..., Device], match: Match, key: str) -> Device:
    """A phone that has sat down by its link."""
    page = phone()
    page.goto(cast.link(match, key))
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url(lambda url: "/claim/" not in url)
    return page


@pytest.fixture
def table(server: Server) -> Match:
    return play.open_match("auction", "tracks", {cast.RED: "Red", cast.BLUE: "Blue", cast.OPEN: "Third"})


def test_a_phone_that_lost_its_seat_is_told_so_at_its_next_tap(phone: Callable[..., Device], table: Match):
    red = sit(phone, table, cast.RED)
    button = red.locator("button[name=action]").first
    button.wait_for()
    Seat.objects.filter(match=table, key=cast.RED).update(epoch=99)
    button.click()
    red.get_by_text("This device no longer has the seat.").wait_for()
    assert red.locator("button[name=action]").count() == 0
    assert not Entry.objects.filter(match=table, kind=Entry.Kind.TAP).exists()


def test_a_phone_that_lost_its_seat_stops_showing_it(phone: Callable[..., Device], table: Match):
    red = sit(phone, table, cast.RED)
    red.goto(f"/t/{table.code}/")
    red.locator("button[name=action]").first.wait_for()
    seats.revoke(Seat.objects.select_related("match").get(match=table, key=cast.RED))
    red.locator("button[name=action]").first.wait_for(state="detached", timeout=8000)


def test_a_page_that_is_out_of_date_can_be_tapped_again(phone: Callable[..., Device], table: Match):
    """Its token is no longer valid after somebody signed in to the admin in another tab."""
    red = sit(phone, table, cast.RED)
    red.goto(f"/t/{table.code}/")
    red.locator("button[name=action]").first.wait_for()
    kept = [cookie for cookie in red.context.cookies() if "csrf" not in cookie["name"]]
    red.context.clear_cookies()
    red.context.add_cookies(kept)
    other = red.context.new_page()
    other.goto("/")
    with red.expect_navigation():
        red.locator("button[name=action]").first.click()
    red.locator("button[name=action]").first.click()
    red.locator("button[name=action]").first.wait_for(state="detached")
    assert Entry.objects.filter(match=table, kind=Entry.Kind.TAP).count() == 1


def test_the_secret_is_neither_in_the_address_nor_in_the_history_of_the_browser(
    phone: Callable[..., Device], table: Match
):
    secret = cast.link(table, cast.RED).rpartition("/")[2]
    sent: list[str] = []
    page = phone()
    page.goto(cast.link(table, cast.RED))
    page.on("request", lambda request: sent.append(f"{request.url} {request.headers}"))
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url(lambda url: "/claim/" not in url)
    page.locator("button[name=action]").first.click()
    page.goto(reverse("history", args=[table.code]))
    assert secret not in page.url
    later = [line for line in sent if f"/claim/{cast.RED}/{secret}" not in line.partition(" ")[0]]
    assert later
    assert [line for line in later if secret in line] == []
