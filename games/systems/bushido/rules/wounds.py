"""Wounds: suffering and healing them, and the table that turns a success level into wounds."""

from __future__ import annotations

from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import REMOVED, TABLE, Table, Unit
from games.systems.bushido.rules import ki, states

OFFSETS = {2: -3, 3: -2, 4: -1, 5: -1, 6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 2, 12: 3}
"""What two dice add to the success level, by their sum."""


def wounds_for(level: int, dice: int) -> int:
    """How many wounds a success level gives with this sum of two dice: never below 0."""
    return max(0, level + OFFSETS[max(2, min(12, dice))])


def suffer(g: Table, unit: Unit, wounds: int) -> None:
    """A model suffers wounds; with none left it is out. If its wounds are no number, only the log changes."""
    g.say_count(
        "%(model)s suffers %(count)s wound.", "%(model)s suffers %(count)s wounds.", wounds, model=unit.name
    )
    if unit.is_kami:
        unit.ki = max(0, unit.ki - wounds)
        if wounds and not unit.ki:
            kill(g, unit)
    elif unit.tracks_wounds:
        unit.wounds = max(0, unit.wounds - wounds)
        if wounds and not unit.wounds:
            kill(g, unit)
    else:
        g.say(_("The card of %(model)s says what that does to it."), model=unit.name)


def heal(g: Table, unit: Unit, wounds: int) -> None:
    """A model heals; any healing ends its bleeding."""
    unit.wounds = min(unit.wounds_total, unit.wounds + wounds)
    g.say_count(
        "%(model)s heals %(count)s wound.", "%(model)s heals %(count)s wounds.", wounds, model=unit.name
    )
    if unit.has(states.BLEEDING):
        states.clear(unit, states.BLEEDING)
        g.say(_("%(model)s stops bleeding."), model=unit.name)


def kill(g: Table, unit: Unit) -> None:
    """A model leaves the table for good."""
    unit.place, unit.counters, unit.activated, unit.zone = REMOVED, 0, True, None
    unit.markers, unit.controller = (), None
    g.fallen = (*g.fallen, (unit.key, g.round)) if unit.key not in dict(g.fallen) else g.fallen
    g.say(_("%(model)s is out of the match."), model=unit.name)


def has_returned(g: Table, unit: Unit) -> bool:
    """Whether a model was out of the match in an earlier turn, and is back by more than a correction."""
    return unit.is_in_play and unit.key in dict(g.fallen)


def forget_fall(g: Table, unit: Unit) -> None:
    """A model never fell: a correction says so."""
    g.fallen = tuple(fall for fall in g.fallen if fall[0] != unit.key)


def revive(g: Table, unit: Unit) -> None:
    """A model is back on the table, with at least one wound, or one Ki if it lives on that."""
    _restore(g, unit)
    unit.place = TABLE
    g.say(_("%(model)s is on the battlefield."), model=unit.name)


def take_back(g: Table, unit: Unit) -> None:
    """A model that was out belongs to the match again, wherever it is then."""
    if unit.place == REMOVED:
        _restore(g, unit)


def _restore(g: Table, unit: Unit) -> None:
    """At least one wound, or one Ki; its flank has gone with it.

    In the turn of its fall that is a correction. Later it is a return, after which no VIM is one.
    """
    unit.flanks = False
    if dict(g.fallen).get(unit.key) == g.round:
        forget_fall(g, unit)
    elif unit.place == REMOVED and unit.key == g.armies[unit.army].vim:
        g.say(_("%(model)s has left the match and returned, so it is no longer the VIM."), model=unit.name)
    if unit.tracks_wounds:
        unit.wounds = max(1, unit.wounds)
    if ki.lives_on_ki(unit):
        unit.ki = max(1, unit.ki)
