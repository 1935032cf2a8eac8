"""Where beaten units go: never back to the attack, never beyond supply, and whom that costs."""

import pytest

from games.core import engine
from games.systems.agot.map import area_control, combat
from games.systems.agot.tests.tables import asks, at, field, marching, play, sent
from tests.positions import offered, said


def beaten(greyjoy, target="karhold", stark="winterfell:FK", level=6, group="footman 1", routed=()):
    """Stark has won the fight; no card costs Greyjoy anything."""
    g = field(stark=stark, greyjoy=greyjoy)
    g.armies["greyjoy"].supply = level
    g.objectives[target].routed = routed
    g = sent(marching(g, "stark", stark.partition(":")[0]), "stark", f"{target} {group}")
    g = play(g, "stark wins:attacker")
    return play(g, "greyjoy enough") if g.question.step == "losses" else g


@pytest.mark.rule("AGOT-72")
def test_nobody_retreats_to_where_the_attack_came_from():
    """Winterfell stands empty, as the only Stark has come from there; the crest is not what keeps it shut."""
    g = field(stark="moat-cailin:F", greyjoy="white-harbor:F")
    g = play(sent(marching(g, "stark", "moat-cailin"), "stark", "white-harbor footman 1"), "stark keep")
    g = play(g, "stark wins:attacker", "greyjoy enough")
    assert area_control.controller(g, "moat-cailin") in ("", "stark")
    assert "retreat:moat-cailin" not in offered(g, "greyjoy")


@pytest.mark.rule("AGOT-72")
def test_ships_do_not_retreat_to_the_sea_that_the_attack_came_from():
    g = beaten("ironmans-bay:S", "ironmans-bay", "sunset-sea:S", group="ship 1")
    assert g.objectives["sunset-sea"].house == "stark"
    places = ["retreat:port-of-pyke", "retreat:the-golden-sound"]
    assert offered(g, "greyjoy") == places
    g = engine.adjust(g, "stark", "objective/sunset-sea", "ship:sunset-sea-of-stark:-1")
    assert offered(g, "greyjoy") == places, "not even if nobody stands there any more"


@pytest.mark.rule("AGOT-43")
def test_nobody_retreats_into_a_full_port():
    g = beaten("ironmans-bay:S port-of-pyke:SSS", "ironmans-bay", "sunset-sea:S", group="ship 1")
    assert (g.objectives["the-golden-sound"].ships, g.objectives["port-of-pyke"].ships) == (1, 3)


@pytest.mark.rule("AGOT-90")
def test_routed_defenders_fall():
    g = beaten("karhold:FK", routed=("footman",))
    assert "Greyjoy loses: Footman." in said(g)
    assert g.objectives["castle-black"].to_json()["knights"] == 1
    assert g.objectives["castle-black"].footmen == 0


@pytest.mark.rule("AGOT-90")
def test_of_units_alike_the_routed_one_is_lost_to_the_cards_first():
    """It would fall anyway, so nobody would give up the one that can still retreat."""
    g = field(stark="winterfell:FK", greyjoy="karhold:FF")
    g.objectives["karhold"].routed = ("footman",)
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    g = play(g, "stark wins:attacker", "greyjoy lose:footman", "greyjoy enough")
    assert (g.objectives["castle-black"].footmen, g.objectives["castle-black"].routed) == (1, ("footman",))


@pytest.mark.rule("AGOT-90")
def test_the_log_counts_what_falls_in_a_lost_combat():
    assert "Greyjoy loses: 2 × Siege engine." in said(beaten("karhold:EE"))
    assert "Greyjoy loses: 2 × Footman." in said(beaten("karhold:FFK", routed=("footman",) * 2))
    g = marching(field(stark="winterfell:EEF", greyjoy="karhold:F"), "stark", "winterfell")
    g = sent(g, "stark", "karhold siege-engine 2")
    assert "Stark loses: 2 × Siege engine." in said(play(g, "stark wins:defender", "stark enough"))


