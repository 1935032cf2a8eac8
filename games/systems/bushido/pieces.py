"""The pieces of a match: two warbands of models, objectives and zones, and the table they stand on.

Plain data with the predicates that every chapter of the rules needs; each change is made
in the chapter that prescribes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.core import pieces, state

TABLE, ELSEWHERE, REMOVED, UNPLACED = "table", "elsewhere", "removed", "unplaced"

COMMUNAL = "*"
"""A cap that is not a number: Ki goes to a card that the warband shares."""

KAMI = "Kami"
"""Wounds of a model that has none: its Ki stands in for them."""

Marker = tuple[str, int]


@dataclass
class Army(pieces.Army):
    """One player's warband, and what lies beside it on the table.

    `rice` is what it costs, `limit` what the match allows; `cards` are those other than models
    (name, kind, rice, bearer), `warnings` (line number, sentence as JSON). `scenario_points` count
    towards the checks, `prayers` are prayer tokens left, `passes` pass tokens, `communal` the Ki on
    a card that the warband shares. For the Tactical Test: `nominee`, how many `dice` it rolls, the
    dice `rolled` so far. `resolved` are the effects already resolved in the open window, `agreed`
    is the tally it agreed to, `noting` the model whose flank it is about to note. `vim` is the key
    of its Very Important Model, "?" while that is hidden.
    """

    theme: str = ""
    cards: tuple[tuple[Any, ...], ...] = ()
    rice: int = 0
    limit: int = 0
    roster: str = ""
    warnings: tuple[tuple[Any, ...], ...] = ()
    scenario_points: int = 0
    prayers: int = 0
    passes: int = 0
    communal: int = 0
    nominee: str | None = None
    dice: int = 1
    rolled: tuple[int, ...] = ()
    resolved: frozenset[str] = frozenset()
    agreed: str = ""
    noting: str = ""
    vim: str = ""


@dataclass
class Unit(pieces.Unit):
    """One model. `cost` is its rice, `wounds` those it has left.

    The statistics are kept as its card writes them, because not all are numbers: `ki_stat` may be
    "X", `ki_cap` "*" or "∞", `wounds_stat` "Special" or "Kami"; `gain`, `cap` and `tracks_wounds`
    say what can be counted. `place` is "table", "elsewhere", "removed" (killed or gone), or
    "unplaced" before deployment. `counters` are activation counters, `markers` the markers of
    states, (state, value) each. `controller` is the seat that plays it while it is Controlled.
    `prayed` are the objectives at which it prayed this turn, `zone` the zone it is entirely
    inside. `reminders` are the moments at which players are reminded of `note`.
    """

    ki: int = 0
    ki_stat: str = "0"
    ki_cap: str = "0"
    wounds_stat: str = "1"
    wounds_total: int = 1
    counters: int = 0
    markers: tuple[tuple[Any, ...], ...] = ()
    controller: str | None = None
    flanks: bool = False
    summoned: bool = False
    tactician: int = 0
    regenerate: int = 0
    tough: int = 0
    tireless: bool = False
    prayed: frozenset[str] = frozenset()
    zone: str | None = None
    note: str = ""
    reminders: frozenset[str] = frozenset()

    @property
    def player(self) -> str:
        """The seat that plays this model now: its owner, or the one that controls it."""
        return self.controller or self.army

    @property
    def is_on_table(self) -> bool:
        """Whether it stands on the battlefield."""
        return self.place == TABLE

    @property
    def is_in_play(self) -> bool:
        """Whether it belongs to the match: on the table or Elsewhere."""
        return self.place in (TABLE, ELSEWHERE)

    @property
    def is_flanking(self) -> bool:
        """Whether it is Elsewhere and arrives by a flank."""
        return self.flanks and self.place == ELSEWHERE

    @property
    def gain(self) -> int | None:
        """The Ki that it gains each turn; None if its card gives no number ("X")."""
        return int(self.ki_stat) if self.ki_stat.isdecimal() else None

    @property
    def cap(self) -> int | None:
        """The most Ki that it can hold; None if there is no such number."""
        return int(self.ki_cap) if self.ki_cap.isdecimal() else None

    @property
    def is_communal(self) -> bool:
        """Whether its Ki goes to the card that its warband shares."""
        return self.ki_cap == COMMUNAL

    @property
    def is_kami(self) -> bool:
        """Whether its Ki stands in for wounds."""
        return self.wounds_stat == KAMI

    @property
    def tracks_wounds(self) -> bool:
        """Whether its wounds are a number that the table counts."""
        return self.wounds_stat.isdecimal()

    def values(self, name: str) -> tuple[int, ...]:
        """The values of its markers of one state, the highest first."""
        return tuple(sorted([value for state, value in self.markers if state == name], reverse=True))

    def has(self, name: str) -> bool:
        """Whether it has a marker of this state."""
        return bool(self.markers) and name in dict(self.markers)


@dataclass
class Objective(pieces.Objective):
    """An objective (kind "objective") or a zone (kind "zone").

    `aligned` is the seat to which it is friendly, None while it is neutral. `override` is who controls a
    zone as the players say and `uncontrolled` whether they say nobody does; `follows` the objective at a
    zone's centre, whose alignment it takes.
    """

    order: int = 0
    aligned: str | None = None
    uncontrolled: bool = False
    follows: str | None = None


@dataclass
class Table(state.State[Army, Unit, Objective]):
    """Everything on the table.

    `active` is the Active Player, `starter` who was chosen to go first this turn, `acting` the
    model that acted last, `target` the enemy it fights, `actor` the seat that activated last; `feats` is
    that seat too while its last Active feats are open. `is_final` says whether this is the last turn,
    `is_last_by_rule` whether the die or the number of turns has made it that, whatever corrections say;
    `influenced` whether an objective has been influenced in this match. For the End phase: `burnt` are the
    models and states that have wounded in this step, `checked` the checks that were made (turn, number),
    `award` is who gets the open point according to a player, `played_on` the turn and the wiped-out seats
    with which the table has chosen to play on, `time_is_up` whether both have agreed that the match ends
    with this turn. `reset_points` are the Scenario Points that resets have taken, by seat, `shared` the
    keys of the models that share a card and its rice, and `fallen` the models that are out with the turn
    in which each fell.
    """

    active: str = ""
    starter: str = ""
    acting: str | None = None
    target: str | None = None
    actor: str = ""
    feats: str = ""
    is_final: bool = False
    is_last_by_rule: bool = False
    influenced: bool = False
    burnt: tuple[tuple[str, str], ...] = ()
    checked: tuple[tuple[int, int], ...] = ()
    award: str | None = None
    played_on: tuple[int | str, ...] = ()
    time_is_up: bool = False
    reset_points: tuple[tuple[str, int], ...] = ()
    shared: tuple[tuple[str, ...], ...] = ()
    fallen: tuple[tuple[str, int], ...] = ()

    def rival(self, seat: str) -> str:
        """The other seat."""
        one, other = self.armies
        return other if seat == one else one

    def in_order(self) -> tuple[str, ...]:
        """The seats, the Active Player first."""
        return (self.active, self.rival(self.active)) if self.active else self.seats

    def warband(self, seat: str) -> list[Unit]:
        """The models that count as this seat's warband now: in play, and played by it."""
        return [unit for unit in self.units.values() if unit.is_in_play and unit.player == seat]

    def on_table(self, seat: str) -> list[Unit]:
        """The models that this seat plays on the battlefield."""
        # `is_on_table` and `player` are inlined to save two calls per model: every turn asks about them all.
        return [
            unit
            for unit in self.units.values()
            if unit.place == TABLE and (unit.controller or unit.army) == seat
        ]

    def places(self, kind: str) -> Iterator[Objective]:
        """The objectives or the zones, in their order."""
        return (place for place in self.objectives.values() if place.kind == kind)
