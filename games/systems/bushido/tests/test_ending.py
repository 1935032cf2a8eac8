"""How a match ends: in its End phase, or by hand once whoever would lose by it agrees."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.rules.victory_and_end import reason
from games.systems.bushido.tests.tables import ending, model, play, table
from tests.positions import asks, offered, said


def scored(g, **points):
    for seat, count in points.items():
        for _point in range(count):
            g.score(seat, 1, "as told")
    return g


@pytest.mark.rule("BUSH-21")
def test_the_match_ends_with_its_final_turn():
    g = ending(turn=6)
    g = play(g, "red agree", "blue agree")
    assert (asks(g), offered(g, "red")) == ("closing red blue", ["end-match"])
    g = play(scored(g, blue=1), "red end-match")
    assert g.result == {"winner": "blue", "how": "last-turn", "points": {"red": 0, "blue": 1}}


@pytest.mark.rule("BUSH-21")
def test_level_in_victory_points_is_a_draw():
    g = play(ending(turn=6), "red agree", "blue agree", "blue end-match")
    assert (g.result["winner"], g.result["how"]) == (None, "last-turn")


@pytest.mark.rule("BUSH-22")
def test_the_third_victory_point_ends_the_match_in_that_end_phase():
    """Checks in the turns 2, 3 and 4 of six: no scenario of the sixteen has them, an organiser's may."""
    early = {"check1": "2 points", "check2": "3 points", "check3": "4 points"}
    g = scored(ending(turn=4, changes=early), red=1, blue=1)
    g.armies["red"].scenario_points = 3
    g = play(g, "red agree", "blue agree")
    assert (g.points("red"), asks(g)) == (2, "closing red blue")
    assert play(g, "blue end-match").result["how"] == "all-scored"


@pytest.mark.rule("BUSH-22")
def test_there_are_never_more_than_three_victory_points():
    g = scored(ending(turn=2), red=2, blue=1)
    g.armies["red"].scenario_points = 3
    engine.advance(g)
    assert (g.points("red"), g.points("blue"), asks(g)) == (2, 1, "closing red blue")
    with pytest.raises(IllegalAction):
        play(scored(ending(), red=2), "red army/red points:red:2 a gift")


@pytest.mark.rule("BUSH-20")
def test_what_a_player_says_of_one_point_is_not_said_of_the_next():
    g = play(ending(turn=2), "red award:blue", "blue agree")
    assert (g.points("blue"), g.award) == (1, None)


@pytest.mark.rule("BUSH-24")
def test_unspent_pass_tokens_are_discarded():
    g = table([model("goshi", counters=1)], [model("oni", counters=0)])
    g.armies["red"].passes = 2
    g = play(g, "red simple:goshi", "red done")
    assert (g.armies["red"].passes, g.round) == (0, 2)
    assert "Red discards 2 pass tokens." in said(g)


@pytest.mark.rule("BUSH-24")
def test_the_end_of_the_match_begins_no_further_turn():
    g = ending(turn=6)
    g.armies["red"].passes = 2
    g = play(g, "red agree", "blue agree", "red end-match")
    assert (g.round, g.armies["red"].passes) == (6, 2)


@pytest.mark.parametrize(
    ("action", "confirm", "winner", "how"),
    [
        ("red army/red concede:red", "red end-match", "blue", "concession"),
        ("blue army/red concede:red", "red end-match", "blue", "concession"),
        ("red table adjudicate:blue", "blue end-match", "blue", "adjudication"),
        ("red table adjudicate:drawn", "blue end-match", None, "adjudication"),
    ],
)
def test_other_ends_wait_for_the_word_of_the_other(action, confirm, winner, how):
    g = play(table(), action)
    assert (g.result, asks(g)) == (None, f"closing {confirm.split()[0]}")
    assert asks(play(g, confirm.replace("end-match", "play-on"))) == "turn red"
    g = play(g, confirm)
    assert (g.result["winner"], g.result["how"]) == (winner, how)


@pytest.mark.parametrize(
    ("action", "question"),
    [
        ("red army/red concede:red", "Red concedes. End the match?"),
        ("red table time-out", "Time is up. End the match with this turn?"),
        ("red table adjudicate:blue", "Adjudication: Blue wins. End the match?"),
        ("red table adjudicate:drawn", "Adjudication: A draw. End the match?"),
    ],
)
def test_an_end_by_hand_says_what_it_is(action, question):
    g = play(table(), action)
    (asked,) = engine.to_act(g)
    assert str(engine.step_of(g).asking(g, asked)) == question


@pytest.mark.rule("BUSH-21")
def test_who_has_a_say_in_the_end_is_asked_and_who_has_none_is_told():
    """A match that both have scored is over; a correction leaves it to a player."""
    over = play(ending(turn=6), "red agree", "blue agree")
    assert str(engine.step_of(over).asking(over, "red")) == "The match ends"
    called = play(scored(ending(turn=4), red=1), "red table final", "red agree", "blue agree")
    assert str(engine.step_of(called).asking(called, "blue")) == "End the match?"


