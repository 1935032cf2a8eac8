"""Corrections: what is offered of the table, its sides and its places, and what each does."""

import pytest

from games.core import engine
from games.systems.tmg.rules import objective_tokens
from games.systems.tmg.tests.correcting import actions, duel, fixed, offer, refused
from games.systems.tmg.tests.tables import clean_up, lobby, play, table
from tests.positions import asks, said

# --- corrections as a whole -----------------------------------------------------------------------------


def test_every_correction_has_a_label_and_a_heading():
    for path in ("table", "army/red", "unit/wolves", "unit/sansa", "objective/centre", "objective/crown"):
        found = engine.corrections(duel(), path)
        assert found
        for one in found:
            assert str(one.label)
            assert one.group
            assert not one.is_numeric or one.value is not None or one.action.startswith("draw")


def test_the_headings_are_few():
    paths = ("table", "army/red", "unit/wolves", "unit/sansa", "objective/centre", "objective/crown")
    headings = {path: {one.group for one in engine.corrections(duel(), path)} for path in paths}
    assert max(len(found) for found in headings.values()) == 8


def test_who_is_not_at_the_table_has_no_corrections():
    for path in ("unit/nobody", "objective/nowhere", "army/green", "round/1", "", "unit/"):
        assert engine.corrections(duel(), path) == ()


def test_a_second_tap_on_a_switch_finds_it_done():
    g = fixed(duel(), "unit/wolves gain:wolves:panicked")
    assert refused(g, "unit/wolves gain:wolves:panicked") == "You cannot make that correction right now."


@pytest.mark.parametrize(("path", "action"), [("unit/wolves", "wounds:wolves:0"), ("army/red", "hand:red:0")])
def test_a_change_by_nothing_says_so(path, action):
    assert refused(duel(), f"{path} {action}") == "No change: it is already set to that."


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("unit/wolves", "kind:wolves:infantry"),
        ("objective/centre", "controller:centre:computed"),
        ("objective/centre", "card:centre:centre"),
        ("objective/crown", "counts:crown:nobody"),
        ("table", "first:red"),
        ("table", "turn:red"),
    ],
)
def test_a_choice_that_holds_already_is_named_by_the_others_and_not_offered(path, action):
    verb = action.partition(":")[0] + ":"
    offers = [one for one in engine.corrections(duel(), path) if one.action.startswith(verb)]
    assert offers
    assert action not in [one.action for one in offers]
    assert all(one.instead_of is not None and one.on is None for one in offers)


# --- a side ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-51")
def test_points_by_hand_need_a_reason_and_name_their_author():
    g = duel(round=2)
    assert refused(g, "army/red points:red:1") == "Please give a reason for these points."
    g = fixed(g, "army/red points:red:-2", note="counted twice", seat="blue")
    row = g.scores["1"]
    assert (row.round, row.seat, row.points, row.reason, row.source, row.author) == (
        2,
        "red",
        -2,
        "correction",
        "counted twice",
        "Blue",
    )
    assert said(g) == "Red: -2 Victory Points, counted twice."
    assert offer(g, "army/red", "points:red").value == g.points("red") == -2


@pytest.mark.rule("TMG-51")
def test_points_by_hand_name_a_nameless_author_by_the_colour():
    g = duel(round=2)
    g.armies["blue"].name = ""
    g = fixed(g, "army/red points:red:-2", note="counted twice", seat="blue")
    assert g.scores["1"].author == "Blue"


@pytest.mark.rule("TMG-12")
def test_before_the_first_round_nobody_gets_points_or_cards():
    assert [action.partition(":")[0] for action in actions(lobby(), "army/red")] == ["add", "hand-bonus"]


@pytest.mark.parametrize(("change", "told"), [(-2, "1 card in hand"), (-1, "2 cards in hand")])
def test_a_corrected_hand_is_told_of_by_its_number(change, told):
    g = duel()
    g.armies["red"].hand = 3
    assert told in str(fixed(g, f"army/red hand:red:{change}").lines[0])


@pytest.mark.rule("TMG-79")
def test_hand_and_deck_are_counted_again():
    g = fixed(duel(), "army/red hand:red:-1", "army/red deck:red:2", "army/red draw:red:2")
    assert (g.armies["red"].hand, g.armies["red"].deck) == (4, 17)
    assert said(g) == "Red draws 2 cards: 4 in hand, 17 in the deck."
    g = fixed(g, "army/red hand-bonus:red:1")
    assert said(g) == "Red: hand limit +1."
    assert fixed(g, "army/red draw:red:1", seat="blue").armies["red"].hand == 5, "anybody counts"


@pytest.mark.rule("TMG-79")
@pytest.mark.parametrize(("deck", "most"), [(17, 5), (2, 2)])
def test_no_more_cards_are_drawn_at_once_than_the_deck_holds_nor_than_five(deck, most):
    g = duel()
    g.armies["red"].deck = deck
    found = offer(g, "army/red", "draw:red")
    assert (found.minimum, found.maximum) == (1, most)
    g.armies["red"].deck = 0
    assert offer(g, "army/red", "draw:red") is None


@pytest.mark.rule("TMG-88")
def test_the_tenth_card_is_named_and_a_second_name_leaves_the_others():
    g = fixed(duel(decks=1), "army/red name-card:red:c10", note="Winter")
    g = fixed(g, "army/red name-card:red:c01", note="Ice")
    assert g.armies["red"].card_names == ("Ice", *[""] * 8, "Winter")


