"""Corrections: what the desk offers of each piece, and what each does."""

import pytest

from games.core import engine
from games.core.system import Refusal
from games.systems.tmg import control, wounds
from games.systems.tmg.armies import catalogue
from games.systems.tmg.desk import acting_corrections
from games.systems.tmg.tests.tables import (
    asks,
    cavalry,
    clean_up,
    infantry,
    lobby,
    ncu,
    play,
    said,
    solo,
    table,
)


def duel(**rest):
    """Two Combat Units and an NCU a side."""
    return table(
        [infantry("wolves", commander=True), infantry("bears"), ncu("sansa")],
        [infantry("lions", commander=True), infantry("knights"), ncu("tyrion")],
        **rest,
    )


def fixed(g, *deeds, note="", seat="red"):
    """The position after these corrections, each "path action"."""
    for deed in deeds:
        g = engine.adjust(g, seat, *deed.split(), note)
    return g


def refused(g, deed, note=""):
    """The sentence with which a correction is refused."""
    with pytest.raises(Refusal) as caught:
        fixed(g, deed, note=note)
    return str(caught.value)


def offer(g, path, action):
    """The correction of this name, or None where it is not offered."""
    return next((found for found in engine.corrections(g, path) if found.action == action), None)


def actions(g, path, verb=""):
    return [found.action for found in engine.corrections(g, path) if found.action.startswith(verb)]


# --- the desk as a whole -----------------------------------------------------------------------------


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
    assert max(len(found) for found in headings.values()) == 7


def test_who_is_not_at_the_table_has_no_corrections():
    for path in ("unit/nobody", "objective/nowhere", "army/green", "round/1", "", "unit/"):
        assert engine.corrections(duel(), path) == ()


def test_a_second_tap_on_a_switch_finds_it_done():
    g = fixed(duel(), "unit/wolves gain:wolves:panicked")
    assert refused(g, "unit/wolves gain:wolves:panicked") == "This cannot be corrected like that now."


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("unit/wolves", "wounds:wolves:0"),
        ("unit/wolves", "kind:wolves:infantry"),
        ("army/red", "hand:red:0"),
        ("objective/centre", "controller:centre:computed"),
        ("objective/centre", "card:centre:centre"),
        ("objective/crown", "counts:crown:nobody"),
        ("table", "first:red"),
        ("table", "turn:red"),
    ],
)
def test_what_would_change_nothing_says_so(path, action):
    assert refused(duel(), f"{path} {action}") == "It is like that already."


# --- wounds ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-40")
def test_wounds_are_a_signed_change_within_none_and_all():
    g = table([infantry("wolves", wounds=7)])
    found = offer(g, "unit/wolves", "wounds:wolves")
    assert (found.minimum, found.maximum, found.value) == (-7, 5, 7)
    g = fixed(g, "unit/wolves wounds:wolves:-3")
    assert (g.units["wolves"].wounds, said(g)) == (4, "Wolves suffers 3 wounds.")
    assert fixed(g, "unit/wolves wounds:wolves:2").units["wolves"].wounds == 6
    assert "cannot be corrected" in refused(g, "unit/wolves wounds:wolves:9")


@pytest.mark.rule("TMG-46")
def test_the_last_wound_at_the_desk_destroys_and_scores():
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
        (-1, "destruction taken back"),
    ]


@pytest.mark.rule("TMG-72")
def test_a_unit_that_an_effect_returns_keeps_what_its_destruction_scored():
    g = fixed(duel(), "unit/lions destroy:lions", "unit/lions bring-back:lions")
    assert (g.units["lions"].wounds, g.units["lions"].activated, g.points("red")) == (12, False, 1)


def test_an_ncu_is_destroyed_and_returns():
    g = fixed(duel(), "unit/sansa destroy:sansa")
    assert (g.units["sansa"].place, g.points("blue")) == ("destroyed", 0)
    assert offer(g, "unit/sansa", "wounds:sansa") is None
    assert fixed(g, "unit/sansa bring-back:sansa").units["sansa"].place == "table"


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
    assert refused(g, "unit/wolves counter:wolves", "Pillage") == "Wolves has as many of these as it can."
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
    assert said(g) == "Wolves is remembered: Start of the turn."
    g = fixed(g, "unit/wolves forget:wolves:start-of-turn", "unit/wolves note:wolves")
    assert (g.units["wolves"].note, g.units["wolves"].reminders) == ("", frozenset())


# --- where it is, whom it fights ---------------------------------------------------------------------


@pytest.mark.rule("TMG-52")
def test_a_claim_is_noted_on_the_unit_or_on_the_token():
    g = fixed(duel(), "unit/wolves claim:wolves:centre")
    assert control.controlled(g, "red") == [g.objectives["centre"]]
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
@pytest.mark.rule("E10")
@pytest.mark.parametrize("fields", [{"barred": True}, {"never_activates": True}, {"activated": True}])
def test_what_may_not_activate_does_not_do_so_out_of_turn(fields):
    g = table([infantry("wolves"), infantry("bears", **fields)])
    assert actions(g, "unit/bears", "activate") == []


