"""What goes into the API of events and what comes out."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Schema
from pydantic import Field, PlainValidator, StrictBool, WithJsonSchema

from games.api.reading import LONGEST_NUMBER
from games.api.schemas import Body, Count, Key, Note, OpeningKey, Player, clean_whole
from games.core import validation
from games.core.validation import Unreadable
from games.core.words import gettext_noop as _
from games.core.words import say

MOST_LISTS = 2
MOST_GROUPS = 400
LARGEST_NUMBER = 10**LONGEST_NUMBER - 1


def clean_short(raw: object) -> str:
    """A key or the name of a choice: short, in plain letters, or empty."""
    if (
        not isinstance(raw, str)
        or len(raw) > 40
        or not all(one.isascii() and one.isprintable() for one in raw)
    ):
        raise Unreadable(say(_("This cannot be read.")))
    return raw


def clean_number(raw: object) -> int:
    """A count, or the number of something: that of a helper is a row's, and may be long."""
    return clean_whole(raw, -LARGEST_NUMBER, LARGEST_NUMBER)


def clean_table(raw: object) -> str:
    """A pasted table; its lines are read later."""
    return validation.clean_text(raw)


Short = Annotated[str, PlainValidator(clean_short), WithJsonSchema({"type": "string", "maxLength": 40})]
Number = Annotated[
    int,
    PlainValidator(clean_number),
    WithJsonSchema({"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}),
]
Name = Annotated[str, PlainValidator(validation.clean_note), WithJsonSchema({"type": "string"})]
List = Annotated[str, PlainValidator(validation.clean_text), WithJsonSchema({"type": "string"})]
Table = Annotated[str, PlainValidator(clean_table), WithJsonSchema({"type": "string"})]


class EventOpening(Body):
    """An event to open; settings by name, as `look` shows them. With a `key` it may be sent again."""

    system: Short
    settings: dict[str, Any] = Field(default_factory=dict)
    organiser: Player = ""
    key: OpeningKey = ""


class Registering(Body):
    """A player who registers."""

    name: Name
    club: Name = ""
    faction: Name = ""
    key: OpeningKey


class Command(Body):
    """A command and what it needs; most commands need only a few of these members."""

    action: Short
    key: Key
    player: Short = ""
    other: Short = ""
    pairing: Short = ""
    name: Name = ""
    club: Name = ""
    faction: Name = ""
    role: Short = ""
    mode: Short = ""
    how: Short = ""
    here: StrictBool = True
    number: Number = 0
    note: Note = ""
    text: Table | None = None
    lists: list[List] = Field(default_factory=list, max_length=MOST_LISTS)
    groups: list[list[Short]] = Field(default_factory=list, max_length=MOST_GROUPS)
    scores: dict[str, dict[str, Count]] = Field(default_factory=dict)
    winner: Short | None = None
    settings: dict[str, Any] = Field(default_factory=dict)


class EventOpened(Schema):
    """A new event."""

    code: str
    version: int
    token: str


class Registered(Schema):
    """A registered player."""

    player: str
    token: str
    version: int


class Done(Schema):
    """What came of a command; `made` is the key or number of what it made."""

    accepted: bool
    replayed: bool
    version: int
    made: Any = None
    token: str | None = None


class Hall(Schema):
    """An event as everybody may see it."""

    format: str
    format_version: int
    code: str
    version: int
    now: int
    name: str
    system: str
    mode: str
    options: dict[str, int]
    kind: str
    size: int
    length: int
    cut: int
    minutes: int
    overtime: int
    days: int
    scoring: str
    criteria: list[str]
    bye: dict[str, float]
    rounds_in_all: int
    status: str
    players: list[dict[str, Any]]
    rounds: list[dict[str, Any]]
    standings: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    announcements: list[dict[str, Any]]
    history: str


class EventHistory(Schema):
    """Every action of an event."""

    code: str
    version: int
    entries: list[dict[str, Any]]
