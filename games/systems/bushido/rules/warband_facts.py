"""What is worked out of a position and never stored: what pages and transcripts show, and what is odd.

Texts are message ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import Line, Step, Term, name_of, say, say_count, step_of
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    CONTROLLED,
    ELSEWHERE,
    REMOVED,
    STATES,
    TABLE,
    UNPLACED,
    Army,
    Objective,
    Table,
    Unit,
)
from games.systems.bushido.rules import (
    end_phase,
    main_phase,
    muster_and_deployment,
    scenarios,
    starting_phase,
    victory_and_end,
)
from games.systems.bushido.rules.turn_sequence import DiscardPasses

SET_UP, STARTING, MAIN, END = _("Set-up"), _("Starting Phase"), _("Main Phase"), _("End Phase")

_STARTING = {step.name for step in starting_phase.STEPS}
_MAIN = {step.name for step in main_phase.MAIN}
END_ORDER: tuple[type[Step[Table]], ...] = (
    end_phase.EndEffects,
    end_phase.DamageStates,
    end_phase.Expiry,
    end_phase.NextCheck,
    DiscardPasses,
)
"""The five steps of the End phase, in their order."""

PART_OF: dict[type[Step[Table]], type[Step[Table]]] = {
    starting_phase.ChooseFirst: starting_phase.TacticalTest,
    starting_phase.Resets: starting_phase.StartingEffects,
    end_phase.OtherEffects: end_phase.EndEffects,
    end_phase.ScoreZones: end_phase.NextCheck,
    end_phase.RevealVims: end_phase.NextCheck,
    end_phase.Tally: end_phase.NextCheck,
    end_phase.Decrease: end_phase.NextCheck,
    victory_and_end.StillLast: end_phase.NextCheck,
    victory_and_end.Closing: end_phase.NextCheck,
}
"""Questions that belong to a step of the ordered list."""

CALLED: dict[type[Step[Table]], str] = {
    end_phase.Expiry: _("What expires"),
    end_phase.EndEffects: _("Effects, adverse first"),
    starting_phase.VariableTurns: _("Variable turns"),
}
"""What a step is called in the list, if its question is narrower."""


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
    """Phase, whose activation, who acted, and what is shown about each side, model and place."""
    return {
        "phase": phase(g),
        "turns": turns(g),
        "final": g.is_final,
        "active": g.active or None,
        "first": g.starter or None,
        "acting": g.acting,
        "scenario": scenarios.of(g).name if "scenario" in g.rules else "",
        "sides": {key: _side(g, key) for key in g.seats},
        "units": {unit.key: state_of(g, unit) for unit in g.units.values()},
        "places": {place.key: _place(g, place) for place in g.objectives.values()},
        "guide": guide(g),
    }


def phase(g: Table) -> str:
    if g.result is not None:
        return _("The match is over")
    if not g.round:
        return SET_UP
    names = [question.step for question in g.flow]
    if any(name in _STARTING for name in names):
        return STARTING
    return MAIN if any(name in _MAIN for name in names) else END


def turns(g: Table) -> int | None:
    """How many turns there may be; the last one if that is known."""
    if "scenario" not in g.rules:
        return None
    return g.round if g.round and (g.is_final or g.time_is_up) else scenarios.of(g).turns


def state_of(g: Table, unit: Unit) -> str:
    """What a model's card says: ready, acting, exhausted, elsewhere, removed or unplaced."""
    if unit.place != TABLE:
        return {ELSEWHERE: "elsewhere", REMOVED: "removed"}.get(unit.place, "unplaced")
    if g.acting == unit.key:
        return "acting"
    return "ready" if unit.counters or not g.round else "exhausted"


def guide(g: Table) -> dict[str, Any] | None:
    """The ordered list that set-up, Starting phase and End phase walk through.

    None in the Main phase, and while the players answer an end that somebody proposed in any phase.
    """
    step = step_of(g)
    if step is None or (isinstance(step, victory_and_end.Closing) and step.how):
        return None
    at = PART_OF.get(type(step), type(step))
    for title, order in (
        (SET_UP, muster_and_deployment.ORDER),
        (STARTING, starting_phase.ORDER),
        (END, END_ORDER),
    ):
        if at in order:
            met = tuple(
                step for step in order if step is not muster_and_deployment.NameVim or _may_have_vims(g)
            )
            return {"title": title, "steps": _walked(met, met.index(at))}
    return None


