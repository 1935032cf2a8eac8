"""Corrections of a unit in play: wounds, conditions, where it is, whom it fights, activation."""

import pytest

from games.core import engine
from games.systems.tmg.rules import destruction, objective_tokens
from games.systems.tmg.tests.correcting import actions, duel, fixed, offer, refused
from games.systems.tmg.tests.tables import agreed, answers, clean_up, infantry, lobby, ncu, play, solo, table
from tests.positions import asks, said

# --- wounds ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-40")
def test_wounds_are_a_signed_change_within_none_and_all():
    g = table([infantry("wolves", wounds=7)])
    found = offer(g, "unit/wolves", "wounds:wolves")
    assert (found.minimum, found.maximum, found.value) == (-7, 5, 7)
    g = fixed(g, "unit/wolves wounds:wolves:-3")
    assert (g.units["wolves"].wounds, said(g)) == (4, "Wolves suffers 3 wounds.\nWolves has 1 rank left.")
    assert fixed(g, "unit/wolves wounds:wolves:2").units["wolves"].wounds == 6
    assert "cannot make that correction" in refused(g, "unit/wolves wounds:wolves:9")


@pytest.mark.rule("TMG-46")
def test_the_last_wound_by_correction_destroys_and_scores():
    g = fixed(duel(), "unit/lions wounds:lions:-12")
    assert (g.units["lions"].place, g.points("red")) == ("destroyed", 1)


@pytest.mark.rule("TMG-51")
def test_a_wound_given_back_to_the_destroyed_takes_the_destruction_and_its_points_back():
    g = fixed(duel(), "unit/lions destroy:lions")
    found = offer(g, "unit/lions", "wounds:lions")
    assert (found.minimum, found.maximum, found.value) == (1, 12, 0)
    g = fixed(g, "unit/lions wounds:lions:4")
    assert (g.units["lions"].place, g.units["lions"].wounds, g.points("red")) == ("table", 4, 0)
    assert [(row.points, row.reason) for row in g.scores.values()] == [
        (1, "unit destroyed"),
        (-1, "destruction undone"),
    ]


@pytest.mark.rule("TMG-72")
def test_a_unit_that_an_effect_returns_keeps_what_its_destruction_scored():
    g = fixed(duel(), "unit/lions destroy:lions", "unit/lions bring-back:lions")
    assert (g.units["lions"].wounds, g.units["lions"].activated, g.points("red")) == (12, False, 1)
    assert said(g) == "Lions returns to the battlefield."


@pytest.mark.rule("TMG-50")
def test_an_ncu_is_destroyed_and_returns_by_a_card():
    g = fixed(duel(), "unit/sansa destroy:sansa")
    assert (g.units["sansa"].place, g.points("blue")) == ("destroyed", 0)
    assert offer(g, "unit/sansa", "wounds:sansa") is None
    back = offer(g, "unit/sansa", "bring-back:sansa")
    assert str(back.detail) == "By a card or ability; its army points stay lost."
    g = fixed(g, "unit/sansa bring-back:sansa")
    assert (g.units["sansa"].place, said(g)) == ("table", "Sansa returns to play.")
    assert destruction.destroyed_points(g, "red") == 5


@pytest.mark.rule("TMG-40")
@pytest.mark.rule("TMG-50")
def test_the_destruction_of_an_ncu_is_taken_back_with_its_points():
    g = fixed(duel(), "unit/sansa destroy:sansa")
    assert destruction.destroyed_points(g, "red") == 5
    assert str(offer(g, "unit/sansa", "not-destroyed:sansa").detail) == "Its points are undone."
    g = fixed(g, "unit/sansa not-destroyed:sansa")
    assert (g.units["sansa"].place, destruction.destroyed_points(g, "red")) == ("table", 0)
    assert said(g) == "Sansa was not destroyed and is back in play."
    assert offer(g, "unit/sansa", "not-destroyed:sansa") is None
    moved = fixed(g, "unit/sansa withdraw:sansa")
    assert offer(moved, "unit/sansa", "not-destroyed:sansa") is None


