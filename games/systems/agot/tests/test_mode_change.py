"""A table changes how much the app keeps: the map comes in, is surveyed, and may go again."""

import pytest

from games.core import engine
from games.systems.agot.map import area_control
from games.systems.agot.page import board_page
from games.systems.agot.tests.tables import asks, at, field, play, table
from tests.positions import offered, said


def kept(g, mode, seat="stark"):
    """The same table with another mode asked for."""
    return engine.adjust(g, seat, "table", f"keep:{mode}")


def later(g):
    """The same table in its third round, before orders are placed."""
    g = g.copy()
    g.round = 3
    return at(g, "planning")


@pytest.mark.rule("BASE-11")
def test_the_map_comes_in_while_orders_are_placed():
    g = kept(later(table(3)), "full")
    assert (g.mode, asks(g)) == ("full", "survey stark lannister baratheon")
    assert board_page.phase(g) == "Planning phase"
    assert len(g.objectives) == 58
    assert {area.size for area in g.objectives.values()} == {0}
    assert g.objectives["winterfell"].garrison == 2
    assert g.objectives["kings-landing"].neutral == 5


def test_in_the_first_round_the_start_is_laid_out():
    g = kept(table(3), "full")
    assert g.objectives["winterfell"].size == 2
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (asks(g), g.points("stark")) == ("planning stark lannister baratheon", 2)


def test_otherwise_it_waits_for_the_next_planning_phase():
    g = kept(at(table(3), "raids"), "orders")
    assert (g.mode, g.becoming, g.question.step) == ("light", "orders", "raids")
    assert "From the next Planning phase" in said(g)
    assert kept(g, "light").becoming == ""
    g = at(g, "planning")
    assert (g.mode, g.becoming, g.rules["orders"], g.question.step) == ("orders", "", 1, "survey")


def surveyed(g):
    """Stark enters Karhold, a token at Widow's Watch and a ship; the others have nothing."""
    g = play(g, "stark at:karhold", "stark has:footman:2", "stark has:knight:1", "stark leave")
    g = play(g, "stark at:widows-watch", "stark token", "stark leave")
    g = play(g, "stark at:the-narrow-sea", "stark has:ship:1", "stark leave")
    return play(g, "stark done", "lannister done", "baratheon done")


def test_a_survey_enters_units_tokens_and_castles():
    g = later(table(3)).copy()
    g.armies["stark"].tokens_out, g.armies["stark"].power = 1, 7
    g = surveyed(kept(g, "full"))
    karhold = g.objectives["karhold"]
    assert (karhold.house, karhold.footmen, karhold.knights) == ("stark", 2, 1)
    assert g.objectives["the-narrow-sea"].ships == 1
    assert (g.laid("stark"), g.armies["stark"].power, g.armies["stark"].tokens_out) == (1, 7, 0)
    assert (g.points("stark"), asks(g)) == (1, "planning stark lannister baratheon")
    assert "The map in the app is the same as the board." in said(g)


def test_seven_in_a_survey_are_asked_about_as_after_any_correction():
    g = kept(later(table(3)), "full")
    for area in ("white-harbor", "moat-cailin", "flints-finger", "seagard", "riverrun", "harrenhal"):
        g = play(g, f"stark at:{area}", "stark has:footman:1", "stark leave")
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (g.points("stark"), g.result, g.question.step) == (7, None, "ending")


def counted():
    """In the third round Stark has five castles and strongholds and a token on the board."""
    g = later(table(3))
    for change in ("castles:stark:3", "lay:stark"):
        g = engine.adjust(g, "stark", "army/stark", change)
    return kept(g, "full")


@pytest.mark.rule("BASE-11")
def test_a_table_that_gives_a_survey_up_keeps_what_it_had():
    g = play(counted(), "stark at:karhold", "stark has:footman:2", "stark token", "lannister done")
    g = kept(g, "light")
    assert (g.mode, asks(g)) == ("light", "planning stark lannister baratheon")
    assert (g.points("stark"), g.laid("stark"), g.armies["stark"].at) == (5, 1, "")
    assert said(g) == "From now on: Board Game: tracks."
    again = play(kept(g, "full"), "stark at:karhold")
    assert "has:footman 0-6" in offered(again, "stark")


@pytest.mark.rule("BASE-11")
def test_a_survey_goes_on_where_the_table_wants_the_orders_too():
    g = kept(counted(), "orders")
    assert (g.mode, asks(g)) == ("full", "survey stark lannister baratheon")
    assert said(g) == "From the next Planning phase: Board Game: orders."
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (g.mode, g.question.step) == ("orders", "planning")


def test_a_correction_during_a_survey_counts_no_castles_of_a_map_that_is_not_whole():
    g = counted()
    for change in ("footman:karhold-of-stark:1", "token:karhold:stark"):
        g = engine.adjust(g, "stark", "objective/karhold", change)
    assert g.points("stark") == 5
    assert play(g, *(f"{seat} done" for seat in g.seats)).points("stark") == 1


