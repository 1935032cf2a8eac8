"""How rows are read and written: SQL that is made once, and rows ⇄ positions.

Django builds a query from scratch each time it is run, which takes several times as long as the database
takes to answer. The queries of every tap, and of every look at an uncached board, are therefore built by
Django once, from the same models and query sets as everything else, and then only sent with other parameters.
`Rows` names the tables of a position's pieces, of a match or of an event. It reads the rows as pieces, and
writes back only what an image says has changed. There is one database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.query import get_related_populators

from games.core.diff import Image
from games.core.pieces import Piece, Position, plain

MARK = "\u2039{}\u203a"
"""A placeholder in a query for a text that is known when the query is run."""

ModelT = TypeVar("ModelT", bound=models.Model)


class Prepared(Generic[ModelT]):
    """A query for rows of one model, whose only parameters that change are texts.

    `Prepared(lambda code: Match.objects.filter(code=code))` is called with a code and returns the matches.
    """

    def __init__(self, query: Callable[..., models.QuerySet[ModelT]]) -> None:
        self.query = query
        self.made: _Made | None = None

    def __call__(self, *texts: str) -> list[ModelT]:
        """The rows for these texts, in the order of the query."""
        if self.made is None:
            marks = [MARK.format(number) for number in range(len(texts))]
            self.made = _Made(self.query(*marks), marks)
        return self.made.rows(texts)


class _Made:
    """The SQL of a query, and how its rows are read."""

    def __init__(self, asked: models.QuerySet[Any, Any], marks: Sequence[object]) -> None:
        compiler = asked.query.get_compiler(connection=connection)
        self.sql, parameters = compiler.as_sql()
        self.parameters = list(parameters)
        self.places = [(n, marks.index(each)) for n, each in enumerate(self.parameters) if each in marks]
        selected = compiler.select or ()
        self.converters = list(compiler.get_converters([column for column, _sql, _alias in selected]).items())
        self.model = asked.model
        kind = compiler.klass_info or {}
        self.places_of_row = kind.get("select_fields", [])
        self.names = [selected[place][0].target.attname for place in self.places_of_row]
        # The type stubs are for a later Django, which takes one more argument.
        self.related = get_related_populators(kind, selected, DEFAULT_DB_ALIAS) if kind else []  # type: ignore[call-arg]

    def rows(self, given: Sequence[object]) -> list[Any]:
        """The rows as Django reads them."""
        return [self._row(values) for values in self.read(given)]

    def read(self, given: Sequence[object]) -> list[list[Any]]:
        """The values of the rows, with the given values in place of the marks."""
        parameters = list(self.parameters)
        for place, number in self.places:
            parameters[place] = given[number]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            return [self._converted(list(row)) for row in cursor.fetchall()]

    def _row(self, values: list[Any]) -> Any:
        row = self.model.from_db(
            DEFAULT_DB_ALIAS, self.names, [values[place] for place in self.places_of_row]
        )
        for related in self.related:
            related.populate(values, row)
        return row

    def _converted(self, values: list[Any]) -> list[Any]:
        for place, (converters, column) in self.converters:
            for convert in converters:
                values[place] = convert(values[place], column, connection)
        return values


def values(
    table: type[models.Model], columns: tuple[str, ...], belongs: str, parents: Collection[int]
) -> list[list[Any]]:
    """These columns of all rows that belong to these parents, in the order of their primary keys."""
    return _values(table, columns, belongs, len(parents)).read(list(parents)) if parents else []


@lru_cache(maxsize=100)
def _values(table: type[models.Model], columns: tuple[str, ...], belongs: str, count: int) -> _Made:
    marks = range(count)
    asked = table._default_manager.order_by("pk").filter(**{f"{belongs}__in": marks})
    return _Made(asked.values_list(*columns), marks)


def insert(row: models.Model) -> None:
    """Write a new row as it is, and give it its primary key."""
    table = type(row)
    [row.pk] = create(table, [{name: getattr(row, name) for name in _columns(table)}])
    row._state.adding = False
    row._state.db = DEFAULT_DB_ALIAS


def create(table: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Write new rows, each with values for the same columns; the other columns get Django's defaults.

    Returns the primary keys, in the order of the rows.
    """
    columns, values = _columns(table), []
    names = (*rows[0], *(name for name in columns if name not in rows[0]))
    for cells in rows:
        whole = {name: cells[name] if name in rows[0] else columns[name].get_default() for name in names}
        values += _adapted(table, whole)
    with connection.cursor() as cursor:
        cursor.execute(_insert_sql(table, names, len(rows)), values)
        return [key for (key,) in cursor.fetchall()]


