"""The rulesets as data: figures, zones and objective cards; a match keeps those that it was opened with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from games.core import file_names, read_toml
from games.systems.tmg.pieces import DEPLOYING, every_card

PACKAGE = "games.systems.tmg"
FOLDER = "data/rulesets"
USUAL = 2020
"""The default ruleset of a new table, which the other rulesets build on."""


@cache
def every() -> dict[int, dict[str, Any]]:
    """The rulesets by year, the usual one first. A later file states only what it changes."""
    files = (read_toml(PACKAGE, f"{FOLDER}/{name}.toml") for name in file_names(PACKAGE, FOLDER, ".toml"))
    stated = {file["ruleset"]: file for file in files}
    years = (USUAL, *sorted(stated.keys() - {USUAL}))
    return {year: {**stated[USUAL], **stated[year]} for year in years}


def read(year: int = USUAL) -> dict[str, Any]:
    """The figures of a year's ruleset, without what it says about single modes."""
    return {name: fact for name, fact in every()[year].items() if name != "modes"}


def of_mode(year: int, mode: str) -> dict[str, Any]:
    """What a ruleset states about one mode; a later one only what it changes."""
    stated = [every()[USUAL]["modes"], every()[year]["modes"]]
    return {name: fact for modes in stated for name, fact in modes.get(mode, {}).items()}


def kept(rules: dict[str, Any], mode: str) -> dict[str, Any]:
    """The rules that a match keeps: its ruleset's, its mode's and what was chosen for its table."""
    year = rules["ruleset"]
    merged = {**read(year), **rules, **of_mode(year, mode)}
    steps = ((name,) if name != DEPLOYING else merged["deploying"] for name in merged["set_up"])
    return {**merged, "set_up": [step for part in steps for step in part]}


def target(rules: dict[str, Any], points: int) -> int:
    """Victory Points that win a match of this size: 8, 10 or 12 for 30, 40 or 50 points (TMG-01)."""
    usual: int = rules["size_target"]
    steps: int = (points - rules["size"]) // 10
    return usual + steps * int(rules["size_step"])


def messages(rules: dict[str, Any]) -> Iterator[str]:
    """Every text of a ruleset that people read, for the translation catalogues."""
    yield rules["title"]
    for entry in (*rules["zones"], *rules["extra_zones"], *every_card(rules)):
        yield entry["name"]
        yield entry["effect"]
        if "drawn" in entry:
            yield entry["drawn"]
    for mode in rules.get("modes", {}).values():
        if "lying" in mode:
            yield mode["lying"]
        for card in mode.get("cards", ()):
            yield card["name"]
            yield card["effect"]
