"""A round for newcomers: the second of A Clash of Kings, the first in which objectives score."""

from __future__ import annotations

from games.core import FirstSteps, Hint
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table

GUARD, GUARDSMEN = "eddards-honor-guard", "lannister-guardsmen"
CATELYN, CERSEI = "catelyn-stark", "cersei-lannister"

STARK = """Faction: Stark
Commander: Eddard Stark - Lord of Winterfell
Combat Units
 • Eddard's Honor Guard ( 6 )
     Eddard Stark - Lord of Winterfell ( 0 )
Non Combat Units
 • Catelyn Stark ( 4 )
"""
LANNISTER = """Faction: Lannister
Commander: Jaime Lannister - The Kingslayer
Combat Units
 • Lannister Guardsmen ( 5 )
     Jaime Lannister - The Kingslayer ( 0 )
Non Combat Units
 • Cersei Lannister ( 4 )
"""

OPENING = f"""
red  ready
blue ready
red  rolled:5
blue rolled:2
red  pick-zone
red  deploy:{GUARD}
red  deployed
blue deploy:{GUARDSMEN}
blue deployed
blue activate:{GUARDSMEN}
red  activate:{GUARD}
blue activate:{CERSEI}
blue claim:letters
red  activate:{CATELYN}
red  claim:crown
red  done
blue done
blue keep
red  keep
"""


def _holds_centre(g: Table) -> bool:
    return g.objectives["centre"].claimed_by == GUARD


HINTS = (
    Hint(
        "turn",
        f"activate:{GUARD}",
        _(
            "The goal: score Victory Points by controlling objectives. Sides take turns, one unit at "
            "a time. Start with this one."
        ),
        when=lambda g: not any(unit.activated for unit in g.units.values()),
    ),
    Hint(
        "turn",
        f"claim:{GUARD}:centre",
        _("You move the miniatures on your table. They reach the token in the centre: enter that."),
        path=f"unit/{GUARD}",
        when=lambda g: g.acting == GUARD and not _holds_centre(g),
    ),
    Hint(
        "turn",
        f"activate:{GUARDSMEN}",
        _("Red controls the centre. Now it is the other player’s turn."),
        when=_holds_centre,
    ),
    Hint(
        "turn",
        f"engage:{GUARDSMEN}:{GUARD}",
        _("Blue’s unit charges. Enter which unit it engages."),
        path=f"unit/{GUARDSMEN}",
        when=lambda g: g.acting == GUARDSMEN and not g.units[GUARD].engaged_with,
    ),
    Hint(
        "turn",
        f"wounds:{GUARD}:-2",
        _("Roll your own dice. Here you only enter the wounds: two for the attacked unit."),
        path=f"unit/{GUARD}",
        when=lambda g: g.acting == GUARDSMEN and g.units[GUARD].wounds == g.units[GUARD].wounds_total,
    ),
    Hint(
        "turn",
        f"activate:{CATELYN}",
        _("A character that does not fight takes a zone of the tactics board instead."),
    ),
    Hint("claim-zone", "claim:crown", _("Each zone shows what it does.")),
    Hint("turn", f"activate:{CERSEI}", _("The zone works at once, and no one else can take it.")),
    Hint(
        "claim-zone",
        "claim:letters",
        _("Each zone shows what it does. This one draws cards, and the app counts them."),
    ),
    Hint(
        "score-points",
        "agree",
        _("All have activated, and the app has counted who controls what. Both players confirm."),
    ),
    Hint(
        "discard",
        "keep",
        _("The Clean-Up Phase runs automatically. It only asks which cards you keep."),
    ),
)

FIRST_STEPS = FirstSteps(
    mode="a-clash-of-kings",
    options={"points": 10},
    armies={"red": STARK, "blue": LANNISTER},
    opening=OPENING,
    last_round=2,
    teaches=_("Activate units, control tokens, claim zones, and see the round counted."),
    taps=14,
    hints=HINTS,
)