@pytest.mark.rule("AGOT-05")
def test_a_retreat_beyond_supply_loses_units_as_its_player_says():
    g = beaten("karhold:FKK castle-black:F pyke:FF", level=0)
    assert (asks(g), offered(g, "greyjoy")) == ("shed greyjoy", ["lose:footman", "lose:knight"])
    assert str(engine.step_of(g).helping(g, None)) == "Armies of at most 2, 2"
    g = play(g, "greyjoy lose:footman")
    assert "Greyjoy loses: Knight." in said(g), "two alike leave no choice"
    there = g.objectives["castle-black"]
    assert (there.footmen, there.knights, there.routed) == (1, 1, ("knight",))
    assert g.objectives["karhold"].house == "stark"
    assert area_control.fits(g, "greyjoy")


@pytest.mark.rule("AGOT-05")
def test_a_retreat_goes_where_most_fit():
    """At level 0 Castle Black has room for one, an empty sea's other shore for both."""
    g = beaten("karhold:FF castle-black:F the-shivering-sea:S", level=0)
    assert "retreat:castle-black" not in offered(g, "greyjoy")
    assert "retreat:widows-watch" in offered(g, "greyjoy")


@pytest.mark.rule("AGOT-05")
def test_an_army_that_is_full_takes_nobody():
    g = beaten("karhold:F castle-black:FF pyke:FF", level=0)
    assert "Greyjoy has nowhere to retreat: its units are lost." in said(g)
    assert (g.objectives["karhold"].house, g.objectives["karhold"].footmen) == ("stark", 1)


@pytest.mark.rule("AGOT-05")
@pytest.mark.parametrize(("there", "room"), [("", 3), ("F", 2), ("FF", 1), ("FFF", 0)])
def test_an_area_takes_as_many_as_make_a_whole_army(there, room):
    g = field(greyjoy=f"karhold:FFF castle-black:{there} pyke:FF")
    g.objectives["castle-black"].house = "greyjoy" if there else ""
    g.armies["greyjoy"].supply = 1
    assert combat.room(g, "greyjoy", "karhold", "castle-black") == room


@pytest.mark.rule("AGOT-05")
def test_who_is_beyond_supply_elsewhere_already_still_retreats():
    """Pyke was entered too large: the loss of the beaten would not mend that."""
    g = beaten("karhold:F pyke:FFF", level=0)
    assert (g.objectives["castle-black"].footmen, g.objectives["karhold"].house) == (1, "stark")


@pytest.mark.rule("AGOT-43")
def test_a_full_port_has_no_room_even_for_who_is_beyond_supply_anyway():
    g = field(greyjoy="ironmans-bay:S port-of-pyke:SSS pyke:FFF karhold:FFF")
    g.armies["greyjoy"].supply = 0
    assert combat.room(g, "greyjoy", "ironmans-bay", "port-of-pyke") == 0
    g.objectives["port-of-pyke"].ships = 2
    assert combat.room(g, "greyjoy", "ironmans-bay", "port-of-pyke") == 1


@pytest.mark.rule("AGOT-05")
def test_a_port_takes_as_many_as_it_has_room_for():
    enemies = "the-golden-sound:S"
    g = field(stark="sunset-sea:S", lannister=enemies, greyjoy="ironmans-bay:SS port-of-pyke:SS")
    g = sent(marching(g, "stark", "sunset-sea"), "stark", "ironmans-bay ship 1")
    g = play(g, "stark wins:attacker", "greyjoy enough")
    assert g.objectives["port-of-pyke"].ships == 3
    assert g.objectives["ironmans-bay"].house == "stark"


def test_of_beaten_attackers_only_those_who_marched_and_live_stand_routed():
    """Two of three footmen march, one by one; the loss of one is not the loss of both."""
    g = marching(field(stark="winterfell:FFF", greyjoy="karhold:KK"), "stark", "winterfell")
    g = play(g, "stark to:karhold", *["stark take:footman-1"] * 2, "stark enough", "stark go")
    lost = play(g, "stark wins:defender", "stark lose:footman", "stark enough")
    there = lost.objectives["winterfell"]
    assert (there.footmen, there.routed) == (2, ("footman",))
    there = play(g, "stark wins:defender", "stark enough").objectives["winterfell"]
    assert (there.footmen, there.routed) == (3, ("footman", "footman"))


