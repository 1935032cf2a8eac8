"""Sealed bids and the three tracks."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot.pieces import COURT, FIEFDOMS, THRONE
from games.systems.agot.tests.tables import asks, bids, play, power, table, within
from tests.positions import offered, said

SIX = ("martell", "stark", "lannister", "baratheon", "greyjoy", "tyrell")


def clash(houses=6, track=THRONE, **tokens):
    """The question of a bid for one track."""
    return within(power(table(houses), **tokens), "bid", track)


@pytest.mark.rule("AGOT-15")
def test_the_tracks_are_bid_for_one_after_the_other():
    g = clash(3)
    assert g.question.about == (THRONE,)
    g = bids(g, THRONE, stark=3, lannister=1, baratheon=0)
    assert (g.question.step, g.question.about) == ("bid", (FIEFDOMS,))
    with pytest.raises(IllegalAction):
        engine.play(g, "stark", f"bid:{COURT}:1")
    g = bids(g, FIEFDOMS, stark=0, lannister=3, baratheon=1)
    assert g.question.about == (COURT,)


@pytest.mark.rule("AGOT-16")
def test_a_bid_is_sealed_until_the_last_is_in():
    g = clash(3)
    assert offered(g, "stark") == [f"bid:{THRONE} 0-5"]
    for wrong in (6, -1):
        with pytest.raises(IllegalAction):
            engine.play(g, "stark", f"bid:{THRONE}:{wrong}")
    g = bids(g, THRONE, stark=4, lannister=2)
    assert asks(g) == "bid baratheon"
    assert said(g) == "Lannister has bid."
    for reader in ("lannister", "baratheon", None):
        assert engine.view(g, reader).armies["stark"].hidden == {"bid": None}
        assert engine.view(g, reader).armies["stark"].power == 5
    g = bids(g, THRONE, baratheon=1)
    assert "Stark bid 4." in said(g)
    assert [g.armies[seat].hidden for seat in g.seats] == [{}] * 3


def test_a_sealed_bid_can_be_opened_before_the_reveal_and_all_see_that():
    g = bids(clash(3), THRONE, stark=5)
    assert offered(g, "stark") == ["unseal"]
    with pytest.raises(IllegalAction):
        engine.play(g, "stark", f"bid:{THRONE}:2")
    g = play(g, "stark unseal")
    assert said(g) == "Stark changes its bid."
    g = bids(g, THRONE, stark=2, lannister=1, baratheon=0)
    assert g.armies["stark"].power == 3


def test_who_has_no_power_is_not_asked_and_bids_nothing():
    g = bids(clash(3, baratheon=0), THRONE, stark=1, lannister=2)
    assert "Baratheon bid 0." in said(g)
    assert g.track(THRONE) == ("lannister", "stark", "baratheon")


@pytest.mark.rule("AGOT-17")
def test_the_highest_bid_takes_the_first_place():
    g = clash(6)
    g = bids(g, THRONE, stark=4, lannister=3, baratheon=2, greyjoy=1, tyrell=0, martell=5)
    assert g.track(THRONE) == ("martell", "stark", "lannister", "baratheon", "greyjoy", "tyrell")


@pytest.mark.rule("AGOT-18")
def test_every_tie_is_ordered_by_the_holder_of_the_throne():
    g = clash(6)
    g = bids(g, THRONE, stark=3, lannister=3, baratheon=2, greyjoy=0, tyrell=0, martell=0)
    assert asks(g) == "places baratheon"
    assert offered(g, "baratheon") == ["place:lannister", "place:stark"]
    assert offered(g, "stark") == []
    g = play(g, "baratheon place:lannister")
    assert "Baratheon breaks the tie of Stark, Lannister: place 1 goes to Lannister." in said(g)
    assert asks(g) == "places baratheon"
    g = play(g, "baratheon place:martell", "baratheon place:tyrell")
    assert g.track(THRONE) == ("lannister", "stark", "baratheon", "martell", "tyrell", "greyjoy")


@pytest.mark.rule("AGOT-19")
def test_the_new_holder_breaks_the_ties_of_the_later_tracks():
    g = bids(clash(3), THRONE, stark=2, lannister=1, baratheon=0)
    assert "Stark takes the Iron Throne token." in said(g)
    g = bids(g, FIEFDOMS, stark=1, lannister=1, baratheon=1)
    assert asks(g) == "places stark"


@pytest.mark.rule("AGOT-20")
def test_all_that_was_bid_goes_to_the_pool():
    g = clash(3)
    before = g.pool("stark")
    g = bids(g, THRONE, stark=3, lannister=1, baratheon=0)
    assert (g.armies["stark"].power, g.pool("stark")) == (2, before + 3)
    assert offered(g, "stark") == [f"bid:{FIEFDOMS} 0-2"]


def test_nobody_pays_more_than_a_correction_left():
    g = bids(clash(3), THRONE, stark=5)
    g = engine.adjust(g, "lannister", "army/stark", "power:stark:-3")
    g = bids(g, THRONE, lannister=1, baratheon=0)
    assert g.bids == {"stark": 2, "lannister": 1, "baratheon": 0}
    assert g.armies["stark"].power == 0


@pytest.mark.rule("AGOT-76")
def test_the_public_log_never_names_a_sealed_amount():
    worlds = [bids(clash(3), THRONE, stark=amount, lannister=1) for amount in (0, 3, 5)]
    told = [(said(g), engine.view(g, "baratheon").to_json()) for g in worlds]
    assert told[0] == told[1] == told[2]


@pytest.mark.rule("AGOT-16")
def test_a_house_without_power_is_not_told_to_seal_a_bid():
    g = clash(3, stark=0)
    told = {seat: str(engine.step_of(g).helping(g, seat)) for seat in ("stark", "lannister")}
    assert told["stark"] == "Still waiting for Baratheon, Lannister."
    assert told["lannister"].startswith("One tap seals ")


@pytest.mark.rule("AGOT-16")
def test_a_house_that_the_wildlings_once_spared_bids_for_a_track():
    """An organiser may have entered it, or left it, outside an attack."""
    g = clash(3)
    g.spared = "stark"
    assert offered(g, "stark") == [f"bid:{THRONE} 0-5"]
    g = bids(g, THRONE, stark=0, lannister=0, baratheon=0)
    assert asks(g).startswith("places ")
    assert "Stark, Lannister, Baratheon bid 0 each" in str(engine.step_of(g).helping(g, None))
