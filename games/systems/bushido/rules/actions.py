"""Actions: what each costs and is called, who may take one, and what taking it does to its model."""

from __future__ import annotations

from games.core.once import glance, once
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Objective, Table, Unit
from games.systems.bushido.rules import scenarios, states

SIMPLE, COMPLEX, MELEE = 1, 2, 1
"""Activation counters that an action costs, and a Melee Exchange its target."""

MELEES, CHARGES, PLACES = _("Melee with"), _("Charge at"), _("At an objective")
SIMPLES, COMPLEXES = _("Simple actions"), _("Complex actions")
NAMED_SIMPLE = {
    "walk": (_("Walk"), _("%(model)s walks.")),
    "run-on": (_("Run"), _("%(model)s runs.")),
    "shoot": (_("Ranged attack"), _("%(model)s attacks at range.")),
    "disengage": (_("Disengage"), _("%(model)s disengages.")),
    "simple-feat": (_("Simple Ki feat"), _("%(model)s uses a simple Ki feat.")),
    "wait": (_("Wait"), _("%(model)s waits.")),
}
WAITS = {
    states.STUNNED: _("Wait: remove all Stunned"),
    states.IMMOBILISED: _("Wait: remove all Immobilised"),
    states.ON_FIRE: _("Wait: remove up to 2 On Fire"),
    states.RELOADING: _("Wait: remove 1 Reloading"),
}
"""What a wait may remove instead of something else."""


def can_influence(g: Table, unit: Unit, place: Objective) -> bool:
    """Whether a model may influence an objective: allowed, paid for, and not friendly yet."""
    if not scenarios.of(g).influence or place.aligned == unit.player:
        return False
    return influence_cost(g) == SIMPLE or can_complex(unit)


def influence_cost(g: Table) -> int:
    """What an Influence costs: where the scenario says so, the first of the match is complex."""
    how = scenarios.of(g).influence
    is_first = how == scenarios.FIRST_COMPLEX and not g.influenced
    return COMPLEX if how == scenarios.COMPLEX or is_first else SIMPLE


def is_ready(unit: Unit) -> bool:
    """Whether a model could be chosen: on the table, with a counter left."""
    return unit.is_on_table and unit.counters > 0


def is_impetuous(unit: Unit) -> bool:
    """Whether a model has to act before others of its warband."""
    return unit.has(states.IMPETUOUS) or unit.has(states.BERSERK)


@once
def activatable(g: Table, seat: str) -> list[Unit]:
    """BUSH-10: the models that a seat may choose: those with counters, the Impetuous ones first."""
    ready = [unit for unit in g.on_table(seat) if unit.counters > 0]
    return [unit for unit in ready if is_impetuous(unit)] or ready


@glance
def able(g: Table, seat: str) -> bool:
    """Whether a seat can activate a model. Pass tokens alone are not able to (BUSH-15)."""
    return any(is_ready(unit) and unit.player == seat for unit in g.units.values())


def counters(g: Table, seat: str) -> int:
    """The activation counters that a seat has left on the table."""
    return sum(unit.counters for unit in g.on_table(seat))


def can_complex(unit: Unit) -> bool:
    """Whether a model may take a complex action: two counters, and not the last marker of its control."""
    return unit.counters >= COMPLEX and len(unit.values(states.CONTROLLED)) != 1


def spend(unit: Unit, cost: int) -> None:
    """Take counters off a model; a marker of its control goes with each."""
    paid = min(cost, unit.counters)
    unit.counters -= paid
    unit.activated = not unit.counters
    for _counter in range(paid):
        states.remove(unit, states.CONTROLLED)


def hit_back(g: Table, target: Unit) -> None:
    """BUSH-13: in a Melee Exchange the target pays a counter too, if it has one; a tireless one does not.

    Whoever is drawn into one is no longer Disguised.
    """
    states.clear(target, states.DISGUISED)
    if target.tireless or not target.counters:
        g.say(_("%(model)s has no counter to pay for its part."), model=target.name)
        return
    spend(target, MELEE)
    g.say(_("%(model)s fights back: %(left)s left."), model=target.name, left=target.counters)


def acted(g: Table, unit: Unit, cost: int, target: Unit | None = None) -> None:
    """An action is resolved: its counters go, and its player's last Active feats are open."""
    g.acting, g.feats = unit.key, unit.player
    if unit.counters:
        states.remove(unit, states.IMPETUOUS)
    spend(unit, cost)
    g.target = target.key if target else None
    if target is not None:
        hit_back(g, target)
