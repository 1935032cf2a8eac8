"""The tables that a tap writes have the indexes that are used, and no others: each has to be written too."""

from __future__ import annotations

import pytest
from django.db import connection, models

from games.models import Army, Entry, Match, Objective, Round, Score, Seat, SeatRequest, Unit

pytestmark = pytest.mark.django_db

WRITTEN = (Army, Entry, Match, Objective, Round, Score, Seat, Unit)
PIECES = (Army, Entry, Objective, Round, Score, Seat, Unit)


def indexes(model: type[models.Model]) -> dict[str, tuple[str, ...]]:
    """The columns of every index that covers all rows of a table."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
        # An index for patterns has the same columns, but another purpose.
        return {
            name: tuple(told["columns"])
            for name, told in found.items()
            if (told["index"] or told["unique"]) and told["columns"] and not name.endswith("_like")
        }


@pytest.mark.parametrize("model", WRITTEN, ids=lambda model: model.__name__)
def test_no_index_says_what_a_longer_one_says(model: type[models.Model]) -> None:
    found = indexes(model)
    doubled = [
        (name, other)
        for name, columns in found.items()
        for other, longer in found.items()
        if name != other and longer[: len(columns)] == columns
    ]
    assert doubled == []


@pytest.mark.parametrize("model", PIECES, ids=lambda model: model.__name__)
def test_what_belongs_to_a_match_is_found_by_it(model: type[models.Model]) -> None:
    assert any(columns[0] == "match_id" for columns in indexes(model).values())


def test_a_request_is_found_by_its_seat() -> None:
    assert any(columns[0] == "seat_id" for columns in indexes(SeatRequest).values())


def test_a_tap_writes_few_indexes() -> None:
    """The entry's own number, its match with its version, what it undoes, and its key."""
    assert len(indexes(Entry)) <= 4
