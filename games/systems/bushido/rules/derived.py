"""What pages and transcripts show of a position, worked out and never stored. Texts are message ids."""

from __future__ import annotations

from typing import Any

from games.core.steps import Step
from games.core.system import system
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import ELSEWHERE, REMOVED, TABLE, Objective, Table, Unit
from games.systems.bushido.rules import (
    activations,
    end_phase,
    objectives,
    scenarios,
    scoring,
    setup,
    starting_phase,
)
from games.systems.bushido.rules.turns import DiscardPasses

SET_UP, STARTING, MAIN, END = _("Set-up"), _("Starting Phase"), _("Main Phase"), _("End Phase")

_STARTING = {step.name for step in starting_phase.STEPS}
_MAIN = {step.name for step in activations.MAIN}
END_ORDER: tuple[type[Step], ...] = (
    end_phase.EndEffects,
    end_phase.DamageStates,
    end_phase.Expiry,
    scoring.NextCheck,
    DiscardPasses,
)
"""The five steps of the End phase as the seed lists them."""

TITLES = {
    "choose-first": "tactical-test",
    "resets": "starting-effects",
    "other-effects": "end-effects",
    "score-zones": "next-check",
    "reveal-vims": "next-check",
    "tally": "next-check",
    "decrease": "next-check",
    "closing": "next-check",
}
"""Questions that belong to a step of the ordered list."""

CALLED = {
    "expiry": _("What expires"),
    "end-effects": _("Effects, adverse first"),
    "variable-turns": _("Variable turns"),
}
"""What a step is called in the list, where its question says something narrower."""


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
    """Phase, whose activation, who acted, and a face for each side, model and place."""
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
    return g.round if g.is_final and g.round else scenarios.of(g).turns


def state_of(g: Table, unit: Unit) -> str:
    """What a model's card says: ready, acting, exhausted, elsewhere, removed or unplaced."""
    if unit.place != TABLE:
        return {ELSEWHERE: "elsewhere", REMOVED: "removed"}.get(unit.place, "unplaced")
    if g.acting == unit.key:
        return "acting"
    return "ready" if unit.counters or not g.round else "exhausted"


def guide(g: Table) -> dict[str, Any] | None:
    """The ordered list that set-up, Starting phase and End phase walk through; None in the Main phase."""
    if not g.flow or g.result is not None:
        return None
    at = TITLES.get(g.question.step, g.question.step)
    lists = ((SET_UP, setup.ORDER), (STARTING, starting_phase.ORDER), (END, END_ORDER))
    for title, order in lists:
        names = [step.name for step in order]
        if at in names:
            return {"title": title, "steps": _walked(g, names, names.index(at))}
    return None


def _walked(g: Table, order: list[str], current: int) -> list[dict[str, str]]:
    steps = [system(g.system).step_named(g, name) for name in order]
    looks = ["done"] * current + ["current"] + ["next"] * (len(order) - current - 1)
    return [
        {
            "name": step.name,
            "title": CALLED.get(step.name, step.title),
            "help": step.help,
            "rule": step.rule,
            "state": look,
        }
        for step, look in zip(steps, looks, strict=True)
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
        "vim": side.vim,
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
        face = _side(g, seat)
        told = f"{seat} vp{face['points']} sp{face['scenario_points']} counters{face['counters']}"
        sides.append(told + (f" pass{face['passes']}" if face["passes"] else ""))
    held = [f"{key}={face['controller'] or face['aligned']}" for key, face in _held(g)]
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"t{g.round} {asks}{who}", *sides, *([" ".join(held)] if held else []), *end])


def _held(g: Table) -> list[tuple[str, dict[str, Any]]]:
    found = ((place.key, _place(g, place)) for place in g.objectives.values())
    return [(key, face) for key, face in found if face["controller"] or face["aligned"]]
