"""What a screen reader says during a whole round on a player's phone, in both languages, as golden texts.

A text begins with everything that the page says, in the order of reading and of the controls' focus.
After each action it goes on with what is announced and with what is new on the page.

`ROUNDTABLE_SPOKEN=write python -m pytest tests/browser/test_spoken.py` rewrites them; read the changes as
somebody who hears nothing else.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from games.core import engine
from games.match import storage
from games.models import Match
from tests.browser.driving import SET_UP, Screen, do, opened

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parent / "spoken"
LANGUAGES = {"en": "en-GB", "zh-hans": "zh-CN"}
FIGHT = """
red  activate:crannogman-trackers
red  unit/crannogman-trackers engage:crannogman-trackers:lannister-crossbowmen
red  unit/lannister-crossbowmen wounds:lannister-crossbowmen:-3
"""
WHOLE = {
    "heading": "heading",
    "button": "button",
    "link": "link",
    "switch": "switch",
    "DisclosureTriangle": "fold",
    "image": "picture",
    "StaticText": "",
}
"""Roles that are read as a whole, whatever they contain, and what they are called here."""
AROUND = ("region", "navigation", "group", "list")
"""Roles whose names are said before their contents."""
STATES = ("expanded", "checked", "pressed", "disabled")


def actions(match: Match) -> Iterator[str]:
    """A round: a fight, then each side activates and claims what is free; then the clean-up."""
    yield from FIGHT.strip().splitlines()
    while (state := storage.load(match).state).round == 1:
        seat = engine.to_act(state)[0]
        plain = [offer for offer in engine.offers(state, seat) if not offer.is_numeric]
        best = min(plain, key=lambda offer: ("main", "plain", "quiet", "apart").index(offer.style))
        yield f"{seat} {best.action}"


class Reader:
    """A screen reader on one screen; `heard` is everything that it has said."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.devtools = screen.page.context.new_cdp_session(screen.page)
        self.title = ""
        self.known: Counter[str] = Counter()
        self.heard: list[str] = []

    def listen(self) -> None:
        """Say what is announced, and what is new on the page."""
        if (announced := self.screen.page.inner_text("#said")) and self.heard:
            self.heard.append(f"! {announced}")
        if (title := self.screen.page.title()) != self.title:
            self.heard.append(f"title: {title}")
        lines = list(self.lines())
        new = Counter(lines) - self.known
        for line in lines:
            if new[line]:
                new[line] -= 1
                self.heard.append(f"  {line}")
        self.title, self.known = title, Counter(lines)

    def lines(self) -> Iterator[str]:
        """The page from its beginning to its end."""
        nodes = self.devtools.send("Accessibility.getFullAXTree")["nodes"]
        yield from spoken({node["nodeId"]: node for node in nodes}, nodes[0])


def spoken(nodes: dict[str, Any], node: dict[str, Any]) -> Iterator[str]:
    """What a node of the accessibility tree and its contents say."""
    role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
    words = " ".join(name.split())
    if role == "status" or (not node["ignored"] and role in WHOLE):
        if words and role != "status":
            yield " ".join([*[WHOLE[role]][: bool(WHOLE[role])], words, *states(node)])
        return
    if words and not node["ignored"] and role in AROUND:
        yield f"{role} {words}"
    for child in node.get("childIds", ()):
        if child in nodes:
            yield from spoken(nodes, nodes[child])


def states(node: dict[str, Any]) -> Iterator[str]:
    """What is said after a control's name."""
    found = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    for state in STATES:
        if state in found and (found[state] not in (False, "false") or state in ("expanded", "checked")):
            yield f"({state}{'' if found[state] in (True, 'true') else ': no'})"


def test_a_whole_round_is_told_in_both_languages(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    english = screen(locale=LANGUAGES["en"]).sit_down(match, "red")
    same = english.page.context.storage_state()
    chinese = screen(locale=LANGUAGES["zh-hans"], storage_state=same).watch(match)
    readers = {"en": Reader(english), "zh-hans": Reader(chinese)}
    expect(english.page.get_by_role("status").filter(has_text="Live")).to_have_count(1)
    for reader in readers.values():
        reader.listen()
    for action in actions(match):
        version = do(match, action)
        for reader in readers.values():
            reader.screen.reaches(version)
            reader.screen.page.wait_for_selector("[data-fresh]", state="detached")
            reader.listen()
    for language, reader in readers.items():
        path = GOLDEN / f"round.{language}.txt"
        told = "\n".join(reader.heard).replace(match.code, "K7QWXM") + "\n"
        if os.environ.get("ROUNDTABLE_SPOKEN") == "write":
            path.write_text(told, encoding="utf-8")
        assert told == path.read_text(encoding="utf-8"), "see the top of this test"