def killed(units, number):
    """Stark has attacked Karhold from Winterfell, and a card has killed footmen before anybody has won."""
    g = marching(field(3, stark=f"winterfell:{units}", lannister="karhold:KK"), "stark", "winterfell", "plus")
    g = sent(g, "stark", "karhold footman 2")
    return engine.adjust(g, "lannister", "objective/winterfell", f"footman:winterfell-of-stark:-{number}")


@pytest.mark.rule("AGOT-88")
def test_attackers_that_a_card_has_killed_neither_count_nor_retreat():
    g = killed("FF", 1)
    assert "Stark 2 with its order, Lannister 4" in str(engine.step_of(g).helping(g, "stark"))
    lost = play(g, "stark wins:defender", "stark lose:footman")
    assert (lost.question.step, lost.objectives["winterfell"].size) == ("consolidation", 0)
    assert said(lost) == "Stark loses: Footman."
    home = play(g, "stark wins:defender", "stark enough")
    assert (home.objectives["winterfell"].footmen, home.objectives["winterfell"].routed) == (1, ("footman",))


@pytest.mark.rule("AGOT-88")
def test_where_a_card_has_killed_all_attackers_nobody_retreats():
    g = play(killed("FFF", 3), "stark wins:defender")
    assert (g.question.step, said(g)) == ("consolidation", "Lannister wins the combat.")


def test_a_march_takes_no_units_of_another_house_along():
    """A correction replaces the attackers by another house's units."""
    g = engine.adjust(killed("FF", 2), "stark", "objective/winterfell", "footman:winterfell-of-baratheon:2")
    g = play(g, "stark wins:attacker", "lannister enough")
    there = g.objectives["winterfell"]
    assert (there.house, there.footmen, g.objectives["karhold"].house) == ("baratheon", 2, "")
    g = marching(field(3, stark="winterfell:F"), "stark", "winterfell")
    for change in ("stark:-1", "baratheon:2"):
        g = engine.adjust(g, "stark", "objective/winterfell", f"footman:winterfell-of-{change}")
    assert offered(g, "stark") == ["go"]


@pytest.mark.rule("AGOT-05")
def test_an_army_of_four_retreats_whole_where_supply_allows():
    assert beaten("karhold:FFFK").objectives["castle-black"].size == 4


@pytest.mark.rule("AGOT-72")
def test_a_retreat_is_asked_about_where_there_is_a_choice():
    g = beaten("karhold:F the-shivering-sea:S")
    assert asks(g) == "retreat greyjoy"
    assert len(offered(g, "greyjoy")) > 1
    g = beaten("karhold:F")
    assert said(g).splitlines()[-1] == "Greyjoy retreats to Castle Black."
    assert g.objectives["karhold"].house == "stark"


def test_a_match_that_was_asked_where_there_was_no_choice_is_played_on():
    """Until now, beaten units were asked even then; what is in a log remains allowed."""
    g = field(stark="winterfell:FK", greyjoy="karhold:FKK castle-black:F pyke:FF")
    g.armies["greyjoy"].supply = 0
    g = at(g, "retreat", "greyjoy", "stark", "winterfell", "karhold", moving=(("karhold", "footman", 1),))
    (offer,) = engine.offers(g, "greyjoy")
    assert (offer.action, str(offer.detail)) == ("retreat:castle-black", "units lost to supply: 2")
    assert asks(play(g, "greyjoy retreat:castle-black")) == "shed greyjoy"


def test_nobody_is_said_to_have_nowhere_to_go_if_nobody_is_left():
    """A card may kill the last unit while its house is asked where it retreats."""
    g = beaten("karhold:F the-shivering-sea:S")
    gone = engine.adjust(g, "stark", "objective/karhold", "footman:karhold-of-greyjoy:-1")
    assert said(gone) == "Karhold: Footman -1."
    assert gone.objectives["karhold"].house == "stark"
    lost = at(field(greyjoy="karhold:F"), "retreat", "greyjoy", "stark", "castle-black", "karhold")
    assert "Greyjoy has nowhere to retreat: its units are lost." in said(lost)
