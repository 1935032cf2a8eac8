"""The rows of a match ⇄ its position: the only module that knows both.

`load` reads the rows of a match as a position; `save` writes back only what an image says has changed. Fields
that the core does not know live in the row's `extra`, typed by the system's dataclass.

A process keeps the positions of its own last commits: the next tap need not read the pieces again. Each
belongs to the version and the log's fingerprint in the match's row, which every action reads under its lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from django.db import models

from games import core
from games.core import KINDS, NONE, Image, State, diff, system
from games.history.position_rows import Ids, Kept, Rows, set_columns
from games.models import Army, Match, Objective, Round, Score, Unit

ROWS: dict[str, type[models.Model]] = {
    "army": Army,
    "unit": Unit,
    "objective": Objective,
    "round": Round,
    "score": Score,
}

COLUMNS: dict[str, dict[str, str]] = {
    "army": {"key": "key", "name": "name", "faction": "faction", "ready": "ready", "hidden": "hidden"},
    "unit": {
        "key": "key",
        "army": "army_id",
        "name": "name",
        "kind": "kind",
        "order": "order",
        "cost": "cost",
        "place": "place",
        "activated": "activated",
        "wounds": "wounds",
    },
    "objective": {
        "key": "key",
        "name": "name",
        "kind": "kind",
        "claimed_by": "claimed_by_id",
        "override": "override_id",
    },
    "round": {"number": "number", "first": "first_id"},
    "score": {
        "number": "number",
        "round": "round",
        "seat": "army_id",
        "points": "points",
        "reason": "reason",
        "source": "source",
        "author": "author",
    },
}
"""By kind of piece: the piece's field → the row's column."""

REFERENCES = {"army_id": "army", "first_id": "army", "override_id": "army", "claimed_by_id": "unit"}
"""Columns that hold a row's primary key where the piece holds a piece's key → the kind of that row."""

PIECES = Rows("match_id", ROWS, COLUMNS, REFERENCES, by_number=("round", "score"))

MATCH_COLUMNS = ("mode", "rules", "round", "flow", "asked", "seed", "drawn", "result")
"""Fields of the position that are columns of the match."""

UNASKED = ("rules", "flow", "extra", "opened_from", "opening_hash", "created_at", "changed_at")
"""Columns of the match that are not needed by those that have its position."""


class Altered(TypedDict):
    """What was changed outside the game, as the match's row keeps it.

    `places` are those of hidden values ("army/red/hidden/bid"), and "seed"; `restorable` are those whose
    value the log still has; `agreed` are the seats that agree to go on with what is stored.
    """

    places: list[str]
    restorable: list[str]
    agreed: list[str]


@dataclass
class LoadedMatch:
    """A match's row and its position, with the primary keys needed to write it back."""

    match: Match
    state: State
    ids: Ids = field(default_factory=dict)
    altered: Altered | None = field(default=None, compare=False)
    """What of it is not what its log committed to, until somebody decides."""
    drawn: dict[Any, str] = field(default_factory=dict, compare=False, repr=False)
    """What was rendered of this version, by what decides how it looks; kept here by the renderers."""


def load(match: Match) -> LoadedMatch:
    """The position that the rows of a match make up, in five queries."""
    return load_many([match])[0]


def load_many(matches: Iterable[Match]) -> list[LoadedMatch]:
    """The positions of several matches, in five queries for all of them."""
    found = [_bare(match) for match in matches]
    PIECES.read({loaded.match.pk: (loaded.state, loaded.ids) for loaded in found})
    return found


def create(match: Match, state: State) -> Image:
    """Write a fresh position's rows; returns the image of everything."""
    blank = type(state)(system=state.system)
    _before, after = diff(blank, state)
    save(LoadedMatch(match, blank, {kind: {} for kind in KINDS}), state, after)
    return after


def save(loaded: LoadedMatch, state: State, after: Image) -> list[str]:
    """Write the rows whose values are in `after`; the match row's fields are set but not saved.

    Returns the columns of the match that were set: the caller saves it once, with its new version.
    """
    columns = set_columns(loaded.match, state, MATCH_COLUMNS, after)
    PIECES.write(loaded.match.pk, state, loaded.ids, after)
    loaded.state, loaded.drawn = state, {}
    return columns


# --- kept positions --------------------------------------------------------------------------------


class Commit(NamedTuple):
    """A commit of this process: its version and fingerprint, and the position that it left."""

    version: int
    chain: str
    state: State
    ids: Ids


COMMITS: Kept[Commit] = Kept(256)
"""Those of the tables tapped last, about a tenth of a megabyte each.

A match that was deleted and comes back as a file has the same code and the same log, but other rows.
"""


def keep(loaded: LoadedMatch) -> None:
    """Remember a position that was just committed; not one in which something secret was altered."""
    match = loaded.match
    if loaded.altered:
        return
    commit = Commit(match.version, match.chain, core.keep(loaded.state), loaded.ids)
    COMMITS.put((match.pk, match.code), (match.version, match.chain), commit)


def latest(match: Match) -> Commit | None:
    """The last commit that this process made to the match of a row; others may have come after it."""
    return COMMITS.latest((match.pk, match.code))


def recall(match: Match) -> LoadedMatch | None:
    """The match of a row as it was committed here; None if another commit, or none, is kept."""
    commit = COMMITS.find((match.pk, match.code), (match.version, match.chain))
    if commit is None or commit.state.seed != match.seed:
        return None
    # A position of its own that borrows every piece: an action copies those that it changes.
    state = commit.state.copy()
    state.entries = NONE
    return LoadedMatch(match, core.keep(state), {kind: dict(ids) for kind, ids in commit.ids.items()})


def current(match: Match) -> LoadedMatch:
    """The match of a row with its position, as the last commit left it."""
    return recall(match) or load(match)


def _bare(match: Match) -> LoadedMatch:
    """A match without any pieces yet."""
    if missing := match.get_deferred_fields():
        match.refresh_from_db(fields=missing)
    game = system(match.system)
    stored: dict[str, Any] = {name: getattr(match, name) for name in MATCH_COLUMNS}
    stored |= {"system": match.system, **match.extra}
    return LoadedMatch(match, game.state.from_json(stored))
