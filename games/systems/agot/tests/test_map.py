"""The map's own checks, and who controls what."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot import pieces
from games.systems.agot.map import area_control, moving_units, round_on_map
from games.systems.agot.pieces import TRACKS, box
from games.systems.agot.tests.tables import (
    asks,
    at,
    field,
    goes,
    marching,
    play,
    power,
    sent,
    table,
    within,
)
from tests.positions import offered, said

LANDS = [key for key in pieces.areas() if pieces.kind(key) == "land"]


def test_the_map_is_whole():
    kinds = [pieces.kind(key) for key in pieces.areas()]
    assert [kinds.count(kind) for kind in ("land", "sea", "port")] == [38, 12, 8]
    pairs = {frozenset((key, other)) for key in pieces.areas() for other in pieces.adjacent(key)}
    assert len(pairs) == 143
    assert all(len(pair) == 2 for pair in pairs)
    assert all(key in pieces.adjacent(other) for key in pieces.areas() for other in pieces.adjacent(key))
    assert {pieces.printed(key)["region"] for key in pieces.areas()} == set(pieces.REGIONS)


def test_icons_castles_and_ports_are_as_printed():
    forts = [pieces.printed(key).get("fort") for key in LANDS]
    assert (forts.count("castle"), forts.count("stronghold")) == (10, 10)
    assert sum(pieces.printed(key).get("supply", 0) for key in LANDS) == 24
    assert sum(pieces.printed(key).get("power", 0) for key in LANDS) == 19
    for port in (key for key in pieces.areas() if pieces.port_of(key)):
        assert set(pieces.adjacent(port)) == {pieces.port_of(port), pieces.sea_of(port)}
    assert not any(
        pieces.port_at(key) for key in ("highgarden", "kings-landing", "riverrun", "seagard", "the-eyrie")
    )


@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_every_start_is_legal_and_counts_as_printed(houses):
    g = table(houses, "full")
    for seat in g.seats:
        assert area_control.fits(g, seat)
        assert area_control.supply(g, seat) == g.armies[seat].supply == box()["houses"][seat]["supply"]
        assert g.points(seat) == area_control.castles(g)[seat] == box()["houses"][seat]["castles"]


def test_decks_and_tracks_are_whole():
    from games.systems.agot.tracks.westeros_phase import CARDS, DECKS

    assert set(CARDS) == set().union(*DECKS)
    for players in box()["players"].values():
        tracks = [sorted(players[track]) for track in TRACKS]
        assert tracks[0] == tracks[1] == tracks[2]


@pytest.mark.rule("AGOT-54")
def test_rivers_separate():
    for one, other in pieces.printed_map()["rivers"]:
        assert other not in pieces.adjacent(one)
    g = marching(field(stark="riverrun:F"), "stark", "riverrun")
    with pytest.raises(IllegalAction, match="A river without a bridge lies before The Mountains of the Moon"):
        engine.play(g, "stark", "to:the-mountains-of-the-moon")


@pytest.mark.rule("AGOT-55")
def test_bridges_join():
    for one, other in pieces.printed_map()["bridges"]:
        assert other in pieces.adjacent(one)


@pytest.mark.rule("AGOT-56")
def test_islands_are_land():
    islands = [key for key in LANDS if all(pieces.kind(other) != "land" for other in pieces.adjacent(key))]
    assert sorted(islands) == sorted(pieces.printed_map()["islands"]) == ["dragonstone", "pyke", "the-arbor"]
    assert area_control.controller(field(stark="the-arbor:F"), "the-arbor") == "stark"


@pytest.mark.rule("AGOT-57")
def test_islands_are_left_by_ship_only():
    assert goes(marching(field(greyjoy="pyke:F"), "greyjoy", "pyke"), "greyjoy") == set()
    g = marching(field(greyjoy="pyke:F ironmans-bay:S"), "greyjoy", "pyke")
    assert goes(g, "greyjoy") == {"flints-finger", "greywater-watch", "riverrun", "seagard"}


@pytest.mark.rule("AGOT-58")
def test_nobody_controls_a_sea():
    assert area_control.controller(field(stark="ironmans-bay:S"), "ironmans-bay") == ""


@pytest.mark.rule("AGOT-59")
def test_one_siege_engine_controls_an_area():
    g = field(stark="blackwater:E")
    assert area_control.controller(g, "blackwater") == "stark"
    assert area_control.supply(g, "stark") == 1 + 2


@pytest.mark.rule("AGOT-66")
def test_a_token_is_no_icon():
    g = field(stark="karhold:F")
    g.objectives["karhold"].token = "stark"
    assert area_control.income(g, "stark") == 1 + 1
    assert round_on_map.worth(g, "karhold") == 2


@pytest.mark.rule("AGOT-68")
def test_the_crest_is_a_token_that_stays():
    g = field()
    assert [area_control.controller(g, key) for key in ("winterfell", "pyke", "sunspear")] == [
        "stark",
        "greyjoy",
        "martell",
    ]
    assert area_control.controller(field(3), "pyke") == ""
    assert area_control.controller(field(5), "sunspear") == "", "whose house does not play has nobody's crest"


@pytest.mark.rule("AGOT-69")
@pytest.mark.rule("AGOT-70")
def test_units_come_before_a_token_and_a_token_before_the_crest():
    g = field(greyjoy="lannisport:F")
    assert area_control.controller(g, "lannisport") == "greyjoy"
    g = field()
    g.objectives["lannisport"].token = "greyjoy"
    assert area_control.controller(g, "lannisport") == "greyjoy"
    g.objectives["lannisport"].house, g.objectives["lannisport"].footmen = "stark", 1
    assert area_control.controller(g, "lannisport") == "stark"


@pytest.mark.rule("AGOT-04")
def test_levels_change_only_when_markers_are_adjusted():
    g = marching(field(greyjoy="riverrun:F"), "greyjoy", "riverrun")
    g = play(sent(g, "greyjoy", "lannisport footman 1"), "greyjoy keep")
    assert area_control.controller(g, "lannisport") == "greyjoy"
    assert g.armies["lannister"].supply == 6
    assert area_control.supply(g, "lannister") == 0


# --- tokens --------------------------------------------------------------------------------------


def emptied(tokens=5, **lands):
    """Stark marches its only footman from White Harbor to Moat Cailin."""
    g = power(field(stark="white-harbor:F", **lands), stark=tokens)
    return sent(marching(g, "stark", "white-harbor"), "stark", "moat-cailin footman 1")


@pytest.mark.rule("AGOT-60")
def test_a_token_keeps_an_area_that_is_left():
    g = emptied()
    assert (g.question.step, offered(g, "stark")) == ("leave-token", ["keep", "leave"])
    left, kept = play(g, "stark leave"), play(g, "stark keep")
    assert (area_control.controller(left, "white-harbor"), left.armies["stark"].power) == ("stark", 4)
    assert (area_control.controller(kept, "white-harbor"), kept.armies["stark"].power) == ("", 5)


@pytest.mark.rule("AGOT-60")
def test_a_march_of_nobody_gives_up_nothing():
    """A correction has removed the units that the order was to move."""
    g = marching(field(stark="white-harbor:F"), "stark", "white-harbor")
    g.objectives["white-harbor"].footmen = 0
    assert play(g, "stark go").question.step != "leave-token"


def test_what_goes_with_an_area_is_told_before():
    g = march_out(
        field(lannister="lannisport:F port-of-lannisport:S"), "lannister", "lannisport", "stoney-sept"
    )
    assert g.question.step != "leave-token", "the crest keeps the own home"
    g = march_out(field(stark="lannisport:F port-of-lannisport:S"), "stark", "lannisport", "stoney-sept")
    told = (
        "Without a power token it returns to Lannister: stronghold, 2 supply, the ships in Port "
        "of Lannisport."
    )
    assert str(engine.step_of(g).helping(g, "stark")) == told
    g = march_out(field(stark="white-harbor:F"), "stark", "white-harbor", "winterfell")
    assert str(engine.step_of(g).helping(g, "stark")) == "Without a power token no one controls it: castle."


def march_out(g, seat, key, place):
    """The position after the only unit of an area has gone to another."""
    return sent(marching(g, seat, key), seat, f"{place} footman 1")


@pytest.mark.rule("AGOT-61")
def test_own_units_coming_and_going_do_not_disturb_the_token():
    g = field(stark="karhold:F")
    g.objectives["karhold"].token = "stark"
    g = sent(marching(g, "stark", "karhold"), "stark", "winterfell footman 1")
    assert area_control.controller(g, "karhold") == "stark"
    assert g.armies["stark"].power == 5
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    assert (g.objectives["karhold"].token, g.armies["stark"].power) == ("stark", 5)


@pytest.mark.rule("AGOT-62")
def test_the_token_is_decided_before_the_fight():
    g = emptied(greyjoy="moat-cailin:F")
    assert g.question.step == "leave-token"
    g = play(g, "stark leave")
    assert (g.question.step, g.armies["stark"].power) == ("battle", 4)
    g = play(g, "stark wins:defender", "stark enough")
    assert (g.objectives["white-harbor"].token, g.armies["stark"].power) == ("stark", 4)


@pytest.mark.rule("AGOT-63")
def test_without_power_there_is_no_token_and_the_log_says_so():
    g = emptied(tokens=0)
    assert g.question.step != "leave-token"
    assert area_control.controller(g, "white-harbor") == ""
    assert "Stark has no power token to leave in White Harbor." in said(g)
    home = marching(power(field(stark="winterfell:F"), stark=0), "stark", "winterfell")
    assert "no power token" not in said(sent(home, "stark", "moat-cailin footman 1"))


@pytest.mark.rule("AGOT-64")
@pytest.mark.rule("AGOT-65")
def test_a_march_onto_a_token_is_no_fight_and_takes_it():
    g = field(stark="winterfell:FK")
    g.objectives["karhold"].token = "greyjoy"
    before = g.pool("greyjoy")
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    assert (g.objectives["karhold"].token, g.pool("greyjoy")) == ("", before + 1)
    assert "The power token of Greyjoy in Karhold goes to the pool." in said(g)
    assert g.question.step == "consolidation" or g.question.step == "marches"


@pytest.mark.rule("AGOT-67")
def test_only_a_march_leaves_a_token():
    g = field(stark="the-twins:F")
    area_control.leave_dead(g, "the-twins", "footman")
    assert area_control.controller(g, "the-twins") == ""


@pytest.mark.rule("AGOT-71")
def test_left_without_a_token_an_enemy_home_returns_at_once():
    g = power(field(greyjoy="lannisport:F"), greyjoy=0)
    area_control.recount(g)
    assert g.points("lannister") == 0
    g = sent(marching(g, "greyjoy", "lannisport"), "greyjoy", "riverrun footman 1")
    assert area_control.controller(g, "lannisport") == "lannister"
    assert g.points("lannister") == 1


@pytest.mark.rule("AGOT-73")
def test_a_deal_changes_no_rule():
    """No action binds two houses to each other: a march against a friend is offered like any other."""
    g = marching(field(stark="winterfell:F", greyjoy="karhold:F"), "stark", "winterfell")
    assert "karhold" in goes(g, "stark")


@pytest.mark.rule("AGOT-46")
@pytest.mark.rule("AGOT-87")
@pytest.mark.rule("AGOT-91")
def test_what_needs_an_order():
    g = table(6, "full")
    assert list(round_on_map.needing_orders(g, "greyjoy")) == [
        "greywater-watch",
        "pyke",
        "port-of-pyke",
        "ironmans-bay",
    ]
    g.objectives["winterfell"].add("footman", -1)
    g.objectives["winterfell"].add("knight", -1)
    assert "winterfell" not in round_on_map.needing_orders(g, "stark")
    assert g.objectives["winterfell"].garrison == 2
    assert sorted(area_control.sizes(table(6, "full"), "stark")) == [1, 1, 2]


@pytest.mark.rule("AGOT-47")
def test_a_port_is_never_attacked():
    g = marching(
        field(stark="the-golden-sound:S", lannister="port-of-lannisport:S lannisport:F"),
        "stark",
        "the-golden-sound",
    )
    assert "port-of-lannisport" not in goes(g, "stark")


@pytest.mark.rule("AGOT-51")
@pytest.mark.parametrize(("enemy", "gain"), [({}, 1), ({"greyjoy": "the-golden-sound:S"}, 0)])
def test_a_port_under_blockade_brings_nothing(enemy, gain):
    g = at(field(lannister="port-of-lannisport:SS", **enemy), "consolidation")
    assert round_on_map.worth(g, "port-of-lannisport") == gain
    g = at(g, "consolidation", "lannister")
    g = play(g, "lannister gather:port-of-lannisport")
    assert g.armies["lannister"].power == 5 + gain
    assert g.question.step != "consolidation", "no order can lie anywhere else"


@pytest.mark.rule("BASE-07")
def test_consolidate_power_orders_are_resolved_in_turn_one_by_one():
    g = field(3, stark="karhold:F winterfell:F", lannister="lannisport:F", baratheon="the-narrow-sea:S")
    g = at(g, "consolidation")
    assert g.turn_order == ("baratheon", "lannister", "stark")
    assert asks(g) == "consolidation lannister", "no order of Baratheon can bring anything"
    g = play(g, "lannister special:lannisport")
    assert asks(g) == "muster lannister", "what it musters stands before the next house has its turn"
    g = play(g, "lannister enough")
    assert asks(g) == "consolidation stark"
    g = play(g, "stark gather:karhold")
    assert asks(g) == "consolidation stark", "Lannister has no place left"
    assert offered(g, "lannister") == []
    assert play(g, "stark none").question.step == "westeros"


def test_two_houses_take_turns_until_both_are_through():
    g = field(3, stark="karhold:F winterfell:F", lannister="lannisport:F stoney-sept:F")
    g = play(at(g, "consolidation"), "lannister gather:stoney-sept")
    assert asks(g) == "consolidation stark"
    g = play(g, "stark gather:karhold")
    assert asks(g) == "consolidation lannister"
    g = play(g, "lannister none")
    assert asks(g) == "consolidation stark"
    assert play(g, "stark gather:winterfell").gathered == ()


@pytest.mark.rule("AGOT-52")
def test_a_special_order_does_not_muster_in_a_port():
    g = at(field(lannister="port-of-lannisport:S lannisport:F"), "consolidation")
    assert offered(g, "lannister") == [
        "gather:lannisport",
        "gather:port-of-lannisport",
        "none",
        "special:lannisport",
    ]
    assert play(g, "lannister special:lannisport").question.about == ("lannister", "lannisport", "2")


def test_income_counts_ports_with_a_free_sea():
    g = table(6, "full")
    assert area_control.income(g, "greyjoy") == 2
    g.objectives["port-of-pyke"].add("ship", 1)
    assert area_control.income(g, "greyjoy") == 2
    g.objectives["ironmans-bay"].house = "lannister"
    assert area_control.income(g, "greyjoy") == 1


@pytest.mark.rule("AGOT-21")
def test_the_card_game_of_thrones_pays_what_the_map_counts():
    g = within(field(3, stark="winterfell:F port-of-white-harbor:S karhold:F"), "income")
    assert {seat: army.power for seat, army in g.armies.items()} == {
        "stark": 5 + 2 + 1,
        "lannister": 5,
        "baratheon": 5 + 1,
    }


@pytest.mark.rule("AGOT-53")
def test_about_the_ships_of_a_port_a_house_is_asked_once():
    g = field(3, stark="lannisport:F", lannister="port-of-lannisport:S")
    moving_units.clear_ports(g)
    moving_units.clear_ports(g)
    assert [question.about for question in g.flow if question.step == "take-port"] == [
        ("stark", "port-of-lannisport")
    ]
    assert g.objectives["port-of-lannisport"].ships == 1, "nothing is lost before it answers"
    asking = engine.step_of(g).asking
    assert str(asking(g, "stark")) == "How many ships in Port of Lannisport do you replace?"
    assert str(asking(g, None)) == "Stark chooses how many ships in Port of Lannisport to replace"
