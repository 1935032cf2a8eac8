"""The tactics deck in the app: what is in it, who sees it, and where played cards go."""

import pytest

from games.core import IllegalAction, apply, diff, engine
from games.systems.tmg import SYSTEM, ruleset
from games.systems.tmg.lists.army_grammar import demo_text
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import clean_up_phase, destruction, table_facts, tactics_cards
from games.systems.tmg.tests.tables import clean_up, infantry, lobby, ncu, play, table
from tests.positions import asks, offered, said

NAMED = demo_text("stark") + "\nTactics Cards\n • Snow (2)\n • 2x Ice with Fire\n   Stone x2\nStone\n"


def dealt(g, red=("c01", "c01", "c02"), blue=("c03", "c04", "c05")):
    """The same position with these hands, and the rest of each deck."""
    g.rules = {**g.rules, "decks": 1}
    for seat, held in (("red", red), ("blue", blue)):
        heap = sorted(tactics_cards.keys(g) * 2)
        for key in held:
            heap.remove(key)
        g.hide(seat, "hand", list(held))
        g.hide(seat, "deck", heap)
        g.armies[seat].hand, g.armies[seat].deck = len(held), len(heap)
    return g


def duel(**rest):
    """Red and blue with a unit and an NCU each, and a hand in the app; red is to act."""
    return dealt(table([infantry("wolves"), ncu("sansa")], [infantry("lions"), ncu("tyrion")], **rest))


def page(g, seat):
    """The page as this seat reads it, what it may not know left out."""
    return TmgPage(engine.view(g, seat), seat, engine.offers(g, seat) if seat else (), str, lambda path: path)


def fixed(g, seat, path, action, note=""):
    return engine.adjust(g, seat, path, action, note)


# --- what a deck is ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-88")
def test_a_deck_has_twenty_cards_two_of_each():
    g = duel()
    tactics_cards.build(g, "red")
    assert len(g.armies["red"].hidden["deck"]) == g.rules["deck"] == 20
    assert {g.armies["red"].hidden["deck"].count(key) for key in tactics_cards.keys(g)} == {2}
    assert len(tactics_cards.keys(g)) == 10


@pytest.mark.rule("TMG-88")
@pytest.mark.parametrize(
    ("faction", "commander", "cards"),
    [
        ("stark", "Eddard Stark - Lord of Winterfell", 3),
        ("baratheon", "Davos Seaworth - Hero of Blackwater", 4),
        ("baratheon", "Andrew Estermont - First of the King's Men", 3),
        ("targaryen", "Khal Drogo - The Great Khal", 4),
        ("freefolk", "Mag the Mighty", 10),
        ("", "", 3),
    ],
)
def test_so_many_of_its_cards_are_the_commanders(faction, commander, cards):
    g = duel()
    g.armies["red"].faction, g.armies["red"].commander = faction, commander
    assert tactics_cards.commanders(g, g.armies["red"]) == cards
    called = [str(tactics_cards.called(g, "red", key)) for key in tactics_cards.keys(g)]
    assert sum(name.startswith("Commander card") for name in called) == cards
    assert len(set(called)) == 10


@pytest.mark.rule("TMG-88")
def test_its_cards_are_called_as_the_list_says_and_what_it_leaves_out_by_number():
    g = play(lobby(decks=1), "red demo:stark")
    muster = SYSTEM.step_named(g, "muster")()
    assert "Tactics Cards" in str(muster.helping(g, "red"))
    SYSTEM.bring(g, "red", NAMED)
    assert "Tactics Cards" not in str(muster.helping(g, "red"))
    assert g.armies["red"].warnings == ()
    assert g.armies["red"].card_names == ("Snow", "Ice with Fire", "Stone")
    assert [str(tactics_cards.called(g, "red", key)) for key in ("c03", "c04", "c08")] == [
        "Stone",
        "Card 4",
        "Commander card 8",
    ]
    SYSTEM.amend(g, "red", list(SYSTEM.roster(g, "red").rows))
    assert g.armies["red"].card_names[0] == "Snow"
    assert play(g, "red another").armies["red"].card_names == ()


@pytest.mark.rule("TMG-88")
@pytest.mark.parametrize("heading", ["Tactics Cards", "TACTICS DECK:", "战术牌：", "**Tactics cards**"])
def test_the_names_stand_under_a_heading(heading):
    g = lobby(decks=1)
    SYSTEM.bring(g, "red", NAMED.replace("Tactics Cards", heading))
    assert g.armies["red"].card_names == ("Snow", "Ice with Fire", "Stone")


