"""The pieces of a match: two warbands of models, objectives and zones, and the table they stand on.

Plain data with the predicates that every chapter of the rules needs; each change is made
in the chapter that prescribes it. At the end is how the admin shows each field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games import core
from games.core import COLUMNS, Column, State
from games.core import gettext_noop as _

TABLE, ELSEWHERE, REMOVED, UNPLACED = "table", "elsewhere", "removed", "unplaced"

COMMUNAL = "*"
"""A cap that is not a number: Ki goes to a card that the warband shares."""

KAMI = "Kami"
"""Wounds of a model that has none: its Ki stands in for them."""

Marker = tuple[str, int]

# --- states: what each is called, what it does, and whether its markers have values

BERSERK, BLEEDING, BLIND, CONTROLLED = "berserk", "bleeding", "blind", "controlled"
DEATH_SENTENCE, DISEASED, DISGUISED, FRIGHTENED = "death-sentence", "diseased", "disguised", "frightened"
HELD, IMMOBILISED, IMPETUOUS, ON_FIRE = "held", "immobilised", "impetuous", "on-fire"
POISONED, PRONE, RELOADING, SPIRIT_BLOCK, STUNNED = (
    "poisoned",
    "prone",
    "reloading",
    "spirit-block",
    "stunned",
)


@dataclass(frozen=True, slots=True)
class StateOf:
    """What a state is called, what to remember about it, and whether its markers have values."""

    title: str
    help: str
    has_value: bool = False


STATES = {
    BERSERK: StateOf(_("Berserk"), _("Comes with an Impetuous marker. Ends in the End Phase.")),
    BLEEDING: StateOf(_("Bleeding"), _("Wounds in the End Phase; any healing ends it."), has_value=True),
    BLIND: StateOf(_("Blind"), _("One melee die less, no run or charge. Ends in the End Phase.")),
    CONTROLLED: StateOf(
        _("Controlled"), _("Counts for the other warband; remove a marker with each counter it uses.")
    ),
    DEATH_SENTENCE: StateOf(
        _("Death Sentence"),
        _(
            "Enemies roll one melee or ranged die more, and add 1 for wounds. In the Starting Phase 3 Ki may "
            "remove a marker."
        ),
    ),
    DISEASED: StateOf(
        _("Diseased"), _("It gets 1 counter less in the Starting Phase; then remove a marker.")
    ),
    DISGUISED: StateOf(
        _("Disguised"), _("Ends with a fight, a ranged attack or a scenario action."), has_value=True
    ),
    FRIGHTENED: StateOf(
        _("Frightened"),
        _(
            "One melee and one ranged die less; at most half of its melee dice attack. "
            "Fear test again in the End Phase."
        ),
    ),
    HELD: StateOf(
        _("Held"), _("One melee die less. Ends when its holder leaves or fights another, or it disengages.")
    ),
    IMMOBILISED: StateOf(_("Immobilised"), _("A size test of 6 before it acts; a wait removes all.")),
    IMPETUOUS: StateOf(_("Impetuous"), _("Acts before the others of its warband; then remove a marker.")),
    ON_FIRE: StateOf(
        _("On fire"),
        _("Wounds in the End Phase, toughness does not help; a wait removes two."),
        has_value=True,
    ),
    POISONED: StateOf(_("Poisoned"), _("Wounds in the End Phase."), has_value=True),
    PRONE: StateOf(_("Prone"), _("One melee die less until it stands up.")),
    RELOADING: StateOf(_("Reloading"), _("A wait removes one marker.")),
    SPIRIT_BLOCK: StateOf(_("Spirit Block"), _("No Ki in the next Ki step; then remove a marker.")),
    STUNNED: StateOf(
        _("Stunned"),
        _("One melee and one ranged die less. Remove a marker in the End Phase, all with a wait."),
    ),
}
DAMAGING = (ON_FIRE, BLEEDING, POISONED)
"""States that wound in the End phase, in the order in which they are worked out."""

MOST_VALUE, MOST_MARKERS = 6, 12

NOT_OF_KAMI = frozenset({BLEEDING, DISEASED, ON_FIRE, POISONED})
"""The states to which every Kami is immune. What other models are immune to is on their cards."""

CHARGED, EXHAUSTED, RESOLVED = "charged", "exhausted", "resolved"
"""What counts in a fight: the model that acted has charged; its enemy had no counter; its dice are rolled."""

STARTING, FEATS_BEFORE, FEATS_AFTER, END_ADVERSE, END, EXPIRES = (
    "starting",
    "feats-before",
    "feats-after",
    "end-adverse",
    "end",
    "expires",
)
MOMENTS = {
    STARTING: _("Starting Phase"),
    FEATS_BEFORE: _("Before my action (Active feats)"),
    FEATS_AFTER: _("After my action (last Active feats)"),
    END_ADVERSE: _("End Phase, adverse"),
    END: _("End Phase, other"),
    EXPIRES: _("Expires in the End Phase"),
}
"""The moments at which players can be reminded of a model's note."""


