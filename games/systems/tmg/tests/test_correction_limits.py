"""Corrections as lists: what may be changed of a side, a unit and the table, and how far."""

import pytest

from games.core import engine
from games.systems.tmg.tests.correcting import actions, duel, fixed, refused
from games.systems.tmg.tests.tables import clean_up, infantry, lobby, ncu, play, table
from tests.positions import asks, said

ENTRY = {
    "attach", "cost", "kind", "never-activates", "note", "raises-hand", "remind", "remove", "rename",
    "retitle",
}  # fmt: skip
"""What may be corrected of every unit, wherever it is."""
FIGURES = {
    "cannot-control",
    "extra-points",
    "no-conditions",
    "no-points",
    "rank-size",
    "wounds",
    "wounds-total",
}
IN_PLAY = {
    "activate",
    "activated",
    "barred",
    "counter",
    "destroy",
    "free",
    "more",
    "order",
    "pool",
    "withdraw",
}


FIGHTS = {"attack", "claim", "command", "engage", "gain", "panic", "test-panic"}


def verbs(g, path):
    """What may be corrected there, each once; switches of the kind "on" and "off" by what they switch."""
    found = (one.action.split(":") for one in engine.corrections(g, path))
    return {parts[-1] if parts[0] in ("on", "off") else parts[0] for parts in found}


def ways(g, path):
    """The quantities there with the signed changes or numbers that they take."""
    return {
        one.action.partition(":")[0]: (one.minimum, one.maximum)
        for one in engine.corrections(g, path)
        if one.minimum is not None
    }


@pytest.mark.parametrize(
    ("action", "path", "found"),
    [
        (
            "",
            "unit/bears",
            ENTRY
            | FIGURES
            | IN_PLAY
            | {"attack", "claim", "command", "engage", "gain", "panic", "test-panic"},
        ),
        ("", "unit/sansa", ENTRY | IN_PLAY | {"command", "influence", "kept", "lend", "occupy"}),
        ("withdraw:bears", "unit/bears", ENTRY | FIGURES | {"arrive", "command"}),
        ("withdraw:sansa", "unit/sansa", ENTRY | {"arrive", "command"}),
        ("destroy:bears", "unit/bears", ENTRY | FIGURES | {"bring-back", "command"}),
        ("destroy:sansa", "unit/sansa", ENTRY | {"bring-back", "command", "not-destroyed"}),
    ],
)
def test_a_unit_is_corrected_as_one_of_its_kind_and_where_it_is(action, path, found):
    g = fixed(duel(), f"{path} {action}") if action else duel()
    assert verbs(g, path) == found


def test_a_unit_without_wounds_fails_no_panic_test():
    g = duel()
    g.units["bears"].wounds = g.units["bears"].wounds_total = 0
    assert "panic" not in verbs(g, "unit/bears")


def test_before_the_first_round_a_unit_is_an_entry_of_its_list():
    g = duel()
    g.round = 0
    for unit in g.units.values():
        unit.place = "unplaced"
    assert verbs(g, "unit/bears") == ENTRY | FIGURES | {"command"}
    assert ways(g, "unit/bears")["wounds"] == (-11, 0), "it is destroyed by nobody yet"
    assert verbs(g, "unit/sansa") == ENTRY | {"command"}
    g.units["bears"].place = "table"
    deployed = verbs(g, "unit/bears")
    assert not {"activate", "free", "destroy", "panic", "withdraw"} & deployed, (
        "deployed, but nobody plays yet"
    )
    assert ways(g, "unit/bears")["wounds"] == (-11, 0)


@pytest.mark.rule("TMG-40")
def test_the_figures_of_a_unit_have_their_limits():
    g = duel()
    g.units["bears"].wounds, g.units["bears"].pool = 8, 2
    entry = {"cost": (-5, 25), "extra-points": (0, 5), "raises-hand": (0, 5), "rank-size": (-3, 16)}
    assert ways(g, "unit/bears") == {**entry, "pool": (-2, 4), "wounds": (-8, 4), "wounds-total": (-11, 28)}
    assert ways(fixed(g, "unit/bears destroy:bears"), "unit/bears")["wounds"] == (1, 12)
    waiting = fixed(g, "unit/bears withdraw:bears")
    assert ways(waiting, "unit/bears")["wounds"] == (-7, 4), "off the table nothing is destroyed"
    g.units["bears"].kind, g.units["bears"].wounds_total = "solo", 8
    assert "rank-size" not in ways(g, "unit/bears")


@pytest.mark.rule("TMG-79")
def test_the_numbers_of_a_side_have_their_limits():
    g = duel()
    found = {"deck": (-17, 3), "draw": (1, 5), "hand": (-3, 17), "hand-bonus": (-3, 5), "points": (-5, 5)}
    assert ways(g, "army/red") == found
    g.armies["red"].deck = 24
    assert ways(g, "army/red")["deck"] == (-24, 0), "a larger deck than the ruleset's may get smaller"