@pytest.mark.rule("TMG-88")
def test_a_card_is_named_at_any_time_by_anybody():
    g = fixed(duel(), "blue", "army/red", "name-card:red:c04", "Winter")
    assert g.armies["red"].card_names == ("", "", "", "Winter", *[""] * 6)
    assert said(g) == "Red: Card 4 is now called Winter."
    with pytest.raises(IllegalAction):
        fixed(g, "red", "army/red", "name-card:red:c04", "Winter")
    with pytest.raises(IllegalAction):
        fixed(g, "red", "army/red", "name-card:red:c04")


def test_more_names_than_cards_are_left_out():
    g = duel()
    tactics_cards.rename(g, "red", tuple(f"Name {number}" for number in range(30)))
    assert len(g.armies["red"].card_names) == 10


# --- drawing -----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-12")
@pytest.mark.rule("TMG-88")
def test_hands_are_drawn_by_chance_that_can_be_verified():
    g = lobby("manual-scoring", decks=1)
    g = play(g, "red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    while g.round == 0:
        seat = engine.to_act(g)[0]
        answers = {"lay-tokens": "tokens:0", "zone-roll": "rolled:6" if seat == "red" else "rolled:1"}
        g = play(g, f"{seat} {answers.get(g.question.step) or engine.offers(g, seat)[-1].action}")
    for army in g.armies.values():
        assert (army.hand, army.deck) == (3, 17)
        assert sorted([*army.hidden["hand"], *army.hidden["deck"]]) == sorted(tactics_cards.keys(g) * 2)
    assert [draw.outcomes for draw in g.draws] == [20, 19, 18] * 2
    assert engine.is_final(lobby(decks=1), g)


@pytest.mark.rule("TMG-29")
@pytest.mark.rule("TMG-89")
def test_letters_draw_two_cards_of_the_deck_and_the_log_tells_how_many():
    g = play(duel(), "red activate:sansa", "red claim:letters")
    assert (g.armies["red"].hand, len(tactics_cards.hand(g, "red"))) == (5, 5)
    assert "Red draws 2 cards: 5 in hand, 15 in the deck." in said(g)
    assert not any(str(tactics_cards.called(g, "red", key)) in said(g) for key in tactics_cards.keys(g))


@pytest.mark.rule("TMG-79")
@pytest.mark.rule("E14")
def test_the_hand_is_filled_to_its_limit_and_an_empty_deck_stays_empty():
    g = duel()
    g.hide("red", "deck", ["c09"])
    g.armies["red"].deck, g.armies["red"].discards = 1, ("c01", "c05")
    tactics_cards.draw(g, "red", 3)
    assert (g.armies["red"].hand, g.armies["red"].deck) == (4, 0)
    assert g.armies["red"].discards == ("c01", "c05")
    tactics_cards.draw(g, "red", 3)
    assert (g.armies["red"].hand, g.armies["red"].deck) == (4, 0)


@pytest.mark.rule("TMG-79")
def test_discards_are_shuffled_back_only_where_the_rules_say_so():
    assert not any(rules["reshuffles"] for rules in ruleset.every().values())
    g = duel(reshuffles=True)
    g.hide("red", "deck", ["c09"])
    g.armies["red"].deck, g.armies["red"].discards = 1, ("c01", "c05")
    tactics_cards.draw(g, "red", 2)
    assert (g.armies["red"].hand, g.armies["red"].deck, g.armies["red"].discards) == (5, 1, ())
    assert "Red shuffles the discard pile into the deck." in said(g)


@pytest.mark.rule("TMG-78")
@pytest.mark.rule("TMG-79")
def test_the_clean_up_asks_which_cards_to_discard_and_refills_by_the_limit():
    g = clean_up([infantry("wolves"), ncu("samwell", hand_bonus=1)])
    g = dealt(g)
    assert clean_up_phase.hand_limit(g, "red") == 4
    assert offered(g, "red") == ["discard-card:c01", "discard-card:c02", "keep"]
    g = play(g, "red discard-card:c01")
    assert (g.armies["red"].discards, g.armies["red"].hand) == (("c01",), 2)
    assert said(g) == "Red discards Card 1."
    g = play(g, "red keep", "blue keep")
    assert (g.armies["red"].hand, len(tactics_cards.hand(g, "red"))) == (4, 4)
    assert g.armies["red"].discards == ("c01",)


# --- who sees what -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-89")
def test_a_hand_is_its_owners_secret_and_counts_and_discards_are_everybodys():
    g = play(duel(), "red play:c02")
    for reader in ("red", "blue", None):
        shown = page(g, reader)
        side = shown.side("red")
        assert side.facts[0].text == "Hand 2, deck 17"
        assert [(fold.title, fold.lines) for fold in side.folds] == [("Discard pile: 1 card", ("Card 2",))]
        hands = [(group.title, [offer.label for offer in group.offers]) for group in side.free_actions]
        assert hands == ([("Your hand: 2 cards", ["Card 1"])] if reader == "red" else [])
        assert engine.view(g, reader).armies["red"].hidden["hand"] == (
            ["c01", "c01"] if reader == "red" else None
        )


@pytest.mark.rule("TMG-89")
def test_nobody_but_its_owner_is_offered_a_card():
    g = duel()
    assert [offer.action for offer in engine.free_actions(g, "red")] == [
        "lay:c01",
        "lay:c02",
        "play:c01",
        "play:c02",
    ]
    assert next(offer.action for offer in engine.free_actions(g, "blue")) == "lay:c03"
    assert engine.free_actions(g, "nobody") == ()
    assert all(offer.is_secret for seat in g.seats for offer in engine.free_actions(g, seat))
    with pytest.raises(IllegalAction):
        play(g, "blue play:c01")


@pytest.mark.rule("TMG-89")
def test_corrections_of_a_hand_are_its_owners_and_tell_nobody_what_it_holds():
    g, other = (
        duel(),
        dealt(
            table([infantry("wolves"), ncu("sansa")], [infantry("lions"), ncu("tyrion")]),
            ("c07",) * 2 + ("c10",),
        ),
    )
    paths = list(SYSTEM.corrections_step.paths(g))
    assert [engine.corrections(g, path) for path in paths] == [
        engine.corrections(other, path) for path in paths
    ]
    with pytest.raises(IllegalAction, match="Only Red"):
        fixed(g, "blue", "army/red", "draw:red:1")
    assert fixed(g, "red", "army/red", "draw:red:1").armies["red"].hand == 4
    g = play(g, "red play:c02")
    with pytest.raises(IllegalAction, match="Only Red"):
        fixed(g, "blue", "army/red", "recover:red:c02")
    g = fixed(g, "red", "army/red", "recover:red:c02")
    assert (tactics_cards.hand(g, "red"), g.armies["red"].discards) == (["c01", "c01", "c02"], ())
    assert not any(offer.action.startswith(("hand:", "deck:")) for offer in engine.corrections(g, "army/red"))


@pytest.mark.rule("TMG-89")
def test_with_the_cards_in_the_players_hands_nothing_is_new():
    g = table()
    assert engine.free_actions(g, "red") == ()
    assert page(g, "red").side("red").free_actions == ()
    assert {"hand:red", "deck:red"} <= {offer.action for offer in engine.corrections(g, "army/red")}
    assert not any("card" in offer.action for offer in engine.corrections(g, "army/red"))


def test_a_hand_that_cannot_be_played_now_is_still_shown_to_its_owner():
    g = dealt(clean_up())
    (fold,) = page(g, "red").side("red").folds
    assert (fold.title, fold.lines) == ("Your hand: 3 cards", ("Card 1", "Card 1", "Card 2"))
    assert page(g, "blue").side("red").folds == ()


def test_every_offer_of_a_hand_has_one_control():
    shown = page(duel(), "red")
    offers = [offer for side in shown.sides() for group in side.free_actions for offer in group.offers]
    assert sorted(choice.action for offer in offers for choice in offer.choices) == [
        "lay:c01",
        "lay:c02",
        "play:c01",
        "play:c02",
    ]
    assert [offer.detail for offer in offers] == ["×2", ""]
    assert not any(action.startswith(("play:", "lay:")) for action in shown.left)


# --- playing -----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-90")
def test_a_card_is_played_at_any_time_and_the_open_question_stays():
    g = duel()
    after = play(g, "blue play:c03")
    assert asks(after) == asks(g) == "turn red"
    assert after.asked == g.asked
    assert said(after) == "Blue plays Card 3."
    assert engine.is_final(g, after)
    old, _new = diff(g, after)
    assert apply(after, old) == g


@pytest.mark.rule("TMG-90")
def test_what_it_is_played_onto_is_asked_of_its_player():
    g = play(duel(), "blue lay:c03")
    assert asks(g) == "lay-card blue"
    assert engine.free_actions(g, "blue") == ()
    assert offered(g, "blue") == ["on:lions", "on:sansa", "on:tyrion", "on:wolves", "to-pile"]
    g = play(g, "blue on:wolves")
    assert offered(g, "blue") == ["back", "until:condition", "until:game", "until:round", "until:turn"]
    g = play(g, "blue back", "blue on:lions", "blue until:game")
    assert g.units["lions"].cards == (("c03", "blue", "game"),)
    assert said(g) == "Card 3 stays with Lions: this game."
    assert (asks(g), g.armies["blue"].in_play) == ("turn red", "")
    assert [badge.text for badge in page(g, None).card(g.units["lions"]).badges] == ["Card 3 · this game"]


@pytest.mark.rule("TMG-90")
def test_a_card_may_go_to_the_discard_pile_after_all():
    g = play(duel(), "red lay:c01", "red to-pile")
    assert (g.armies["red"].discards, asks(g)) == (("c01",), "turn red")


@pytest.mark.rule("TMG-90")
@pytest.mark.parametrize("gone", ["remove:lions", "destroy:lions", "withdraw:lions"])
def test_the_unit_may_be_gone_before_it_is_said_how_long(gone):
    g = play(duel(), "red lay:c01", "red on:lions")
    g = fixed(g, "red", "unit/lions", gone)
    assert (asks(g), g.armies["red"].in_play) == ("lay-card red", "c01")
    assert "on:lions" not in offered(g, "red")


def attached(expiry, **rest):
    """A card of red's that stays with the lions."""
    return play(duel(**rest), "red lay:c01", "red on:lions", f"red until:{expiry}")


@pytest.mark.rule("TMG-90")
@pytest.mark.rule("E16")
@pytest.mark.parametrize(
    ("expiry", "turn", "round"),
    [("turn", False, False), ("round", True, False), ("game", True, True), ("condition", True, True)],
)
def test_cards_end_with_the_turn_or_the_round_or_by_a_tap_alone(expiry, turn, round):
    g = play(attached(expiry), "red activate:wolves")
    assert bool(g.units["lions"].cards) == turn
    g = play(g, "blue activate:lions", "red activate:sansa", "red decline", "blue activate:tyrion")
    g = play(g, "blue decline", "all done", "red keep", "blue keep")
    assert g.round == 2
    assert bool(g.units["lions"].cards) == round
    assert g.armies["red"].discards == (() if round else ("c01",))
    if round:
        g = fixed(g, "blue", "unit/lions", "end-card:lions:red-c01")
        assert said(g) == "Card 1 on Lions ends."
        assert (g.units["lions"].cards, g.armies["red"].discards) == ((), ("c01",))


@pytest.mark.rule("TMG-90")
def test_a_turn_that_ends_the_phase_ends_its_cards_too():
    g = play(attached("turn"), "red activate:wolves")
    g = play(g, "blue activate:lions", "red activate:sansa", "red decline")
    g = play(g, "blue lay:c03", "blue on:wolves", "blue until:turn", "blue activate:tyrion", "blue decline")
    assert g.units["wolves"].cards
    assert play(g, "all done").units["wolves"].cards == ()


@pytest.mark.rule("TMG-90")
def test_what_stays_for_the_turn_after_the_last_turn_ends_with_the_round():
    g = dealt(clean_up(claims={"centre": "wolves"}))
    g = play(
        g, "red lay:c01", "red on:wolves", "red until:turn", "red agree", "blue agree", "red passed:centre"
    )
    assert (asks(g), g.units["wolves"].cards) == ("discard red blue", (("c01", "red", "turn"),))
    g = play(g, "red keep", "blue keep")
    assert (g.round, g.units["wolves"].cards, g.armies["red"].discards) == (3, (), ("c01",))


@pytest.mark.rule("TMG-90")
def test_what_is_attached_falls_with_its_unit():
    g = attached("game")
    destruction.destroy(g, g.units["lions"], "red")
    assert (g.units["lions"].cards, g.armies["red"].discards) == ((), ("c01",))
    g = fixed(attached("game"), "red", "unit/lions", "remove:lions")
    assert g.armies["red"].discards == ("c01",)


@pytest.mark.rule("TMG-88")
def test_a_card_that_got_lost_is_a_problem():
    g = attached("game")
    assert tactics_cards.in_all(g, "red") == 20
    assert not any("in all" in str(line) for line in table_facts.problems(g))
    g.armies["red"].discards = ("c05",)
    assert "Red has 21 tactics cards in total, of 20." in [str(line) for line in table_facts.problems(g)]


def test_cards_that_an_organiser_made_up_are_shown_as_they_are():
    g = duel()
    g.armies["red"].discards, g.units["lions"].cards = ("a blank", "c01"), (("a blank", "red", "for ever"),)
    assert page(g, None).side("red").folds[0].lines == ("Card 1", "a blank")
    assert [badge.text for badge in page(g, None).card(g.units["lions"]).badges] == ["a blank · for ever"]
    offered_there = [offer.action for offer in engine.corrections(g, "army/red")]
    assert [action for action in offered_there if action.startswith("recover:")] == ["recover:red:c01"]
    assert not any("end-card" in offer.action for offer in engine.corrections(g, "unit/lions"))
    tactics_cards.fall(g, g.units["lions"])
    assert g.armies["red"].discards[-1] == "a blank"


def test_a_hand_that_an_export_masked_holds_nothing():
    g = duel()
    g.hide("red", "hand", "•")
    assert tactics_cards.hand(g, "red") == []
    assert engine.free_actions(g, "red") == ()
