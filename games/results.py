"""A match as a result: who played what, the points by round and source, how it ended, the tie-breaks.

Everything is read from the position as a spectator sees it, so nothing sealed is given away before its
reveal. Titles are in the active language; keys are the same in every language.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.db.models import Count, Q
from pydantic import BaseModel, ConfigDict, Field

from games import core, models
from games.core import ADJUDICATION, CONCESSION, TIME_OUT, State, System, fingerprint, system
from games.match import storage
from games.models import NAME_LENGTH, NOTE_LENGTH, Entry, Match
from games.translation import gettext as _
from games.translation import words

KINDS = {CONCESSION: "conceded", TIME_OUT: "time", "clock": "time", ADJUDICATION: "adjudicated"}
"""How a match ended, in words common to all games; anything else that a game says is "played"."""
_DONE = {Entry.Kind.ADJUST: "corrections", Entry.Kind.EDIT: "corrections", Entry.Kind.TAP: "taps"}


def kind_of_end(how: str) -> str:
    """How a match ended: "played", "conceded", "time" or "adjudicated"."""
    return KINDS.get(how, "played")


def result_of(match: Match, state: State | None = None) -> dict[str, Any]:
    """The result of a match as `games.results.Result` describes it; the score so far while it is played.

    `state` is the match's whole position, if the caller has it already.
    """
    game = system(match.system)
    seen = core.view(state or storage.load(match).state, None)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "code": match.code,
        "game": {"slug": game.slug, "title": _(game.title)},
        "mode": {"slug": seen.mode, "title": _(game.mode(seen.mode).title)},
        "rules": _rules(game, seen.rules),
        "status": "finished" if seen.result is not None else "running" if seen.round else "set-up",
        "is_demo": match.is_demo,
        "is_practice": match.is_practice,
        "round": seen.round,
        "sides": _sides(game, match, seen),
        "rounds": _rounds(game, seen),
        "scores": [_score(score) for score in seen.scores.values()],
        "end": _end(game, seen),
        "times": _times(match),
        "history": _history(match),
    }


def _rules(game: System, rules: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": _(rules["title"]) if rules.get("title") else "",
        "version": str(rules.get("version", "")),
        "fingerprint": fingerprint(rules),
        "options": {name: rules[name] for name in game.options if isinstance(rules.get(name), int)},
    }


# --- sides ----------------------------------------------------------------------------------------


def _sides(game: System, match: Match, seen: State) -> list[dict[str, Any]]:
    places = game.places(seen) if seen.result is not None else {}
    turned = _turning_points(game, match, seen)
    return [_side(game, seen, seat, places.get(seat), turned[seat]) for seat in seen.seats]


def _side(game: System, seen: State, seat: str, place: int | None, turned: dict[str, int]) -> dict[str, Any]:
    army, points = seen.armies[seat], seen.points(seat)
    others = [seen.points(other) for other in seen.rivals(seat)]
    return {
        "seat": seat,
        "colour": _(game.seat_names.get(seat, seat)),
        "name": army.name,
        "faction": _faction(game, army.faction),
        "list_cost": game.list_cost(seen, seat),
        "points": points,
        "difference": points - max(others, default=points),
        "tie_breaks": game.tie_breaks(seen, seat),
        "turning_points": turned,
        "place": place,
    }


def _faction(game: System, key: str) -> dict[str, str] | None:
    return {"key": key, "title": _(game.factions.get(key, key))} if key else None


def _turning_points(game: System, match: Match, seen: State) -> dict[str, dict[str, int]]:
    """By seat, the round in which each field that the game names last took its value."""
    watched = {seat: game.turning_points(seen, seat) for seat in seen.seats}
    paths = {path for fields in watched.values() for path, _value in fields.values()}
    latest: dict[str, tuple[int, Any]] = {}
    images = Entry.objects.filter(match=match).order_by("version").values_list("round", "after")
    for number, after in images if paths else ():
        latest |= {path: (number, after[path]) for path in paths & after.keys()}
    return {
        seat: {
            name: latest[path][0]
            for name, (path, value) in fields.items()
            if path in latest and latest[path][1] == value
        }
        for seat, fields in watched.items()
    }


# --- points and end -------------------------------------------------------------------------------


def _rounds(game: System, seen: State) -> list[dict[str, Any]]:
    """Every round that has begun, and before them the set-up if anybody has points from it."""
    points: Counter[tuple[int, str]] = Counter()
    for score in seen.scores.values():
        points[score.round, score.seat] += score.points
    first = {row.number: row.first for row in seen.rounds.values()}
    numbers = sorted(first.keys() | {number for number, _seat in points})
    return [
        {
            "number": number,
            "title": words(game.round_name(number)),
            "first": first.get(number) or None,
            "points": {seat: points[number, seat] for seat in seen.seats},
        }
        for number in numbers
    ]


def _score(score: Any) -> dict[str, Any]:
    return {
        "round": score.round,
        "seat": score.seat,
        "points": score.points,
        "reason": _(score.reason) if score.reason else "",
        "source": _(score.source) if score.source else "",
    }


def _end(game: System, seen: State) -> dict[str, Any] | None:
    if seen.result is None:
        return None
    how = str(seen.result["how"])
    ending = game.endings.get(how)
    return {
        "kind": kind_of_end(how),
        "how": how,
        "winner": seen.result.get("winner"),
        "sentence": _(ending) if ending else how,
    }


# --- time and history -----------------------------------------------------------------------------


def _times(match: Match) -> dict[str, Any]:
    first = models.Round.objects.filter(match=match, number=1).values_list("begun_at", flat=True).first()
    until = match.finished_at or match.changed_at
    return {
        "opened_at": _moment(match.created_at),
        "began_at": _moment(first),
        "ended_at": _moment(match.finished_at),
        "seconds": max(0, round((until - first).total_seconds())) if first else None,
    }


def _moment(at: datetime | None) -> str | None:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if at else None


def _history(match: Match) -> dict[str, Any]:
    entries = Entry.objects.filter(match=match).order_by()
    counted = entries.values_list("kind").annotate(count=Count("pk"))
    done = Counter({"taps": 0, "corrections": 0})
    for kind, count in counted:
        done[_DONE.get(kind, "others")] += count
    undone = entries.filter(~Q(undone_by=None)).count()
    return {
        "entries": match.version,
        "taps": done["taps"],
        "corrections": done["corrections"],
        "undone": undone,
        "fingerprint": match.chain,
    }


FORMAT: Literal["roundtable-result"] = "roundtable-result"
FORMAT_VERSION: Literal[1] = 1
SCHEMA_URL = "/schema/result-1.json"
"""Where the schema is served, permanently."""
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=64)]
Text = Annotated[str, Field(max_length=NAME_LENGTH)]
Amount = Annotated[int, Field(ge=0)]
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
    list_cost: Amount | None
    points: int
    difference: int
    tie_breaks: dict[str, int]
    turning_points: dict[str, Amount]
    place: Annotated[int, Field(ge=1)] | None


class Round(Part):
    """One round that has begun: who was first in it, and what each seat scored."""

    number: Amount
    title: Text
    first: Slug | None
    points: dict[str, int]


class Score(Part):
    """Points given: how many, to whom, in which round (0: before the first), why, and from which source.

    The source of a correction is the reason that was given for it.
    """

    round: Amount
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
    seconds: Amount | None


class History(Part):
    """How much was done: entries in the log, the taps and corrections among them, and how many were undone.

    `fingerprint` is that of the last entry: with it anybody can check a whole history.
    """

    entries: Amount
    taps: Amount
    corrections: Amount
    undone: Amount
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
    round: Amount
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
