"""Organised play: the usual events and scorings that a game states and organisers may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class EventKind:
    """A usual kind of event: its name, its description in one line, its settings by name."""

    slug: str
    title: str
    summary: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TournamentPoints:
    """What a game of two is worth (by a player's victory points and the rival's), and what a bye is worth."""

    title: str
    summary: str
    points: Callable[[int, int], float]
    bye: float
