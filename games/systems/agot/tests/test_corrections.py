"""Corrections of the map: what a tap at the pencil of an area or of the table changes."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot.map import area_control
from games.systems.agot.pieces import TRACKS
from games.systems.agot.tests.tables import at, field, gathered, marching, ordered, sent, table
from tests.positions import said


def ways(g, path):
    """What may be corrected there: each action with the signed changes that it takes."""
    return {one.action: (one.minimum, one.maximum) for one in engine.corrections(g, path)}


def switches(g, path):
    """What may be switched there, and what of it is on."""
    return {one.action: one.on for one in engine.corrections(g, path) if one.minimum is None}


def corrected(g, path, *actions):
    for action in actions:
        g = engine.adjust(g, "stark", path, action)
    return g


@pytest.mark.rule("AGOT-63")
def test_a_token_comes_from_available_power_and_a_second_tap_takes_it_off():
    g = at(field(3), "raven")
    area_control.recount(g)
    here = "objective/the-eyrie"
    laid = corrected(g, here, "token:the-eyrie:stark")
    assert (laid.objectives["the-eyrie"].token, laid.armies["stark"].power) == ("stark", 4)
    assert (area_control.controller(laid, "the-eyrie"), laid.points("stark")) == (
        "stark",
        g.points("stark") + 1,
    )
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


# --- units ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-08")
@pytest.mark.rule("AGOT-41")
def test_land_is_corrected_in_land_units_and_a_sea_in_ships():
    """Of ten footmen five are left in the pool, of two siege engines none; three more are enough at once."""
    g = at(field(3, stark="winterfell:FFK castle-black:FF karhold:FEE the-narrow-sea:S"), "raven")
    units = {action: change for action, change in ways(g, "objective/winterfell").items() if "-of-" in action}
    assert units == {"footman:winterfell-of-stark": (-2, 3), "knight:winterfell-of-stark": (-1, 3)}
    siege = ways(g, "objective/karhold")["siege-engine:karhold-of-stark"]
    assert siege == (-2, 0)
    assert ways(g, "objective/the-narrow-sea") == {"ship:the-narrow-sea-of-stark": (-1, 3)}
    empty = {one.action: one.group for one in engine.corrections(g, "objective/sunset-sea")}
    assert empty == {
        "ship:sunset-sea-of-stark": "Stark",
        "ship:sunset-sea-of-lannister": "Lannister",
        "ship:sunset-sea-of-baratheon": "Baratheon",
    }


@pytest.mark.rule("AGOT-59")
def test_corrected_units_control_what_they_stand_in_and_the_log_says_how_many():
    g = at(field(3), "raven")
    area_control.recount(g)
    g.objectives["the-eyrie"].neutral = 6
    came = corrected(g, "objective/the-eyrie", "siege-engine:the-eyrie-of-stark:2")
    assert said(came).splitlines() == [
        "The Eyrie: Siege engine +2.",
        "The neutral force in The Eyrie is removed from the game.",
    ]
    there = came.objectives["the-eyrie"]
    assert (there.house, there.siege_engines, there.neutral) == ("stark", 2, 0)
    assert came.points("stark") == g.points("stark") + 1
    fewer = corrected(came, "objective/the-eyrie", "siege-engine:the-eyrie-of-stark:-1")
    assert (said(fewer), fewer.objectives["the-eyrie"].siege_engines) == ("The Eyrie: Siege engine -1.", 1)
    gone = corrected(fewer, "objective/the-eyrie", "siege-engine:the-eyrie-of-stark:-1")
    assert (gone.objectives["the-eyrie"].house, gone.points("stark")) == ("", g.points("stark"))
    with pytest.raises(IllegalAction, match="No change: it is already set to that"):
        corrected(came, "objective/the-eyrie", "siege-engine:the-eyrie-of-stark:0")


@pytest.mark.rule("AGOT-90")
def test_a_routed_unit_is_corrected_away_after_those_that_stand():
    g = at(field(3, stark="karhold:FF"), "raven")
    g.objectives["karhold"].routed = ("footman",)
    once = corrected(g, "objective/karhold", "footman:karhold-of-stark:-1")
    assert (once.objectives["karhold"].footmen, once.objectives["karhold"].routed) == (1, ("footman",))
    g.objectives["karhold"].routed = ("footman", "footman")
    once = corrected(g, "objective/karhold", "footman:karhold-of-stark:-1")
    assert once.objectives["karhold"].routed == ("footman",), "nobody is routed who is not there"


# --- markers and orders --------------------------------------------------------------------------


def test_markers_are_corrected_where_they_lie_and_on_land_only():
    g = at(field(3, stark="winterfell:F the-narrow-sea:S"), "raven")
    tokens = {"token:winterfell:stark": False}
    assert switches(g, "objective/winterfell") == {**tokens, "garrison:winterfell": None}
    assert switches(g, "objective/karhold") == {f"token:karhold:{seat}": False for seat in g.seats}
    assert switches(g, "objective/the-narrow-sea") == {}
    home = g.objectives["winterfell"]
    home.garrison, home.neutral, home.token = 2, 3, "stark"
    lying = {"disband:winterfell": None, "dispel:winterfell": None}
    assert switches(g, "objective/winterfell") == {**tokens, "token:winterfell:stark": True, **lying}
    for action, marker, line in (
        ("disband", "garrison", "The garrison of Winterfell is removed from the game."),
        ("dispel", "neutral", "The neutral force in Winterfell is removed from the game."),
    ):
        gone = corrected(g, "objective/winterfell", f"{action}:winterfell")
        assert (getattr(gone.objectives["winterfell"], marker), said(gone)) == (0, line)


@pytest.mark.rule("AGOT-70")
@pytest.mark.rule("AGOT-90")
@pytest.mark.parametrize("action", ["footman:lannisport-of-stark:1", "token:lannisport:stark"])
def test_what_stands_on_a_foreign_home_by_correction_leaves_it_no_garrison_and_the_log_says_so(action):
    g = at(field(3), "raven")
    g.objectives["lannisport"].garrison = 2
    g = corrected(g, "objective/lannisport", action)
    assert g.objectives["lannisport"].garrison == 0
    assert "The garrison of Lannisport is removed from the game." in said(g)


@pytest.mark.rule("AGOT-88")
def test_a_houses_own_units_and_token_leave_its_garrison():
    g = at(field(3), "raven")
    g.objectives["lannisport"].garrison = 2
    g = corrected(
        g, "objective/lannisport", "footman:lannisport-of-lannister:1", "token:lannisport:lannister"
    )
    assert g.objectives["lannisport"].garrison == 2


@pytest.mark.rule("AGOT-60")
@pytest.mark.rule("AGOT-64")
def test_units_that_come_by_correction_leave_no_foreign_token_under_them():
    g = field(3)
    g.objectives["karhold"].token = "stark"
    g = corrected(at(g, "raven"), "objective/karhold", "footman:karhold-of-lannister:1")
    assert (g.objectives["karhold"].token, g.pool("stark")) == ("", 15)
    assert said(g).splitlines() == [
        "Karhold: Footman +1.",
        "The power token of Stark in Karhold goes to the pool.",
    ]
    assert set(switches(g, "objective/karhold")) == {"token:karhold:lannister"}
    left = sent(marching(g, "lannister", "karhold"), "lannister", "castle-black footman 1")
    assert left.question.step == "leave-token"


@pytest.mark.rule("AGOT-61")
def test_units_that_come_by_correction_leave_their_own_token():
    g = field(3)
    g.objectives["karhold"].token = "stark"
    g = corrected(at(g, "raven"), "objective/karhold", "footman:karhold-of-stark:1")
    assert (g.objectives["karhold"].token, said(g)) == ("stark", "Karhold: Footman +1.")


@pytest.mark.rule("AGOT-86")
@pytest.mark.parametrize("area", ["sunspear", "three-towers", "port-of-pyke"])
def test_nothing_is_put_where_the_game_is_closed(area):
    g = at(field(3), "raven")
    assert engine.corrections(g, f"objective/{area}") == ()
    unit = "ship" if area.startswith("port") else "footman"
    g.objectives[area].house = "stark"
    g.objectives[area].add(unit, 1)
    assert ways(g, f"objective/{area}") == {f"{unit}:{area}-of-stark": (-1, 0)}, "what an organiser has put"


@pytest.mark.rule("AGOT-85")
def test_a_token_by_correction_leaves_no_neutral_force():
    g = at(field(3), "raven")
    g.objectives["the-eyrie"].neutral = 6
    g = corrected(g, "objective/the-eyrie", "token:the-eyrie:stark")
    assert g.objectives["the-eyrie"].neutral == 0
    assert "The neutral force in The Eyrie is removed from the game." in said(g)


@pytest.mark.rule("AGOT-85")
@pytest.mark.rule("AGOT-90")
@pytest.mark.parametrize(
    ("area", "marker", "strength", "line"),
    [
        ("lannisport", "garrison", 2, "The garrison of Lannisport is back."),
        ("kings-landing", "neutral", 5, "The neutral force in King's Landing is back."),
    ],
)
def test_a_marker_that_went_by_mistake_is_put_back(area, marker, strength, line):
    g = at(field(3), "raven")
    back = f"{marker}:{area}"
    assert back in switches(g, f"objective/{area}")
    assert back not in switches(corrected(g, f"objective/{area}", f"token:{area}:stark"), f"objective/{area}")
    g = corrected(g, f"objective/{area}", back)
    assert (getattr(g.objectives[area], marker), said(g)) == (strength, line)
    assert back not in switches(g, f"objective/{area}")


def test_no_marker_is_put_where_none_was():
    """Neither of an area without one, nor the garrison of a house that does not play."""
    g = at(field(3), "raven")
    for area in ("karhold", "sunspear"):
        assert not {f"garrison:{area}", f"neutral:{area}"} & switches(g, f"objective/{area}").keys()


def test_a_token_that_is_put_right_is_told():
    g = at(field(3), "raven")
    laid = corrected(g, "objective/karhold", "token:karhold:stark")
    assert said(laid) == "Karhold: power token of Stark."
    off = corrected(laid, "objective/karhold", "token:karhold:stark")
    assert said(off) == "Karhold: the power token goes to the pool."


def test_an_order_is_corrected_where_units_stand_once_orders_are_open():
    def orders(g, key):
        return {one.action for one in engine.corrections(g, f"objective/{key}") if one.group == "Order"}

    units = {"stark": "winterfell:F karhold:F"}
    assert not orders(at(field(3, **units), "raven"), "winterfell")
    g = at(ordered(field(3, "orders", **units), winterfell="march-plus"), "raven")
    assert {"recall:winterfell", "order:winterfell:raid"} < orders(g, "winterfell")
    assert "order:winterfell:march-plus" not in orders(g, "winterfell")
    assert "order:karhold:march-plus" in orders(g, "karhold")
    assert "recall:karhold" not in orders(g, "karhold")
    assert not orders(g, "castle-black")
    off = corrected(g, "objective/winterfell", "recall:winterfell")
    assert said(off) == "March +1 ★ in Winterfell is removed."
    assert (
        said(corrected(off, "objective/winterfell", "order:winterfell:raid")) == "Stark: Raid in Winterfell."
    )


# --- houses and the table ------------------------------------------------------------------------


@pytest.mark.rule("AGOT-04")
def test_the_numbers_of_a_house_keep_within_the_box():
    """Twenty tokens in all, seven castles to win, supply from 0 to 6; the first of a track goes no higher."""
    g = table()
    g.armies["stark"].tokens_out = 3
    (first,) = (track for track in TRACKS if g.place(track, "stark") == 1)
    others = [track for track in TRACKS if track != first]
    assert ways(g, "army/stark") == {
        "power:stark": (-5, 12),
        "lay:stark": (None, None),
        "lift:stark": (None, None),
        "castles:stark": (-2, 5),
        "supply:stark": (-1, 5),
        **{f"up:stark:{track}": (None, None) for track in others},
    }
    g.armies["stark"].power = g.armies["stark"].tokens_out = 0
    assert not {"lay:stark", "lift:stark"} & ways(g, "army/stark").keys()


@pytest.mark.rule("AGOT-02")
def test_corrected_supply_is_told_with_the_armies_that_it_allows():
    g = corrected(table(), "army/stark", "supply:stark:2")
    assert (g.armies["stark"].supply, said(g)) == (3, "Stark: supply 3, armies of at most 3, 2, 2, 2.")
    for same in ("supply:stark:0", "power:stark:0"):
        with pytest.raises(IllegalAction, match="No change: it is already set to that"):
            corrected(g, "army/stark", same)


def test_a_house_moves_one_place_up_on_a_track():
    g = table()
    track = next(track for track in TRACKS if g.place(track, "stark") == 3)
    first, second, _stark = g.track(track)
    assert corrected(g, "army/stark", f"up:stark:{track}").track(track) == (first, "stark", second)


def test_tokens_beside_the_board_are_told_as_they_are_laid_and_lifted():
    g = corrected(table(), "army/stark", "lay:stark")
    assert said(g) == "Stark: 4 power available, 1 on the board."
    assert said(corrected(g, "army/stark", "lift:stark")) == "Stark: 4 power available, 0 on the board."


@pytest.mark.parametrize(("threat", "least", "most"), [(0, 0, 6), (4, -2, 4), (12, -6, 0)])
def test_the_threat_keeps_between_0_and_12(threat, least, most):
    """In spaces of two."""
    g = table()
    g.threat = threat
    change = {0: 3}.get(threat, -1)
    assert said(corrected(g, "table", f"threat:{change}")) == (
        f"The wildling threat stands at {threat + 2 * change}."
    )
    assert ways(g, "table")["threat"] == (least, most)


def test_that_time_is_up_is_not_said_twice():
    """One answers already whether it is; a result leaves nothing to end."""
    g = table()
    assert "time-out" in ways(g, "table")
    g = corrected(g, "table", "time-out")
    assert "time-out" not in ways(g, "table")
    over = engine.adjust(table(), "", "table", "time-out")
    assert not {"time-out", *(f"keep:{mode}" for mode in ("full", "orders"))} & ways(over, "table").keys()


@pytest.mark.rule("AGOT-53")
@pytest.mark.parametrize("taker", ["", "lannister"])
def test_a_port_whose_land_a_correction_gives_to_another_house_is_no_longer_asked_about(taker):
    g = field(stark="riverrun:FF ironmans-bay:S", greyjoy="port-of-pyke:SS")
    g = sent(marching(g, "stark", "riverrun"), "stark", "pyke footman 1")
    assert g.question.step == "take-port"
    g = corrected(g, "objective/pyke", "footman:pyke-of-stark:-1")
    if taker:
        g = corrected(g, "objective/pyke", f"footman:pyke-of-{taker}:1")
    assert g.question.step == "marches"
    port = g.objectives["port-of-pyke"]
    assert (port.house, port.ships) == ("greyjoy", 2)
