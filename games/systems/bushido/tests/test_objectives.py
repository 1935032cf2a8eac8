"""Objectives and zones: prayer, influence, who controls a zone and what it gives."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.rules import scenarios
from games.systems.bushido.tests.tables import ending, left, model, play, table
from tests.positions import asks, offered, said

# --- objectives --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-27")
def test_a_prayer_scores_by_alignment_and_costs_a_token_and_a_counter():
    g = table()
    worth = {"objective-a": 1, "objective-c": 2, "objective-e": 3}
    for key, points in worth.items():
        after = play(g, "red act:goshi", f"red pray:{key}")
        assert (after.armies["red"].scenario_points, after.armies["red"].prayers) == (points, 4)
        assert left(after)["goshi"] == 1
    assert scenarios.worth(g, g.objectives["objective-e"], "blue") == 1


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
    assert scenarios.friendly(g, "red") == 3


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


@pytest.mark.rule("BUSH-28")
@pytest.mark.parametrize(("inside", "holder"), [(2, "red"), (1, None)])
def test_two_models_of_one_card_count_their_rice_where_both_are(inside, holder):
    twins = [model(f"twin-{at}", cost=8, zone="zone-a" * (at < inside)) for at in range(2)]
    red = [*twins, model("goshi", cost=2, zone="zone-a")]
    g = table(red, [model("oni", cost=5, zone="zone-a")], scenario="seikyu", shared=(("twin-0", "twin-1"),))
    assert scenarios.controller(g, g.objectives["zone-a"]) == holder


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
def test_what_a_zone_is_worth_is_agreed_to_and_a_change_asks_both_again():
    g = ending([model("goshi", zone="zone-a")], scenario="seikyu")
    told = "Zone A: Red +2, Zone B: no one, Zone C: no one"
    assert str(engine.offers(g, "red")[0].detail) == told
    g = play(g, "blue agree", "red objective/zone-a align:zone-a:blue")
    assert asks(g) == "score-zones red blue"
    assert str(engine.offers(g, "blue")[0].detail) == told.replace("+2", "+3")
    assert play(g, "red agree", "blue agree").armies["red"].scenario_points == 3
    g = play(g, "blue agree", "red objective/zone-b align:zone-b:red")
    assert asks(g) == "score-zones red", "nobody holds the zone: it gives nothing"


@pytest.mark.rule("BUSH-28")
@pytest.mark.parametrize(
    ("red", "blue", "holder"),
    [
        ([10, 10], [15], "red"),
        ([10, 10], [20], None),
        ([10, 10], [30], None),
        ([10], [10], None),
        ([10], [5], None),
        ([5], [10], None),
        ([10], [5, 5], None),
        ([], [5], "blue"),
        ([], [], None),
    ],
    ids=[
        "more of both",
        "same rice",
        "less rice",
        "level",
        "same models",
        "no fewer models",
        "fewer models, same rice",
        "alone",
        "empty",
    ],
)
def test_control_takes_strictly_more_models_and_strictly_more_rice(red, blue, holder):
    def inside(side, costs):
        return [model(f"{side}-{n}", cost=cost, zone="zone-a") for n, cost in enumerate(costs)]

    g = table([model("goshi"), *inside("r", red)], [model("oni"), *inside("b", blue)], scenario="seikyu")
    assert scenarios.controller(g, g.objectives["zone-a"]) == holder


@pytest.mark.rule("BUSH-28")
def test_what_the_players_say_wins_over_what_is_noted():
    g = table([model("goshi", zone="zone-a")], scenario="seikyu")
    zone = g.objectives["zone-a"]
    assert scenarios.controller(g, zone) == "red"
    g = play(g, "blue objective/zone-a controller:zone-a:nobody")
    assert scenarios.controller(g, g.objectives["zone-a"]) is None
    with pytest.raises(IllegalAction):
        play(g, "red objective/zone-a controller:zone-a:nobody")
    g = play(g, "red objective/zone-a controller:zone-a:computed")
    assert scenarios.controller(g, g.objectives["zone-a"]) == "red"


@pytest.mark.rule("BUSH-28")
def test_a_zone_may_take_the_alignment_of_its_objective():
    g = table(scenario="osatsu")
    g = play(g, "red objective/objective-a align:objective-a:blue")
    zone = g.objectives["zone-a"]
    assert [scenarios.worth(g, zone, seat) for seat in g.seats] == [3, 1]


@pytest.mark.rule("BUSH-28")
def test_only_the_objective_that_a_zone_follows_can_be_realigned():
    def realigned(g, key):
        offered = engine.corrections(g, f"objective/{key}")
        return [offer.action for offer in offered if offer.action.startswith("align:")]

    g = table(scenario="osatsu")
    assert (realigned(g, "zone-a"), len(realigned(g, "objective-a"))) == ([], 2)
    g = play(g, "red objective/objective-a drop:objective-a")
    assert len(realigned(g, "zone-a")) == 2


@pytest.mark.rule("BUSH-28")
def test_a_zone_that_follows_another_objective_still_does_once_one_is_removed():
    g = table(scenario="osatsu")
    for key, seat in (("objective-a", "red"), ("objective-b", "blue")):
        g.objectives[key].aligned = seat
    scenarios.remove(g, g.objectives["objective-a"])
    g.objectives["objective-b"].aligned = None
    held = {key: scenarios.aligned_to(g, g.objectives[key]) for key in ("zone-a", "zone-b")}
    assert held == {"zone-a": "red", "zone-b": None}


@pytest.mark.rule("BUSH-28")
def test_a_zone_follows_no_objective_unless_its_scenario_says_so():
    g = table(scenario="botoku")
    assert [place.follows for place in g.objectives.values()] == [None] * 3
    g = play(g, "red objective/objective-a align:objective-a:blue")
    assert [scenarios.worth(g, g.objectives["zone-a"], seat) for seat in g.seats] == [2, 2]


@pytest.mark.rule("BUSH-27")
def test_models_pray_at_objectives_and_not_in_zones():
    g = play(table(scenario="botoku"), "red act:goshi")
    assert [action for action in offered(g, "red") if action.startswith("pray:")] == [
        "pray:objective-a",
        "pray:objective-b",
    ]


@pytest.mark.rule("BUSH-30")
def test_a_place_that_is_removed_takes_prayers_and_positions_along_and_is_logged():
    g = table([model("goshi", zone="zone-a", prayed=frozenset({"objective-a"}))], scenario="botoku")
    for key in ("zone-a", "objective-a"):
        g = play(g, f"red objective/{key} drop:{key}")
    assert (g.units["goshi"].zone, g.units["goshi"].prayed) == (None, frozenset())
    assert said(g) == "Objective A is removed."
