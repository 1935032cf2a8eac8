"""The position: armies, units, objectives, rounds, scores, facts, and the open questions.

Everything here is plain data. A system adds its own fields by subclassing the
pieces and `State`; a copy of a position is a copy of each piece and nothing deeper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, get_args, get_origin

from games.core.pieces import (
    Army,
    Objective,
    Piece,
    Position,
    Question,
    RollingArmy,
    Round,
    Score,
    Unit,
)

if TYPE_CHECKING:
    from games.core.steps import Step

KINDS = {"army": "armies", "unit": "units", "objective": "objectives", "round": "rounds", "score": "scores"}
"""Kinds of piece, and the mapping of the position that holds them by key."""

# Covariant: what is written for the core's pieces takes those of a game, which are subclasses.
ArmyT = TypeVar("ArmyT", bound=Army, covariant=True)
UnitT = TypeVar("UnitT", bound=Unit, covariant=True)
ObjectiveT = TypeVar("ObjectiveT", bound=Objective, covariant=True)


Facts = Mapping[str, str]
"""What an entry of a game's catalogue says, by the names of its cells."""


@dataclass(frozen=True, eq=False)
class Entries:
    """All catalogue entries of a game as they stood when an action began: by kind, by slug.

    The rules never fetch them: the code that loads a position from the database sets its `entries`.
    """

    kinds: Mapping[str, Mapping[str, Facts]]

    def of(self, kind: str) -> Mapping[str, Facts]:
        """The entries of one kind by slug."""
        return self.kinds.get(kind, {})


NONE = Entries({})