@pytest.mark.rule("TMG-24")
def test_a_master_that_activated_out_of_turn_leaves_its_companion_a_turn_of_its_own():
    g = table([infantry("wolves"), solo("bear", linked_to="wolves"), infantry("elks")])
    g = fixed(g, "unit/wolves activate:wolves")
    assert [found.action for found in engine.offers(g, "red")] == ["activate:bear", "activate:elks"]


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
    assert asks(g) == "end-of-turn blue"


# --- list entries ------------------------------------------------------------------------------------


def test_a_unit_is_renamed_by_what_is_written():
    g = fixed(duel(), "unit/wolves rename:wolves", note="Direwolves")
    g = fixed(g, "unit/wolves retitle:wolves", note="of the North")
    assert (g.units["wolves"].name, g.units["wolves"].title) == ("Direwolves", "of the North")
    assert fixed(g, "unit/wolves retitle:wolves").units["wolves"].title == ""
    assert refused(g, "unit/wolves rename:wolves") == "Please write the name as the reason."


@pytest.mark.rule("TMG-39")
def test_wounds_in_all_and_ranks_are_corrected():
    g = fixed(duel(), "unit/wolves wounds-total:wolves:-4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total, g.units["wolves"].ranks) == (8, 8, 2)
    g = fixed(g, "unit/wolves rank-size:wolves:-2")
    assert g.units["wolves"].ranks == 4
    g = fixed(g, "unit/wolves wounds:wolves:-3", "unit/wolves wounds-total:wolves:4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total) == (5, 12)


@pytest.mark.rule("TMG-57")
def test_another_rank_size_compares_again_at_once():
    g = fixed(duel(), "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    g = fixed(g, "unit/wolves rank-size:wolves:2")
    assert said(g) == "Wolves has 6 wounds in a rank.\nRed no longer controls Centre."


def test_another_kind_brings_its_figures_where_there_are_none():
    g = fixed(duel(), "unit/sansa kind:sansa:solo", "unit/bears kind:bears:cavalry")
    assert (g.units["sansa"].is_combat, g.units["sansa"].wounds) == (True, 6)
    assert (g.units["bears"].kind, g.units["bears"].ranks) == ("cavalry", 2)
    g = fixed(g, "unit/bears claim:bears:centre", "unit/bears kind:bears:ncu")
    assert g.objectives["centre"].claimed_by is None


@pytest.mark.rule("TMG-11")
def test_a_side_has_one_commander():
    g = fixed(duel(), "unit/bears command:bears")
    assert [unit.key for unit in g.units_of("red") if unit.commander] == ["bears"]
    g = fixed(g, "unit/bears stand-down:bears")
    assert [str(line) for line in engine.problems(g)] == ["The army of Red has 0 commanders."]


@pytest.mark.rule("TMG-49")
def test_what_a_destruction_scores_is_corrected():
    g = fixed(duel(), "unit/lions extra-points:lions:2", "unit/lions destroy:lions")
    assert g.points("red") == 3
    g = fixed(duel(), "unit/lions on:lions:no-points", "unit/lions destroy:lions")
    assert g.points("red") == 0


@pytest.mark.rule("TMG-10")
def test_attachments_come_and_go_with_what_they_bring():
    g = fixed(duel(), "unit/wolves attach:wolves", note="Syrio Forel (3)")
    assert g.units["wolves"].attachments == (("Syrio Forel", "First Blade of Braavos", 3, "red"),)
    assert said(g) == "Syrio Forel joins Wolves."
    g = fixed(g, "unit/wolves detach:wolves:syrio-forel")
    assert g.units["wolves"].attachments == ()
    assert refused(g, "unit/wolves attach:wolves") == "Please write the attachment as the reason."


def test_an_attachment_that_raises_the_hand_does_so_while_it_is_attached():
    raiser = next(fact for fact in catalogue().facts if fact.kind == "attachment" and fact.hand_bonus)
    g = duel()
    g.armies["red"].faction = raiser.faction
    g = fixed(g, "unit/wolves attach:wolves", note=raiser.full_name)
    assert g.units["wolves"].hand_bonus == raiser.hand_bonus
    (detach,) = actions(g, "unit/wolves", "detach")
    assert fixed(g, f"unit/wolves {detach}").units["wolves"].hand_bonus == 0


@pytest.mark.rule("E12")
@pytest.mark.rule("TMG-25")
def test_a_unit_is_added_by_what_is_typed_and_counts_at_once():
    g = play(table(), "red activate:wolves", "blue activate:lions")
    g = fixed(g, "army/red add:red", note="Umber Berserkers (6)")
    recruits = g.units["house-umber-berserkers"]
    assert (recruits.army, recruits.cost, recruits.place, recruits.activated) == ("red", 6, "table", False)
    assert asks(g) == "turn red"
    g = fixed(g, "unit/house-umber-berserkers on:house-umber-berserkers:activated")
    assert asks(g) == "end-of-turn red"


@pytest.mark.rule("TMG-23")
@pytest.mark.rule("TMG-25")
def test_a_companion_that_is_added_belongs_to_its_master():
    skinchanger = (("Skinchanger", "", 1, "red"),)
    g = table([infantry("raiders", attachments=skinchanger), infantry("elks", attachments=skinchanger)])
    g.armies["red"].faction = "freefolk"
    g = fixed(g, "army/red add:red", "army/red add:red", note="Bear (0)")
    assert (g.units["bear"].linked_to, g.units["bear-2"].linked_to) == ("raiders", "elks")
    assert "activate:bear" not in [found.action for found in engine.offers(g, "red")]


@pytest.mark.rule("TMG-23")
def test_what_stands_alone_is_linked_to_a_unit_of_its_side_and_freed_again():
    g = table([infantry("wolves"), solo("bear"), solo("boar")])
    assert actions(g, "unit/wolves", "link") == []
    assert actions(g, "unit/bear", "link") == ["link:bear:boar", "link:bear:wolves"]
    g = fixed(g, "unit/bear link:bear:wolves")
    assert actions(g, "unit/boar", "link") == ["link:boar:wolves"]
    assert asks(play(g, "red activate:wolves")) == "companions red"
    g = fixed(g, "unit/bear unlink:bear:wolves")
    assert asks(play(g, "red activate:wolves")) == "turn blue"


@pytest.mark.rule("TMG-25")
def test_a_unit_that_is_added_under_a_name_of_the_rival_says_whose_it_is():
    g = table(blue=[infantry("sworn-swords")])
    g.units["sworn-swords"].name = "Stark Sworn Swords"
    for army in g.armies.values():
        army.ready = True
    g = fixed(g, "army/red add:red", note="Stark Sworn Swords (5)")
    assert [unit.name for unit in g.units.values()] == [
        "Wolves",
        "Stark Sworn Swords (Blue)",
        "Stark Sworn Swords (Red)",
    ]


@pytest.mark.parametrize("note", ["", "with Robb Stark", "x" * 300])
def test_what_is_no_unit_is_not_added(note):
    assert refused(duel(), "army/red add:red", note)


def test_a_unit_is_removed_with_everything_that_spoke_of_it():
    g = duel()
    g.units["bears"].linked_to = "wolves"
    g = fixed(
        play(g, "red activate:wolves", "red leave"),
        "unit/wolves claim:wolves:centre",
        "unit/wolves engage:wolves:lions",
        "unit/tyrion influence:tyrion:wolves",
        "unit/wolves remove:wolves",
    )
    assert "wolves" not in g.units
    assert (g.objectives["centre"].claimed_by, g.units["lions"].engaged_with) == (None, frozenset())
    assert (g.units["tyrion"].influences, g.units["bears"].linked_to, g.acting) == (None, None, None)
    assert g.points("blue") == 0


def test_an_ncu_that_is_removed_while_it_picks_a_zone_gives_the_turn_back():
    g = fixed(play(duel(), "red activate:sansa"), "unit/sansa remove:sansa")
    assert asks(g) == "turn red"


# --- a side ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-51")
def test_points_by_hand_need_a_reason_and_name_their_author():
    g = duel(round=2)
    assert refused(g, "army/red points:red:1") == "Please say why: points need a reason."
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


@pytest.mark.rule("TMG-12")
def test_before_the_first_round_nobody_gets_points_or_cards():
    assert [action.partition(":")[0] for action in actions(lobby(), "army/red")] == ["add", "hand-bonus"]


@pytest.mark.rule("TMG-79")
def test_hand_and_deck_are_counted_anew():
    g = fixed(duel(), "army/red hand:red:-1", "army/red deck:red:2", "army/red draw:red:2")
    assert (g.armies["red"].hand, g.armies["red"].deck) == (4, 17)
    assert said(g) == "Red draws 2 cards: 4 in hand, 17 in the deck."
    g = fixed(g, "army/red hand-bonus:red:1")
    assert said(g) == "Red draws up to +1 cards."


# --- objectives and zones ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-60")
def test_the_players_say_who_controls_a_token():
    g = fixed(duel(), "objective/centre controller:centre:blue")
    assert control.controlled(g, "blue") == [g.objectives["centre"]]
    assert offer(g, "objective/centre", "controller:centre:blue").on
    g = fixed(g, "objective/centre controller:centre:nobody")
    assert control.controlled(g, "blue") == []
    assert offer(g, "objective/centre", "controller:centre:nobody").on
    g = fixed(g, "objective/centre controller:centre:computed")
    assert offer(g, "objective/centre", "controller:centre:computed").on


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
    assert (g.first, g.next_first, g.turn) == ("blue", "blue", "red")
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
    assert play(fixed(g, "table time-out"), "red end-match").result == {
        "winner": "blue",
        "how": "time-out",
        "points": {"red": 0, "blue": 2},
    }
    assert play(fixed(g, "table adjudicate:red"), "blue end-match").result["winner"] == "red"
    assert play(fixed(g, "table adjudicate:draw"), "blue end-match").result["winner"] is None


@pytest.mark.rule("TMG-86")
def test_nothing_ends_before_the_first_round():
    g = lobby()
    assert actions(g, "table") == ["strict", "target"]
    assert actions(g, "army/red", "concede") == []


@pytest.mark.rule("TMG-85")
def test_a_correction_that_eliminates_a_side_asks_before_the_end():
    g = fixed(table(), "unit/lions destroy:lions")
    assert (g.result, asks(g)) == (None, "ending red blue")


@pytest.mark.rule("TMG-85")
def test_playing_on_is_forgotten_when_a_correction_brings_the_side_back():
    g = play(fixed(table(), "unit/lions destroy:lions"), "red play-on")
    assert "played_on" in g.facts
    g = fixed(g, "unit/lions bring-back:lions")
    assert g.facts == {}
    assert asks(fixed(g, "unit/lions destroy:lions")) == "ending red blue"


@pytest.mark.rule("TMG-87")
def test_an_organisers_correction_decides_a_finished_match_anew():
    g = clean_up(target=1, claims={"token-a": "wolves"})
    g = play(g, "red agree", "blue agree")
    g = play(g, "red resolve:token-a") if g.result is None else g
    assert (g.result["winner"], g.result["how"]) == ("red", "points")
    same = fixed(g, "army/red hand:red:1", seat="")
    assert same.result == g.result
    assert "worked out again" not in said(same)
    anew = fixed(g, "army/blue points:blue:3", note="forgot the queen", seat="")
    assert (anew.result["winner"], anew.scores["2"].author) == ("blue", "the organiser")
    on = fixed(g, "army/red points:red:-1", note="a wrong token", seat="")
    assert (on.result, asks(on)) == (None, "discard red blue")


# --- beside the board --------------------------------------------------------------------------------


def beside(g, seat="red"):
    return [f"{path} {found.action}" for path, found in acting_corrections(g, seat)]


def test_nothing_stands_beside_the_board_before_a_unit_acts():
    assert beside(duel()) == []


def test_the_acting_unit_claims_free_tokens_and_engages():
    g = fixed(duel(), "unit/lions claim:lions:token-a")
    g = play(g, "red activate:wolves")
    assert beside(g) == [
        "unit/wolves claim:wolves:centre",
        "unit/wolves claim:wolves:token-b",
        "unit/wolves claim:wolves:token-c",
        "unit/wolves claim:wolves:token-d",
        "unit/wolves engage:wolves:lions",
        "unit/wolves engage:wolves:knights",
    ]
    assert beside(g, "blue") == []
    assert beside(play(g, "blue activate:lions"), "red") == []


def test_a_unit_that_fights_on_a_token_notes_wounds_of_both_and_leaves():
    g = play(duel(), "red activate:wolves")
    g = fixed(g, "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    assert beside(g) == [
        "unit/lions wounds:lions",
        "unit/wolves wounds:wolves",
        "unit/wolves leave:wolves:centre",
        "unit/wolves disengage:wolves:lions",
        "unit/wolves engage:wolves:knights",
    ]
    assert str(acting_corrections(g, "red")[0][1].label) == "Lions: wounds"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("crown", ["unit/lions wounds:lions", "unit/knights wounds:knights"]),
        ("swords", ["unit/lions wounds:lions", "unit/knights wounds:knights"]),
        ("wealth", ["unit/bears wounds:bears"]),
        ("horse", []),
    ],
)
def test_an_acting_ncu_notes_what_its_zone_does(zone, expected):
    g = duel()
    g.units["bears"].wounds = 5
    assert beside(play(g, "red activate:sansa", f"red claim:{zone}")) == expected


def test_what_stands_beside_the_board_can_be_done():
    g = table([infantry("wolves"), cavalry("riders")])
    g = play(g, "red activate:wolves")
    for path, found in acting_corrections(g, "red"):
        assert engine.adjust(g, "red", path, found.action) is not None


def test_a_unit_that_is_destroyed_while_it_acts_has_nothing_more_to_note():
    g = play(duel(), "red activate:wolves").copy()
    wounds.destroy(g, g.units["wolves"], "blue")
    assert beside(g) == []
