"""Tiny positions for tests: three houses in the middle of a round, or as many as are wanted."""

from __future__ import annotations

from games.core import Step, engine, register
from games.systems.agot import SYSTEM
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.westeros_phase import Resolve
from tests.positions import offered

register(SYSTEM)


def gathered(houses: int = 3, mode: str = "light", **options: int) -> Table:
    """A table that was just opened."""
    names = dict(list(SYSTEM.seat_names.items())[:houses])
    state = SYSTEM.open(mode, names, "seed", options)
    engine.advance(state)
    return state


def table(houses: int = 3, mode: str = "light", **options: int) -> Table:
    """The first round, everybody at the Planning phase."""
    g = gathered(houses, mode, **options)
    return play(g, *(f"{seat} ready" for seat in g.seats))


def named(g: Table, step: str, *about: str) -> Step:
    """The step of this name as the table's mode plays it."""
    return SYSTEM.step_named(g, step).read(about)


def at(g: Table, step: str, *about: str, **fields) -> Table:
    """The same table at another question, with some fields of it changed."""
    g = g.copy()
    for name, value in fields.items():
        setattr(g, name, value)
    g.flow = ()
    g.call(named(g, step, *about))
    engine.advance(g)
    return g


def within(g: Table, step: str, *about: str, **fields) -> Table:
    """The same, asked from within the Westeros phase, whose cards have been resolved before."""
    g = g.copy()
    for name, value in fields.items():
        setattr(g, name, value)
    g.flow = ()
    g.call(Resolve(9))
    g.call(named(g, step, *about))
    engine.advance(g)
    return g


def power(g: Table, **tokens: int) -> Table:
    """The same table with so much available power."""
    g = g.copy()
    for seat, number in tokens.items():
        g.armies[seat].power = number
    return g


def play(g: Table, *actions: str) -> Table:
    """The position after these actions, each "seat action"."""
    for action in actions:
        g = engine.play(g, *action.split())
    return g


def bids(g: Table, what: str, **amounts: int) -> Table:
    """The position after these houses have bid."""
    return play(g, *(f"{seat} bid:{what}:{amount}" for seat, amount in amounts.items()))


def asks(g: Table) -> str:
    """The step that is open and the seats whose answer is out: "bid stark"."""
    return " ".join((g.question.step, *engine.awaited(g)))


# --- the map -------------------------------------------------------------------------------------

LETTERS = {"F": "footman", "K": "knight", "S": "ship", "E": "siege-engine"}


def field(houses: int = 6, mode: str = "full", **lands: str) -> Table:
    """The whole map with only these units: `stark="winterfell:FK the-narrow-sea:S"`, and no markers."""
    g = table(houses, mode).copy()
    for area in g.objectives.values():
        area.house, area.routed, area.token, area.garrison, area.neutral = "", (), "", 0, 0
        area.footmen = area.knights = area.siege_engines = area.ships = 0
    for seat, words in lands.items():
        for word in words.split():
            key, _colon, units = word.partition(":")
            g.objectives[key].house = seat
            for letter in units:
                g.objectives[key].add(LETTERS[letter], 1)
    for seat in g.seats:
        g.armies[seat].supply = 6
    return g


def marching(g: Table, seat: str, key: str, order: str = "zero") -> Table:
    """A house with the March order of one of its areas."""
    g = at(g, "marches", seat, marched=(), moving=())
    return play(g, f"{seat} march:{key}:{order}")


def ordered(g: Table, **lying: str) -> Table:
    """The same map with these orders turned over: `winterfell="march-plus"`; "_" stands for "-"."""
    g = g.copy()
    for key, order in lying.items():
        g.objectives[key.replace("_", "-")].order_token = order
    return g


def goes(g: Table, seat: str) -> set[str]:
    """Where the march that is open may go."""
    return {action.partition(":")[2] for action in offered(g, seat) if action.startswith("to:")}


def sent(g: Table, seat: str, *groups: str) -> Table:
    """A march with these groups, each "area unit count", closed."""
    for group in groups:
        key, unit, count = group.split()
        g = play(g, f"{seat} to:{key}")
        if g.question.step == "load":
            g = play(g, f"{seat} take:{unit}-{count}")
        if g.question.step == "load":
            g = play(g, f"{seat} enough")
    return play(g, f"{seat} go")