def _may_have_vims(g: Table) -> bool:
    """Whether VIMs are to be named, as far as the table knows yet."""
    return "scenario" not in g.rules or bool(victory_and_end.kind_of_vim(g))


def _walked(order: tuple[type[Step[Table]], ...], current: int) -> list[dict[str, str]]:
    states = ["done"] * current + ["current"] + ["next"] * (len(order) - current - 1)
    return [
        {
            "name": step.name,
            "title": CALLED.get(step, step.title),
            "help": step.help,
            "rule": step.rule,
            "state": state,
        }
        for step, state in zip(order, states, strict=True)
    ]


def _side(g: Table, seat: str) -> dict[str, Any]:
    side = g.armies[seat]
    return {
        "points": g.points(seat),
        "scenario_points": side.scenario_points,
        "passes": side.passes,
        "prayers": side.prayers,
        "communal": side.communal,
        "friendly": scenarios.friendly(g, seat),
        "counters": sum(unit.counters for unit in g.on_table(seat)),
        "able": sum(1 for unit in g.on_table(seat) if unit.counters),
        "models": sum(1 for _unit in g.warband(seat)),
        "ready": side.ready,
        "vim": victory_and_end.known_vim(g, seat),
    }


def _place(g: Table, place: Objective) -> dict[str, Any]:
    zone = place.kind == scenarios.ZONE
    return {
        "name": place.name,
        "kind": place.kind,
        "aligned": scenarios.aligned_to(g, place),
        "controller": scenarios.controller(g, place) if zone else None,
    }


def summary(g: Table) -> str:
    """One line: turn, question, points, tokens, counters, and what is aligned or controlled."""
    asks = g.question.step if g.flow else "nothing"
    who = f":{g.active}" if asks in (main_phase.Turn.name, main_phase.Act.name) else ""
    sides = []
    for seat in g.seats:
        side = _side(g, seat)
        line = f"{seat} vp{side['points']} sp{side['scenario_points']} counters{side['counters']}"
        sides.append(line + (f" pass{side['passes']}" if side["passes"] else ""))
    held = {place.key: _holder(g, place) for place in g.objectives.values()}
    places = " ".join(f"{key}={seat}" for key, seat in held.items() if seat)
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"t{g.round} {asks}{who}", *sides, *([places] if places else []), *end])


def _holder(g: Table, place: Objective) -> str | None:
    """Who controls a zone, else to whom a place is friendly."""
    controller = scenarios.controller(g, place) if place.kind == scenarios.ZONE else None
    return controller or scenarios.aligned_to(g, place)


# --- what is odd -------------------------------------------------------------------------------------


def problems(g: Table) -> Iterator[Line]:
    """Every oddity of a position: models, places, the two sides, the points."""
    for unit in g.units.values():
        yield from _of_unit(g, unit)
    for place in g.objectives.values():
        yield from _of_place(g, place)
    for side in g.armies.values():
        yield from _of_side(g, side)
    if "scenario" in g.rules and victory_and_end.scored(g) > victory_and_end.available(g):
        line = _("There are %(count)s Victory Points, and the scenario has %(all)s.")
        yield say(line, count=victory_and_end.scored(g), all=victory_and_end.available(g))


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
    if unit.has(CONTROLLED) != (unit.controller is not None):
        yield say(_("%(model)s is Controlled without a marker, or has one and is not."), model=unit.name)
    for state in sorted({state for state, _value in unit.markers} - STATES.keys()):
        yield say(_("%(model)s has a marker of an unknown state: %(state)s."), model=unit.name, state=state)
    if unit.zone is not None and unit.zone not in g.objectives:
        yield say(_("%(model)s stands in a zone that is not on the battlefield."), model=unit.name)


def _of_place(g: Table, place: Objective) -> Iterator[Line]:
    if place.override is not None and place.uncontrolled:
        line = _("%(place)s is set as both controlled and uncontrolled.")
        yield say(line, place=Term(place.name))
    if place.follows is not None and place.follows not in g.objectives:
        yield say(_("%(place)s follows an objective that is not on the battlefield."), place=Term(place.name))


def _of_side(g: Table, side: Army) -> Iterator[Line]:
    if min(side.passes, side.prayers, side.scenario_points, side.communal) < 0:
        yield say(_("%(player)s has a negative number of tokens."), player=name_of(g, side.key))
    if side.vim not in ("", "?", *g.units):
        yield say(_("The VIM of %(player)s is not in the match."), player=name_of(g, side.key))
