"""Victory Points: how many there are, which checks are due for them, and who is ahead in each."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.corrections import BY_HAND
from games.core.system import name_of
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import REMOVED, Table
from games.systems.bushido.rules import objectives, scenarios
from games.systems.bushido.rules.scenarios import CHECKS, FRIENDLY, POINTS, SLAIN, Check

NOBODY = "nobody"


def due(g: Table) -> list[tuple[int, Check]]:
    """The checks of this End phase, with their numbers in the scenario."""
    checks = enumerate(scenarios.of(g).checks)
    due_now = (each for each in checks if each[1].is_due(g.round, is_final=g.is_final))
    return [(at, check) for at, check in due_now if not _is_given(g, check)]


def _is_given(g: Table, check: Check) -> bool:
    """BUSH-22: whether a check of any turn has given its one Victory Point."""
    return check.turn == "any" and any(score.reason == CHECKS[check.by] for score in g.scores.values())


def next_check(g: Table) -> str:
    """What the next Victory Point is given for; "" if none is to come."""
    for check in scenarios.of(g).checks:
        is_to_come = int(check.turn) >= g.round if check.turn.isdigit() else not _is_given(g, check)
        if is_to_come:
            return check.by
    return ""


def available(g: Table) -> int:
    """How many Victory Points the scenario has."""
    return len(scenarios.of(g).checks)


def scored(g: Table) -> int:
    """How many Victory Points both sides have together."""
    return sum(g.points(seat) for seat in g.seats)


def is_all_given(g: Table) -> bool:
    """Whether no Victory Point is left to be given, after corrections perhaps before the last check."""
    return scored(g) >= available(g)


def by_hand(g: Table, seats: Iterable[str]) -> int:
    """How many Victory Points corrections have given these seats, less those that they have taken."""
    by_hand = (score for score in g.scores.values() if score.reason == BY_HAND)
    return sum(score.points for score in by_hand if score.seat in seats)


def given_as_last(g: Table) -> list[tuple[str, str]]:
    """Who was given what in this turn because it is the last: a seat and what the check is for, each."""
    made = [check.by for at, check in _last_checks(g) if (g.round, at) in g.checked]
    return [
        given
        for by in dict.fromkeys(made)
        for seat in g.seats
        for given in [(seat, by)] * min(made.count(by), _given_now(g, seat, by))
    ]


def take_back_last(g: Table) -> None:
    """BUSH-20: this turn is not the last, so what the last turn gives is taken back and checked again."""
    for seat, by in given_as_last(g):
        g.score(seat, -1, CHECKS[by])
        line = _("%(player)s loses the Victory Point of the last turn: the match goes on.")
        g.say(line, player=name_of(g, seat))
    again = {(g.round, at) for at, _check in _last_checks(g)}
    g.checked = tuple(made for made in g.checked if made not in again)


def _last_checks(g: Table) -> list[tuple[int, Check]]:
    return [(at, check) for at, check in enumerate(scenarios.of(g).checks) if check.turn == "last"]


def _given_now(g: Table, seat: str, by: str) -> int:
    """The Victory Points that a seat has been given for something in this turn."""
    now = (g.round, seat, CHECKS[by])
    return sum(score.points for score in g.scores.values() if (score.round, score.seat, score.reason) == now)


def reset_points(g: Table) -> None:
    """BUSH-31: Scenario Points start over; those scored before still break the ties of a tournament."""
    g.reset_points = tuple((seat, scenario_points_scored(g, seat)) for seat in g.seats)
    for army in g.armies.values():
        army.scenario_points = 0


def scenario_points_scored(g: Table, seat: str) -> int:
    """The Scenario Points that a seat has scored in this match, also those that resets have taken."""
    return g.armies[seat].scenario_points + dict(g.reset_points).get(seat, 0)


def ahead(g: Table, by: str) -> str:
    """Who is ahead in a check: a seat, `NOBODY`, or "" for what only players can see.

    BUSH-23: once a warband has no model on the battlefield, only the other's VIM can be nearest to anything.
    """
    if by in (POINTS, FRIENDLY):
        counts = {seat: count(g, seat, by) for seat in g.seats}
        first, second = sorted(g.seats, key=lambda seat: counts[seat], reverse=True)
        return first if counts[first] > counts[second] else NOBODY
    if by == SLAIN:
        fallen = slain(g)
        return g.rival(fallen[0]) if len(fallen) == 1 else NOBODY
    left = [seat for seat in g.seats if g.on_table(seat)]
    return "" if len(left) == len(g.seats) else next((seat for seat in left if _has_vim(g, seat)), NOBODY)


def _has_vim(g: Table, seat: str) -> bool:
    """Whether a warband's VIM stands on the battlefield."""
    vim = g.units.get(g.armies[seat].vim)
    return vim is not None and vim.is_on_table


def count(g: Table, seat: str, by: str) -> int:
    """A seat's count for a check: Scenario Points or friendly objectives."""
    return g.armies[seat].scenario_points if by == POINTS else objectives.friendly(g, seat)


def slain(g: Table) -> list[str]:
    """The seats whose VIM is out of the match."""
    vims = {seat: g.units.get(g.armies[seat].vim) for seat in g.seats}
    return [seat for seat, unit in vims.items() if unit is not None and unit.place == REMOVED]


def tallied(g: Table, seat: str) -> dict[str, int]:
    """What a tournament ranks a seat by: points, and the turn in which the enemy's VIM fell, if it has."""
    numbers = {"vp": g.points(seat), "scenario": scenario_points_scored(g, seat)}
    fell = dict(g.fallen).get(g.armies[g.rival(seat)].vim)
    return numbers if fell is None else {**numbers, "vim": max(1, fell)}
