"""The End phase: effects, states that wound, what expires."""

import pytest

from games import rulebook
from games.systems.bushido.rules import wounds_and_ki
from games.systems.bushido.rules.end_phase import DamageStates
from games.systems.bushido.tests.tables import ending, model, play
from tests.positions import asks, offered, said


def burning(key, **values):
    markers = tuple((name.replace("_", "-"), value) for name, found in values.items() for value in found)
    return model(key, markers=markers)


# --- effects ---------------------------------------------------------------------------------------------


def noted(key, moment):
    return model(key, note=f"effect of {key}", reminders=frozenset({moment}))


@pytest.mark.rule("BUSH-17")
def test_adverse_effects_of_both_come_before_any_other():
    g = ending([noted("ward", "end"), noted("curse", "end-adverse")], [noted("doom", "end-adverse")])
    assert (asks(g), offered(g, "red")) == ("end-effects red", ["resolve:curse"])
    g = play(g, "red resolve:curse")
    assert offered(g, "blue") == ["resolve:doom"]
    g = play(g, "blue resolve:doom")
    assert (asks(g), offered(g, "red")) == ("other-effects red", ["resolve:ward"])
    assert asks(play(g, "red resolve:ward")) == "tactical-test red blue"


@pytest.mark.rule("BUSH-17")
def test_what_regenerates_heals_before_its_bleeding_and_so_stops_it():
    unit = burning("goshi", bleeding=[2])
    unit.wounds, unit.regenerate = 4, 1
    g = ending([unit])
    assert (g.units["goshi"].wounds, g.units["goshi"].markers) == (5, ())


@pytest.mark.rule("BUSH-17")
def test_what_has_no_wound_to_heal_regenerates_nothing_and_goes_on_bleeding():
    unit = burning("goshi", bleeding=[2])
    unit.regenerate = 1
    assert ending([unit]).units["goshi"].wounds == 3


# --- fire, bleeding, poison --------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-18")
@pytest.mark.parametrize(
    ("values", "suffered", "kept"),
    [
        ((2,), 2, ()),
        ((3, 2), 3, (2,)),
        ((3, 2, 2), 3, (2, 2)),
        ((3, 2, 2, 1), 5, (2, 1)),
        ((1, 1, 1, 1, 1), 3, (1, 1)),
        ((2, 3), 3, (2,)),
    ],
)
def test_the_highest_marker_comes_off_until_two_are_left(values, suffered, kept):
    assert wounds_and_ki.damage(values) == (suffered, kept)


@pytest.mark.rule("BUSH-18")
def test_the_rule_of_markers_does_not_say_that_two_wound_nobody():
    """It said that markers come off “until two are left”, though even a single one wounds."""
    told = rulebook.rules("bushido")["BUSH-18"].text
    assert "suffer its value; again while more than two are left" in told


@pytest.mark.rule("BUSH-18")
def test_each_state_wounds_by_its_own_markers():
    unit = burning("goshi", poisoned=[1, 1], on_fire=[2])
    g = ending([unit])
    assert g.units["goshi"].wounds == 2
    assert g.units["goshi"].markers == (("poisoned", 1),)


@pytest.mark.rule("BUSH-18")
def test_toughness_does_not_help_against_fire():
    tough = burning("goshi", poisoned=[1], on_fire=[3])
    tough.tough = 2
    assert ending([tough]).units["goshi"].wounds == 2


@pytest.mark.rule("BUSH-18")
def test_where_models_may_die_the_active_player_says_in_which_order():
    g = ending([burning("goshi", on_fire=[5])], [burning("oni", bleeding=[5])], active="blue")
    assert (asks(g), offered(g, "blue")) == (
        "damage-states blue",
        ["all", "suffer:goshi:on-fire", "suffer:oni:bleeding"],
    )
    g = play(g, "blue suffer:oni:bleeding")
    assert g.units["oni"].place == "removed"
    assert g.units["goshi"].place == "removed", "one is left, so nothing has to be asked"
    assert asks(g) == "closing red blue"


@pytest.mark.rule("BUSH-18")
def test_two_states_that_kill_together_are_a_death_whose_order_may_matter():
    weak = burning("goshi", on_fire=[2], bleeding=[2])
    weak.wounds = 4
    g = ending([weak], [burning("oni", poisoned=[1])], active="blue")
    assert asks(g) == "damage-states blue"
    weak.wounds = 5
    assert asks(ending([weak], [burning("oni", poisoned=[1])], active="blue")) == "tactical-test red blue"


