"""Scenarios: what each lays out, when it scores, what a score does, and the entries they stand in."""

import json
from itertools import product

import pytest

from games.core import NONE, Entries, Unreadable, engine
from games.systems.bushido import SYSTEM
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules import scenarios, victory_and_end
from games.systems.bushido.rules.scenarios import SCENARIO, SCENARIOS
from games.systems.bushido.tests.tables import chosen, ending, lobby, model, play, table
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


CIRCLE, CENTRE, NOTHING = "f f n n e e", "n n n", ""
MAPS = {
    **dict.fromkeys(("keii", "depletion", "shin-keii", "muzukashi", "ninki"), (CIRCLE, NOTHING)),
    **dict.fromkeys(("idols", "omaju", "sacred-idols", "seigyo"), (CENTRE, NOTHING)),
    **dict.fromkeys(("seikyu", "ryu-seikyuu"), (NOTHING, "n n n")),
    "ryodo": (NOTHING, "f n e"),
    "botoku": ("f e", "n"),
    "ichi-no-riten": (NOTHING, "f e"),
    "osatsu": (CENTRE, "n n"),
    "honbasho": (NOTHING, NOTHING),
}
"""The objectives and the zones on the map of each scenario: friendly, neutral, enemy."""


@pytest.mark.rule("BUSH-25")
def test_each_scenario_lays_out_what_its_map_shows():
    assert {slug: (row["objectives"], row["zones"]) for slug, row in ALL.items()} == MAPS


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize("slug", ALL)
def test_a_scenario_says_in_a_few_words_what_it_is(slug):
    told = str(scenarios.summary(known(slug)))
    assert "turn" in told
    assert len(told) < 120


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize(
    ("checks", "told"),
    [
        (["last points"], "scores in the last turn"),
        (["any vim-slain", "5 points"], "scores in turn 5, one point in any turn"),
        (["any vim-slain", "2 points", "last points"], "in turn 2 and the last, one point in any turn"),
        (["any vim-slain"], "ends when a VIM is slain"),
        (["2 points", "4 points"], "scores in turn 2 · 4"),
    ],
)
def test_an_organisers_scenario_says_when_it_scores(checks, told):
    stated = {**ALL["keii"], "check2": "", "check3": ""}
    stated |= {f"check{number}": check for number, check in enumerate(checks, 1)}
    assert str(scenarios.summary(scenarios.read("own", stated))).endswith(told)


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
    entries = Entries({SCENARIO: {"keii": own, "club-night": {**own, "name": "Club night"}}})
    g = SYSTEM.open("risen-sun", {"red": "Red", "blue": "Blue"}, "seed", {})
    g.entries = entries
    engine.advance(g)
    assert len(g.rules["scenarios"]) == 17
    g = play(g, "red demo:ryu", "blue demo:ito", "red ready", "blue ready", "red scenario:keii")
    assert (scenarios.of(g).name, g.armies["red"].prayers) == ("Our Keii", 7)


@pytest.mark.rule("BUSH-25")
def test_a_sheet_that_cannot_be_read_is_left_out():
    entries = Entries({SCENARIO: {"broken": {**ALL["keii"], "check1": "tea"}}})
    assert scenarios.known(entries).keys() == ALL.keys()


