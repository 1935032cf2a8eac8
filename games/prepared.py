"""Statements whose SQL is made once: after that only their parameters change.

Django builds a query from scratch each time it is run, which takes several times as long as the database
takes to answer. The queries of every tap, and of every look at an uncached board, are therefore built by
Django once, from the same models and query sets as everything else, and then only sent. There is one
database. All of this is done as Django's documentation describes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.utils.dateparse import parse_datetime

MARK = "\u2039{}\u203a"
"""A placeholder in a query for a text that is known when the query is run."""

ModelT = TypeVar("ModelT", bound=models.Model)


class Prepared(Generic[ModelT]):
    """A query for rows of one model, whose only parameters that change are texts.

    `Prepared(lambda code: Match.objects.filter(code=code))` is called with a code and returns the matches.
    `only` are the columns that are read (`match_id`, not `match`), or `without` those that are not.
    """

    def __init__(
        self,
        query: Callable[..., models.QuerySet[ModelT]],
        only: Collection[str] = (),
        without: Collection[str] = (),
    ) -> None:
        self.query, self.only, self.without = query, only, without
        self.statement: _Statement | None = None

    def __call__(self, *texts: str) -> list[ModelT]:
        """The rows for these texts, in the order of the query."""
        if self.statement is None:
            marks = [MARK.format(number) for number in range(len(texts))]
            query = self.query(*marks)
            columns = [name for name in _fields(query.model) if self._reads(name)]
            self.statement = _Statement(query.values_list(*columns), marks, columns)
        statement = self.statement
        read = statement.model.from_db
        return [read(DEFAULT_DB_ALIAS, statement.columns, row) for row in statement.values(texts)]

    def _reads(self, name: str) -> bool:
        return name in self.only if self.only else name not in self.without


class _Statement:
    """The SQL of a query with places for what changes, and how the values of its rows are read."""

    def __init__(
        self, query: models.QuerySet[Any, Any], marks: Sequence[object], columns: Sequence[str]
    ) -> None:
        def note(send: Callable[..., Any], sql: str, parameters: Sequence[Any], *rest: Any) -> Any:
            self.sql, self.parameters = sql, parameters
            return send(sql, parameters, *rest)

        with connection.execute_wrapper(note):
            # No row has a mark for a value, so this finds nothing.
            list(query)
        self.places = [(at, marks.index(each)) for at, each in enumerate(self.parameters) if each in marks]
        self.model, self.columns = query.model, columns
        self.readers = _readers(query.model, columns)

    def values(self, given: Sequence[object]) -> list[list[Any]]:
        """The values of the rows, with the given values in place of the marks."""
        parameters = list(self.parameters)
        for place, number in self.places:
            parameters[place] = given[number]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            rows = [list(row) for row in cursor.fetchall()]
        for row in rows:
            for place, read in self.readers:
                row[place] = read(row[place], None, connection)
        return rows


def _readers(table: type[models.Model], columns: Sequence[str]) -> list[tuple[int, Callable[..., Any]]]:
    """How the values of these columns are read that a database may hold in another form, by their places.

    A reader is called as `Field.from_db_value` is: with the value, an expression and the connection.
    """
    readers: list[tuple[int, Callable[..., Any]]] = []
    for place, field in enumerate(map(_fields(table).get, columns)):
        if isinstance(field, models.DateTimeField):
            readers.append((place, _moment))
        elif isinstance(field, models.BooleanField):
            readers.append((place, _truth))
        elif field is not None and hasattr(field, "from_db_value"):
            readers.append((place, field.from_db_value))
    return readers


def _moment(value: Any, *_context: object) -> datetime | None:
    """SQLite holds moments as text, in UTC."""
    moment: Any = parse_datetime(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if value is not None and moment.tzinfo is None else moment


def _truth(value: Any, *_context: object) -> Any:
    """SQLite holds truth as a number."""
    return bool(value) if value in (0, 1) else value


def values(
    table: type[models.Model], columns: tuple[str, ...], belongs: str, parents: Collection[int]
) -> list[list[Any]]:
    """These columns of all rows that belong to these parents, in the order of their primary keys."""
    return _values(table, columns, belongs, len(parents)).values(list(parents)) if parents else []


@lru_cache(maxsize=100)
def _values(table: type[models.Model], columns: tuple[str, ...], belongs: str, count: int) -> _Statement:
    marks = range(-count, 0)
    rows = table._default_manager.order_by("pk").filter(**{f"{belongs}__in": marks})
    return _Statement(rows.values_list(*columns), marks, columns)


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
def _fields(table: type[models.Model]) -> dict[str, Any]:
    """The fields that are columns, by name (`army_id`, not `army`)."""
    fields: list[Any] = list(table._meta.get_fields())
    return {field.attname: field for field in fields if field.concrete and not field.many_to_many}


@cache
def _columns(table: type[models.Model]) -> dict[str, Any]:
    """The columns that are written, by name: all but the primary key, which the database assigns."""
    return {name: field for name, field in _fields(table).items() if not field.primary_key}


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
    [key] = [field.column for field in _fields(table).values() if field.primary_key]
    return _quoted(key)


def _quoted(name: Any) -> str:
    return f'"{name}"'
