"""The Main phase: who activates, what an action costs, when it is over."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.pieces import BLIND, CONTROLLED, DISGUISED, IMPETUOUS, ON_FIRE, RELOADING, STUNNED
from games.systems.bushido.rules.starting_phase import PassTokens
from games.systems.bushido.tests.tables import ending, left, model, play, starting, table
from tests.positions import asks, offered, said


def marked(key, *names, **fields):
    unit = model(key, **fields)
    for name in names:
        unit.add_marker(name)
    return unit


@pytest.mark.rule("BUSH-01")
def test_the_end_phase_cannot_open_while_a_side_can_activate():
    g = play(table(), "red complex:goshi", "blue simple:oni")
    assert (g.question.step, left(g)) == ("turn", {"goshi": 0, "oni": 1})
    g = play(g, "blue simple:oni")
    assert asks(g) == "feats-after blue"
    g = play(g, "blue done")
    assert asks(g) == "tactical-test red blue"
    assert g.round == 2


@pytest.mark.rule("BUSH-08")
def test_who_was_chosen_through_the_tactical_test_activates_first():
    g = play(starting(), "red rolled:4", "blue rolled:2", "red first:blue")
    assert asks(g) == "turn blue"
    assert (g.active, g.rounds["1"].first) == ("blue", "blue")


@pytest.mark.rule("BUSH-14")
@pytest.mark.parametrize("counters", [0, 2], ids=["the same player is active", "the owner is active"])
def test_a_model_whose_control_ended_with_its_action_may_still_use_its_last_feats(counters):
    oni = marked("oni", CONTROLLED, controller="red", ki=2, counters=1)
    g = play(table(blue=[oni, model("imp", counters=counters)]), "red simple:oni", "red unit/oni feat:oni:1")
    assert said(g) == "Oni uses a feat after the action: 1 Ki, 1 left."


@pytest.mark.rule("BUSH-09")
def test_a_model_that_shares_its_ki_pays_for_a_feat_from_what_is_shared():
    g = table([model("akuba", ki_cap="*"), model("goshi", ki=1)])
    g.armies["red"].communal = 3
    ways = {one.action: (one.minimum, one.maximum) for one in engine.corrections(g, "unit/akuba")}
    assert (ways["feat:akuba"], ways["ki:akuba"]) == ((0, 3), (-3, 57))
    g = play(g, "red unit/akuba feat:akuba:2")
    assert said(g) == "Akuba uses a feat before the action: 2 Ki, 1 left."
    g = play(g, "red unit/akuba ki:akuba:4")
    assert said(g) == "Red: Shared Ki 5."
    assert (g.armies["red"].communal, [g.units[key].ki for key in ("akuba", "goshi")]) == (5, [0, 1])


@pytest.mark.rule("BUSH-09")
def test_a_feat_before_the_action_is_logged_as_one():
    g = play(table([model("goshi", ki=3)]), "red unit/goshi feat:goshi:2")
    assert said(g) == "Goshi uses a feat before the action: 2 Ki, 1 left."
    assert asks(g) == "turn red"


@pytest.mark.rule("BUSH-09")
def test_a_note_makes_the_first_window_a_question_and_nothing_else_does():
    unit = model("goshi", note="Hidden blade", reminders=frozenset({"feats-before"}))
    g = table([unit])
    assert (asks(g), offered(g, "red")) == ("feats-before red", ["resolve:goshi"])
    g = play(g, "red resolve:goshi")
    assert asks(g) == "turn red"
    assert asks(play(g, "red simple:goshi")) == "turn blue"


@pytest.mark.rule("BUSH-09")
def test_a_window_opens_with_nothing_done_whatever_an_organiser_has_left_behind():
    noted = model("goshi", note="Hidden blade", reminders=frozenset({"feats-before"}))
    g = table([noted], first="blue")
    g.armies["red"].resolved = frozenset({"goshi"})
    g = play(g, "blue simple:oni")
    assert (asks(g), offered(g, "red")) == ("feats-before red", ["resolve:goshi"])
    g = table([model("goshi", counters=1)], [model("oni", counters=0)])
    g.mark_answered("red")
    assert asks(play(g, "red simple:goshi")) == "feats-after red"


@pytest.mark.rule("BUSH-10")
def test_a_model_acts_as_its_counters_allow():
    red = [model("two"), model("one", counters=1), model("none", counters=0)]
    g = table([*red, model("away", place="elsewhere")])
    assert offered(g, "red") == ["act:one", "act:two", "complex:two", "simple:one", "simple:two"]


@pytest.mark.rule("BUSH-10")
def test_impetuous_models_act_first_and_a_marker_goes_with_the_action():
    g = table([marked("hasty", IMPETUOUS), model("calm")])
    assert offered(g, "red") == ["act:hasty", "complex:hasty", "simple:hasty"]
    g = play(g, "red simple:hasty", "blue simple:oni")
    assert "simple:calm" in offered(g, "red")


@pytest.mark.rule("BUSH-10")
def test_a_model_that_cannot_act_when_chosen_is_exhausted():
    g = play(table([model("goshi"), model("ima")]), "red act:goshi", "red cannot")
    assert (left(g)["goshi"], asks(g)) == (0, "turn blue")


@pytest.mark.rule("BUSH-11")
def test_a_pass_token_takes_the_place_of_an_action():
    g = table()
    g.armies["red"].passes = 2
    g = play(g, "red pass")
    assert (g.armies["red"].passes, asks(g), left(g)["goshi"]) == (1, "turn blue", 2)


@pytest.mark.rule("BUSH-12")
def test_there_is_no_free_skip():
    g = table([model("goshi", counters=1)])
    assert offered(g, "red") == ["act:goshi", "simple:goshi"]
    with pytest.raises(IllegalAction):
        play(g, "red pass")


@pytest.mark.rule("BUSH-13")
def test_in_a_melee_both_pay():
    g = play(table(blue=[model("oni", counters=1), model("imp")]), "red act:goshi", "red melee:oni")
    assert left(g) == {"goshi": 1, "oni": 0, "imp": 2}
    assert (g.acting, g.target) == ("goshi", "oni")


@pytest.mark.rule("BUSH-13")
def test_a_charge_costs_two_and_its_target_one():
    g = play(table(), "red act:goshi", "red charge:oni")
    assert left(g) == {"goshi": 0, "oni": 1}


@pytest.mark.rule("BUSH-13")
def test_a_target_without_a_counter_or_tireless_pays_nothing():
    blue = [model("spent", counters=0), model("tireless", tireless=True)]
    assert left(play(table(blue=blue), "red act:goshi", "red melee:spent"))["spent"] == 0
    assert left(play(table(blue=blue), "red act:goshi", "red melee:tireless"))["tireless"] == 2


@pytest.mark.rule("BUSH-13")
def test_why_a_target_pays_nothing_is_told():
    blue = [model("spent", counters=0), model("tireless", tireless=True)]
    spent = play(table(blue=blue), "red act:goshi", "red melee:spent")
    assert "Spent has no counter to pay for its part." in said(spent)
    fresh = play(table(blue=blue), "red act:goshi", "red melee:tireless")
    assert "Tireless is Tireless: it pays no counter for its part." in said(fresh)


@pytest.mark.rule("BUSH-03")
def test_who_focuses_for_a_shared_card_tells_what_is_on_it():
    g = table([model("goshi", ki_cap="*")])
    g.armies["red"].communal = 3
    g = play(g, "red act:goshi", "red focus")
    assert (g.armies["red"].communal, g.units["goshi"].ki) == (5, 0)
    assert "Goshi focuses: 5 shared Ki." in said(g)


@pytest.mark.rule("BUSH-13")
def test_who_fights_back_can_be_noted_after_a_plain_simple_action():
    g = play(table(), "red simple:goshi", "red unit/oni fights-back:oni")
    assert left(g) == {"goshi": 1, "oni": 1}
    g = play(table(blue=[model("oni", counters=1)]), "red simple:goshi", "red unit/oni fights-back:oni")
    assert asks(g) == "turn red", "the target had only that counter, so Red goes on"


@pytest.mark.rule("BUSH-13")
def test_counters_of_an_effect_that_names_no_action_are_not_touched():
    g = play(table(), "red unit/goshi ki:goshi:1")
    assert left(g) == {"goshi": 2, "oni": 2}


@pytest.mark.rule("BUSH-14")
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_outside_the_main_phase_there_are_no_active_feats(seat):
    """Who has been chosen to go first is no Active Player yet, and who was the last is none any more."""
    fearful = {"markers": (("frightened", 1),), "ki": 3}
    ended = ending([model("goshi", **fearful)], [model("oni", ki=3)])
    begun = starting([model("goshi", note="Rain", reminders=frozenset({"starting"}), ki=3)])
    begun = play(begun, "red rolled:6", "blue rolled:2", "red first:red")
    assert (asks(ended), asks(begun)) == ("expiry red", "starting-effects red")
    for g in (ended, begun):
        g.units["oni"].ki = 3
        unit = "goshi" if seat == "red" else "oni"
        offered = {offer.action for offer in engine.corrections(g, f"unit/{unit}")}
        assert (f"feat:{unit}" in offered, f"ki:{unit}" in offered) == (False, True)


@pytest.mark.rule("BUSH-14")
def test_the_last_feats_are_open_until_the_rival_acts():
    g = play(table([model("goshi", ki=3)]), "red simple:goshi")
    after = play(g, "red unit/goshi feat:goshi:1")
    assert said(after) == "Goshi uses a feat after the action: 1 Ki, 2 left."
    g = play(table([model("goshi", counters=1, ki=3)]), "red simple:goshi", "blue simple:oni")
    with pytest.raises(IllegalAction):
        play(g, "red unit/goshi feat:goshi:1")
    assert play(g, "red unit/goshi ki:goshi:-1").units["goshi"].ki == 2, "an Instant feat is no Active one"


@pytest.mark.rule("BUSH-14")
def test_after_a_pass_token_the_last_window_still_opens_for_a_note():
    unit = model("goshi", note="Vanish", reminders=frozenset({"feats-after"}))
    g = table([unit])
    g.armies["red"].passes = 1
    g = play(g, "red pass")
    assert (asks(g), offered(g, "red")) == ("feats-after red", ["resolve:goshi"])
    assert str(engine.step_of(g).helping(g, "red")) == "Enter wounds, Ki and feats of this activation now."
    assert asks(play(g, "red resolve:goshi")) == "turn blue"


@pytest.mark.rule("BUSH-15")
def test_who_is_alone_goes_on():
    g = play(
        table([model("goshi", counters=1)], [model("oni"), model("imp", counters=1)]), "red simple:goshi"
    )
    for action in ("blue simple:oni", "blue simple:imp"):
        assert asks(g) == "turn blue"
        g = play(g, action)
    assert asks(g) == "turn blue"
    assert "Blue activates again: the opponent has no model left to activate." in said(g)


@pytest.mark.rule("BUSH-15")
def test_pass_tokens_alone_are_not_able_to_activate():
    g = table([model("goshi", counters=1)])
    g.armies["red"].passes = 3
    g = play(g, "red simple:goshi", "blue simple:oni")
    assert (asks(g), g.armies["red"].passes) == ("turn blue", 3)
    g = play(g, "blue simple:oni", "blue done")
    assert g.round == 2, "the phase ends although tokens remain"


@pytest.mark.rule("BUSH-15")
def test_with_pass_tokens_alone_one_is_not_active_even_if_chosen_to_go_first():
    spent = model("goshi", counters=0, note="Hidden blade", reminders=frozenset({"feats-before"}))
    g = table([spent], [model("oni"), model("imp")], step=PassTokens)
    assert (g.armies["red"].passes, asks(g)) == (1, "turn blue")


@pytest.mark.rule("BUSH-15")
def test_whose_last_counter_is_corrected_away_cannot_hold_on_by_pass_tokens():
    g = table()
    g.armies["red"].passes = 2
    g = play(g, "red unit/goshi counters:goshi:-2")
    assert (asks(g), offered(g, "red"), g.armies["red"].passes) == ("turn blue", [], 2)


@pytest.mark.rule("BUSH-15")
def test_who_is_alone_is_told_so_though_the_enemy_has_tokens():
    g = table(blue=[model("oni", counters=0)])
    g.armies["blue"].passes = 2
    assert str(engine.step_of(g).asking(g, "red")) == "Activate a model: the opponent has none left"


@pytest.mark.rule("BUSH-15")
def test_a_pass_of_who_is_alone_only_ends_the_window():
    g = table([model("goshi", counters=0)], first="blue")
    g.armies["blue"].passes = 1
    g = play(g, "blue pass")
    assert (asks(g), g.armies["blue"].passes) == ("turn blue", 0)


@pytest.mark.rule("BUSH-16")
def test_the_last_counter_removed_leads_to_the_end_phase():
    g = play(table([model("goshi", counters=1)], [model("oni", counters=0)]), "red simple:goshi")
    assert asks(g) == "feats-after red"
    assert "the End Phase is next" in str(engine.step_of(g).helping(g, "red"))
    assert play(g, "red done").burnt == ()
    assert "The End Phase begins." in said(play(g, "red done"))


@pytest.mark.rule("BUSH-16")
def test_corrections_that_take_the_last_counters_lead_there_too():
    g = play(table(), "red unit/goshi counters:goshi:-2")
    assert asks(g) == "turn blue"
    g = play(g, "red unit/oni counters:oni:-2")
    assert asks(g) == "feats-after blue"
    g = play(g, "red unit/goshi counters:goshi:1")
    assert asks(g) == "turn red"


# --- named actions -----------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-33")
def test_what_a_state_asks_for_is_offered_as_an_action():
    unit = marked("goshi", *[STUNNED, RELOADING] * 2)
    g = play(table([unit]), "red act:goshi")
    assert {"wait:stunned", "wait:reloading"} < set(offered(g, "red"))
    assert play(g, "red wait:stunned").units["goshi"].values(STUNNED) == ()
    assert len(play(g, "red wait:reloading").units["goshi"].values(RELOADING)) == 1
    assert left(play(g, "red wait:stunned"))["goshi"] == 1


@pytest.mark.rule("BUSH-33")
def test_a_wait_puts_out_two_fires():
    unit = model("goshi", markers=((ON_FIRE, 3), (ON_FIRE, 1), (ON_FIRE, 2)))
    g = play(table([unit]), "red act:goshi", "red wait:on-fire")
    assert g.units["goshi"].values(ON_FIRE) == (1,)


@pytest.mark.rule("BUSH-33")
def test_controlled_models_act_for_the_other_side_while_markers_last():
    g = play(table([model("goshi"), model("ima")]), "blue unit/goshi put-on:goshi:controlled")
    assert g.units["goshi"].player == "blue"
    g = play(g, "red simple:ima")
    assert "complex:goshi" not in offered(g, "blue"), "one marker: no complex action"
    g = play(g, "blue simple:goshi")
    assert (g.units["goshi"].player, left(g)["goshi"]) == ("red", 1)


@pytest.mark.rule("BUSH-13")
def test_focus_gains_the_ki_of_the_card():
    g = play(table([model("goshi", ki=5)]), "red act:goshi", "red focus")
    assert (g.units["goshi"].ki, left(g)["goshi"]) == (6, 0)
    g = play(table([model("goshi", ki=3, ki_stat="X")]), "red act:goshi", "red focus")
    assert g.units["goshi"].ki == 3, "its card says what an X is"


def test_stepping_back_from_a_choice_costs_nothing():
    g = play(table(), "red act:goshi", "red back")
    assert (asks(g), left(g)) == ("turn red", {"goshi": 2, "oni": 2})


def test_a_chosen_model_that_is_killed_gives_the_choice_back():
    g = play(table([model("goshi"), model("ima")]), "red act:goshi", "red unit/goshi removed:goshi")
    assert (asks(g), "simple:ima" in offered(g, "red")) == ("turn red", True)


@pytest.mark.rule("BUSH-33")
@pytest.mark.parametrize("action", ["melee:oni", "charge:oni", "shoot", "pray:objective-a"])
def test_a_disguise_ends_with_what_shows_it(action):
    unit = model("goshi", markers=((DISGUISED, 5),))
    g = play(table([unit]), "red act:goshi")
    assert play(g, f"red {action}").units["goshi"].markers == ()
    assert play(g, "red walk").units["goshi"].has(DISGUISED)


@pytest.mark.rule("BUSH-33")
def test_a_disguise_ends_for_who_is_attacked_and_impetuous_stays():
    oni = model("oni", markers=((DISGUISED, 5), (IMPETUOUS, 1)))
    g = play(table(blue=[oni]), "red act:goshi", "red melee:oni")
    assert g.units["oni"].markers == ((IMPETUOUS, 1),)


@pytest.mark.rule("BUSH-33")
def test_the_blind_neither_run_nor_charge():
    g = play(table([marked("goshi", BLIND)]), "red act:goshi")
    assert not {"run-on", "charge:oni"} & set(offered(g, "red"))
    assert "melee:oni" in offered(g, "red")


@pytest.mark.rule("BUSH-27")
def test_a_controlled_model_spends_no_prayer_tokens():
    unit = marked("goshi", CONTROLLED, CONTROLLED, controller="blue")
    g = play(table([unit, model("ima")], first="blue"), "blue act:goshi")
    assert not [action for action in offered(g, "blue") if action.startswith("pray")]


@pytest.mark.rule("BUSH-10")
def test_the_question_says_who_acts_and_what_is_left():
    g = table([model("goshi"), model("ima", counters=1)])
    step = engine.step_of(g)
    assert str(step.asking(g, "red")) == "Activate a model"
    assert str(step.helping(g, "red")).endswith("counters left: you 3, opponent 2")
    for onlooker in ("blue", None):
        assert str(step.helping(g, onlooker)) == step.help
    assert str(step.asking(g, "blue")) == "Red activates a model. Counters left: Red 3, Blue 2"


@pytest.mark.rule("BUSH-13")
def test_no_action_that_is_named_costs_nothing():
    """Every button but the way back: 2 counters for a complex action, 1 for any other, all for none."""
    unit = marked("goshi", STUNNED, ON_FIRE, RELOADING)
    asked = play(table([unit]), "red act:goshi")
    cost = {"charge:oni": 2, "focus": 2, "complex-feat": 2, "cannot": 2}
    named = [action for action in offered(asked, "red") if action != "back"]
    assert len(named) > 12
    for action in named:
        after = engine.play(asked, "red", action)
        assert after.units["goshi"].counters == 2 - cost.get(action, 1), action
    assert engine.play(asked, "red", "back").units["goshi"].counters == 2
