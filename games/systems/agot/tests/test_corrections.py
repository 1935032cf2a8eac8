"""Corrections of the map: what a tap at the pencil of an area or of the table changes."""

import pytest

from games.core import engine
from games.core.steps import IllegalAction
from games.systems.agot.map import control
from games.systems.agot.tests.tables import at, field, gathered, table
from tests.positions import said


def corrected(g, path, *actions):
    for action in actions:
        g = engine.adjust(g, "stark", path, action)
    return g


@pytest.mark.rule("AGOT-63")
def test_a_token_comes_from_available_power_and_a_second_tap_takes_it_off():
    g = at(field(3), "raven")
    control.recount(g)
    here = "objective/the-eyrie"
    laid = corrected(g, here, "token:the-eyrie:stark")
    assert (laid.objectives["the-eyrie"].token, laid.armies["stark"].power) == ("stark", 4)
    assert (control.controller(laid, "the-eyrie"), laid.points("stark")) == ("stark", g.points("stark") + 1)
    off = corrected(laid, here, "token:the-eyrie:stark")
    assert (off.objectives["the-eyrie"].token, off.armies["stark"].power) == ("", 4)
    assert off.points("stark") == g.points("stark")
    laid.armies["stark"].power = g.armies["lannister"].power = 0
    assert "token:the-eyrie:stark" in {one.action for one in engine.corrections(laid, here)}
    assert "token:the-eyrie:lannister" not in {one.action for one in engine.corrections(g, here)}


def test_the_threat_moves_by_spaces_of_two_and_not_by_none():
    g = table()
    assert corrected(g, "table", "threat:2").threat == g.threat + 4
    with pytest.raises(IllegalAction):
        corrected(g, "table", "threat:0")
    with pytest.raises(IllegalAction):
        corrected(g, "army/stark", "castles:stark:0")


@pytest.mark.rule("AGOT-43")
@pytest.mark.parametrize(("here", "most"), [("port-of-pyke", 3), ("ironmans-bay", 5)])
def test_a_port_is_corrected_to_three_ships_and_a_sea_to_more(here, most):
    g = at(field(greyjoy=f"{here}:SS"), "raven")
    (offer,) = (o for o in engine.corrections(g, f"objective/{here}") if o.action.startswith("ship:"))
    assert 2 + offer.maximum == most


@pytest.mark.rule("AGOT-43")
def test_a_fourth_ship_in_a_port_is_called_odd():
    g = at(field(greyjoy="port-of-pyke:SSS"), "raven")
    assert engine.problems(g) == ()
    g.objectives["port-of-pyke"].ships = 4
    assert "More than three ships lie in Port of Pyke." in map(str, engine.problems(g))


def test_nothing_is_corrected_before_the_game_has_begun():
    paths = ("table", "army/stark", "objective/winterfell")
    assert not any(engine.corrections(gathered(3, "full"), path) for path in paths)
    assert all(engine.corrections(at(field(3), "raven"), path) for path in paths)


def test_with_the_map_tokens_and_castles_are_corrected_there_and_supply_at_the_house():
    def kinds(g):
        g.armies["stark"].tokens_out = 1
        return {one.action.split(":")[0] for one in engine.corrections(g, "army/stark")}

    assert kinds(at(field(3), "raven")) == {"power", "supply", "up"}
    assert kinds(table()) == {"power", "lay", "lift", "castles", "supply", "up"}


@pytest.mark.rule("AGOT-03")
def test_only_an_army_is_made_smaller_and_a_single_unit_stays():
    g = field(3, stark="winterfell:FFF karhold:F")
    g.armies["stark"].supply = 0
    g = at(g, "reconcile")
    assert {one.action for one in engine.offers(g, "stark")} == {"remove:winterfell:footman"}


@pytest.mark.parametrize(("mode", "on_board"), [("light", 1), ("full", 2)])
def test_corrected_power_is_told_with_the_tokens_that_lie_on_the_board(mode, on_board):
    """Beside the board its player notes them; on the map they are counted."""
    g = at(field(3) if mode == "full" else table(), "raven")
    g.armies["stark"].tokens_out = 0 if mode == "full" else 1
    for key in ("the-eyrie", "karhold") if mode == "full" else ():
        g.objectives[key].token = "stark"
    told = said(corrected(g, "army/stark", "power:stark:1"))
    assert told == f"Stark: 6 power available, {on_board} on the board."
