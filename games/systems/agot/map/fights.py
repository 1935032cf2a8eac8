"""The open fight: its attackers stand where they set out from until it is over."""

from __future__ import annotations

from games.core.steps import Step
from games.core.system import system
from games.systems.agot.pieces import Table


class Fight(Step[Table]):
    """A question of a fight, from who won it to where the beaten go."""

    @property
    def origin(self) -> str:
        """The area that the attackers come from."""
        raise NotImplementedError


def left(g: Table) -> str:
    """The area that the attackers of the open fight have left without a unit; "" for none.

    Units that a march only plans to move have left nothing yet.
    """
    area = g.objectives.get(_origin(g))
    if area is None or not area.size or area.size > sum(number for _place, _unit, number in g.moving):
        return ""
    return area.key


def won(g: Table, seat: str) -> dict[str, int]:
    """How many units more or fewer a house has in each area once it wins the open fight that it began.

    AGOT-05: supply is tested on where a march ends; until then its attackers may be one army too many.
    """
    area = g.objectives.get(_origin(g))
    if area is None or area.house != seat:
        return {}
    found = {area.key: 0}
    for place, _unit, number in g.moving:
        found[place] = found.get(place, 0) + number
        found[area.key] -= number
    return found


def _origin(g: Table) -> str:
    named = system(g.system).step_named
    steps = ((named(g, question.step), question.about) for question in g.flow)
    return next((step.read(about).origin for step, about in steps if issubclass(step, Fight)), "")
