"""The wildlings attack, and what the nine cards do."""

import pytest

from games.core import engine
from games.systems.agot.pieces import COURT, FIEFDOMS, THRONE, TRACKS
from games.systems.agot.tests.tables import asks, at, bids, play, power, table, within
from games.systems.agot.tracks import sealed_bids, wildling_cards
from tests.positions import offered, said

WATCH = "wildlings"


def attack(threat=6, houses=3, options=None, **tokens):
    """The bids of an attack with this strength."""
    g = power(table(houses, **(options or {})), **tokens)
    return within(g, "attack", threat=threat)


def lost(card, **options):
    """Stark bid nothing against 6, Lannister 2, Baratheon 3: the wildlings have won with this card."""
    g = bids(attack(options=options), WATCH, stark=0, lannister=2, baratheon=3)
    return play(g, f"stark wildling:{card}")


def repelled(card):
    """Stark bid 4, the others 2 and 1: the Night's Watch has won with this card."""
    g = bids(attack(), WATCH, stark=4, lannister=2, baratheon=1)
    return play(g, f"stark wildling:{card}")


@pytest.mark.rule("AGOT-22")
def test_at_twelve_they_attack_before_the_cards_are_resolved():
    g = at(table(), "westeros", threat=10)
    g = play(g, "stark card:supply", "lannister card:dark-wings-dark-words", "stark card:wildlings-attack")
    assert (g.threat, asks(g)) == (12, "bid baratheon lannister stark")
    assert [question.step for question in g.flow] == ["resolve", "bid"]


@pytest.mark.rule("AGOT-23")
def test_they_are_as_strong_as_their_marker_stands():
    g = attack(6)
    assert g.strength == 6
    assert str(engine.step_of(g).asking(g, None)) == "Bid against the wildlings: strength 6"


@pytest.mark.rule("AGOT-24")
def test_a_bid_is_a_part_of_the_available_power():
    g = attack(stark=3)
    assert offered(g, "stark") == ["bid:wildlings 0-3"]
    g = bids(g, WATCH, stark=0)
    assert said(g) == "Stark has bid."


@pytest.mark.rule("AGOT-25")
@pytest.mark.rule("AGOT-26")
@pytest.mark.parametrize(("last", "is_repelled"), [(0, True), (1, True)])
def test_the_watch_is_the_sum_and_holds_against_as_many(last, is_repelled):
    g = attack(houses=6)
    g = bids(g, WATCH, stark=2, lannister=2, baratheon=1, greyjoy=1, tyrell=0, martell=last)
    assert g.repelled is is_repelled


def test_one_less_is_too_little():
    g = bids(attack(), WATCH, stark=2, lannister=2, baratheon=1)
    assert not g.repelled
    assert "The Night's Watch has 5 against 6: the wildlings win." in said(g)


@pytest.mark.rule("AGOT-27")
@pytest.mark.parametrize(("threat", "left"), [(12, 8), (6, 2), (2, 0)])
def test_after_a_defeat_the_marker_goes_back_two_spaces(threat, left):
    g = bids(attack(threat), WATCH, stark=0, lannister=1, baratheon=0)
    g = play(g, "baratheon pick:stark", "stark wildling:silence-at-the-wall")
    assert g.threat == left


def test_repelled_they_go_back_to_nothing():
    assert repelled("silence-at-the-wall").threat == 0


@pytest.mark.rule("AGOT-28")
def test_what_was_bid_is_gone_whatever_came_of_it():
    g = repelled("silence-at-the-wall")
    assert [g.armies[seat].power for seat in g.seats] == [1, 3, 4]
    assert g.bids == {}


@pytest.mark.rule("AGOT-29")
def test_the_card_is_tapped_from_the_nine():
    g = bids(attack(), WATCH, stark=4, lannister=2, baratheon=1)
    assert asks(g) == "wildling-card stark lannister baratheon"
    assert len(offered(g, "lannister")) == 9


