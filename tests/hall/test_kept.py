"""What a process keeps of an event is used while the rows are those it was made from."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.hall import commands, comparing
from games.hall.event_actions import Kept, load, position_of
from games.hall.models import Event, EventEntry
from games.models import Match
from tests.hall.halls import ANNA, end, opened
from tests.hall.test_organiser import page, phone_of


def test_a_value_is_made_once_for_a_mark() -> None:
    kept: Kept[object] = Kept(2)
    first = kept.get("a", 1, object)
    assert kept.get("a", 1, object) is first
    assert kept.get("b", 1, object) is not first
    assert kept.get("a", 2, object) is not first
    assert kept.get("a", 1, object) is not first


def test_of_too_many_the_one_made_first_goes() -> None:
    kept: Kept[object] = Kept(2)
    made = {key: kept.get(key, 1, object) for key in "abc"}
    assert kept.get("c", 1, object) is made["c"]
    assert kept.get("b", 1, object) is made["b"]
    assert kept.get("a", 1, object) is not made["a"]


@pytest.mark.django_db
def test_a_position_is_read_again_after_an_action_and_after_a_restore(
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    code = opened(2)
    event = Event.objects.get(code=code)
    before = position_of(event)
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert position_of(event) is before
    commands.pair(code, ANNA)
    event = Event.objects.get(code=code)
    after = position_of(event)
    assert after.rounds
    # A restored backup may have the same version, and another log.
    event.chain = "another"
    assert position_of(event) is not after


@pytest.mark.django_db
def test_what_the_tables_say_meanwhile_is_seen_and_changes_nothing_that_is_kept() -> None:
    code = opened(2, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    event = Event.objects.get(code=code)
    [game] = position_of(event).pairings.values()
    end(game.match, 5, 2)
    assert load(code).state.pairings[game.key].is_decided
    assert not position_of(event).pairings[game.key].is_decided


@pytest.mark.django_db(transaction=True)
def test_an_action_and_the_organisers_page_go_on_from_the_last_action() -> None:
    code = opened(2)
    phone = phone_of(code)
    page(phone, code, "organise")
    with CaptureQueriesContext(connection) as queries:
        commands.announce(code, ANNA, "Lunch at one")
        assert "Lunch at one" in page(phone, code, "organise")
    assert not any('FROM "events_announcement"' in query["sql"] for query in queries)


@pytest.mark.django_db
def test_the_history_is_continued_from_its_last_fingerprint_and_from_no_other() -> None:
    code = opened(2)
    assert not comparing.compare(Event.objects.get(code=code)).broken
    commands.announce(code, ANNA, "Lunch at one")
    entries = EventEntry.objects.filter(event__code=code).order_by("-version")
    entries.filter(pk=entries[0].pk).update(author="Mallory")
    assert comparing.compare(Event.objects.get(code=code)).broken == (entries[0].version,)


@pytest.mark.django_db
def test_a_table_that_was_deleted_is_gone_from_what_is_kept() -> None:
    code = opened(2, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    event = Event.objects.get(code=code)
    assert [one.match for one in position_of(event).pairings.values()] != [None]
    Match.objects.all().delete()
    assert [one.match for one in position_of(event).pairings.values()] == [None]