@pytest.mark.rule("TMG-01")
def test_the_target_is_from_1_to_50_until_the_first_round():
    g = fixed(lobby(), "table target:-9")
    assert (ways(g, "table"), said(g)) == ({"target": (0, 49)}, "1 Victory Point is needed to win.")
    assert refused(g, "table target:0") == "No change: it is already set to that."
    assert "target" not in ways(duel(), "table")


@pytest.mark.parametrize("number", ["hand", "deck", "hand-bonus"])
def test_what_a_side_has_already_is_no_correction(number):
    assert refused(duel(), f"army/red {number}:red:0") == "No change: it is already set to that."


@pytest.mark.parametrize(
    "change",
    [
        *(f"{figure}:wolves:0" for figure in ("cost", "extra-points", "raises-hand", "rank-size")),
        *(f"{figure}:wolves:0" for figure in ("wounds-total", "wounds", "pool")),
    ],
)
def test_what_a_unit_is_already_is_no_correction(change):
    assert refused(duel(), f"unit/wolves {change}") == "No change: it is already set to that."


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_leaves_for_the_reserve_is_kept_on_no_zone():
    g = fixed(
        duel(), "unit/sansa occupy:sansa:crown", "unit/sansa on:sansa:kept", "unit/sansa withdraw:sansa"
    )
    assert (g.units["sansa"].kept, g.objectives["crown"].claimed_by) == (False, None)
    g = fixed(g, "unit/sansa arrive:sansa")
    assert (g.units["sansa"].place, said(g)) == ("table", "Sansa is put on the battlefield.")


@pytest.mark.rule("TMG-35")
def test_an_ncu_influences_combat_units_on_the_table_and_any_other_only_until_it_is_released():
    def influenced(g):
        return {
            one.action: one.on for one in engine.corrections(g, "unit/sansa") if "influence" in one.action
        }

    g = fixed(duel(), "unit/knights withdraw:knights")
    assert influenced(g) == {f"influence:sansa:{unit}": False for unit in ("wolves", "bears", "lions")}
    g.units["sansa"].influences = "knights"
    assert "release:sansa:knights" in {one.action for one in engine.corrections(g, "unit/sansa")}


@pytest.mark.rule("TMG-42")
def test_what_gains_no_conditions_any_more_loses_those_that_it_has():
    g = fixed(duel(), "unit/bears gain:bears:weakened", "unit/bears on:bears:no-conditions")
    found = {one.action for one in engine.corrections(g, "unit/bears") if one.group == "Conditions"}
    assert found == {"lose:bears:weakened"}


@pytest.mark.rule("TMG-59")
def test_a_unit_that_may_claim_no_more_can_still_leave_its_token():
    g = fixed(duel(), "unit/bears claim:bears:centre")
    g.units["bears"].cannot_control = True
    found = {one.action for one in engine.corrections(g, "unit/bears") if ":centre" in one.action}
    assert found == {"leave:bears:centre"}
    assert "claim" not in verbs(g, "unit/bears")


def test_a_unit_fights_what_is_on_the_table_and_leaves_any_other():
    g = duel()
    g.units["knights"].place = "reserve"
    assert fights(g) == {"engage:bears:lions"}
    g.units["bears"].engaged_with = frozenset({"knights"})
    assert fights(g) == {"disengage:bears:knights", "engage:bears:lions"}


def fights(g):
    return {one.action for one in engine.corrections(g, "unit/bears") if "engage" in one.action}


@pytest.mark.rule("TMG-24")
@pytest.mark.parametrize(
    ("switch", "acting"),
    [
        ("off:bears:activated", None),
        ("on:bears:activated", "bears"),
        ("off:bears:order", "bears"),
        ("off:bears:barred", "bears"),
    ],
)
def test_only_whose_activation_is_taken_back_acts_no_more(switch, acting):
    g = fixed(duel(), "unit/bears activate:bears")
    assert g.acting == "bears"
    flag = {"order": "order_used"}.get(switch.split(":")[2], switch.split(":")[2])
    setattr(g.units["bears"], flag, switch.startswith("off"))
    assert fixed(g, f"unit/bears {switch}").acting == acting


# --- places and the table ----------------------------------------------------------------------------


def on(g, path, verb):
    """Which of the switches of one kind are on."""
    """What the other choices of this verb say that holds now."""
    found = [one for one in engine.corrections(g, path) if one.action.startswith(verb)]
    assert found
    return {str(one.instead_of) for one in found}


def test_the_sheets_of_places_and_of_the_table_show_what_is_so():
    g = fixed(duel(), "objective/crown counts:crown:blue", "objective/centre card:centre:steady")
    assert on(g, "objective/centre", "card") == {"Steady"}
    assert on(g, "objective/crown", "counts") == {"Blue counts as controlling it"}
    assert on(duel(), "objective/crown", "counts") == {"Go by the units standing here"}
    assert on(g, "table", "first") == {"Red is First Player"}
    assert on(play(g, "red activate:wolves"), "table", "turn") == {"It is the turn of Blue"}


@pytest.mark.rule("TMG-61")
def test_only_where_tokens_have_cards_another_card_may_lie():
    assert "card" in verbs(duel(), "objective/centre")
    assert "card" not in verbs(table(mode="a-clash-of-kings"), "objective/centre")


