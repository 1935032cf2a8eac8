"""Corrections: wounds, Ki, states, positions, tokens; never a turn, never an end."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.pieces import BERSERK, BLEEDING, IMPETUOUS, MOST_MARKERS, STATES
from games.systems.bushido.rules.wounds_and_ki import OFFSETS, WoundTest, wounds_for
from games.systems.bushido.tests.tables import model, play, table
from tests.positions import asks, offered, said


def corrections(g, path):
    return {offer.action: offer for offer in engine.corrections(g, path)}


# --- wounds --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-34")
def test_wounds_are_the_success_level_and_what_two_dice_add():
    assert OFFSETS == {2: -3, 3: -2, 4: -1, 5: -1, 6: 0, 7: 0, 8: 0, 9: 1, 10: 1, 11: 2, 12: 3}
    assert [wounds_for(3, dice) for dice in range(2, 13)] == [0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6]
    assert wounds_for(0, 2) == 0


@pytest.mark.rule("BUSH-34")
def test_the_question_tells_what_two_dice_add_and_keeps_it_beside_them():
    told = {}
    for part in WoundTest.help.removeprefix("Sum of two dice ").split(" · "):
        dice, added = part.split(":\xa0")
        first, _dash, last = dice.partition("–")
        value = int(added.translate({ord("−"): "-", ord("±"): "+"}))
        told |= dict.fromkeys(range(int(first), int(last or first) + 1), value)
    assert told == OFFSETS


@pytest.mark.rule("BUSH-34")
def test_a_hit_asks_for_two_dice_and_wounds_by_them():
    g = play(table(), "red simple:goshi", "red unit/oni hit:oni:2")
    assert (asks(g), offered(g, "red")) == ("wound-test red blue", ["back", "roll", "rolled 2-12"])
    after = play(g, "red rolled:9")
    assert (after.units["oni"].wounds, asks(after)) == (2, "turn blue")
    rolled = play(g, "blue roll")
    assert len(rolled.draws) == 2
    assert rolled.units["oni"].wounds == 5 - wounds_for(2, sum(draw.value + 1 for draw in rolled.draws))
    assert play(g, "red back").units["oni"].wounds == 5


@pytest.mark.rule("BUSH-34")
@pytest.mark.parametrize(
    ("dice", "left", "told"), [(9, 4, "2 fewer wounds"), (6, 5, "2 fewer wounds"), (4, 5, "1 fewer wound")]
)
def test_toughness_takes_wounds_of_a_hit_away(dice, left, told):
    g = play(table(blue=[model("oni", tough=2)]), "red unit/oni hit:oni:2", f"red rolled:{dice}")
    assert (g.units["oni"].wounds, f"Oni is Tough: {told}." in said(g)) == (left, True)


@pytest.mark.rule("BUSH-34")
def test_toughness_that_spares_nothing_is_not_told():
    g = play(table(blue=[model("oni", tough=2)]), "red unit/oni hit:oni:2", "red rolled:2")
    assert "Tough" not in said(g)


@pytest.mark.rule("BUSH-34")
def test_a_hit_that_kills_the_last_counter_goes_on_from_there():
    g = play(table(), "red simple:goshi", "red unit/oni hit:oni:11", "red rolled:7")
    assert (g.units["oni"].place, asks(g)) == ("removed", "turn red")


@pytest.mark.rule("BUSH-34")
def test_nobody_rolls_for_a_model_that_is_out_meanwhile():
    g = play(table(blue=[model("oni"), model("imp")]), "red unit/oni hit:oni:2", "red unit/oni removed:oni")
    assert (g.units["oni"].place, asks(g)) == ("removed", "turn red")


@pytest.mark.rule("BUSH-14")
def test_a_feat_may_change_the_dice_of_a_hit_while_they_are_asked_for():
    g = play(table([model("goshi", ki=3)]), "red simple:goshi", "red unit/oni hit:oni:2")
    assert play(g, "red unit/goshi feat:goshi:1").units["goshi"].ki == 2


def test_nobody_is_hit_while_wounds_or_the_end_are_asked_for():
    assert "hit:oni" in corrections(table(), "unit/oni")
    for g in (play(table(), "red unit/oni hit:oni:2"), play(table(), "red table time-out")):
        assert "hit:oni" not in corrections(g, "unit/oni")


def test_wounds_are_signed_and_healing_ends_bleeding():
    g = play(table([model("goshi", markers=(("bleeding", 2),))]), "red unit/goshi wounds:goshi:-3")
    assert (g.units["goshi"].wounds, said(g)) == (2, "Goshi suffers 3 wounds.")
    assert play(g, "red unit/goshi wounds:goshi:1").units["goshi"].has(BLEEDING)
    healed = play(g, "red unit/goshi heal:goshi:1").units["goshi"]
    assert (healed.wounds, healed.markers) == (3, ())


def test_a_dead_model_may_come_back():
    g = play(table([model("goshi"), model("ima")]), "red unit/goshi removed:goshi")
    assert (g.units["goshi"].place, g.units["goshi"].counters) == ("removed", 0)
    g = play(g, "red unit/goshi on-table:goshi")
    assert (g.units["goshi"].place, g.units["goshi"].wounds) == ("table", 5)
    g = play(g, "red unit/goshi wounds:goshi:-5", "red unit/goshi on-table:goshi")
    assert (g.units["goshi"].place, g.units["goshi"].wounds) == ("table", 1)


# --- Ki and counters -----------------------------------------------------------------------------------


def test_ki_stays_between_nothing_and_its_cap():
    found = corrections(table([model("goshi", ki=2)]), "unit/goshi")["ki:goshi"]
    assert (found.minimum, found.maximum, found.value) == (-2, 4, 2)
    with pytest.raises(IllegalAction):
        play(table([model("goshi", ki=2)]), "red unit/goshi ki:goshi:-3")


def test_a_correction_that_changes_nothing_is_refused():
    for action in ("ki:goshi:0", "counters:goshi:0", "on-table:goshi", "tough:goshi:0"):
        with pytest.raises(IllegalAction):
            play(table(), f"red unit/goshi {action}")


# --- states --------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-33")
def test_there_are_seventeen_states():
    assert len(STATES) == 17
    assert {name for name, found in STATES.items() if found.has_value} == {
        "bleeding", "on-fire", "poisoned", "disguised",
    }  # fmt: skip


@pytest.mark.rule("BUSH-33")
def test_what_a_state_costs_in_a_fight_is_said_beside_it():
    """Held and Death Sentence said only how they end."""
    costs = {name for name, found in STATES.items() if "melee" in found.help}
    assert costs == {"blind", "death-sentence", "frightened", "held", "prone", "stunned"}


@pytest.mark.rule("BUSH-33")
@pytest.mark.parametrize("name", STATES)
def test_a_marker_of_each_state_can_be_put_on_and_taken_off(name):
    has_value = STATES[name].has_value
    action = f"{name}:goshi:3" if has_value else f"put-on:goshi:{name}"
    g = play(table([model("goshi"), model("ima")]), f"red unit/goshi {action}")
    assert g.units["goshi"].values(name) == ((3,) if has_value else (1,))
    g = play(g, f"red unit/goshi take-off:goshi:{name}")
    left = ((IMPETUOUS, 1),) if name == BERSERK else ()
    assert (g.units["goshi"].markers, g.units["goshi"].controller) == (left, None)


@pytest.mark.rule("BUSH-33")
def test_a_model_holds_only_so_many_markers():
    markers = tuple(("stunned", 1) for _n in range(MOST_MARKERS))
    assert "put-on:goshi:prone" not in corrections(table([model("goshi", markers=markers)]), "unit/goshi")


# --- everything else -----------------------------------------------------------------------------------


def test_points_need_a_reason():
    with pytest.raises(IllegalAction) as refused:
        play(table(), "red army/red points:red:1")
    assert str(refused.value.line) == "Please give a reason for these points."
    g = play(table(), "red army/red points:red:1 a gift")
    assert (g.points("red"), said(g)) == (1, "Red: +1 Victory Point, a gift.")


def test_the_last_victory_point_by_hand_waits_for_the_end_phase():
    g = play(table(), "red army/red points:red:3 a gift")
    assert (g.result, asks(g)) == (None, "turn red")


def test_a_model_can_be_summoned_by_name():
    g = play(table(), "red army/red summon:red Kappa of the pond")
    unit = g.units["kappa-of-the-pond"]
    assert (unit.name, unit.summoned, unit.place, unit.counters) == ("Kappa of the pond", True, "table", 0)
    with pytest.raises(IllegalAction) as refused:
        play(table(), "red army/red summon:red " + "x" * 500)
    assert str(refused.value.line).startswith("This is too long")


def test_a_note_asks_to_be_remembered():
    g = play(table(), "red unit/goshi note:goshi Light a torch", "red unit/goshi remind:goshi:starting")
    assert (g.units["goshi"].note, g.units["goshi"].reminders) == ("Light a torch", frozenset({"starting"}))
    g = play(g, "red unit/goshi let-be:goshi:starting", "red unit/goshi forget:goshi")
    assert g.units["goshi"].note == ""


@pytest.mark.parametrize(
    ("action", "field", "value"),
    [
        ("tactician:goshi:1", "tactician", 1),
        ("regenerate:goshi:2", "regenerate", 2),
        ("tough:goshi:1", "tough", 1),
        ("tireless:goshi", "tireless", True),
        ("wounds-total:goshi:1", "wounds_stat", "6"),
        ("gain:goshi:-1", "ki_stat", "1"),
        ("cap:goshi:2", "ki_cap", "8"),
        ("rice:goshi:-4", "cost", 6),
    ],
)
def test_what_a_card_says_can_be_put_right(action, field, value):
    g = play(table(), f"red unit/goshi {action}")
    assert getattr(g.units["goshi"], field) == value
    assert said(g).removesuffix(".").endswith((str(value), "Tireless"))
    assert engine.problems(g) == ()


def test_objectives_can_be_added_aligned_and_removed():
    g = play(table(), "red table lay:objective", "red objective/objective-g align:objective-g:blue")
    assert g.objectives["objective-g"].aligned == "blue"
    g = play(g, "red objective/objective-g drop:objective-g")
    assert "objective-g" not in g.objectives


def test_a_zone_is_given_to_a_player_and_left_to_the_models_inside_again():
    g = play(table(), "red table lay:zone")
    (zone,) = (place for place in g.objectives if place.startswith("zone"))
    path = f"red objective/{zone} controller:{zone}"
    given = play(g, f"{path}:blue")
    assert given.objectives[zone].override == "blue"
    nobody = play(g, f"{path}:nobody")
    assert nobody.objectives[zone].uncontrolled
    for decided in (given, nobody):
        again = play(decided, f"{path}:computed")
        assert (again.objectives[zone].override, again.objectives[zone].uncontrolled) == (None, False)
        assert said(again).endswith("goes by the models inside.")
    with pytest.raises(IllegalAction):
        play(g, f"{path}:computed")


def test_the_last_turn_and_the_active_player_can_be_set():
    g = play(table(), "red table final", "red table active:blue")
    assert (g.is_final, asks(g)) == (True, "turn blue")
    assert play(g, "red table not-final").is_final is False


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"wounds": 9}, "Goshi has 9 of 5 wounds left."),
        ({"wounds": 0}, "Goshi is on the battlefield with no wounds left."),
        ({"ki": -2}, "Goshi has -2 Ki, and its cap is 6."),
        ({"ki": 9}, "Goshi has 9 Ki, and its cap is 6."),
        ({"counters": -1}, "Goshi has -1 activation counters and cannot use them."),
        ({"place": "unplaced", "counters": 0}, "Goshi has not been deployed."),
        ({"controller": "blue"}, "Goshi is Controlled without a marker, or has one and is not."),
        ({"markers": (("wobbly", 1),)}, "Goshi has a marker of an unknown state: wobbly."),
        ({"zone": "atlantis"}, "Goshi stands in a zone that is not on the battlefield."),
    ],
)
def test_what_is_odd_is_named_and_blocks_nothing(fields, problem):
    g = table([model("goshi", **fields), model("ima")])
    assert [str(line) for line in engine.problems(g)] == [problem]
    assert engine.to_act(g)


@pytest.mark.rule("BUSH-29")
def test_an_open_vim_can_be_put_right_and_a_hidden_one_cannot():
    g = table([model("goshi"), model("ima")], scenario="honbasho")
    g.armies["red"].vim = "goshi"
    assert "vim:goshi" not in corrections(g, "unit/goshi")
    assert play(g, "blue unit/ima vim:ima").armies["red"].vim == "ima"
    g.armies["red"].vim = "?"
    assert "vim:ima" not in corrections(g, "unit/ima")
    assert "vim:goshi" not in corrections(table(), "unit/goshi")
