"""Statements and values reach the database as Django writes them, and come back as they were."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection

from games import prepared
from games.match import play
from games.models import Match, Round
from games.web import clock

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("values", [["a"], ("b",), {"letter": "c"}])
def test_marks_stand_for_values_and_doubled_percent_signs_for_one(values):
    mark, letter = ("%(letter)s", values["letter"]) if isinstance(values, dict) else ("%s", values[0])
    with connection.cursor() as cursor:
        for _again in range(2):
            cursor.execute(f"SELECT CAST({mark} AS text), '50%% %%s'", values)
            assert cursor.fetchone() == (letter, "50% %s")


@pytest.mark.parametrize(
    "value",
    [{}, [], "", 0, -1.5, 10**17, {"b": [True, False, None], "a": {"": 'so "ä", 中, 🐺 \\ \x01\n\u2028'}}],
)
def test_json_comes_back_as_it_was(value):
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    match.extra = match.undo_request = value
    prepared.save_columns(match, ["extra"], clock.now())
    match.save(update_fields=["undo_request"])
    read = Match.objects.get(extra=value, undo_request=value)
    assert (read.extra, read.undo_request) == (value, value)


def without_state(row):
    return {name: value for name, value in vars(row).items() if name != "_state"}


@pytest.mark.parametrize("left_out", [(), ("extra", "flow")])
def test_a_prepared_row_is_the_one_that_django_reads(left_out):
    code = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}).code

    def matches_of(code):
        return Match.objects.filter(code=code)

    ask = prepared.Prepared(matches_of, without=left_out)
    assert ask("NONE") == []
    for ours, theirs in zip(ask(code), matches_of(code).defer(*left_out), strict=True):
        assert without_state(ours) == without_state(theirs)
        assert (ours._state.adding, ours._state.db) == (theirs._state.adding, theirs._state.db)
        assert ours.get_deferred_fields() == set(left_out)
        assert ours.extra == theirs.extra


def test_created_rows_are_those_that_django_would_create():
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    rows = [
        {"match_id": match.pk, "number": 9, "extra": {"led": 9}},
        {"extra": {"led": 8}, "number": 8, "match_id": match.pk},
    ]
    ours = [Round.objects.get(pk=key) for key in prepared.create(Round, rows)]
    theirs = Round(match=match, number=9)
    assert [(row.number, row.extra) for row in ours] == [(9, {"led": 9}), (8, {"led": 8})]
    for row in ours:
        assert (row.match_id, row.first_id) == (match.pk, None)
        assert abs(row.begun_at - theirs.begun_at) < timedelta(minutes=1)


def test_a_column_that_is_not_there_is_not_passed_over():
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    with pytest.raises(KeyError):
        prepared.create(Round, [{"match_id": match.pk, "number": 9, "leader": 1}])


def test_nothing_is_no_json():
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    match.undo_request = None
    prepared.save_columns(match, ["undo_request"], clock.now())
    assert Match.objects.filter(undo_request__isnull=True).exists()


@pytest.mark.parametrize("hours", [0, 8, -5])
def test_a_moment_comes_back_as_it_was(hours):
    moment = datetime(2026, 5, 31, 22, 30, 15, 987654, tzinfo=timezone(timedelta(hours=hours)))
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    match.finished_at = moment
    prepared.save_columns(match, ["finished_at"], clock.now())
    read = Match.objects.get(finished_at=moment)
    assert (read.finished_at, read.finished_at.tzinfo) == (moment, UTC)
    assert read.changed_at == match.changed_at