@pytest.mark.rule("TMG-90")
def test_of_two_cards_with_a_unit_the_one_that_is_tapped_ends():
    g = duel(decks=1)
    g.units["lions"].cards = (("c01", "red", "game"), ("c02", "red", "game"))
    g = fixed(g, "unit/lions end-card:lions:red-c02")
    assert (g.units["lions"].cards, said(g)) == ((("c01", "red", "game"),), "Card 2 on Lions ends.")


# --- objectives and zones ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-60")
def test_the_players_say_who_controls_a_token():
    g = fixed(duel(), "objective/centre controller:centre:blue")
    assert objective_tokens.controlled(g, "blue") == [g.objectives["centre"]]
    assert offer(g, "objective/centre", "controller:centre:blue") is None
    g = fixed(g, "objective/centre controller:centre:nobody")
    assert objective_tokens.controlled(g, "blue") == []
    assert offer(g, "objective/centre", "controller:centre:nobody") is None
    g = fixed(g, "objective/centre controller:centre:computed")
    assert offer(g, "objective/centre", "controller:centre:computed") is None


@pytest.mark.rule("TMG-61")
def test_another_card_can_lie_beside_a_token():
    g = duel()
    assert "card:token-a:shift" not in actions(g, "objective/token-a")
    g = fixed(g, "objective/token-a card:token-a:other")
    assert g.objectives["token-a"].card == "other"
    assert "card:token-b:other" in actions(g, "objective/token-b")


@pytest.mark.rule("E11")
@pytest.mark.rule("TMG-33")
def test_a_player_counts_as_controlling_a_zone():
    g = fixed(duel(), "objective/crown counts:crown:blue")
    assert (g.objectives["crown"].counts_for, said(g)) == ("blue", "Blue counts as controlling Crown.")
    assert fixed(g, "objective/crown counts:crown:nobody").objectives["crown"].counts_for is None


# --- the table ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-01")
def test_another_target_is_set_before_the_first_round_and_not_after():
    g = fixed(lobby(), "table target:2")
    assert g.rules["target"] == 12
    assert actions(duel(), "table", "target") == []


@pytest.mark.rule("E8")
@pytest.mark.rule("TMG-80")
def test_first_player_at_once_and_next_round():
    g = fixed(duel(), "table first:blue", "table next-first:blue")
    assert (g.first, g.next_first, g.turn) == ("blue", "blue", "blue")
    assert fixed(g, "table as-usual:blue").next_first is None


@pytest.mark.rule("TMG-16")
def test_the_turn_is_given_to_the_other_side():
    g = fixed(duel(), "table turn:blue")
    assert asks(g) == "turn blue"
    assert actions(play(g, "blue activate:tyrion"), "table", "turn") == []


@pytest.mark.rule("TMG-32")
def test_an_extra_zone_is_added_once():
    g = fixed(duel(), "table zone:water-gardens")
    assert "water-gardens" in g.objectives
    assert actions(g, "table", "zone") == ["zone:house-of-the-undying"]


@pytest.mark.rule("E19")
@pytest.mark.rule("TMG-86")
def test_a_concession_waits_for_the_one_who_concedes():
    g = fixed(duel(), "army/red concede:red", seat="blue")
    assert (g.result, asks(g)) == (None, "ending red")
    assert actions(g, "army/blue", "concede") == actions(g, "table", "time-out") == []
    assert asks(play(g, "red play-on")) == "turn red"
    assert play(g, "red end-match").result["winner"] == "blue"


@pytest.mark.rule("E19")
@pytest.mark.rule("TMG-86")
def test_time_and_adjudication_wait_to_be_confirmed():
    g = fixed(duel(), "army/blue points:blue:2", note="test")
    assert play(fixed(g, "table time-out"), "blue end-match").result == {
        "winner": "blue",
        "how": "time-out",
        "points": {"red": 0, "blue": 2},
    }
    assert play(fixed(g, "table adjudicate:red"), "blue end-match").result["winner"] == "red"
    assert play(fixed(g, "table adjudicate:draw"), "blue end-match").result["winner"] is None


@pytest.mark.rule("TMG-86")
def test_nothing_ends_before_the_first_round():
    g = lobby()
    assert actions(g, "table", "adjudicate") == actions(g, "table", "time-out") == []
    assert {"strict", "target"} <= set(actions(g, "table"))
    assert actions(g, "army/red", "concede") == []


@pytest.mark.rule("TMG-85")
def test_a_correction_that_eliminates_a_side_asks_before_the_end():
    g = fixed(table(), "unit/lions destroy:lions")
    assert (g.result, asks(g)) == (None, "ending blue")


@pytest.mark.rule("TMG-85")
def test_playing_on_is_forgotten_when_a_correction_brings_the_side_back():
    g = play(fixed(table(), "unit/lions destroy:lions"), "blue play-on")
    assert "played_on" in g.facts
    g = fixed(g, "unit/lions bring-back:lions")
    assert g.facts == {}
    assert asks(fixed(g, "unit/lions destroy:lions")) == "ending blue"


@pytest.mark.rule("TMG-87")
def test_an_organisers_correction_decides_a_finished_match_again():
    g = clean_up(target=1, claims={"token-a": "wolves"})
    g = play(g, "red agree", "blue agree")
    g = play(g, "red resolve:token-a") if g.result is None else g
    assert (g.result["winner"], g.result["how"]) == ("red", "points")
    same = fixed(g, "army/red hand:red:1", seat="")
    assert same.result == g.result
    assert "worked out again" not in said(same)
    fresh = fixed(g, "army/blue points:blue:3", note="forgot the queen", seat="")
    assert (fresh.result["winner"], fresh.scores["2"].author) == ("blue", "the organiser")
    on = fixed(g, "army/red points:red:-1", note="a wrong token", seat="")
    assert (on.result, asks(on)) == (None, "discard red blue")
