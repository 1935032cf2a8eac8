"""Areas whose house has no order left there this round, where orders lie on the board.

As far as the app can tell: the house has marched from there, or its units came after orders were placed.
"""

from __future__ import annotations

from games.systems.agot.pieces import Table
from games.systems.agot.tracks import action

RESOLVING = frozenset({action.Marches.name, action.Consolidation.name})
"""The questions during which areas lose their order or are entered without one."""


def note(g: Table, key: str) -> None:
    """Note that an area's house has no order left there; not where the app knows the orders themselves."""
    if g.rules.get("orders") or key in g.orderless:
        return
    if any(question.step in RESOLVING for question in g.flow):
        g.orderless = (*g.orderless, key)


def come(g: Table, seat: str, key: str) -> None:
    """Note that units come to an area, unless their house stands there already."""
    if g.objectives[key].house != seat:
        note(g, key)
