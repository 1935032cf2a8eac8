"""A match as plain data: its pieces, the position that holds them, and what an action changed, as two images.

A game adds its own fields by subclassing the pieces and `State`. Collections inside pieces are tuples or
frozensets, so a copy of a piece is a copy of its fields and nothing deeper.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, wraps
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from games.core import chance
from games.core.words import Argument, Line, Record, say_count

if TYPE_CHECKING:
    from games.core.steps import Step

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


FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def remembered(question: FunctionT) -> FunctionT:
    """Remember what a kept position (`engine.keep`) was asked, by the question and what it is about."""

    @wraps(question)
    def ask(state: Any, *about: Any) -> Any:
        if state.memory is None:
            return question(state, *about)
        key = (question, *about)
        if key not in state.memory:
            state.memory[key] = question(state, *about)
        return state.memory[key]

    return cast("FunctionT", ask)


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
        """Forget the sentences and draws of the previous action, and what is remembered: it will change."""
        self.memory: dict[Any, Any] | None = None
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
    sequence: ClassVar[str] = ""
    """A field that is filled step by step: a tuple that begins with a number, empty before the first.

    Whatever wrote the same number is one sequence, in the history and for undo.
    """

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
        """Forget the author, secrets, reveals and note of the previous action as well."""
        super().begin_action()
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


# --- what an action changed ----------------------------------------------------------------------

Image = dict[str, Any]
"""Plain JSON values by path: `unit/wolves/wounds` is a field, `unit/wolves` a whole piece (None: there is
none), `flow` a field of the position, `army/red/hidden/bid` one hidden value."""

ABSENT = "\u2205"
"""Stands in an image where a hidden value did not exist (None is a value)."""


def diff(before: Position, after: Position) -> tuple[Image, Image]:
    """The two images of a change: the values before and after it, at every path that it wrote."""
    old: Image = {}
    new: Image = {}
    for kind, mapping in after.kinds.items():
        _diff_pieces(kind, getattr(before, mapping), getattr(after, mapping), old, new)
    for name in _apart(type(after)):  # type: ignore[arg-type]
        if getattr(before, name) != getattr(after, name):
            old[name], new[name] = plain(getattr(before, name)), plain(getattr(after, name))
    return old, new


@cache
def _apart(kind: type[Position]) -> tuple[str, ...]:
    """The fields of a position that hold no pieces."""
    pieces = kind.kinds.values()
    return tuple(name for name in kind.field_names() if name not in pieces)


def apply(state: PositionT, image: Image) -> PositionT:
    """A copy of the position with an image applied."""
    changed = state.copy()
    for path, value in image.items():
        _put(changed, path, value)
    return changed


def without(image: Image, names: frozenset[str]) -> Image:
    """An image without these fields of the position."""
    return {path: value for path, value in image.items() if path not in names}


def in_order(image: Image, seats: tuple[str, ...]) -> Image:
    """An image whose new pieces are in the order they came to the table: a store may have sorted their paths.

    `seats` are the seats of the game in their order; other pieces know their own `order`.
    """

    def place(item: tuple[str, Any]) -> int:
        path, value = item
        kind, _slash, key = path.partition("/")
        if not isinstance(value, dict) or not key or "/" in key:
            return 0
        return seats.index(key) if kind == "army" and key in seats else value.get("order", 0)

    return dict(sorted(image.items(), key=place))


def joined(images: Iterable[Image], seats: tuple[str, ...] = ()) -> Image:
    """One image with the effect of all; if several set a path, the first of them counts.

    A whole piece comes before its fields. With images latest first and the game's `seats`, pieces are in the
    order in which they came to the table.
    """
    pieces: list[Image] = []
    written_whole: set[str] = set()
    fields: Image = {}
    for image in images:
        whole = {path: image[path] for path in image if is_piece(path) and path not in written_whole}
        for path, value in image.items():
            if path not in fields and path not in whole and _piece_of(path) not in written_whole:
                fields[path] = value
        written_whole |= whole.keys()
        pieces.append(in_order(whole, seats))
    whole_pieces = {path: piece for whole in reversed(pieces) for path, piece in whole.items()}
    gone = {path for path, piece in whole_pieces.items() if piece is None}
    return whole_pieces | {path: value for path, value in fields.items() if _piece_of(path) not in gone}


def is_piece(path: str) -> bool:
    """Whether a path names a whole piece ("unit/wolves")."""
    return path.count("/") == 1


class Places:
    """The paths that images wrote, and the pieces that the paths belong to."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._pieces: set[str] = set()

    def add(self, image: Image) -> None:
        """Add the paths that an image wrote."""
        self._paths.update(image)
        self._pieces.update(map(_piece, image))

    def overlap(self, image: Image) -> bool:
        """Whether an image wrote one of these places: the same path, its piece or one of its fields."""
        return any(
            path in self._paths or path in self._pieces or _piece(path) in self._paths for path in image
        )


