"""What a process keeps of an event is used while the rows are those it was made from."""

from __future__ import annotations

import pytest

from games.hall import commands
from games.hall.event_rows import Kept, position_of
from games.hall.models import Event
from tests.hall.halls import ANNA, opened


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
    assert position_of(Event.objects.get(code=code)).rounds
    # A restored backup may have the same version, and another log.
    event.chain = "another"
    assert position_of(event) is not before