@pytest.mark.rule("BUSH-21")
@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize("correction", ["table final", "army/red points:red:2 a card"])
def test_who_would_lose_by_an_end_that_only_a_correction_has_brought_is_asked(correction):
    g = scored(ending(turn=4), red=1)
    g = play(g, f"red {correction}", *(["red agree", "blue agree"] if "final" in correction else []))
    assert (asks(g), offered(g, "blue")) == ("closing blue", ["end-match", "play-on"])
    told = str(engine.step_of(g).helping(g, "blue"))
    assert told.startswith("A correction alone caused this ending. Red would win: Red ")
    assert play(g, "blue end-match").result["winner"] == "red"
    assert asks(play(g, "blue play-on")) == "tactical-test red blue"
    assert not play(g, "blue play-on").is_final


@pytest.mark.rule("BUSH-22")
def test_points_by_hand_end_no_match_that_nothing_ends():
    """Whoever was behind by them was asked, and could say nothing but that the match is over."""
    g = play(table(turn=3), "red army/red points:red:1 a card", "red complex:goshi", "blue complex:oni")
    g = play(g, "blue done")
    assert (g.round, g.result, asks(g)) == (4, None, "tactical-test red blue")


@pytest.mark.rule("BUSH-21")
def test_where_only_a_slain_vim_counts_any_other_end_is_a_loss_for_both():
    g = play(ending(turn=12, scenario="honbasho"), "red end-match")
    assert (g.result["winner"], g.result["how"]) == (None, "neither")


@pytest.mark.rule("BUSH-21")
@pytest.mark.rule("BUSH-22")
@pytest.mark.rule("BUSH-23")
@pytest.mark.rule("BUSH-36")
def test_the_end_shows_the_rule_of_its_own_cause():
    rule = lambda g: engine.step_of(g).resting_on(g)  # noqa: E731
    early = {"check1": "2 points", "check2": "3 points", "check3": "4 points"}
    full = scored(ending(turn=4, changes=early), red=1, blue=1)
    full.armies["red"].scenario_points = 3
    assert rule(play(full, "red agree", "blue agree")) == "BUSH-22"
    assert rule(ending(blue=[model("oni", place="elsewhere")])) == "BUSH-23"
    timed = table()
    timed.rules = {**timed.rules, "death": 30}
    assert rule(engine.adjust(timed, "red", "army/red", "run-out:red")) == "BUSH-36"
    assert rule(engine.adjust(table(), "red", "army/red", "concede:red")) == ""
    last = play(ending(turn=6), "red agree", "blue agree")
    assert (asks(last), rule(last)) == ("closing red blue", "BUSH-21")


@pytest.mark.rule("BUSH-22")
def test_once_time_is_up_the_match_ends_in_the_end_phase_of_its_turn():
    g = table(turn=4)
    g.armies["red"].scenario_points = 3
    asked = play(g, "blue table time-out")
    assert str(engine.step_of(asked).helping(asked, "red")) == (
        "Finish this turn and score it. Currently: It would be a draw: Red 0, Blue 0."
    )
    assert asks(play(asked, "red play-on")) == "turn red"
    g = play(asked, "red end-match")
    assert (g.result, asks(g), g.points("red")) == (None, "turn red", 0)
    assert "time-out" not in [offer.action for offer in engine.corrections(g, "table")], "it is agreed"
    g = play(g, "red complex:goshi", "blue complex:oni", "blue done", "red agree", "blue agree")
    assert (asks(g), offered(g, "blue")) == ("closing red blue", ["end-match", "play-on"])
    g = play(g, "blue end-match")
    assert g.result == {"winner": "red", "how": "time-out", "points": {"red": 1, "blue": 0}}


@pytest.mark.rule("BUSH-22")
def test_if_there_is_time_again_both_may_play_on():
    """Whoever had agreed to an end could only have all undone that was played since."""
    g = play(table(turn=3), "blue table time-out", "red end-match")
    g = play(g, "red complex:goshi", "blue complex:oni", "blue done", "red play-on")
    assert (said(g), asks(g), g.time_is_up) == ("Red would play on.", "closing red blue", True)
    assert (offered(g, "red"), offered(g, "blue")) == (["end-match"], ["end-match", "play-on"])
    ended = play(g, "red end-match")
    assert (ended.result["how"], ended.points("red")) == ("time-out", 0)
    g = play(g, "blue play-on")
    assert (g.round, g.result, g.time_is_up) == (4, None, False)
    assert {army.ends for army in g.armies.values()} == {""}
    assert "time-out" in [offer.action for offer in engine.corrections(g, "table")]


@pytest.mark.rule("BUSH-22")
def test_a_match_that_time_ends_has_no_last_turn():
    """The Victory Point of the last turn is for a match that is played to it."""
    g = play(table(scenario="depletion", turn=5), "red table time-out", "blue end-match")
    g = play(g, "red complex:goshi", "blue complex:oni", "blue done")
    assert (asks(g), reason(g)) == ("closing red blue", "time-out")
    called = play(
        table(scenario="depletion", turn=5), "red table time-out", "blue end-match", "red table final"
    )
    called.armies["red"].scenario_points = 1
    called = play(called, "red complex:goshi", "blue complex:oni", "blue done", "red agree", "blue agree")
    assert (called.points("red"), asks(called)) == (1, "closing blue"), (
        "who would lose by a correction is asked"
    )


@pytest.mark.rule("BUSH-22")
def test_a_duel_ends_as_soon_as_time_is_up():
    g = play(table(scenario="honbasho"), "blue table time-out", "red end-match")
    assert (g.result is not None, g.time_is_up) == (True, False)