@dataclass
class Army(core.Army):
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
class Unit(core.Unit):
    """One model. `cost` is its rice, `wounds` those it has left.

    The statistics are kept as its card writes them, because not all are numbers: `ki_stat` may be
    "X", `ki_cap` "*" or "∞", `wounds_stat` "Special" or "Kami"; `gain`, `cap` and `tracks_wounds`
    say what can be counted. `place` is "table", "elsewhere", "removed" (killed or gone), or
    "unplaced" before deployment. `counters` are activation counters, `markers` the markers of
    states, (state, value) each. `controller` is the seat that plays it while it is Controlled.
    `prayed` are the objectives at which it prayed this turn, `zone` the zone it is entirely
    inside. `reminders` are the moments at which players are reminded of `note`. `melee` is what its card says
    of a Melee Exchange, (name, number) each.
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
    melee: tuple[tuple[Any, ...], ...] = ()

    @property
    def player(self) -> str:
        """The seat that plays this model now: its owner, or the one that controls it."""
        return self.controller or self.army

    @property
    def is_on_table(self) -> bool:
        return self.place == TABLE

    @property
    def is_in_play(self) -> bool:
        return self.place in (TABLE, ELSEWHERE)

    @property
    def is_flanking(self) -> bool:
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
        return self.ki_cap == COMMUNAL

    @property
    def is_kami(self) -> bool:
        return self.wounds_stat == KAMI

    @property
    def tracks_wounds(self) -> bool:
        """Whether its wounds are a number that the table counts."""
        return self.wounds_stat.isdecimal()

    def values(self, name: str) -> tuple[int, ...]:
        return tuple(sorted([value for state, value in self.markers if state == name], reverse=True))

    def has(self, name: str) -> bool:
        return bool(self.markers) and name in dict(self.markers)

    def fights(self, name: str) -> int:
        """A number or a trait of its card that counts in a Melee Exchange; 0 if it has none."""
        number: int = dict(self.melee).get(name, 0)
        return number

    def can_gain(self, name: str) -> bool:
        """Whether it can gain a marker of a state: a Prone one is not made Prone again, a Kami is immune."""
        return not (self.has(PRONE) if name == PRONE else self.is_kami and name in NOT_OF_KAMI)

    def add_marker(self, name: str, value: int = 1) -> None:
        self.markers = (*self.markers, (name, value))

    def remove_marker(self, name: str) -> int:
        """Take the highest marker of a state off; return its value, 0 if there was none."""
        if not self.has(name):
            return 0
        highest = self.values(name)[0]
        kept = list(self.markers)
        kept.remove((name, highest))
        self._keep(kept)
        return highest

    def clear_markers(self, name: str) -> None:
        self._keep([marker for marker in self.markers if marker[0] != name])

    def _keep(self, markers: list[tuple[Any, ...]]) -> None:
        self.markers = tuple(markers)
        if self.controller and not self.has(CONTROLLED):
            self.controller = None


@dataclass
class Objective(core.Objective):
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
class Table(State[Army, Unit, Objective]):
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
    keys of the models that share a card and its rice, `fallen` the models that are out with the turn
    in which each fell, `fought` what counts in the fight of `acting` and `target`, and `exchange` the Melee
    Exchange that is resolved in the app (`melee_exchange.Exchange`).
    """

    sequence: ClassVar[str] = "exchange"

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
    fought: frozenset[str] = frozenset()
    exchange: tuple[Any, ...] = ()

    def rival(self, seat: str) -> str:
        first, other = self.armies
        return other if seat == first else first

    def in_order(self) -> tuple[str, ...]:
        return (self.active, self.rival(self.active)) if self.active else self.seats

    def warband(self, seat: str) -> list[Unit]:
        """The models that count as this seat's warband now: in play, and played by it."""
        return [unit for unit in self.units.values() if unit.is_in_play and unit.player == seat]

    def on_table(self, seat: str) -> list[Unit]:
        # `is_on_table` and `player` are inlined to save two calls per model: every turn asks about them all.
        return [
            unit
            for unit in self.units.values()
            if unit.place == TABLE and (unit.controller or unit.army) == seat
        ]

    def places(self, kind: str) -> Iterator[Objective]:
        return (place for place in self.objectives.values() if place.kind == kind)


