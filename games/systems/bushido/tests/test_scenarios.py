"""Scenarios: what each lays out, when it scores, what a score does, and the sheets they stand in."""

import json
from itertools import product

import pytest

from games.core import engine
from games.core.gates import Unreadable
from games.core.sheets import NONE, Sheets
from games.systems.bushido import SYSTEM, objectives, scenarios
from games.systems.bushido.scenarios import SCENARIO, SCENARIOS
from games.systems.bushido.tests.tables import chosen, ending, left, lobby, model, play, table
from tests.positions import asks, offered, said

ALL = dict(scenarios.rows())


def known(slug):
    return scenarios.read(slug, ALL[slug])


# --- the sixteen -------------------------------------------------------------------------------------------

VP = {
    "keii": "2 points, 4 points, 6 points",
    "seikyu": "2 points, 4 points, 6 points",
    "idols": "2 friendly, 4 friendly, 6 friendly",
    "depletion": "2 points, 3 points, last points",
    "omaju": "2 friendly, 4 friendly, 6 friendly",
    "sacred-idols": "4 friendly, 5 friendly, 6 friendly",
    "shin-keii": "2 points, 4 points, 6 points",
    "ryodo": "2 points, 4 points, 6 points",
    "ryu-seikyuu": "2 points, 4 points, 6 points",
    "botoku": "4 points, 5 points, 6 points",
    "ichi-no-riten": "3 points, 5 points, last vim-edge",
    "muzukashi": "3 friendly, 5 points, last vim-objective",
    "ninki": "4 friendly, 5 points, 6 points",
    "seigyo": "3 friendly, 5 friendly, last vim-centre",
    "osatsu": "4 friendly, 5 points, 6 points",
    "honbasho": "any vim-slain",
}


@pytest.mark.rule("BUSH-25")
def test_there_are_sixteen_scenarios_and_each_checks_what_its_table_says():
    told = {slug: ", ".join(f"{check.turn} {check.by}" for check in known(slug).checks) for slug in ALL}
    assert told == VP


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize("slug", ALL)
def test_a_scenario_says_in_a_few_words_what_it_is(slug):
    told = str(scenarios.summary(known(slug)))
    assert "turn" in told
    assert len(told) < 120


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize("slug", ALL)
def test_a_match_keeps_its_scenario_and_lays_it_out(slug):
    g = chosen(slug)
    assert "scenarios" not in g.rules
    assert scenarios.of(g) == known(slug)
    assert len(list(g.places("objective"))) == len(known(slug).objectives)
    assert len(list(g.places("zone"))) == len(known(slug).zones)
    assert [army.prayers for army in g.armies.values()] == [known(slug).prayer] * 2


@pytest.mark.rule("BUSH-25")
def test_a_drawn_scenario_comes_from_the_matchs_own_chance():
    g = play(lobby(), "red demo:ryu", "blue demo:ito", "red ready", "blue ready", "blue draw")
    (draw,) = g.draws
    assert draw.outcomes == 15, "the one without turns is for those who ask for it"
    assert scenarios.of(g).slug in ALL


# --- what organisers keep ----------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-25")
def test_an_organisers_scenario_stands_beside_the_others_and_in_place_of_its_own():
    own = {**ALL["keii"], "name": "Our Keii", "prayer": "7"}
    sheets = Sheets({SCENARIO: {"keii": own, "club-night": {**own, "name": "Club night"}}})
    g = SYSTEM.open("risen-sun", {"red": "Red", "blue": "Blue"}, "seed", {})
    g.sheets = sheets
    engine.settle(g)
    assert len(g.rules["scenarios"]) == 17
    g = play(g, "red demo:ryu", "blue demo:ito", "red ready", "blue ready", "red scenario:keii")
    assert (scenarios.of(g).name, g.armies["red"].prayers) == ("Our Keii", 7)


