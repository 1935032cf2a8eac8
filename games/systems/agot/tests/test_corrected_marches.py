"""Marches that a correction overtakes, while they are being planned or carried out."""

import pytest

from games.core import engine
from games.systems.agot.tests.tables import asks, field, marching, play
from tests.positions import said


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
