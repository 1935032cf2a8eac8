"""The one next thing that an event waits for, as organisers and helpers read it."""

from __future__ import annotations

import pytest

from games.hall import commands
from games.hall.event_actions import ORGANISER
from games.hall.organiser.hall_tables import hall_of
from games.hall.organiser.overview import Next, next_step
from games.translation import words
from tests.hall.halls import ANNA, opened, refused, scores, state

pytestmark = pytest.mark.django_db


def following(code: str, role: str = ORGANISER) -> Next:
    return next_step(hall_of(code), role)


def test_before_the_first_round_who_is_missing_is_counted():
    code = opened(0)
    commands.import_table(code, ANNA, "Ada\nBo\nCy\nDi")
    assert following(code).detail == "Check in everyone who is here."
    for key, said in (
        ("p2", "2 players are not checked in, and would not be paired."),
        ("p3", "1 player is not checked in, and would not be paired."),
    ):
        commands.check_in(code, ANNA, "p1")
        commands.check_in(code, ANNA, key)
        found = following(code)
        assert found.button.do.startswith("pair ")
        assert (found.button.label, found.link.label, found.detail) == (
            "Pair round 1",
            "Check players in",
            said,
        )
    commands.check_in_all(code, ANNA)
    assert (following(code).detail, following(code).link) == ("", None)


def test_who_comes_after_the_draw_is_named_before_the_round_opens():
    code = opened(0)
    commands.import_table(code, ANNA, "Ada\nBo\nCy\nDi\nEd")
    for key in ("p1", "p2", "p3", "p4"):
        commands.check_in(code, ANNA, key)
    commands.pair(code, ANNA)
    assert following(code).button.do.startswith("open_round ")
    commands.check_in(code, ANNA, "p5")
    said = "Not paired in this round: Ed. Tap “Pair again”, or pair by hand."
    found = following(code)
    assert (found.detail, found.button, found.link.label) == (said, None, "Pairings")
    assert words(refused(commands.open_round, code, ANNA).line) == said
    commands.repair(code, ANNA)
    assert following(code).button.do.startswith("open_round ")


def test_a_round_that_is_paired_by_hand_may_leave_anybody_out():
    code = opened(4, kind="free", length=0, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.by_hand(code, ANNA, [["p1", "p2"]])
    assert following(code).button.label == "Open round 1"
    commands.open_round(code, ANNA)
    assert [one.players for one in state(code).at(1)] == [("p1", "p2")]


def test_everybody_meets_everybody_although_nobody_does_in_one_round():
    """Both who are left sit out where they were to meet those who are gone; then they meet."""
    code = opened(4, kind="round-robin", length=0, mode="manual-scoring")
    commands.drop(code, ANNA, next(iter(state(code).players)))
    asked = []
    for number in (1, 2, 3):
        commands.pair(code, ANNA)
        if number == 1:
            commands.open_round(code, ANNA)
            gone = next(one.players[0] for one in state(code).at(1) if not one.is_bye)
            commands.drop(code, ANNA, gone)
            commands.close_round(code, ANNA)
            continue
        asked.append(following(code).button.do)
        commands.open_round(code, ANNA)
        if all(one.is_bye for one in state(code).at(number)):
            asked.append(following(code).button.do)
        for one in state(code).at(number):
            if not one.is_bye:
                commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
        commands.close_round(code, ANNA)
    assert [one.split()[0] for one in asked].count("open_round") == 2
    assert "close_round 2" in asked or "close_round 3" in asked
    commands.finish(code, ANNA)
