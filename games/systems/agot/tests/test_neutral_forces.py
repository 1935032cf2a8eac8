"""Neutral forces on the whole map: what removes them, and what does not count against them."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot.map import area_control, combat
from games.systems.agot.tests.tables import at, field, goes, marching, ordered, play
from tests.positions import offered, said


def landing(stark, order="zero", **others):
    """A march from Blackwater to King's Landing, where a neutral force of 5 stands."""
    g = field(stark=f"blackwater:{stark}", **others)
    g.objectives["kings-landing"].neutral = 5
    return marching(g, "stark", "blackwater", order)


@pytest.mark.rule("AGOT-77")
@pytest.mark.rule("AGOT-85")
def test_enough_strength_removes_the_force_and_that_was_the_fight():
    g = landing("KF", "plus", lannister="blackwater-bay:S")
    g = play(g, "stark to:kings-landing", "stark take:knight-1", "stark take:footman-1", "stark go")
    g = play(g, "stark leave", "stark support:1")
    assert (g.objectives["kings-landing"].house, g.objectives["kings-landing"].neutral) == ("stark", 0)
    assert "5 against the neutral force of 5." in said(g)
    assert g.points("stark") == 2


@pytest.mark.rule("AGOT-78")
def test_siege_engines_count_against_forts_only():
    assert area_control.strength("kings-landing", {"siege-engine": 1}, is_attack=True) == 4
    assert area_control.strength("dornish-marches", {"siege-engine": 1}, is_attack=True) == 0
    assert area_control.strength("kings-landing", {"siege-engine": 1}, is_attack=False) == 0


@pytest.mark.rule("AGOT-79")
@pytest.mark.rule("AGOT-83")
def test_neither_card_nor_blade_is_asked_for():
    g = landing("KK", lannister="blackwater-bay:S")
    g = play(g, "stark to:kings-landing", "stark take:knight-2", "stark go", "stark leave")
    assert g.question.step == "neutral"
    assert offered(g, "stark") == ["support 0-2"], "a ship and the star of its order, and nothing else"


@pytest.mark.rule("AGOT-80")
def test_the_order_counts():
    units = {"knight": 1, "footman": 1}
    strengths = [combat.attack_strength("kings-landing", units, order) for order in ("minus", "zero", "plus")]
    assert strengths == [2, 3, 4]


@pytest.mark.rule("AGOT-80")
def test_of_two_orders_in_one_area_the_one_that_is_resolved_counts():
    """A correction has laid a second March order where one was resolved before."""
    g = ordered(field(mode="orders", stark="blackwater:KK"), blackwater="march-plus")
    g.objectives["kings-landing"].neutral = 5
    g = play(at(g, "marches", marched=(("stark", "blackwater", "minus"),)), "stark march:blackwater:plus")
    assert "kings-landing" in goes(g, "stark")


@pytest.mark.rule("AGOT-81")
def test_rivals_beside_it_add_nothing_to_the_force():
    g = landing("KKF", lannister="kingswood:KK")
    g = play(g, "stark to:kings-landing", "stark take:knight-2", "stark take:footman-1", "stark go")
    g = play(g, "stark leave")
    assert g.objectives["kings-landing"].house == "stark"


@pytest.mark.rule("AGOT-82")
@pytest.mark.rule("AGOT-84")
def test_a_force_that_support_could_beat_is_open_and_refused_support_leaves_all_as_it_was():
    assert "kings-landing" not in goes(landing("KF"), "stark")
    assert "kings-landing" in goes(landing("KE"), "stark"), "King's Landing is a stronghold"
    g = landing("KK", lannister="crackclaw-point:F")
    assert "kings-landing" in goes(g, "stark")
    g = play(g, "stark to:kings-landing", "stark take:knight-2", "stark go", "stark leave")
    asking = engine.step_of(g).asking
    assert str(asking(g, "stark")).startswith("King's Landing: you have 4, the neutral force 5.")
    others = "Stark wants to remove the neutral force of 5 in King's Landing."
    assert {str(asking(g, who)) for who in (None, "lannister")} == {others}
    g = play(g, "stark support:0")
    assert "Not strong enough" in said(g)
    assert (g.question.step, g.objectives["blackwater"].knights) == ("march", 2)
    with pytest.raises(IllegalAction, match="Too weak for the neutral force of 5 in King's Landing"):
        engine.play(landing("KF"), "stark", "to:kings-landing")


@pytest.mark.rule("AGOT-86")
def test_with_three_players_most_forces_close_their_areas():
    g = field(3, stark="the-reach:FFK")
    assert sum(area.closed for area in g.objectives.values() if area.kind == "land") == 12
    g = marching(g, "stark", "the-reach")
    assert "highgarden" not in goes(g, "stark")
    with pytest.raises(IllegalAction, match="Highgarden is closed for this game"):
        engine.play(g, "stark", "to:highgarden")


def test_where_a_march_may_not_go_is_told_in_sentences():
    g = field(3, stark="the-reach:FFK")
    g.objectives["kings-landing"].neutral = 5
    g = marching(g, "stark", "the-reach")
    help = str(engine.step_of(g).helping(g, "stark"))
    weak = "Too weak for the neutral force of 5 in King's Landing."
    assert help == f"{weak} Closed for this game: Dornish Marches, Highgarden, The Boneway."
    free = marching(field(stark="karhold:F"), "stark", "karhold")
    assert str(engine.step_of(free).helping(free, "stark")) == ""
