"""A side without a model on the battlefield: the match ends in that End phase, and nobody can hold it up."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.rules.end_phase import RevealVims
from games.systems.bushido.rules.victory_and_end import reason
from games.systems.bushido.tests.tables import ending, model, play, starting, table
from tests.positions import asks, offered, said

GONE, AWAY = {"place": "removed"}, {"place": "elsewhere"}
TAKEN = {"markers": (("controlled", 1),), "controller": "red"}


def scored(g, **points):
    for seat, count in points.items():
        for _point in range(count):
            g.score(seat, 1, "as told")
    return g


def helped(g, seat):
    return str(engine.step_of(g).helping(g, seat))


@pytest.mark.rule("BUSH-22")
def test_a_wipe_out_in_the_main_phase_plays_on_to_the_end_phase():
    g = play(table(), "red simple:goshi", "red unit/oni wounds:oni:-5")
    assert (g.units["oni"].place, asks(g)) == ("removed", "turn red")
    g = play(g, "red simple:goshi", "red done")
    assert asks(g) == "closing red blue"


@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.parametrize("lead", ["red", "blue", ""])
@pytest.mark.parametrize("fields", [GONE, AWAY, TAKEN])
def test_either_player_ends_the_match_whoever_wins(seat, lead, fields):
    """Only who would lose was asked, and could leave the match open by walking away."""
    g = scored(ending(blue=[model("oni", **fields)]), **({lead: 1} if lead else {}))
    assert asks(g) == "closing red blue"
    g = play(g, f"{seat} end-match")
    assert (g.result["winner"], g.result["how"]) == (lead or None, "wiped-out")


@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize(("fields", "may"), [(GONE, []), (AWAY, ["play-on"]), (TAKEN, ["play-on"])])
def test_only_models_that_may_return_let_both_play_on_together(fields, may):
    g = scored(ending(blue=[model("oni", **fields)]), red=1)
    assert offered(g, "red") == offered(g, "blue") == ["end-match", *may]


@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize(("one", "other"), [("red", "blue"), ("blue", "red")])
def test_it_takes_both_to_play_on(one, other):
    """Who would lose could say so alone, turn after turn."""
    g = play(scored(ending(blue=[model("oni", **AWAY)]), red=1), f"{one} play-on")
    assert (g.round, offered(g, one), offered(g, other)) == (1, ["end-match"], ["end-match", "play-on"])
    assert helped(g, other).startswith(f"{one.title()} would play on. ")
    assert play(g, f"{other} end-match").result["winner"] == "red"
    g = play(g, f"{other} play-on")
    assert (g.round, asks(g), reason(g)) == (2, "tactical-test red blue", "wiped-out")
    assert {army.ends for army in g.armies.values()} == {""}, "the next End Phase asks again"


@pytest.mark.rule("BUSH-23")
def test_whoever_would_play_on_beyond_the_time_agrees_to_each_end_anew():
    g = ending(blue=[model("oni", **AWAY)], time_is_up=True)
    g = play(g, "red play-on", "blue play-on")
    assert (g.round, reason(g), asks(g)) == (1, "wiped-out", "closing red blue")
    assert offered(g, "red") == ["end-match", "play-on"]
    assert play(g, "blue play-on", "red play-on").round == 2


@pytest.mark.rule("BUSH-23")
def test_all_read_who_is_wiped_out_what_it_means_and_how_to_correct_it():
    g = scored(ending(blue=[model("oni", **GONE)]), red=1)
    for seat in ("red", "blue", None):
        told = "No model left on the battlefield: Blue. The match ends."
        assert str(engine.step_of(g).asking(g, seat)) == told
    told = "If a model still stands there, put it back in its details. Red would win: Red 1, Blue 0."
    assert helped(g, "blue") == told
    back = play(g, "blue unit/oni on-table:oni")
    assert (back.result, asks(back)) == (None, "tactical-test red blue")
    away = scored(ending(blue=[model("oni", **AWAY)]), red=1)
    told = "Models Elsewhere or Controlled by the opponent do not count. Either player ends the match; "
    assert helped(away, "red") == f"{told}together you may play on. Red would win: Red 1, Blue 0."


@pytest.mark.rule("BUSH-23")
def test_corrected_points_that_decide_who_wins_are_still_agreed_to():
    g = play(ending(blue=[model("oni", **AWAY)]), "red army/red points:red:1 a card")
    assert (asks(g), offered(g, "blue")) == ("closing blue", ["end-match", "play-on"])
    assert play(g, "blue play-on").round == 2


@pytest.mark.rule("BUSH-23")
def test_with_both_sides_gone_the_victory_points_decide():
    gone = [model("goshi", **GONE)], [model("oni", **GONE)]
    g = play(scored(ending(*gone), blue=2), "red end-match")
    assert (g.result["winner"], g.result["how"]) == ("blue", "both-out")


# --- which Victory Points it leaves ------------------------------------------------------------------------


@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize("turn", range(1, 6))
def test_only_what_is_due_in_that_turn_is_scored_whatever_scenario_points_stand(turn):
    """Keii checks them in the turns 2, 4 and 6: nine to none in turn 3 give nothing."""
    g = ending(blue=[model("oni", **GONE)], turn=turn)
    g.armies["red"].scenario_points = 9
    g = play(g, *(["red agree"] if turn in (2, 4) else []), "red end-match")
    given = int(turn in (2, 4))
    assert g.result["points"] == {"red": given, "blue": 0}
    assert g.result["winner"] == ("red" if given else None)


@pytest.mark.rule("BUSH-23")
def test_what_the_last_turn_would_give_is_not_given():
    g = scored(ending(blue=[model("oni", **GONE)], turn=4, scenario="ichi-no-riten"), red=1)
    g.armies["red"].scenario_points = 9
    g = play(g, "red agree")
    assert asks(g) == "closing red blue", "zones score, but nothing is due in turn 4"
    assert play(g, "red end-match").result["points"] == {"red": 1, "blue": 0}


# --- who walks away holds nothing up -----------------------------------------------------------------------


@pytest.mark.rule("BUSH-20")
@pytest.mark.rule("BUSH-23")
def test_the_word_of_who_has_models_left_is_enough_for_what_the_app_has_counted():
    g = ending(blue=[model("oni", **GONE)], turn=2)
    g.armies["red"].scenario_points = 1
    assert asks(g) == "tally red blue"
    assert asks(play(g, "blue agree")) == "tally red", "its models still stand"
    g = play(g, "red agree")
    assert (g.points("red"), asks(g)) == (1, "closing red blue")


@pytest.mark.rule("BUSH-20")
@pytest.mark.rule("BUSH-23")
def test_who_has_models_left_does_not_alone_award_what_the_app_counts_otherwise():
    g = ending(blue=[model("oni", **GONE)], turn=2)
    g.armies["blue"].scenario_points = 1
    g = play(g, "red award:red")
    assert (asks(g), g.points("red")) == ("tally blue", 0)
    assert play(g, "blue agree").points("red") == 1
    assert asks(play(g, "blue award:blue")) == "tally red"


@pytest.mark.rule("BUSH-23")
@pytest.mark.rule("BUSH-29")
@pytest.mark.parametrize(("place", "given"), [("table", 1), ("removed", 0)])
def test_only_a_vim_on_the_battlefield_is_nearest_to_anything(place, given):
    """Only players could say so, and both had to, though one had no model left to measure from."""
    red = [model("goshi", place=place), model("ima")]
    g = table(red, [model("oni", **GONE)], turn=7, scenario="seigyo", step=RevealVims)
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    assert asks(g) == "tally red blue"
    g = play(g, "red agree")
    assert (g.points("red"), asks(g)) == (given, "closing red blue")


@pytest.mark.rule("BUSH-23")
@pytest.mark.rule("BUSH-28")
def test_zones_wait_only_for_who_can_stand_in_them():
    g = ending(blue=[model("oni", **GONE)], turn=3, scenario="ryodo")
    assert asks(g) == "score-zones red blue"
    assert asks(play(g, "blue agree")) == "score-zones red"
    assert asks(play(g, "red agree")) == "closing red blue"


@pytest.mark.rule("BUSH-23")
@pytest.mark.rule("BUSH-28")
def test_with_both_sides_gone_one_word_is_enough():
    gone = [model("goshi", **GONE)], [model("oni", **GONE)]
    g = ending(*gone, turn=3, scenario="ryodo")
    assert (asks(g), asks(play(g, "blue agree"))) == ("score-zones red blue", "closing red blue")


@pytest.mark.rule("BUSH-23")
@pytest.mark.rule("BUSH-30")
@pytest.mark.parametrize("fields", [GONE, AWAY])
def test_nobody_waits_for_the_objective_that_who_is_wiped_out_would_remove(fields):
    g = ending([model("goshi", **fields)], turn=4, scenario="sacred-idols")
    g.objectives["objective-a"].aligned = "blue"
    assert asks(play(g, "blue agree")) == "closing red blue"
    g = ending([model("goshi", **GONE)], [model("oni", **GONE)], turn=4, scenario="sacred-idols")
    g.objectives["objective-a"].aligned = "blue"
    assert asks(play(g, "blue agree")) == "closing red blue"


@pytest.mark.rule("BUSH-17")
@pytest.mark.rule("BUSH-19")
@pytest.mark.rule("BUSH-23")
@pytest.mark.parametrize(
    "fields",
    [
        {"note": "Curse", "reminders": frozenset({"end-adverse"})},
        {"note": "Curse", "reminders": frozenset({"end"})},
        {"markers": (("frightened", 1),)},
    ],
)
def test_a_warband_that_is_all_elsewhere_is_asked_for_no_effects(fields):
    g = ending(blue=[model("oni", **AWAY, **fields)])
    assert asks(g) == "closing red blue"
    assert g.units["oni"].markers == fields.get("markers", ())
    g = ending(blue=[model("oni", **AWAY, **fields), model("imp")])
    assert asks(g).endswith(" blue"), "with another model on the battlefield it is"
    assert asks(g) != "closing red blue"


@pytest.mark.rule("BUSH-18")
@pytest.mark.rule("BUSH-23")
def test_who_has_models_left_says_in_which_order_others_burn():
    burning = {"wounds": 1, "markers": (("on-fire", 2), ("poisoned", 2))}
    g = ending([model("goshi", **AWAY, **burning)], first="red")
    assert asks(g) == "damage-states blue"
    g = ending([model("goshi", **burning)], first="red")
    assert asks(g) == "damage-states red"


@pytest.mark.rule("BUSH-14")
@pytest.mark.rule("BUSH-23")
def test_who_dies_in_its_own_last_action_leaves_the_last_window_to_the_opponent():
    curse = {"note": "Curse", "reminders": frozenset({"feats-after"})}
    red, blue = [model("goshi", counters=1)], [model("oni", counters=0, **curse)]
    g = play(table(red, blue), "red simple:goshi")
    assert asks(g) == "feats-after red"
    g = play(g, "blue unit/goshi wounds:goshi:-5")
    assert (asks(g), offered(g, "blue")) == ("feats-after blue", ["done"]), "it has not acted"
    with pytest.raises(IllegalAction):
        play(g, "red done")
    assert asks(play(g, "blue done")) == "closing red blue"
    g = play(g, "blue unit/oni wounds:oni:-5")
    assert asks(g) == "closing red blue", "nobody is left who could use a feat"


@pytest.mark.rule("BUSH-20")
@pytest.mark.rule("BUSH-23")
def test_a_whole_end_phase_needs_no_tap_of_who_is_wiped_out():
    g = starting([model("goshi")], [model("oni")], turn=2)
    g = play(g, "red rolled:4", "blue rolled:2", "red first:blue")
    g = play(g, "blue complex:oni", "red unit/oni wounds:oni:-5", "red complex:goshi")
    g = play(g, "red done", "red agree", "red end-match")
    assert g.result is not None
    assert said(g) == "The match ends in a draw."
