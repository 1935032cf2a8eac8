"""What goes into the API and what comes out, field by field; everything that goes in is validated."""

from __future__ import annotations

import re
from typing import Annotated, Any

from ninja import Schema
from pydantic import ConfigDict, Field, PlainValidator, StrictBool, WithJsonSchema

from games.core import (
    Malformed,
    Unreadable,
    clean_int,
    clean_key,
    clean_name,
    clean_note,
    clean_text,
    parse_action,
    say,
)
from games.core import gettext_noop as _
from games.first_fault import OnlyThese
from games.pages.common import LARGEST_VERSION

MOST_SEATS = 12
SHORTEST_OPENING_KEY = 16
_PATH = re.compile(r"table|[a-z]{1,16}/[a-z0-9-]{1,64}")


def clean_action(raw: object) -> str:
    try:
        return str(parse_action(raw)) if isinstance(raw, str) else _unknown()
    except Malformed:
        return _unknown()


def clean_path(raw: object) -> str:
    """The path of a piece, such as "unit/wolves", or "table"."""
    return raw if isinstance(raw, str) and _PATH.fullmatch(raw) else _unknown()


def clean_version(raw: object) -> int:
    return clean_whole(raw, 0, LARGEST_VERSION)


def clean_player(raw: object) -> str:
    """A player's name, or "": then the seat's colour is shown."""
    return clean_name(raw) if raw != "" else ""


def clean_army(raw: object) -> str | None:
    """A pasted list or a demo army's slug; None for neither."""
    return None if raw is None else clean_text(raw)


def clean_count(raw: object) -> int:
    """The number of an option; its game knows the bounds."""
    return clean_whole(raw, -LARGEST_VERSION, LARGEST_VERSION)


def clean_opening_key(raw: object) -> str:
    """An idempotency key that nobody can guess: the answer to it holds tokens."""
    is_short = isinstance(raw, str) and len(raw) < SHORTEST_OPENING_KEY
    return clean_key("" if is_short else raw)


def clean_whole(raw: object, minimum: int, maximum: int) -> int:
    """A JSON Schema `integer`: any number whose fraction is zero, so 8.0 is 8; digits in quotes are text."""
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    return clean_int(None if isinstance(raw, str) else raw, minimum, maximum)


def _unknown() -> Any:
    raise Unreadable(say(_("This game has no such action.")))


Action = Annotated[
    str,
    PlainValidator(clean_action),
    WithJsonSchema({"type": "string", "examples": ["activate:wolves", "bid:throne:3"]}),
]
Key = Annotated[
    str,
    PlainValidator(clean_key),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"}),
]
OpeningKey = Annotated[
    str,
    PlainValidator(clean_opening_key),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]{16,64}$",
            "description": "of your own making; sent again, it gets what it made, with the same tokens",
        }
    ),
]
Version = Annotated[
    int,
    PlainValidator(clean_version),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": LARGEST_VERSION}),
]
Path = Annotated[
    str,
    PlainValidator(clean_path),
    WithJsonSchema({"type": "string", "examples": ["unit/wolves", "army/red", "table"]}),
]
Note = Annotated[str, PlainValidator(clean_note), WithJsonSchema({"type": "string"})]
Player = Annotated[str, PlainValidator(clean_player), WithJsonSchema({"type": "string"})]
Text = Annotated[str, PlainValidator(clean_text), WithJsonSchema({"type": "string"})]
Count = Annotated[
    int,
    PlainValidator(clean_count),
    WithJsonSchema({"type": "integer", "minimum": -LARGEST_VERSION, "maximum": LARGEST_VERSION}),
]
Slug = Annotated[str, PlainValidator(clean_name), WithJsonSchema({"type": "string"})]
Brought = Annotated[
    str | None,
    PlainValidator(clean_army),
    WithJsonSchema({"type": "string", "description": "the slug of a demo army, or a pasted list"}),
]


class Body(OnlyThese, Schema):
    """A request body; members that are not named here are refused."""

    model_config = ConfigDict(extra="forbid")


class SeatOpened(Body):
    """A seat of a new match. Without an army it gets a demo army, if the game has any."""

    name: Player = ""
    army: Brought = None


class Opening(Body):
    """A new match; seats in table order. With a `key` it may be sent again after a lost answer."""

    system: Slug
    mode: Slug
    seats: Annotated[list[SeatOpened], Field(max_length=MOST_SEATS)]
    options: dict[str, Count] = {}
    listed: StrictBool = True
    key: OpeningKey = ""