@dataclass
class State(Position, Generic[ArmyT, UnitT, ObjectiveT]):
    """A whole match as it stands. Rules change a private copy; to callers the engine's functions are pure.

    A game names its own pieces: `class Table(State[Side, Unit, Place])`.
    """

    kinds = KINDS
    unchanging = frozenset({"rounds", "scores"})
    types: ClassVar[dict[str, type[Piece]]] = {
        "army": Army,
        "unit": Unit,
        "objective": Objective,
        "round": Round,
        "score": Score,
    }

    system: str = ""
    mode: str = ""
    rules: dict[str, Any] = field(default_factory=dict)
    armies: dict[str, ArmyT] = field(default_factory=dict)
    units: dict[str, UnitT] = field(default_factory=dict)
    objectives: dict[str, ObjectiveT] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)
    scores: dict[str, Score] = field(default_factory=dict)
    round: int = 0
    flow: tuple[Question, ...] = ()
    asked: int = 0
    seed: str = ""
    drawn: int = 0
    result: dict[str, Any] | None = None

    def __init_subclass__(cls) -> None:
        """Take the types of the pieces from `State[…]`."""
        for base in cls.__dict__.get("__orig_bases__", ()):
            if get_origin(base) is State:
                cls.types = State.types | dict(
                    zip(("army", "unit", "objective"), get_args(base), strict=True)
                )

    def __post_init__(self) -> None:
        self.entries: Entries = NONE
        self.drawings: dict[Any, Any] = {}
        self.begin_action()

    @classmethod
    def mapping_of(cls, piece: type) -> str | None:
        """The name of the mapping ("units") that holds pieces of a class; None for what is no piece."""
        return next(
            (mapping for kind, mapping in KINDS.items() if issubclass(piece, State.types[kind])), None
        )

    def begin_action(self) -> None:
        """Forget the author, lines, draws, secrets, reveals and note of the previous action.

        What the engine remembers is forgotten as well: the position is about to change.
        """
        super().begin_action()
        self.memory: dict[Any, Any] | None = None
        self.author = ""
        self.hid: frozenset[str] = frozenset()
        self.opened: tuple[tuple[str, str, Any], ...] = ()
        self.revealed = False
        self.note = ""

    # --- the flow of questions -------------------------------------------------------------------

    @property
    def question(self) -> Question:
        """The question on top: the one that is open."""
        return self.flow[-1]

    def call(self, step: Step[Self] | type[Step[Self]]) -> None:
        """Ask this first and come back to the current question afterwards; a class has no fields."""
        self.asked += 1
        about = () if isinstance(step, type) else step.about()
        self.flow = (*self.flow, Question(step.name, self.asked, about))

    def goto(self, step: Step[Self] | type[Step[Self]]) -> None:
        """Leave the current question for this one."""
        self.flow = self.flow[:-1]
        self.call(step)

    def end(self) -> None:
        """Return to the question that called this one; whoever has answered it need not answer again."""
        self.asked += 1
        self.flow = self.flow[:-1]

    def mark_answered(self, seat: str) -> None:
        """This seat has answered the open question, which is put to several."""
        self.armies[seat].answered = self.question.number

    def ask_again(self, seat: str) -> None:
        """This seat has to answer again."""
        self.armies[seat].answered = 0

    def has_answered(self, seat: str) -> bool:
        """Whether this seat has answered the open question; no answer counts for another question."""
        return bool(self.flow) and self.armies[seat].answered == self.question.number

    # --- chance ----------------------------------------------------------------------------------

    def die(self, sides: int = 6) -> int:
        """One die rolled by the app, 1 to `sides`."""
        return 1 + self.chance(sides)

    # --- secrets ---------------------------------------------------------------------------------

    def hide(self, seat: str, key: str, value: Any) -> None:
        """Keep a value that only this seat may see."""
        army = self.armies[seat]
        army.hidden = {**army.hidden, key: value}
        self.hid |= {seat}

    def reveal(self, seat: str, key: str) -> Any:
        """Take a value out of hiding for all to know: the log publishes it as it was used.

        What was revealed cannot quietly be undone.
        """
        value = self.withdraw(seat, key)
        self.opened += ((seat, key, value),)
        return value

    def withdraw(self, seat: str, key: str) -> Any:
        """Take a value out of hiding unseen: its seat is choosing again, or it no longer matters."""
        army = self.armies[seat]
        value = army.hidden[key]
        army.hidden = {name: kept for name, kept in army.hidden.items() if name != key}
        return value

    def reveal_one(self, seat: str, key: str, item: str) -> None:
        """Take one item out of a hidden list, whose rest stays hidden; the item is then known to all."""
        kept = list(self.armies[seat].hidden[key])
        kept.remove(item)
        self.hide(seat, key, kept)
        self.revealed = True

    # --- points ----------------------------------------------------------------------------------

    def score(self, seat: str, points: int, reason: str, source: str = "", author: str = "") -> None:
        """Write points into the score sheet; `reason` is a message id, `source` a name or text."""
        key = str(1 + max((int(key) for key in self.scores), default=0))
        self.scores = {**self.scores, key: Score(key, self.round, seat, points, reason, source, author)}

    def points(self, seat: str) -> int:
        """The seat's score: the sum of its score rows, never a counter."""
        return sum([score.points for score in self.scores.values() if score.seat == seat])

    def totals(self) -> dict[str, int]:
        """The scores of all seats that have any."""
        totals: dict[str, int] = {}
        for score in self.scores.values():
            totals[score.seat] = totals.get(score.seat, 0) + score.points
        return totals

    def begin_round(self, first: str | None) -> None:
        """Advance the round track and note who leads the round."""
        self.round += 1
        self.rounds = {**self.rounds, str(self.round): Round(str(self.round), self.round, first)}

    # --- looking around --------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the table, in their order."""
        return tuple(self.armies)

    def rivals(self, seat: str) -> tuple[str, ...]:
        """All other seats."""
        return tuple(other for other in self.armies if other != seat)

    def units_of(self, seat: str) -> Iterator[UnitT]:
        """The units of one side, in the order of its list."""
        return (unit for unit in self.units.values() if unit.army == seat)


AnyState: TypeAlias = State[Any, Any, Any]
"""A position of any game."""

StateT = TypeVar("StateT", bound=State[Army, Unit, Objective])
"""The position of one game, in code that is written for all of them."""

RollingT = TypeVar("RollingT", bound=State[RollingArmy, Unit, Objective])
"""The position of a game whose sides roll off."""


def piece_at(state: AnyState, path: str) -> Piece | None:
    """The piece at a path such as "unit/wolves"; None for the table or if there is none."""
    kind, _slash, key = path.partition("/")
    return getattr(state, KINDS[kind], {}).get(key) if kind in KINDS else None
