"""The main job: a whole match on two phones, from pasted lists to a winner, watched live."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.driving import Screen, text_of, untroubled

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
SET_UP = (
    ("red", "rolled:5"),
    ("blue", "rolled:2"),
    ("red", "placed"),
    ("blue", "placed"),
    ("red", "placed"),
    ("blue", "placed"),
    ("red", "card:token-a:counsel"),
    ("blue", "card:token-b:sunder"),
    ("red", "card:token-c:precise"),
    ("blue", "card:token-d:steady"),
    ("red", "rolled:3"),
    ("blue", "rolled:4"),
    ("blue", "pick-zone"),
    ("blue", "deployed"),
    ("red", "deployed"),
)
"""Rolls and cards, entered as from the table, so that every run is the same."""
FORWARD = ("activate:", "claim:", "pass", "done", "agree", "passed:", "resolve:", "keep")
"""The answers that carry a match on."""


class Club:
    """Two phones at one table, a tablet that watches, and the count of their taps."""

    def __init__(self, red: Any, blue: Any, watcher: Screen, noted: int = 16) -> None:
        self.red = red
        self.blue = blue
        self.watcher = watcher
        self.players = {"red": red, "blue": blue}
        self.noted = noted
        """After so many notes units only claim: each note is followed on three screens."""
        self.taps: Counter[str] = Counter()
        self.scores: list[tuple[int, ...]] = []
        self.waits: list[float] = []

    @property
    def everyone(self) -> tuple[Any, ...]:
        return self.red, self.blue, self.watcher

    def tap(self, seat: str, value: str, kind: str) -> None:
        """One tap; all three screens reach the same board without a reload."""
        version = self.players[seat].tap(value)
        began = time.monotonic()
        for each in self.everyone:
            each.reaches(version)
        self.waits.append(time.monotonic() - began)
        self.taps[kind] += 1
        if (score := self.watcher.score) not in self.scores[-1:]:
            self.scores.append(score)

    def asked(self) -> str:
        """A seat that is asked the question."""
        return next(seat for seat, screen in self.players.items() if screen.state == "ask")

    def note(self, seat: str) -> None:
        """What a unit did: it claims a free token; otherwise, at first, it finds an enemy and strikes."""
        phone = self.players[seat]
        wanted = next((note for note in phone.notes if " claim:" in note), None)
        if wanted is not None:
            self.tap(seat, wanted, "note")
            return
        if self.taps["note"] >= self.noted:
            return
        engaged = next((note for note in phone.notes if " engage:" in note), None)
        if engaged is not None:
            self.tap(seat, engaged, "note")
        wounds = [note for note in phone.notes if note.endswith(":-3")]
        # The enemy's wounds come first, one's own last.
        if len(wounds) > 1:
            self.tap(seat, wounds[0], "note")


def bring(phone: Screen, army: str) -> None:
    """Paste a list, check that it was understood, and be ready."""
    page = phone.page
    page.fill("textarea", text_of(army))
    page.tap("button:not(.unseen)[value=read]")
    page.wait_for_selector(".rows")
    expect(page.locator(".warnings li")).to_have_count(0)
    page.tap("button[name=do][value=ready]")
    page.wait_for_selector("#board")


def gather(club: Club) -> str:
    """Go from the home page to two armies; returns the table's code."""
    page = club.red.page
    page.goto("/")
    page.tap("a.main")
    page.fill("#name", "Ada")
    page.fill("#target", "4")
    page.tap("button.main")
    club.red.live()
    picture = page.locator(".invitee img")
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    page.tap(".bar a[href$='/army/red']")
    bring(club.red, "stark")
    page.tap(".invitee .more")
    invitation = page.inner_text(".invitation .address >> nth=0")
    code = page.inner_text(".code")
    page.tap("a.back")

    club.blue.page.goto(invitation)
    club.blue.page.fill("#name", "Bo")
    club.blue.page.tap("button.main")
    club.blue.page.wait_for_selector("textarea")
    assert "/claim/" not in club.blue.page.url
    page.wait_for_selector(".invitee", state="detached")
    bring(club.blue, "lannister")

    page = club.watcher.page
    page.goto("/")
    page.fill("#code", code.lower())
    page.tap("form[action='/find'] button")
    for each in club.everyone:
        each.live()
    return code


def activate(club: Club) -> None:
    """One activation: one tap, and one more for the zone of an NCU."""
    seat = club.asked()
    phone = club.players[seat]
    unit = next(offer for offer in phone.offers if offer.startswith("activate:"))
    club.tap(seat, unit, "activation")
    if phone.state == "ask" and (zones := [offer for offer in phone.offers if offer.startswith("claim:")]):
        club.tap(seat, zones[0], "zone")
    else:
        club.note(seat)
    club.taps["activations"] += 1


def clean_up(club: Club) -> int:
    """Play from a round's last chance to the next round or the end; returns how many taps it took."""
    taken = 0
    while club.red.state != "over":
        seat = club.asked()
        offers = club.players[seat].offers
        if any(offer.startswith("activate:") for offer in offers):
            break
        club.tap(seat, next(offer for offer in offers if offer.startswith(FORWARD)), "clean-up")
        taken += 1
    return taken


def play_round(club: Club) -> int:
    """Play turns until nobody can activate, then the clean-up; returns how many taps that took."""
    while True:
        seat = club.asked()
        offers = club.players[seat].offers
        if any(offer.startswith("activate:") for offer in offers):
            activate(club)
        elif "pass" in offers:
            club.tap(seat, "pass", "pass")
        else:
            return clean_up(club)


def play(club: Club) -> list[int]:
    """Play from the set-up to the end; returns how many taps each clean-up took."""
    for seat, answer in SET_UP:
        club.tap(seat, answer, "set-up")
    cleanings = []
    while club.red.state != "over":
        cleanings.append(play_round(club))
    return cleanings


def test_a_match_from_pasted_lists_to_a_winner(screen: Screens, server, capsys) -> None:
    began = time.monotonic()
    moving = {"reduced_motion": "no-preference"}
    phones = screen(**moving), screen(color_scheme="dark", **moving)
    club = Club(*phones, screen(viewport={"width": 820, "height": 1180}, **moving))
    gather(club)
    pages = [each.page.evaluate("window.loadedAt") for each in club.everyone]
    cleanings = play(club)

    assert club.red.says(".result h2") == club.blue.says(".result h2") == club.watcher.says(".result h2")
    assert club.red.says(".result h2") in ("Ada wins", "Bo wins")
    assert club.scores[0] == (0, 0)
    assert max(club.scores[-1]) >= 4
    assert len(club.scores) > 2
    assert club.taps["activation"] == club.taps["activations"]
    assert max(cleanings) <= 8
    assert [each.page.evaluate("window.loadedAt") for each in club.everyone] == pages
    for each in club.everyone:
        assert each.versions() == sorted(each.versions())
    untroubled(club.everyone, urlsplit(server.url).netloc)
    waits = sorted(club.waits)
    with capsys.disabled():
        print(
            f"\nA whole match: {sum(club.taps.values()) - club.taps['activations']} taps {dict(club.taps)}, "
            f"clean-ups {cleanings}, scores {club.scores}, "
            f"all screens {1000 * waits[len(waits) // 2]:.0f} ms after the tapper's "
            f"(most {1000 * waits[-1]:.0f}), {time.monotonic() - began:.0f} s"
        )
