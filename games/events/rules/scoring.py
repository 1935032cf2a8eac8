"""Tournament points: what a game is worth beside its victory points.

Where a pack is silent the organiser decides; what is assumed meanwhile is said at each scoring.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core.words import gettext_noop as _
from games.events.rules.pieces import Gathering, Pairing

BUSHIDO_POINTS = {
    (3, 0): 9,
    (2, 0): 8,
    (2, 1): 7,
    (1, 0): 6,
    (1, 1): 5,
    (0, 0): 4,
    (0, 1): 3,
    (1, 2): 2,
    (0, 2): 1,
    (0, 3): 0,
}
"""Tournament points of a game of Bushido by own victory points and the rival's."""

BY_DIFFERENCE = {3: 9, 2: 8, 1: 7, 0: 5, -1: 2, -2: 1, -3: 0}
"""The same where the table has no row, as after 3-1: by the difference, at most three."""

PLACES = (6, 5, 4, 3, 2, 1)
"""Points of the winner, the second and so on at a table of several, unless the event says others."""


@dataclass(frozen=True)
class Scoring:
    """A way to give tournament points: its name, what it gives, what a bye is worth where nothing is said."""

    title: str
    summary: str
    points: Callable[[Gathering, Pairing, str], float]
    bye: dict[str, float]


def _wins(g: Gathering, pairing: Pairing, player: str) -> float:
    if not pairing.winner:
        return 0.5
    return 1.0 if pairing.winner == player else 0.0


def _strict(g: Gathering, pairing: Pairing, player: str) -> float:
    return 1.0 if pairing.winner == player else 0.0


def _bushido(g: Gathering, pairing: Pairing, player: str) -> float:
    own, other = _score(pairing, player)
    found = BUSHIDO_POINTS.get((own, other))
    return BY_DIFFERENCE[max(-3, min(3, own - other))] if found is None else found


def _truncated(g: Gathering, pairing: Pairing, player: str) -> float:
    own, other = _score(pairing, player)
    return 3 + max(-2, min(2, own - other))


def _places(g: Gathering, pairing: Pairing, player: str) -> float:
    """Points by place; who shares a place shares the points of the places that they take up."""
    scale = g.places or PLACES
    places = [told.get("place", len(pairing.players)) for told in pairing.results.values()]
    place = pairing.results.get(player, {}).get("place", len(pairing.players))
    shared = range(place, place + max(1, places.count(place)))
    return sum(scale[one - 1] if one <= len(scale) else 0 for one in shared) / len(shared)


def _score(pairing: Pairing, player: str) -> tuple[int, int]:
    rivals = pairing.rivals(player)
    own = pairing.results.get(player, {}).get("vp", 0)
    return own, max((pairing.results.get(other, {}).get("vp", 0) for other in rivals), default=0)


SCORINGS: dict[str, Scoring] = {
    "wins": Scoring(
        _("Wins"), _("1 for a win, ½ for a draw"), _wins, {"points": 1, "wins": 1, "vp": 0, "difference": 0}
    ),
    "strict": Scoring(_("Strict Swiss"), _("1 for a win, 0 otherwise"), _strict, {"points": 1, "wins": 1}),
    "bushido": Scoring(
        _("Bushido"), _("9 to 0 by the victory points of the game; a bye is worth 7"), _bushido, {"points": 7}
    ),
    "truncated": Scoring(
        _("Truncated points"),
        _("5 for a win by two or more, 4 by one, 3 for a draw, 2 and 1 for the losers"),
        _truncated,
        {"points": 4},
    ),
    "places": Scoring(_("Places"), _("points by the place at the table"), _places, {"points": 0}),
}


def bye_of(g: Gathering) -> dict[str, float]:
    """What a bye is worth in an event, by criterion."""
    return {**SCORINGS[g.scoring].bye, **g.bye}


def points(g: Gathering, pairing: Pairing, player: str) -> float:
    """The tournament points of a player from a pairing that is decided, a judge's word before all."""
    ruled: Any = pairing.results.get(player, {}).get("points")
    return SCORINGS[g.scoring].points(g, pairing, player) if ruled is None else ruled
