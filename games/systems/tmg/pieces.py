"""The pieces of the miniatures game, and the table that they stand on.

Plain data with the predicates that every chapter of the rules needs; each change is made
in the chapter that prescribes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games import core
from games.core import Objective, RollingArmy, State
from games.core import gettext_noop as _

WALL = "wall"
"""The kind of a Castle Wall, which acts, fights and falls like a Combat Unit and is none (TMG-99)."""

COMBAT_KINDS = frozenset({"infantry", "cavalry", "solo", "war-machine", WALL})
"""Kinds of what fights on the battlefield; the other kind is "ncu", a Non-Combat Unit."""

CONDITIONS = ("panicked", "vulnerable", "weakened")

ATTACKER = "attacker"
"""The fact of a match that names the seat of the Attacker in a siege (TMG-99)."""

DEPLOYING = "deploying"
"""Stands in a mode's set-up for its ruleset's steps of picking zones and deploying."""

START_OF_ROUND, START_OF_TURN, END_OF_TURN, END_OF_ROUND = (
    "start-of-round",
    "start-of-turn",
    "end-of-turn",
    "end-of-round",
)
MOMENTS = {
    START_OF_ROUND: _("Start of the round"),
    START_OF_TURN: _("Start of the turn"),
    END_OF_TURN: _("End of the turn"),
    END_OF_ROUND: _("End of the round"),
}
"""The moments at which players can be reminded of a unit's note."""


@dataclass
class Side(RollingArmy):
    """One player's army: hand and deck are counts; the cards themselves stay on the table.

    `roll` is the die of a roll-off, `agreed` the tally that this player has agreed to,
    `passed` whether it left its Reserve where it is; `missions` is how many mission cards it
    holds, `mission` this round's ("" none, "?" face down, else its key);
    `captives` are attachments that have yet to join an enemy unit: (name, title, cost,
    further Victory Points); `acted` is the unit that it last activated in this round. Where
    the app keeps the decks, `card_names` are the names of the cards, `discards` is the face-up
    pile, and `in_play` the card that was played and has yet to find its unit. `siege_cards` are
    those of a siege that it has not played.
    """

    commander: str = ""
    points: int = 0
    limit: int = 0
    hand: int = 0
    deck: int = 0
    hand_bonus: int = 0
    roster: str = ""
    warnings: tuple[Any, ...] = ()
    captives: tuple[tuple[Any, ...], ...] = ()
    agreed: str = ""
    passed: bool = False
    missions: int = 0
    mission: str = ""
    card_names: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    in_play: str = ""
    acted: str | None = None
    siege_cards: int = 0


