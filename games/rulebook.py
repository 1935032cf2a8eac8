"""The rules of a game for people to read: the sentences of its README, by their ids.

Each game's README states every rule in our own words next to the code that carries it out, under the headings
of the rulebook. Pages show these sentences, so nothing is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from types import MappingProxyType

from games import discovery
from games.core import system

_HEADING = re.compile(r"^### (.+)$")
_ROW = re.compile(r"^\| ([A-Z]+-?\d+) \| (.+?) \| .+ \|$")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, its sentence and its chapter (both message ids)."""

    key: str
    text: str
    chapter: str


@cache
def rules(slug: str) -> Mapping[str, Rule]:
    """The rules that a game carries out, by id, in the order of its README; none if it has no README."""
    readme = discovery.place_of(slug).folder / "README.md"
    if not readme.exists():
        return MappingProxyType({})
    rules_by_id: dict[str, Rule] = {}
    chapter = ""
    for line in readme.read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.match(line):
            chapter = heading[1]
        elif row := _ROW.match(line):
            rules_by_id[row[1]] = Rule(row[1], row[2], chapter)
    return MappingProxyType(rules_by_id)


def chapters(slug: str, mode: str = "") -> list[tuple[str, list[Rule]]]:
    """The rules by chapter; for a mode, without the chapters of other modes."""
    others = {each.title for each in system(slug).modes if mode and each.slug != mode}
    grouped = groupby(rules(slug).values(), key=lambda rule: rule.chapter)
    return [(chapter, list(carried_out)) for chapter, carried_out in grouped if chapter not in others]


def messages(slug: str) -> set[str]:
    """Every sentence and heading, for the game's catalogue."""
    return {text for rule in rules(slug).values() for text in (rule.text, rule.chapter)}
