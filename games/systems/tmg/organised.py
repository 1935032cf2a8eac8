"""Tournaments and leagues, as the game's guidelines and shop events run them."""

from games.core.system import EventKind
from games.core.words import gettext_noop as _

CRITERIA = ("wins", "vp", "difference", "destroyed", "strength", "head", "lot")
"""What decides the ranking, in this order."""

EVENTS = (
    EventKind(
        "tmg-40",
        _("TMG 40 points Swiss, five rounds"),
        _("A Song of Ice and Fire miniatures: 90 minutes and 15 of overtime, ranked by games won."),
        {
            "options": {"points": 40},
            "kind": "swiss",
            "length": 5,
            "minutes": 90,
            "overtime": 15,
            "scoring": "wins",
            "criteria": CRITERIA,
        },
    ),
    EventKind(
        "league",
        _("League over weeks"),
        _("Everybody against everybody, two weeks for each round, no hall clock."),
        {
            "options": {"points": 40},
            "kind": "round-robin",
            "length": 0,
            "minutes": 0,
            "overtime": 0,
            "days": 14,
            "scoring": "wins",
            "criteria": CRITERIA,
        },
    ),
)
"""The first one is the default for an event of this game."""
