"""What the page of Bushido shows of a position."""

import random

import pytest

from games.core import engine
from games.match import random_play
from games.systems.bushido import SYSTEM
from games.systems.bushido.page import BushidoPage
from games.systems.bushido.rules import scenarios
from games.systems.bushido.rules.main_phase import BeginMain
from games.systems.bushido.rules.muster_and_deployment import ChooseScenario
from games.systems.bushido.rules.starting_phase import TacticalTest
from games.systems.bushido.tests.tables import MODE, chosen, ending, lobby, model, play, table


def page(g, seat="red"):
    """The page as this seat reads it, in the words of the rules."""
    seen = engine.view(g, seat)
    return BushidoPage(seen, seat, engine.offers(g, seat) if seat else (), str, lambda path: path)


def rows(g, seat="red", side="red"):
    """The rows of a side by the heading under which they stand."""
    return {group.title: group.cards for group in page(g, seat).side(side).groups}


def texts(badges):
    return [badge.text for badge in badges]


def test_a_row_has_a_button_for_each_thing_its_model_may_do():
    red = [model("two"), model("one", counters=1), model("none", counters=0)]
    found = rows(table(red))
    acts = {row.key: [(act.action, act.detail) for act in row.acts] for row in found["Models"]}
    assert acts == {
        "two": [("simple:two", "Simple"), ("complex:two", "Complex"), ("act:two", "More")],
        "one": [("simple:one", "Simple"), ("act:one", "More")],
    }
    assert [row.key for row in found["Exhausted"]] == ["none"]


def test_walking_is_at_hand_and_the_enemies_wait_folded():
    blue = [model("oni"), model("imp")]
    groups = page(play(table(blue=blue), "red act:goshi")).groups()
    told = {group.title: ([offer.label for offer in group.offers], group.folded) for group in groups}
    assert told["Simple actions"] == (
        ["Walk", "Run", "Ranged attack", "Disengage", "Simple Ki feat", "Wait"],
        False,
    )
    assert told["Melee with"] == (["Imp", "Oni"], True)
    assert told["Charge at"] == (["Imp", "Oni"], True)
    assert next(iter(told)) == "Simple actions"


@pytest.mark.parametrize(
    ("scenario", "turn", "red", "blue"),
    [
        ("keii", 2, "SP 4", "SP 0"),
        ("ninki", 4, "Friendly 3", "Friendly 2"),
        ("ninki", 5, "SP 4", "SP 0"),
        ("muzukashi", 6, "", ""),
    ],
)
def test_beside_the_victory_points_stands_what_the_next_of_them_counts(scenario, turn, red, blue):
    g = table(turn=turn, scenario=scenario)
    g.armies["red"].scenario_points = 4
    g.objectives["objective-c"].aligned = "red"
    assert [seat.beside for seat in page(g).seat_scores()] == [red, blue]


def test_before_the_first_turn_and_after_the_last_nothing_stands_beside_the_score():
    assert [seat.beside for seat in page(chosen("keii")).seat_scores()] == ["", ""]


def test_who_is_done_folds_away_so_that_many_models_stay_usable():
    red = [model(f"done-{n}", counters=0) for n in range(20)] + [model(f"ready-{n}") for n in range(5)]
    groups = page(table(red)).side("red").groups
    told = [(group.title, len(group.cards), group.note, group.folded) for group in groups]
    legend = "activation counters, wounds left"
    assert told == [("Models", 5, legend, False), ("Exhausted", 20, "20", True)]


def test_no_legend_tells_of_numbers_that_are_not_there():
    g = table([model("goshi", wounds_stat="Kami")])
    assert [group.note for group in page(g).side("red").groups] == [""]
    before = table()
    before.round = 0
    assert [group.note for group in page(before).side("red").groups] == ["Wounds left"]


def test_a_row_shows_ki_states_and_whose_it_is():
    markers = (("bleeding", 3), ("bleeding", 2), ("stunned", 1), ("stunned", 1), ("controlled", 1))
    g = table([model("goshi", ki=3, markers=markers, controller="blue"), model("ima", ki_cap="*")])
    goshi, ima = rows(g)["Models"]
    assert texts(goshi.badges) == ["Ki 3/6", "Bleeding 3+2", "Controlled", "Stunned ×2"]
    assert [badge.mark for badge in goshi.badges] == [0, 0, 2, 0]
    assert texts(ima.badges) == ["Ki shared"]
    assert (goshi.gauge.left, goshi.gauge.of, goshi.gauge.pips) == (5, 5, (True, True))
    assert goshi.gauge.label == "5 of 5 wounds left, 2 activation counters"