@pytest.mark.rule("BUSH-25")
def test_a_sheet_that_cannot_be_read_is_left_out():
    sheets = Sheets({SCENARIO: {"broken": {**ALL["keii"], "check1": "tea"}}})
    assert scenarios.known(sheets).keys() == ALL.keys()


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize(
    ("slug", "change", "sentence"),
    [
        ("Keii!", {}, "A scenario needs a short name of small letters and hyphens."),
        ("keii", {"name": ""}, "Please enter a name."),
        ("keii", {"turns": "0"}, "Please enter a whole number from 1 to 20."),
        ("keii", {"turns": "many"}, "Please enter a whole number from 1 to 20."),
        ("keii", {"check2": "4 wishes"}, "“4 wishes” is no check; write for example “4 points”."),
        ("keii", {"check1": "", "check2": "", "check3": ""}, "A scenario needs at least one check."),
        ("keii", {"complexity": "hard"}, "“hard” does not fit: Complexity."),
        ("keii", {"objectives": "f x"}, "“f x” does not fit: Objectives."),
        ("keii", {"zones": "n n n n n n n n n"}, "At most 8 objectives or zones fit."),
        ("keii", {"reset_points": "2,4"}, "“2,4” does not fit: Scenario Points are reset."),
        ("keii", {"prayer": "-5"}, "Please enter a whole number from 0 to 20."),
        ("keii", {"variable_from": "9"}, "Please enter a whole number from 0 to 6."),
    ],
)
def test_what_a_sheet_gets_wrong_is_one_sentence(slug, change, sentence):
    with pytest.raises(Unreadable) as unreadable:
        SCENARIOS.check(slug, {**ALL["keii"], **change})
    assert str(unreadable.value.line) == sentence


def test_every_planted_sheet_is_one_that_may_be_kept():
    for slug, stated in SCENARIOS.planted():
        SCENARIOS.check(slug, stated)
        assert SCENARIOS.called(stated)
        assert json.dumps(stated)
    assert scenarios.known(NONE).keys() == ALL.keys()


# --- checks ------------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-20")
def test_more_scenario_points_score_the_victory_point_once_both_agree():
    g = ending(turn=2, scenario="shin-keii")
    g.armies["red"].scenario_points, g.armies["blue"].scenario_points = 7, 5
    assert (asks(g), offered(g, "red")) == ("tally red blue", ["agree", "award:blue", "award:nobody"])
    g = play(g, "red agree")
    assert (asks(g), g.points("red")) == ("tally blue", 0)
    g = play(g, "blue agree")
    assert (g.points("red"), g.points("blue"), g.round) == (1, 0, 3)
    assert [(row.reason, row.round) for row in g.scores.values()] == [("most Scenario Points", 2)]


@pytest.mark.rule("BUSH-20")
def test_a_tie_is_unclaimed_and_the_players_may_say_otherwise():
    g = play(ending(turn=2), "red agree", "blue agree")
    assert (g.points("red"), g.points("blue")) == (0, 0)
    g = play(ending(turn=2), "red agree", "blue award:blue")
    assert asks(g) == "tally red", "what one of them says anew, the other has to agree to"
    assert play(g, "red agree").points("blue") == 1


@pytest.mark.rule("BUSH-20")
def test_a_correction_of_the_points_changes_the_tally_and_asks_anew():
    g = play(ending(turn=2), "red agree", "blue army/blue scenario-points:blue:2")
    assert asks(g) == "tally red blue"
    assert str(engine.offers(g, "red")[0].label) == "Agreed: Blue"


@pytest.mark.rule("BUSH-20")
def test_no_check_no_question():
    assert asks(ending(turn=1)) == "tactical-test red blue"
    assert asks(ending(turn=3)) == "tactical-test red blue"


@pytest.mark.rule("BUSH-20")
def test_two_checks_of_one_end_phase_are_made_one_after_another():
    g = ending(turn=5, scenario="muzukashi", is_final=True)
    g.armies["blue"].scenario_points = 1
    g = play(g, "red agree", "blue agree")
    assert g.points("blue") == 1
    g = play(g, "red keep")
    assert (asks(g), offered(g, "red")) == ("tally red blue", ["award:blue", "award:nobody", "award:red"])
    g = play(g, "red award:red", "blue agree", "blue keep")
    assert (g.points("red"), asks(g)) == (1, "closing red blue")


# --- objectives --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-27")
def test_a_prayer_scores_by_alignment_and_costs_a_token_and_a_counter():
    g = table()
    worth = {"objective-a": 1, "objective-c": 2, "objective-e": 3}
    for key, points in worth.items():
        after = play(g, "red act:goshi", f"red pray:{key}")
        assert (after.armies["red"].scenario_points, after.armies["red"].prayers) == (points, 4)
        assert left(after)["goshi"] == 1
    assert objectives.worth(g, g.objectives["objective-e"], "blue") == 1


@pytest.mark.rule("BUSH-27")
def test_one_prayer_at_an_objective_each_turn_and_none_without_a_token():
    g = play(table(), "red act:goshi", "red pray:objective-a", "blue simple:oni", "red act:goshi")
    assert "pray:objective-a" not in offered(g, "red")
    assert "pray:objective-b" in offered(g, "red")
    g.armies["red"].prayers = 0
    assert not [action for action in offered(g, "red") if action.startswith("pray")]


