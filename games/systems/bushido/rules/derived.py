"""What pages and transcripts show of a position, worked out and never stored. Texts are message ids."""

from __future__ import annotations

from typing import Any

from games.core import engine
from games.core.steps import Step
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import ELSEWHERE, REMOVED, TABLE, Objective, Table, Unit
from games.systems.bushido.rules import (
    activations,
    end_phase,
    ending,
    objectives,
    scenarios,
    scoring,
    setup,
    starting_phase,
    vims,
)
from games.systems.bushido.rules.turns import DiscardPasses

SET_UP, STARTING, MAIN, END = _("Set-up"), _("Starting Phase"), _("Main Phase"), _("End Phase")

_STARTING = {step.name for step in starting_phase.STEPS}
_MAIN = {step.name for step in activations.MAIN}
END_ORDER: tuple[type[Step[Table]], ...] = (
    end_phase.EndEffects,
    end_phase.DamageStates,
    end_phase.Expiry,
    scoring.NextCheck,
    DiscardPasses,
)
"""The five steps of the End phase, in their order."""

PART_OF: dict[type[Step[Table]], type[Step[Table]]] = {
    starting_phase.ChooseFirst: starting_phase.TacticalTest,
    starting_phase.Resets: starting_phase.StartingEffects,
    end_phase.OtherEffects: end_phase.EndEffects,
    scoring.ScoreZones: scoring.NextCheck,
    scoring.RevealVims: scoring.NextCheck,
    scoring.Tally: scoring.NextCheck,
    scoring.Decrease: scoring.NextCheck,
    ending.StillLast: scoring.NextCheck,
    ending.Closing: scoring.NextCheck,
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
    """The name of the phase that the match is in."""
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
    step = engine.step_of(g)
    if step is None or (isinstance(step, ending.Closing) and step.how):
        return None
    at = PART_OF.get(type(step), type(step))
    for title, order in ((SET_UP, setup.ORDER), (STARTING, starting_phase.ORDER), (END, END_ORDER)):
        if at in order:
            met = tuple(step for step in order if step is not setup.NameVim or _may_have_vims(g))
            return {"title": title, "steps": _walked(met, met.index(at))}
    return None


def _may_have_vims(g: Table) -> bool:
    """Whether VIMs are to be named, as far as the table knows yet."""
    return "scenario" not in g.rules or bool(vims.kind_of_vim(g))


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
        "friendly": objectives.friendly(g, seat),
        "counters": sum(unit.counters for unit in g.on_table(seat)),
        "able": sum(1 for unit in g.on_table(seat) if unit.counters),
        "models": sum(1 for _unit in g.warband(seat)),
        "ready": side.ready,
        "vim": vims.known(g, seat),
    }


def _place(g: Table, place: Objective) -> dict[str, Any]:
    zone = place.kind == objectives.ZONE
    return {
        "name": place.name,
        "kind": place.kind,
        "aligned": objectives.aligned_to(g, place),
        "controller": objectives.controller(g, place) if zone else None,
    }


def summary(g: Table) -> str:
    """One line: turn, question, points, tokens, counters, and what is aligned or controlled."""
    asks = g.question.step if g.flow else "nothing"
    who = f":{g.active}" if asks in (activations.Turn.name, activations.Act.name) else ""
    sides = []
    for seat in g.seats:
        side = _side(g, seat)
        told = f"{seat} vp{side['points']} sp{side['scenario_points']} counters{side['counters']}"
        sides.append(told + (f" pass{side['passes']}" if side["passes"] else ""))
    held = {place.key: _holder(g, place) for place in g.objectives.values()}
    places = " ".join(f"{key}={seat}" for key, seat in held.items() if seat)
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"t{g.round} {asks}{who}", *sides, *([places] if places else []), *end])


def _holder(g: Table, place: Objective) -> str | None:
    """Who controls a zone, else to whom a place is friendly."""
    controller = objectives.controller(g, place) if place.kind == objectives.ZONE else None
    return controller or objectives.aligned_to(g, place)
