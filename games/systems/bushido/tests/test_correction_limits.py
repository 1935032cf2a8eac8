"""Corrections of models and sides: what may be changed, how far, and what the log says of it."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.rules import muster_and_deployment
from games.systems.bushido.tests.tables import READY, chosen, ending, lobby, model, play, starting, table
from tests.positions import asks, offered, said


def corrections(g, path):
    return {offer.action: offer for offer in engine.corrections(g, path)}


def ways(g, path):
    """Each correction there with the signed changes or numbers that it takes."""
    return {action: (one.minimum, one.maximum) for action, one in corrections(g, path).items()}


def refuses(g, action, match="No change: it is already set to that"):
    with pytest.raises(IllegalAction, match=match):
        play(g, action)


def test_a_model_is_corrected_within_its_figures_and_what_the_table_holds():
    g = table([model("goshi", wounds=3, ki=2, markers=(("stunned", 1), ("bleeding", 2)))])
    found = ways(g, "unit/goshi")
    assert {action: change for action, change in found.items() if change[0] is not None} == {
        "wounds:goshi": (-3, 2),
        "heal:goshi": (1, 2),
        "hit:goshi": (0, 11),
        "ki:goshi": (-2, 4),
        "feat:goshi": (0, 2),
        "counters:goshi": (-2, 2),
        **{f"{state}:goshi": (1, 6) for state in ("bleeding", "disguised", "on-fire", "poisoned")},
        "melee-pool:goshi": (0, 12),
        "strength:goshi": (-6, 6),
        **{
            f"{number}:goshi": (0, 6)
            for number in ("brutal", "parry", "unblockable", "armour", "pierce", "sharp")
        },
        "tactician:goshi": (0, 3),
        "regenerate:goshi": (0, 5),
        "tough:goshi": (0, 5),
        "wounds-total:goshi": (-4, 25),
        "gain:goshi": (-2, 8),
        "cap:goshi": (-6, 24),
        "rice:goshi": (-10, 89),
    }
    assert {"take-off:goshi:stunned", "take-off:goshi:bleeding", "fights-back:goshi"} < found.keys()
    labels = {action: str(one.label) for action, one in corrections(g, "unit/goshi").items()}
    assert labels["take-off:goshi:bleeding"] == "Remove Bleeding (2)"
    assert labels["take-off:goshi:stunned"] == "Remove Stunned (1)"


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"place": "removed"}, {"ki:goshi", "counters:goshi", "wounds:goshi", "put-on:goshi:prone"}),
        ({"place": "elsewhere"}, {"hit:goshi", "fights-back:goshi"}),
        ({"counters": 0}, {"fights-back:goshi"}),
        ({"wounds_stat": "Special"}, {"wounds:goshi", "heal:goshi", "wounds-total:goshi"}),
        ({"ki_stat": "X"}, {"gain:goshi"}),
        # Python calls this a digit, and does not count with it.
        ({"ki_stat": "²"}, {"gain:goshi"}),
        ({"ki_cap": "*"}, {"cap:goshi"}),
    ],
)
def test_what_a_model_does_not_have_is_not_corrected(fields, missing):
    usual = ways(table([model("goshi", wounds=4), model("ima")]), "unit/goshi").keys()
    g = table([model("goshi", **{"wounds": 4, **fields}), model("ima")])
    assert missing <= usual
    assert not missing & ways(g, "unit/goshi").keys()


def test_before_the_first_turn_a_model_has_its_card_and_no_position():
    g = chosen("keii")
    key = next(g.units_of("red")).key
    actions = {action.partition(":")[0] for action in ways(g, f"unit/{key}")}
    assert not actions & {"ki", "wounds", "counters", "on-table", "elsewhere", "removed", "put-on", "hit"}
    assert {"note", "tactician", "rice"} <= actions


@pytest.mark.rule("BUSH-35")
def test_a_model_is_overtime_only_with_a_clock_a_counter_and_on_the_table():
    def offers(rules=120, **fields):
        g = table([model("goshi", **fields), model("ima")])
        g.rules = {**g.rules, "activation": rules}
        return "overtime:goshi" in ways(g, "unit/goshi")

    assert offers()
    assert not offers(rules=0)
    assert not offers(counters=0)
    assert not offers(place="elsewhere")


def test_a_model_is_put_only_where_it_is_not():
    def places(g):
        actions = {action.partition(":")[0] for action in corrections(g, "unit/goshi")}
        return actions & {"on-table", "elsewhere", "removed"}

    g = table([model("goshi", zone="zone"), model("ima")])
    assert places(g) == {"elsewhere", "removed"}
    away = play(g, "red unit/goshi elsewhere:goshi")
    unit = away.units["goshi"]
    assert (unit.place, unit.zone, said(away)) == ("elsewhere", None, "Goshi is Elsewhere.")
    assert places(away) == {"on-table", "removed"}
    assert places(play(g, "red unit/goshi removed:goshi")) == {"on-table", "elsewhere"}


@pytest.mark.rule("BUSH-06")
def test_a_flanking_model_comes_by_its_flank_or_is_out_and_flanks_no_more():
    g = table([model("goshi", place="elsewhere", flanks=True), model("ima")])
    refuses(g, "red unit/goshi on-table:goshi", "cannot make that correction")
    gone = play(g, "red unit/goshi removed:goshi")
    assert (gone.units["goshi"].place, gone.units["goshi"].flanks) == ("removed", False)
    assert play(gone, "red unit/goshi on-table:goshi").units["goshi"].place == "table"


@pytest.mark.rule("BUSH-32")
@pytest.mark.rule("BUSH-34")
@pytest.mark.parametrize("back", ["on-table", "elsewhere"])
def test_a_flanking_model_that_was_slain_comes_back_alive_and_without_its_flank(back):
    g = starting([model("goshi"), model("ima", place="elsewhere", flanks=True)], turn=2)
    g.armies["red"].hidden = {"flank-ima": [2, "left"]}
    g = play(g, "red unit/ima wounds:ima:-5")
    assert (g.units["ima"].place, g.units["ima"].is_flanking) == ("removed", False)
    g = play(g, f"red unit/ima {back}:ima")
    assert (g.units["ima"].wounds, g.units["ima"].flanks) == (1, False)
    assert asks(play(g, "red rolled:5", "blue rolled:2", "red first:red")) == "turn red", "it does not arrive"


@pytest.mark.rule("BUSH-34")
def test_a_kami_that_was_out_is_elsewhere_with_one_ki_and_others_keep_what_they_have():
    spent = {"wounds_stat": "Kami", "wounds": 0, "wounds_total": 0, "ki": 0}
    g = table([model("goshi", wounds=0), model("kami", place="removed", **spent)])
    g = play(g, "red unit/kami elsewhere:kami", "red unit/goshi elsewhere:goshi")
    assert (g.units["kami"].ki, g.units["goshi"].wounds) == (1, 0)


def test_a_model_stands_inside_one_zone_and_leaves_it():
    g = play(table(), "red table lay:zone")
    (zone,) = (place for place in g.objectives if place.startswith("zone"))
    g = play(g, f"red unit/goshi inside:goshi:{zone}")
    name = g.objectives[zone].name
    assert (g.units["goshi"].zone, said(g)) == (zone, f"Goshi stands inside {name}.")
    refuses(g, f"red unit/goshi inside:goshi:{zone}", "cannot make that correction")
    g = play(g, f"red unit/goshi outside:goshi:{zone}")
    assert (g.units["goshi"].zone, said(g)) == (None, f"Goshi left {name}.")
    away = table([model("goshi", place="elsewhere"), model("ima")])
    assert not any(
        action.startswith("inside") for action in ways(play(away, "red table lay:zone"), "unit/goshi")
    )


def test_wounds_given_back_stay_wounds_of_a_bleeding_model():
    g = table([model("goshi", wounds=2)])
    back = play(g, "red unit/goshi wounds:goshi:2")
    assert (back.units["goshi"].wounds, said(back)) == (4, "Goshi: 4 of 5 wounds left.")
    refuses(g, "red unit/goshi wounds:goshi:0")


@pytest.mark.parametrize(
    ("wounds", "change", "left"), [(5, 2, 7), (2, 2, 4), (5, -2, 3), (2, -2, 2), (2, -4, 1)]
)
def test_more_wounds_in_all_are_more_left_and_fewer_are_a_limit(wounds, change, left):
    g = play(table([model("goshi", wounds=wounds)]), f"red unit/goshi wounds-total:goshi:{change}")
    assert (g.units["goshi"].wounds, g.units["goshi"].wounds_total) == (left, 5 + change)


@pytest.mark.rule("BUSH-16")
def test_a_model_whose_counters_are_corrected_is_exhausted_without_any():
    """And the one that gets a counter back may act again."""
    g = play(table([model("goshi"), model("ima")]), "red unit/goshi counters:goshi:-2")
    assert (g.units["goshi"].counters, g.units["goshi"].activated) == (0, True)
    assert said(g) == "Goshi: 0 activation counters."
    assert "simple:goshi" not in offered(g, "red")
    g = play(g, "red unit/goshi counters:goshi:1")
    assert (g.units["goshi"].activated, said(g)) == (False, "Goshi: 1 activation counter.")
    assert "simple:goshi" in offered(g, "red")


@pytest.mark.rule("BUSH-13")
def test_who_fights_back_by_correction_is_the_target_of_the_melee():
    g = play(table(), "red unit/oni fights-back:oni")
    assert (g.units["oni"].counters, g.target) == (1, "oni")


def test_who_is_tireless_can_tire():
    g = play(table([model("goshi", tireless=True), model("ima")]), "red unit/goshi tires:goshi")
    assert (g.units["goshi"].tireless, said(g)) == (False, "Goshi is not Tireless.")


# --- a side --------------------------------------------------------------------------------------------


def test_the_numbers_of_a_side_have_their_limits_and_are_told():
    g = table()
    side = g.armies["red"]
    side.scenario_points, side.passes, side.prayers, side.communal = 2, 1, 3, 4
    found = ways(g, "army/red")
    for action, (least, most), line in (
        ("scenario-points", (-2, 58), "Red: Scenario Points 3."),
        ("passes", (-1, 19), "Red: Pass tokens 2."),
        ("prayers", (-3, 17), "Red: Prayer tokens 4."),
        ("communal", (-4, 56), "Red: Shared Ki 5."),
    ):
        assert found[f"{action}:red"] == (least, most)
        after = play(g, f"red army/red {action}:red:1")
        field = action.replace("-", "_")
        assert getattr(after.armies["red"], field) == 1 - least
        assert said(after) == line
        refuses(g, f"red army/red {action}:red:0")


@pytest.mark.rule("BUSH-22")
def test_points_by_hand_are_never_fewer_than_none_nor_more_than_the_scenario_has():
    g = play(table(), "red army/red points:red:1 a gift", "red army/blue points:blue:1 a gift")
    for change in (2, -2):
        refuses(g, f"red army/red points:red:{change} a gift", "cannot make that correction")
    assert play(g, "red army/red points:red:-1 a gift").points("red") == 0
    refuses(g, "red army/red points:red:0 a gift")


@pytest.mark.rule("BUSH-22")
def test_a_point_that_the_wrong_side_was_given_is_moved_at_once():
    """With all points given, one that is taken first would let the match go on, and one more is too many."""
    early = {"check1": "2 points", "check2": "3 points", "check3": "4 points"}
    g = ending(turn=4, changes=early)
    for seat in ("red", "red", "blue"):
        g.score(seat, 1, "as told")
    engine.advance(g)
    assert asks(g) == "closing red blue"
    moved = play(g, "blue army/red move-point:red a slip")
    assert (moved.points("red"), moved.points("blue"), asks(moved)) == (1, 2, "closing red")
    assert said(moved) == "Red: -1 Victory Point, a slip.\nBlue: +1 Victory Point, a slip."
    assert str(corrections(g, "army/red")["move-point:red"].label) == "Move a Victory Point to Blue"
    refuses(g, "blue army/red move-point:red", "a reason for these points")
    assert "move-point:red" not in ways(table(), "army/red")


def test_a_model_that_joins_before_the_first_turn_is_deployed_with_the_others():
    g = play(chosen("keii"), "red army/red summon:red Kappa")
    unit = g.units["kappa"]
    assert (unit.summoned, unit.place, said(g)) == (False, "unplaced", "Kappa joins Red.")


def test_a_warband_has_room_for_so_many_models():
    most = [model(f"m{number}") for number in range(muster_and_deployment.MOST_MODELS)]
    assert "summon:red" not in ways(table(most), "army/red")
    assert "summon:red" in ways(table(most[1:]), "army/red")


@pytest.mark.rule("BUSH-36")
def test_that_time_has_run_out_is_said_only_where_it_is_limited():
    g = table()
    assert "run-out:red" not in ways(g, "army/red")
    g.rules = {**g.rules, "death": 30}
    g = play(g, "red army/red run-out:red")
    assert said(g).startswith("The time of Red has run out.")
    assert "run-out:red" not in ways(g, "army/red")


# --- places and the table ------------------------------------------------------------------------------


def test_an_objective_is_friendly_to_one_side_or_neutral():
    g = play(table(), "red table lay:objective")
    assert said(g) == "Objective G is laid on the battlefield, neutral."
    path, where = "objective/objective-g", "red objective/objective-g align:objective-g"

    def others(g):
        return {action.rpartition(":")[2] for action in ways(g, path) if action.startswith("align:")}

    assert others(g) == {"red", "blue"}
    g = play(g, f"{where}:blue")
    assert (said(g), others(g)) == ("Objective G is friendly to Blue.", {"red", "neutral"})
    assert "controller:objective-g:red" not in ways(g, path), "only a zone is controlled"
    g = play(g, f"{where}:neutral")
    assert (g.objectives["objective-g"].aligned, said(g)) == (None, "Objective G is neutral.")


def test_nothing_is_laid_before_there_is_a_scenario_nor_without_end():
    assert not any(action.startswith("lay:") for action in ways(play(lobby(), *READY), "table"))
    g = table()
    for _more in range(30):
        if "lay:objective" not in ways(g, "table"):
            break
        g = play(g, "red table lay:objective")
    assert "lay:objective" not in ways(g, "table")
    assert "lay:zone" in ways(g, "table")


@pytest.mark.rule("BUSH-29")
def test_how_vims_are_named_is_agreed_on_before_any_is():
    g = chosen("honbasho")

    def others(g):
        return {action for action in ways(g, "table") if action.startswith("vims:")}

    assert others(g) == {"vims:hidden", "vims:nominated"}
    assert others(play(g, "red table vims:hidden")) == {"vims:open", "vims:nominated"}
    assert not any(action.startswith("vims:") for action in ways(chosen("keii"), "table"))
    g.armies["red"].vim = "?"
    assert not any(action.startswith("vims:") for action in ways(g, "table"))
    assert not any(action.startswith("vims:") for action in ways(table(scenario="honbasho"), "table"))


@pytest.mark.rule("BUSH-36")
def test_the_death_clock_is_agreed_on_before_the_first_turn():
    g = chosen("keii")
    assert ways(g, "table")["death-clock"] == (0, 240)
    g = play(g, "red table death-clock:40", "red table death-clock:20")
    assert (g.rules["death"], said(g)) == (60, "Each player has 60 minutes in total.")
    assert ways(g, "table")["death-clock"] == (-60, 180)
    refuses(g, "red table death-clock:0")
    g = play(g, "red table death-clock:-60")
    assert (g.rules["death"], said(g)) == (0, "The players have no time limit.")
    assert "death-clock" not in ways(table(), "table")
    assert "final" in ways(table(), "table")
    assert "final" not in ways(chosen("keii"), "table")


@pytest.mark.rule("BUSH-09")
def test_who_is_active_is_put_right_during_a_turn_of_the_main_phase():
    g = table()
    assert "active:red" not in ways(g, "table"), "it is already"
    assert said(play(g, "red table active:blue")).startswith("Blue is the Active Player.")
    hit = play(g, "red unit/oni hit:oni:2")
    assert "active:blue" not in ways(hit, "table")


@pytest.mark.rule("BUSH-33")
def test_a_controlled_model_is_played_by_the_rival_and_no_other_state_does_that():
    g = play(table(), "red unit/goshi put-on:goshi:controlled")
    assert (g.units["goshi"].controller, said(g)) == ("blue", "Goshi: Controlled.")
    assert play(table(), "red unit/goshi put-on:goshi:prone").units["goshi"].controller is None
    assert said(play(table(), "red unit/goshi poisoned:goshi:2")) == "Goshi: Poisoned 2."
    assert (
        said(play(g, "red unit/goshi take-off:goshi:controlled")) == "Goshi: remove 1 marker of Controlled."
    )