@dataclass
class Unit(core.Unit):
    """A Combat Unit or NCU with what is attached to it.

    `place` is "table", "reserve", "destroyed", or "unplaced" before deployment;
    `wounds` are those remaining of `wounds_total`, `rank_size` the wounds of a full
    rank (0: no ranks). `engaged_with` is symmetric. `attachments` are
    (name, title, cost, owner's seat) each. `reminders` are the moments at which players
    are reminded of `note`, `lent_to` is the seat that plays it for this round,
    `linked_to` the unit that it activates with. `counters` are (name, number) each;
    `paid` is what its destruction scored: (seat, points) each; `falls` is how often it
    has been destroyed; `marked` and `sector` belong to modes that mark units or count
    the army points in parts of the table. `cards` are tactics cards that stay with it: (card,
    whose, how long) each. `card` is the number of its card in the catalogue, "" if it has none there.
    `pile` is the corpse pile that its destruction left, `lost` the attachments that fell for good.
    """

    title: str = ""
    card: str = ""
    wounds_total: int = 0
    rank_size: int = 0
    commander: bool = False
    attachments: tuple[tuple[Any, ...], ...] = ()
    conditions: frozenset[str] = frozenset()
    counters: tuple[tuple[Any, ...], ...] = ()
    order_used: bool = False
    pool: int | None = None
    barred: bool = False
    never_activates: bool = False
    linked_to: str | None = None
    engaged_with: frozenset[str] = frozenset()
    influences: str | None = None
    kept: bool = False
    cannot_control: bool = False
    gains_no_conditions: bool = False
    grants_no_vp: bool = False
    extra_vp: int = 0
    hand_bonus: int = 0
    note: str = ""
    reminders: frozenset[str] = frozenset()
    lent_to: str | None = None
    paid: tuple[tuple[Any, ...], ...] = ()
    falls: int = 0
    marked: bool = False
    sector: str | None = None
    cards: tuple[tuple[str, str, str], ...] = ()
    pile: str | None = None
    lost: tuple[tuple[Any, ...], ...] = ()

    @property
    def player(self) -> str:
        """The seat that plays this unit now: its owner, or the one that it is lent to (TMG-38)."""
        return self.lent_to or self.army

    @property
    def is_combat(self) -> bool:
        """Whether this fights on the battlefield: a Combat Unit or a Castle Wall."""
        return self.kind in COMBAT_KINDS

    @property
    def is_on_table(self) -> bool:
        """Whether it is in play: on the battlefield, or for an NCU at the ready."""
        return self.place == "table"

    @property
    def standing_ranks(self) -> int:
        """Remaining ranks as a card shows them: a solo has at most one, whatever its wounds (TMG-39)."""
        return min(self.ranks, 1) if self.kind == "solo" else self.ranks

    @property
    def ranks(self) -> int:
        """Remaining ranks; a solo counts its remaining wounds, a war machine one (TMG-39, TMG-56)."""
        if self.kind == "solo":
            return self.wounds
        if self.kind == "war-machine":
            return min(self.wounds, 1)
        return -(-self.wounds // self.rank_size) if self.rank_size else 0

    def worth_to(self, seat: str) -> int:
        """The army points in it that a seat brought: its own cost, and that of every attachment."""
        attached: int = sum(cost for _name, _title, cost, owner in self.attachments if owner == seat)
        return attached + (self.cost if self.army == seat else 0)


@dataclass
class Place(Objective):
    """An objective token (kind "token") or a zone of the tactics board (kind "zone").

    `claimed_by` is the unit on it, `override` the seat that the players say controls it
    and `uncontrolled` whether they say nobody does; `card` the objective card beside a token;
    `scored` the seat that has yet to resolve what the card says about scoring;
    `counts_for` the seat that counts as holding a zone; `silences` the NCU without abilities because of it.
    """

    order: int = 0
    card: str | None = None
    scored: str | None = None
    counts_for: str | None = None
    uncontrolled: bool = False
    silences: str | None = None


@dataclass
class Table(State[Side, Unit, Place]):
    """Everything on the table: who leads the round, whose turn it is, who is acting.

    `next_first` is the seat that an effect makes First Player of the next round, `untracked` the
    parts that the players keep on the table and do not track here. `attack` is the attack that is being
    resolved (`rules.attacks.Attack`), empty if there is none.
    """

    sequence: ClassVar[str] = "attack"

    first: str = ""
    next_first: str | None = None
    turn: str = ""
    acting: str | None = None
    untracked: frozenset[str] = frozenset()
    facts: dict[str, Any] = field(default_factory=dict)
    attack: tuple[Any, ...] = ()

    def tracks(self, part: str) -> bool:
        """Whether this part of the game is tracked here, and not kept on the table only."""
        return part not in self.untracked

    @property
    def actor(self) -> Unit | None:
        """The unit that acts now; nobody once it has left the table or the match is over."""
        unit: Unit | None = self.units.get(self.acting or "")
        return unit if unit is not None and unit.is_on_table and self.result is None else None

    @property
    def attacker(self) -> str | None:
        """The seat that attacks; None where there is no siege."""
        return self.facts.get(ATTACKER)

    @property
    def defender(self) -> str | None:
        """The seat that defends and so gets no Victory Points; None where there is no siege."""
        return self.rival(self.attacker) if self.attacker else None

    def rival(self, seat: str) -> str:
        return self.rivals(seat)[0]

    def tokens(self) -> Iterator[Place]:
        """The objective tokens, in the order in which they were placed."""
        return (place for place in self.objectives.values() if place.kind == "token")

    def zones(self) -> Iterator[Place]:
        """The zones of the tactics board, in the board's order."""
        return (place for place in self.objectives.values() if place.kind == "zone")

    def objective_card(self, key: str | None) -> dict[str, Any] | None:
        """The objective card of this key in the match's ruleset, its first; None if it has no such card."""
        return next((card for card in every_card(self.rules) if card["key"] == key), None)

    def zone_entry(self, key: str) -> dict[str, Any] | None:
        """The ruleset's entry of a zone; None for one that the players named themselves."""
        zones = (*self.rules["zones"], *self.rules["extra_zones"])
        return next((zone for zone in zones if zone["key"] == key), None)

    def sectors(self) -> Iterator[Place]:
        """The parts of the table that are held by points, if the mode has any (TMG-97)."""
        return (place for place in self.objectives.values() if place.kind == "sector")

    def combat_units(self, seat: str) -> Iterator[Unit]:
        return (unit for unit in self.units_of(seat) if unit.is_combat and unit.kind != WALL)

    def reserve(self, seat: str) -> list[Unit]:
        return [unit for unit in self.units_of(seat) if unit.place == "reserve" and unit.is_combat]

    def walls(self, seat: str) -> Iterator[Unit]:
        return (unit for unit in self.units_of(seat) if unit.kind == WALL)

    def ncus(self, seat: str) -> Iterator[Unit]:
        return (unit for unit in self.units_of(seat) if not unit.is_combat)


def every_card(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The objective cards of a ruleset."""
    yield rules["centre_card"]
    yield from rules["cards"]
    yield rules["other_card"]
