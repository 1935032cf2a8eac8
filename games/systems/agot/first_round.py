"""A round for newcomers: the first of the game, with three houses and the map on the players' own board."""

from __future__ import annotations

from games.core import FirstSteps, Hint
from games.core import gettext_noop as _
from games.systems.agot.pieces import Table

OPENING = """
stark     ready
lannister ready
baratheon ready
"""
TAKEN = 3
"""How many castles and strongholds Stark has at the end of this round."""


def _none_taken(g: Table) -> bool:
    return all(g.points(house) < TAKEN for house in g.seats)


HINTS = (
    Hint(
        "planning",
        "placed",
        _(
            "The goal: seven castles and strongholds, or the most at the end. Houses place orders in "
            "secret; confirm here when yours are down."
        ),
    ),
    Hint(
        "raven",
        "rest",
        _("All orders are revealed. The holder of the raven is asked first; here it does nothing."),
    ),
    Hint("raids", "resolved", _("The app leads through the round in order: raids first, on your board.")),
    Hint("marches", "resolved", _("Then marches and battles, on your board as always.")),
    Hint("consolidation", "consolidate:2", _("Then power: tap what the house gained.")),
    Hint(
        "realms",
        f"castles:{TAKEN}",
        _("Castles and strongholds decide the game. Stark has taken one: it has three now."),
        when=_none_taken,
    ),
    Hint("realms", "same", _("Nothing changed for this house: one tap says so.")),
)

FIRST_STEPS = FirstSteps(
    mode="light",
    seats=3,
    opening=OPENING,
    teaches=_("Three houses place orders, gain power and count their castles; your own board stays the map."),
    taps=12,
    hints=HINTS,
)