@pytest.mark.rule("BUSH-27")
def test_influence_moves_an_objective_one_step_towards_friendly():
    g = table(scenario="muzukashi")
    g = play(g, "red act:goshi", "red influence:objective-e")
    assert g.objectives["objective-e"].aligned is None
    g = play(g, "blue simple:oni", "red act:goshi", "red influence:objective-e")
    assert g.objectives["objective-e"].aligned == "red"
    assert objectives.friendly(g, "red") == 3


@pytest.mark.rule("BUSH-27")
def test_an_influence_costs_what_the_scenario_says():
    g = play(table(scenario="osatsu"), "red act:goshi", "red influence:objective-a")
    assert left(g)["goshi"] == 0
    g = play(
        table([model("goshi"), model("ima")], scenario="omaju"), "red act:goshi", "red influence:objective-a"
    )
    assert left(g)["goshi"] == 0, "the first of the match is complex"
    g = play(g, "blue simple:oni", "red act:ima", "red influence:objective-b")
    assert left(g)["ima"] == 1


@pytest.mark.rule("BUSH-27")
def test_a_scenario_without_prayer_or_influence_offers_none():
    g = play(table(scenario="seigyo"), "red act:goshi")
    assert not [action for action in offered(g, "red") if action.startswith(("pray", "influence"))]


# --- zones -------------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-28")
def test_zones_give_scenario_points_before_the_check():
    g = ending(turn=2, scenario="seikyu")
    assert asks(g) == "score-zones red blue"
    g = play(g, "red control:zone-a:red", "blue control:zone-b:red", "red agree", "blue agree")
    assert [army.scenario_points for army in g.armies.values()] == [4, 0]
    assert asks(g) == "tally red blue"


@pytest.mark.rule("BUSH-28")
def test_points_of_turn_one_vanish_before_turn_two_scores():
    """Seikyu resets in the turns 2, 4 and 6, so only the turn of the check counts."""
    g = ending(turn=1, scenario="seikyu")
    g = play(g, "red control:zone-a:red", "red agree", "blue agree")
    assert g.armies["red"].scenario_points == 2
    g = play(g, "red rolled:4", "blue rolled:2", "red first:red")
    assert g.armies["red"].scenario_points == 0


@pytest.mark.rule("BUSH-28")
def test_whoever_says_otherwise_asks_the_other_again():
    g = play(ending(scenario="seikyu"), "red agree", "blue control:zone-a:blue")
    assert asks(g) == "score-zones red blue"


@pytest.mark.rule("BUSH-28")
@pytest.mark.parametrize(
    ("red", "blue", "holder"),
    [
        ([10, 10], [15], "red"),
        ([10, 10], [20], None),
        ([10, 10], [30], None),
        ([10], [10], None),
        ([], [5], "blue"),
        ([], [], None),
    ],
    ids=["more of both", "same rice", "less rice", "level", "alone", "empty"],
)
def test_control_takes_strictly_more_models_and_strictly_more_rice(red, blue, holder):
    def inside(side, costs):
        return [model(f"{side}-{n}", cost=cost, zone="zone-a") for n, cost in enumerate(costs)]

    g = table([model("goshi"), *inside("r", red)], [model("oni"), *inside("b", blue)], scenario="seikyu")
    assert objectives.controller(g, g.objectives["zone-a"]) == holder


@pytest.mark.rule("BUSH-28")
def test_what_the_players_say_wins_over_what_is_noted():
    g = table([model("goshi", zone="zone-a")], scenario="seikyu")
    zone = g.objectives["zone-a"]
    assert objectives.controller(g, zone) == "red"
    g = play(g, "blue objective/zone-a controller:zone-a:nobody")
    assert objectives.controller(g, g.objectives["zone-a"]) is None
    g = play(g, "red objective/zone-a controller:zone-a:computed")
    assert objectives.controller(g, g.objectives["zone-a"]) == "red"


@pytest.mark.rule("BUSH-28")
def test_a_zone_may_take_the_alignment_of_its_objective():
    g = table(scenario="osatsu")
    g = play(g, "red objective/objective-a align:objective-a:blue")
    zone = g.objectives["zone-a"]
    assert [objectives.worth(g, zone, seat) for seat in g.seats] == [3, 1]


# --- VIMs --------------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-29")
def test_a_hidden_vim_is_known_to_its_player_alone_until_the_last_end_phase():
    g = chosen("muzukashi")
    g = play(g, "red vim:kizoko")
    assert (asks(g), g.armies["red"].vim, g.armies["red"].hidden) == ("name-vim blue", "?", {"vim": "kizoko"})
    assert "Kizoko" not in said(g)
    assert engine.view(g, "blue").armies["red"].hidden == {"vim": None}
    assert engine.view(g, "red").armies["red"].hidden == {"vim": "kizoko"}