def test_before_the_first_turn_a_row_shows_ki_and_no_counters():
    before = chosen("keii")
    row = next(iter(rows(before)["Models"]))
    assert before.units[row.key].place not in ("table", "elsewhere")
    assert row.gauge.pips == ()
    assert texts(row.badges)[0].startswith("Ki ")


def test_a_row_names_the_zone_of_its_model():
    (goshi,) = rows(table([model("goshi", zone="zone-a")], scenario="botoku"))["Models"]
    assert texts(goshi.badges) == ["Ki 0/6", table(scenario="botoku").objectives["zone-a"].name]


def test_the_numbers_of_a_side_stand_under_its_name():
    g = table()
    g.armies["red"].passes, g.armies["red"].communal = 2, 3
    count, what_for, *others = texts(page(g).facts("red"))
    assert count == "Scenario Points 0"
    assert what_for.endswith("most Scenario Points"), "a side says what its count is for"
    assert others == ["Pass tokens 2", "Prayers 5", "Shared Ki 3"]


def test_secrets_are_shown_to_their_player_only():
    g = play(chosen("muzukashi"), "red vim:kizoko", "blue vim:ito-kinu", "red flank:isamu", "red note:left:3")
    mine, theirs = rows(g), rows(g, "blue", "red")
    assert [row.leader for row in mine["Models"] if row.key == "kizoko"] == ["Very Important Model"]
    assert [row.leader for row in theirs["Models"]] == [""] * 6
    assert "Flank: turn 3, left edge" in texts(mine["Elsewhere"][0].badges)
    assert "Flank" in texts(theirs["Elsewhere"][0].badges)
    g.units["isamu"].place = "removed"
    (isamu,) = [row for listed in rows(g).values() for row in listed if row.key == "isamu"]
    assert not any("Flank" in text for text in texts(isamu.badges)), "who is out arrives by no flank"
    g.units["isamu"].place = "elsewhere"
    assert "VIM hidden" in texts(page(play(g, "red deployed", "blue deployed"), "blue").facts("red"))


def test_a_secret_is_an_answer_only_while_it_is_asked_for():
    named = play(chosen("muzukashi"), "red vim:kizoko")
    assert [seat.answered for seat in page(named, "blue").seat_scores(["blue"])] == [True, False]
    begun = play(named, "blue vim:ito-kinu", "red deployed", "blue deployed")
    assert [seat.answered for seat in page(begun).seat_scores()] == [False, False]


def test_a_duel_without_a_winner_is_no_draw():
    over = play(ending(turn=12, scenario="honbasho"), "red end-match")
    assert page(over).no_winner() == "Both lose"
    level = play(table(), "red table adjudicate:drawn", "blue end-match")
    assert page(level).no_winner() == "A draw"


def test_the_model_that_acted_and_its_enemy_stand_beside_the_rows():
    g = play(table([model("goshi", ki=2)]), "red act:goshi", "red melee:oni")
    acting = page(g).acting()
    assert (acting.title, [group.title for group in acting.groups]) == (
        "Acted: Goshi",
        ["", "", "Active feat, by its Ki", "Oni", "Wounds by success level"],
    )
    assert [offer.action for offer in acting.groups[0].offers] == ["table begin-exchange"]
    assert page(g, "blue").side("blue").fight.groups[0] == acting.groups[0]
    assert [choice.label for choice in acting.groups[1].offers[1].choices] == ["−3", "−2", "−1"]
    assert page(g, "blue").acting().groups == ()
    assert page(g, "blue").side("blue").fight.title == "In the fight: Oni"
    assert page(g, "red").side("blue").fight is None


@pytest.mark.parametrize(
    ("mine", "theirs", "before"),
    [(2, 1, "the opponent activates"), (2, 0, "you activate again"), (1, 0, "the End Phase")],
)
def test_whoever_acted_is_told_what_comes_next(mine, theirs, before):
    g = play(table([model("goshi", counters=mine)], [model("oni", counters=theirs)]), "red simple:goshi")
    assert page(g).acting().hint == f"Last chance to enter its feats, wounds and Ki before {before}."


