"""From the last turn to the next round: the ten steps of the clean-up in the rulebook's order.

Both players agree to the round's score, or say that they are done where there is none, and each says what
it discards: four taps in all when nobody has anything else to resolve.
"""

from __future__ import annotations

from typing import cast

from games.core.pieces import Question
from games.core.steps import Step
from games.core.system import system
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import cleanup, round
from games.systems.tmg.rules.moments import END_OF_ROUND, Moment, Window
from games.systems.tmg.rules.scoring import BeforeScore, ScorePoints


class EndOfRound(BeforeScore, Window):
    """TMG-74, step 1: effects of the end of the round come first, before anything scores."""

    rule = "TMG-74"
    title = _("End of the round")
    help = _("Resolve what happens at the end of the round.")
    moment = END_OF_ROUND

    def go_on(self, g: Table) -> None:
        g.goto(ScorePoints)


class EndOfTurn(round.EndOfTurn):
    """TMG-14, TMG-19: after the last turn of the round its clean-up begins.

    Agreeing to the round's points is everybody's last opportunity; where there are none, it is asked here.
    """

    clean_up = EndOfRound

    def is_for_everybody(self, g: Table) -> bool:
        # The score of the match's mode knows whether it is agreed on.
        score = cast("type[ScorePoints]", system(g.system).step_named(g, ScorePoints.name))
        return super().is_for_everybody(g) and not score().is_confirmed(g)


ORDER: tuple[type[Step[Table]], ...] = (
    EndOfRound,
    ScorePoints,
    cleanup.CheckVictory,
    cleanup.RemoveActivations,
    cleanup.ClearTacticsBoard,
    cleanup.RemoveInfluence,
    cleanup.Discard,
    cleanup.DrawCards,
    cleanup.PassFirstPlayer,
    cleanup.AdvanceRound,
)
"""The ten steps of the clean-up (TMG-74); the effects of scoring belong to the second."""

_PLACES = {step.name: place for place, step in enumerate(ORDER)}


def position(g: Table, question: Question) -> int | None:
    """Which of the ten steps a question stands at, from 0; None outside the clean-up."""
    step = system(g.system).step_named(g, question.step)
    name = step.part_of.name if issubclass(step, Moment) and step.part_of else step.name
    return _PLACES.get(name)


def is_cleared(g: Table) -> bool:
    """Whether Activation tokens, zones and Influence are off: after a round (TMG-77), before any (TMG-12).

    What is noted of them now would last into the next round.
    """
    after = _PLACES[cleanup.Discard.name]
    return not g.round or any((position(g, question) or 0) >= after for question in g.flow)
