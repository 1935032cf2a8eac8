"""The map without orders: where a house has none left is known from what was resolved this round."""

import pytest

from games.core import engine
from games.systems.agot.map import combat
from games.systems.agot.tests.tables import asks, at, field, marching, play, sent, within
from tests.positions import offered

HINT = "Your units arrived this round, so only a card could have put an order here."


def marched(*groups, start="winterfell", **lands):
    """Stark has marched, and after everybody else says that no March order is left it may march again."""
    g = field(**{"stark": "winterfell:FF karhold:F", "lannister": "stoney-sept:F", **lands})
    return sent(marching(g, "stark", start), "stark", *groups)


def hints(g, seat):
    return {offer.action.split(":")[1]: str(offer.detail or "") for offer in marches(g, seat)}


def marches(g, seat):
    return [offer for offer in engine.offers(g, seat) if offer.action.startswith("march:")]


def gathers(g, seat):
    g = at(to_consolidation(g), "consolidation", seat)
    return [action for action in offered(g, seat) if action.startswith("gather:")]


def to_consolidation(g):
    while g.question.step == "marches":
        g = play(g, f"{engine.to_act(g)[0]} no-march")
    return g


@pytest.mark.rule("BASE-07")
def test_a_march_from_where_units_came_this_round_is_marked():
    g = at(marched("white-harbor footman 1"), "marches", "stark")
    found = hints(g, "stark")
    assert (found["white-harbor"], found["karhold"]) == (HINT, "")
    assert "winterfell" not in found, "its order was resolved"
    styles = {offer.action.split(":")[1]: offer.style for offer in marches(g, "stark")}
    assert (styles["white-harbor"], styles["karhold"]) == ("quiet", "plain")


@pytest.mark.rule("BASE-07")
def test_units_that_join_their_own_find_the_order_that_lies_there():
    g = at(marched("karhold footman 1"), "marches", "stark")
    assert hints(g, "stark")["karhold"] == ""


@pytest.mark.rule("BASE-07")
def test_so_is_one_from_an_area_that_was_won():
    g = marched("moat-cailin footman 2", greyjoy="moat-cailin:F")
    g = play(g, "stark wins:attacker", "greyjoy enough")
    g = play(g, f"greyjoy {offered(g, 'greyjoy')[0]}") if g.question.step == "retreat" else g
    assert hints(at(g, "marches", "stark"), "stark")["moat-cailin"] == HINT


@pytest.mark.rule("BASE-07")
def test_an_order_that_a_card_takes_along_is_resolved_again():
    """Stark wins with a card that moves its March +0 to Moat Cailin."""
    g = marched("moat-cailin footman 2", greyjoy="moat-cailin:FF pyke:F")
    g = play(g, "stark wins:attacker", "greyjoy lose:footman", "greyjoy lose:footman")
    again = at(g, "marches", "stark")
    values = [action.rpartition(":")[2] for action in offered(again, "stark") if ":moat-cailin:" in action]
    assert values == ["minus", "plus", "zero"]
    assert "march:karhold:zero" not in offered(again, "stark")
    assert play(again, "stark march:moat-cailin:zero").question.about == ("stark", "moat-cailin", "zero")


@pytest.mark.rule("AGOT-51")
def test_no_consolidation_is_offered_where_a_house_marched_or_came_this_round():
    assert gathers(marched("white-harbor footman 1"), "stark") == ["gather:karhold"]


@pytest.mark.rule("AGOT-51")
def test_nor_where_beaten_units_have_retreated_to():
    g = marched("moat-cailin footman 2", greyjoy="moat-cailin:F pyke:F")
    g = play(g, "stark wins:attacker", "greyjoy enough", "greyjoy retreat:greywater-watch")
    assert gathers(g, "greyjoy") == ["gather:pyke"]


@pytest.mark.rule("AGOT-53")
@pytest.mark.rule("AGOT-51")
def test_nor_in_a_port_whose_ships_were_replaced():
    g = field(stark="stoney-sept:F riverrun:F", lannister="port-of-lannisport:S")
    g = sent(marching(g, "stark", "riverrun"), "stark", "lannisport footman 1")
    g = play(g, "stark keep", "stark replace:1")
    assert g.objectives["port-of-lannisport"].house == "stark"
    assert gathers(g, "stark") == ["gather:stoney-sept"]


@pytest.mark.rule("AGOT-52")
def test_nor_in_a_port_into_which_a_special_order_has_just_mustered():
    g = at(field(stark="winterfell:F white-harbor:F"), "consolidation", "stark")
    g = play(g, "stark special:winterfell", "stark muster:ship:port-of-winterfell", "stark enough")
    assert gathers(g, "stark") == ["gather:white-harbor"]


@pytest.mark.rule("AGOT-82")
def test_units_that_came_this_round_have_no_support_order():
    g = at(marched("white-harbor footman 1"), "marches", "stark")
    assert "white-harbor" not in combat.support_of(g, "moat-cailin")
    assert "white-harbor" in combat.support_of(field(stark="white-harbor:F"), "moat-cailin")


@pytest.mark.rule("BASE-07")
def test_the_next_round_begins_with_orders_everywhere():
    g = to_consolidation(marched("white-harbor footman 1"))
    assert g.orderless == ("winterfell", "white-harbor")
    while g.round == 1:
        g = play(g, f"{engine.to_act(g)[0]} none")
    assert g.orderless == ()


@pytest.mark.rule("BASE-12")
def test_where_the_app_knows_the_orders_it_needs_no_note():
    g = field(stark="winterfell:FF", lannister="lannisport:F", mode="orders")
    g.objectives["winterfell"].order_token = g.objectives["lannisport"].order_token = "march-zero"
    g = play(at(g, "marches", "stark", "lannister"), "stark march:winterfell:zero")
    g = sent(g, "stark", "white-harbor footman 1")
    assert (asks(g), g.orderless) == ("marches lannister", ())


@pytest.mark.rule("BASE-07")
def test_an_area_is_noted_once_and_units_mustered_before_orders_are_placed_have_one():
    g = field(stark="winterfell:FF karhold:F")
    g = sent(marching(g, "stark", "winterfell"), "stark", "white-harbor footman 1", "white-harbor footman 1")
    g = at(g, "marches", "stark", orderless=(*g.orderless, "karhold"))
    assert play(g, "stark march:karhold:plus").orderless == ("winterfell", "white-harbor", "karhold")
    g = within(field(stark="winterfell:F"), "muster", "stark", "winterfell", "2")
    assert play(g, "stark muster:ship:port-of-winterfell").orderless == ()
