"""A march is planned whole, then moved; what areas change by is settled in one place."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot.map import area_control, combat, march
from games.systems.agot.tests.tables import (
    asks,
    at,
    field,
    goes,
    marching,
    ordered,
    play,
    power,
    sent,
    table,
    within,
)
from tests.positions import offered, said


def assault(stark="blackwater:KKF", force=5, **others):
    """Stark plans a march from Blackwater on the neutral force in King's Landing."""
    g = field(stark=stark, **others)
    g.objectives["kings-landing"].neutral = force
    return marching(g, "stark", "blackwater")


def standing(g):
    """All that a march may change: units, tokens and markers, power, what is marched."""
    return {key: area.to_json() for key, area in g.objectives.items()}, g.armies["stark"].power


# --- neutral forces ------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-84")
def test_refused_support_leaves_everything_where_it_stood():
    start = assault(lannister="crackclaw-point:F")
    g = play(start, "stark to:harrenhal", "stark take:footman-1", "stark enough")
    g = play(g, "stark to:kings-landing", "stark take:knight-2", "stark go", "stark leave")
    assert asks(g) == "neutral stark"
    assert standing(g) == standing(start), "nothing has moved, no token lies"
    g = play(g, "stark support:0")
    assert standing(g) == standing(start)
    assert "Nothing moves" in said(g)
    assert (g.question.step, g.moving, g.leaving) == ("march", (), False)
    g = play(g, "stark to:harrenhal", "stark take:knight-1", "stark enough", "stark go")
    assert g.objectives["blackwater"].token == "", "the token of the failed plan is forgotten"


@pytest.mark.rule("AGOT-77")
def test_granted_support_moves_the_whole_plan_at_once():
    g = assault(lannister="crackclaw-point:F")
    g = play(g, "stark to:harrenhal", "stark take:footman-1", "stark enough")
    g = play(g, "stark to:kings-landing", "stark take:knight-2", "stark go", "stark leave", "stark support:1")
    assert g.objectives["harrenhal"].footmen == 1
    assert (g.objectives["kings-landing"].knights, g.objectives["kings-landing"].neutral) == (2, 0)
    assert (g.objectives["blackwater"].token, g.armies["stark"].power) == ("stark", 4)
    assert "Stark has marched: 1 × Footman to Harrenhal, 2 × Knight to King's Landing." in said(g)


@pytest.mark.rule("AGOT-84")
def test_units_that_are_sent_elsewhere_do_not_count():
    g = assault()
    assert "kings-landing" in goes(g, "stark")
    g = play(g, "stark to:harrenhal", "stark take:footman-1", "stark enough")
    assert "kings-landing" not in goes(g, "stark")
    with pytest.raises(IllegalAction, match="Too weak for the neutral force of 5 in King's Landing"):
        engine.play(g, "stark", "to:kings-landing")


@pytest.mark.rule("AGOT-77")
def test_where_a_march_would_fight_stands_on_the_button():
    g = field(stark="winterfell:FFK", greyjoy="karhold:F")
    g.objectives["white-harbor"].neutral = 3
    told = {
        offer.action: str(offer.detail)
        for offer in engine.offers(marching(g, "stark", "winterfell"), "stark")
    }
    assert told["to:karhold"] == "A combat"
    assert told["to:white-harbor"] == "Neutral force 3"
    assert told["to:castle-black"] == "None"


@pytest.mark.rule("AGOT-43")
def test_more_than_three_may_march_to_any_place_but_a_port():
    g = play(marching(field(stark="winterfell:FFFF"), "stark", "winterfell"), "stark to:karhold")
    assert "take:footman-4" in offered(g, "stark")
    ships = field(lannister="the-golden-sound:SSSS lannisport:F")
    for place, most in (("sunset-sea", 4), ("port-of-lannisport", 3)):
        g = play(marching(ships, "lannister", "the-golden-sound"), f"lannister to:{place}")
        assert offered(g, "lannister") == ["enough", *(f"take:ship-{n}" for n in range(1, most + 1))]


