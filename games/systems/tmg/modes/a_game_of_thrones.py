"""A Game of Thrones: five objectives, each with a power of its own; the centre scores one more."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Mode
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table
from games.systems.tmg.rules import clean_up_phase, deployment
from games.systems.tmg.rules.objective_tokens import CENTRE, FIVE_TOKENS


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-62: from round 2 each controlled token scores 1, at the same time. TMG-63: the centre scores 2."""

    rule = "TMG-62"

    def more(self, g: Table, token: Place, seat: str) -> Iterator[clean_up_phase.Source]:
        card = g.objective_card(token.card) or {}
        bonus = max(card.get("bonus", 0), g.rules.get("centre_bonus", 0) if token.key == CENTRE else 0)
        if bonus:
            yield clean_up_phase.Source(token, seat, bonus, _("additional point"), is_extra=True)


MODE = Mode(
    slug="a-game-of-thrones",
    title=_("A Game of Thrones"),
    summary=_("Five objectives with powers of their own"),
    first=deployment.Muster,
    steps=(ScorePoints,),
    facts={"deployment": 6, "set_up": deployment.WITH_CARDS, "objectives": FIVE_TOKENS},
)
