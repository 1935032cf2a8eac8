"""Tiny positions for tests: a few models a side, a scenario, a turn that has begun."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.core import Step, engine, register
from games.systems.bushido import SYSTEM
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import scenarios
from games.systems.bushido.rules.end_phase import EndEffects
from games.systems.bushido.rules.main_phase import BeginMain
from games.systems.bushido.rules.starting_phase import VariableTurns
from games.systems.bushido.rules.turn_sequence import begin_turn

register(SYSTEM)

MODE = "risen-sun"
NAMES = {"red": "Red", "blue": "Blue"}
READY = ("red demo:ryu", "blue demo:ito", "red ready", "blue ready")


def model(key: str, **fields) -> Unit:
    """A model with Ki 2/6, 5 wounds and both its counters."""
    figures = {"kind": "model", "cost": 10, "wounds": 5, "wounds_total": 5, "wounds_stat": "5"}
    figures |= {"ki_stat": "2", "ki_cap": "6", "counters": 2}
    return Unit(key, "", key.replace("-", " ").title(), **{**figures, **fields})


def lobby(**options: int | str) -> Table:
    """A table that was just opened."""
    state = SYSTEM.open(MODE, NAMES, "seed", options)
    engine.advance(state)
    return state


def chosen(scenario: str) -> Table:
    """Two demo warbands and this scenario, before VIMs are named or warbands deployed."""
    return play(lobby(), *READY, f"red scenario:{scenario}")


def bare(scenario: str, red: Iterable[Unit], blue: Iterable[Unit], changes: dict[str, str] | None) -> Table:
    g = lobby()
    facts = {**scenarios.known(g.entries)[scenario], **(changes or {})}
    g.rules = {**g.rules, "scenario": {"slug": scenario, "facts": facts}}
    scenarios.lay_out(g)
    for seat, units in (("red", tuple(red) or (model("goshi"),)), ("blue", tuple(blue) or (model("oni"),))):
        g.armies[seat].ready = True
        g.armies[seat].prayers = scenarios.of(g).prayer
        for order, unit in enumerate(units):
            g.units[unit.key] = replace(unit, army=seat, order=order)
    return g


def starting(
    red: Iterable[Unit] = (),
    blue: Iterable[Unit] = (),
    *,
    turn: int = 1,
    scenario: str = "keii",
    changes: dict[str, str] | None = None,
) -> Table:
    """The first question of a turn's Starting phase; counters are as if used up."""
    g = bare(scenario, red, blue, changes)
    for unit in g.units.values():
        unit.counters = 0
    g.round, g.flow = turn - 1, ()
    g.call(VariableTurns)
    begin_turn(g)
    engine.advance(g)
    return g


def table(
    red: Iterable[Unit] = (),
    blue: Iterable[Unit] = (),
    *,
    turn: int = 1,
    first: str = "red",
    scenario: str = "keii",
    step: type[Step[Table]] = BeginMain,
    changes: dict[str, str] | None = None,
    **fields,
) -> Table:
    """A position at a step of a turn, with these models; else `goshi` of Red and `oni` of Blue."""
    g = bare(scenario, red, blue, changes)
    g.round = turn - 1
    g.begin_round(first)
    g.active = g.starter = first
    g.is_final = turn >= scenarios.of(g).turns
    for name, value in fields.items():
        setattr(g, name, value)
    g.is_last_by_rule = fields.get("is_last_by_rule", g.is_final)
    g.flow = ()
    g.call(step)
    engine.advance(g)
    return g


def ending(red: Iterable[Unit] = (), blue: Iterable[Unit] = (), **rest) -> Table:
    """A position at the start of the End phase: nobody has a counter left."""
    red, blue = tuple(red) or (model("goshi"),), tuple(blue) or (model("oni"),)
    red, blue = ([replace(unit, counters=0) for unit in side] for side in (red, blue))
    return table(red, blue, **{"step": EndEffects, **rest})


def play(g: Table, *actions: str) -> Table:
    """The position after these actions: "seat action", or "seat path action" for a correction."""
    for told in actions:
        seat, *rest = told.split(maxsplit=2 if "/" in told or " table " in told else 1)
        if len(rest) == 2:
            action, _space, note = rest[1].partition(" ")
            g = engine.adjust(g, seat, rest[0], action, note)
        else:
            g = engine.play(g, seat, rest[0])
    return g


def left(g: Table) -> dict[str, int]:
    """The activation counters of each model."""
    return {unit.key: unit.counters for unit in g.units.values()}
