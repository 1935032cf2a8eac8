"""Driving a table as people do: thumbs on screens, and eyes on what the screens say afterwards."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from games.core import State, engine
from games.live.hub import hub
from games.match import play, storage, transcript
from games.models import Match, Seat
from games.people import seats
from tests.playing import Playing

LISTS = Path(__file__).parents[2] / "games/systems/tmg/tests/lists"

WITNESS = """
  window.seenVersions = [];
  window.loadedAt = Math.random();
  new MutationObserver(() => {
    const version = Number(document.getElementById("board")?.dataset.version);
    if (version && version !== window.seenVersions.at(-1)) window.seenVersions.push(version);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["data-version"] });
"""
"""Records every version that a screen shows, in order; `loadedAt` changes when the page is loaded again."""

BROKEN = """all => all.flatMap(one => {
  const found = [], range = document.createRange();
  const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const line = (text, at) => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return [...range.getClientRects()].at(-1)?.bottom;
  };
  while (walk.nextNode())
    for (const part of walk.currentNode.data.matchAll(/[^\\s\u00ad]+/g)) {
      const last = part.index + part[0].length - 1;
      if (line(walk.currentNode, part.index) !== line(walk.currentNode, last)) found.push(part[0]);
    }
  return found;
})"""
"""The words of elements that wrap onto another line, elsewhere than at a soft hyphen."""

OURS = {"cross-origin-resource-policy": "same-origin"}
"""The header by which pages tell the table's answers from those of a proxy on the way."""

FIELD = re.compile(r'<input [^>]*name="(\w+)" value="([^"]*)"')
"""Name and value of each field that a form comes with."""

SET_UP = """
red   demo:stark
blue  demo:lannister
red   ready
blue  ready
red   rolled:5
blue  rolled:2
red   placed
blue  placed
red   placed
blue  placed
red   card:token-a:counsel
blue  card:token-b:sunder
red   card:token-c:precise
blue  card:token-d:steady
red   rolled:3
blue  rolled:4
blue  pick-zone
blue  deployed
red   deployed
"""
"""From two demo armies to the first turn of the first round, which is Red's."""


def text_of(army: str) -> str:
    """A real list, as its builder copies it."""
    return (LISTS / f"{army}.txt").read_text(encoding="utf-8")


# --- tables ----------------------------------------------------------------------------------------------


def opened(actions: str = "", mode: str = "a-game-of-thrones", **options: int) -> Match:
    """A table for Ada (red) and Bo (blue), played on with these actions."""
    names = {"red": "Ada", "blue": "Bo"}
    match = play.open_match("tmg", mode, names, options, seed="browser")
    do(match, actions)
    return match


def do(match: Match, actions: str) -> int:
    """Carry out actions in transcript form, behind the screens' backs; returns the version after them."""
    return carry_out(match, transcript.actions("game\n" + actions))


def carry_out(match: Match, actions: Iterable[transcript.Action]) -> int:
    """Carry out actions read from a transcript; returns the version after them."""
    playing = Playing(match)
    for one in actions:
        if one.path:
            playing.adjust(one.seat, one.path, one.action, one.note)
        else:
            playing.tap(one.seat, one.action)
    match.refresh_from_db()
    return match.version


def play_cards(match: Match) -> None:
    """Red names its cards, plays one to the discard pile and another onto an enemy, and draws two more."""
    names = ("Snow on the road", "Old debts", "No word from the north", "", "A raven that came too late")
    for number, called in enumerate(names, 1):
        if called:
            do(match, f'red army/red name-card:red:c{number:02} "{called}"\n')
    lay_a_card(match)
    do(match, "red on:lannister-crossbowmen\nred until:game\n")
    do(match, f"red play:{held(match)[0]}\nred activate:arya-stark\nred claim:letters\n")


def lay_a_card(match: Match) -> None:
    """Red plays a card onto a unit, and is asked which unit."""
    do(match, f"red lay:{held(match)[0]}\n")


def held(match: Match) -> list[str]:
    """The cards in red's hand."""
    return storage.load(match).state.armies["red"].hidden["hand"]


def play_until(match: Match, stop: Callable[[State], bool]) -> None:
    """Play on behind the screens' backs: units activate in turn and claim a free token if there is one."""
    playing = Playing(match)
    while not stop(state := playing.state):
        seat = engine.to_act(state)[0]
        plain = [offer for offer in engine.offers(state, seat) if not offer.is_numeric]
        offer = min(plain, key=lambda offer: ("main", "plain", "quiet", "apart").index(offer.style))
        playing.tap(seat, offer.action)
        unit = offer.action.removeprefix("activate:")
        path = f"unit/{unit}"
        claims = (each.action for each in engine.corrections(playing.state, path))
        if unit in state.units and (claim := next((c for c in claims if c.startswith("claim:")), "")):
            playing.adjust(seat, path, claim)
    match.refresh_from_db()