def test_what_a_survey_offers_fits_the_area():
    g = kept(later(table(3)), "full")
    assert "at:pyke" not in offered(g, "stark"), "three players cannot go there"
    sea = offered(play(g, "stark at:the-narrow-sea"), "stark")
    assert sea == ["has:ship 0-6", "leave"]
    home = offered(play(g, "stark at:winterfell"), "stark")
    assert home == ["disband", "has:footman 0-6", "has:knight 0-5", "has:siege-engine 0-2", "leave", "token"]
    assert "at:winterfell" in offered(g, "lannister")
    mine = play(g, "stark at:winterfell", "stark has:footman:1")
    assert "at:winterfell" not in offered(mine, "lannister")
    gone = play(g, "stark at:winterfell", "stark disband")
    assert gone.objectives["winterfell"].garrison == 0
    free = play(g, "stark at:kings-landing", "stark dispel")
    assert free.objectives["kings-landing"].neutral == 0


@pytest.mark.rule("AGOT-85")
@pytest.mark.rule("AGOT-90")
def test_who_stands_there_has_dislodged_what_stood_there():
    """The log says so once the survey is done."""
    g = play(kept(later(table(3)), "full"), "stark at:lannisport", "stark has:footman:1", "stark leave")
    g = play(g, "stark at:kings-landing", "stark token", "stark leave")
    g = engine.adjust(g, "lannister", "objective/the-eyrie", "footman:the-eyrie-of-lannister:1")
    assert g.objectives["the-eyrie"].neutral == 0
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (g.objectives["lannisport"].garrison, g.objectives["winterfell"].garrison) == (0, 2)
    assert g.objectives["kings-landing"].neutral == 0
    assert "The garrison of Lannisport is removed from the game." in said(g)
    assert "The neutral force in King's Landing is removed from the game." in said(g)


@pytest.mark.rule("AGOT-85")
@pytest.mark.rule("AGOT-90")
def test_what_was_entered_by_mistake_removes_no_marker():
    g = play(
        kept(later(table(3)), "full"), "stark at:kings-landing", "stark token", "stark token", "stark leave"
    )
    g = play(g, "stark at:lannisport", "stark has:footman:1", "stark has:footman:0", "stark leave")
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (g.objectives["kings-landing"].neutral, g.objectives["lannisport"].garrison) == (5, 2)


@pytest.mark.rule("AGOT-70")
@pytest.mark.rule("AGOT-89")
def test_a_token_on_a_foreign_home_leaves_it_no_garrison():
    """Its house takes it back without a fight."""
    g = play(kept(later(table(3)), "full"), "stark at:lannisport", "stark token", "stark leave")
    g = play(g, "lannister at:stoney-sept", "lannister has:footman:1", "lannister leave")
    g = play(g, "stark done", "lannister done", "baratheon done")
    assert (area_control.controller(g, "lannisport"), g.objectives["lannisport"].garrison) == ("stark", 0)
    assert not area_control.is_defended(g, "baratheon", "lannisport")


def test_a_number_entered_twice_counts_once():
    g = play(kept(later(table(3)), "full"), "stark at:karhold", "stark has:footman:3", "stark has:footman:1")
    assert g.objectives["karhold"].footmen == 1
    g = play(g, "stark has:footman:0")
    assert g.objectives["karhold"].house == ""
    token = play(g, "stark token", "stark token")
    assert token.objectives["karhold"].token == ""


def test_the_map_is_put_away_with_its_tokens_counted():
    g = field(3, stark="karhold:F").copy()
    g.objectives["widows-watch"].token = "stark"
    g = kept(at(g, "planning"), "light")
    assert (g.mode, g.objectives, g.armies["stark"].tokens_out) == ("light", {}, 1)
    assert asks(g) == "planning stark lannister baratheon"


def test_orders_that_lie_face_down_are_taken_back():
    g = play(table(3, "orders"), "stark order:march-plus", "lannister order:raid")
    g = kept(g, "full")
    assert [army.hidden for army in g.armies.values()] == [{}, {}, {}]
    assert (g.mode, "orders" in g.rules, g.armies["stark"].face_down) == ("full", False, 0)
    assert asks(g) == "planning stark lannister baratheon"


def test_what_is_played_now_is_not_offered_and_a_finished_game_stays():
    g = table(3)
    keeps = [offer.action for offer in engine.corrections(g, "table") if offer.action.startswith("keep")]
    assert keeps == ["keep:full", "keep:orders"]
    over = g.copy()
    over.result = {"winner": "stark", "how": "seven", "points": {}}
    assert not [offer for offer in engine.corrections(over, "table") if offer.action.startswith("keep")]


def test_two_houses_that_look_at_one_area_do_not_take_each_others_units():
    g = kept(later(table(3)), "full")
    g = play(g, "stark at:moat-cailin", "lannister at:moat-cailin", "stark has:knight:2")
    assert offered(g, "lannister") == ["leave"]
    assert "Stark has entered what it has here." in str(engine.step_of(g).helping(g, "lannister"))
    g = play(g, "lannister leave", "stark has:knight:0", "stark token", "lannister at:karhold")
    assert (g.objectives["moat-cailin"].house, g.objectives["moat-cailin"].token) == ("", "stark")


@pytest.mark.rule("AGOT-43")
def test_a_port_is_surveyed_with_three_ships_at_most():
    g = play(kept(later(table(3)), "full"), "stark at:port-of-white-harbor")
    assert offered(g, "stark") == ["has:ship 0-3", "leave"]
