"""Wildling cards with the whole map: what they cost in units, and what they bring."""

import pytest

from games.systems.agot.tests.tables import asks, bids, field, play, within
from tests.positions import offered, said

WATCH = "wildlings"


def attack(g):
    """The bids of an attack of strength 6, everybody with five power."""
    return within(g, "attack", threat=6)


def lost(g, card):
    """Stark bid nothing, Lannister 2, Baratheon 3: the wildlings have won with this card."""
    g = bids(attack(g), WATCH, stark=0, lannister=2, baratheon=3)
    return play(g, f"stark wildling:{card}")


def repelled(g, card):
    """Stark bid 4, the others 2 and 1: the Night's Watch has won with this card."""
    return play(bids(attack(g), WATCH, stark=4, lannister=2, baratheon=1), f"stark wildling:{card}")


def test_mammoth_riders_take_three_units_and_two():
    g = lost(
        field(3, stark="winterfell:FFK karhold:F", lannister="lannisport:FFF", baratheon="kingswood:F"),
        "mammoth-riders",
    )
    assert asks(g) == "perish stark"
    assert offered(g, "stark") == [
        "lose:karhold:footman",
        "lose:winterfell:footman",
        "lose:winterfell:knight",
    ]
    g = play(g, *["stark lose:winterfell:footman"] * 2, "stark lose:karhold:footman")
    assert asks(g) == "perish baratheon"
    g = play(g, "baratheon lose:kingswood:footman")
    assert asks(g) == "perish lannister", "who has fewer units loses those"
    g = play(g, *["lannister lose:lannisport:footman"] * 2)
    assert [area.size for area in g.objectives.values() if area.size] == [1, 1]
    assert g.question.step != "perish"
    assert g.threat == 2


@pytest.mark.rule("AGOT-31")
@pytest.mark.parametrize(("by_bid", "then"), [(0, "baratheon lannister"), (1, "lannister baratheon")])
def test_raiders_have_the_lowest_bidder_remove_units_first(by_bid, then):
    """Turn order, which is Baratheon, Lannister, Stark, had it wait for the others."""
    placed = field(3, stark="winterfell:FFF", lannister="lannisport:FFFF", baratheon="kingswood:FFFF")
    placed.rules = {**placed.rules, "by_bid": by_bid}
    for army in placed.armies.values():
        army.supply = 2
    g = lost(placed, "rattleshirts-raiders")
    for seat in ("stark", *then.split()):
        assert asks(g) == f"reconcile {seat}"
        g = play(g, f"{seat} {offered(g, seat)[0]}")
    assert g.question.step != "reconcile"


@pytest.mark.rule("AGOT-67")
def test_the_last_unit_of_an_area_leaves_nothing_behind():
    g = lost(field(3, stark="the-twins:F karhold:F"), "mammoth-riders")
    (offer, *_rest) = (o for o in _offers(g, "stark") if o.action == "lose:the-twins:footman")
    assert str(offer.detail) == "the last one: the area is lost"
    g = play(g, "stark lose:the-twins:footman")
    assert (g.objectives["the-twins"].house, g.objectives["the-twins"].token) == ("", "")


def _offers(g, seat):
    from games.core import engine

    return engine.offers(g, seat)


def test_ships_in_the_port_of_a_lost_land_go_with_it():
    g = field(3, lannister="oldtown:F port-of-oldtown:SS", stark="winterfell:FFFF", baratheon="kingswood:FF")
    g.objectives["oldtown"].closed = False
    g = lost(g, "the-horde-descends")
    g = play(g, "stark sack:winterfell", *["stark lose:winterfell:footman"] * 2)
    g = play(g, "baratheon lose:kingswood:footman", "lannister lose:oldtown:footman")
    assert g.objectives["port-of-oldtown"].ships == 0


def test_the_horde_takes_two_in_one_castle_or_any_two():
    g = lost(field(3, stark="winterfell:FF white-harbor:FK karhold:FF"), "the-horde-descends")
    assert (asks(g), offered(g, "stark")) == ("sack stark", ["sack:white-harbor", "sack:winterfell"])
    g = play(g, "stark sack:white-harbor")
    assert offered(g, "stark") == ["lose:white-harbor:footman", "lose:white-harbor:knight"]
    nowhere = lost(field(3, stark="winterfell:F karhold:FF"), "the-horde-descends")
    assert asks(nowhere) == "perish stark"
    assert "lose:karhold:footman" in offered(nowhere, "stark")


def test_crow_killers_makes_footmen_of_knights():
    g = lost(field(3, stark="winterfell:KK karhold:K", lannister="lannisport:KKK"), "crow-killers")
    g = play(g, "stark demote:karhold", *["stark demote:winterfell"] * 2)
    assert g.objectives["winterfell"].footmen == 2
    g = play(g, *["lannister demote:lannisport"] * 2)
    assert (g.objectives["lannisport"].knights, g.objectives["lannisport"].footmen) == (1, 2)
    assert g.question.step != "demote"