@pytest.mark.rule("AGOT-84")
def test_routed_units_do_not_count():
    g = assault()
    g.objectives["blackwater"].routed = ("footman",)
    assert "kings-landing" not in goes(g, "stark")


@pytest.mark.rule("AGOT-84")
def test_a_plan_that_cannot_win_is_not_carried_out():
    g = play(assault(), "stark to:kings-landing", "stark take:knight-1", "stark enough")
    assert "go" not in offered(g, "stark")
    reason = "Too weak for the neutral force of 5 in King's Landing."
    assert str(engine.step_of(g).helping(g, "stark")) == f"Planned: 1 × Knight to King's Landing. {reason}"
    with pytest.raises(IllegalAction, match=reason):
        engine.play(g, "stark", "go")
    g = play(g, "stark to:kings-landing", "stark take:knight-1", "stark take:footman-1", "stark go")
    assert g.question.step == "leave-token"


@pytest.mark.rule("AGOT-77")
def test_enough_strength_asks_for_no_support():
    g = play(assault(), "stark to:kings-landing", "stark take:knight-2", "stark take:footman-1", "stark go")
    g = play(g, "stark keep")
    assert g.objectives["kings-landing"].house == "stark"


@pytest.mark.rule("AGOT-82")
def test_support_counts_the_units_that_the_march_brings_beside_the_fight():
    """The footman goes to Harrenhal's neighbour Crackclaw Point, where a Support order lies."""
    g = field(6, "orders", stark="blackwater:KKF crackclaw-point:F")
    g.objectives["kings-landing"].neutral = 6
    g = at(ordered(g, blackwater="march-zero", crackclaw_point="support"), "marches", "stark")
    g = play(g, "stark march:blackwater:zero", "stark to:crackclaw-point", "stark take:footman-1")
    g = play(g, "stark enough", "stark to:kings-landing", "stark take:knight-2")
    assert "go" in offered(g, "stark")
    assert combat.most_support(g, "stark", "blackwater", "kings-landing") == 2


def test_a_planned_march_is_chosen_again_without_a_trace():
    start = assault()
    g = play(start, "stark to:kings-landing", "stark take:knight-2", "stark take:footman-1", "stark back")
    assert (standing(g), g.moving) == (standing(start), ())


def test_a_correction_in_the_middle_makes_no_unit_out_of_nothing():
    g = play(assault(force=0), "stark to:harrenhal", "stark take:knight-2", "stark enough")
    g = engine.adjust(g, "stark", "objective/blackwater", "knight:blackwater-of-stark:-1")
    g = play(g, "stark go")
    assert (g.objectives["harrenhal"].knights, g.objectives["blackwater"].knights) == (1, 0)


# --- supply --------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-05")
def test_supply_is_tested_without_those_who_leave():
    """Two armies are all that level 0 allows: a third one is fine as soon as the first is gone."""
    g = field(stark="winterfell:FF karhold:FF castle-black:F")
    g.armies["stark"].supply = 0
    g = marching(g, "stark", "winterfell")
    g = play(g, "stark to:castle-black", "stark take:footman-1", "stark enough")
    assert march.fits_after(g, "stark", "winterfell")
    g = play(g, "stark to:karhold")
    with pytest.raises(IllegalAction, match="Beyond your supply: armies of at most 2, 2"):
        engine.play(g, "stark", "go")


@pytest.mark.rule("AGOT-05")
def test_beaten_attackers_beyond_supply_are_lost_as_their_player_says():
    """One unit has joined another army; the three others are one too many when they come back."""
    g = field(stark="winterfell:FFFK castle-black:FF white-harbor:FFF moat-cailin:FF", greyjoy="karhold:F")
    g.armies["stark"].supply = 5
    g = marching(g, "stark", "winterfell")
    g = play(g, "stark to:castle-black", "stark take:footman-1", "stark enough")
    g = play(g, "stark to:karhold", "stark take:footman-1", "stark take:knight-1", "stark enough", "stark go")
    g = play(g, "greyjoy wins:defender", "stark enough")
    assert (asks(g), offered(g, "stark")) == ("shed stark", ["lose:footman", "lose:knight"])
    g = play(g, "stark lose:footman")
    home = g.objectives["winterfell"]
    assert (home.footmen, home.knights, home.routed) == (1, 1, ("knight",))
    assert area_control.fits(g, "stark")


