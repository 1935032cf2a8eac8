"""Mustering and supply with the whole map."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot.map import area_control
from games.systems.agot.tests.tables import asks, field, play, table, within
from tests.positions import offered, said


def muster(g, seat, key, points):
    """The mustering of one area with so many points."""
    return within(g, "muster", seat, key, str(points))


def units(g, seat):
    """What may be mustered, as offered."""
    return [action for action in offered(g, seat) if action != "enough"]


@pytest.mark.rule("AGOT-07")
def test_a_stronghold_gives_two_points_and_a_castle_one():
    from games.systems.agot import pieces

    assert [pieces.points(key) for key in ("kings-landing", "the-eyrie", "karhold")] == [2, 1, 0]
    g = within(table(6, "full"), "mustering", "stark")
    assert [question.about for question in reversed(g.flow) if question.step == "muster"] == [
        ("stark", "winterfell", "2"),
        ("stark", "white-harbor", "1"),
    ]


@pytest.mark.rule("AGOT-08")
def test_two_points_buy_what_they_cost():
    g = muster(field(), "stark", "winterfell", 2)
    assert units(g, "stark") == [
        "muster:footman:winterfell",
        "muster:knight:winterfell",
        "muster:ship:bay-of-ice",
        "muster:ship:port-of-winterfell",
        "muster:ship:the-shivering-sea",
        "muster:siege-engine:winterfell",
    ]
    knight = play(g, "stark muster:knight:winterfell")
    assert knight.question.step != "muster"
    with pytest.raises(IllegalAction):
        engine.play(play(g, "stark muster:footman:winterfell"), "stark", "muster:knight:winterfell")


def test_the_pool_is_limited():
    g = muster(field(stark="karhold:E castle-black:E"), "stark", "winterfell", 2)
    assert "muster:siege-engine:winterfell" not in units(g, "stark")


@pytest.mark.rule("AGOT-06")
def test_only_castles_and_strongholds_are_mustered_in():
    g = within(field(3, stark="karhold:F winterfell:F white-harbor:F"), "mustering", "stark")
    assert g.question.about == ("stark", "winterfell", "2")
    g = play(g, "stark enough")
    assert g.question.about == ("stark", "white-harbor", "1")
    assert play(g, "stark enough").question.step != "muster"


@pytest.mark.rule("AGOT-08")
@pytest.mark.rule("AGOT-12")
def test_what_the_pool_has_none_of_is_neither_mustered_nor_what_a_footman_becomes():
    g = muster(
        field(stark="karhold:KKK white-harbor:KK castle-black:EE winterfell:F"), "stark", "winterfell", 2
    )
    assert "muster:footman:winterfell" in offered(g, "stark")
    assert not [action for action in offered(g, "stark") if "knight" in action or "siege" in action]
    g = muster(field(stark="bay-of-ice:SSSS the-shivering-sea:SS winterfell:F"), "stark", "winterfell", 2)
    assert not [action for action in offered(g, "stark") if "ship" in action]


@pytest.mark.rule("AGOT-09")
def test_ships_go_to_the_port_or_a_sea_without_enemies():
    g = muster(field(stark="storms-end:F", martell="sea-of-dorne:S"), "stark", "storms-end", 1)
    ships = [action.rpartition(":")[2] for action in units(g, "stark") if ":ship:" in action]
    assert ships == ["east-summer-sea", "port-of-storms-end", "shipbreaker-bay"]


@pytest.mark.rule("AGOT-10")
@pytest.mark.parametrize("key", ["harrenhal", "the-reach", "riverrun"])
def test_without_port_or_sea_there_are_no_ships(key):
    lands = {"stark": f"{key}:F", "greyjoy": "ironmans-bay:S the-golden-sound:S"}
    g = muster(field(**lands), "stark", key, 2)
    assert not any(":ship:" in action for action in units(g, "stark"))


@pytest.mark.rule("AGOT-11")
@pytest.mark.rule("AGOT-41")
def test_land_units_never_stand_in_ports_or_seas():
    g = muster(field(stark="winterfell:F"), "stark", "winterfell", 2)
    for place in ("port-of-winterfell", "bay-of-ice"):
        with pytest.raises(IllegalAction):
            engine.play(g, "stark", f"muster:footman:{place}")


@pytest.mark.rule("AGOT-12")
def test_a_standing_footman_is_upgraded_before_a_routed_one():
    g = field(stark="winterfell:FF")
    g.objectives["winterfell"].routed = ("footman",)
    g = play(muster(g, "stark", "winterfell", 2), "stark upgrade:knight")
    assert g.objectives["winterfell"].routed == ("footman",)
    g = play(g, "stark upgrade:siege-engine")
    assert g.objectives["winterfell"].units == ("knight", "siege-engine")
    assert g.objectives["winterfell"].routed == ("siege-engine",)


@pytest.mark.rule("AGOT-12")
def test_two_footmen_are_upgraded_for_two_points():
    g = muster(field(stark="winterfell:FF"), "stark", "winterfell", 2)
    g = play(g, "stark upgrade:knight", "stark upgrade:siege-engine")
    area = g.objectives["winterfell"]
    assert (area.footmen, area.knights, area.siege_engines) == (0, 1, 1)
    assert area_control.pool(g, "stark", "footman") == 10


@pytest.mark.rule("AGOT-13")
@pytest.mark.rule("AGOT-05")
def test_mustering_keeps_to_supply():
    g = field(stark="winterfell:FFF karhold:FF white-harbor:F")
    g.armies["stark"].supply = 1
    lone = muster(g, "stark", "white-harbor", 1)
    assert "muster:footman:white-harbor" not in units(lone, "stark")
    assert "upgrade:knight" in units(lone, "stark")
    g.objectives["moat-cailin"].token = "stark"
    empty = muster(g, "stark", "moat-cailin", 1)
    assert "muster:footman:moat-cailin" in units(empty, "stark")


@pytest.mark.rule("AGOT-14")
def test_what_is_not_spent_is_lost():
    g = play(muster(field(), "stark", "winterfell", 2), "stark muster:footman:winterfell")
    assert g.question.about[2] == "1"
    g = play(g, "stark enough")
    assert "Stark musters no more in Winterfell: 1 point is lost." in str(g.lines[0])
    assert g.question.step == "planning"


@pytest.mark.rule("AGOT-14")
def test_what_buys_nothing_is_told_to_be_lost():
    """All knights stand on the map, and supply has room for no further unit."""
    g = field(stark="winterfell:FK karhold:KKKK")
    g.armies["stark"].supply = 0
    for full in ("bay-of-ice", "the-shivering-sea", "port-of-winterfell"):
        g.objectives[full].house, g.objectives[full].ships = "greyjoy", 1
    g = play(muster(g, "stark", "winterfell", 2), "stark upgrade:siege-engine")
    assert g.question.step == "planning"
    assert "Stark musters no more in Winterfell: 1 point is lost." in said(g)


@pytest.mark.rule("AGOT-06")
def test_nobody_musters_where_a_correction_has_put_another_house_meanwhile():
    g = within(field(3), "mustering", "stark")
    g = engine.adjust(g, "lannister", "objective/winterfell", "footman:winterfell-of-lannister:2")
    there = g.objectives["winterfell"]
    assert (there.house, there.footmen, asks(g)) == ("lannister", 2, "planning stark lannister baratheon")
    assert "Stark musters no more in Winterfell: 2 points are lost." in said(g)


@pytest.mark.rule("AGOT-42")
def test_ships_in_a_port_are_an_army():
    g = field(stark="winterfell:FF karhold:FF port-of-winterfell:SS")
    g.armies["stark"].supply = 0
    assert sorted(area_control.sizes(g, "stark")) == [2, 2, 2]
    assert not area_control.fits(g, "stark")


@pytest.mark.rule("AGOT-43")
def test_a_port_holds_three_ships():
    g = muster(field(stark="winterfell:F port-of-winterfell:SSS"), "stark", "winterfell", 2)
    assert "muster:ship:port-of-winterfell" not in units(g, "stark")


@pytest.mark.rule("AGOT-44")
def test_one_ship_in_the_port_and_one_at_sea():
    g = muster(field(), "baratheon", "dragonstone", 2)
    g = play(g, "baratheon muster:ship:port-of-dragonstone", "baratheon muster:ship:shipbreaker-bay")
    assert (g.objectives["port-of-dragonstone"].ships, g.objectives["shipbreaker-bay"].ships) == (1, 1)


@pytest.mark.rule("AGOT-45")
def test_the_port_is_filled_under_blockade():
    g = muster(field(greyjoy="bay-of-ice:S"), "stark", "winterfell", 2)
    ships = [action for action in units(g, "stark") if ":ship:" in action]
    assert ships == ["muster:ship:port-of-winterfell", "muster:ship:the-shivering-sea"]


def test_armies_over_a_lower_level_lose_units_until_they_fit():
    g = field(stark="winterfell:FFF karhold:FF white-harbor:KK")
    g = within(g, "supply")
    assert g.armies["stark"].supply == 1
    assert asks(g) == "reconcile stark"
    g = play(g, "stark remove:karhold:footman")
    assert g.question.step == "planning"
    assert g.objectives["karhold"].footmen == 1
