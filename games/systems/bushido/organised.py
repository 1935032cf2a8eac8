"""Tournaments, as the game's pack for organised play sets them out."""

from games.core.system import EventKind, TournamentPoints
from games.core.words import gettext_noop as _

POINTS = {
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
"""Tournament points of a game by own victory points and the rival's."""

BY_DIFFERENCE = {3: 9, 2: 8, 1: 7, 0: 5, -1: 2, -2: 1, -3: 0}
"""The same for scores without a row, such as 3-1: by the difference, at most three."""


def points(own: int, rival: int) -> float:
    """What a game is worth to the player with the first number of victory points."""
    found = POINTS.get((own, rival))
    return BY_DIFFERENCE[max(-3, min(3, own - rival))] if found is None else found


SCORINGS = {
    "bushido": TournamentPoints(
        _("Bushido"), _("9 to 0 by the victory points of the game; a bye is worth 7"), points, 7
    )
}

EVENTS = (
    EventKind(
        "bushido",
        _("Bushido, rounds by players"),
        _("Three rounds for up to 15 players, then one more each time they double; 9 to 0 points a game."),
        {
            "kind": "monrad",
            "length": 0,
            # As long as a standard game of 100 rice lasts; a smaller one has 75 minutes.
            "minutes": 120,
            "overtime": 0,
            "scoring": "bushido",
            "criteria": ("points", "wins", "strength", "scenario", "vim", "lot"),
        },
    ),
)