@pytest.mark.rule("AGOT-05")
def test_attackers_are_no_army_with_those_who_stay_behind():
    """One stays, one joins another, one attacks: until the fight is over two of them stand in Winterfell."""
    g = field(stark="winterfell:FFF white-harbor:FF karhold:F", greyjoy="castle-black:F")
    g.armies["stark"].supply = 1
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1", "castle-black footman 1")
    assert (asks(g), area_control.fits(g, "stark")) == ("battle stark greyjoy", False)
    assert engine.problems(g) == ()
    g.objectives["white-harbor"].footmen = 3
    g.objectives["karhold"].footmen = 3
    assert [str(line) for line in engine.problems(g)] == ["Stark has armies beyond its supply."]


@pytest.mark.rule("AGOT-05")
def test_attackers_who_would_be_too_large_an_army_where_they_win_are_a_problem():
    """A correction has lowered supply while they fight."""
    g = field(stark="winterfell:FFF", greyjoy="castle-black:F")
    g = sent(marching(g, "stark", "winterfell"), "stark", "castle-black footman 3")
    assert engine.problems(g) == ()
    g.armies["stark"].supply = 0
    assert [str(line) for line in engine.problems(g)] == ["Stark has armies beyond its supply."]


@pytest.mark.rule("AGOT-53")
def test_ships_of_a_port_are_replaced_by_what_supply_allows_after_the_fight():
    g = field(stark="riverrun:FFF karhold:FF", lannister="port-of-lannisport:SS", greyjoy="harrenhal:F")
    g.armies["stark"].supply = 1
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 1", "harrenhal footman 1")
    assert offered(g, "stark") == ["replace 0-2"]
    g = play(g, "stark replace:2", "stark wins:attacker", "greyjoy lose:footman")
    assert (g.objectives["harrenhal"].house, area_control.fits(g, "stark")) == ("stark", True)


# --- leaving an area -----------------------------------------------------------------------------


@pytest.mark.rule("AGOT-60")
def test_an_area_with_routed_units_is_not_left():
    g = field(stark="white-harbor:FF")
    g.objectives["white-harbor"].routed = ("footman",)
    g = sent(marching(g, "stark", "white-harbor"), "stark", "moat-cailin footman 1")
    assert g.question.step != "leave-token"
    assert area_control.controller(g, "white-harbor") == "stark"


@pytest.mark.rule("AGOT-53")
def test_ships_are_replaced_from_the_pool_only():
    seas = "sunset-sea:S bay-of-ice:S blackwater-bay:S sea-of-dorne:S the-narrow-sea:S"
    g = field(stark=f"stoney-sept:F {seas}", lannister="port-of-lannisport:SSS")
    g = sent(marching(g, "stark", "stoney-sept"), "stark", "lannisport footman 1")
    assert offered(play(g, "stark keep"), "stark") == ["replace 0-1"]


# --- settling ------------------------------------------------------------------------------------

SIX = "white-harbor:F seagard:F riverrun:F"
"""White Harbor 1, Seagard 1, Riverrun 1 and the crest of Winterfell: four castles and strongholds."""


@pytest.mark.rule("BASE-09")
def test_a_home_that_reverts_can_be_the_seventh():
    g = field(stark=f"{SIX} moat-cailin:F flints-finger:F harrenhal:F", greyjoy="winterfell:F")
    area_control.recount(g)
    assert g.points("stark") == 6
    g = sent(marching(power(g, greyjoy=0), "greyjoy", "winterfell"), "greyjoy", "karhold footman 1")
    assert (g.result["winner"], g.result["how"]) == ("stark", "seven")


