"""Events of the board game: tables of several players, and points by each player's place at the table."""

from games.core.system import EventKind
from games.core.words import gettext_noop as _

EVENTS = (
    EventKind(
        "board-game",
        _("Board game with tables of six"),
        _("A Game of Thrones: three rounds of four hours, points by place, every time another house."),
        {
            "kind": "swiss",
            "size": 6,
            "length": 3,
            "minutes": 240,
            "overtime": 0,
            "scoring": "places",
            "criteria": ("points", "wins", "head", "lot"),
            "places": (6, 5, 4, 3, 2, 1),
        },
    ),
)
