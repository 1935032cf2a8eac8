"""Actions: what each costs and is called, who may take one, and what taking it does to its model."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Line, Offer, Term, say
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    BERSERK,
    BLIND,
    CHARGED,
    CONTROLLED,
    DISEASED,
    DISGUISED,
    ELSEWHERE,
    EXHAUSTED,
    HELD,
    IMMOBILISED,
    IMPETUOUS,
    ON_FIRE,
    PRONE,
    RELOADING,
    STATES,
    STUNNED,
    TABLE,
    Objective,
    Table,
    Unit,
)
from games.systems.bushido.rules import scenarios

COUNTERS = 2
"""Activation counters that a model has in each turn."""

SIMPLE, COMPLEX, MELEE = 1, 2, 1
"""Activation counters that an action costs, and that a Melee Exchange costs its target."""

MELEES, CHARGES, PLACES = _("Melee with"), _("Charge at"), _("At an objective")
FRIENDS = _("Wait: put out a friend’s fire (in contact)")
SIMPLES, COMPLEXES = _("Simple actions"), _("Complex actions")
NAMED_SIMPLE = {
    "walk": (_("Walk"), _("%(model)s walks.")),
    "run-on": (_("Run"), _("%(model)s runs.")),
    "shoot": (_("Ranged attack"), _("%(model)s attacks at range.")),
    "disengage": (_("Disengage"), _("%(model)s disengages.")),
    "stay-held": (_("Disengage: it stays Held"), _("%(model)s fails to break free and stays Held.")),
    "simple-feat": (_("Simple Ki feat"), _("%(model)s uses a simple Ki feat.")),
    "wait": (_("Wait"), _("%(model)s waits.")),
}
WAITS = {
    STUNNED: _("Wait: remove all Stunned"),
    IMMOBILISED: _("Wait: remove all Immobilised"),
    ON_FIRE: _("Wait: remove up to 2 On Fire"),
    RELOADING: _("Wait: remove 1 Reloading"),
}
"""What a wait may remove, one state at a time."""

SIMPLE_OFFERS = tuple(
    Offer(verb, Line(label), group=SIMPLES) for verb, (label, _told) in NAMED_SIMPLE.items()
)
COMPLEX_OFFERS = (
    Offer("focus", say(_("Focus: gain Ki")), group=COMPLEXES),
    Offer("complex-feat", say(_("Complex Ki feat")), group=COMPLEXES),
)
OF_THE_HELD = ("disengage", "stay-held", "simple-feat", "complex-feat")
"""What a Held model may do: try to get free, successfully or not, and such Ki feats as its card allows."""


def named_actions(g: Table, unit: Unit) -> Iterator[Offer]:
    """What a model may do by name. BUSH-33: a Prone one stands up, a Held one gets free or uses a feat."""
    if unit.has(PRONE):
        yield Offer("stand-up", say(_("Stand up")), style="main")
        return
    offers = (*_simple_actions(unit), *(COMPLEX_OFFERS if can_complex(unit) else ()))
    if unit.has(HELD):
        yield from (offer for offer in offers if offer.action in OF_THE_HELD)
        return
    yield from offers
    yield from waits(g, unit)
    yield from at_places(g, unit)
    yield from _fights(g, unit)


def _simple_actions(unit: Unit) -> Iterator[Offer]:
    """The simple actions that need no enemy and no objective."""
    needless = {"run-on"} if unit.has(BLIND) else set()
    if not unit.has(HELD):
        needless.add("stay-held")
    return (offer for offer in SIMPLE_OFFERS if offer.action not in needless)


def _fights(g: Table, unit: Unit) -> Iterator[Offer]:
    may_charge = can_complex(unit) and not unit.has(BLIND)
    for enemy in g.on_table(g.rival(unit.player)):
        yield Offer(f"melee:{enemy.key}", Line(enemy.name), group=MELEES)
        if may_charge:
            yield Offer(f"charge:{enemy.key}", Line(enemy.name), group=CHARGES)


def at_places(g: Table, unit: Unit) -> Iterator[Offer]:
    """What a model may do at the objectives: pray, influence."""
    for place in g.places(scenarios.OBJECTIVE):
        if scenarios.can_pray(g, unit, place):
            points = scenarios.worth(g, place, unit.player)
            label = say(_("Pray at %(place)s: +%(points)s"), place=Term(place.name), points=points)
            yield Offer(f"pray:{place.key}", label, group=PLACES)
        if can_influence(g, unit, place):
            label = say(_("Influence %(place)s"), place=Term(place.name))
            detail = say(_("Complex")) if influence_cost(g) == COMPLEX else None
            yield Offer(f"influence:{place.key}", label, detail=detail, group=PLACES)


def waits(g: Table, unit: Unit) -> Iterator[Offer]:
    """What a model may wait for: a state of its own, or the fire of a friend in contact."""
    for state, label in WAITS.items():
        if unit.has(state):
            yield Offer(f"wait:{state}", Line(label))
    for friend in g.on_table(unit.player):
        if friend.has(ON_FIRE) and friend.key != unit.key:
            yield Offer(f"wait:{ON_FIRE}:{friend.key}", Line(friend.name), group=FRIENDS)


def wait_off(unit: Unit, state: str) -> None:
    """Take off what a wait removes of a state: all markers, up to two of fire, or one of reloading."""
    if state in (STUNNED, IMMOBILISED):
        unit.clear_markers(state)
    elif state:
        for _marker in range(2 if state == ON_FIRE else 1):
            unit.remove_marker(state)


def can_influence(g: Table, unit: Unit, place: Objective) -> bool:
    """Whether a model may influence an objective: allowed, affordable, and not friendly yet."""
    if not scenarios.of(g).influence or place.aligned == unit.player:
        return False
    return influence_cost(g) == SIMPLE or can_complex(unit)


def influence_cost(g: Table) -> int:
    """What an Influence costs: where the scenario says so, the first of the match is complex."""
    how = scenarios.of(g).influence
    is_first = how == scenarios.FIRST_COMPLEX and not g.influenced
    return COMPLEX if how == scenarios.COMPLEX or is_first else SIMPLE


def put_on(g: Table, unit: Unit, state: str, value: int) -> None:
    """Put a marker of a state on a model: Controlled changes its player, Berserk adds an Impetuous marker."""
    if state == CONTROLLED:
        unit.controller = g.rival(unit.army)
    unit.add_marker(state, value)
    if state == BERSERK:
        unit.add_marker(IMPETUOUS)


def activatable(g: Table, seat: str) -> list[Unit]:
    """BUSH-10: the models that a seat may choose: those with counters, the Impetuous ones first."""
    ready = [unit for unit in g.on_table(seat) if unit.counters > 0]
    return [unit for unit in ready if unit.has(IMPETUOUS)] or ready


def able(g: Table, seat: str) -> bool:
    """Whether a seat can activate a model. Pass tokens alone do not count (BUSH-15)."""
    return bool(activatable(g, seat))


def counters(g: Table, seat: str) -> int:
    return sum(unit.counters for unit in g.on_table(seat))


def can_complex(unit: Unit) -> bool:
    """Whether a model may take a complex action: two counters, and not the last marker of its control."""
    is_last = unit.has(CONTROLLED) and len(unit.values(CONTROLLED)) == 1
    return unit.counters >= COMPLEX and not is_last


def refill(g: Table, unit: Unit) -> None:
    """BUSH-04: the counters of a new turn: two, one less if Diseased, none Elsewhere."""
    gets = unit.place == TABLE or (unit.place == ELSEWHERE and g.rules.get("elsewhere"))
    unit.counters, unit.prayed = COUNTERS if gets else 0, frozenset()
    if gets and unit.has(DISEASED):
        unit.remove_marker(DISEASED)
        unit.counters -= 1
        g.say(_("%(model)s is Diseased: it gets 1 counter less."), model=unit.name)
    elif unit.has(DISEASED):
        unit.remove_marker(DISEASED)
        title = Term(STATES[DISEASED].title)
        g.say(_("%(model)s: remove 1 marker of %(state)s."), model=unit.name, state=title)
    unit.activated = not unit.counters


def spend(unit: Unit, cost: int) -> None:
    """Take counters off a model; a marker of its control goes with each."""
    paid = min(cost, unit.counters)
    unit.counters -= paid
    unit.activated = not unit.counters
    for _counter in range(paid):
        unit.remove_marker(CONTROLLED)


def hit_back(g: Table, target: Unit) -> None:
    """BUSH-13: in a Melee Exchange the target pays a counter too, if it has one; a tireless one does not.

    A model drawn into one is no longer Disguised, and loses a marker of its control though it pays nothing.
    """
    target.clear_markers(DISGUISED)
    if target.tireless or not target.counters:
        target.remove_marker(CONTROLLED)
    if target.tireless:
        g.say(_("%(model)s is Tireless: it pays no counter for its part."), model=target.name)
        return
    if not target.counters:
        g.say(_("%(model)s has no counter to pay for its part."), model=target.name)
        return
    spend(target, MELEE)
    g.say(_("%(model)s fights back. Counters left: %(left)s."), model=target.name, left=target.counters)


def unmask(g: Table, target: Unit) -> None:
    """BUSH-33: whoever acted and is fought back at has been in a melee, and is no longer Disguised."""
    fighter = g.units.get(g.acting or "")
    if fighter and g.actor == g.rival(target.player):
        fighter.clear_markers(DISGUISED)


def take_activation(g: Table, seat: str, model: str | None = None) -> None:
    """BUSH-14: this seat has activated a model, or nothing, and its last Active feats are open."""
    g.actor = g.feats = seat
    g.acting, g.target, g.fought = model, None, frozenset()


def acted(g: Table, unit: Unit, cost: int, target: Unit | None = None) -> None:
    """An action is resolved: its counters go, and its player's last Active feats are open."""
    take_activation(g, unit.player, unit.key)
    unit.remove_marker(IMPETUOUS)
    spend(unit, cost)
    g.target = target.key if target else None
    if target is not None:
        marks = ((CHARGED, cost == COMPLEX), (EXHAUSTED, not target.counters))
        g.fought = frozenset(mark for mark, counts in marks if counts)
        hit_back(g, target)