def test_whoever_had_a_controlled_model_act_notes_what_came_of_it():
    oni = model("oni", markers=(("controlled", 1),), controller="red")
    g = play(table(blue=[oni, model("imp")]), "red simple:oni")
    assert g.units["oni"].player == "blue", "its one counter has ended the control"
    mine, theirs = page(g).acting(), page(g, "blue").acting()
    assert (mine.mark, theirs.mark, theirs.groups) == (1, 1, ())
    assert [offer.label for offer in mine.groups[-1].offers] == ["Imp"]


def test_after_a_plain_action_the_enemies_may_be_said_to_fight_back():
    found = page(play(table(), "red simple:goshi")).acting().groups[-1]
    assert (found.title, found.folded) == ("It was a melee: who fights back?", True)
    assert [offer.action for offer in found.offers] == ["unit/oni fights-back:oni"]


@pytest.mark.parametrize(
    ("done", "is_asked"),
    [
        (["walk", "act:goshi"], False),
        (["wounds:oni:-1", "wait:stunned", "act:goshi"], False),
        (["pray:objective-a", "act:goshi"], False),
        (["influence:objective-a"], False),
        (["focus"], False),
        (["complex-feat"], False),
        (["melee:oni"], False),
        (["wounds:oni:-1", "fights-back:oni", "simple:goshi"], False),
        (["simple:goshi", "walk"], True),
        (["disengage", "act:goshi"], True),
        (["stand-up", "act:goshi"], True),
        (["ki:goshi:-1", "complex:goshi", "focus"], True),
        (["ki:goshi:-1"], True),
    ],
)
def test_after_an_action_that_is_no_melee_nobody_is_asked_who_fights_back(done, is_asked):
    shown = page(play(table(), "red simple:goshi"))
    shown.recent = lambda: [(action, "") for action in done]
    assert ("It was a melee: who fights back?" in [each.title for each in shown.acting().groups]) == is_asked


def test_the_checks_stand_between_the_warbands_with_who_took_them():
    g = ending(turn=2)
    g.armies["blue"].scenario_points = 1
    g = play(g, "red agree", "blue agree")
    tiles = page(g).middle().tiles
    assert [(tile.name, tile.text, tile.by) for tile in tiles] == [
        ("Turn 2", "most Scenario Points", "Blue"),
        ("Turn 4", "most Scenario Points", ""),
        ("Turn 6", "most Scenario Points", ""),
    ]


def test_a_point_of_the_last_turn_is_not_taken_before_it():
    g = ending(turn=2, scenario="depletion")
    g.armies["blue"].scenario_points = 1
    g = play(g, "red agree", "blue agree")
    assert [tile.by for tile in page(g).middle().tiles] == ["Blue", "", ""]
    g = ending(turn=5, scenario="depletion", is_final=True)
    g.armies["red"].scenario_points = 1
    g = play(g, "red agree", "blue agree")
    assert [tile.by for tile in page(g).middle().tiles] == ["", "", "Red"]


@pytest.mark.rule("BUSH-20")
def test_a_point_of_the_last_turn_that_was_taken_back_stands_with_who_got_it_then():
    checks = {"check1": "last points", "check2": "last friendly", "check3": ""}
    g = ending(turn=5, scenario="depletion", changes=checks, is_final=True)
    g.armies["red"].scenario_points = 1
    g = play(g, "red agree", "blue agree", "red table not-final", "blue army/blue scenario-points:blue:2")
    g = play(g, "red table final", "blue keep", "red agree", "blue agree")
    assert [tile.by for tile in page(g).middle().tiles] == ["Blue", ""]


def test_an_objective_says_to_whom_it_is_friendly_and_a_zone_who_holds_it():
    g = table(scenario="botoku")
    places = {card.key: card for card in page(g).middle().objectives}
    assert texts(places["objective-a"].badges) == ["Friendly to Red"]
    assert texts(places["objective-b"].badges) == ["Friendly to Blue"]
    assert texts(places["zone-a"].badges) == ["Neutral", "Controlled by no one"]


