"""What of an event can be taken back: what stands, at this event, and nothing rests on."""

from __future__ import annotations

import pytest

from games.hall import commands, event_undo
from games.hall.models import Event, EventEntry
from tests.hall.halls import ANNA, opened, refused, state

pytestmark = pytest.mark.django_db


def standing(code: str) -> list[tuple[str, str]]:
    entries = event_undo.not_undone(Event.objects.get(code=code))
    return [(entry.event.code, entry.action) for entry in entries]


def version(code: str) -> int:
    return Event.objects.get(code=code).version


def test_only_what_stands_at_this_event_is_offered_to_be_taken_back():
    code, other = opened(2), opened(2)
    stood = standing(code)
    assert {event for event, _action in stood} == {code}
    assert {event for event, _action in standing(other)} == {other}
    commands.drop(code, ANNA, "p1")
    assert standing(code) == [(code, "drop"), *stood], "the newest first"
    event_undo.undo(code, version(code), ANNA)
    assert standing(code) == stood
    assert state(code).players["p1"].dropped is None


def test_what_was_taken_back_is_not_taken_back_again():
    code = opened(2)
    commands.drop(code, ANNA, "p1")
    dropped = version(code)
    event_undo.undo(code, dropped, ANNA)
    for gone in (dropped, version(code), 999):
        told = refused(event_undo.undo, code, gone, ANNA)
        assert (told.status, str(told)) == (409, "This can no longer be undone.")


@pytest.mark.parametrize(
    "act",
    [
        lambda code: commands.appoint(code, ANNA, "judge", "Jo"),
        lambda code: commands.new_link(code, ANNA, "p1"),
    ],
    ids=["who helps", "a link"],
)
def test_whose_links_open_what_is_never_taken_back(act):
    code = opened(2)
    act(code)
    done = EventEntry.objects.get(event__code=code, version=version(code)).action
    assert done not in [action for _event, action in standing(code)]
    assert refused(event_undo.undo, code, version(code), ANNA).error == "nothing_to_undo"


def test_of_two_things_that_touch_the_same_the_later_goes_first():
    code = opened(2)
    commands.drop(code, ANNA, "p1")
    dropped = version(code)
    commands.come_back(code, ANNA, "p1")
    told = refused(event_undo.undo, code, dropped, ANNA)
    assert (told.status, told.error) == (409, "rests")
    event_undo.undo(code, version(code), ANNA)
    event_undo.undo(code, dropped, ANNA)
    assert state(code).players["p1"].dropped is None
