"""Pieces, stored and read back field by field; and positions, which are made of them.

A game adds its own fields by subclassing; collections inside pieces are tuples or frozensets, so a copy
of a piece is a copy of its fields and nothing deeper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

from games.core import chance
from games.core.words import Argument, Line, Record, say_count

SCALARS = frozenset({str, int, bool, float, type(None)})
"""The types whose values JSON keeps as they are."""


class Piece:
    """What can be copied, compared and stored field by field."""

    is_undone_whole: ClassVar[bool] = False
    """Whether its fields depend on each other: an undo takes back all that was written since, or nothing."""

    key: str

    def __new__(cls, *_values: Any, **_named: Any) -> Self:
        """A piece that keeps its fields in a dictionary of its own.

        Otherwise Python lets all objects of a class share their keys, and then reads each field of a copy two
        and a half times as slowly.
        """
        made = super().__new__(cls)
        object.__setattr__(made, "__dict__", {})
        return made

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The names of the fields, in the order of declaration."""
        return _names(cls)  # type: ignore[arg-type]

    def to_json(self) -> dict[str, Any]:
        """The piece as plain JSON values by field name."""
        kept = self.__dict__
        # Nearly all values are scalars, and every tap stores hundreds: they are spared a call.
        return {
            name: value if type(value := kept[name]) in SCALARS else plain(value)
            for name in self.field_names()
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """The piece that `to_json` stored; unknown fields are dropped, missing ones take their default."""
        values = {name: stored[name] for name in cls.field_names() if name in stored}
        for name, read in _collections(cls):  # type: ignore[arg-type]
            if name in values:
                values[name] = read(values[name])
        return cls(**values)

    @classmethod
    def typed(cls, name: str, value: Any) -> Any:
        """A stored JSON value as the field's own type."""
        return typed(cls.type_of(name), value)

    @classmethod
    def type_of(cls, name: str) -> Any:
        """The type of a field as it is declared, such as `int | None`."""
        return field_types(cls)[name]  # type: ignore[arg-type]


PieceT = TypeVar("PieceT", bound=Piece)


def copies(pieces: Mapping[str, PieceT]) -> dict[str, PieceT]:
    """Copies of all pieces of a mapping."""
    made = dict(pieces)
    new = object.__new__
    for key, piece in made.items():
        made[key] = copied = new(piece.__class__)
        copied.__dict__ = piece.__dict__.copy()
    return made


@dataclass
class Army(Piece):
    """One side. Its key is the seat ("red"); what only its owner may know is in `hidden`.

    `ends` is the result with which it agrees to end the match now, "" for none; `answered` is the number of
    the question, put to several seats, that it was the last to answer (`State.has_answered`).
    """

    key: str
    name: str = ""
    faction: str = ""
    ready: bool = False
    hidden: dict[str, Any] = field(default_factory=dict)
    ends: str = ""
    answered: int = 0


@dataclass
class RollingArmy(Army):
    """One side of a game whose sides roll off: `roll` is its die until all have rolled."""

    roll: int | None = None


@dataclass
class Unit(Piece):
    """What an army consists of: a tray of models, a single model, a ship. `place` is where it is."""

    key: str
    army: str
    name: str = ""
    kind: str = ""
    order: int = 0
    cost: int = 0
    place: str = "table"
    activated: bool = False
    wounds: int = 0


@dataclass
class Objective(Piece):
    """A place that can be controlled: a token, a zone, an area. `claimed_by` is a unit's key."""

    key: str
    name: str = ""
    kind: str = ""
    claimed_by: str | None = None
    override: str | None = None


@dataclass(frozen=True)
class Round(Piece):
    """A round that has begun, and who leads it."""

    key: str
    number: int
    first: str | None = None


@dataclass(frozen=True)
class Score(Piece):
    """Points, given once and never changed: a correction is another row with its own reason."""

    key: str
    round: int
    seat: str
    points: int
    reason: str
    source: str = ""
    author: str = ""

    @property
    def number(self) -> int:
        """Its place in the score sheet."""
        return int(self.key)


class Question(Record):
    """One open question: the step that asks, the question's number, and what it is about."""

    step: str
    number: int
    about: tuple[str, ...] = ()


class Draw(Record):
    """One use of chance: its place in the match's sequence, the number of outcomes, the outcome."""

    counter: int
    outcomes: int
    value: int


def plain(value: Any) -> Any:
    """A value of a piece as plain JSON: tuples become lists, sets sorted lists."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Question):
        return [value.step, value.number, list(value.about)]
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value.to_json() if isinstance(value, Piece) else value


def typed(declared: Any, value: Any) -> Any:
    """A plain JSON value as a field's declared type."""
    return _reader(declared)(value)


@cache
def _reader(declared: Any) -> Callable[[Any], Any]:
    """The function that makes a value of a declared type from its plain JSON."""
    if Question in get_args(declared):
        return _questions
    if get_origin(declared) is tuple:
        return _frozen
    return frozenset if get_origin(declared) is frozenset else _same


def _same(value: Any) -> Any:
    return value


def _questions(value: Any) -> tuple[Question, ...]:
    return tuple(Question(step, number, tuple(about)) for step, number, about in value)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


@cache
def field_types(cls: type) -> dict[str, Any]:
    """The fields of a dataclass in the order of declaration, and the type of each."""
    declared: tuple[Field[Any], ...] = fields(cls)
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in declared}


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field_types(cls))


