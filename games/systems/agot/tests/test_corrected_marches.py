"""Marches that a correction overtakes, while they are being planned or carried out."""

import pytest

from games.core import engine
from games.systems.agot.pieces import COURT
from games.systems.agot.tests.tables import asks, at, field, marching, ordered, play
from tests.positions import offered, said


def corrected(g, path, *actions):
    for action in actions:
        g = engine.adjust(g, "lannister", path, action)
    return g


def leaving(**others):
    """Stark is asked whether a token stays behind in White Harbor."""
    g = marching(field(stark="white-harbor:F", **others), "stark", "white-harbor")
    g = play(g, "stark to:moat-cailin", "stark go")
    assert asks(g) == "leave-token stark"
    return g


@pytest.mark.rule("AGOT-67")
def test_no_token_is_left_where_a_correction_has_taken_the_units():
    g = corrected(leaving(), "objective/white-harbor", "footman:white-harbor-of-stark:-1")
    assert g.question.step != "leave-token"
    assert (g.objectives["white-harbor"].token, g.armies["stark"].power) == ("", 5)
    assert g.moving == ()


@pytest.mark.rule("AGOT-63")
def test_no_token_is_left_where_a_correction_has_taken_the_last_one():
    g = corrected(leaving(), "army/stark", "power:stark:-5")
    assert "Stark has no power token to leave in White Harbor." in said(g)
    assert g.objectives["white-harbor"].token == ""
    assert g.objectives["moat-cailin"].house == "stark"


@pytest.mark.rule("AGOT-78")
def test_no_neutral_force_falls_to_units_that_a_correction_has_taken():
    g = field(stark="blackwater:K", lannister="the-reach:F")
    g.objectives["kings-landing"].neutral = 3
    g = marching(g, "stark", "blackwater")
    g = play(g, "stark to:kings-landing", "stark go", "stark leave")
    assert asks(g) == "neutral stark"
    here = "knight:blackwater-of-stark:-1", "footman:blackwater-of-lannister:1"
    g = play(corrected(g, "objective/blackwater", *here), "stark support:1")
    assert g.objectives["kings-landing"].neutral == 3
    assert (g.objectives["blackwater"].house, g.objectives["blackwater"].token) == ("lannister", "")
    assert g.armies["stark"].power == 5


def to_two_areas(**others):
    """Stark plans a knight to Karhold, where a combat waits, and a footman to Castle Black."""
    g = marching(field(stark="winterfell:KF", greyjoy="karhold:F", **others), "stark", "winterfell")
    return play(g, "stark to:karhold", "stark take:knight-1", "stark enough", "stark to:castle-black")


@pytest.mark.rule("AGOT-39")
def test_a_march_that_a_correction_brings_a_second_combat_is_planned_anew():
    """Otherwise the winners of one would have taken over the units of the other."""
    g = corrected(to_two_areas(), "objective/castle-black", "knight:castle-black-of-lannister:1")
    assert offered(g, "stark") == ["back"]
    assert "one march starts one combat" in str(engine.step_of(g).helping(g, "stark"))
    g = play(g, "stark back", "stark to:karhold", "stark take:knight-1", "stark enough", "stark go")
    assert g.objectives["castle-black"].house == "lannister"


@pytest.mark.rule("AGOT-39")
@pytest.mark.parametrize("answer", ["leave", "keep"])
def test_so_is_one_that_waits_for_the_token_left_behind(answer):
    g = marching(field(stark="white-harbor:KF", greyjoy="winterfell:F"), "stark", "white-harbor")
    g = play(
        g, "stark to:winterfell", "stark take:knight-1", "stark enough", "stark to:moat-cailin", "stark go"
    )
    assert asks(g) == "leave-token stark"
    g = corrected(g, "objective/moat-cailin", "knight:moat-cailin-of-lannister:1")
    g = play(g, f"stark {answer}")
    assert (asks(g), g.moving, g.leaving) == ("march stark", (), False)


@pytest.mark.rule("AGOT-39")
def test_and_one_that_waits_for_support():
    g = marching(field(stark="blackwater:KF", lannister="crackclaw-point:F"), "stark", "blackwater")
    g.objectives["kings-landing"].neutral = 3
    g = play(
        g, "stark to:kings-landing", "stark take:knight-1", "stark enough", "stark to:harrenhal", "stark go"
    )
    g = play(g, "stark leave")
    assert asks(g) == "neutral stark"
    g = play(corrected(g, "objective/harrenhal", "knight:harrenhal-of-tyrell:1"), "stark support:1")
    assert (asks(g), g.objectives["kings-landing"].neutral) == ("march stark", 3)


@pytest.mark.rule("AGOT-72")
def test_beaten_units_go_elsewhere_if_a_correction_has_barred_their_way():
    g = field(stark="winterfell:KK", greyjoy="karhold:FKK the-arbor:FF pyke:FF")
    g.armies["greyjoy"].supply = 0
    g = play(marching(g, "stark", "winterfell"), "stark to:karhold", "stark take:knight-2", "stark go")
    g = play(g, "stark wins:attacker", "greyjoy enough")
    assert asks(g) == "shed greyjoy"
    g = corrected(g, "objective/castle-black", "footman:castle-black-of-lannister:1")
    assert "nowhere to retreat" in said(g)
    assert g.objectives["castle-black"].house == "lannister"
    assert g.objectives["karhold"].house == "stark"


@pytest.mark.rule("BASE-06")
def test_the_raven_swaps_no_order_that_a_correction_has_taken_from_its_house():
    g = ordered(
        at(field(3, "orders", stark="winterfell:F karhold:F"), "raven"), winterfell="raid", karhold="raid"
    )
    g.set_track(COURT, ["stark", "lannister", "baratheon"])
    g = play(g, "stark swap", "stark swap:winterfell")
    here = "footman:winterfell-of-stark:-1", "footman:winterfell-of-lannister:1"
    g = corrected(g, "objective/winterfell", *here)
    assert offered(g, "stark") == ["back", "swap:karhold"]
    assert str(engine.step_of(g).asking(g, "stark")) == "Which order do you swap?"
