"""Statements reach the database as Django writes them."""

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("values", [["a"], ("b",), {"letter": "c"}])
def test_marks_stand_for_values_and_doubled_percent_signs_for_one(values):
    mark, letter = ("%(letter)s", values["letter"]) if isinstance(values, dict) else ("%s", values[0])
    with connection.cursor() as cursor:
        for _again in range(2):
            cursor.execute(f"SELECT CAST({mark} AS text), '50%% %%s'", values)
            assert cursor.fetchone() == (letter, "50% %s")