def update(table: type[models.Model], keys: Collection[int], cells: Mapping[str, Any]) -> None:
    """Give the rows with these primary keys these values by column (`army_id`, not `army`)."""
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(table, tuple(cells), len(keys)), [*_adapted(table, cells), *keys])


def save_columns(row: models.Model, names: Collection[str], at: datetime) -> None:
    """Write these columns of a row, and `at` (by the common clock) as the time of its change."""
    row.changed_at = at  # type: ignore[attr-defined]
    update(type(row), [row.pk], {name: getattr(row, name) for name in (*names, "changed_at")})


@cache
def _columns(table: type[models.Model]) -> dict[str, Any]:
    """The columns that are written, by name: all but the primary key, which the database assigns."""
    return {field.attname: field for field in table._meta.concrete_fields if not field.primary_key}


def _adapted(table: type[models.Model], cells: Mapping[str, Any]) -> list[Any]:
    """Values by column in the form that the database takes."""
    columns = _columns(table)
    return [columns[name].get_db_prep_save(value, connection) for name, value in cells.items()]


@lru_cache(maxsize=200)
def _insert_sql(table: type[models.Model], names: tuple[str, ...], count: int) -> str:
    columns = ", ".join(_quoted(_columns(table)[name].column) for name in names)
    rows = ", ".join([f"({', '.join(['%s'] * len(names))})"] * count)
    return f"INSERT INTO {_quoted(table._meta.db_table)} ({columns}) VALUES {rows} RETURNING {_key(table)}"  # noqa: S608


@cache
def _update_sql(table: type[models.Model], names: tuple[str, ...], count: int) -> str:
    cells = ", ".join(f"{_quoted(_columns(table)[name].column)} = %s" for name in names)
    keys = ", ".join(["%s"] * count)
    return f"UPDATE {_quoted(table._meta.db_table)} SET {cells} WHERE {_key(table)} IN ({keys})"  # noqa: S608


def _key(table: type[models.Model]) -> str:
    return _quoted(table._meta.pk.column)


def _quoted(name: Any) -> str:
    return connection.ops.quote_name(name)


Ids = dict[str, dict[str, int]]
"""By kind of piece: the piece's key → the primary key of its row."""

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
            for parent, *row in values(model, self._read_columns[kind], self.parent, positions):
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
        primary_keys: dict[str, int] = {}
        pieces: dict[str, Piece] = {}
        for pk, *cells in rows:
            piece = piece_type.from_json(self._stored(kind, cells, references))
            primary_keys[piece.key] = pk
            pieces[piece.key] = piece
        ids[kind] = primary_keys
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
        pieces = getattr(position, position.kinds[kind])
        fresh = [key for key in keys if key in pieces and key not in ids[kind]]
        self._create(parent, ids, kind, [pieces[key] for key in fresh])
        self._delete(ids, kind, [key for key in keys if key not in pieces])
        self._update(
            ids, kind, {key: (pieces[key], keys[key]) for key in keys.keys() - fresh if key in pieces}
        )
        if fresh:
            # In the order in which they will be read: rules may depend on it.
            in_order = {key: pieces[key] for key in sorted(pieces, key=ids[kind].__getitem__)}
            setattr(position, position.kinds[kind], in_order)

    def _create(self, parent: int, ids: Ids, kind: str, pieces: list[Any]) -> None:
        """Create rows in the order of the pieces' own `order`, if they have one."""
        ordered = sorted(pieces, key=lambda piece: getattr(piece, "order", 0))
        for start in range(0, len(ordered), AT_ONCE):
            some = ordered[start : start + AT_ONCE]
            rows = [{self.parent: parent, **self._cells(ids, kind, piece, None)} for piece in some]
            keys = create(self.models[kind], rows)
            ids[kind] |= {piece.key: key for piece, key in zip(some, keys, strict=True)}

    def _delete(self, ids: Ids, kind: str, keys: list[str]) -> None:
        primary_keys = ids[kind]
        gone = [primary_keys.pop(key) for key in keys if key in primary_keys]
        if gone:
            self.models[kind]._default_manager.filter(pk__in=gone).delete()

    def _update(self, ids: Ids, kind: str, changed: dict[str, tuple[Any, set[str]]]) -> None:
        """Update rows, those with the same new values together: a clean-up is one statement, not twenty."""
        alike: dict[str, tuple[dict[str, Any], list[int]]] = {}
        for key, (piece, names) in sorted(changed.items()):
            cells = self._cells(ids, kind, piece, None if "" in names else names)
            looks = repr(cells) if len(changed) > 1 else ""
            _same, rows = alike.setdefault(looks, (cells, []))
            rows.append(ids[kind][key])
        for cells, rows in alike.values():
            update(self.models[kind], rows, cells)

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
