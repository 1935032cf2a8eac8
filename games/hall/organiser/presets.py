"""The usual kinds of event, as the games declare them, with settings that an organiser may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core.system import EventKind, systems, usual


@dataclass(frozen=True)
class Preset:
    """A kind of event and its game."""

    game: str
    kind: EventKind

    @property
    def values(self) -> Mapping[str, Any]:
        """Its settings by name."""
        return {"system": self.game, **self.kind.settings}


def offered() -> tuple[Preset, ...]:
    """Every kind of event that a game declares, or one with the usual settings if it declares none.

    Those of the featured game come first.
    """
    featured = usual()
    return tuple(
        Preset(game.slug, kind)
        for game in sorted(systems(), key=lambda game: game is not featured)
        if game.modes
        for kind in game.events or (EventKind(game.slug, game.title, ""),)
    )


def preset_of(slug: str) -> Preset:
    """The preset of this name, or else the first one."""
    return next((preset for preset in offered() if preset.kind.slug == slug), offered()[0])
