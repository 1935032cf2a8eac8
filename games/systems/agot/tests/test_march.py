"""Marches, transport, fights, retreats, garrisons and ports with the whole map."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot import pieces
from games.systems.agot.map import area_control, combat, march, moving_units
from games.systems.agot.tests.tables import asks, at, field, goes, marching, play, sent
from tests.positions import offered, said

# --- ships ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-35")
def test_a_chain_of_own_ships_joins_land():
    g = field(stark="karhold:F the-shivering-sea:S the-narrow-sea:S")
    assert area_control.reach(g, "stark", "karhold") == {
        "castle-black", "winterfell", "white-harbor", "widows-watch", "moat-cailin", "the-twins",
        "the-fingers", "the-mountains-of-the-moon", "the-eyrie", "crackclaw-point",
    }  # fmt: skip
    g = field(stark="karhold:F the-narrow-sea:S")
    assert area_control.reach(g, "stark", "karhold") == {"castle-black", "winterfell"}
    g = field(greyjoy="pyke:F port-of-pyke:S")
    assert area_control.reach(g, "greyjoy", "pyke") == set()


@pytest.mark.rule("AGOT-36")
def test_the_same_ships_carry_several_marches():
    g = field(greyjoy="pyke:FF flints-finger:F ironmans-bay:S")
    g = sent(marching(g, "greyjoy", "pyke"), "greyjoy", "riverrun footman 1", "seagard footman 1")
    g = sent(marching(g, "greyjoy", "flints-finger"), "greyjoy", "pyke footman 1")
    assert [g.objectives[key].footmen for key in ("riverrun", "seagard")] == [1, 1]


@pytest.mark.rule("AGOT-37")
def test_nobody_is_carried_by_another_house():
    g = field(stark="karhold:F the-shivering-sea:S", baratheon="the-narrow-sea:S")
    assert "the-eyrie" not in area_control.reach(g, "stark", "karhold")


@pytest.mark.rule("AGOT-38")
def test_routed_ships_carry_too():
    g = field(greyjoy="pyke:F ironmans-bay:S")
    g.objectives["ironmans-bay"].routed = ("ship",)
    assert "riverrun" in area_control.reach(g, "greyjoy", "pyke")


@pytest.mark.rule("AGOT-39")
def test_one_march_starts_one_fight():
    g = field(stark="winterfell:FFK", greyjoy="karhold:F", lannister="white-harbor:F")
    g = marching(g, "stark", "winterfell")
    g = play(g, "stark to:castle-black", "stark take:footman-1", "stark enough")
    g = play(g, "stark to:karhold", "stark take:footman-1", "stark enough")
    assert "white-harbor" not in goes(g, "stark")
    with pytest.raises(IllegalAction, match="one march starts one combat"):
        engine.play(g, "stark", "to:white-harbor")


@pytest.mark.rule("AGOT-40")
def test_ships_bring_no_support_across_the_sea():
    g = field(stark="karhold:K the-narrow-sea:S the-shivering-sea:S")
    assert "karhold" not in combat.support_of(g, "the-eyrie")
    assert combat.support_of(g, "the-eyrie") == {"the-narrow-sea": 1}


# --- ports ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-48")
def test_ships_go_from_the_sea_to_own_ports_and_back():
    g = field(lannister="ironmans-bay:S", greyjoy="the-golden-sound:S port-of-pyke:S")
    assert "port-of-pyke" not in goes(marching(g, "lannister", "ironmans-bay"), "lannister")
    own = field(greyjoy="ironmans-bay:S")
    assert "port-of-pyke" in goes(marching(own, "greyjoy", "ironmans-bay"), "greyjoy")
    assert goes(marching(field(greyjoy="port-of-pyke:S"), "greyjoy", "port-of-pyke"), "greyjoy") == {
        "ironmans-bay"
    }
    with pytest.raises(IllegalAction, match="Port of Pyke is not your port"):
        engine.play(marching(g, "lannister", "ironmans-bay"), "lannister", "to:port-of-pyke")
    far = marching(field(lannister="sunset-sea:S"), "lannister", "sunset-sea")
    with pytest.raises(IllegalAction, match="Port of Pyke is not adjacent"):
        engine.play(far, "lannister", "to:port-of-pyke")


def test_no_fourth_ship_is_planned_for_a_port_in_two_groups():
    g = marching(field(greyjoy="ironmans-bay:SSS port-of-pyke:S"), "greyjoy", "ironmans-bay")
    g = play(g, "greyjoy to:port-of-pyke")
    assert offered(g, "greyjoy") == ["enough", "take:ship-1", "take:ship-2"]
    g = play(g, "greyjoy take:ship-2")
    assert asks(g) == "march greyjoy", "a full port leaves nothing to be asked"
    assert "port-of-pyke" not in goes(g, "greyjoy")


def test_a_fourth_ship_does_not_fit_a_port():
    g = marching(field(greyjoy="ironmans-bay:S port-of-pyke:SSS"), "greyjoy", "ironmans-bay")
    with pytest.raises(IllegalAction, match="Port of Pyke holds three ships already"):
        engine.play(g, "greyjoy", "to:port-of-pyke")


@pytest.mark.rule("AGOT-41")
@pytest.mark.parametrize(
    ("start", "to", "why"),
    [
        ("ironmans-bay", "pyke", "Ships do not go on land"),
        ("ironmans-bay", "the-narrow-sea", "The Narrow Sea is not adjacent"),
        ("flints-finger", "ironmans-bay", "Land units stand neither in seas nor in ports"),
        ("flints-finger", "pyke", "Pyke is not adjacent, and your ships do not connect it"),
    ],
)
def test_out_of_reach_is_told_why(start, to, why):
    g = field(greyjoy="ironmans-bay:S" if start == "ironmans-bay" else "flints-finger:F")
    with pytest.raises(IllegalAction, match=why):
        engine.play(marching(g, "greyjoy", start), "greyjoy", f"to:{to}")


@pytest.mark.rule("AGOT-05")
def test_armies_that_are_too_large_already_let_a_march_move_nobody():
    g = field(3, stark="winterfell:FFFF karhold:FF")
    g.armies["stark"].supply = 0
    g = marching(g, "stark", "winterfell")
    assert "go" in offered(g, "stark")
    g = play(g, "stark to:white-harbor", "stark take:footman-1", "stark enough")
    assert "go" not in offered(g, "stark")


def test_who_has_no_march_order_left_says_so_and_is_not_asked_again():
    g = field(3, stark="winterfell:F karhold:F", lannister="lannisport:F", baratheon="kingswood:F")
    g, asked = at(g, "marches", marched=(), moving=()), []
    while g.question.step == "marches":
        (seat,) = engine.to_act(g)
        assert "no-march" in offered(g, seat)
        asked.append(seat)
        g = play(g, f"{seat} no-march")
    assert sorted(asked) == ["baratheon", "lannister", "stark"]


@pytest.mark.rule("AGOT-53")
def test_whose_supply_is_full_replaces_no_ship_of_a_port():
    g = field(3, stark="winterfell:FFF lannisport:F", lannister="port-of-lannisport:SS")
    g.armies["stark"].supply = 0
    step = moving_units.TakePort("stark", "port-of-lannisport")
    assert (step.most(g), step.asked(g)) == (0, ())
    g.armies["stark"].supply = 6
    assert (step.most(g), step.asked(g)) == (2, ("stark",))


@pytest.mark.rule("AGOT-53")
def test_without_a_ship_in_the_pool_those_of_the_port_are_removed_unasked():
    seas = "sunset-sea:S bay-of-ice:S blackwater-bay:S sea-of-dorne:S the-narrow-sea:S the-shivering-sea:S"
    g = field(stark=f"stoney-sept:F {seas}", lannister="port-of-lannisport:SS")
    g = play(sent(marching(g, "stark", "stoney-sept"), "stark", "lannisport footman 1"), "stark keep")
    assert g.question.step != "take-port"
    assert (g.objectives["port-of-lannisport"].ships, g.objectives["port-of-lannisport"].house) == (0, "")


@pytest.mark.rule("AGOT-39")
def test_the_only_unit_goes_with_the_tap_on_its_first_destination():
    g = play(marching(field(stark="winterfell:F"), "stark", "winterfell"), "stark to:karhold")
    assert g.moving == (("karhold", "footman", 1),)
    assert said(g).endswith("Stark plans: 1 × Footman to Karhold.")
    assert (goes(g, "stark"), offered(g, "stark")) == (set(), ["back", "go"])


def test_the_last_of_two_goes_elsewhere_at_once_but_is_asked_about_where_the_first_went():
    g = play(marching(field(stark="winterfell:FF"), "stark", "winterfell"), "stark to:karhold")
    assert offered(g, "stark") == ["enough", "take:footman-1", "take:footman-2"]
    g = play(g, "stark take:footman-1")
    assert offered(g, "stark") == ["enough", "take:footman-1"]
    g = play(g, "stark enough")
    assert offered(play(g, "stark to:karhold"), "stark") == ["enough", "take:footman-1"]
    g = play(g, "stark to:castle-black")
    assert g.moving == (("karhold", "footman", 1), ("castle-black", "footman", 1))


def test_one_unit_of_each_kind_is_a_choice():
    g = play(marching(field(stark="winterfell:FK"), "stark", "winterfell"), "stark to:karhold")
    assert offered(g, "stark") == ["enough", "take:footman-1", "take:knight-1"]


def test_an_unknown_area_gets_a_sentence():
    g = marching(field(greyjoy="ironmans-bay:S"), "greyjoy", "ironmans-bay")
    with pytest.raises(IllegalAction, match="There is no such area on the map"):
        engine.play(g, "greyjoy", "to:mordor")


@pytest.mark.rule("AGOT-49")
def test_ships_in_a_port_support_only_in_their_sea():
    g = field(lannister="port-of-lannisport:SS")
    assert combat.support_of(g, "the-golden-sound") == {"port-of-lannisport": 2}
    assert combat.support_of(g, "lannisport") == {}


@pytest.mark.rule("AGOT-53")
@pytest.mark.parametrize(
    ("level", "armies", "most"), [(0, "karhold:FF castle-black:FF", 1), (0, "karhold:FF", 2)]
)
def test_who_takes_the_land_may_replace_the_ships(level, armies, most):
    seas = "sunset-sea:S bay-of-ice:S blackwater-bay:S sea-of-dorne:S"
    g = field(stark=f"stoney-sept:F {armies} {seas}", lannister="port-of-lannisport:SSS")
    g.armies["stark"].supply = level
    g = sent(marching(g, "stark", "stoney-sept"), "stark", "lannisport footman 1")
    if g.question.step == "leave-token":
        g = play(g, "stark keep")
    assert offered(g, "stark") == [f"replace 0-{most}"]
    g = play(g, "stark replace:1")
    port = g.objectives["port-of-lannisport"]
    assert (port.house, port.ships) == ("stark", 1)


def test_ships_are_lost_with_land_that_nobody_holds():
    g = field(lannister="oldtown:F port-of-oldtown:S")
    g.armies["lannister"].power = 0
    g = sent(marching(g, "lannister", "oldtown"), "lannister", "three-towers footman 1")
    assert g.objectives["port-of-oldtown"].ships == 0
    assert "The ships in Port of Oldtown are lost with the land." in said(g)


# --- fights --------------------------------------------------------------------------------------


def fight(stark="winterfell:FK", greyjoy="karhold:F", target="karhold", garrison=0):
    """Stark marches a footman and a knight from Winterfell into a fight."""
    g = field(stark=stark, greyjoy=greyjoy)
    g.objectives[target].garrison = garrison
    g = marching(g, "stark", stark.partition(":")[0])
    return play(g, f"stark to:{target}", "stark take:footman-1", "stark take:knight-1", "stark go")


@pytest.mark.rule("AGOT-88")
@pytest.mark.rule("BASE-07")
def test_a_garrison_adds_its_strength_in_defence():
    g = field(stark="riverrun:FK", lannister="lannisport:F")
    g.objectives["lannisport"].garrison = 2
    g = marching(g, "stark", "riverrun")
    g = play(
        g, "stark to:lannisport", "stark take:footman-1", "stark take:knight-1", "stark go", "stark leave"
    )
    help = str(engine.step_of(g).helping(g, None))
    assert help == "Stark 3 with its order, Lannister 3. Support near: none."


@pytest.mark.rule("AGOT-89")
@pytest.mark.rule("AGOT-90")
def test_a_garrison_alone_fights_once_and_leaves_the_game():
    g = field(stark="riverrun:FK")
    g.objectives["lannisport"].garrison = 2
    g = marching(g, "stark", "riverrun")
    g = play(
        g, "stark to:lannisport", "stark take:footman-1", "stark take:knight-1", "stark go", "stark leave"
    )
    assert asks(g) == "battle stark lannister"
    assert "Lannister wins the combat." in said(play(g, "stark wins:defender"))
    g = play(g, "lannister wins:attacker")
    assert "Stark wins the combat." in said(g)
    assert g.objectives["lannisport"].garrison == 0
    assert area_control.controller(g, "lannisport") == "stark"
    assert not area_control.is_defended(field(stark="riverrun:FK"), "stark", "lannisport")


@pytest.mark.parametrize(
    ("place", "token", "garrison", "asked", "answers"),
    [
        ("karhold", "", 0, "stark", ["Stark wins (attack)", "Stark loses (attack)"]),
        ("lannisport", "", 0, "stark", ["Stark wins (attack)", "Stark loses (attack)"]),
        ("karhold", "stark", 0, "stark", ["Stark wins (attack)", "Stark loses (attack)"]),
        ("pyke", "", 2, "stark greyjoy", ["Stark wins (attack)", "Greyjoy wins (defence)"]),
        ("karhold", "greyjoy", 0, "stark greyjoy", ["Stark wins (attack)", "Greyjoy wins (defence)"]),
    ],
)
def test_a_combat_whose_last_defender_fell_to_a_card_is_still_decided(place, token, garrison, asked, answers):
    """Its units are corrected away; a house that only has its crest there is not asked."""
    g = field(stark="seagard:F", greyjoy=f"{place}:F")
    g.objectives[place].token, g.objectives[place].garrison = token, garrison
    g = at(g, "battle", "stark", "seagard", place, "zero", moving=((place, "footman", 1),))
    g = engine.adjust(g, "stark", f"objective/{place}", f"footman:{place}-of-greyjoy:-1")
    assert asks(g) == f"battle {asked}"
    assert [str(offer.label) for offer in engine.offers(g, "stark")] == answers
    g = play(g, "stark wins:defender")
    assert answers[1].partition(" (")[0] in said(g)
    assert asks(g) == "losses stark"


@pytest.mark.rule("AGOT-90")
def test_a_beaten_garrison_is_gone_before_its_units_retreat_and_the_log_says_so():
    g = field(stark="riverrun:FK", lannister="lannisport:F")
    g.objectives["lannisport"].garrison = 2
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 1")
    g = play(g, "stark wins:attacker", "lannister enough")
    assert (asks(g), g.objectives["lannisport"].house) == ("retreat lannister", "lannister")
    assert g.objectives["lannisport"].garrison == 0
    assert "The garrison of Lannisport is removed from the game." in said(g)


@pytest.mark.rule("AGOT-90")
def test_where_no_garrison_was_beaten_the_log_speaks_of_none():
    g = play(fight(), "stark wins:attacker", "greyjoy enough")
    assert "garrison" not in said(g)


@pytest.mark.rule("AGOT-72")
def test_the_beaten_retreat_to_areas_of_nobody_else():
    g = fight()
    g.objectives["castle-black"].token = "lannister"
    g = play(g, "stark wins:attacker", "greyjoy enough")
    assert "Greyjoy has nowhere to retreat: its units are lost." in said(g)
    g = play(fight(), "stark wins:attacker", "greyjoy enough")
    assert g.objectives["castle-black"].routed == ("footman",)
    assert g.objectives["karhold"].house == "stark"


def test_a_retreat_keeps_to_supply():
    g = fight(greyjoy="karhold:F castle-black:FF the-arbor:FF")
    g.armies["greyjoy"].supply = 0
    g = play(g, "stark wins:attacker", "greyjoy enough")
    assert "nowhere to retreat" in said(g)


def test_losses_are_taken_one_by_one():
    g = play(fight(greyjoy="karhold:FK"), "stark wins:attacker", "greyjoy lose:footman")
    assert offered(g, "greyjoy") == ["enough", "lose:knight"]


def test_beaten_attackers_go_home_routed_and_their_engines_are_lost():
    g = field(stark="winterfell:FE", greyjoy="karhold:F")
    g = marching(g, "stark", "winterfell")
    g = play(g, "stark to:karhold", "stark take:footman-1", "stark take:siege-engine-1", "stark go")
    g = play(g, "stark wins:defender", "stark enough")
    home = g.objectives["winterfell"]
    assert (home.footmen, home.siege_engines, home.routed) == (1, 0, ("footman",))
    assert at(g, "realms").objectives["winterfell"].routed == ()


def test_the_end_of_a_march_keeps_to_supply():
    g = field(stark="winterfell:FF karhold:FF castle-black:F")
    g.armies["stark"].supply = 0
    g = marching(g, "stark", "castle-black")
    g = play(g, "stark to:karhold")
    assert "go" not in offered(g, "stark")
    assert "back" in offered(g, "stark")
    assert march.fits_after(play(g, "stark back"), "stark", "castle-black")


def test_an_area_marches_once_and_an_order_is_used_once():
    g = at(field(stark="winterfell:FF karhold:F"), "marches", "stark")
    g = play(g, "stark march:winterfell:plus", "stark go")
    actions = offered(g, "stark")
    assert "march:karhold:zero" in actions
    assert "march:karhold:plus" not in actions
    assert not any("winterfell" in action for action in actions)


def test_the_seventh_castle_wins_the_moment_it_is_taken():
    held = "winterfell:FF white-harbor:F seagard:F riverrun:F harrenhal:F flints-finger:F"
    g = field(stark=held)
    area_control.recount(g)
    g = sent(marching(g, "stark", "winterfell"), "stark", "moat-cailin footman 1")
    assert g.result["winner"] == "stark"
    assert g.result["how"] == "seven"
    assert pieces.points("moat-cailin") == 1


@pytest.mark.rule("AGOT-50")
def test_raids_are_explained_between_port_and_sea():
    g = at(field(), "raids")
    help = str(engine.step_of(g).helping(g, None))
    assert "A port raids only its sea, and is raided only from there." in help


@pytest.mark.rule("AGOT-41")
@pytest.mark.parametrize(
    ("start", "to"), [("the-narrow-sea:F", "the-shivering-sea"), ("karhold:S", "winterfell")]
)
def test_units_where_none_of_their_kind_belongs_stay_there(start, to):
    """Only the organisers' corrections bring them there."""
    key = start.partition(":")[0]
    g = marching(field(stark=start), "stark", key)
    assert offered(g, "stark") == ["go"]
    reason = march.why_not(g, "stark", key, to)
    assert str(engine.step_of(g).helping(g, "stark")).count(str(reason)) == 1
    with pytest.raises(IllegalAction):
        play(g, f"stark to:{to}")
    play(g, "stark go")


@pytest.mark.rule("AGOT-41")
def test_a_footman_among_ships_stays_when_they_sail():
    g = sent(
        marching(field(stark="the-narrow-sea:SF"), "stark", "the-narrow-sea"),
        "stark",
        "the-shivering-sea ship 1",
    )
    assert g.objectives["the-shivering-sea"].units == ("ship",)
    assert g.objectives["the-narrow-sea"].units == ("footman",)