@pytest.mark.rule("TMG-52")
@pytest.mark.parametrize(
    ("mode", "may"), [("a-game-of-thrones", True), ("a-clash-of-kings", False), ("fire-and-blood", False)]
)
def test_strict_overlap_is_chosen_where_tokens_lie_and_the_mode_leaves_it_open(mode, may):
    assert ("strict" in verbs(lobby(mode), "table")) == may
    assert "touching" not in verbs(lobby(mode), "table")


@pytest.mark.rule("TMG-60")
def test_a_token_that_was_given_to_a_side_goes_by_the_claims_again():
    g = fixed(duel(), "objective/centre controller:centre:red", "objective/centre controller:centre:computed")
    assert (g.objectives["centre"].override, g.objectives["centre"].uncontrolled) == (None, False)
    assert "controller:centre:computed" not in actions(g, "objective/centre")


@pytest.mark.rule("TMG-80")
def test_who_becomes_first_player_has_the_turn_only_before_the_first_one_was_taken():
    g = fixed(duel(), "table first:blue")
    assert (g.first, g.turn, g.rounds["1"].first) == ("blue", "blue", "blue")
    assert actions(g, "table", "first") == ["first:red"]
    later = fixed(play(duel(), "red activate:wolves", "blue activate:lions"), "table first:blue")
    assert (later.first, later.turn, later.rounds["1"].first) == ("blue", "red", "red")


@pytest.mark.rule("TMG-86")
def test_an_end_by_hand_may_be_proposed_over_the_question_of_the_rules_and_not_over_another():
    g = table([infantry("wolves")], [infantry("lions")])
    g.units["lions"].place = g.units["wolves"].place = "destroyed"
    g = fixed(g, "unit/wolves note:wolves", note="gone")
    assert g.question.step == "ending"
    assert "time-out" in verbs(g, "table")
    assert "time-out" not in verbs(fixed(g, "table time-out"), "table")


# --- what lasts for a round --------------------------------------------------------------------------

FOR_THE_ROUND = {
    "unit/wolves": {"on:wolves:activated", "on:wolves:barred", "on:wolves:order", "activate:wolves"},
    "unit/sansa": {
        "influence:sansa:lions",
        "lend:sansa",
        "occupy:sansa:crown",
        "on:sansa:activated",
        "on:sansa:barred",
        "on:sansa:kept",
        "on:sansa:order",
    },
    "objective/crown": {"counts:crown:blue", "counts:crown:red", "occupy:sansa:crown"},
}
"""What ends in the steps of the clean-up that take tokens, NCUs and Influence off."""


def open_for(g, path):
    return {one.action for one in engine.corrections(g, path)} & FOR_THE_ROUND[path]


@pytest.mark.rule("TMG-77")
@pytest.mark.rule("TMG-26")
@pytest.mark.rule("TMG-35")
@pytest.mark.rule("TMG-38")
@pytest.mark.parametrize("path", sorted(FOR_THE_ROUND))
def test_what_lasts_for_a_round_begins_no_more_once_its_tokens_are_off(path):
    g = clean_up([infantry("wolves"), ncu("sansa")], [infantry("lions")])
    assert asks(g) == "discard red blue"
    assert open_for(g, path) == set()
    assert open_for(fixed(g, "table time-out"), path) == set(), "nor over another question"
    assert open_for(play(g, "red keep", "blue keep"), path) == FOR_THE_ROUND[path]


@pytest.mark.rule("TMG-95")
@pytest.mark.parametrize("path", sorted(FOR_THE_ROUND))
def test_it_still_does_between_the_check_of_victory_and_those_steps(path):
    g = table(
        [infantry("wolves"), ncu("sansa")],
        [infantry("lions")],
        mode="dark-wings-dark-words",
        step="swap-mission",
    )
    assert open_for(g, path) == FOR_THE_ROUND[path]


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_should_not_have_been_kept_leaves_its_zone_in_the_discards():
    g = clean_up([infantry("wolves"), ncu("arys", kept=True)], claims={"swords": "arys"})
    found = {one.action for one in engine.corrections(g, "unit/arys")}
    assert asks(g) == "discard red blue"
    assert {"off:arys:barred", "vacate:arys:swords"} <= found
    assert "vacate:arys:swords" in {one.action for one in engine.corrections(g, "objective/swords")}
    g = fixed(g, "unit/arys off:arys:barred", "unit/arys vacate:arys:swords")
    assert (g.units["arys"].barred, g.objectives["swords"].claimed_by) == (False, None)


@pytest.mark.rule("TMG-77")
def test_what_is_still_noted_in_the_discards_can_be_taken_off():
    g = clean_up([infantry("wolves"), ncu("sansa")], [infantry("lions")])
    sansa, wolves = g.units["sansa"], g.units["wolves"]
    sansa.influences, sansa.lent_to, sansa.kept, wolves.activated = "lions", "blue", True, True
    assert {"release:sansa:lions", "take-home:sansa"} <= set(actions(g, "unit/sansa"))
    assert "off:sansa:kept" in actions(g, "unit/sansa")
    assert "off:wolves:activated" in actions(g, "unit/wolves")