# --- how the admin shows the fields ------------------------------------------------------------------

PLACES = {
    TABLE: _("On the battlefield"),
    ELSEWHERE: _("Elsewhere"),
    REMOVED: _("Out of the match"),
    UNPLACED: _("Not deployed yet"),
}

ARMY = {
    "army/theme": Column(_("theme card")),
    "army/cards": Column(
        _("cards"), cells=((_("name"), str), (_("kind"), str), (_("rice"), int), (_("bearer"), str))
    ),
    "army/rice": Column(_("Rice")),
    "army/limit": Column(_("rice of this match")),
    "army/roster": Column(is_hidden=True),
    "army/scenario_points": Column(is_first=True),
    "army/passes": Column(is_first=True),
    "army/nominee": Column(_("nominated for the Tactical Test"), among="unit"),
    "army/dice": Column(_("dice of the Tactical Test")),
    "army/rolled": Column(_("dice rolled")),
    "army/resolved": Column(_("effects resolved in the open window")),
    "army/agreed": Column(_("tally agreed to")),
    "army/noting": Column(_("about to enter a flank"), among="unit"),
    "army/vim": Column(_("Very Important Model")),
    "army/warnings": Column(is_hidden=True),
}


UNIT = {
    "unit/wounds": replace(COLUMNS["unit/wounds"], of=lambda unit: unit.tracks_wounds),
    "unit/kind": Column(among={"model": _("Model")}),
    "unit/place": Column(among=PLACES, is_first=True),
    "unit/cost": Column(_("Rice")),
    "unit/ki": Column(_("Ki"), is_first=True),
    "unit/ki_stat": Column(_("Ki on its card")),
    "unit/ki_cap": Column(_("Ki cap on its card")),
    "unit/wounds_stat": Column(_("wounds on its card")),
    "unit/wounds_total": Column(of=lambda unit: unit.tracks_wounds),
    "unit/counters": Column(is_first=True),
    "unit/markers": Column(_("markers of states"), cells=((_("state"), str), (_("value"), int))),
    "unit/controller": Column(_("controlled by"), among="army"),
    "unit/flanks": Column(_("arrives by a flank")),
    "unit/summoned": Column(_("summoned")),
    "unit/prayed": Column(_("prayed this turn at"), among="objective"),
    "unit/zone": Column(_("entirely inside"), among="objective"),
    "unit/note": Column(_("Note")),
    "unit/melee": Column(_("melee, on its card"), cells=((_("name"), str), (_("number"), int))),
    "unit/reminders": Column(_("moments to be reminded at"), among=MOMENTS),
}
OBJECTIVE = {
    # In this game no model stands on a place to hold it, and only a zone has a controller.
    "objective/claimed_by": Column(is_hidden=True),
    "objective/override": replace(COLUMNS["objective/override"], of=lambda place: place.kind == "zone"),
    "objective/kind": Column(among={"objective": _("Objective"), "zone": _("Zone")}),
    "objective/order": Column(_("order")),
    "objective/aligned": Column(_("friendly to"), among="army", is_first=True),
    "objective/uncontrolled": Column(
        _("no one controls it (set by the players)"), of=lambda place: place.kind == "zone"
    ),
    "objective/follows": Column(
        _("takes its alignment from"), among="objective", of=lambda place: place.kind == "zone"
    ),
}
MATCH = {
    "table/active": Column(_("Active Player"), among="army", is_first=True),
    "table/starter": Column(_("went first this turn"), among="army"),
    "table/acting": Column(_("model that acted last"), among="unit", is_first=True),
    "table/target": Column(_("whom it fights"), among="unit"),
    "table/actor": Column(_("who activated last"), among="army"),
    "table/feats": Column(_("last Active feats open to"), among="army"),
    "table/is_final": Column(_("last turn"), is_first=True),
    "table/is_last_by_rule": Column(_("last turn by the die or the number of turns")),
    "table/time_is_up": Column(_("time is up: the match ends with this turn")),
    "table/influenced": Column(_("an objective has been influenced")),
    "table/award": Column(_("gets the open point"), among="army"),
    "table/burnt": Column(is_hidden=True),
    "table/reset_points": Column(is_hidden=True),
    "table/shared": Column(is_hidden=True),
    "table/fallen": Column(is_hidden=True),
    "table/fought": Column(is_hidden=True),
    "table/exchange": Column(is_hidden=True),
    "table/checked": Column(is_hidden=True),
    "table/played_on": Column(is_hidden=True),
}
FIELDS = {**COLUMNS, **ARMY, **UNIT, **OBJECTIVE, **MATCH}