def overlaps(image: Image, other: Image, whole: Collection[str] = ()) -> bool:
    """Whether two images wrote the same place; of the kinds of piece in `whole`, the same piece."""
    places = Places()
    places.add(image)
    written = {_piece(path) for path in image if path.partition("/")[0] in whole}
    return places.overlap(other) or any(_piece(path) in written for path in other)


def _piece(path: str) -> str:
    """The path of the piece that a field belongs to; a whole piece or a field of the position is its own."""
    return "/".join(path.split("/", 2)[:2])


def _piece_of(path: str) -> str:
    """The path of the piece that a path belongs to ("unit/wolves"); "" for a field of the position."""
    kind, slash, rest = path.partition("/")
    return f"{kind}/{rest.partition('/')[0]}" if slash else ""


def _diff_pieces(kind: str, before: dict[str, Any], after: dict[str, Any], old: Image, new: Image) -> None:
    if before is after:
        return
    for key, piece in after.items():
        was = before.get(key)
        if was is piece or (was is not None and was.__dict__ == piece.__dict__):
            continue
        if was is None:
            old[f"{kind}/{key}"], new[f"{kind}/{key}"] = None, piece.to_json()
        else:
            _diff_fields(f"{kind}/{key}", was, piece, old, new)
    for key, piece in before.items():
        if key not in after:
            old[f"{kind}/{key}"], new[f"{kind}/{key}"] = piece.to_json(), None


def _diff_fields(path: str, was: Any, now: Any, old: Image, new: Image) -> None:
    earlier, later = was.__dict__, now.__dict__
    for name in now.field_names():
        before, after = earlier[name], later[name]
        if before == after:
            continue
        if name == "hidden":
            _diff_hidden(path, before, after, old, new)
        else:
            old[f"{path}/{name}"], new[f"{path}/{name}"] = plain(before), plain(after)


def _diff_hidden(path: str, before: dict[str, Any], after: dict[str, Any], old: Image, new: Image) -> None:
    for key in sorted(before.keys() | after.keys()):
        if before.get(key, ABSENT) != after.get(key, ABSENT):
            old[f"{path}/hidden/{key}"] = plain(before.get(key, ABSENT))
            new[f"{path}/hidden/{key}"] = plain(after.get(key, ABSENT))


def _put(state: Position, path: str, value: Any) -> None:
    kind, _, rest = path.partition("/")
    if not rest:
        setattr(state, kind, state.typed(kind, value))
        return
    key, _, name = rest.partition("/")
    pieces = getattr(state, state.kinds[kind])
    if not name:
        _put_piece(state, kind, pieces, key, value)
    elif name.startswith("hidden/"):
        _put_hidden(pieces[key], name.removeprefix("hidden/"), value)
    else:
        pieces[key] = replace(pieces[key], **{name: pieces[key].typed(name, value)})


def _put_piece(state: Position, kind: str, pieces: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        pieces.pop(key, None)
    else:
        pieces[key] = state.piece_type(kind).from_json(value)


def _put_hidden(army: Any, key: str, value: Any) -> None:
    hidden = {name: kept for name, kept in army.hidden.items() if name != key}
    army.hidden = hidden if value == ABSENT else {**hidden, key: value}