@pytest.mark.rule("BASE-09")
def test_the_seventh_wins_in_the_middle_of_a_wildling_attack():
    g = field(3, stark=f"{SIX} moat-cailin:F flints-finger:F harrenhal:F", lannister="winterfell:F")
    area_control.recount(g)
    g = within(g, "perish", "lannister", "1", "", wildling="mammoth-riders")
    g = play(g, "lannister lose:winterfell:footman")
    assert (g.result["winner"], g.result["how"]) == ("stark", "seven")


@pytest.mark.rule("BASE-09")
@pytest.mark.rule("AGOT-62")
@pytest.mark.parametrize(
    ("units", "routed", "answers", "expected"),
    [
        ("FF", (), ["keep"], (6, "battle")),
        ("FF", (), ["keep", "wins:attacker"], (6, "marches")),
        ("FF", (), ["keep", "wins:defender", "lose:footman"], (6, "marches")),
        ("FF", (), ["keep", "wins:defender", "enough"], (7, "over")),
        ("FF", (), ["leave"], (7, "over")),
        ("FFF", (), [], (7, "over")),
        ("FFK", ("knight",), [], (7, "over")),
    ],
)
def test_a_castle_that_is_given_up_for_a_fight_counts_no_more(units, routed, answers, expected):
    """From Moat Cailin, one of six, one footman takes Seagard and another attacks Greywater Watch."""
    g = field(
        3,
        stark=f"winterfell:F white-harbor:F moat-cailin:{units} flints-finger:F riverrun:F harrenhal:F",
        lannister="greywater-watch:E",
    )
    g.objectives["moat-cailin"].routed = routed
    area_control.recount(g)
    g = marching(g, "stark", "moat-cailin")
    g = sent(g, "stark", "seagard footman 1", "greywater-watch footman 1")
    g = play(g, *(f"stark {answer}" for answer in answers))
    if g.result is None and g.question.step == "losses":
        g = play(g, "lannister enough")
    assert (g.points("stark"), "over" if g.result else g.question.step) == expected


@pytest.mark.rule("BASE-09")
@pytest.mark.rule("AGOT-71")
def test_a_home_that_is_given_up_for_a_fight_counts_for_its_house_at_once():
    g = field(
        stark=f"{SIX} moat-cailin:F flints-finger:F harrenhal:F", greyjoy="winterfell:F", tyrell="karhold:F"
    )
    area_control.recount(g)
    g = sent(marching(g, "greyjoy", "winterfell"), "greyjoy", "karhold footman 1")
    assert play(g, "greyjoy leave").question.step == "battle"
    won = play(g, "greyjoy keep")
    assert (won.result["winner"], won.points("stark"), won.points("greyjoy")) == ("stark", 7, 1)


@pytest.mark.rule("AGOT-68")
def test_a_home_whose_attackers_are_corrected_away_counts_once():
    g = field(3, stark="winterfell:F", lannister="karhold:F")
    area_control.recount(g)
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    g = engine.adjust(g, "stark", "objective/winterfell", "footman:winterfell-of-stark:-1")
    assert (g.question.step, g.points("stark")) == ("battle", 1)


@pytest.mark.rule("AGOT-62")
def test_while_a_march_is_only_planned_the_area_counts_as_before():
    g = field(3, stark="moat-cailin:F", lannister="greywater-watch:F")
    area_control.recount(g)
    g = play(marching(g, "stark", "moat-cailin"), "stark to:greywater-watch")
    g = engine.adjust(g, "stark", "objective/karhold", "footman:karhold-of-stark:1")
    assert (g.question.step, g.points("stark")) == ("march", 2)


@pytest.mark.rule("AGOT-71")
def test_a_home_that_is_lost_by_a_beaten_attack_returns_with_its_port():
    g = field(
        stark="lannisport:F port-of-lannisport:S", greyjoy="stoney-sept:F", lannister="the-golden-sound:S"
    )
    area_control.recount(g)
    g = play(sent(marching(g, "stark", "lannisport"), "stark", "stoney-sept footman 1"), "stark keep")
    g = play(g, "greyjoy wins:defender", "stark lose:footman")
    assert area_control.controller(g, "lannisport") == "lannister"
    assert (g.points("lannister"), asks(g)) == (1, "take-port lannister")


