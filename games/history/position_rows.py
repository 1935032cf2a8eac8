"""Rows ⇄ positions, and positions that a process keeps: what a match and an event have in common.

A `Rows` names the tables of a position's pieces. It reads the rows as pieces, and writes back only what an
image says has changed. Fields without a column live in the row's `extra`, if it has one, typed by the piece's
dataclass.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, Generic, TypeVar

from django.db import models

from games import prepared
from games.core import Image, Piece, Position, plain

Ids = dict[str, dict[str, int]]
"""By kind of piece: the piece's key → the primary key of its row."""

Value = TypeVar("Value")

AT_ONCE = 200
"""Rows created per statement: SQLite takes some 32,000 values in one."""


@dataclass
class Rows:
    """The tables of a position: by kind of piece the model, and the piece's fields with their columns.

    `parent` is the column that names what the rows belong to. A column in `references` holds a row's primary
    key where the piece holds a piece's key; it maps to the kind of that row. `by_number` are kinds whose key
    is their number as text.
    """

    parent: str
    models: Mapping[str, type[models.Model]]
    columns: Mapping[str, Mapping[str, str]]
    references: Mapping[str, str] = field(default_factory=dict)
    by_number: Collection[str] = ()

    def read(self, positions: Mapping[int, tuple[Position, Ids]]) -> None:
        """Put the pieces into positions by the primary key of their parents: one query for each kind."""
        for kind, model in self.models.items():
            rows: dict[int, list[list]] = defaultdict(list)
            for parent, *row in prepared.values(model, self._read_columns[kind], self.parent, positions):
                rows[parent].append(row)
            for parent, (position, ids) in positions.items():
                setattr(position, position.kinds[kind], self._pieces(position, ids, kind, rows[parent]))

    def write(self, parent: int, position: Position, ids: Ids, after: Image) -> None:
        """Write the rows whose values are in `after`."""
        touched: dict[str, dict[str, set[str]]] = {kind: defaultdict(set) for kind in self.models}
        for path in after:
            kind, _slash, rest = path.partition("/")
            if rest:
                key, _slash, name = rest.partition("/")
                touched[kind][key].add(name.partition("/")[0])
        for kind, keys in touched.items():
            if keys:
                self._write_kind(parent, position, ids, kind, keys)

    @cached_property
    def _has_extra(self) -> frozenset[str]:
        """The kinds whose rows keep fields without a column."""
        return frozenset(kind for kind, model in self.models.items() if hasattr(model, "extra"))

    @cached_property
    def _read_columns(self) -> dict[str, tuple[str, ...]]:
        return {
            kind: (self.parent, "pk", *columns.values(), *(("extra",) if kind in self._has_extra else ()))
            for kind, columns in self.columns.items()
        }

    def _pieces(self, position: Position, ids: Ids, kind: str, rows: Iterable[list]) -> dict[str, Piece]:
        piece_type: Any = position.piece_type(kind)
        references = self._references(ids, kind)
        pks: dict[str, int] = {}
        pieces: dict[str, Piece] = {}
        for pk, *cells in rows:
            piece = piece_type.from_json(self._stored(kind, cells, references))
            pks[piece.key] = pk
            pieces[piece.key] = piece
        ids[kind] = pks
        return pieces

    def _references(self, ids: Ids, kind: str) -> dict[str, dict[int, str]]:
        """The fields of a kind that are references → the keys of the pieces, by primary key."""
        columns = {name: column for name, column in self.columns[kind].items() if column in self.references}
        return {
            name: {pk: key for key, pk in ids[self.references[column]].items()}
            for name, column in columns.items()
        }

    def _stored(self, kind: str, cells: list[Any], references: dict[str, dict[int, str]]) -> dict[str, Any]:
        """The cells of a row as its piece stores them."""
        stored = dict(zip(self.columns[kind], cells, strict=False))
        for name, keys in references.items():
            stored[name] = keys.get(stored[name])
        if kind in self._has_extra:
            stored |= cells[-1]
        if kind in self.by_number:
            stored["key"] = str(stored["number"])
        return stored

    def _write_kind(
        self, parent: int, position: Position, ids: Ids, kind: str, keys: dict[str, set[str]]
    ) -> None:
        pieces, rows = getattr(position, position.kinds[kind]), ids[kind]
        changed = {key: (pieces[key], names) for key, names in keys.items() if key in pieces and key in rows}
        if gone := [rows.pop(key) for key in keys if key in rows and key not in pieces]:
            self.models[kind]._default_manager.filter(pk__in=gone).delete()
        if fresh := [pieces[key] for key in keys if key in pieces and key not in rows]:
            self._create(parent, ids, kind, fresh)
            # In the order in which they will be read: rules may depend on it.
            in_order = {key: pieces[key] for key in sorted(pieces, key=rows.__getitem__)}
            setattr(position, position.kinds[kind], in_order)
        self._update(ids, kind, changed)

    def _create(self, parent: int, ids: Ids, kind: str, pieces: list[Any]) -> None:
        """Create rows in the order of the pieces' own `order`, if they have one."""
        ordered = sorted(pieces, key=lambda piece: getattr(piece, "order", 0))
        for start in range(0, len(ordered), AT_ONCE):
            some = ordered[start : start + AT_ONCE]
            rows = [{self.parent: parent, **self._cells(ids, kind, piece, None)} for piece in some]
            keys = prepared.create(self.models[kind], rows)
            ids[kind] |= {piece.key: key for piece, key in zip(some, keys, strict=True)}

    def _update(self, ids: Ids, kind: str, changed: dict[str, tuple[Any, set[str]]]) -> None:
        """Update rows, those with the same new values together: a clean-up is one statement, not twenty."""
        alike: dict[str, tuple[dict[str, Any], list[int]]] = {}
        for key, (piece, names) in sorted(changed.items()):
            cells = self._cells(ids, kind, piece, None if "" in names else names)
            looks = repr(cells) if len(changed) > 1 else ""
            _same, rows = alike.setdefault(looks, (cells, []))
            rows.append(ids[kind][key])
        for cells, rows in alike.values():
            prepared.update(self.models[kind], rows, cells)

    def _cells(self, ids: Ids, kind: str, piece: Any, names: set[str] | None) -> dict[str, Any]:
        """The row's columns for the piece's fields in `names` (None: all)."""
        columns = self.columns[kind]
        cells: dict[str, Any] = {}
        for name, column in columns.items():
            if names is not None and name not in names:
                continue
            value = getattr(piece, name)
            if column in self.references:
                cells[column] = ids[self.references[column]].get(value) if value else None
            else:
                cells[column] = plain(value)
        if kind in self._has_extra and (names is None or names - columns.keys()):
            own = [name for name in piece.field_names() if name not in columns and name != "key"]
            cells["extra"] = {name: plain(getattr(piece, name)) for name in own}
        return cells


