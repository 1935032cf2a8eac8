"""The ruleset that a match keeps: figures, zones and objective cards as data, and questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from games.core import facts
from games.systems.tmg.pieces import Place, Table

PACKAGE = "games.systems.tmg"
FOLDER = "data/rulesets"
USUAL = 2020
"""The default ruleset of a new table, which the other rulesets build on."""

DEPLOYING = "deploying"
"""Stands in a mode's set-up for its ruleset's steps of picking zones and deploying."""


@cache
def every() -> dict[int, dict[str, Any]]:
    """The rulesets by year, the usual one first. A later file states only what it changes."""
    files = (facts.toml(PACKAGE, f"{FOLDER}/{name}.toml") for name in facts.names(PACKAGE, FOLDER, ".toml"))
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


def card(g: Table, key: str | None) -> dict[str, Any] | None:
    """The objective card of this key in the match's ruleset, the first if several have it; None for no card."""
    return next((card for card in _every_card(g.rules) if card["key"] == key), None)


def zone(g: Table, key: str) -> dict[str, Any] | None:
    """The ruleset's entry of a zone; None for one that the players named themselves."""
    zones = (*g.rules["zones"], *g.rules["extra_zones"])
    return next((zone for zone in zones if zone["key"] == key), None)


def says_when_scoring(g: Table, token: Place) -> bool:
    """Whether the card beside a token asks for something when the token scores."""
    return (card(g, token.card) or {}).get("when") == "scoring"


def effect_of(g: Table, token: Place) -> str:
    """What a token does by itself in this mode, whatever card lies beside it; "" for nothing."""
    tokens = g.rules.get("objectives", ())
    return next((entry.get("effect", "") for entry in tokens if entry["key"] == token.key), "")


def messages(rules: dict[str, Any]) -> Iterator[str]:
    """Every text of a ruleset that people read, for the translation catalogues."""
    yield rules["title"]
    for entry in (*rules["zones"], *rules["extra_zones"], *_every_card(rules)):
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


def _every_card(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield rules["centre_card"]
    yield from rules["cards"]
    yield rules["other_card"]