def test_ships_are_lost_when_all_attackers_from_their_land_fall():
    g = field(stark="oldtown:F port-of-oldtown:SS", greyjoy="three-towers:F")
    g = play(sent(marching(g, "stark", "oldtown"), "stark", "three-towers footman 1"), "stark keep")
    g = play(g, "greyjoy wins:defender", "stark lose:footman")
    assert g.objectives["port-of-oldtown"].ships == 0
    assert "The ships in Port of Oldtown are lost with the land." in said(g)


@pytest.mark.rule("AGOT-90")
def test_settling_takes_a_garrison_off_where_another_house_stands():
    g = field(stark="lannisport:F winterfell:F")
    g.objectives["lannisport"].garrison = 2
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    assert g.objectives["lannisport"].garrison == 0


def test_a_table_that_plays_on_is_not_ended_by_the_next_march():
    g = field(stark=f"{SIX} moat-cailin:F flints-finger:F harrenhal:F winterfell:F")
    g = at(g, "marches", "stark", played_on=("stark",))
    area_control.recount(g)
    g = sent(play(g, "stark march:winterfell:zero"), "stark", "karhold footman 1")
    assert g.result is None


@pytest.mark.rule("BASE-09")
def test_who_has_lost_the_seventh_after_playing_on_wins_with_the_next_one():
    """The table played on with a count that was wrong, and put it right."""
    g = at(field(3, stark=f"{SIX} moat-cailin:F flints-finger:F harrenhal:F"), "raven")
    area_control.recount(g)
    g = play(engine.adjust(g, "stark", "army/stark", "power:stark:1"), "lannister play-on")
    g = engine.adjust(g, "stark", "objective/harrenhal", "footman:harrenhal-of-stark:-1")
    assert (g.points("stark"), g.question.step) == (6, "raven")
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 1")
    g = play(g, "stark leave")
    assert (g.result["winner"], g.result["how"]) == ("stark", "seven")


@pytest.mark.rule("BASE-09")
def test_the_seventh_is_asked_about_again_when_it_was_lost_in_between():
    g = engine.adjust(table(), "stark", "army/stark", "castles:stark:5")
    g = play(g, "lannister play-on")
    g = engine.adjust(g, "stark", "army/stark", "castles:stark:-1")
    assert g.question.step == "planning"
    assert engine.adjust(g, "stark", "army/stark", "castles:stark:1").question.step == "ending"


def test_a_correction_moves_no_ships_and_the_next_march_does():
    g = field(stark="winterfell:F oldtown:F port-of-oldtown:S")
    g = engine.adjust(at(g, "marches", "stark"), "stark", "objective/oldtown", "footman:oldtown-of-stark:-1")
    assert g.objectives["port-of-oldtown"].ships == 1
    g = sent(play(g, "stark march:winterfell:zero"), "stark", "karhold footman 1")
    assert g.objectives["port-of-oldtown"].ships == 0


# --- support -------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-78")
def test_a_siege_engine_supports_no_defence():
    g = field(stark="riverrun:F", lannister="lannisport:F stoney-sept:EF", greyjoy="searoad-marches:E")
    g.objectives["the-golden-sound"].house, g.objectives["the-golden-sound"].ships = "tyrell", 1
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 1")
    g = play(g, "stark keep") if g.question.step == "leave-token" else g
    told = str(engine.step_of(g).helping(g, None))
    assert "Stoney Sept 1" in told
    assert "The Golden Sound 1" in told, told
    assert "Searoad Marches 4 for the attack, 0 for the defence" in told
    assert combat.support_of(g, "lannisport")["stoney-sept"] == 5
    assert combat.defence(field(stark="winterfell:FE"), "winterfell") == 1, "nor does it defend itself"