def set_columns(row: Any, position: Position, columns: Collection[str], after: Image) -> list[str]:
    """Set the fields of a position that are in `after` on its own row; returns the columns that were set.

    Fields without a column of their own go into the row's `extra`.
    """
    changed = [path for path in after if path in columns]
    for name in changed:
        setattr(row, name, plain(getattr(position, name)))
    if all("/" in path or path in columns for path in after):
        return changed
    apart = {"system", *columns, *position.kinds.values()}
    row.extra = {name: plain(getattr(position, name)) for name in position.field_names() if name not in apart}
    return [*changed, "extra"]


class Kept(Generic[Value]):
    """Values by key, each with the mark that it was made for; of more than `most`, the oldest go.

    A mark, such as the version and the fingerprint of the log in a row, tells whether a value still belongs
    to it: after an action of another process, an organiser's edit or a restored backup it is another one.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[Hashable, tuple[Hashable, Value]] = OrderedDict()
        self._lock = Lock()

    def put(self, key: Hashable, mark: Hashable, value: Value) -> None:
        """Keep a value for this key and mark, in place of any other for the key."""
        with self._lock:
            self._held[key] = (mark, value)
            self._held.move_to_end(key)
            if len(self._held) > self.most:
                self._held.popitem(last=False)

    def find(self, key: Hashable, mark: Hashable) -> Value | None:
        """The value that is kept for this key and mark, if any."""
        held = self._held.get(key)
        return held[1] if held is not None and held[0] == mark else None

    def latest(self, key: Hashable) -> Value | None:
        """The value that was kept last for this key, whatever its mark."""
        held = self._held.get(key)
        return held[1] if held is not None else None

    def get(self, key: Hashable, mark: Hashable, make: Callable[[], Value]) -> Value:
        """The value that is kept for this key and mark; made if there is none."""
        value = self.find(key, mark)
        if value is None:
            value = make()
            self.put(key, mark, value)
        return value

    def clear(self) -> None:
        """Keep nothing, as after a restart."""
        with self._lock:
            self._held.clear()
