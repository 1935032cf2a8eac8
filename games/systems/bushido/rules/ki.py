"""Ki: what a model gains in the Starting phase, and when it focuses."""

from __future__ import annotations

from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import ELSEWHERE, Table, Unit
from games.systems.bushido.rules import states


def gain(g: Table, unit: Unit) -> None:
    """Give one model what it gains in the Ki step."""
    if unit.has(states.SPIRIT_BLOCK):
        states.remove(unit, states.SPIRIT_BLOCK)
        g.say(_("%(model)s gains no Ki: Spirit Block."), model=unit.name)
    elif unit.gain is None:
        if unit.ki_stat:
            g.say(_("%(model)s gains Ki as its card says."), model=unit.name)
    elif unit.is_communal:
        g.armies[unit.army].communal += unit.gain
    else:
        add(unit, unit.gain)


def held(g: Table, unit: Unit) -> int:
    """The Ki that a model may spend: its own, or what its warband shares."""
    return g.armies[unit.army].communal if unit.is_communal else unit.ki


def lives_on_ki(unit: Unit) -> bool:
    """Whether a model is out of the match once it has no Ki left (BUSH-34)."""
    return unit.is_kami and not unit.is_communal


def fill(g: Table, unit: Unit) -> None:
    """BUSH-34: before the match begins, a Kami has as much Ki as its cap allows."""
    if unit.is_kami and not g.round:
        unit.ki = unit.cap or 0


def spendable(g: Table, unit: Unit) -> int:
    """The Ki that a model may pay with: a Kami cannot spend its last (BUSH-34).

    One that is Controlled, or Elsewhere, spends none.
    """
    if unit.place == ELSEWHERE or unit.controller:
        return 0
    return max(0, held(g, unit) - lives_on_ki(unit))


def change(g: Table, unit: Unit, by: int) -> int:
    """Add to the Ki that a model may spend, or take from it; return what there is then."""
    if unit.is_communal:
        g.armies[unit.army].communal += by
    else:
        unit.ki += by
    return held(g, unit)


def add(unit: Unit, more: int) -> None:
    """Give a model Ki; anything beyond its cap is lost."""
    unit.ki = unit.ki + more if unit.cap is None else min(unit.cap, unit.ki + more)
