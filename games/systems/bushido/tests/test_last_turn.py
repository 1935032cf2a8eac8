"""What corrections say of the last turn and of its points: it ends no match for one player alone."""

import pytest

from games.core import engine
from games.systems.bushido.tests.tables import ending, play, starting
from games.systems.bushido.tests.test_ending import scored
from tests.positions import asks, offered, said

MAIN_PHASE = ("red rolled:5", "blue rolled:2", "red first:red", "red complex:goshi", "blue complex:oni")


@pytest.mark.rule("BUSH-02")
@pytest.mark.rule("BUSH-21")
@pytest.mark.parametrize(("die", "asked"), [(3, "closing blue"), (4, "closing red blue")])
def test_a_turn_that_a_die_has_let_go_on_is_called_the_last_by_hand_alone(die, asked):
    """Who leads calls it the last; had the die said so, there would be nothing left to ask."""
    g = scored(starting(turn=5, scenario="depletion"), red=1)
    g = play(g, f"red rolled:{die}", *MAIN_PHASE)
    if die < 4:
        g = play(g, "red table final")
    g = play(g, "blue done", "red agree", "blue agree")
    assert asks(g) == asked
    if die < 4:
        assert offered(g, "blue") == ["end-match", "play-on"]
        assert asks(play(g, "blue play-on")) == "variable-turns red blue"
        assert play(g, "blue end-match").result["how"] == "last-turn"


@pytest.mark.rule("BUSH-21")
@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize(("by_rule", "asked"), [(False, "closing blue"), (True, "closing red blue")])
def test_the_third_point_of_a_turn_that_is_called_the_last_is_no_end_by_itself(by_rule, asked):
    g = scored(ending(turn=5, scenario="depletion", is_final=True, is_last_by_rule=by_rule), red=2)
    g.armies["red"].scenario_points = 1
    g = play(g, "red agree", "blue agree")
    assert (g.points("red"), asks(g)) == (3, asked)


def given(by_rule=True, **points):
    """The fifth turn of Depletion is the last, and its last check has given Red the point."""
    g = scored(ending(turn=5, scenario="depletion", is_final=True, is_last_by_rule=by_rule), **points)
    g.armies["red"].scenario_points = 2
    return play(g, "red agree", "blue agree")


@pytest.mark.rule("BUSH-20")
@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize("red", [0, 2])
def test_a_point_of_the_last_turn_is_taken_back_where_the_turn_is_not_the_last(red):
    """With two before it, it would be the third, and would end the match by itself."""
    g = given(red=red)
    assert g.points("red") == red + 1
    g = play(g, "blue table not-final")
    assert "Red loses the Victory Point of the last turn. The match continues." in said(g)
    g = play(g, "red agree", "blue agree")
    assert (g.round, g.points("red"), asks(g)) == (6, red, "variable-turns red blue")
    g = play(g, "red rolled:5", *MAIN_PHASE, "blue done", "red agree", "blue agree")
    assert (g.points("red"), asks(g)) == (red + 1, "closing red blue")


@pytest.mark.rule("BUSH-20")
@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize("red", [0, 2])
def test_who_plays_on_after_a_turn_called_the_last_does_so_without_its_point(red):
    g = play(given(by_rule=False, red=red), "blue play-on")
    assert (g.round, g.points("red"), asks(g)) == (6, red, "variable-turns red blue")


@pytest.mark.rule("BUSH-20")
def test_the_check_of_the_last_turn_is_dropped_where_the_turn_is_not_the_last():
    g = ending(turn=5, scenario="depletion", is_final=True)
    g = play(g, "red award:red", "red table not-final")
    assert (asks(g), "No one scores" in said(g)) == ("still-last red blue", False)
    g = play(g, "red agree", "blue agree")
    assert (g.round, g.points("red")) == (6, 0)


@pytest.mark.rule("BUSH-21")
def test_nobody_takes_the_last_turn_away_from_the_other_by_a_correction():
    """Red leads after the last check; Blue says that it was not the last turn."""
    g = play(given(), "blue table not-final", "blue agree")
    assert (asks(g), offered(g, "red")) == ("still-last red", ["agree", "last"])
    g = play(g, "red last")
    assert (g.is_final, asks(g)) == (True, "tally red blue"), "its check is made again"
    g = play(g, "red agree", "blue agree")
    assert (g.points("red"), asks(g)) == (1, "closing red blue")
    assert play(g, "red end-match").result["winner"] == "red"


@pytest.mark.rule("BUSH-21")
def test_whoever_calls_the_turn_the_last_again_need_not_answer():
    g = play(given(), "blue table not-final")
    assert asks(play(g, "red table final")) == "tally red blue"


