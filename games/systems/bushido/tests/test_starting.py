"""The Starting phase, step by step."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido import SYSTEM
from games.systems.bushido.pieces import CONTROLLED, DEATH_SENTENCE, DISEASED, SPIRIT_BLOCK
from games.systems.bushido.rules.starting_phase import ActivationCounters, PassTokens, outcome
from games.systems.bushido.tests.tables import left, model, play, starting, table
from tests.positions import asks, offered, said


def marked(key, *names, **fields):
    unit = model(key, **fields)
    for name in names:
        unit.add_marker(name)
    return unit


# --- variable turns ------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-02")
def test_a_fixed_length_never_rolls_and_ends_with_its_last_turn():
    assert asks(starting(turn=5)) == "tactical-test red blue"
    assert not starting(turn=5).is_final
    assert starting(turn=6).is_final


@pytest.mark.rule("BUSH-02")
def test_from_the_scenarios_turn_on_four_or_more_is_the_last_turn():
    g = starting(turn=5, scenario="depletion")
    assert asks(g) == "variable-turns red blue"
    assert offered(g, "red") == ["roll", "rolled 1-6"]
    assert not play(g, "red rolled:3").is_final
    assert said(play(g, "red rolled:3")).startswith("The die shows 3. The match continues")
    assert play(starting(turn=6, scenario="depletion"), "blue rolled:4").is_final


@pytest.mark.rule("BUSH-02")
def test_before_it_nobody_rolls_and_the_seventh_turn_is_the_last_without_a_roll():
    assert asks(starting(turn=4, scenario="depletion")) == "tactical-test red blue"
    g = starting(turn=7, scenario="depletion")
    assert (asks(g), g.is_final) == ("tactical-test red blue", True)


@pytest.mark.rule("BUSH-02")
def test_the_app_rolls_by_a_draw_that_can_be_verified():
    g = play(starting(turn=5, scenario="depletion"), "red roll")
    (draw,) = g.draws
    assert draw.outcomes == 6
    assert g.is_final == (draw.value + 1 >= 4)


# --- Ki and counters -----------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-03")
@pytest.mark.parametrize(
    ("unit", "ki"),
    [
        (model("goshi", ki=5), 6),
        (marked("goshi", SPIRIT_BLOCK, ki=5), 5),
        (model("goshi", ki=1, place="elsewhere"), 3),
        (model("goshi", ki=1, place="removed"), 1),
        (model("goshi", ki=40, ki_cap="∞"), 42),
        (model("goshi", ki=3, ki_stat="X"), 3),
        (model("goshi", ki=3, ki_stat="0"), 3),
        (model("goshi", ki=4, ki_stat="1", ki_cap=""), 5),
    ],
    ids=["excess is lost", "Spirit Block", "Elsewhere", "killed", "no cap", "Ki X", "none", "empty cap"],
)
def test_every_model_gains_its_ki_up_to_its_cap(unit, ki):
    assert starting([unit]).units["goshi"].ki == ki


@pytest.mark.rule("BUSH-03")
@pytest.mark.parametrize(("stat", "is_told"), [("X", True), ("", False)])
def test_only_a_card_that_has_ki_says_how_much(stat, is_told):
    told = said(starting([model("goshi", ki_stat=stat, ki_cap="")]))
    assert ("Goshi gains Ki as its card says." in told) == is_told


@pytest.mark.rule("BUSH-03")
def test_a_spirit_block_marker_comes_off_in_place_of_the_gain():
    g = starting([marked("goshi", SPIRIT_BLOCK, SPIRIT_BLOCK)])
    assert g.units["goshi"].values(SPIRIT_BLOCK) == (1,)


@pytest.mark.rule("BUSH-03")
def test_a_communal_cap_pays_into_the_card_that_the_warband_shares():
    g = starting([model("akuba", ki_cap="*"), model("goshi")])
    assert (g.armies["red"].communal, g.units["akuba"].ki, g.units["goshi"].ki) == (2, 0, 2)


@pytest.mark.rule("BUSH-04")
def test_every_model_gets_two_counters_but_not_elsewhere_and_one_when_diseased():
    units = [model("goshi"), model("away", place="elsewhere"), model("dead", place="removed")]
    g = starting([*units, marked("sick", DISEASED)])
    assert left(g) == {"goshi": 2, "away": 0, "dead": 0, "sick": 1, "oni": 2}
    assert not g.units["sick"].markers
    told = "Every model has 2 activation counters.\nSick is Diseased: it gets 1 counter less."
    assert said(g).endswith(told)


@pytest.mark.rule("BUSH-04")
def test_counters_that_were_left_over_are_set_to_two_and_logged():
    g = table(step=ActivationCounters)
    assert left(g) == {"goshi": 2, "oni": 2}
    assert "4 counters were left over." in said(g)


AILING = {"place": "elsewhere", "markers": (("diseased", 1), ("diseased", 1))}


@pytest.mark.rule("BUSH-04")
def test_a_diseased_model_elsewhere_loses_a_marker_each_turn():
    """It was as ill when it arrived as when it left, and lost a counter after all."""
    g = starting([model("sick", **AILING), model("ima")])
    assert (g.units["sick"].markers, g.units["sick"].counters) == ((("diseased", 1),), 0)
    assert said(g).endswith("Every model has 2 activation counters.\nSick: remove 1 marker of Diseased.")


@pytest.mark.rule("BUSH-04")
def test_a_ruleset_may_give_counters_elsewhere():
    g = starting([model("away", place="elsewhere"), model("goshi")])
    g.rules = {**g.rules, "elsewhere": 1}
    g.flow = ()
    g.call(ActivationCounters)
    engine.advance(g)
    assert left(g)["away"] == 2


# --- the Tactical Test ---------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-05")
@pytest.mark.parametrize(
    ("dice", "result"),
    [
        ((4,), (4, 1)),
        ((1,), (0, 0)),
        ((5, 3), (6, 2)),
        ((6,), (6, 1)),
        ((2, 2, 2), (4, 3)),
        ((6, 5, 4, 3), (8, 4)),
        ((1, 3), (3, 1)),
        ((), (0, 0)),
    ],
)
def test_ones_are_removed_and_at_most_two_dice_support_the_best(dice, result):
    assert outcome(dice) == result


@pytest.mark.rule("BUSH-05")
def test_the_winner_of_the_test_chooses_who_goes_first():
    g = play(starting(), "red rolled:4", "blue rolled:2")
    assert asks(g) == "choose-first red"
    assert said(g).endswith("Tactical Test: Red 4, Blue 2. Red wins.")
    assert offered(g, "red") == ["first:blue", "first:red"]


@pytest.mark.rule("BUSH-05")
def test_level_in_everything_both_roll_again():
    g = play(starting(), "blue rolled:1", "red rolled:1")
    assert asks(g) == "tactical-test red blue"
    assert "both roll again" in said(g)
    assert str(engine.step_of(g).asking(g, "red")) == "Tactical Test, a tie: roll again"
    assert str(engine.step_of(starting()).asking(starting(), "red")) == "Tactical Test"
    assert [army.rolled for army in g.armies.values()] == [(), ()]


@pytest.mark.rule("BUSH-05")
def test_two_dice_beat_one_of_the_same_result():
    g = play(starting(), "red dice:2", "red rolled:5", "red rolled:3", "blue rolled:6")
    assert asks(g) == "choose-first red"
    assert said(g).endswith("Tactical Test: Red 6, Blue 6. Red has more dice left and wins.")


@pytest.mark.rule("BUSH-05")
def test_a_nominated_tactician_rolls_its_dice():
    g = play(starting([model("goshi", tactician=1), model("ima")]), "red nominate:goshi")
    assert g.armies["red"].dice == 2
    g = play(g, "red roll")
    assert len(g.armies["red"].rolled) == len(g.draws) == 2
    assert play(g, "blue rolled:1").question.step in ("choose-first", "tactical-test")


@pytest.mark.rule("BUSH-05")
def test_once_a_die_is_known_neither_the_model_nor_the_number_of_dice_changes():
    g = play(starting([model("goshi", tactician=1), model("ima")]), "red nominate:goshi")
    assert offered(g, "red") == ["dice 1-4", "nominate:ima", "roll", "rolled 1-6"]
    assert offered(play(g, "red rolled:2"), "red") == ["roll", "rolled 1-6"]


@pytest.mark.rule("BUSH-05")
@pytest.mark.parametrize("die", [0, 7, -1, 60])
def test_a_die_has_six_sides(die):
    g = starting()
    with pytest.raises(IllegalAction) as refused:
        play(g, f"red rolled:{die}")
    assert str(refused.value.line) == "Please enter a whole number from 1 to 6."


# --- effects and pass tokens -----------------------------------------------------------------------------


def noted(key, *, seat="red"):
    return model(key, note=f"effect of {key}", reminders=frozenset({"starting"}))


@pytest.mark.rule("BUSH-06")
def test_the_active_players_effects_come_first_in_the_order_it_likes():
    g = starting([noted("z")], [noted("x"), noted("y")])
    g = play(g, "red rolled:2", "blue rolled:4", "blue first:blue")
    assert (asks(g), offered(g, "blue")) == ("starting-effects blue", ["resolve:x", "resolve:y"])
    g = play(g, "blue resolve:y", "blue resolve:x")
    assert (asks(g), offered(g, "red")) == ("starting-effects red", ["resolve:z"])
    assert asks(play(g, "red resolve:z")) == "turn blue"


@pytest.mark.rule("BUSH-06")
def test_a_death_sentence_may_be_paid_for():
    doomed = marked("goshi", DEATH_SENTENCE, ki=3, ki_stat="0")
    g = play(starting([doomed]), "red rolled:4", "blue rolled:2", "red first:red")
    assert offered(g, "red") == ["endure:goshi", "pay:goshi"]
    paid = play(g, "red pay:goshi")
    assert (paid.units["goshi"].ki, paid.units["goshi"].markers, asks(paid)) == (0, (), "turn red")
    assert play(g, "red endure:goshi").units["goshi"].has(DEATH_SENTENCE)


@pytest.mark.rule("BUSH-06")
def test_a_death_sentence_may_be_paid_for_with_the_ki_that_the_warband_shares():
    doomed = marked("akuba", DEATH_SENTENCE, ki_cap="*", ki_stat="1")
    rolled = "red rolled:4", "blue rolled:2", "red first:red"
    g = starting([doomed, model("goshi")])
    assert offered(play(g, *rolled), "red") == ["endure:akuba"]
    g.armies["red"].communal = 3
    g = play(g, *rolled, "red pay:akuba")
    assert (g.armies["red"].communal, g.units["akuba"].ki, g.units["akuba"].markers) == (0, 0, ())


@pytest.mark.rule("BUSH-06")
def test_nothing_registered_costs_no_tap():
    assert asks(play(starting(), "red rolled:4", "blue rolled:2", "red first:red")) == "turn red"


@pytest.mark.rule("BUSH-07")
@pytest.mark.parametrize(("red", "blue", "passes"), [(7, 5, (0, 2)), (5, 5, (0, 0)), (1, 4, (3, 0))])
def test_the_smaller_warband_gains_the_difference_in_pass_tokens(red, blue, passes):
    warbands = [model(f"r-{n}") for n in range(red)], [model(f"b-{n}") for n in range(blue)]
    g = table(*warbands, step=PassTokens)
    assert tuple(army.passes for army in g.armies.values()) == passes


@pytest.mark.rule("BUSH-07")
def test_elsewhere_summoned_and_controlled_models_count_and_the_killed_do_not():
    red = [model("goshi"), model("away", place="elsewhere"), model("new", summoned=True)]
    red += [model("dead", place="removed"), marked("charmed", CONTROLLED, controller="blue")]
    g = table(red, step=PassTokens)
    assert [army.passes for army in g.armies.values()] == [0, 1]


@pytest.mark.rule("BUSH-07")
def test_the_number_of_pass_tokens_can_be_put_right():
    g = play(table(), "blue army/red passes:red:2")
    assert g.armies["red"].passes == 2
    assert "pass" in offered(g, "red")


# --- resets ----------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-31")
def test_scenario_points_start_over_in_the_turns_that_the_scenario_names():
    for turn, kept in ((2, 0), (3, 4)):
        g = starting(turn=turn, scenario="seikyu")
        g.armies["red"].scenario_points = 4
        g = play(g, "red rolled:4", "blue rolled:2", "red first:red")
        assert g.armies["red"].scenario_points == kept


@pytest.mark.rule("BUSH-31")
def test_what_was_scored_before_a_reset_still_breaks_the_ties_of_a_tournament():
    g = starting(turn=2, scenario="seikyu")
    g.armies["red"].scenario_points = 4
    g = play(g, "red rolled:4", "blue rolled:2", "red first:red", "red army/red scenario-points:red:3")
    assert [SYSTEM.tie_breaks(g, seat)["scenario_points"] for seat in g.seats] == [7, 0]
    assert [SYSTEM.tally(g)[seat]["scenario"] for seat in g.seats] == [7, 0], "as events count them"


@pytest.mark.rule("BUSH-31")
def test_a_reset_makes_all_objectives_neutral_however_they_began():
    g = starting(turn=3, scenario="omaju", changes={"objectives": "f n", "zones": "f"})
    g.objectives["objective-b"].aligned = "blue"
    g = play(g, "red rolled:4", "blue rolled:2", "red first:red")
    assert [place.aligned for place in g.objectives.values()] == [None, None, "red"]


@pytest.mark.rule("BUSH-31")
def test_alignments_start_over_too():
    g = starting(turn=3, scenario="omaju")
    g.objectives["objective-a"].aligned = "blue"
    g = play(g, "red rolled:4", "blue rolled:2", "red first:red")
    assert g.objectives["objective-a"].aligned is None
    assert "All objectives are neutral again." in said(g)
