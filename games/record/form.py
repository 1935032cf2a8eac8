"""The form of a result as open JSON; its JSON Schema is generated from these classes and served as it is.

A field may be added later; existing ones keep their name and meaning as long as `format_version` is 1.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from games.models import NAME_LENGTH, NOTE_LENGTH

FORMAT: Literal["roundtable-result"] = "roundtable-result"
FORMAT_VERSION: Literal[1] = 1
SCHEMA_URL = "/schema/result-1.json"
"""Where the schema is served, permanently."""

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=64)]
Text = Annotated[str, Field(max_length=NAME_LENGTH)]
Count = Annotated[int, Field(ge=0)]
Timestamp = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    """Exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Part):
    """Something by its key, which never changes, and its title in the reader's language."""

    slug: Slug
    title: Text


class Rules(Part):
    """The rules that the match uses; `options` are what was chosen when the table was opened."""

    title: Text
    version: Text
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    options: dict[str, int]


class Faction(Part):
    """What a side plays: `key` as army lists name it, the title in the reader's language."""

    key: Text
    title: Text


class Side(Part):
    """One side: who plays it, with what, and its score.

    `name` is its player's name at the table, "" if none was given; `colour` is the seat in the reader's
    language. `difference` is the lead over the best other side, negative for a side that is behind.
    `tie_breaks` are further numbers that the game's tournaments compare, `turning_points` the rounds of
    the events that they compare. `place` is null before the end.
    """

    seat: Slug
    colour: Text
    name: Text
    faction: Faction | None
    list_cost: Count | None
    points: int
    difference: int
    tie_breaks: dict[str, int]
    turning_points: dict[str, Count]
    place: Annotated[int, Field(ge=1)] | None


class Round(Part):
    """One round that has begun: who was first in it, and what each seat scored."""

    number: Count
    title: Text
    first: Slug | None
    points: dict[str, int]


class Score(Part):
    """Points given: how many, to whom, in which round (0: before the first), why, and from which source.

    The source of a correction is the reason that was given for it.
    """

    round: Count
    seat: Slug
    points: int
    reason: Annotated[str, Field(max_length=240)]
    source: Annotated[str, Field(max_length=NOTE_LENGTH)]


class End(Part):
    """How the match ended: played to its end, conceded, on time, by adjudication; no winner is a draw.

    `how` is the game's own word for it, `sentence` says it in the reader's language.
    """

    kind: Literal["played", "conceded", "time", "adjudicated"]
    how: Slug
    winner: Slug | None
    sentence: str


class Times(Part):
    """UTC, in ISO 8601; `began_at` is when the first round began, `seconds` how long play took since then."""

    opened_at: Timestamp
    began_at: Timestamp | None
    ended_at: Timestamp | None
    seconds: Count | None


class History(Part):
    """How much was done: entries in the log, the taps and corrections among them, and how many were undone.

    `fingerprint` is that of the last entry: with it anybody can check a whole history.
    """

    entries: Count
    taps: Count
    corrections: Count
    undone: Count
    fingerprint: Fingerprint


class Result(Part):
    """How a match ended, or how it stands while it is played, as everybody may know it.

    `is_demo` and `is_practice` mark tables for show and for practice.
    """

    model_config = ConfigDict(title="Result of a match")

    format: Literal["roundtable-result"]
    format_version: Literal[1]
    code: Annotated[str, Field(pattern=r"^[A-Z0-9]{4,12}$")]
    game: Named
    mode: Named
    rules: Rules
    status: Literal["set-up", "running", "finished"]
    is_demo: bool
    is_practice: bool
    round: Count
    sides: Annotated[list[Side], Field(min_length=1)]
    rounds: list[Round]
    scores: list[Score]
    end: End | None
    times: Times
    history: History


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a result."""
    made = Result.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_URL, **made}


def schema_text() -> str:
    """The schema as it is served, and as docs/ has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
