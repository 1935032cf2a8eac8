"""Every action by its name: what it costs, whose turn it is then, and what a misplaced one says."""

import pytest

from games.core import engine
from games.systems.bushido.pieces import DISGUISED, ON_FIRE, RELOADING, STUNNED
from games.systems.bushido.tests.tables import ending, left, lobby, model, play, starting, table
from tests.positions import asks, offered, said


def chosen():
    """A model with a marker for whatever an action can take off, chosen among two of each side."""
    found = (STUNNED, RELOADING)
    unit = model("goshi", ki=3, markers=tuple((state, 1) for state in found))
    return play(table([unit, model("ima")], [model("oni"), model("imp")]), "red act:goshi")


COMPLEX = ("charge:oni", "charge:imp", "focus", "complex-feat", "cannot")


@pytest.mark.rule("BUSH-13")
def test_each_action_by_name_is_paid_for_and_hands_over():
    """One counter for a simple action, both for a complex one and for who cannot act."""
    g = chosen()
    actions = [action for action in offered(g, "red") if action != "back"]
    assert set(COMPLEX) < set(actions) > {"walk", "run-on", "shoot", "disengage", "wait"}
    for action in actions:
        after = play(g, f"red {action}")
        assert (left(after)["goshi"], asks(after)) == (0 if action in COMPLEX else 1, "turn blue"), action
        assert "Goshi" in said(after), action
        assert len(after.flow) == 1, "no question stays behind"


@pytest.mark.rule("BUSH-33")
def test_a_wait_puts_out_two_fires_of_a_friend_but_not_of_an_enemy():
    burning = tuple((ON_FIRE, value) for value in (1, 3, 2))
    blue = [model("oni", markers=burning)]
    g = play(table([model("goshi"), model("ima", markers=burning)], blue), "red act:goshi")
    waits = [action for action in offered(g, "red") if action.startswith("wait")]
    assert waits == ["wait", "wait:on-fire:ima"]
    g = play(g, "red wait:on-fire:ima")
    assert (g.units["ima"].values(ON_FIRE), left(g)) == ((1,), {"goshi": 1, "ima": 2, "oni": 2})
    assert said(g) == "Goshi helps Ima against the fire.\nGoshi waits."
    g = play(g, "blue simple:oni", "red act:ima")
    waits = [action for action in offered(g, "red") if action.startswith("wait")]
    assert waits == ["wait", "wait:on-fire"], "its own fire is no friend's"


@pytest.mark.rule("BUSH-09")
def test_a_note_of_the_opponent_waits_for_its_own_activation():
    note = {"note": "Hidden blade", "reminders": frozenset({"feats-before"})}
    g = table([model("goshi", **note)], [model("oni", **note)])
    assert (asks(g), offered(g, "blue")) == ("feats-before red", [])
    g = play(g, "red resolve:goshi")
    assert asks(g) == "turn red"
    assert asks(play(g, "red simple:goshi")) == "feats-before blue"


@pytest.mark.rule("BUSH-11")
def test_a_pass_token_is_spent_and_the_other_acts():
    g = table()
    g.armies["red"].passes = 2
    g = play(g, "red pass")
    assert (g.armies["red"].passes, asks(g)) == (1, "turn blue")
    assert said(g) == "Red spends a pass token: 1 left."


@pytest.mark.rule("BUSH-20")
def test_points_that_change_without_changing_who_leads_are_agreed_to_again():
    g = ending(turn=2)
    g.armies["red"].scenario_points = 5
    g = play(g, "red agree", "blue army/blue scenario-points:blue:2")
    assert asks(g) == "tally red blue"
    assert said(g) == "Blue: Scenario Points 2."


def test_only_a_model_that_can_fights_back():
    def can(**fields):
        g = table([model("goshi", **fields), model("ima")])
        return "fights-back:goshi" in {offer.action for offer in engine.corrections(g, "unit/goshi")}

    assert can(counters=1)
    assert not can(counters=0)
    assert not can(counters=1, place="elsewhere")


def test_wounds_and_counters_are_odd_only_where_they_matter():
    """A model that is out has no wounds left; whoever is not on the battlefield uses no counters."""
    g = table([model("goshi", wounds=0, counters=0, place="removed"), model("ima")])
    assert engine.problems(g) == ()
    g.units["goshi"].counters = 1
    (problem,) = engine.problems(g)
    assert str(problem) == "Goshi has 1 activation counter and cannot use it."


@pytest.mark.rule("BUSH-35")
def test_the_activation_clock_is_a_switch():
    g = play(lobby(), "red table activation-clock")
    assert g.rules["activation"] == 120
    assert play(g, "red table no-activation-clock").rules["activation"] == 0


@pytest.mark.rule("BUSH-17")
@pytest.mark.parametrize(("wounds", "regenerate", "after"), [(1, 2, 3), (4, 3, 5), (5, 2, 5)])
def test_what_regenerates_heals_so_much_and_never_beyond_its_total(wounds, regenerate, after):
    g = ending([model("goshi", wounds=wounds, regenerate=regenerate)])
    assert g.units["goshi"].wounds == after