@pytest.mark.rule("AGOT-30")
def test_only_the_highest_bidder_is_rewarded():
    g = repelled("mammoth-riders")
    assert asks(g) == "carry stark"
    told = "You may take one discarded house card of your choice back into your hand."
    assert str(engine.step_of(g).asking(g, "stark")) == told
    assert asks(play(g, "stark carried")) == "planning stark lannister baratheon"


@pytest.mark.rule("AGOT-31")
def test_the_lowest_bidder_pays_first_then_the_others_in_turn_order():
    g = lost("mammoth-riders")
    assert g.question.about == ("stark", "baratheon", "lannister")
    assert "three" in str(engine.step_of(g).asking(g, "stark"))
    g = play(g, "stark carried")
    assert asks(g) == "carry baratheon"
    assert "two" in str(engine.step_of(g).asking(g, "baratheon"))


def test_by_choice_the_others_pay_by_rising_bid():
    assert lost("mammoth-riders", by_bid=1).question.about == ("stark", "lannister", "baratheon")


def beaten_by_five(**options):
    """Stark bid nothing, Tyrell 2 and the three others 1 each against 6; the turn begins with Baratheon."""
    g = attack(houses=5, options=options)
    return bids(g, WATCH, stark=0, lannister=1, baratheon=1, greyjoy=1, tyrell=2)


@pytest.mark.rule("AGOT-32")
def test_by_choice_the_holder_of_the_throne_orders_those_who_bid_the_same():
    """Before the card is turned over, as every tie of an attack."""
    assert asks(beaten_by_five()).startswith("wildling-card")
    g = beaten_by_five(by_bid=1)
    assert asks(g) == "payers baratheon"
    assert offered(g, "baratheon") == ["pays:baratheon", "pays:greyjoy", "pays:lannister"]
    help = str(engine.step_of(g).helping(g, None))
    assert help == "Baratheon, Lannister, Greyjoy bid 1 each. Baratheon holds the Iron Throne and decides."
    g = play(g, "baratheon pays:greyjoy")
    assert "Baratheon breaks the tie of Baratheon, Lannister, Greyjoy: next is Greyjoy." in said(g)
    assert offered(g, "baratheon") == ["pays:baratheon", "pays:lannister"]
    g = play(g, "baratheon pays:lannister", "stark wildling:mammoth-riders")
    assert g.question.about == ("stark", "greyjoy", "lannister", "baratheon", "tyrell")


@pytest.mark.rule("AGOT-32")
def test_those_who_bid_as_little_as_the_lowest_pay_next():
    g = bids(attack(options={"by_bid": 1}), WATCH, stark=0, lannister=0, baratheon=0)
    g = play(g, "baratheon pick:lannister")
    assert (asks(g), offered(g, "baratheon")) == ("payers baratheon", ["pays:baratheon", "pays:stark"])
    g = play(g, "baratheon pays:stark", "stark wildling:mammoth-riders")
    assert g.question.about == ("lannister", "stark", "baratheon")


@pytest.mark.rule("AGOT-32")
def test_where_the_wildlings_are_repelled_nobody_pays():
    g = bids(attack(options={"by_bid": 1}), WATCH, stark=4, lannister=1, baratheon=1)
    assert asks(g).startswith("wildling-card")


@pytest.mark.rule("AGOT-32")
def test_a_tie_is_decided_before_the_card_is_turned_over():
    g = bids(attack(), WATCH, stark=0, lannister=0, baratheon=0)
    assert asks(g) == "foremost baratheon"
    assert offered(g, "baratheon") == ["pick:baratheon", "pick:lannister", "pick:stark"]
    g = play(g, "baratheon pick:lannister")
    assert "Baratheon breaks the tie of Baratheon, Lannister, Stark: it is Lannister." in said(g)
    assert asks(g).startswith("wildling-card")


@pytest.mark.rule("AGOT-33")
def test_the_cards_come_round_in_the_same_order():
    g = within(table(), "wildling-card", repelled=True, buried=tuple(wildling_cards.CARDS), marked="stark")
    assert sealed_bids.expected(g) == "silence-at-the-wall"
    main = [offer.action for offer in engine.offers(g, "stark") if offer.style == "main"]
    assert main == ["wildling:silence-at-the-wall"]
    g = play(g, "stark wildling:silence-at-the-wall")
    assert sealed_bids.expected(g) == "preemptive-raid"


