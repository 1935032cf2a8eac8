"""Everybody's time, worked out from the log."""

import pytest

from games.core import Clock, Timed
from games.core.clocks import thought

CLOCK = Clock(frozenset({"turn", "act"}), frozenset({"act", "back"}), frozenset({"wound-test"}))
OPEN = Timed(1, 100, "open")


def tap(version, at, seat, step="turn", verb="simple"):
    return Timed(version, at, "tap", step, seat, verb)


def times(*moments, now=0.0):
    return thought([OPEN, *moments], CLOCK, now)


def test_an_answer_costs_the_time_since_its_question_was_opened():
    found = times(tap(2, 110, "red"), tap(3, 140, "blue"), tap(4, 145, "red"))
    assert found.spent == {"red": 15, "blue": 30}


def test_what_is_not_on_the_clock_costs_nothing():
    found = times(tap(2, 160, "red", "tactical-test"), tap(3, 170, "red"))
    assert found.spent == {"red": 10}


def test_corrections_and_remarks_neither_cost_nor_stop_time():
    adjust = Timed(3, 130, "adjust", "turn", "blue")
    assert times(tap(2, 110, "red"), adjust, tap(4, 150, "blue")).spent == {"red": 10, "blue": 40}


def test_the_time_of_a_question_runs_on_below_one_that_lies_over_it():
    over = tap(3, 140, "blue", "wound-test")
    assert times(tap(2, 110, "red"), over, tap(4, 150, "blue")).spent == {"red": 10, "blue": 40}
    found = times(tap(2, 110, "red"), over, now=150)
    assert (found.used("blue", is_asked=True), found.now - found.spell) == (40, 40)
    undone = Timed(4, 145, "undo", "turn", undoes=3)
    assert times(tap(2, 110, "red"), over, undone, tap(5, 150, "blue")).spent == {"red": 10, "blue": 40}
    earlier = Timed(4, 145, "undo", "wound-test", undoes=2)
    assert times(tap(2, 110, "red"), over, earlier).spent == {"red": 0}


def test_a_action_that_is_taken_back_gives_its_time_back_and_goes_on_from_there():
    undo = Timed(3, 200, "undo", undoes=2)
    found = times(tap(2, 110, "red"), undo, now=205)
    assert found.spent == {"red": 0}
    assert found.used("red", is_asked=True) == 15, "ten seconds before the tap, five since the undo"
    assert found.now - found.spell == 15, "so does the activation"
    assert times(tap(2, 110, "red"), undo, tap(4, 220, "red")).spent == {"red": 30}


def test_several_steps_taken_back_give_each_their_time_back():
    undos = Timed(4, 200, "undo", undoes=3), Timed(5, 200, "undo", undoes=2)
    found = times(tap(2, 110, "red"), tap(3, 140, "blue"), *undos, now=200)
    assert found.spent == {"red": 0, "blue": 0}
    assert found.used("red", is_asked=True) == 10


@pytest.mark.parametrize(("verb", "spell"), [("act", 30), ("back", 30), ("simple", 20)])
def test_a_smaller_question_belongs_to_the_same_spell(verb, spell):
    found = times(tap(2, 110, "red", verb=verb), now=130)
    assert found.now - found.spell == spell


def test_who_is_asked_now_uses_time_and_the_other_does_not():
    found = times(tap(2, 110, "red"), now=150)
    assert found.used("blue", is_asked=True) == 40
    assert found.used("red", is_asked=False) == 10


def test_a_correction_that_passes_the_turn_on_ends_the_time_of_whose_it_was():
    passed = Timed(3, 130, "adjust", "turn", "red", "overtime", passes=True)
    found = times(tap(2, 110, "blue"), passed, tap(4, 150, "blue"))
    assert found.spent == {"blue": 30, "red": 20}
    found = times(passed, Timed(4, 140, "undo", "turn", undoes=3), now=145)
    assert (found.spent, found.used("red", is_asked=True)) == ({"red": 0}, 35)