@pytest.mark.rule("BUSH-18")
def test_whom_one_state_has_killed_no_other_wounds():
    g = play(ending([burning("goshi", on_fire=[5], bleeding=[1]), model("ima")]), "red all")
    assert g.units["goshi"].place == "removed"
    assert "bleeding" not in said(g).casefold()


@pytest.mark.rule("BUSH-18")
def test_models_elsewhere_burn_bleed_and_suffer_poison_too():
    away = burning("away", on_fire=[1], poisoned=[2])
    away.place, away.regenerate, away.wounds = "elsewhere", 1, 3
    g = ending([away, model("goshi")])
    assert (g.units["away"].wounds, g.units["away"].markers) == (1, ()), "3 + 1 - 1 - 2"
    away.wounds = 1
    g = play(ending([away, model("goshi")]), "red suffer:away:poisoned")
    assert (g.units["away"].place, asks(g)) == ("removed", "tactical-test red blue")


@pytest.mark.rule("BUSH-18")
@pytest.mark.rule("BUSH-32")
def test_a_model_that_burns_to_death_before_its_flank_can_be_put_back():
    away = burning("away", on_fire=[1])
    away.place, away.flanks, away.wounds = "elsewhere", True, 2
    assert ending([away, model("goshi")]).units["away"].flanks
    away.wounds = 1
    g = play(ending([away, model("goshi")]), "red unit/away on-table:away")
    assert (g.units["away"].place, g.units["away"].flanks) == ("table", False)


@pytest.mark.rule("BUSH-19")
def test_models_elsewhere_test_for_fear_too():
    g = ending([model("goshi"), model("away", place="elsewhere", markers=(("frightened", 1),))])
    assert (asks(g), offered(g, "red")) == ("expiry red", ["afraid:away", "calm:away"])
    assert g.round == 1
    assert play(g, "red calm:away").round == 2


@pytest.mark.rule("BUSH-18")
def test_a_kami_that_has_no_ki_left_is_out():
    kami = burning("kami", poisoned=[3])
    kami.wounds_stat, kami.wounds, kami.wounds_total, kami.ki = "Kami", 0, 0, 3
    assert ending([kami, model("ima")]).units["kami"].place == "removed"


@pytest.mark.rule("BUSH-18")
def test_a_state_wounds_once_in_a_turn_and_again_in_the_next():
    unit = burning("goshi", bleeding=[2, 2, 2])
    unit.wounds = unit.wounds_total = 9
    g = play(ending([unit], [burning("oni", on_fire=[5]), model("imp")]), "red suffer:goshi:bleeding")
    assert (g.units["goshi"].wounds, g.units["goshi"].values("bleeding")) == (7, (2, 2))
    assert (g.units["oni"].place, g.burnt, g.round) == ("removed", (), 2)


@pytest.mark.rule("BUSH-18")
def test_a_kami_suffers_in_ki_and_special_wounds_are_for_the_card():
    kami = burning("kami", poisoned=[2])
    kami.wounds_stat, kami.wounds, kami.wounds_total, kami.ki, kami.ki_cap = "Kami", 0, 0, 3, "3"
    odd = burning("odd", poisoned=[2])
    odd.wounds_stat, odd.wounds, odd.wounds_total = "Special", 0, 0
    g = ending([kami, odd])
    assert (g.units["kami"].ki, g.units["odd"].place) == (3, "table"), "3 - 2 + the next turn's 2"
    assert "Odd suffers 2 wounds.\nThe card of Odd says what that does to it." in said(
        ending([odd], step=DamageStates)
    )


# --- what expires ------------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-19")
def test_a_stunned_marker_all_blind_and_all_berserk_go():
    markers = (("stunned", 1), ("stunned", 1), ("blind", 1), ("blind", 1), ("berserk", 1), ("prone", 1))
    g = ending([model("goshi", markers=markers)])
    assert g.units["goshi"].markers == (("stunned", 1), ("prone", 1))


@pytest.mark.rule("BUSH-19")
def test_the_frightened_test_again():
    g = ending([model("goshi", markers=(("frightened", 1), ("frightened", 1)))])
    assert (asks(g), offered(g, "red")) == ("expiry red", ["afraid:goshi", "calm:goshi"])
    assert play(g, "red calm:goshi").units["goshi"].markers == ()
    assert play(g, "red afraid:goshi").units["goshi"].values("frightened") == (1, 1)


@pytest.mark.rule("BUSH-19")
def test_a_note_that_says_so_expires():
    g = ending([noted("goshi", "expires")])
    assert (g.units["goshi"].note, g.units["goshi"].reminders) == ("", frozenset())
    assert "Goshi: “effect of goshi” expires." in said(ending([noted("goshi", "expires")]))
