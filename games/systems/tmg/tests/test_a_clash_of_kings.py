"""The mode A Clash of Kings: a Reserve, arrivals, and what returns to it."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import end_of_match
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import agreed, answers, infantry, lobby, ncu, play, table
from games.systems.tmg.tests.tables import clean_up as a_clean_up
from games.systems.tmg.tests.test_beside import targets
from tests.positions import asks, offered, said

MODE = "a-clash-of-kings"
CHOSEN = {
    "red": ("crannogman-trackers", "eddards-honor-guard"),
    "blue": ("gregor-clegane", "lannister-crossbowmen"),
}

PASSED = ("red activate:wolves", "blue activate:lions", "red pass", "blue activate:knights")


def clash(red=(), blue=(), **rest):
    return table(red, blue, **{"mode": MODE, "round": 2, **rest})


def clean_up(red=(), blue=(), **rest):
    return a_clean_up(red, blue, mode=MODE, **rest)


def with_reserve(**fields):
    """Red has one unit on the table and one in Reserve; blue two on the table."""
    red = [infantry("wolves"), infantry("bears", place="reserve", **fields)]
    return clash(red, [infantry("lions"), infantry("knights")])


def set_up(*actions):
    ready = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    return play(lobby(MODE), *ready, "red rolled:1", "blue rolled:6", "blue pick-zone", *actions)


def deployed(seat):
    return (*(f"{seat} deploy:{unit}" for unit in CHOSEN[seat]), f"{seat} deployed")


# --- set-up ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-67")
def test_three_tokens_lie_in_a_row_and_nobody_places_them():
    g = play(lobby(MODE), "red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    assert [token.key for token in g.tokens()] == ["centre", "west", "east"]
    assert asks(g) == "zone-roll red blue"
    assert "Objective tokens lie on the battlefield: Centre, West, East." in said(g)
    assert [step["name"] for step in derived_facts(g, None)["guide"]["steps"]] == [
        "muster",
        "zone-roll",
        "pick-zone",
        "deploy",
    ]


@pytest.mark.rule("TMG-67")
def test_each_side_picks_exactly_two_combat_units_and_the_others_wait():
    g = set_up()
    assert asks(g) == "deploy blue"
    assert "deployed" not in offered(g, "blue")
    assert not any(g.units[action.split(":")[1]].kind == "ncu" for action in offered(g, "blue"))
    g = play(g, "blue deploy:gregor-clegane", "blue deploy:lannister-crossbowmen")
    assert offered(g, "blue") == ["deployed", "hold:gregor-clegane", "hold:lannister-crossbowmen"]
    g = play(g, "blue deployed")
    on_table = {unit.key for unit in g.combat_units("blue") if unit.place == "table"}
    assert on_table == set(CHOSEN["blue"])
    assert len(g.reserve("blue")) == sum(1 for _unit in g.combat_units("blue")) - 2
    assert all(unit.place == "table" for unit in g.ncus("blue"))


@pytest.mark.rule("TMG-67")
def test_a_pick_can_be_changed_and_the_commander_need_not_deploy():
    g = set_up("blue deploy:gregor-clegane", "blue hold:gregor-clegane")
    assert "deploy:gregor-clegane" in offered(g, "blue")
    assert "Pick a Combat Unit to deploy: 2 more" in str(engine.step_of(g).asking(g, "blue"))
    g = play(g, *deployed("blue"))
    assert [unit.place for unit in g.combat_units("blue") if unit.commander] == ["reserve"]


@pytest.mark.rule("TMG-58")
@pytest.mark.rule("TMG-67")
def test_a_unit_that_is_not_deployed_after_all_stands_nowhere_and_fights_nobody():
    g = set_up(*deployed("blue"), *(f"red deploy:{unit}" for unit in CHOSEN["red"]))
    trackers, clegane = CHOSEN["red"][0], CHOSEN["blue"][0]
    g = engine.adjust(g, "red", f"unit/{trackers}", f"claim:{trackers}:west")
    g = engine.adjust(g, "red", f"unit/{trackers}", f"engage:{trackers}:{clegane}")
    g = play(g, f"red hold:{trackers}")
    assert (g.objectives["west"].claimed_by, g.units[clegane].engaged_with) == (None, frozenset())


@pytest.mark.rule("TMG-67")
def test_who_has_fewer_deploys_fewer():
    g = lobby(MODE)
    for seat, unit in (("red", infantry("wolves")), ("blue", infantry("lions"))):
        unit.army, unit.place = seat, "unplaced"
        g.units[unit.key] = unit
    g = play(g, "red ready", "blue ready", "red rolled:1", "blue rolled:6", "blue pick-zone")
    g = play(g, "blue deploy:lions", "blue deployed", "red deploy:wolves", "red deployed")
    assert (g.round, asks(g)) == (1, "turn red")


@pytest.mark.rule("TMG-67")
def test_set_up_states_the_depth_and_ends_in_round_one():
    g = set_up()
    assert "12 inches" in str(engine.step_of(g).helping(g, "blue"))
    g = play(g, *deployed("blue"), *deployed("red"))
    assert (g.round, asks(g)) == (1, "turn red")
    assert list(engine.problems(g)) == []


# --- deploying ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-68")
def test_in_round_one_nobody_deploys():
    g = clash([infantry("wolves"), infantry("bears", place="reserve")], round=1)
    assert offered(g, "red") == ["activate:wolves"]
    assert asks(play(g, "red activate:wolves", "blue activate:lions")) == "end-of-turn red blue"


@pytest.mark.rule("TMG-68")
def test_from_round_two_a_unit_deploys_in_place_of_an_activation_and_the_turn_is_over():
    g = with_reserve()
    assert offered(g, "red") == ["activate:wolves", "deploy:bears"]
    g = play(g, "red deploy:bears")
    assert asks(g) == "arrive red"
    g = play(g, "red arrive:own-zone")
    assert (g.units["bears"].place, asks(g)) == ("table", "turn blue")


@pytest.mark.rule("TMG-68")
def test_back_leaves_the_unit_in_reserve():
    g = play(with_reserve(), "red deploy:bears", "red back")
    assert (g.units["bears"].place, asks(g)) == ("reserve", "turn red")


@pytest.mark.rule("TMG-69")
def test_an_arrival_in_the_own_zone_may_still_activate():
    g = play(with_reserve(), "red deploy:bears", "red arrive:own-zone", "blue activate:lions")
    assert answers(g, "red") == ["activate:bears", "activate:wolves"]
    assert len(g.flow) == 1, "the question where it arrives is gone"


@pytest.mark.rule("TMG-69")
@pytest.mark.rule("E7")
@pytest.mark.parametrize(("token", "flank"), [("west", "east"), ("east", "west")])
def test_a_token_opens_the_opposite_flank_only(token, flank):
    g = with_reserve()
    g.objectives[token].claimed_by = "wolves"
    g = play(g, "red deploy:bears")
    assert offered(g, "red") == sorted([f"arrive:{flank}", "arrive:own-zone", "back"])
    g = play(g, f"red arrive:{flank}")
    assert (g.units["bears"].place, g.units["bears"].activated) == ("table", True)
    assert asks(g) == "turn blue"
    assert "deploy at the" in derived_facts(g, None)["tokens"][token]["effect"]


@pytest.mark.rule("TMG-69")
def test_a_flank_closes_when_control_is_contested():
    g = with_reserve()
    g.units["wolves"].wounds = 4
    g.objectives["west"].claimed_by = "wolves"
    g = engine.adjust(g, "red", "unit/wolves", "engage:wolves:lions")
    assert "arrive:east" not in offered(play(g, "red deploy:bears"), "red")


@pytest.mark.rule("TMG-69")
def test_the_distance_to_enemies_is_called_to_mind():
    g = play(with_reserve(), "red deploy:bears")
    assert "1 inch" in str(engine.step_of(g).helping(g, "red"))
    assert "Where does Bears arrive?" in str(engine.step_of(g).asking(g, "red"))


@pytest.mark.rule("TMG-18")
@pytest.mark.rule("E6")
def test_who_can_only_deploy_may_also_pass():
    g = play(with_reserve(), "red activate:wolves", "blue activate:lions")
    assert answers(g, "red") == ["deploy:bears", "pass"]
    g = play(g, "red pass")
    assert said(g) == "Red leaves the Reserve where it is and passes."
    assert (asks(g), g.acting) == ("turn blue", None)


@pytest.mark.rule("TMG-14")
@pytest.mark.rule("TMG-19")
def test_who_passes_the_reserve_at_once_leaves_what_acts_to_be_noted_before_the_score():
    red = [infantry("wolves", activated=True), infantry("bears", place="reserve")]
    g = table(red, [infantry("lions")], mode=MODE, round=2, first="blue")
    g = play(g, "blue activate:lions", "red pass")
    assert (asks(g), g.acting) == ("score-points red blue", "lions")
    assert {target.key.rpartition("-")[2] for seat in g.seats for target in targets(g, seat)} == {"lions"}


@pytest.mark.rule("TMG-19")
def test_the_phase_ends_when_nobody_can_activate_and_each_reserve_was_passed():
    g = play(with_reserve(), *PASSED)
    assert asks(g) == "score-points red blue"
    ends = "The Clean-Up Phase begins."
    assert f"No unit can activate any more. {ends}" in said(g)
    g = with_reserve()
    g = play(g, "red activate:wolves", "blue activate:lions", "red deploy:bears", "red arrive:own-zone")
    g = play(g, "blue activate:knights")
    assert asks(g) == "turn red"
    g = play(g, "red activate:bears")
    assert asks(g) == "score-points red blue"
    assert f"All units have activated. {ends}" in said(g)


@pytest.mark.rule("TMG-19")
def test_a_deployment_asks_who_passed_again():
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    blue = [infantry("lions"), infantry("knights", place="reserve")]
    g = play(clash(red, blue), "red activate:wolves", "blue activate:lions", "red pass")
    assert answers(g, "blue") == ["deploy:knights", "pass"]
    g = play(g, "blue deploy:knights", "blue arrive:own-zone")
    assert answers(g, "red") == ["deploy:bears", "pass"]
    g = play(g, "red pass", "blue activate:knights")
    assert asks(g) == "score-points red blue"


@pytest.mark.rule("TMG-19")
def test_a_deployment_at_a_flank_asks_them_again_though_it_leaves_nobody_to_activate():
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = clash(red, [infantry("lions"), infantry("knights", place="reserve")])
    g.objectives["west"].claimed_by = "lions"
    g = play(g, "red activate:wolves", "blue activate:lions", "red pass", "blue deploy:knights")
    g = play(g, "blue arrive:east")
    assert (asks(g), answers(g, "red")) == ("turn red", ["deploy:bears", "pass"])


@pytest.mark.rule("TMG-19")
def test_who_passed_is_asked_again_next_round():
    g = play(agreed(play(with_reserve(), *PASSED)), "red keep", "blue keep")
    assert (g.round, g.armies["red"].passed) == (3, False)


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("E6")
@pytest.mark.parametrize("gone", ["destroy:tyrion", "on:tyrion:barred", "activate:tyrion"])
def test_who_has_passed_is_not_made_to_deploy_when_the_opponent_has_nothing_left_either(gone):
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = clash(red, [infantry("lions"), infantry("knights"), ncu("tyrion")])
    g = play(g, *PASSED)
    assert asks(g) == "turn red"
    g = engine.adjust(g, "blue", "unit/tyrion", gone)
    if asks(g) == "claim-zone blue":
        g = play(g, "blue decline")
    assert asks(g) == "score-points red blue"


@pytest.mark.rule("TMG-18")
@pytest.mark.rule("TMG-70")
def test_who_passed_without_a_reserve_may_still_deploy_what_falls_unactivated_afterwards():
    red = [infantry("wolves", barred=True), infantry("bears", activated=True)]
    g = play(clash(red), "red pass")
    assert said(g) == "Red has no unit left to activate and passes."
    g = play(engine.adjust(g, "blue", "unit/wolves", "destroy:wolves"), "blue activate:lions")
    assert (asks(g), answers(g, "red")) == ("turn red", ["deploy:wolves", "pass"])


@pytest.mark.rule("TMG-69")
def test_a_unit_that_a_correction_put_on_the_battlefield_arrives_no_more():
    g = play(with_reserve(), "red deploy:bears")
    g = engine.adjust(g, "red", "unit/bears", "arrive:bears")
    assert (asks(g), offered(g, "red")) == ("turn red", ["activate:bears", "activate:wolves"])


@pytest.mark.rule("TMG-68")
def test_whose_turn_it_is_reads_what_it_may_do_and_the_opponent_whose_it_is():
    def asked(g):
        return [str(engine.step_of(g).asking(g, seat)) for seat in ("red", "blue", None)]

    red, reds = "Red activates a unit", "It is the turn of Red"
    assert asked(with_reserve()) == ["Activate or deploy a unit", red, red]
    only = play(with_reserve(), "red activate:wolves", "blue activate:lions")
    assert asked(only) == ["Deploy a unit, or pass", reds, reds]
    g = set_up(*(f"blue deploy:{unit}" for unit in CHOSEN["blue"]))
    assert not any("more" in words for words in asked(g)), "both are chosen"


@pytest.mark.rule("TMG-18")
@pytest.mark.parametrize(
    ("activated", "place", "told"),
    [
        (False, "table", "Pick one of your units that has not activated this round."),
        (True, "table", ""),
        (
            False,
            "reserve",
            "Pick one of your units that has not activated this round, or one that waits in Reserve.",
        ),
        (True, "reserve", "Pick one of your units that waits in Reserve."),
    ],
)
def test_nobody_is_told_to_pick_what_they_do_not_have(activated, place, told):
    red = [
        infantry("wolves", activated=activated),
        infantry("bears", activated=place == "table", place=place),
    ]
    g = clash(red)
    assert (asks(g), str(engine.step_of(g).helping(g, "red"))) == ("turn red", told)
    if place == "table":
        g = table(red)
        assert (asks(g), str(engine.step_of(g).helping(g, "red"))) == ("turn red", told)


@pytest.mark.rule("TMG-68")
def test_a_reserve_unit_is_deployed_by_its_card():
    g = with_reserve()
    side = TmgPage(g, "red", engine.offers(g, "red"), str, lambda path: path).side("red")
    offers = {card.key: card.offer.action for group in side.groups for card in group.cards if card.offer}
    assert offers == {"wolves": "activate:wolves", "bears": "deploy:bears"}


# --- scoring and the end -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-71")
def test_nothing_scores_in_round_one_and_the_centre_is_a_token_like_others():
    assert not clean_up(round=1, claims={"centre": "wolves"}).scores
    g = play(clean_up(claims={"centre": "wolves", "west": "lions"}), "red agree", "blue agree")
    assert (g.points("red"), g.points("blue")) == (1, 1)
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-71")
def test_the_commanders_token_scores_one_more():
    red = [infantry("wolves", commander=True), infantry("bears")]
    g = play(clean_up(red, claims={"west": "wolves", "centre": "bears"}), "red agree", "blue agree")
    assert g.points("red") == 3


@pytest.mark.rule("TMG-71")
def test_a_token_that_the_players_give_to_the_other_side_has_no_commander():
    g = clean_up([infantry("wolves", commander=True)], claims={"west": "wolves"})
    g = engine.adjust(g, "blue", "objective/west", "controller:west:blue")
    assert g.points("blue") == 0
    assert play(g, "red agree", "blue agree").points("blue") == 1


@pytest.mark.rule("TMG-71")
def test_a_token_that_the_players_give_to_a_side_needs_no_unit_on_it():
    g = engine.adjust(clean_up(claims={"centre": "wolves"}), "red", "objective/west", "controller:west:red")
    assert play(g, "red agree", "blue agree").points("red") == 2


@pytest.mark.rule("TMG-73")
@pytest.mark.rule("E6")
def test_a_side_with_only_its_reserve_left_is_asked_and_playing_on_comes_first():
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = engine.adjust(clash(red), "blue", "unit/wolves", "destroy:wolves")
    assert (asks(g), offered(g, "blue")) == ("ending red", [])
    assert "in Reserve" in str(engine.step_of(g).helping(g, "red"))
    styles = {offer.action: offer.style for offer in engine.offers(g, "red")}
    assert styles == {"end-match": "plain", "play-on": "main"}
    g = play(g, "red play-on")
    assert offered(g, "red") == ["deploy:bears", "deploy:wolves", "pass"]
    gone = engine.adjust(clash(red), "blue", "unit/wolves", "destroy:wolves")
    assert play(gone, "red end-match").result["winner"] == "blue"


@pytest.mark.rule("TMG-73")
def test_a_side_that_arrived_and_is_gone_again_is_asked_about_again():
    g = clash([infantry("wolves"), infantry("bears", place="reserve")])
    g = engine.adjust(g, "blue", "unit/wolves", "destroy:wolves")
    g = play(g, "red play-on", "red deploy:bears", "red arrive:own-zone")
    assert "played_on" not in g.facts
    g = engine.adjust(g, "blue", "unit/bears", "destroy:bears")
    assert asks(g) == "ending red"


@pytest.mark.rule("TMG-84")
def test_the_reserve_is_not_on_the_table_when_army_points_decide():
    g = clash([infantry("wolves"), infantry("bears", place="reserve")])
    assert end_of_match.army_points(g, "red") == 5
