"""An activation that takes longer than it may (BUSH-35): a model loses a counter, and play passes on."""

from __future__ import annotations

from games.core import engine
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import actions, activations, feats


def is_late(g: Table, unit: Unit) -> bool:
    """Whether a model may be said to be late: the chosen one, or any of the Active Player's."""
    if not (g.rules["activation"] and unit.counters and unit.is_on_table):
        return False
    step = engine.step_of(g)
    if isinstance(step, activations.Act):
        return step.model == unit.key
    return isinstance(step, feats.FeatsBefore | activations.Turn) and unit.player == g.active


def lose_time(g: Table, unit: Unit) -> None:
    """A model loses a counter to the clock; its player has not acted, and the opponent is active next."""
    step = engine.step_of(g)
    actions.spend(unit, 1)
    g.say(_("%(model)s loses a counter: the time for its activation is up."), model=unit.name)
    if isinstance(step, activations.Act):
        g.end()
    actions.take_activation(g, g.active)
    # A late player's own notes keep nobody waiting, except for the End Phase.
    if following := feats.next_active(g):
        feats.hand_over(g, following)
    else:
        feats.after_action(g)