def test_a_knight_without_a_free_footman_is_lost():
    lands = "winterfell:FFFF karhold:FFF white-harbor:FFF castle-black:K"
    g = play(lost(field(3, stark=lands), "crow-killers"), "stark demote:castle-black")
    assert g.objectives["castle-black"].size == 0
    assert "Stark removes: Knight, Castle Black." in said(g)


@pytest.mark.rule("AGOT-31")
def test_the_last_free_footman_takes_the_place_of_a_knight():
    lands = "winterfell:FFFF karhold:FFF white-harbor:FF castle-black:KK"
    g = lost(field(3, stark=lands), "crow-killers")
    assert [offer.detail for offer in _offers(g, "stark")] == [None]
    g = play(g, "stark demote:castle-black")
    assert (g.objectives["castle-black"].footmen, g.objectives["castle-black"].knights) == (1, 1)
    assert [str(offer.detail) for offer in _offers(g, "stark")] == ["no footman is free: it is lost"]


def test_crow_killers_repelled_makes_knights():
    g = repelled(field(3, stark="winterfell:FFF"), "crow-killers")
    g = play(g, "stark promote:winterfell")
    assert (g.objectives["winterfell"].knights, g.objectives["winterfell"].footmen) == (1, 2)
    assert asks(g) == "promote stark"
    assert play(g, "stark enough").question.step != "promote"
    assert play(g, "stark promote:winterfell").question.step != "promote", "two at most"


@pytest.mark.rule("AGOT-30")
def test_the_last_knight_of_the_pool_is_made_and_no_more():
    lands = "winterfell:FFF karhold:KKK white-harbor:K"
    g = play(repelled(field(3, stark=lands), "crow-killers"), "stark promote:winterfell")
    assert g.objectives["winterfell"].knights == 1
    assert g.question.step != "promote"


@pytest.mark.rule("AGOT-31")
def test_the_horde_comes_to_own_castles_with_two_units():
    lands = "winterfell:FF white-harbor:FF karhold:FF moat-cailin:F"
    g = lost(field(3, stark=lands, lannister="lannisport:FF harrenhal:FF"), "the-horde-descends")
    assert offered(g, "stark") == ["sack:white-harbor", "sack:winterfell"]


def test_the_horde_repelled_brings_a_muster():
    g = repelled(field(3, stark="winterfell:F white-harbor:F karhold:F"), "the-horde-descends")
    assert offered(g, "stark") == ["enough", "levy:white-harbor", "levy:winterfell"]
    assert play(g, "stark enough").question.step != "levy"
    g = play(g, "stark levy:winterfell", "stark muster:knight:winterfell")
    assert g.objectives["winterfell"].knights == 1
    assert g.question.step != "levy"


def test_preemptive_raid_costs_two_units_on_the_map():
    g = lost(field(3, stark="winterfell:FFF"), "preemptive-raid")
    g = play(g, "stark lose-units", *["stark lose:winterfell:footman"] * 2)
    assert g.objectives["winterfell"].footmen == 1
    assert g.question.step != "perish"


def test_house_cards_stay_with_the_table():
    g = lost(field(3, stark="winterfell:FFF"), "massing-on-the-milkwater")
    assert asks(g) == "carry stark"


@pytest.mark.rule("AGOT-31")
@pytest.mark.rule("AGOT-67")
@pytest.mark.parametrize(
    ("lands", "token", "warned"),
    [
        ("the-twins:F", "", True),
        ("the-twins:FK", "", False),
        ("the-twins:F", "stark", False),
        ("winterfell:F", "", False),
        ("the-narrow-sea:S", "", False),
    ],
    ids=["the last one", "two units", "a token stays", "the own crest", "at sea"],
)
def test_who_removes_the_last_unit_is_told_that_the_area_goes_too(lands, token, warned):
    g = field(3, stark=lands)
    key = lands.partition(":")[0]
    g.objectives[key].token = token
    g = lost(g, "mammoth-riders")
    told = {str(offer.detail or "") for offer in _offers(g, "stark")}
    assert told == {"the last one: the area is lost" if warned else ""}


@pytest.mark.rule("AGOT-31")
def test_what_a_card_takes_is_logged():
    g = play(lost(field(3, stark="winterfell:FK"), "the-horde-descends"), "stark sack:winterfell")
    assert said(g) == "The wildlings come to Winterfell."
    g = play(g, "stark lose:winterfell:knight")
    assert said(g) == "Stark removes: Knight, Winterfell."


@pytest.mark.rule("AGOT-30")
def test_only_where_a_footman_stands_may_one_become_a_knight():
    g = repelled(field(3, stark="winterfell:FK castle-black:K karhold:F"), "crow-killers")
    assert offered(g, "stark") == ["enough", "promote:karhold", "promote:winterfell"]
