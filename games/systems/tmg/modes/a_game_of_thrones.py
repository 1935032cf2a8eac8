"""A Game of Thrones: five objectives, each with a power of its own; the centre scores one more."""

from __future__ import annotations

from games.core.system import Mode
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.tmg import cleanup, control, ruleset
from games.systems.tmg.pieces import Table
from games.systems.tmg.setup import Muster

FIRST_SCORING_ROUND = 2


class ScorePoints(cleanup.ScorePoints):
    """TMG-62: from round 2 each controlled token scores 1, at the same time. TMG-63: the centre scores 2."""

    rule = "TMG-62"

    def tally(self, g: Table) -> cleanup.Tally:
        if g.round < FIRST_SCORING_ROUND:
            return []
        held = ((token, control.controller(g, token)) for token in g.tokens())
        return [(token, seat, 1 + _bonus(g, token.card)) for token, seat in held if seat is not None]

    def go_on(self, g: Table) -> None:
        if g.round < FIRST_SCORING_ROUND:
            g.lines.append(Line(_("Objectives score from round 2.")))
        super().go_on(g)


def _bonus(g: Table, key: str | None) -> int:
    card = ruleset.card(g, key)
    return card.get("bonus", 0) if card else 0


MODE = Mode(
    slug="a-game-of-thrones",
    title=_("A Game of Thrones"),
    first=Muster,
    steps=(ScorePoints,),
    facts={**ruleset.read(), "deployment": 6, "tokens": 5},
)
