"""Tiny positions for tests: a few units a side, five tokens, a round that has begun."""

from __future__ import annotations

from collections.abc import Iterable

from games.core import engine, register
from games.systems.tmg import SYSTEM
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import deployment, objective_tokens, tactics_cards

register(SYSTEM)

MODE = "a-game-of-thrones"
NAMES = {"red": "Red", "blue": "Blue"}
CARDS = ("centre", "mend", "shift", "counsel", "sunder")
"""The cards beside the five tokens of a tiny position."""


def infantry(key: str, **fields) -> Unit:
    """Twelve models in three ranks."""
    return _unit(key, "infantry", 12, 4, fields)


def cavalry(key: str, **fields) -> Unit:
    """Four models of three wounds each, in two ranks."""
    return _unit(key, "cavalry", 12, 6, fields)


def solo(key: str, **fields) -> Unit:
    """One model with three wounds."""
    return _unit(key, "solo", 3, 0, fields)


def ncu(key: str, **fields) -> Unit:
    """A Non-Combat Unit."""
    return _unit(key, "ncu", 0, 0, fields)


def _unit(key: str, kind: str, wounds: int, rank_size: int, fields: dict) -> Unit:
    figures = {"kind": kind, "wounds": wounds, "wounds_total": wounds, "rank_size": rank_size, "cost": 5}
    return Unit(key, "", key.replace("-", " ").title(), **{**figures, **fields})


def lobby(mode: str = MODE, **options: int) -> Table:
    """A table that was just opened."""
    state = SYSTEM.open(mode, NAMES, "seed", options)
    engine.advance(state)
    return state


def table(
    red: Iterable[Unit] = (),
    blue: Iterable[Unit] = (),
    *,
    round: int = 1,
    first: str = "red",
    step: str = "start-of-round",
    mode: str = MODE,
    **rules,
) -> Table:
    """A position at a step of a round, with these units and these changes of the ruleset.

    Without units a side has one infantry unit, `wolves` or `lions`. Before the score all have activated.
    """
    g = lobby(mode)
    g.rules = {**g.rules, **rules}
    for seat, units in (
        ("red", tuple(red) or (infantry("wolves"),)),
        ("blue", tuple(blue) or (infantry("lions"),)),
    ):
        g.armies[seat].ready = True
        g.armies[seat].hand, g.armies[seat].deck = 3, 17
        for order, unit in enumerate(units):
            unit.army, unit.order = seat, order
            unit.activated = unit.activated or step in ("end-of-round", "score-points")
            g.units[unit.key] = unit
    _lay_tokens(g)
    tactics_cards.set_up(g)
    g.first = g.turn = first
    g.flow = ()
    for _round in range(round):
        g.begin_round(first)
    g.call(SYSTEM.step_named(g, step))
    engine.advance(g)
    return g


def _lay_tokens(g: Table) -> None:
    if not deployment.has_cards(g):
        deployment.lay_tokens(g)
        while deployment.PlaceToken.name in deployment.order(g) and objective_tokens.laid(g) < len(
            objective_tokens.tokens(g)
        ):
            objective_tokens.add_token(g)
        return
    for card in CARDS:
        objective_tokens.add_token(g).card = card


def clean_up(
    red: Iterable[Unit] = (),
    blue: Iterable[Unit] = (),
    *,
    claims: dict[str, str | None] | None = None,
    **rest,
) -> Table:
    """A position in the clean-up, everybody activated; `claims` are token → unit.

    With claims the score is asked about; without any it has been agreed on.
    """
    red, blue = tuple(red) or (infantry("wolves"),), tuple(blue) or (infantry("lions"),)
    for unit in (*red, *blue):
        unit.activated = True
    g = table(red, blue, **{"round": 2, "step": "end-of-turn", **rest})
    for token, unit in (claims or {}).items():
        g.objectives[token].claimed_by = unit
    g = all_done(g)
    return g if any(g.objectives[key].kind == "token" for key in claims or {}) else agreed(g)


def agreed(g: Table) -> Table:
    """The position after both have agreed to the score, where it is asked about."""
    while g.result is None and g.question.step == "score-points":
        g = play(g, f"{engine.to_act(g)[0]} agree")
    return g


def all_done(g: Table) -> Table:
    """The position after everybody has had the last opportunity of the turn."""
    while g.question.step in ("end-of-turn", "last-chance"):
        g = play(g, f"{engine.to_act(g)[0]} done")
    return g


def answers(g: Table, seat: str) -> list[str]:
    """What the open question offers this seat, without what it may do beside it."""
    return sorted(offer.action for offer in engine.answers(g, seat))


def play(g: Table, *actions: str) -> Table:
    """The position after these actions, each "seat action"; "all done" closes the last window of a turn."""
    for action in actions:
        g = all_done(g) if action == "all done" else engine.play(g, *action.split())
    return g
