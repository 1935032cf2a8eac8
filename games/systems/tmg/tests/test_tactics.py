"""The tactics board and the Non-Combat Units that claim it."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import tactics_cards
from games.systems.tmg.rules.activation_phase import SKIPPED
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from tests.positions import asks, offered, said

ZONES = ("crown", "wealth", "letters", "swords", "horse")


def courts(**rules):
    """An NCU a side beside one unit each; red is to act."""
    return table([infantry("wolves"), ncu("sansa")], [infantry("lions"), ncu("tyrion")], **rules)


def full(**rules):
    """Every zone claimed by others, two NCUs left to act."""
    g = courts(**rules)
    for zone in g.zones():
        zone.claimed_by = "somebody"
    return g


@pytest.mark.rule("TMG-28")
def test_an_ncu_that_activates_claims_one_empty_zone():
    g = play(courts(), "red activate:sansa")
    assert offered(g, "red") == ["back", *sorted(f"claim:{zone}" for zone in ZONES), "decline"]
    g = play(g, "red claim:crown")
    assert g.objectives["crown"].claimed_by == "sansa"
    assert g.units["sansa"].activated
    assert asks(g) == "turn blue"


@pytest.mark.rule("TMG-28")
def test_the_question_goes_away_where_the_unit_turns_out_to_be_no_ncu():
    g = play(courts(), "red activate:sansa")
    g = engine.adjust(g, "red", "unit/sansa", "kind:sansa:infantry")
    assert asks(g) == "turn red"
    g = play(g, "red activate:sansa")
    assert (g.units["sansa"].activated, asks(g)) == (True, "turn blue")


@pytest.mark.rule("TMG-28")
def test_a_claimed_zone_is_refused():
    g = play(courts(), "red activate:sansa", "red claim:crown", "blue activate:tyrion")
    assert "claim:crown" not in offered(g, "blue")
    with pytest.raises(IllegalAction):
        play(g, "blue claim:crown")


@pytest.mark.rule("TMG-28")
def test_back_leaves_the_ncu_fresh():
    g = play(courts(), "red activate:sansa", "red back")
    assert asks(g) == "turn red"
    assert offered(g, "red") == ["activate:sansa", "activate:wolves"]
    assert g.acting is None


@pytest.mark.rule("TMG-28")
def test_the_question_closes_when_the_ncu_is_gone():
    g = play(courts(), "red activate:sansa")
    g.units["sansa"].place = "destroyed"
    engine.advance(g)
    assert asks(g) == "turn red"
    assert offered(g, "red") == ["activate:wolves"]


@pytest.mark.rule("TMG-29")
def test_a_zone_shows_its_effect_and_its_owner_until_the_clean_up():
    g = play(courts(), "red activate:sansa", "red claim:crown")
    crown = derived_facts(g, None)["zones"]["crown"]
    assert "panic test" in crown["effect"]
    assert crown["holders"] == ("red",)
    g = play(
        g, "blue activate:lions", "red activate:wolves", "blue activate:tyrion", "blue decline", "all done"
    )
    assert derived_facts(g, None)["zones"]["crown"]["holders"] == ()


@pytest.mark.rule("TMG-29")
def test_who_claims_a_zone_is_reminded_of_what_it_does():
    g = play(courts(), "red activate:sansa", "red claim:horse")
    assert acting(g, "red").hint == "One of your units maneuvers or retreats as a free action."
    assert acting(g, "blue").hint == ""
    g = play(courts(), "red activate:sansa", "red decline")
    assert acting(g, "red").hint == "Enter what it did now, before the next unit activates."


def acting(g, seat):
    return TmgPage(g, seat, (), str, lambda path: path).acting()


@pytest.mark.rule("TMG-35")
@pytest.mark.rule("TMG-36")
def test_cards_tell_of_influence_and_of_staying():
    g = courts()
    g.units["sansa"].influences, g.units["sansa"].kept = "lions", True
    page = TmgPage(g, None, (), str, lambda path: path)
    assert [badge.text for badge in page.card(g.units["lions"]).badges] == ["Influenced by Sansa"]
    assert [badge.text for badge in page.card(g.units["sansa"]).badges] == [
        "Keep it on its zone",
        "Influences Lions",
    ]


@pytest.mark.rule("TMG-29")
def test_letters_draw_two_cards():
    g = play(courts(), "red activate:sansa", "red claim:letters")
    assert (g.armies["red"].hand, g.armies["red"].deck) == (5, 15)
    assert "Red draws 2 cards: 5 in hand, 15 in the deck." in said(g)


@pytest.mark.rule("TMG-30")
def test_with_every_zone_claimed_an_ncu_activates_without_one():
    g = full()
    assert "activate:sansa" in offered(g, "red")
    g = play(g, "red activate:sansa")
    assert g.units["sansa"].activated
    assert asks(g) == "turn blue"


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("TMG-30")
def test_so_it_does_out_of_turn():
    g = engine.adjust(full(), "blue", "unit/tyrion", "activate:tyrion")
    assert (g.units["tyrion"].activated, asks(g)) == (True, "turn red")


@pytest.mark.rule("TMG-34")
def test_who_claims_a_zone_after_a_swap_has_its_effect_again():
    g = courts()
    g.facts = {tactics_cards.SWAPPED: ["crown", "horse"]}
    g = play(g, "red activate:sansa", "red claim:crown")
    assert (tactics_cards.working(g, g.units["sansa"]), tactics_cards.swapped(g)) == (["crown"], ["horse"])


@pytest.mark.rule("TMG-30")
def test_in_later_rulesets_it_cannot_and_does_not_keep_the_phase_open():
    g = full(full_board=SKIPPED)
    assert offered(g, "red") == ["activate:wolves"]
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert asks(g) == "end-of-turn red blue"


@pytest.mark.rule("TMG-30")
@pytest.mark.parametrize(("rules", "may"), [({}, True), ({"full_board": SKIPPED}, False)])
def test_nor_may_it_out_of_turn(rules, may):
    offered_there = [offer.action for offer in engine.corrections(full(**rules), "unit/sansa")]
    assert ("activate:sansa" in offered_there) == may
    assert "activate:wolves" in [o.action for o in engine.corrections(full(**rules), "unit/wolves")]


@pytest.mark.rule("TMG-30")
@pytest.mark.parametrize(("rules", "state"), [({}, "ready"), ({"full_board": SKIPPED}, "done")])
def test_an_ncu_that_finds_the_board_full_is_not_shown_as_ready(rules, state):
    g = full(**rules)
    page = TmgPage(g, "red", (), str, lambda path: path)
    card = page.card(g.units["sansa"])
    assert (card.state, card.state_label) == (state, "Cannot activate this round" if rules else "")
    notes = [group.note for group in page.side("red").groups if group.title == "Non-Combat Units"]
    assert ("to activate" in notes[0]) == (not rules)


@pytest.mark.rule("TMG-30")
def test_before_the_first_round_no_ncu_is_said_to_be_barred():
    g = table([infantry("wolves"), ncu("sansa")], round=0, step="deploy", full_board=SKIPPED)
    g.objectives = {}
    assert derived_facts(g, None)["units"]["sansa"] == "ready"


@pytest.mark.rule("TMG-30")
def test_an_added_zone_lets_it_activate_again():
    g = full(full_board=SKIPPED)
    tactics_cards.add(g, "water-gardens")
    assert "activate:sansa" in offered(g, "red")


@pytest.mark.rule("TMG-31")
def test_while_a_zone_is_open_an_ncu_may_claim_none():
    g = play(courts(), "red activate:sansa", "red decline")
    assert g.units["sansa"].activated
    assert all(zone.claimed_by is None for zone in g.zones())


@pytest.mark.rule("TMG-31")
def test_a_ruleset_may_forbid_that():
    g = play(courts(may_decline=False), "red activate:sansa")
    assert "decline" not in offered(g, "red")


@pytest.mark.rule("TMG-32")
def test_the_zones_are_the_rulesets():
    assert [zone.key for zone in courts().zones()] == list(ZONES)


@pytest.mark.rule("TMG-32")
def test_an_extra_zone_works_like_any_other_and_comes_once():
    g = courts()
    assert [entry["key"] for entry in tactics_cards.missing(g)] == ["water-gardens", "house-of-the-undying"]
    tactics_cards.add(g, "water-gardens")
    assert [entry["key"] for entry in tactics_cards.missing(g)] == ["house-of-the-undying"]
    g = play(g, "red activate:sansa", "red claim:water-gardens")
    assert tactics_cards.holders(g, g.objectives["water-gardens"]) == ("red",)


@pytest.mark.rule("TMG-33")
def test_a_player_may_count_as_controlling_a_zone_without_an_ncu():
    g = courts()
    g.objectives["swords"].counts_for = "blue"
    assert tactics_cards.holders(g, g.objectives["swords"]) == ("blue",)
    g = play(g, "red activate:sansa", "red claim:swords")
    assert tactics_cards.holders(g, g.objectives["swords"]) == ("red", "blue")


@pytest.mark.rule("TMG-34")
def test_a_claim_stands_when_its_effect_is_replaced():
    g = play(courts(), "red activate:sansa", "red claim:letters")
    g = engine.adjust(g, "red", "army/red", "hand:red:-2")
    g = engine.adjust(g, "red", "army/red", "deck:red:2")
    assert (g.armies["red"].hand, g.armies["red"].deck) == (3, 17)
    assert g.objectives["letters"].claimed_by == "sansa"


@pytest.mark.rule("TMG-38")
def test_a_borrowed_ncu_acts_for_its_borrower_and_goes_home():
    g = courts()
    g.units["sansa"].lent_to = "blue"
    assert offered(g, "red") == ["activate:wolves"]
    g = play(g, "red activate:wolves")
    assert "activate:sansa" in offered(g, "blue")
    g = play(g, "blue activate:sansa", "blue claim:crown")
    assert tactics_cards.holders(g, g.objectives["crown"]) == ("blue",)
    g = play(
        g, "red pass", "blue activate:lions", "red pass", "blue activate:tyrion", "blue decline", "all done"
    )
    assert g.units["sansa"].player == "red"


@pytest.mark.rule("TMG-28")
def test_a_transcript_says_whose_ncu_chooses_a_zone():
    g = table([infantry("wolves"), ncu("sansa")])
    assert SYSTEM.summary(g).startswith("r1 turn:red |")
    assert SYSTEM.summary(play(g, "red activate:sansa")).startswith("r1 claim-zone:red |")
