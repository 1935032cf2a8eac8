"""The number of a player who was taken off the list goes to the next one, and nothing else of theirs does."""

from __future__ import annotations

import pytest

from games.events import commands, log, undoing
from games.events.models import Event, Player
from games.events.play import Actor
from tests.events.halls import ANNA, by_chance, opened, play_round, refused, state

pytestmark = pytest.mark.django_db

GUEST, KEY = Actor("guest", "", ""), "key-of-a-form"


def register(code: str, name: str, key: str) -> Player:
    outcome = commands.register(code, GUEST, name, key=key)
    return commands.registered(Event.objects.get(code=code), outcome)


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_form_that_is_sent_again_opens_no_place_of_somebody_else(is_undone: bool) -> None:
    code = opened(2)
    ada = register(code, "Ada", KEY)
    if is_undone:
        undoing.undo(code, Event.objects.get(code=code).version, ANNA)
    else:
        commands.remove(code, ANNA, ada.key)
    bo = register(code, "Bo", f"{KEY}-2")
    assert bo.key == ada.key
    told = refused(register, code, "Ada", KEY)
    assert (told.status, str(told)) == (404, "There is no such player in this event.")
    assert register(code, "Bo", f"{KEY}-2") == bo


def test_who_is_back_on_the_list_hands_in_again() -> None:
    code = opened(3, mode="manual-scoring", length=3)
    commands.hand_in(code, ANNA, "p3", ["one list", "another list"])
    commands.check_in(code, ANNA, "p3", False)
    play_round(code, by_chance(1))
    version = commands.remove(code, ANNA, "p3").version
    undoing.undo(code, version, ANNA)
    assert state(code).players["p3"].lists == ()
    commands.check_in(code, ANNA, "p3")
    commands.hand_in(code, ANNA, "p3", ["one list", "another list"])
    commands.pair(code, ANNA)
    commands.by_hand(code, ANNA, [["p1", "p3"], ["p2"]])
    commands.open_round(code, ANNA)
    commands.choose(code, ANNA, "p3", 2)
    assert log.faults(Event.objects.get(code=code)) == []
