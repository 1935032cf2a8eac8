"""Tournament points: what a game is worth in addition to its victory points.

Where a pack is silent the organiser decides; each scoring says what it assumes until then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core.system import TournamentPoints, system
from games.core.words import gettext_noop as _
from games.hall.rules.pieces import Gathering, Pairing

PLACES = (6, 5, 4, 3, 2, 1)
"""Points of the winner, the second and so on at a table of several, unless the event sets others."""


@dataclass(frozen=True)
class Scoring:
    """A way to give tournament points: its name, what it gives, what a bye is worth unless the event says."""

    title: str
    summary: str
    points: Callable[[Gathering, Pairing, str], float]
    bye: dict[str, float]


def _wins(g: Gathering, pairing: Pairing, player: str) -> float:
    if pairing.is_drawn_for(player):
        return 0.5
    return 1.0 if pairing.winner == player else 0.0


def _strict(g: Gathering, pairing: Pairing, player: str) -> float:
    return 1.0 if pairing.winner == player else 0.0


def _truncated(g: Gathering, pairing: Pairing, player: str) -> float:
    own, other = _score(pairing, player)
    return 3 + max(-2, min(2, own - other))


def _places(g: Gathering, pairing: Pairing, player: str) -> float:
    """Points by place; players who share a place share the points of all the places they take up."""
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
    "win-or-nothing": Scoring(
        _("Strict Swiss"), _("1 for a win, 0 otherwise"), _strict, {"points": 1, "wins": 1}
    ),
    "truncated": Scoring(
        _("Truncated points"),
        _("5 for a win by two or more, 4 by one, 3 for a draw, 2 and 1 for the losers"),
        _truncated,
        {"points": 4},
    ),
    "places": Scoring(_("Places"), _("points by the place at the table"), _places, {"points": 0}),
}


def ways(game: str) -> dict[str, Scoring]:
    """Every way to give tournament points in events of a game: those of all games, and its own."""
    own = {name: _of_a_game(way) for name, way in system(game).scorings.items()}
    return {**SCORINGS, **own}


def _of_a_game(way: TournamentPoints) -> Scoring:
    def points(g: Gathering, pairing: Pairing, player: str) -> float:
        return way.points(*_score(pairing, player))

    return Scoring(way.title, way.summary, points, {"points": way.bye})


def bye_of(g: Gathering) -> dict[str, float]:
    """What a bye is worth in an event, by criterion."""
    return {**ways(g.system)[g.scoring].bye, **g.bye}


def points(g: Gathering, pairing: Pairing, player: str) -> float:
    """The tournament points of a player from a decided pairing; a judge's ruling comes first."""
    ruled: Any = pairing.results.get(player, {}).get("points")
    return ways(g.system)[g.scoring].points(g, pairing, player) if ruled is None else ruled
