"""Who may activate: the question behind every turn, and behind the end of the phase."""

from __future__ import annotations

from collections.abc import Iterator

from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import reserve, zones

SKIPPED = "skipped"
"""The value of `full_board` in rulesets where an NCU cannot activate once every zone is claimed (TMG-30)."""


def acted(g: Table, unit: Unit) -> None:
    """Mark a unit as activated: it acts until the next unit does, for its side until that side's next."""
    unit.activated = True
    g.acting = g.armies[unit.player].acted = unit.key


def companions(g: Table, master: str) -> Iterator[Unit]:
    """The companions of a unit that may still activate this round."""
    linked = (unit for unit in g.units.values() if unit.linked_to == master)
    return (unit for unit in linked if _is_fresh(unit) and unit.player == g.turn)


def has_companions(g: Table, master: str) -> bool:
    """Whether a unit has companions that may still activate this round."""
    return any(companions(g, master))


def is_shut_out(g: Table, unit: Unit) -> bool:
    """Whether an NCU finds every zone claimed under rules that then bar it from activating (TMG-30)."""
    return not unit.is_combat and g.rules["full_board"] == SKIPPED and zones.is_full(g)


def activatable(g: Table, seat: str) -> Iterator[Unit]:
    """The units that this seat may activate now, in the order of its list (TMG-15, TMG-20)."""
    skipped = g.rules["full_board"] == SKIPPED and zones.is_full(g)
    for unit in g.units.values():
        if unit.activated or unit.place != "table" or unit.barred or (unit.lent_to or unit.army) != seat:
            continue
        if unit.never_activates or (skipped and not unit.is_combat):
            continue
        if unit.linked_to is None or not _awaits_master(g, unit, skipped):
            yield unit


def can_act(g: Table, seat: str) -> bool:
    """Whether this seat has a unit to activate."""
    return any(True for _unit in activatable(g, seat))


def somebody_can_act(g: Table) -> bool:
    """Whether the Activation Phase goes on (TMG-19)."""
    return any(can_act(g, seat) or reserve.keeps_open(g, seat) for seat in g.armies)


def have_all_activated(g: Table) -> bool:
    """Whether each unit has activated that ever does: those in play, and a Reserve that may deploy (TMG-19).

    Units that are barred, NCUs that find every zone claimed and a Reserve that was passed have not.
    """
    in_play = (unit for unit in g.units.values() if unit.is_on_table and not unit.never_activates)
    in_reserve = (unit for seat in g.seats for unit in reserve.deployable(g, seat))
    return all(unit.activated for unit in (*in_play, *in_reserve))


def _is_fresh(unit: Unit) -> bool:
    return unit.is_on_table and not (unit.activated or unit.barred or unit.never_activates)


def _awaits_master(g: Table, unit: Unit, skipped: bool) -> bool:
    """Whether a companion waits for its master; it activates alone only once the master no longer can."""
    master = g.units.get(unit.linked_to or "")
    if master is None or master.linked_to is not None or master.player != unit.player:
        return False
    return _is_fresh(master) and (master.is_combat or not skipped)
