"""What is odd about a position that somebody set by hand, in words. None of it blocks play."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.system import name_of
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import UNPLACED, Army, Objective, Table, Unit
from games.systems.bushido.rules import states, victory


def problems(g: Table) -> Iterator[Line]:
    """Every oddity of a position: models, places, the two sides, the points."""
    for unit in g.units.values():
        yield from _of_unit(g, unit)
    for place in g.objectives.values():
        yield from _of_place(g, place)
    for side in g.armies.values():
        yield from _of_side(g, side)
    if "scenario" in g.rules and victory.scored(g) > victory.available(g):
        line = _("There are %(count)s Victory Points, and the scenario has %(all)s.")
        yield say(line, count=victory.scored(g), all=victory.available(g))


def _of_unit(g: Table, unit: Unit) -> Iterator[Line]:
    if unit.tracks_wounds and not 0 <= unit.wounds <= unit.wounds_total:
        line = _("%(model)s has %(wounds)s of %(total)s wounds left.")
        yield say(line, model=unit.name, wounds=unit.wounds, total=unit.wounds_total)
    if unit.is_on_table and unit.tracks_wounds and unit.wounds < 1:
        yield say(_("%(model)s is on the battlefield with no wounds left."), model=unit.name)
    if unit.ki < 0 or (unit.cap is not None and unit.ki > unit.cap):
        yield say(
            _("%(model)s has %(ki)s Ki, and its cap is %(cap)s."),
            model=unit.name,
            ki=unit.ki,
            cap=unit.ki_cap,
        )
    if unit.counters < 0 or (unit.counters and not unit.is_on_table):
        yield say_count(
            "%(model)s has %(count)s activation counter and cannot use it.",
            "%(model)s has %(count)s activation counters and cannot use them.",
            unit.counters,
            model=unit.name,
        )
    if g.round and unit.place == UNPLACED:
        yield say(_("%(model)s has not been deployed."), model=unit.name)
    if unit.has(states.CONTROLLED) != (unit.controller is not None):
        yield say(_("%(model)s is Controlled without a marker, or has one and is not."), model=unit.name)
    for state in sorted({state for state, _value in unit.markers} - states.STATES.keys()):
        yield say(_("%(model)s has a marker of an unknown state: %(state)s."), model=unit.name, state=state)
    if unit.zone is not None and unit.zone not in g.objectives:
        yield say(_("%(model)s stands in a zone that is not on the battlefield."), model=unit.name)


def _of_place(g: Table, place: Objective) -> Iterator[Line]:
    if place.override is not None and place.uncontrolled:
        line = _("%(place)s is said to be controlled by somebody and by nobody.")
        yield say(line, place=Term(place.name))
    if place.follows is not None and place.follows not in g.objectives:
        yield say(_("%(place)s follows an objective that is not on the battlefield."), place=Term(place.name))


def _of_side(g: Table, side: Army) -> Iterator[Line]:
    if min(side.passes, side.prayers, side.scenario_points, side.communal) < 0:
        yield say(_("%(player)s has fewer tokens than none."), player=name_of(g, side.key))
    if side.vim not in ("", "?", *g.units):
        yield say(_("The VIM of %(player)s is not in the match."), player=name_of(g, side.key))