@pytest.mark.rule("TMG-40")
@pytest.mark.rule("TMG-51")
def test_so_is_that_of_a_unit_whose_wounds_are_not_counted():
    g = fixed(duel(), "unit/lions destroy:lions")
    assert offer(g, "unit/lions", "not-destroyed:lions") is None, "its wounds are given back instead"
    g.untracked = frozenset({"wounds"})
    g = fixed(g, "unit/lions not-destroyed:lions")
    assert (g.units["lions"].place, g.units["lions"].wounds, g.points("red")) == ("table", 12, 0)
    assert said(g).startswith("Lions was not destroyed and is back on the battlefield.")
    g = duel()
    g.units["lions"].wounds = g.units["lions"].wounds_total = 0
    g = fixed(g, "unit/lions destroy:lions", "unit/lions not-destroyed:lions")
    assert (g.units["lions"].place, g.points("red")) == ("table", 0)


@pytest.mark.rule("TMG-45")
def test_the_app_rolls_the_wounds_of_a_failed_panic_test():
    g = duel()
    assert str(offer(g, "unit/wolves", "panic:wolves").detail) == "A failed panic test costs 1 + D3 wounds."
    after = fixed(g, "unit/wolves panic:wolves")
    assert 8 <= after.units["wolves"].wounds <= 10
    assert engine.is_final(g, after)


def test_before_the_first_round_nothing_is_destroyed():
    g = play(lobby(), "red demo:stark")
    path = f"unit/{next(iter(g.units))}"
    assert actions(g, path, "destroy") == []
    assert offer(g, path, path.replace("unit/", "wounds:")).minimum == -11


# --- conditions, counters, notes ---------------------------------------------------------------------


@pytest.mark.rule("TMG-41")
def test_conditions_are_switches():
    g = duel()
    assert not offer(g, "unit/wolves", "gain:wolves:weakened").on
    g = fixed(g, "unit/wolves gain:wolves:weakened")
    assert offer(g, "unit/wolves", "lose:wolves:weakened").on
    assert fixed(g, "unit/wolves lose:wolves:weakened").units["wolves"].conditions == frozenset()


@pytest.mark.rule("TMG-42")
def test_a_war_machine_is_offered_no_condition():
    g = table([solo("ballista", kind="war-machine", gains_no_conditions=True)])
    assert actions(g, "unit/ballista", "gain") == []


@pytest.mark.rule("TMG-43")
def test_orders_and_pools_are_kept_apart():
    g = fixed(duel(), "unit/sansa pool:sansa:3", "unit/wolves on:wolves:order", "unit/sansa pool:sansa:-1")
    assert (g.units["sansa"].pool, g.units["wolves"].order_used) == (2, True)
    assert said(g) == "Sansa has 2 order tokens left."
    assert not fixed(g, "unit/wolves off:wolves:order").units["wolves"].order_used


@pytest.mark.rule("TMG-44")
def test_counters_go_up_to_their_limit():
    g = fixed(duel(), "unit/wolves more:wolves:pillage", "unit/wolves more:wolves:pillage")
    assert g.units["wolves"].counters == (("Pillage", 2),)
    assert offer(g, "unit/wolves", "more:wolves:pillage") is None
    assert refused(g, "unit/wolves counter:wolves", "Pillage") == "Wolves already has the maximum."
    assert fixed(g, "unit/wolves less:wolves:pillage").units["wolves"].counters == (("Pillage", 1),)


@pytest.mark.rule("TMG-44")
@pytest.mark.parametrize("called", ["Poison", "旗帜", "Wolf's banner"])
def test_any_other_counter_gets_a_name(called):
    g = fixed(duel(), "unit/wolves counter:wolves", "unit/wolves counter:wolves", note=called)
    assert g.units["wolves"].counters == ((called, 2),)
    (less,) = actions(g, "unit/wolves", "less")
    assert fixed(g, f"unit/wolves {less}").units["wolves"].counters == ((called, 1),)


