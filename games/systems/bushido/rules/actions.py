"""The actions of a model by name: what each costs, and what the table need not note by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Objective, Table, Unit
from games.systems.bushido.rules import objectives, scenarios, states
from games.systems.bushido.rules.activations import (
    COMPLEX,
    SIMPLE,
    acted,
    activatable,
    after_action,
    can_complex,
)
from games.systems.bushido.rules.starting_phase import more_ki

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


class Act(Step):
    """BUSH-13: the action is named and resolved, then paid: 1 counter a simple one, 2 a complex one.

    In a Melee Exchange both pay; a charge costs its actor 2 and its target 1.
    """

    rule = "BUSH-13"
    title = _("Which action?")
    help = _("A melee or a charge also costs its target a counter. Measure and roll with your own dice.")

    def asked(self, g: Table) -> Iterable[str]:
        return (
            (g.active,) if any(unit.key == g.question.about[0] for unit in activatable(g, g.active)) else ()
        )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        unit = _chosen(g)
        yield from self._fights(g, unit, "melee", MELEES)
        yield from self._simple(g, unit)
        yield from self._at_places(g, unit)
        if can_complex(unit):
            if not unit.has(states.BLIND):
                yield from self._fights(g, unit, "charge", CHARGES)
            yield Offer("focus", say(_("Focus: gain Ki")), group=COMPLEXES)
            yield Offer("complex-feat", say(_("Complex Ki feat")), group=COMPLEXES)
        detail = say(_("Removes all its activation counters."))
        yield Offer("cannot", say(_("Cannot act: make it Exhausted")), style="quiet", detail=detail)
        yield Offer("back", say(_("Back")), style="quiet")

    def _fights(self, g: Table, unit: Unit, verb: str, group: str) -> Iterator[Offer]:
        for enemy in g.on_table(g.rival(unit.player)):
            yield Offer(f"{verb}:{enemy.key}", Line(enemy.name), group=group)

    def _simple(self, g: Table, unit: Unit) -> Iterator[Offer]:
        if unit.has(states.PRONE):
            yield Offer("stand-up", say(_("Stand up")), style="main")
        for verb, (label, _told) in NAMED_SIMPLE.items():
            if verb != "run-on" or not unit.has(states.BLIND):
                yield Offer(verb, Line(label), group=SIMPLES)
        for state, label in WAITS.items():
            if unit.has(state):
                yield Offer(f"wait:{state}", Line(label))

    def _at_places(self, g: Table, unit: Unit) -> Iterator[Offer]:
        for place in g.places(objectives.OBJECTIVE):
            if objectives.can_pray(g, unit, place):
                points = objectives.worth(g, place, unit.player)
                label = say(_("Pray at %(place)s: +%(points)s"), place=Term(place.name), points=points)
                yield Offer(f"pray:{place.key}", label, group=PLACES)
            if can_influence(g, unit, place):
                label = say(_("Influence %(place)s"), place=Term(place.name))
                detail = say(_("Complex")) if influence_cost(g) == COMPLEX else None
                yield Offer(f"influence:{place.key}", label, detail=detail, group=PLACES)

    @answer
    def melee(self, g: Table, seat: str, enemy: Unit) -> None:
        unit = _unmasked(g)
        g.say(_("%(model)s fights %(enemy)s."), model=unit.name, enemy=enemy.name)
        _finish(g, SIMPLE, enemy)

    @answer
    def charge(self, g: Table, seat: str, enemy: Unit) -> None:
        unit = _unmasked(g)
        g.say(_("%(model)s charges %(enemy)s."), model=unit.name, enemy=enemy.name)
        _finish(g, COMPLEX, enemy)

    @answer
    def walk(self, g: Table, seat: str) -> None:
        _simple(g, "walk")

    @answer
    def run_on(self, g: Table, seat: str) -> None:
        _simple(g, "run-on")

    @answer
    def shoot(self, g: Table, seat: str) -> None:
        _unmasked(g)
        _simple(g, "shoot")

    @answer
    def disengage(self, g: Table, seat: str) -> None:
        states.clear(_chosen(g), states.HELD)
        _simple(g, "disengage")

    @answer
    def simple_feat(self, g: Table, seat: str) -> None:
        _simple(g, "simple-feat")

    @answer
    def wait(self, g: Table, seat: str, state: str = "") -> None:
        unit = _chosen(g)
        if state in (states.STUNNED, states.IMMOBILISED):
            states.clear(unit, state)
        elif state:
            for _marker in range(2 if state == states.ON_FIRE else 1):
                states.remove(unit, state)
        _simple(g, "wait")

    @answer
    def stand_up(self, g: Table, seat: str) -> None:
        unit = _chosen(g)
        states.clear(unit, states.PRONE)
        g.say(_("%(model)s stands up."), model=unit.name)
        _finish(g, SIMPLE)

    @answer
    def focus(self, g: Table, seat: str) -> None:
        unit = _chosen(g)
        if unit.is_communal:
            g.armies[unit.army].communal += unit.gain or 0
        else:
            more_ki(unit, unit.gain or 0)
        g.say(_("%(model)s focuses: %(ki)s Ki."), model=unit.name, ki=unit.ki)
        _finish(g, COMPLEX)

    @answer
    def complex_feat(self, g: Table, seat: str) -> None:
        g.say(_("%(model)s uses a complex Ki feat."), model=_chosen(g).name)
        _finish(g, COMPLEX)

    @answer
    def pray(self, g: Table, seat: str, place: Objective) -> None:
        objectives.pray(g, _unmasked(g), place)
        _finish(g, SIMPLE)

    @answer
    def influence(self, g: Table, seat: str, place: Objective) -> None:
        cost = influence_cost(g)
        objectives.influence(g, _unmasked(g), place)
        _finish(g, cost)

    @answer
    def cannot(self, g: Table, seat: str) -> None:
        """BUSH-10: a model that cannot act when it is chosen is Exhausted."""
        unit = _chosen(g)
        g.say(_("%(model)s cannot act and is Exhausted."), model=unit.name)
        _finish(g, unit.counters)

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        unit = g.units.get(g.question.about[0])
        if unit is None:
            return Line(self.title)
        return say(_("What does %(model)s do?"), model=unit.name)


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


def _chosen(g: Table) -> Unit:
    return g.units[g.question.about[0]]


def _unmasked(g: Table) -> Unit:
    """The chosen model, which its action shows for what it is: no longer Disguised."""
    unit = _chosen(g)
    states.clear(unit, states.DISGUISED)
    return unit


def _simple(g: Table, verb: str) -> None:
    g.say(NAMED_SIMPLE[verb][1], model=_chosen(g).name)
    _finish(g, SIMPLE)


def _finish(g: Table, cost: int, target: Unit | None = None) -> None:
    """Pay for the action and go on with the Main phase."""
    acted(g, _chosen(g), cost, target)
    g.end()
    after_action(g)