@pytest.mark.rule("BUSH-25")
@pytest.mark.parametrize(
    ("slug", "change", "sentence"),
    [
        ("Keii!", {}, "A scenario needs a short name of small letters and hyphens."),
        ("keii", {"name": ""}, "Please enter a name."),
        ("keii", {"turns": "0"}, "Please enter a whole number from 1 to 20."),
        ("keii", {"turns": "many"}, "Please enter a whole number from 1 to 20."),
        ("keii", {"check2": "4 wishes"}, "“4 wishes” is not a check. Enter for example “4 points”."),
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
    assert asks(g) == "tally red", "what one of them says again, the other has to agree to"
    assert play(g, "red agree").points("blue") == 1


@pytest.mark.rule("BUSH-20")
def test_a_correction_of_the_points_changes_the_tally_and_asks_again():
    g = play(ending(turn=2), "red agree", "blue army/blue scenario-points:blue:2")
    assert asks(g) == "tally red blue"
    assert str(engine.offers(g, "red")[0].label) == "Agreed: Blue"


@pytest.mark.rule("BUSH-20")
def test_each_turns_check_gives_a_point_of_its_own():
    """Keii asks for most Scenario Points in the turns 2, 4 and 6."""
    g = ending([model("goshi", note="Rain", reminders=frozenset({"end"}))], turn=4)
    g.score("red", 1, scenarios.CHECKS[scenarios.POINTS])
    g.armies["blue"].scenario_points = 1
    g = play(g, "red resolve:goshi", "red agree", "blue agree")
    assert (g.points("red"), g.points("blue")) == (1, 1)


@pytest.mark.rule("BUSH-22")
def test_no_check_is_made_once_every_victory_point_is_given():
    given = "red army/red points:red:3 a card"
    g = table([model("goshi", counters=0)], [model("oni", counters=1)], turn=4)
    g = play(g, given, "blue simple:oni", "blue done")
    assert (asks(g), "No one scores" in said(g)) == ("closing blue", False)
    g = play(ending(turn=4), given)
    assert (asks(g), "No one scores" in said(g)) == ("closing blue", True)


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
    g = play(g, "red award:red", "blue agree")
    assert (g.points("red"), asks(g)) == (1, "closing red blue")


# --- decreasing --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-30")
def test_after_a_victory_point_whoever_did_not_score_may_remove_an_objective():
    g = ending(turn=2, scenario="depletion")
    g.armies["red"].scenario_points = 3
    g = play(g, "red agree", "blue agree")
    assert asks(g) == "decrease blue"
    gone = play(g, "blue remove:objective-b")
    assert "objective-b" not in gone.objectives
    kept = play(g, "blue keep")
    assert len(kept.objectives) == len(g.objectives)
    assert asks(gone) == asks(kept) == "tactical-test red blue"


def scored_by_red(*friendly: str) -> Table:
    """After turn 2 of Idols, which Red has won with these objectives."""
    g = ending(turn=2, scenario="idols")
    for key in friendly:
        g.objectives[key].aligned = "red"
    return g


@pytest.mark.rule("BUSH-30")
def test_where_the_scorer_loses_an_objective_the_opponent_chooses_which():
    g = scored_by_red("objective-a", "objective-c")
    g = play(g, "red agree", "blue agree")
    assert (asks(g), offered(g, "blue")) == ("decrease blue", ["remove:objective-a", "remove:objective-c"])
    assert str(engine.step_of(g).helping(g, "blue")) == (
        "Red scored, so one that is friendly to Red is removed."
    )
    g = play(g, "blue remove:objective-c")
    assert (list(g.objectives), asks(g)) == (["objective-a", "objective-b"], "tactical-test red blue")


@pytest.mark.rule("BUSH-30")
@pytest.mark.parametrize(("friendly", "left"), [(["objective-b"], "ac"), ([], "abc")])
def test_where_only_one_may_go_or_none_nobody_is_asked(friendly, left):
    says = "agree" if friendly else "award:red"
    g = play(scored_by_red(*friendly), f"red {says}", "blue agree")
    assert (list(g.objectives), asks(g)) == (
        [f"objective-{letter}" for letter in left],
        "tactical-test red blue",
    )


@pytest.mark.rule("BUSH-30")
def test_nothing_goes_where_nobody_scored_or_nothing_decreases():
    assert (
        asks(play(ending(turn=2, scenario="depletion"), "red agree", "blue agree"))
        == "tactical-test red blue"
    )
    g = ending(turn=2)
    g.armies["red"].scenario_points = 1
    assert asks(play(g, "red agree", "blue agree")) == "tactical-test red blue"


@pytest.mark.rule("BUSH-30")
def test_nothing_goes_once_nothing_is_checked_any_more():
    last = ending(turn=6, scenario="sacred-idols")
    last.objectives["objective-a"].aligned = "red"
    assert asks(play(last, "red agree", "blue agree")) == "closing red blue"
    third = ending(turn=4, scenario="sacred-idols")
    third.objectives["objective-a"].aligned = "red"
    third.score("blue", 2, "as played before")
    assert asks(play(third, "red agree", "blue agree")) == "closing red blue"


@pytest.mark.rule("BUSH-30")
def test_what_may_change_a_later_check_may_go():
    g = ending(turn=5, scenario="muzukashi", is_final=True)
    g.armies["red"].scenario_points = 1
    assert asks(play(g, "red agree", "blue agree")) == "decrease blue"


@pytest.mark.rule("BUSH-20")
def test_a_check_is_due_exactly_in_its_turn():
    check = scenarios.Check
    for number, is_final in product(range(1, 8), (False, True)):
        assert check("4", "points").is_due(number, is_final=is_final) == (number == 4)
        assert check("last", "points").is_due(number, is_final=is_final) == is_final
        assert check("any", "points").is_due(number, is_final=is_final)


@pytest.mark.rule("BUSH-20")
@pytest.mark.parametrize(("turn", "by"), [(1, "friendly"), (3, "friendly"), (4, "points"), (5, "points")])
def test_the_next_point_is_that_of_a_check_still_to_come(turn, by):
    assert victory_and_end.next_check(table(scenario="muzukashi", turn=turn)) == by
