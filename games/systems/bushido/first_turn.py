"""A turn for newcomers: two models a side, from the Tactical Test to the End Phase."""

from __future__ import annotations

from games.core import FirstSteps, Hint
from games.core import gettext_noop as _
from games.systems.bushido.pieces import Table

RYU = """++ Risen Sun (Prefecture of Ryu) [30 Rice] ++
Hiromasa [16 Rice]
Isamu [14 Rice]
"""
YUREI = """++ Risen Sun (Cult of Yurei) [31 Rice] ++
Akuba [15 Rice]
Ikeda Shindarei [16 Rice]
"""

OPENING = """
red  ready
blue ready
red  scenario:shin-keii
red  deployed
blue deployed
"""


def _is_unhurt(g: Table) -> bool:
    """Whether the charge was made, and what it did has yet to be noted."""
    isamu = g.units["isamu"]
    return g.acting == "akuba" and g.target == "isamu" and isamu.wounds == isamu.wounds_total


HINTS = (
    Hint(
        "tactical-test",
        "roll",
        _(
            "The goal: Victory Points; most Scenario Points bring them. Both roll for the first move; real "
            "dice can be entered, too."
        ),
    ),
    Hint("choose-first", "first:red", _("The winner of the test chooses who goes first.")),
    Hint(
        "turn",
        "wounds:isamu:-1",
        _("Fight with your own dice, then enter the outcome: Isamu suffers a wound."),
        path="unit/isamu",
        when=_is_unhurt,
    ),
    Hint(
        "turn",
        "act:hiromasa",
        _("Each model has two activation counters. Choose one to see its actions."),
        when=lambda g: g.units["hiromasa"].counters == 2,
    ),
    Hint("act", "charge:isamu", _("Pick whom it attacks. You measure and fight on your table.")),
    Hint(
        "act", "pray:objective-d", _("A prayer at an objective gives Scenario Points, and costs a counter.")
    ),
    Hint(
        "turn",
        "act:akuba",
        _("Sides take turns, one action each. Now Blue attacks."),
        when=lambda g: g.units["akuba"].counters == 2,
    ),
    Hint("turn", "complex:ikeda-shindarei", _("One tap for a complex action: it takes both counters.")),
    Hint("turn", "simple:hiromasa", _("One tap for a simple action: it takes one counter.")),
    Hint(
        "turn",
        "simple:isamu",
        _("Isamu has one counter left: it paid the other to fight back."),
        when=lambda g: g.units["isamu"].counters == 1,
    ),
    Hint("feats-after", "done", _("No model can act any more. The End Phase comes next.")),
)

FIRST_STEPS = FirstSteps(
    options={"points": 40},
    armies={"red": RYU, "blue": YUREI},
    opening=OPENING,
    teaches=_("Roll for the first move, spend activation counters, pray, charge, enter a wound."),
    taps=14,
    hints=HINTS,
)
