"""Rows ⇄ positions: the only module that knows both.

`load` reads the rows of a match as a position; `save` writes back what an image
says has changed, and nothing else. Fields that the core does not know live in the
row's `extra`, typed by the system's dataclass.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db import models

from games import prepared
from games.core.diff import Image, diff
from games.core.pieces import Piece, plain
from games.core.state import KINDS, State
from games.core.system import system
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
"""Columns that hold the number of a row where the piece holds its key → the kind of that row."""

MATCH_COLUMNS = ("mode", "rules", "round", "flow", "asked", "seed", "drawn", "result")
"""Fields of the position that are columns of the match."""

_NUMBERED = ("round", "score")
_NOT_EXTRA = frozenset({"system", *KINDS.values()})


@dataclass
class Board:
    """A match's row and its position, with the primary keys needed to write it back."""

    match: Match
    state: State
    ids: dict[str, dict[str, int]] = field(default_factory=dict)
    drawn: dict[Any, str] = field(default_factory=dict, compare=False, repr=False)
    """What was drawn of this version, by what decides its looks; whoever draws keeps it here."""


def load(match: Match) -> Board:
    """The position that the rows of a match are, in five queries."""
    return load_many([match])[0]


def load_many(matches: Iterable[Match]) -> list[Board]:
    """The positions of several matches, in five queries for all of them."""
    found = [_bare(match) for match in matches]
    for kind, mapping in KINDS.items():
        rows: dict[int, list[tuple]] = defaultdict(list)
        for match_id, *row in _rows(kind).filter(match_id__in=[board.match.pk for board in found]):
            rows[match_id].append(tuple(row))
        for board in found:
            setattr(board.state, mapping, _pieces(board, kind, rows[board.match.pk]))
    return found


def create(match: Match, state: State) -> Image:
    """Write a fresh position's rows; answers the image of everything."""
    blank = type(state)(system=state.system)
    _before, after = diff(blank, state)
    save(Board(match, blank, {kind: {} for kind in KINDS}), state, after)
    return after


def save(board: Board, state: State, after: Image) -> list[str]:
    """Write the rows whose values stand in `after`; the match row's fields are set but not saved.

    Answers the columns of the match that were set: the caller saves it once, with its new version.
    """
    columns = _set_match(board.match, state, after)
    touched: dict[str, dict[str, set[str]]] = {kind: defaultdict(set) for kind in KINDS}
    for path in after:
        kind, _slash, rest = path.partition("/")
        if rest:
            key, _slash, name = rest.partition("/")
            touched[kind][key].add(name.partition("/")[0])
    for kind, keys in touched.items():
        _save_pieces(board, kind, state, keys)
    board.state, board.drawn = state, {}
    return columns


def _bare(match: Match) -> Board:
    """A match's board with nothing on it yet."""
    game = system(match.system)
    stored: dict[str, Any] = {name: getattr(match, name) for name in MATCH_COLUMNS}
    stored |= {"system": match.system, **match.extra}
    return Board(match, game.state.from_json(stored))


@cache
def _rows(kind: str) -> models.QuerySet:
    """All rows of a kind, to be filtered: match, primary key, the columns in their order, `extra`."""
    extra = ("extra",) if _has_extra(kind) else ()
    return (
        ROWS[kind]
        ._default_manager.order_by("pk")
        .values_list("match_id", "pk", *COLUMNS[kind].values(), *extra)
    )


def _pieces(board: Board, kind: str, rows: Iterable[tuple]) -> dict[str, Piece]:
    piece_type: Any = board.state.piece_type(kind)
    references = _references(board, kind)
    ids: dict[str, int] = {}
    pieces: dict[str, Piece] = {}
    for pk, *cells in rows:
        piece = piece_type.from_json(_stored(kind, cells, references))
        ids[piece.key] = pk
        pieces[piece.key] = piece
    board.ids[kind] = ids
    return pieces


def _references(board: Board, kind: str) -> dict[str, dict[int, str]]:
    """The fields of a kind that are references → the keys of the pieces that they may name."""
    columns = {name: column for name, column in COLUMNS[kind].items() if column in REFERENCES}
    return {
        name: {pk: key for key, pk in board.ids[REFERENCES[column]].items()}
        for name, column in columns.items()
    }