def test_two_counters_in_another_script_are_two():
    g = fixed(duel(), "unit/wolves counter:wolves", note="旗")
    g = fixed(g, "unit/wolves counter:wolves", note="毒")
    assert len(g.units["wolves"].counters) == len(set(actions(g, "unit/wolves", "less"))) == 2


@pytest.mark.parametrize("note", ["", "  ", "x" * 60, "a\nb", "\u202eevil"])
def test_a_counter_needs_a_name_that_can_be_read(note):
    assert refused(duel(), "unit/wolves counter:wolves", note)


def test_a_note_is_written_remembered_and_taken_away():
    g = fixed(duel(), "unit/wolves note:wolves", note="Free maneuver")
    g = fixed(g, "unit/wolves remind:wolves:start-of-turn")
    assert (g.units["wolves"].note, g.units["wolves"].reminders) == ("Free maneuver", {"start-of-turn"})
    assert said(g) == "Reminder set for Wolves: Start of the turn."
    g = fixed(g, "unit/wolves forget:wolves:start-of-turn", "unit/wolves note:wolves")
    assert (g.units["wolves"].note, g.units["wolves"].reminders) == ("", frozenset())


# --- where it is, whom it fights ---------------------------------------------------------------------


@pytest.mark.rule("TMG-52")
def test_a_claim_is_noted_on_the_unit_or_on_the_token():
    g = fixed(duel(), "unit/wolves claim:wolves:centre")
    assert objective_tokens.controlled(g, "red") == [g.objectives["centre"]]
    g = fixed(g, "objective/centre claim:lions:centre")
    assert (g.objectives["centre"].claimed_by, said(g)) == (
        "lions",
        "Lions claims Centre.\nBlue controls Centre.",
    )
    g = fixed(g, "objective/centre leave:lions:centre")
    assert g.objectives["centre"].claimed_by is None


@pytest.mark.rule("TMG-58")
@pytest.mark.parametrize(
    ("strict", "sentence"),
    [
        (0, "It keeps the token as long as its tray touches it."),
        (1, "Strict overlap: it leaves once its tray no longer covers the whole token."),
    ],
)
def test_leaving_a_token_says_when_it_is_lost(strict, sentence):
    g = fixed(duel(strict=strict), "unit/wolves claim:wolves:centre")
    for path in ("unit/wolves", "objective/centre"):
        assert str(offer(g, path, "leave:wolves:centre").detail) == sentence
    assert offer(g, "unit/wolves", "claim:wolves:token-a").detail is None


@pytest.mark.rule("TMG-54")
def test_an_engagement_is_noted_with_each_enemy_combat_unit():
    g = duel()
    assert actions(g, "unit/wolves", "engage") == ["engage:wolves:knights", "engage:wolves:lions"]
    g = fixed(g, "unit/wolves engage:wolves:lions")
    assert g.units["lions"].engaged_with == {"wolves"}
    assert offer(g, "unit/lions", "disengage:lions:wolves").on
    assert fixed(g, "unit/lions disengage:lions:wolves").units["wolves"].engaged_with == frozenset()


@pytest.mark.rule("TMG-59")
def test_who_cannot_control_is_offered_no_claim():
    g = fixed(duel(), "unit/wolves on:wolves:cannot-control")
    assert actions(g, "unit/wolves", "claim") == []
    assert actions(g, "unit/sansa", "claim") == []
    g = fixed(duel(), "unit/wolves claim:wolves:centre", "unit/wolves on:wolves:cannot-control")
    assert said(g) == "Wolves cannot control objectives.\nRed no longer controls Centre."