@cache
def _collections(cls: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The fields that are lists in JSON but tuples or sets in a piece, with their readers."""
    declared = field_types(cls).items()
    return tuple((name, _reader(hint)) for name, hint in declared if get_origin(hint) in (tuple, frozenset))


class Position(Piece):
    """Pieces by kind, each kind in a mapping of its own, and the fields beside them."""

    kinds: ClassVar[Mapping[str, str]] = {}
    """Kinds of piece → the field that holds them by key."""
    types: ClassVar[dict[str, type[Piece]]] = {}
    """The dataclass of each kind of piece."""
    unchanging: ClassVar[frozenset[str]] = frozenset()
    """The fields whose pieces never change, so that copies share them."""

    seed: str
    drawn: int

    @classmethod
    def piece_type(cls, kind: str) -> type[Piece]:
        """The dataclass of a kind of piece."""
        return cls.types[kind]

    @classmethod
    def undone_whole(cls) -> frozenset[str]:
        """The kinds of piece whose fields are not undone one by one."""
        return frozenset(kind for kind in cls.kinds if cls.piece_type(kind).is_undone_whole)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """The position that `to_json` stored, its pieces included."""
        position = super().from_json(stored)
        for kind, mapping in cls.kinds.items():
            kept = stored.get(mapping, {})
            setattr(position, mapping, {key: cls.piece_type(kind).from_json(p) for key, p in kept.items()})
        return position

    def begin_action(self) -> None:
        """Forget the sentences and draws of the previous action."""
        self.lines: list[Line] = []
        self.draws: list[Draw] = []

    def copy(self, mappings: Iterable[str] | None = None) -> Self:
        """A position with copies of all pieces, or of those in these mappings while it shares the others."""
        twin = object.__new__(type(self))
        twin.__dict__ = values = self.__dict__.copy()
        for mapping in self.kinds.values() if mappings is None else mappings:
            pieces = values[mapping]
            values[mapping] = dict(pieces) if mapping in self.unchanging else copies(pieces)
        twin.begin_action()
        return twin

    def say(self, message: str, *, to: str | None = None, **arguments: Argument) -> None:
        """Write a sentence into the log of this action."""
        self.lines.append(Line(message, arguments, to=to))

    def say_count(self, singular: str, plural: str, count: int, **arguments: Argument) -> None:
        """Write a sentence that depends on a number (`words.say_count`) into the log of this action."""
        self.lines.append(say_count(singular, plural, count, **arguments))

    def chance(self, outcomes: int) -> int:
        """The next draw: a number from 0 up to, not including, `outcomes`; anybody can verify it later."""
        value = chance.draw(self.seed, self.drawn, outcomes)
        self.draws.append(Draw(self.drawn, outcomes, value))
        self.drawn += 1
        return value


PositionT = TypeVar("PositionT", bound=Position)
