"""Rules of the map that are easily lost, because in most positions another one leads to the same."""

import pytest

from games.core import engine
from games.systems.agot import pieces
from games.systems.agot.map import area_control, combat, moving_units
from games.systems.agot.pieces import THRONE
from games.systems.agot.tests.tables import asks, at, field, marching, play, sent, table, within
from tests.positions import offered, said


def beaten(g, seat, start, place):
    """One footman has marched there and won the fight; no card costs the defender anything."""
    loser = g.objectives[place].house
    g = sent(marching(g, seat, start), seat, f"{place} footman 1")
    return play(g, f"{seat} wins:attacker", f"{loser} enough")


# --- retreats ------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-72")
@pytest.mark.rule("AGOT-86")
def test_nobody_retreats_into_a_closed_area():
    """With three houses Baratheon bars all that is open around the Reach."""
    barred = "kings-landing:FF blackwater:F kingswood:F searoad-marches:F"
    g = field(3, baratheon=barred, lannister="the-reach:F")
    assert g.objectives["highgarden"].closed
    assert area_control.controller(g, "highgarden") == ""
    g = beaten(g, "baratheon", "kings-landing", "the-reach")
    assert "Lannister has nowhere to retreat: its units are lost." in said(g)
    assert (area_control.occupied(g, "lannister"), g.objectives["the-reach"].house) == ([], "baratheon")


@pytest.mark.rule("AGOT-72")
@pytest.mark.rule("AGOT-86")
def test_only_open_areas_are_offered_to_a_retreat():
    g = field(3, baratheon="kings-landing:FF", lannister="the-reach:F")
    g = beaten(g, "baratheon", "kings-landing", "the-reach")
    assert offered(g, "lannister") == [
        f"retreat:{key}" for key in ("blackwater", "kingswood", "searoad-marches")
    ]


@pytest.mark.rule("AGOT-72")
@pytest.mark.rule("AGOT-77")
def test_nobody_retreats_into_a_neutral_force():
    """To march there takes its strength; beaten units have none."""
    g = field(stark="the-fingers:FF", lannister="the-mountains-of-the-moon:F")
    after = offered(beaten(g, "stark", "the-fingers", "the-mountains-of-the-moon"), "lannister")
    assert after == ["retreat:crackclaw-point", "retreat:the-eyrie", "retreat:the-twins"]
    g.objectives["the-eyrie"].neutral = 6
    after = offered(beaten(g, "stark", "the-fingers", "the-mountains-of-the-moon"), "lannister")
    assert after == ["retreat:crackclaw-point", "retreat:the-twins"]


# --- supply --------------------------------------------------------------------------------------


def too_large():
    """Three houses whose armies exceed supply, with the houses in another turn order than on the form."""
    g = field(3, stark="winterfell:FFF", lannister="lannisport:FFF", baratheon="dragonstone:FFF")
    for army in g.armies.values():
        army.supply = 0
    g.set_track(THRONE, ("baratheon", "stark", "lannister"))
    return g


@pytest.mark.rule("AGOT-03")
@pytest.mark.rule("AGOT-06")
def test_houses_reconcile_their_armies_one_after_the_other_in_turn_order():
    g = within(too_large(), "reconcile")
    order = []
    while g.question.step == "reconcile":
        (seat,) = engine.to_act(g)
        order.append(seat)
        g = play(g, f"{seat} {offered(g, seat)[0]}")
    assert order == ["baratheon", "stark", "lannister"]


@pytest.mark.rule("AGOT-01")
def test_more_than_six_supply_icons_count_as_six():
    g = field(stark=" ".join(f"{key}:F" for key in pieces.areas() if pieces.icons(key, "supply")))
    assert area_control.supply(g, "stark") == 24
    assert within(g, "supply").armies["stark"].supply == 6


@pytest.mark.rule("AGOT-01")
@pytest.mark.parametrize(("level", "changes"), [(6, (-6, 0)), (0, (0, 6))])
def test_no_correction_moves_a_supply_marker_beyond_the_ends_of_its_track(level, changes):
    g = at(table(), "planning")
    g.armies["stark"].supply = level
    (found,) = [one for one in engine.corrections(g, "army/stark") if one.action.startswith("supply:")]
    assert (found.minimum, found.maximum) == changes


# --- ports ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-49")
def test_ships_in_a_port_do_not_defend_their_land():
    g = field(stark="riverrun:FF", lannister="lannisport:F port-of-lannisport:SSS the-golden-sound:SS")
    assert combat.defence(g, "lannisport") == 1
    assert combat.support_of(g, "lannisport", is_attack=False) == {"the-golden-sound": 2, "riverrun": 2}
    assert combat.support_of(g, "the-golden-sound", is_attack=False)["port-of-lannisport"] == 3
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 2")
    g = play(g, "stark keep")
    assert asks(g).startswith("battle")
    assert "Lannister 1." in str(engine.step_of(g).helping(g, "stark"))


# --- garrisons -----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-89")
@pytest.mark.rule("AGOT-85")
def test_a_garrison_does_not_stop_its_own_house():
    """A march home is no fight, so that another group of it may fight elsewhere."""
    g = field(stark="karhold:FF", greyjoy="castle-black:F")
    g.objectives["winterfell"].garrison = 2
    assert not area_control.is_fight(g, "stark", "winterfell")
    assert area_control.is_fight(g, "greyjoy", "winterfell")
    g = sent(marching(g, "stark", "karhold"), "stark", "winterfell footman 1", "castle-black footman 1")
    g = play(g, "stark keep") if g.question.step == "leave-token" else g
    assert (g.objectives["winterfell"].house, asks(g)) == ("stark", "battle stark greyjoy")


@pytest.mark.rule("AGOT-88")
def test_a_garrison_defends_only_for_its_own_house():
    """No move brings another house beside it, but an organiser's edit may."""
    g = field(greyjoy="winterfell:F")
    g.objectives["winterfell"].garrison = 2
    assert combat.defence(g, "winterfell") == 1
    g.objectives["winterfell"].house = "stark"
    assert combat.defence(g, "winterfell") == 3


# --- attackers -----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-88")
def test_units_of_another_house_where_the_attack_began_do_not_fight_in_it():
    """A correction says that the attackers were not there, and who was instead."""
    g = field(stark="winterfell:FF", greyjoy="karhold:F")
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 2")
    assert moving_units.attackers(g, "stark", "winterfell", "karhold") == {"footman": 2}
    for change in ("of-stark:-2", "of-lannister:2"):
        g = engine.adjust(g, "stark", "objective/winterfell", f"footman:winterfell-{change}")
    assert g.objectives["winterfell"].footmen == 2
    assert moving_units.attackers(g, "stark", "winterfell", "karhold") == {}