def link(match: Match, seat: str) -> str:
    """The one-time address of a seat."""
    secret = seats.link_secret(Seat.objects.select_related("match").get(match=match, key=seat))
    return f"/t/{match.code}/claim/{seat}/{secret}"


def claim(page: Any, match: Match, seat: str) -> None:
    """Take a seat by its link as the page of the link would, without the time to draw it."""
    device, address = page.context.request, link(match, seat)
    form = dict(FIELD.findall(device.get(address).text()))
    answer = device.post(address, form=form, max_redirects=0)
    assert answer.status == 302, answer.text()


def outdate_streams(monkeypatch: Any) -> None:
    """End all streams, whose addresses open no others until `hub.started` is 0: pages ask for new ones."""
    monkeypatch.setattr(hub, "_follow_the_clock", lambda: None)
    monkeypatch.setattr(hub, "started", time.time() + 1)
    hub.soon(lambda: [listener.end() for room in list(hub.rooms.values()) for listener in room.everyone()])


# --- screens ---------------------------------------------------------------------------------------------


class Screen:
    """A phone or a spectator's screen, and whatever went wrong on it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.match: Match | None = None
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        page.add_init_script(WITNESS)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("console", self._said)
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} {message.location.get('url', '')}")

    def sit_down(self, match: Match, seat: str) -> Screen:
        """Hold a seat, and come to the table."""
        claim(self.page, match, seat)
        match.refresh_from_db()
        return self.watch(match)

    def watch(self, match: Match) -> Screen:
        """Watch the match."""
        self.match = match
        self.page.goto(f"/t/{match.code}/")
        return self.live()

    def live(self) -> Screen:
        """Wait until the stream is open."""
        self.page.wait_for_selector("#link[data-link=live]", state="attached")
        return self

    @property
    def version(self) -> int:
        """The version that is shown."""
        return int(self.page.get_attribute("#board", "data-version"))

    @property
    def state(self) -> str:
        """Whether this screen is asked ("ask"), waits or watches, or the match is over."""
        return self.page.get_attribute("#board", "data-state")

    @property
    def score(self) -> tuple[int, ...]:
        """The points in the header."""
        return tuple(
            map(int, self.page.eval_on_selector_all(".points b", "all => all.map(b => b.textContent)"))
        )

    @property
    def offers(self) -> list[str]:
        """What may be tapped to answer the question."""
        return self._values("button[form=table][name=action]")

    @property
    def notes(self) -> list[str]:
        """What may be noted about the acting unit."""
        return self._values(".note button[form=adjust]")

    def _values(self, selector: str) -> list[str]:
        return self.page.eval_on_selector_all(selector, "all => all.map(one => one.value)")

    def reaches(self, version: int, seconds: float = 20) -> None:
        """Wait until this version is shown."""
        self.page.wait_for_selector(
            f"#board[data-version='{version}']", state="attached", timeout=seconds * 1000
        )

    def press(self, value: str) -> None:
        """Tap the one button with this value, opening its folds and waiting while it rests."""
        button = f"button[name][value='{value}']"
        folds = self.page.locator("details:not([open])", has=self.page.locator(button))
        while folds.count():
            folds.first.locator("> summary").tap()
        self.page.locator(f"{button}:visible").tap()

    def tap(self, value: str) -> int:
        """Tap a button, and wait for the board that it leads to; returns its version."""
        self.catch_up()
        before = self.version
        self.press(value)
        self.reaches(before + 1)
        return before + 1

    def catch_up(self) -> None:
        """Wait for what others have done: a board that skips a version would be waited for in vain."""
        if self.match:
            self.reaches(Match.objects.values_list("version", flat=True).get(pk=self.match.pk))

    def versions(self) -> list[int]:
        """Every version shown since the page was loaded, in order."""
        return self.page.evaluate("window.seenVersions")

    def says(self, selector: str) -> str:
        """The text of an element."""
        return " ".join(self.page.inner_text(selector).split())


def at_sizes(page: Any, *sizes: int | tuple[int, int]) -> Iterator[Any]:
    """Each of these sizes of the screen, while the page has it; with a width alone it is high as a phone."""
    for size in sizes:
        width, height = size if isinstance(size, tuple) else (size, 844)
        page.set_viewport_size({"width": width, "height": height})
        yield size


def until(condition: Any, seconds: float = 20, *, screen: Screen | None = None) -> float:
    """Wait for a condition; returns how many seconds it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it did not happen in time"
        if screen is not None:
            screen.page.wait_for_timeout(20)
        else:
            time.sleep(0.02)
    return time.monotonic() - began


def untroubled(screens: Iterable[Screen], host: str) -> None:
    """Assert that no screen had an error, blocked content, or contact with another host."""
    for screen in screens:
        assert screen.faults == []
        assert screen.hosts <= {host, ""}
