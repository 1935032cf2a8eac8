"""How a match ends, and who is asked before it does."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.rules import destruction, end_of_match, table_facts
from games.systems.tmg.tests.tables import agreed, all_done, clean_up, infantry, ncu, play, table
from games.systems.tmg.tests.test_ending_by_hand import noted, told
from tests.positions import asks, offered, said

TARGET = 10


def checked(red, blue, *, round=3, red_units=(), blue_units=()):
    """The position after the victory check of a round, with these points."""
    red_units, blue_units = red_units or [infantry("wolves")], blue_units or [infantry("lions")]
    for unit in (*red_units, *blue_units):
        unit.activated = True
    g = table(red_units, blue_units, round=round, step="end-of-turn", target=TARGET)
    for seat, points in (("red", red), ("blue", blue)):
        if points:
            g.score(seat, points, "test")
    return agreed(all_done(g))


def without(*seats):
    """A position in which these sides have just lost their last Combat Unit."""
    g = table([infantry("wolves"), ncu("sansa")], [infantry("lions"), ncu("tyrion")])
    for seat in seats:
        unit = next(g.combat_units(seat))
        destruction.destroy(g, unit, g.rival(seat))
    engine.advance(g)
    return g


@pytest.mark.rule("TMG-82")
@pytest.mark.parametrize(
    ("red", "blue", "winner"), [(10, 9, "red"), (3, 12, "blue"), (11, 10, "red"), (9, 8, None), (0, 0, None)]
)
def test_the_target_and_ahead_wins(red, blue, winner):
    g = checked(red, blue)
    if winner is None:
        assert g.result is None
        assert asks(g) == "discard red blue"
    else:
        assert g.result == {"winner": winner, "how": "points", "points": {"red": red, "blue": blue}}
        assert said(g).endswith(f"{winner.title()} wins the match.")


@pytest.mark.rule("TMG-82")
def test_nobody_acts_once_the_match_is_over():
    last = infantry("wolves")
    g = table([last], [infantry("lions")])
    g.acting, last.activated = "wolves", True
    assert (g.actor, table_facts.state_of(g, last)) == (last, "acting")
    g.result = {"winner": None, "how": "points", "points": {"red": 0, "blue": 0}}
    assert (g.actor, table_facts.state_of(g, last)) == (None, "done")


@pytest.mark.rule("E18")
@pytest.mark.rule("TMG-83")
@pytest.mark.parametrize("points", [10, 12])
def test_level_at_the_target_plays_on(points):
    g = play(checked(points, points), "red keep", "blue keep")
    assert (g.result, g.round) == (None, 4)


@pytest.mark.rule("TMG-84")
def test_after_the_last_round_the_points_decide():
    g = checked(4, 3, round=6)
    assert (g.result["winner"], g.result["how"]) == ("red", "last-round")


@pytest.mark.rule("E18")
@pytest.mark.rule("TMG-84")
def test_level_after_the_last_round_the_army_points_on_the_table_decide():
    """8 for red, its attachment included; 7 for blue; what is in reserve or destroyed does not count."""
    red = [infantry("wolves", cost=6, attachments=(("Robb", "", 2, "red"),))]
    blue = [
        infantry("lions", cost=7),
        infantry("guards", cost=9, place="reserve"),
        infantry("knights", cost=9, place="destroyed"),
    ]
    g = checked(4, 4, round=6, red_units=red, blue_units=blue)
    assert (g.result["winner"], g.result["how"]) == ("red", "points-on-table")


@pytest.mark.rule("E18")
@pytest.mark.rule("TMG-84")
@pytest.mark.parametrize(
    ("place", "winner", "how"), [("table", "blue", "points-on-table"), ("destroyed", None, "draw")]
)
def test_level_after_the_last_round_an_ncu_counts_until_it_is_destroyed(place, winner, how):
    g = checked(4, 4, round=6, blue_units=[infantry("lions"), ncu("tyrion", cost=4, place=place)])
    assert (g.result["winner"], g.result["how"]) == (winner, how)


@pytest.mark.rule("TMG-84")
def test_level_in_everything_is_a_draw():
    g = checked(4, 4, round=6)
    assert g.result == {"winner": None, "how": "draw", "points": {"red": 4, "blue": 4}}
    assert said(g).endswith("The match ends in a draw.")


@pytest.mark.rule("TMG-85")
def test_a_side_without_combat_units_has_lost_whatever_the_points():
    g = without("blue")
    g.score("blue", 9, "test")
    g = play(g, "blue end-match")
    assert g.result == {"winner": "red", "how": "elimination", "points": {"red": 1, "blue": 9}}


@pytest.mark.rule("TMG-85")
def test_only_the_side_that_is_gone_says_that_this_is_the_end():
    g = without("blue")
    assert (asks(g), offered(g, "red"), offered(g, "blue")) == ("ending blue", [], ["end-match", "play-on"])
    question = "No Combat Unit left on the battlefield: Blue. End the match?"
    assert told(g, "blue") == f"{question} Red would win: Red 1, Blue 0."
    assert str(engine.step_of(g).asking(g, None)) == f"{question} Red would win: Red 1, Blue 0."


@pytest.mark.rule("TMG-85")
def test_both_sides_gone_at_once_the_players_say_who_has_won():
    g = without("red", "blue")
    assert offered(g, "red") == offered(g, "blue") == ["drawn", "play-on", "wins:blue", "wins:red"]
    result = {"how": "elimination", "points": {"red": 1, "blue": 1}}
    assert play(g, "red wins:red", "blue end-match").result == {"winner": "red", **result}
    assert play(g, "red wins:blue", "blue end-match").result == {"winner": "blue", **result}
    assert play(g, "blue drawn", "red end-match").result == {"winner": None, **result}


@pytest.mark.rule("TMG-85")
def test_both_sides_gone_what_one_says_the_other_is_asked():
    g = play(without("red", "blue"), "red wins:red")
    assert (g.result, asks(g), offered(g, "red")) == (None, "ending blue", [])
    assert told(g, "blue") == (
        "No side has a Combat Unit left: Red wins. End the match? "
        "Proposed by Red: end the match here. Red would win: Red 1, Blue 1."
    )
    g = play(g, "blue play-on")
    assert (asks(g), offered(g, "blue")) == ("ending red blue", ["drawn", "play-on", "wins:blue", "wins:red"])
    assert asks(play(g, "blue play-on")) == "turn red"


@pytest.mark.rule("TMG-85")
def test_what_was_said_of_both_sides_gone_is_void_once_a_unit_is_back():
    g = play(without("red", "blue"), "red wins:red")
    g = engine.adjust(g, "red", "unit/lions", "wounds:lions:1")
    assert (asks(g), {army.ends for army in g.armies.values()}) == ("ending red", {""})


@pytest.mark.rule("TMG-85")
def test_who_plays_on_is_not_asked_again_for_the_same_cause():
    g = play(without("blue"), "blue play-on")
    assert asks(g) == "turn red"
    g = play(g, "red activate:wolves")
    assert asks(g) == "turn blue"


@pytest.mark.rule("TMG-85")
def test_playing_on_is_asked_again_when_the_cause_changes():
    g = play(without("blue"), "blue play-on")
    destruction.destroy(g, g.units["wolves"], "blue")
    engine.advance(g)
    assert asks(g) == "ending red blue"


@pytest.mark.rule("TMG-85")
def test_playing_on_is_asked_again_after_a_side_came_back():
    g = play(without("blue"), "blue play-on")
    destruction.bring_back(g, g.units["lions"])
    end_of_match.forget_play_on(g)
    destruction.destroy(g, g.units["lions"], "red")
    engine.advance(g)
    assert asks(g) == "ending blue"


@pytest.mark.rule("TMG-85")
def test_the_question_goes_away_when_the_unit_is_back():
    g = without("blue")
    destruction.give_back(g, g.units["lions"], 1)
    engine.advance(g)
    assert asks(g) == "turn red"


@pytest.mark.rule("TMG-85")
@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("unit/lions", "bring-back:lions"),
        ("unit/lions", "wounds:lions:3"),
        ("unit/knights", "arrive:knights"),
        ("army/blue", "add:blue"),
    ],
)
def test_a_side_that_returned_and_is_gone_again_is_asked_about_again(path, back):
    g = table(blue=[infantry("lions"), infantry("knights", place="reserve")])
    g = engine.adjust(g, "red", "unit/lions", "destroy:lions")
    g = play(g, "blue play-on")
    g = engine.adjust(g, "red", path, back, "Umber Berserkers (6)")
    assert asks(g) == "turn red"
    for unit in list(g.combat_units("blue")):
        if unit.is_on_table:
            g = engine.adjust(g, "red", f"unit/{unit.key}", f"destroy:{unit.key}")
    assert asks(g) == "ending blue"


# --- a correction ends nothing by itself -----------------------------------------------------------------


def corrected(g, *actions, seat="red", note="a reason"):
    """The position after these corrections, each "path action"."""
    for action in actions:
        g = engine.adjust(g, seat, *action.split(), note)
    return g


@pytest.mark.rule("TMG-82")
def test_points_that_are_put_right_after_the_check_ask_before_they_end_the_match():
    g = corrected(checked(9, 3), "army/red points:red:1")
    assert (g.result, asks(g)) == (None, "ending blue")
    assert told(g, "blue") == "Red has reached the target. End the match? Red would win: Red 10, Blue 3."
    ended = play(g, "blue end-match")
    assert ended.result == {"winner": "red", "how": "points", "points": {"red": 10, "blue": 3}}


@pytest.mark.rule("TMG-82")
def test_who_plays_on_after_late_points_is_asked_by_the_next_check_only():
    g = play(corrected(checked(9, 3), "army/red points:red:1"), "blue play-on")
    assert asks(g) == "discard red blue"
    g = corrected(g, "army/red hand:red:1")
    assert asks(g) == "discard red blue"
    g = agreed(play(g, "red keep", "blue keep", "blue activate:lions", "red activate:wolves", "all done"))
    assert g.result["winner"] == "red"


@pytest.mark.rule("TMG-82")
def test_the_question_about_late_points_goes_away_with_them():
    g = corrected(checked(9, 3), "army/red points:red:1", "army/red points:red:-1")
    assert (g.result, asks(g)) == (None, "discard red blue")
    g = corrected(checked(9, 7), "army/red points:red:1", "army/blue points:blue:3")
    assert (g.result, asks(g)) == (None, "discard red blue")


@pytest.mark.rule("TMG-82")
def test_late_points_are_asked_about_once_whatever_else_is_corrected_meanwhile():
    g = corrected(checked(9, 3), "army/red points:red:1", "army/red hand:red:1", "army/red points:red:1")
    assert [question.step for question in g.flow].count("ending") == 1


@pytest.mark.rule("TMG-82")
def test_points_during_the_round_wait_for_its_check():
    g = table()
    g.score("red", 9, "test")
    assert asks(corrected(g, "army/red points:red:1")) == "turn red"


@pytest.mark.rule("TMG-84")
def test_a_correction_that_opens_the_last_check_asks_before_the_match_ends():
    """Nothing scores in the last round of this mode: without the question the match would be over at once."""
    wolves = infantry("wolves", reminders=frozenset({"end-of-round"}))
    g = clean_up([wolves], round=6, mode="fire-and-blood")
    g.score("blue", 2, "test")
    g = corrected(g, "unit/wolves forget:wolves:end-of-round")
    assert (g.result, asks(g)) == (None, "ending red")
    assert offered(g, "red") == ["end-match"]
    again = corrected(g, "unit/wolves remind:wolves:end-of-round")
    assert asks(again) == "end-of-round red"
    ended = play(g, "red end-match")
    assert ended.result == {"winner": "blue", "how": "last-round", "points": {"red": 0, "blue": 2}}


@pytest.mark.rule("TMG-84")
def test_a_reminder_forgotten_in_the_last_round_does_not_end_the_match():
    g = clean_up([infantry("wolves", reminders=frozenset({"end-of-round"}))], round=6)
    g = corrected(g, "unit/wolves forget:wolves:end-of-round")
    assert (g.result, asks(g)) == (None, "score-points red blue")


@pytest.mark.rule("TMG-86")
def test_every_ending_has_words():
    assert set(SYSTEM.endings) == {
        "points",
        "last-round",
        "points-on-table",
        "draw",
        "elimination",
        "held-out",
        "concession",
        "time-out",
        "adjudication",
    }


def after_correction(g, seat, points):
    """The finished match after an organiser has corrected the points of a seat."""
    g = g.copy()
    g.score(seat, points, "correction")
    end_of_match.recompute(g)
    engine.advance(g)
    return g


@pytest.mark.rule("TMG-87")
def test_a_finished_match_offers_nothing():
    g = checked(10, 3)
    assert engine.to_act(g) == ()
    with pytest.raises(IllegalAction, match="over"):
        play(g, "red keep")


@pytest.mark.rule("TMG-87")
def test_a_correction_after_the_end_decides_again():
    g = after_correction(checked(10, 9), "blue", 2)
    assert g.result == {"winner": "blue", "how": "points", "points": {"red": 10, "blue": 11}}
    g = after_correction(checked(5, 4, round=6), "blue", 1)
    assert (g.result["winner"], g.result["how"]) == (None, "draw")


@pytest.mark.rule("TMG-87")
def test_a_correction_that_takes_the_victory_away_lets_the_match_go_on():
    g = after_correction(checked(10, 9), "red", -1)
    assert g.result is None
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-87")
def test_what_the_players_declared_stays_declared():
    g = after_correction(play(noted("concede:red"), "red end-match"), "red", 9)
    assert g.result == {"winner": "blue", "how": "concession", "points": {"red": 12, "blue": 1}}
    g = after_correction(play(noted("time-out"), "blue end-match"), "blue", 9)
    assert (g.result["winner"], g.result["how"]) == ("blue", "time-out")


@pytest.mark.rule("TMG-87")
def test_an_elimination_corrected_away_lets_the_match_go_on():
    g = play(without("blue"), "blue end-match").copy()
    destruction.give_back(g, g.units["lions"], 2)
    end_of_match.recompute(g)
    engine.advance(g)
    assert (g.result, asks(g)) == (None, "turn red")