@pytest.mark.rule("BUSH-21")
def test_what_both_have_agreed_to_is_not_asked_again():
    g = play(given(), "blue table not-final", "red agree", "blue agree")
    assert (g.round, asks(g), g.is_last_by_rule) == (6, "variable-turns red blue", False)
    checks = {"check1": "last points", "check2": "5 friendly", "check3": ""}
    g = ending(turn=5, scenario="depletion", changes=checks, is_final=True)
    g = play(g, "red table not-final", "red agree", "blue agree")
    assert asks(g) == "tally red blue", "what is due in this turn is still checked"
    assert play(g, "red agree", "blue agree").round == 6


@pytest.mark.rule("BUSH-20")
def test_only_the_points_of_the_last_turn_are_taken_back_and_the_check_is_made_again():
    checks = {"check1": "5 points", "check2": "last friendly", "check3": "last vim-edge"}
    g = ending(turn=5, scenario="depletion", changes=checks, is_final=True)
    g.armies["red"].scenario_points = 2
    g.objectives["objective-a"].aligned = "blue"
    g = play(g, "red agree", "blue agree", "blue keep", "red agree", "blue agree")
    assert (g.points("red"), g.points("blue"), asks(g)) == (1, 1, "decrease red")
    g = play(g, "red table not-final")
    assert (g.points("red"), g.points("blue"), asks(g)) == (1, 0, "decrease red")
    g = play(g, "red table final", "red keep")
    assert asks(g) == "tally red blue"
    g = play(g, "red agree", "blue agree")
    assert (g.points("blue"), asks(g)) == (1, "decrease red")


@pytest.mark.rule("BUSH-20")
def test_of_two_points_for_the_same_the_one_of_the_last_turn_is_taken_back():
    checks = {"check1": "5 points", "check2": "last points", "check3": ""}
    g = ending(turn=5, scenario="depletion", changes=checks, is_final=True)
    g.armies["red"].scenario_points = 2
    g = play(g, "red agree", "blue agree", "blue keep", "red agree", "blue agree")
    assert g.points("red") == 2
    assert play(g, "red table not-final").points("red") == 1


@pytest.mark.rule("BUSH-21")
def test_what_a_die_has_said_is_not_forgotten_by_corrections():
    g = scored(starting(turn=5, scenario="depletion"), red=1)
    g = play(g, "red rolled:4", "blue table not-final", "red table final", *MAIN_PHASE, "blue done")
    assert asks(play(g, "red agree", "blue agree")) == "closing red blue"
    g = starting(turn=6, scenario="depletion")
    g.is_last_by_rule = True
    assert not play(g, "red rolled:3").is_last_by_rule, "each turn has its own die"


@pytest.mark.rule("BUSH-21")
@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_to_call_a_turn_the_last_takes_nothing_away_from_a_wipe_out(moment):
    g = scored(starting(turn=5, scenario="ryodo"), red=1)
    g = play(g, *MAIN_PHASE, "red unit/oni wounds:oni:-5")
    called = ["red table final"]
    g = play(g, *(called if moment == "before" else []), "red done", "red agree")
    g = play(g, *(called if moment == "after" else []))
    assert (asks(g), offered(g, "red"), offered(g, "blue")) == ("closing red blue", *[["end-match"]] * 2)
    assert engine.step_of(g).resting_on(g) == "BUSH-23"
    assert play(g, "red end-match").result["how"] == "wiped-out"


@pytest.mark.rule("BUSH-21")
@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize(
    ("corrections", "asked", "is_over"),
    [
        ([], "closing red blue", True),
        (["blue army/blue points:blue:1 a card"], "closing red blue", True),
        (["red army/red points:red:1 a card"], "closing red blue", False),
        (["red army/red points:red:2 a card"], "closing blue", False),
        (["red army/blue points:blue:-1 a slip", "red army/red points:red:1 a card"], "closing blue", False),
        (["red army/red points:red:2 a card", "red army/red points:red:-2 none"], "closing red blue", True),
    ],
    ids=["none", "no other winner", "a draw", "another winner", "moved", "taken back"],
)
def test_who_would_lose_by_corrected_points_agrees_to_the_end(corrections, asked, is_over):
    """Blue is one ahead after the last turn."""
    g = play(scored(ending(turn=6), blue=1), "red agree", "blue agree", *corrections)
    assert asks(g) == asked
    first = "red" if "red" in asked else "blue"
    assert offered(g, first) == ["end-match"]
    told = str(engine.step_of(g).helping(g, first))
    assert told.startswith("Corrected Victory Points decide who wins.") != is_over
    g = play(g, f"{first} end-match")
    assert (g.result is not None) == (is_over or asked == "closing blue")
