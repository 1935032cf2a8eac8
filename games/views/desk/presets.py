"""The usual kinds of event, each with settings that an organiser may unfold and change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core.system import systems
from games.core.words import gettext_noop as _
from games.events.rules import drawing, standings


@dataclass(frozen=True)
class Preset:
    """A kind of event: what it is called, what it is like in one line, its settings by name."""

    slug: str
    title: str
    summary: str
    values: Mapping[str, Any] = field(default_factory=dict)


PRESETS = (
    Preset(
        "tmg-40",
        _("TMG 40 points Swiss, five rounds"),
        _("A Song of Ice and Fire miniatures: 90 minutes and 15 of overtime, ranked by games won."),
        {
            "system": "tmg",
            "options": {"points": 40},
            "kind": drawing.SWISS,
            "length": 5,
            "minutes": 90,
            "overtime": 15,
            "scoring": "wins",
            "criteria": standings.TMG,
        },
    ),
    Preset(
        "bushido",
        _("Bushido, rounds by players"),
        _("Three rounds for up to 15 players, then one more each time they double; 9 to 0 points a game."),
        {
            "system": "bushido",
            "kind": drawing.MONRAD,
            "length": 0,
            "minutes": 75,
            "overtime": 0,
            "scoring": "bushido",
            "criteria": standings.BUSHIDO,
        },
    ),
    Preset(
        "league",
        _("League over weeks"),
        _("Everybody against everybody, two weeks for each round, no hall clock."),
        {
            "system": "tmg",
            "options": {"points": 40},
            "kind": drawing.ROUND_ROBIN,
            "length": 0,
            "minutes": 0,
            "overtime": 0,
            "days": 14,
            "scoring": "wins",
            "criteria": standings.TMG,
        },
    ),
    Preset(
        "board-game",
        _("Board game with tables of six"),
        _("A Game of Thrones: three rounds of four hours, points by place, every time another house."),
        {
            "system": "agot",
            "kind": drawing.SWISS,
            "size": 6,
            "length": 3,
            "minutes": 240,
            "overtime": 0,
            "scoring": "places",
            "criteria": standings.BOARD_GAME,
            "places": (6, 5, 4, 3, 2, 1),
        },
    ),
)


def offered() -> tuple[Preset, ...]:
    """The presets whose game is there."""
    known = {game.slug for game in systems()}
    return tuple(preset for preset in PRESETS if preset.values["system"] in known)


def preset_of(slug: str) -> Preset:
    """The preset of this name; the first one for any other."""
    return next((preset for preset in offered() if preset.slug == slug), offered()[0])