class Act(Body):
    """A tap: something offered, at the version that was seen."""

    action: Action
    seen: Version
    key: Key


class Adjust(Body):
    """A correction of the piece at a path, with a reason."""

    path: Path
    action: Action
    key: Key
    note: Note = ""


class Undo(Body):
    """Undo the action that made this version."""

    version: Version
    key: Key


class UndoAnswer(Body):
    """Whether a seat agrees to an undo."""

    agree: StrictBool
    key: Key


class Decision(Body):
    """Whether what was committed to is put back, or what is stored stands."""

    restore: StrictBool
    key: Key


class Army(Body):
    """An army list as people paste it."""

    text: Text
    key: Key


class Offer(Schema):
    """Something that may be done now; with `min` and `max`, `:` and a number in between follow the action."""

    action: str
    label: str
    style: str = "plain"
    min: int | None = None
    max: int | None = None
    detail: str | None = None
    about: str | None = None
    value: int | str | None = None
    on: bool | None = None
    group: str | None = None


class Question(Schema):
    """The open question."""

    step: str
    number: int
    about: list[str]
    title: str
    help: str
    rule: str | None


class Ruleset(Schema):
    """The rules that the match keeps."""

    title: str
    version: str
    hash: str


class HistoryLine(Schema):
    """A line of the history."""

    version: int
    kind: str
    seat: str | None
    author: str
    round: int
    path: str | None
    action: str
    lines: list[str]
    final: bool
    undone: bool


class TakeBack(Schema):
    """What somebody asks to undo, and the seats that have yet to agree."""

    by: str | None
    versions: list[int]
    actions: list[str]
    waits_for: list[str]


class Altered(Schema):
    """What was changed outside the game, so that nobody may act before it is decided.

    `seats` are those whose secrets it was, `seed` says whether it was the seed of chance. `can_restore`: the
    history has what was committed to.
    """

    seats: list[str]
    seed: bool
    can_restore: bool
    lines: list[str]
    agreed: list[str]


class Position(Schema):
    """A match as the caller may see it; hidden values of other seats are null."""

    code: str
    version: int
    since: int
    system: str
    mode: str
    ruleset: Ruleset
    round: int
    seat: str | None
    question: Question | None
    to_act: list[str]
    offers: list[Offer]
    table: dict[str, Any]
    derived: dict[str, Any]
    scores: dict[str, int]
    problems: list[str]
    log: list[HistoryLine]
    result: dict[str, Any] | None
    commitment: str
    take_back: TakeBack | None
    altered: Altered | None


class Accepted(Position):
    """The fresh position after an action; `replayed` if the same key had done it before."""

    accepted: bool
    replayed: bool


class Unused(Schema):
    """Words of an army list that were not used, and the line on which they stand."""

    line: int
    text: str


class ArmyRead(Accepted):
    """The fresh position after a list was read, and what of the list was not used."""

    unused: list[Unused]


class Problem(Schema):
    """Why something was refused: a word for programs, a sentence for people, the rule if there is one."""

    error: str
    message: str
    rule: str | None


class IllegalAction(Problem):
    """A refused action; 409 includes the fresh position."""

    version: int
    match: Position | None = None


class Claim(Schema):
    """A seat of a new match: its bearer token, and the link with which one phone may take it once."""

    seat: str
    token: str
    link: str


class Opened(Schema):
    """A new match and its seats."""

    code: str
    version: int
    seats: list[Claim]


class Imported(Schema):
    """An imported match."""

    code: str
    version: int
    replayed: bool


class Corrections(Schema):
    """What may be corrected: the offers for one piece, or the paths to ask about."""

    version: int
    paths: list[str]
    path: str | None
    offers: list[Offer]


class Titled(Schema):
    """A slug and its title."""

    slug: str
    title: str


class Value(Schema):
    """A value of an option, in words."""

    value: int
    title: str


class Option(Schema):
    """A choice at opening; if it has `values`, it must be one of them."""

    name: str
    default: int
    min: int
    max: int
    title: str
    values: list[Value]


class Game(Schema):
    """A game that can be opened."""

    slug: str
    title: str
    modes: list[Titled]
    seats: dict[str, int]
    colours: list[Titled]
    options: list[Option]
    armies: list[Titled]


class Games(Schema):
    """Every game."""

    systems: list[Game]