@pytest.mark.rule("BUSH-29")
def test_hidden_vims_are_revealed_before_the_last_check():
    red, blue = [model("goshi", counters=1)], [model("oni", counters=0)]
    secret = table(red, blue, turn=7, scenario="seigyo")
    secret.hide("red", "vim", "goshi")
    secret.armies["red"].vim = "?"
    g = play(secret, "red simple:goshi", "red done")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("goshi", {})
    assert "Goshi is the VIM of Red." in said(g)
    assert engine.is_final(secret, g)


@pytest.mark.rule("BUSH-29")
@pytest.mark.parametrize("turn", [1, 5, 6])
def test_hidden_vims_stay_hidden_in_every_end_phase_but_the_last(turn):
    """Turn 5 may be the last of this scenario, and has a check; this time it is not."""
    secret = table(
        [model("goshi", counters=1)], [model("oni", counters=0)], turn=turn, scenario="ichi-no-riten"
    )
    secret.hide("red", "vim", "goshi")
    secret.armies["red"].vim = "?"
    g = play(secret, "red simple:goshi", "red done", "red agree", "blue agree")
    assert g.question.step not in ("turn", "feats-after", "score-zones")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("?", {"vim": "goshi"})
    assert not engine.is_final(secret, g)


@pytest.mark.rule("BUSH-29")
def test_only_its_player_reveals_a_vim_early():
    g = table(scenario="seigyo")
    g.hide("red", "vim", "goshi")
    g.armies["red"].vim = "?"
    with pytest.raises(engine.Refusal) as refused:
        play(g, "blue army/red reveal:red")
    assert str(refused.value.line) == "Only Red can reveal that."
    assert play(g, "red army/red reveal:red").armies["red"].vim == "goshi"


@pytest.mark.rule("BUSH-29")
def test_the_table_may_name_vims_openly_or_let_the_opponent_name_them():
    g = play(chosen("muzukashi"), "red table vims:open", "red vim:kizoko")
    assert (g.armies["red"].vim, g.armies["red"].hidden) == ("kizoko", {})
    g = play(chosen("muzukashi"), "red table vims:nominated")
    assert "vim:ito-kinu" in offered(g, "red")
    g = play(g, "red vim:ito-kinu")
    assert (g.armies["blue"].vim, asks(g)) == ("ito-kinu", "name-vim blue")


@pytest.mark.rule("BUSH-29")
def test_in_honbasho_a_slain_vim_decides():
    blue = [model("oni", place="removed"), model("imp", counters=0)]
    g = table([model("goshi", counters=1)], blue, scenario="honbasho")
    g.armies["red"].vim, g.armies["blue"].vim = "goshi", "oni"
    g = play(g, "red simple:goshi", "red done", "red agree", "blue agree", "red end-match")
    assert (g.result["winner"], g.points("red")) == ("red", 1)


# --- decreasing --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-30")
@pytest.mark.parametrize(("scenario", "asked"), [("depletion", "blue"), ("idols", "red")])
def test_after_a_victory_point_an_objective_may_go(scenario, asked):
    g = ending(turn=2, scenario=scenario)
    g.armies["red"].scenario_points = 3
    g.objectives["objective-a"].aligned = "red"
    g = play(g, "red agree", "blue agree")
    assert asks(g) == f"decrease {asked}"
    gone = play(g, f"{asked} remove:objective-b")
    assert "objective-b" not in gone.objectives
    assert len(play(g, f"{asked} keep").objectives) == len(g.objectives)


@pytest.mark.rule("BUSH-30")
def test_nothing_goes_where_nobody_scored_or_nothing_decreases():
    assert (
        asks(play(ending(turn=2, scenario="depletion"), "red agree", "blue agree"))
        == "tactical-test red blue"
    )
    g = ending(turn=2)
    g.armies["red"].scenario_points = 1
    assert asks(play(g, "red agree", "blue agree")) == "tactical-test red blue"


@pytest.mark.rule("BUSH-20")
def test_a_check_is_due_exactly_in_its_turn():
    check = scenarios.Check
    for number, is_final in product(range(1, 8), (False, True)):
        assert check("4", "points").is_due(number, is_final=is_final) == (number == 4)
        assert check("last", "points").is_due(number, is_final=is_final) == is_final
        assert check("any", "points").is_due(number, is_final=is_final)