def test_the_phases_are_walked_as_lists_and_the_main_phase_is_not():
    assert page(lobby()).middle().guide.progress == "1 of 4"
    assert page(chosen("keii")).middle().guide.progress == "3 of 3", "there are no VIMs to name"
    assert page(chosen("muzukashi")).middle().guide.progress == "3 of 4"
    starting = page(table(step=TacticalTest)).middle().guide
    assert (starting.title, starting.progress) == ("Starting Phase", "4 of 6")
    assert page(table()).middle().guide is None
    assert page(ending(turn=2)).middle().guide.progress == "4 of 5"


@pytest.mark.parametrize("step", [BeginMain, TacticalTest])
def test_an_end_that_somebody_proposes_is_no_end_phase(step):
    g = play(table(step=step), "red table time-out")
    assert page(g).middle().guide is None
    assert page(play(g, "blue play-on")).middle().guide == page(table(step=step)).middle().guide


def test_the_scenarios_stand_under_their_headings():
    g = play(chosen("keii"))
    g.rules = {**g.rules, "scenarios": scenarios.known(g.entries)}
    g.flow = ()
    g.call(ChooseScenario)
    groups = [(group.title, len(group.offers)) for group in page(g).groups()]
    assert groups == [("", 1), ("From the rulebook", 3), ("Basic", 6), ("Advanced", 6), ("Other", 1)]


def test_a_check_is_told_once_and_its_players_stand_as_they_sit():
    g = ending(turn=5, scenario="muzukashi", is_final=True)
    g.armies["blue"].scenario_points = 1
    g = play(g)
    assert str(engine.step_of(g).helping(g, "red")) == "Red 0, Blue 1"
    nobody = ("It goes to no one", "")
    assert answers(g) == [("Agreed: Blue", ""), ("It goes to Red", ""), nobody]
    g = play(g, "red agree", "blue agree", "red keep")
    assert answers(g) == [("It goes to Red", ""), ("It goes to Blue", ""), nobody]


def answers(g):
    """The answers in the bar, each with what stands below it."""
    return [(offer.label, offer.detail) for group in page(g).groups() for offer in group.offers]


@pytest.mark.parametrize("seed", range(4))
def test_every_offer_has_one_control_and_no_other_stands_on_the_page(seed):
    state, luck = random_play.fresh_state(SYSTEM, MODE, seed), random.Random(seed)
    for _seat, _action, after in random_play.play(state, luck, SYSTEM.longest):
        for seat in engine.to_act(after):
            assert sorted(controls(after, seat)) == [offer.action for offer in engine.offers(after, seat)]


def controls(g, seat):
    """The actions of everything that can be tapped as an answer on a seat's page."""
    shown = page(g, seat)
    sides, middle = shown.sides(), shown.middle()
    cards = [card for side in sides for group in side.groups for card in group.cards]
    offers = [card.offer for card in (*cards, *middle.objectives) if card.offer]
    offers += [act for card in cards for act in card.acts]
    return [offer.action for offer in (*offers, *(one for group in shown.groups() for one in group.offers))]


def test_first_steps_call_a_short_button_by_what_stands_on_it():
    row = rows(table([model("two")]))["Models"][0]
    assert [act.seen for act in row.acts] == [
        f"{row.name} › {word}" for word in ("Simple", "Complex", "More")
    ]


def test_places_stand_by_their_letters_in_whatever_order_a_replay_brings_them():
    laid = chosen("botoku")
    again = laid.copy()
    again.objectives = {key: laid.objectives[key] for key in sorted(laid.objectives, key=len)}
    assert list(again.objectives) != list(laid.objectives)
    for g in (laid, again):
        names = [card.name for card in page(g).middle().objectives]
        assert names[:3] == ["Objective A", "Zone A", "Objective B"]


def test_the_model_and_what_it_does_are_one_entry_of_the_story():
    assert SYSTEM.completes("act", "walk")
    assert SYSTEM.completes("act", "melee:goshi")
    assert not SYSTEM.completes("act", "back")


def test_while_ones_model_acts_its_player_is_asked_what_it_did():
    g = play(table(), "red simple:goshi")
    assert page(g).doing() == ("Enter what Goshi did", 1)
    assert page(g, "blue").doing() == page(table()).doing() == ("", 0)
