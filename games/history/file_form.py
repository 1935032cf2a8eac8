"""The form of exports: what the file of a match consists of, and what imports check before they trust it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, datetime
from types import UnionType
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from django.utils.dateparse import parse_datetime
from pydantic import AfterValidator, ConfigDict, Field, model_validator

from games.core import TEXT_BYTES, Line, Question
from games.first_fault import FirstFault, OnlyThese
from games.models import NAME_LENGTH

FORMAT: Literal["roundtable-match"] = "roundtable-match"
FORMAT_VERSION: Literal[1] = 1
MOST_ENTRIES = 10_000
"""More than any match that people play; the size of a file is limited where it comes in."""
DEEPEST = 16
"""The deepest nesting of a file: sentences may hold sentences."""
MOST_PARTS = 100
"""The longest enumeration in a sentence."""

_PLACEHOLDER = re.compile(r"%\(\w+\)\+?[sd]|%%")


def can_be_read(line: Line) -> bool:
    """Whether a sentence from outside can be rendered: plain placeholders, and an argument for each."""
    templates = (line.message, line.plural or "")
    if (line.arguments or line.count is not None) and any("%" in _PLACEHOLDER.sub("", t) for t in templates):
        return False
    try:
        return all(line.render(str, lambda *forms, at=form: forms[at]) is not None for form in (0, 1))
    except (LookupError, TypeError):
        return False


def moment(text: str) -> str:
    """A time with its zone, in ISO 8601, that can be converted to any other zone."""
    when = time_of(text)
    if when.tzinfo is None:
        raise ValueError("a time without its zone")
    if not MINYEAR < when.year < MAXYEAR:
        raise ValueError("a time that may be in no year of another zone")
    return text


def time_of(text: str) -> datetime:
    """The time that a text states; ValueError if it states none."""
    when = parse_datetime(text)
    if when is None:
        raise ValueError("not a time")
    return when


Key = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=64)]
Seat = Annotated[str, Field(pattern=r"^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$", max_length=24)]
Name = Annotated[str, Field(max_length=NAME_LENGTH)]
Short = Annotated[str, Field(max_length=120)]
Number = Annotated[int, Field(ge=0, le=999_999)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Salt = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Timestamp = Annotated[str, AfterValidator(moment)]
Image = dict[str, Any]


class Form(OnlyThese):
    """Exactly these fields, of exactly these types; the first fault ends it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Argument(Form):
    """An argument of a sentence that is itself translated, or several in a row."""

    term: str | None = None
    line: StoredLine | None = None
    list: Parts | None = None

    @model_validator(mode="after")
    def _either(self) -> Self:
        if sum(kind is not None for kind in (self.term, self.line, self.list)) != 1:
            raise ValueError("an argument is a term, a line or a list")
        return self


Parts = Annotated[list[str | int | Argument], FirstFault(), Field(max_length=MOST_PARTS)]


class StoredLine(Form):
    """A sentence of the log as it is stored."""

    message: str
    arguments: Annotated[dict[str, str | int | Argument], FirstFault()] = {}
    plural: str | None = None
    count: int | None = None
    to: Seat | None = None

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not can_be_read(Line.from_json(self.model_dump(exclude_none=True))):
            raise ValueError("a sentence that cannot be read aloud")
        return self


class SealedPart(Form):
    """What only one seat may read of an action."""

    before: Image = {}
    after: Image = {}
    lines: Annotated[list[StoredLine], FirstFault()] = []
    action: Short = ""
    salts: Annotated[dict[Short, Salt], FirstFault()] = {}


class EntryForm(Form):
    """An action with its images."""

    version: Number
    kind: Literal["open", "bring", "tap", "adjust", "edit", "undo", "remark"]
    seat: Seat
    author: Name
    step: Annotated[str, Field(max_length=64)]
    round: Annotated[int, Field(ge=0, le=999)]
    path: Short
    action: Short
    note: Annotated[str, Field(max_length=TEXT_BYTES)]
    lines: Annotated[list[StoredLine], FirstFault()]
    before: Image
    after: Image
    sealed: Annotated[dict[Key, SealedPart], FirstFault()]
    draws: Annotated[list[Annotated[list[Number], Field(min_length=3, max_length=3)]], FirstFault()]
    is_final: bool
    undoes: Number | None
    at: Timestamp
    opens: Annotated[dict[Short, Any], FirstFault()]
    commitments: Annotated[dict[Short, Hash], FirstFault()]
    hash: Hash


class MatchForm(Form):
    format: Literal["roundtable-match"]
    format_version: Literal[1]
    code: Annotated[str, Field(max_length=12)]
    system: str
    mode: str
    version: Number
    opened_at: Timestamp
    finished_at: Timestamp | None
    commitment: str
    chain: Hash
    seed: Annotated[str, Field(max_length=64)]
    position: dict[str, Any]
    entries: Annotated[list[EntryForm], FirstFault(), Field(min_length=1, max_length=MOST_ENTRIES)]
    checksum: str


def texts(value: Any) -> Iterator[str]:
    """Every text of a file, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def stored_as(value: Any, hint: Any) -> bool:
    """Whether a plain JSON value is what a field of this type is stored as."""
    if hint is Any:
        return True
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(stored_as(value, option) for option in inner)
    if origin is dict:
        return isinstance(value, dict) and all(stored_as(item, inner[1]) for item in value.values())
    if origin is tuple and inner[-1] is not Ellipsis:
        return isinstance(value, list) and len(value) == len(inner) and all(map(stored_as, value, inner))
    if origin in (tuple, frozenset):
        return isinstance(value, list) and all(stored_as(item, inner[0]) for item in value)
    if hint is Question:
        return _is_question(value)
    return type(value) is hint or (hint is float and type(value) is int)


def _is_question(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 3:
        return False
    step, number, about = value
    return stored_as(step, str) and stored_as(number, int) and stored_as(about, tuple[str, ...])