@pytest.mark.rule("BUSH-30")
def test_where_no_objective_is_left_nobody_is_asked_to_remove_one():
    g = ending(turn=2, scenario="depletion")
    g.armies["red"].scenario_points = 3
    g.objectives = {}
    assert asks(play(g, "red agree", "blue agree")) == "tactical-test red blue"


@pytest.mark.rule("BUSH-26")
def test_another_warband_takes_nothing_along_of_the_first():
    g = play(lobby(), "red demo:ryu", "blue demo:ito")
    assert g.armies["red"].faction
    theirs = {unit.key for unit in g.units_of("blue")}
    g = play(g, "red another")
    side = g.armies["red"]
    assert (side.faction, side.theme, side.roster, side.cards, side.rice) == ("", "", "", (), 0)
    assert {unit.key for unit in g.units.values()} == theirs


@pytest.mark.rule("BUSH-13")
@pytest.mark.rule("BUSH-33")
@pytest.mark.parametrize("fields", [{"counters": 0}, {"tireless": True}, {}])
def test_a_controlled_model_that_is_fought_loses_one_marker_whether_or_not_it_pays(fields):
    taken = model("oni", controller="red", markers=(("controlled", 1), ("controlled", 1)), **fields)
    g = table([model("goshi")], [taken, model("imp")], first="blue")
    g = play(g, "blue act:imp", "blue melee:oni")
    assert len(g.units["oni"].values("controlled")) == 1
    g = play(table([model("goshi")], [taken, model("imp")]), "red act:goshi", "red walk")
    assert len(g.units["oni"].values("controlled")) == 2


def masked(*actions):
    """Disguised models of both sides after these actions; the keys of those that still are."""
    disguised = {"markers": (("disguised", 2),)}
    g = table([model("goshi", **disguised), model("ima", **disguised)], [model("oni", **disguised)])
    g = play(g, *actions)
    return {unit.key for unit in g.units.values() if unit.has(DISGUISED)}


@pytest.mark.rule("BUSH-13")
@pytest.mark.rule("BUSH-33")
def test_who_is_fought_back_at_was_in_the_fight_and_is_disguised_no_more():
    assert masked("red complex:goshi") == {"goshi", "ima", "oni"}, "nobody has said that it is a charge"
    assert masked("red complex:goshi", "red unit/oni fights-back:oni") == {"ima"}
    assert masked("red act:goshi", "red charge:oni") == {"ima"}
    assert masked("red unit/oni fights-back:oni") == {"goshi", "ima"}, "nobody has acted"
    assert masked("red act:goshi", "red disengage") == {"ima", "oni"}, "nobody has said from whom"
    own = masked("red simple:goshi", "red unit/ima fights-back:ima")
    assert own == {"goshi", "oni"}, "a model fights no other of its side"


CHARMED = {"controller": "blue", "markers": (("controlled", 1), ("death-sentence", 1))}
AWAY = {"place": "elsewhere", "markers": (("death-sentence", 1),)}


def ki_of(player, **fields):
    """The most Ki that such a model pays for a feat, and whether it can pay off a Death Sentence."""
    goshi = model("goshi", ki=4, **fields)
    offers = engine.corrections(table([goshi, model("ima")]), "unit/goshi")
    feats = [offer.maximum for offer in offers if offer.action == "feat:goshi"]
    g = play(starting([goshi, model("ima")]), "red rolled:2", "blue rolled:4", f"blue first:{player}")
    assert "endure:goshi" in offered(g, player)
    return max(feats, default=0), "pay:goshi" in offered(g, player)


@pytest.mark.rule("BUSH-33")
def test_a_controlled_model_spends_no_ki():
    assert ki_of("blue", **CHARMED) == (0, False)


@pytest.mark.rule("BUSH-33")
def test_a_model_elsewhere_spends_no_ki():
    assert ki_of("red", **AWAY) == (0, False)


@pytest.mark.rule("BUSH-13")
def test_a_card_without_a_number_says_what_focusing_gains():
    g = play(table([model("goshi", ki_stat="X", ki=1)]), "red act:goshi", "red focus")
    assert (said(g), g.units["goshi"].ki) == ("Goshi gains Ki as its card says.", 1)


@pytest.mark.rule("BUSH-10")
def test_berserk_brings_an_impetuous_marker_that_goes_with_the_first_action():
    g = play(table([model("mad"), model("calm")]), "blue unit/mad put-on:mad:berserk")
    assert offered(g, "red") == ["act:mad", "complex:mad", "simple:mad"]
    g = play(g, "red simple:mad", "blue simple:oni")
    assert "simple:calm" in offered(g, "red")
    assert g.units["mad"].markers == (("berserk", 1),)
