"""The mode A Storm of Swords: a siege, in which only the Attacker scores and the Defender holds out."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.modes.a_storm_of_swords import set_up_walls
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.pieces import ATTACKER
from games.systems.tmg.rules import destruction, end_of_match
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import infantry, lobby, ncu, play, solo, table
from tests.positions import asks, offered, said

MODE = "a-storm-of-swords"
READY = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")


def besieged(red=(), blue=(), *, step="start-of-round", **rest):
    """Red attacks, Blue defends behind its walls."""
    red = red or [infantry("wolves"), infantry("bears")]
    blue = blue or [infantry("lions"), infantry("knights"), infantry("late", place="reserve")]
    g = table(red, blue, mode=MODE, **rest)
    g.facts = {**g.facts, ATTACKER: "red"}
    set_up_walls(g, "blue")
    for side in g.armies.values():
        side.siege_cards = 3
    g.flow = ()
    g.call(SYSTEM.step_named(g, step))
    engine.advance(g)
    return g


def roles(choice="attack"):
    """A table whose roles Red has chosen."""
    return play(lobby(MODE), *READY, "red rolled:5", "blue rolled:2", f"red {choice}")


def destroyed(g, key, seat="red"):
    return fixed(g, f"unit/{key} destroy:{key}", seat=seat)


# --- set-up ------------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-99")
def test_the_higher_roll_chooses_to_attack_or_to_defend():
    g = play(lobby(MODE), *READY)
    assert asks(g) == "siege-roll red blue"
    g = play(g, "red rolled:4", "blue rolled:4")
    assert asks(g) == "siege-roll red blue"
    g = play(g, "red rolled:2", "blue rolled:6")
    assert (asks(g), offered(g, "blue")) == ("choose-role blue", ["attack", "defend"])
    assert play(g, "blue attack").attacker == "blue"
    assert play(g, "blue defend").attacker == "red"


@pytest.mark.rule("TMG-99")
def test_the_defender_gets_three_walls_and_both_draw_siege_cards():
    g = roles()
    walls = list(g.walls("blue"))
    assert (len(walls), [*g.walls("red")]) == (3, [])
    assert {(wall.wounds, wall.place, wall.army) for wall in walls} == {(6, "table", "blue")}
    assert [side.siege_cards for side in g.armies.values()] == [3, 3]
    assert "Red attacks, Blue defends." in said(g)
    assert "three Castle Walls" in str(engine.step_of(g).helping(g, "red"))


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-04")
def test_the_attacker_deploys_all_and_the_defender_half_of_the_combat_units():
    g = play(roles(), "red rolled:5", "blue rolled:2", "red pick-zone")
    assert "18 inches" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red deployed")
    assert {unit.place for unit in g.units_of("red")} == {"table"}
    assert "12 inches" in str(engine.step_of(g).helping(g, "blue"))
    units = [unit.key for unit in g.combat_units("blue")]
    assert len(units) == 4
    assert "deployed" not in offered(g, "blue")
    g = play(g, f"blue deploy:{units[0]}", f"blue deploy:{units[1]}")
    assert "deployed" in offered(g, "blue")
    assert not any(action.startswith("deploy:") for action in offered(g, "blue"))
    g = play(g, "blue deployed")
    assert [g.units[key].place for key in units] == ["table", "table", "reserve", "reserve"]
    assert {wall.place for wall in g.walls("blue")} == {"table"}


@pytest.mark.rule("TMG-99")
@pytest.mark.parametrize(("units", "first"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_half_is_rounded_up(units, first):
    step = SYSTEM.step_named(lobby(MODE), "deploy")()
    blue = [infantry(f"lions-{number}", place="unplaced") for number in range(units)]
    g = besieged(blue=blue, round=0, step="deploy")
    assert step.to_choose(g, "blue") == first


@pytest.mark.rule("TMG-101")
def test_later_rules_roll_for_no_terrain_as_the_defender_places_it():
    g = play(lobby(MODE, ruleset=2024), *READY, "red rolled:5", "blue rolled:2", "red defend")
    assert asks(g) == "zone-roll red blue"
    steps = [step["name"] for step in derived_facts(g, None)["guide"]["steps"]]
    assert "terrain-roll" not in steps
    assert steps[-3:] == ["deploy-order", "first-turn", "deploy"]


@pytest.mark.rule("TMG-99")
def test_the_page_says_who_attacks_and_what_is_left_to_play():
    g = besieged()
    page = TmgPage(g, "red", (), str, str)
    assert [badge.text for badge in page.facts("red")][:2] == ["Attacker", "Siege cards: 3"]
    assert page.facts("blue")[0].text == "Defender"
    assert [group.title for group in page.side("blue").groups] == ["Castle Walls", "Combat Units"]
    assert (page.target("red"), page.target("blue")) == (10, None)
    g = fixed(g, "army/red siege-cards:red:-1")
    assert (said(g), g.armies["red"].siege_cards) == ("Red has 2 Siege cards left.", 2)
    assert "siege-cards:red" not in [o.action for o in engine.corrections(table(), "army/red")]


# --- walls -------------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-99")
def test_a_wall_activates_like_a_unit_and_keeps_the_phase_open():
    g = play(besieged(), "red activate:wolves")
    assert [action for action in offered(g, "blue") if "wall" in action] == [
        "activate:wall-1",
        "activate:wall-2",
        "activate:wall-3",
    ]
    g = play(g, "blue activate:wall-1")
    assert (g.units["wall-1"].activated, asks(g)) == (True, "turn red")
    g = play(g, "red activate:bears", "blue activate:lions", "red pass", "blue activate:knights", "red pass")
    assert asks(g) == "turn blue"


@pytest.mark.rule("TMG-99")
def test_a_destroyed_wall_scores_five():
    g = destroyed(besieged(), "wall-2")
    assert [(row.seat, row.points, row.reason) for row in g.scores.values()] == [
        ("red", 5, "Castle Wall destroyed")
    ]
    assert fixed(g, "unit/wall-2 wounds:wall-2:3").points("red") == 0


@pytest.mark.rule("TMG-99")
def test_a_wall_is_shot_at_beside_the_board_and_is_no_unit_for_the_rest():
    g = besieged([infantry("wolves", reminders=frozenset())])
    offers = [offer.action for offer in engine.corrections(g, "unit/wall-1")]
    for verb in ("panic", "gain", "claim", "withdraw", "kind"):
        assert not any(action.startswith(f"{verb}:") for action in offers), verb
    g = play(g, "red activate:wolves")
    groups = TmgPage(g, "red", (), str, str).acting().targets
    assert "Castle Wall" in [target.name for target in groups[0].targets]
    assert "engage:wolves:wall-1" in [offer.action for offer in engine.corrections(g, "unit/wolves")]


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-85")
def test_walls_do_not_keep_the_defender_in_the_match_and_its_reserve_is_asked_about():
    g = destroyed(besieged(blue=[infantry("lions"), infantry("late", place="reserve")]), "lions")
    assert asks(g) == "ending blue"
    assert next(o for o in engine.offers(g, "blue") if o.style == "main").action == "play-on"
    g = destroyed(besieged(blue=[infantry("lions")]), "lions")
    assert next(o for o in engine.offers(g, "blue") if o.style == "main").action == "end-match"
    assert play(g, "blue end-match").result["winner"] == "red"


# --- what scores, and the end ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-99")
def test_the_defender_scores_for_nothing():
    g = destroyed(besieged(), "wolves", seat="blue")
    assert (g.scores, g.points("blue")) == ({}, 0)
    assert "points:blue" not in [offer.action for offer in engine.corrections(g, "army/blue")]
    assert "points:red" in [offer.action for offer in engine.corrections(g, "army/red")]
    with pytest.raises(IllegalAction):
        fixed(g, "army/blue points:blue:1", note="why not")
    assert destroyed(g, "lions").points("red") == 1


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-82")
def test_the_attacker_wins_at_the_check_with_two_walls():
    g = destroyed(destroyed(besieged(), "wall-1"), "wall-2")
    assert g.result is None, "points decide at the check"
    g.goto(SYSTEM.step_named(g, "check-victory"))
    engine.advance(g)
    assert (g.result["winner"], g.result["how"]) == ("red", end_of_match.POINTS)


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-84")
def test_the_defender_wins_at_the_end_of_the_last_round_whatever_the_points():
    g = besieged(round=6)
    g = destroyed(g, "wall-1")
    g.goto(SYSTEM.step_named(g, "check-victory"))
    engine.advance(g)
    assert (g.result["winner"], g.result["how"], g.points("red")) == ("blue", end_of_match.HELD_OUT, 5)
    earlier = besieged(round=5, step="check-victory")
    assert earlier.result is None


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-86")
def test_time_that_runs_out_is_the_defenders_victory():
    g = fixed(destroyed(besieged(round=4), "wall-1"), "table time-out")
    while g.result is None:
        g = play(g, f"{engine.to_act(g)[0]} end-match")
    assert (g.result["winner"], g.result["how"]) == ("blue", end_of_match.TIME_OUT)


# --- the Attacker's waves ----------------------------------------------------------------------------------


def wave(*units, **rest):
    """The start of a round for an Attacker with these units."""
    return besieged(units, **{"round": 2, **rest})


@pytest.mark.rule("TMG-99")
def test_the_attacker_redeploys_at_the_start_of_a_round_what_was_destroyed():
    fallen = infantry("wolves", place="destroyed", wounds=0, falls=1)
    g = wave(fallen, infantry("bears", place="destroyed", wounds=0, falls=1), infantry("boars"), first="blue")
    assert (asks(g), offered(g, "red")) == (
        "redeploy red",
        ["leave", "redeploy-all", "redeploy:bears", "redeploy:wolves"],
    )
    one = play(g, "red redeploy:wolves")
    assert (asks(one), one.units["wolves"].place, one.units["wolves"].wounds) == ("redeploy red", "table", 12)
    assert one.units["wolves"].activated is False
    stays = play(one, "red leave")
    assert (asks(stays), stays.units["bears"].place) == ("turn blue", "destroyed")
    both = play(g, "red redeploy-all")
    assert (asks(both), {unit.place for unit in both.combat_units("red")}) == ("turn blue", {"table"})


@pytest.mark.rule("TMG-99")
def test_without_losses_nobody_is_asked_and_the_defender_redeploys_nothing():
    assert asks(wave(infantry("wolves"))) == "turn red"
    g = wave(infantry("wolves"), blue=[infantry("lions"), infantry("knights", place="destroyed")])
    assert asks(g) == "turn red"


@pytest.mark.rule("TMG-99")
def test_characters_stay_destroyed():
    """Robb falls with his unit; a captain, who has no sub-title, comes back with it."""
    robb, captain = ("Robb Stark", "The Wolf Lord", 2, "red"), ("Captain", "", 1, "red")
    lone = solo("greatjon", title="Lord of Last Hearth", place="destroyed", wounds=0, falls=1)
    wolf = solo("grey-wind", place="destroyed", wounds=0, falls=1)
    unit = infantry(
        "wolves", place="destroyed", wounds=0, falls=1, attachments=(robb, captain), commander=True
    )
    g = wave(unit, lone, wolf, infantry("bears"))
    g.armies["red"].commander = "Robb Stark - The Wolf Lord"
    before = destruction.destroyed_points(g, "red")
    assert offered(g, "red") == ["leave", "redeploy-all", "redeploy:grey-wind", "redeploy:wolves"]
    g = play(g, "red redeploy:wolves")
    back = g.units["wolves"]
    assert (back.attachments, back.lost, back.commander) == ((captain,), (robb,), False)
    assert "Robb Stark is lost for good." in said(g)
    assert destruction.destroyed_points(g, "red") == before, "what was lost stays lost"
    assert not any("army of Red" in str(line) for line in engine.problems(g))


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-79")
def test_what_a_lost_character_added_to_the_hand_goes_with_it():
    samwell = ("Samwell Tarly", "Sam the Slayer", 2, "red")
    unit = infantry("rangers", place="destroyed", wounds=0, attachments=(samwell,), hand_bonus=1)
    g = wave(unit, infantry("builders"))
    g.armies["red"].faction = "nightswatch"
    g = play(g, "red redeploy:rangers")
    assert (g.units["rangers"].lost, g.units["rangers"].hand_bonus) == ((samwell,), 0)


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-85")
def test_an_attacker_without_units_is_not_beaten():
    g = destroyed(besieged([infantry("wolves"), ncu("sansa")]), "wolves", seat="blue")
    assert asks(g) == "turn red"
    assert end_of_match.eliminated(g) == ()


# --- the Defender's Reserve --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-99")
def test_from_round_three_a_unit_of_the_reserve_comes_in_and_activates_in_one_turn():
    assert "deploy:late" not in offered(besieged(round=2, first="blue"), "blue")
    g = besieged(round=3, first="blue")
    assert "deploy:late" in offered(g, "blue")
    g = play(g, "blue deploy:late")
    late = g.units["late"]
    assert (late.place, late.activated, g.acting, asks(g)) == ("table", True, "late", "turn red")
    assert said(g) == "Late comes in wholly within 6 inches of a flank edge and activates."


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-18")
def test_the_reserve_may_be_passed_and_then_the_phase_ends():
    g = besieged(round=3, first="blue")
    for unit in g.units.values():
        unit.activated = unit.key not in ("late", "wolves")
    assert offered(g, "blue") == ["deploy:late", "pass"]
    g = play(g, "blue pass", "red activate:wolves")
    assert asks(g).startswith("end-of-turn")


@pytest.mark.rule("TMG-99")
@pytest.mark.rule("TMG-70")
def test_a_destroyed_defender_does_not_go_to_the_reserve():
    g = destroyed(besieged(round=3), "lions")
    assert (g.units["lions"].place, g.units["lions"].wounds) == ("destroyed", 0)
    again = fixed(g, "unit/lions bring-back:lions")
    assert destroyed(again, "lions").points("red") == 2
