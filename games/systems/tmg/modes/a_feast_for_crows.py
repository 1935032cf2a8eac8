"""A Feast for Crows: tokens lie on corpse piles, of which there are more the more infantry falls."""

from __future__ import annotations

from games.core import Mode
from games.core import gettext_noop as _
from games.systems.tmg.rules import clean_up_phase, deployment, objective_tokens

BOUND = _("Any part of a tray claims it; the unit drops it once an action ends away from its corpse pile.")
TOKENS = [
    {"key": "west", "name": _("West token"), "effect": BOUND},
    {"key": "east", "name": _("East token"), "effect": BOUND},
    {"key": "third", "name": _("Third token"), "effect": BOUND},
    {"key": "fourth", "name": _("Fourth token"), "effect": BOUND},
]


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-92: from round 2 each token that a unit carries at its corpse pile scores 1."""

    rule = "TMG-92"


MODE = Mode(
    slug="a-feast-for-crows",
    title=_("A Feast for Crows"),
    summary=_("Two corpse piles to hold, and more where infantry falls"),
    first=deployment.Muster,
    steps=(ScorePoints, objective_tokens.TakeToken, objective_tokens.PlacePile),
    facts={"set_up": deployment.AS_DRAWN, "objectives": TOKENS, "carried": objective_tokens.AT_PILE},
)