@pytest.mark.rule("TMG-58")
def test_a_unit_that_goes_into_reserve_leaves_everything():
    g = fixed(duel(), "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    g = fixed(g, "unit/wolves withdraw:wolves")
    assert (g.units["wolves"].place, g.objectives["centre"].claimed_by) == ("reserve", None)
    assert g.units["lions"].engaged_with == frozenset()
    assert fixed(g, "unit/wolves arrive:wolves").units["wolves"].place == "table"


@pytest.mark.rule("TMG-28")
def test_an_ncu_is_put_on_a_zone_moved_and_taken_off_without_drawing_cards():
    g = fixed(duel(), "unit/sansa occupy:sansa:letters")
    assert (g.objectives["letters"].claimed_by, g.armies["red"].hand) == ("sansa", 3)
    g = fixed(g, "objective/crown occupy:sansa:crown")
    assert (g.objectives["letters"].claimed_by, g.objectives["crown"].claimed_by) == (None, "sansa")
    assert "occupy:tyrion:crown" not in actions(g, "unit/tyrion")
    assert fixed(g, "unit/sansa vacate:sansa:crown").objectives["crown"].claimed_by is None


@pytest.mark.rule("TMG-34")
def test_an_ncu_that_was_put_on_a_zone_moves_when_it_claims_another():
    g = play(fixed(duel(), "unit/sansa occupy:sansa:letters"), "red activate:sansa", "red claim:crown")
    assert (g.objectives["letters"].claimed_by, g.objectives["crown"].claimed_by) == (None, "sansa")


@pytest.mark.rule("TMG-35")
def test_influence_names_its_target():
    g = fixed(duel(), "unit/sansa influence:sansa:lions")
    assert (g.units["sansa"].influences, said(g)) == ("lions", "Sansa influences Lions.")
    assert offer(g, "unit/sansa", "release:sansa:lions").on
    assert fixed(g, "unit/sansa release:sansa:lions").units["sansa"].influences is None
    assert actions(g, "unit/wolves", "influence") == []


# --- activation --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-21")
def test_a_free_action_is_noted_and_touches_nothing():
    g = duel()
    after = fixed(g, "unit/wolves free:wolves", note="charges")
    assert said(after) == "Wolves takes a free action: charges"
    assert after == g
    assert said(fixed(play(g, "red activate:wolves"), "unit/wolves free:wolves")).endswith("free action.")


@pytest.mark.rule("TMG-22")
def test_the_acting_unit_may_take_no_action():
    g = play(duel(), "red activate:wolves")
    g = fixed(g, "unit/wolves waive:wolves")
    assert said(g) == "Wolves takes no action."
    assert g.units["wolves"].activated
    assert actions(g, "unit/bears", "waive") == []


@pytest.mark.rule("TMG-24")
def test_an_activation_out_of_turn_leaves_the_turn_where_it_is():
    g = fixed(duel(), "unit/lions activate:lions")
    assert (g.units["lions"].activated, g.acting, asks(g)) == (True, "lions", "turn red")
    assert actions(g, "unit/lions", "activate") == []


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("E9")
def test_an_ncu_that_activates_out_of_turn_takes_its_zone_and_the_turn_stays():
    g = fixed(duel(), "unit/tyrion activate:tyrion")
    assert asks(g) == "claim-zone blue"
    assert asks(play(g, "blue back")) == "turn red"
    g = play(g, "blue claim:letters")
    assert (g.units["tyrion"].activated, g.acting, asks(g)) == (True, "tyrion", "turn red")
    assert (g.objectives["letters"].claimed_by, g.armies["blue"].hand) == ("tyrion", 5)


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("E9")
def test_an_ncu_that_activates_at_the_start_of_the_round_shifts_no_turn():
    reminder = {"note": "Cressen", "reminders": frozenset({"start-of-round"})}
    g = table([infantry("wolves")], [infantry("lions"), ncu("cressen", **reminder)])
    g = play(fixed(g, "unit/cressen activate:cressen", seat="blue"), "blue claim:crown")
    assert asks(g) == "start-of-round blue"
    assert asks(play(g, "blue done")) == "turn red"


@pytest.mark.rule("TMG-24")
def test_an_ncu_that_activates_once_the_round_has_scored_takes_no_zone():
    g = agreed(clean_up([infantry("wolves"), ncu("sansa")], claims={"centre": "wolves"}))
    assert asks(g) == "scoring-effects red"
    g = fixed(g, "unit/sansa off:sansa:activated", "unit/sansa activate:sansa")
    assert (g.units["sansa"].activated, asks(g)) == (True, "scoring-effects red")


@pytest.mark.rule("TMG-24")
def test_an_ncu_takes_its_zone_over_the_question_about_a_linked_unit_and_not_over_the_end():
    g = table(
        [infantry("wolves"), solo("bear", linked_to="wolves"), infantry("elks")],
        [ncu("tyrion"), solo("hound")],
    )
    ended = fixed(g, "table time-out", "unit/tyrion activate:tyrion")
    assert (asks(ended), ended.units["tyrion"].activated) == ("ending blue", True)
    g = fixed(play(g, "red activate:wolves"), "unit/tyrion activate:tyrion")
    assert asks(g) == "claim-zone blue"
    assert asks(play(g, "blue claim:crown")) == "companions red"


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("TMG-77")
def test_once_the_activation_tokens_are_off_nobody_activates_out_of_turn():
    g = clean_up()
    assert (asks(g), g.units["wolves"].activated) == ("discard red blue", False)
    assert actions(g, "unit/wolves", "activate") == []
    assert actions(play(g, "red keep", "blue keep"), "unit/wolves", "activate") == ["activate:wolves"]


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("E10")
@pytest.mark.parametrize("fields", [{"barred": True}, {"never_activates": True}, {"activated": True}])
def test_what_may_not_activate_does_not_do_so_out_of_turn(fields):
    g = table([infantry("wolves"), infantry("bears", **fields)])
    assert actions(g, "unit/bears", "activate") == []


@pytest.mark.rule("TMG-24")
def test_a_master_that_activated_out_of_turn_leaves_its_companion_a_turn_of_its_own():
    g = table([infantry("wolves"), solo("bear", linked_to="wolves"), infantry("elks")])
    g = fixed(g, "unit/wolves activate:wolves")
    assert answers(g, "red") == ["activate:bear", "activate:elks"]


@pytest.mark.rule("TMG-15")
def test_an_activation_is_taken_back_and_offered_again():
    g = play(duel(), "red activate:wolves", "blue activate:lions")
    g = fixed(g, "unit/wolves off:wolves:activated")
    assert "activate:wolves" in [found.action for found in engine.offers(g, "red")]


@pytest.mark.rule("E10")
@pytest.mark.rule("TMG-26")
def test_a_barred_unit_is_not_offered():
    g = fixed(duel(), "unit/wolves on:wolves:barred")
    assert "activate:wolves" not in [found.action for found in engine.offers(g, "red")]
    assert said(g) == "Wolves cannot activate this round."


@pytest.mark.rule("TMG-36")
def test_an_ncu_is_marked_to_stay_on_its_zone():
    assert fixed(duel(), "unit/sansa on:sansa:kept").units["sansa"].kept
    assert actions(duel(), "unit/wolves", "on:wolves:kept") == []


@pytest.mark.rule("E11")
@pytest.mark.rule("TMG-38")
def test_an_ncu_changes_side_for_the_round():
    g = fixed(duel(), "unit/tyrion lend:tyrion")
    assert "activate:tyrion" in [found.action for found in engine.offers(g, "red")]
    assert offer(g, "unit/tyrion", "take-home:tyrion").on
    assert fixed(g, "unit/tyrion take-home:tyrion").units["tyrion"].lent_to is None
    assert actions(g, "unit/wolves", "lend") == []


@pytest.mark.rule("TMG-19")
def test_a_correction_that_leaves_nobody_to_activate_ends_the_phase():
    g = play(table(), "red activate:wolves")
    g = fixed(g, "unit/lions on:lions:activated")
    assert asks(g) == "end-of-turn red blue"


@pytest.mark.rule("TMG-35")
@pytest.mark.parametrize("gone", ["wolves", "tyrion"])
def test_influence_ends_where_either_unit_moves_to_reserve(gone):
    g = fixed(duel(), "unit/tyrion influence:tyrion:wolves", "unit/sansa influence:sansa:lions")
    g = fixed(g, f"unit/{gone} withdraw:{gone}")
    assert (g.units["tyrion"].influences, g.units["sansa"].influences) == (None, "lions")