def _stored(kind: str, cells: list[Any], references: dict[str, dict[int, str]]) -> dict[str, Any]:
    """The cells of a row as its piece stores them."""
    stored = dict(zip(COLUMNS[kind], cells, strict=False))
    for name, keys in references.items():
        stored[name] = keys.get(stored[name])
    if _has_extra(kind):
        stored |= cells[-1]
    if kind in _NUMBERED:
        stored["key"] = str(stored["number"])
    return stored


def _set_match(match: Match, state: State, after: Image) -> list[str]:
    columns = [path for path in after if path in MATCH_COLUMNS]
    for name in columns:
        setattr(match, name, plain(getattr(state, name)))
    if all("/" in path or path in MATCH_COLUMNS for path in after):
        return columns
    match.extra = {
        name: plain(getattr(state, name))
        for name in state.field_names()
        if name not in MATCH_COLUMNS and name not in _NOT_EXTRA
    }
    return [*columns, "extra"]


def _save_pieces(board: Board, kind: str, state: State, keys: dict[str, set[str]]) -> None:
    pieces = getattr(state, KINDS[kind])
    fresh = [key for key in keys if key in pieces and key not in board.ids[kind]]
    _create_rows(board, kind, [pieces[key] for key in fresh])
    _delete_rows(board, kind, [key for key in keys if key not in pieces])
    _update_rows(board, kind, {key: (pieces[key], keys[key]) for key in keys.keys() - fresh if key in pieces})
    if fresh:
        # As they will be read: rules may go by the order of the pieces.
        setattr(
            state, KINDS[kind], {key: pieces[key] for key in sorted(pieces, key=board.ids[kind].__getitem__)}
        )


def _create_rows(board: Board, kind: str, pieces: list[Any]) -> None:
    """Create rows in the order of the army list."""
    row: Any = ROWS[kind]
    ordered = sorted(pieces, key=lambda piece: getattr(piece, "order", 0))
    rows = [row(match_id=board.match.pk, **_cells(board, kind, piece, None)) for piece in ordered]
    if rows:
        created = row._default_manager.bulk_create(rows)
        board.ids[kind] |= {piece.key: one.pk for piece, one in zip(ordered, created, strict=True)}


def _delete_rows(board: Board, kind: str, keys: list[str]) -> None:
    known = board.ids[kind]
    ids = [known.pop(key) for key in keys if key in known]
    if ids:
        ROWS[kind]._default_manager.filter(pk__in=ids).delete()


def _update_rows(board: Board, kind: str, changed: dict[str, tuple[Any, set[str]]]) -> None:
    """Update rows, those that get the same values together: a clean-up is one statement, not twenty."""
    alike: dict[str, tuple[dict[str, Any], list[int]]] = {}
    for key, (piece, names) in sorted(changed.items()):
        cells = _cells(board, kind, piece, None if "" in names else names)
        _same, ids = alike.setdefault(json.dumps(cells, sort_keys=True), (cells, []))
        ids.append(board.ids[kind][key])
    for cells, ids in alike.values():
        prepared.update(ROWS[kind], ids, cells)


def _cells(board: Board, kind: str, piece: Any, names: set[str] | None) -> dict[str, Any]:
    """The row's columns for the piece's fields in `names` (None: all)."""
    columns = COLUMNS[kind]
    cells: dict[str, Any] = {}
    for name, column in columns.items():
        if names is not None and name not in names:
            continue
        value = getattr(piece, name)
        if column in REFERENCES:
            cells[column] = board.ids[REFERENCES[column]].get(value) if value else None
        elif column != "key" or kind not in _NUMBERED:
            cells[column] = plain(value)
    if _has_extra(kind) and (names is None or names - columns.keys()):
        own = [name for name in piece.field_names() if name not in columns and name != "key"]
        cells["extra"] = {name: plain(getattr(piece, name)) for name in own}
    return cells


def _has_extra(kind: str) -> bool:
    return kind != "score"
