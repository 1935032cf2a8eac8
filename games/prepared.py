"""Statements whose SQL is made once: after that only their parameters change.

Django builds a query from scratch each time it is run, which takes several times as long as the database
takes to answer. The queries of every tap, and of every look at an uncached board, are therefore built by
Django once, from the same models and query sets as everything else, and then only sent. There is one
database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.query import get_related_populators

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
        return [self.made.row(values) for values in self.made.read(texts)]


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

    def read(self, given: Sequence[object]) -> list[list[Any]]:
        """The values of the rows, with the given values in place of the marks."""
        parameters = list(self.parameters)
        for place, number in self.places:
            parameters[place] = given[number]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            return [self._converted(list(row)) for row in cursor.fetchall()]

    def row(self, values: list[Any]) -> Any:
        """A row as Django reads it."""
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