@pytest.mark.rule("AGOT-34")
def test_two_attacks_in_one_phase_are_possible():
    g = at(table(), "westeros", threat=10)
    g = play(g, "stark card:last-days-of-summer", "stark card:game-of-thrones", "stark card:wildlings-attack")
    g = bids(g, WATCH, stark=5, lannister=4, baratheon=3)
    g = play(g, "stark wildling:silence-at-the-wall")
    g = play(g, "stark income:0", "lannister income:0", "baratheon income:0")
    assert (g.question.step, g.strength) == ("bid", 0)
    g = bids(g, WATCH, lannister=0, baratheon=0)
    assert g.repelled


# --- the nine cards ------------------------------------------------------------------------------


def test_preemptive_raid_brings_them_back_without_the_highest_bidder():
    g = repelled("preemptive-raid")
    assert (g.strength, g.threat, g.spared) == (6, 0, "stark")
    assert offered(g, "stark") == []
    g = bids(g, WATCH, lannister=3, baratheon=3)
    assert g.repelled
    assert "stark" not in g.bids
    g = play(g, "baratheon pick:lannister", "stark wildling:silence-at-the-wall")
    assert g.spared == ""


@pytest.mark.parametrize("choice", ["lose-units", "lose-places"])
def test_preemptive_raid_costs_units_or_two_places(choice):
    g = lost("preemptive-raid")
    assert asks(g) == "preempted stark"
    g = play(g, f"stark {choice}")
    places = [g.place(track, "stark") for track in TRACKS]
    assert places == ([3, 1, 2] if choice == "lose-units" else [3, 3, 2])
    assert (g.question.step, g.threat) == ("planning", 2), "they come back only where they were repelled"


def test_the_holder_of_the_throne_names_one_of_several_best_tracks():
    g = lost("preemptive-raid").copy()
    g.set_track(COURT, ("stark", "lannister", "baratheon"))
    g = play(g, "stark lose-places")
    assert str(engine.step_of(g).asking(g, "baratheon")) == "Stark falls two places: on which track?"
    assert offered(g, "baratheon") == [f"drop:{FIEFDOMS}", f"drop:{COURT}"]
    g = play(g, f"baratheon drop:{COURT}")
    assert g.track(COURT) == ("lannister", "baratheon", "stark")


def test_raiders_cost_supply_and_armies_have_to_fit():
    g = lost("rattleshirts-raiders")
    assert [g.armies[seat].supply for seat in g.seats] == [0, 1, 1]
    assert asks(g) == "reconcile baratheon lannister stark"


def test_raiders_repelled_bring_supply():
    assert repelled("rattleshirts-raiders").armies["stark"].supply == 2


def test_the_scout_costs_power():
    g = lost("skinchanger-scout")
    assert [g.armies[seat].power for seat in g.seats] == [0, 1, 0]


def test_the_scout_repelled_gives_the_bid_back():
    assert repelled("skinchanger-scout").armies["stark"].power == 5


def test_the_king_sends_to_the_end_of_the_tracks():
    g = lost("a-king-beyond-the-wall")
    assert [g.place(track, "stark") for track in TRACKS] == [3, 3, 3]
    assert asks(g) == "fall baratheon"
    assert offered(g, "baratheon") == [f"last:{FIEFDOMS}", f"last:{COURT}"]
    g = play(g, f"baratheon last:{COURT}", f"lannister last:{FIEFDOMS}")
    assert g.track(COURT) == ("lannister", "stark", "baratheon")


def test_the_king_repelled_brings_a_token():
    g = play(repelled("a-king-beyond-the-wall"), f"stark first:{THRONE}")
    assert g.holder(THRONE) == "stark"


@pytest.mark.rule("BASE-10")
@pytest.mark.parametrize("card", sorted(wildling_cards.CARDS))
def test_every_card_is_resolved_either_way(card):
    for g in (lost(card), repelled(card)):
        assert engine.to_act(g)
        assert card in (*g.buried, g.wildling)
