"""What questions say and whom they wait for: each test fails for one line."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.lists.army_grammar import demo_text
from games.systems.tmg.modes.dark_wings_dark_words import SwapMission
from games.systems.tmg.rules import army_muster, end_of_match, objective_tokens
from games.systems.tmg.rules.activation_phase import Turn
from games.systems.tmg.rules.missions import MISSIONS
from games.systems.tmg.rules.tactics_cards import HowLong, LayCard
from games.systems.tmg.tests.correcting import duel, fixed
from games.systems.tmg.tests.tables import clean_up, infantry, lobby, ncu, play, table
from tests.positions import asks, said

ARMIES = ("red demo:stark", "blue demo:lannister")
READY = (*ARMIES, "red ready", "blue ready")


def refusal(g, action):
    with pytest.raises(IllegalAction) as caught:
        play(g, action)
    return str(caught.value)


def asked(g, seat):
    return str(engine.step_of(g).asking(g, seat))


def helped(g, seat):
    return str(engine.step_of(g).helping(g, seat))


@pytest.mark.rule("TMG-03")
def test_a_number_that_no_die_shows_is_refused_with_the_span_and_anything_else_without():
    g = play(lobby(), *READY)
    assert refusal(g, "red rolled:7") == "Please enter a whole number from 1 to 6."
    assert refusal(g, "red rolled:0") == "Please enter a whole number from 1 to 6."
    assert refusal(g, "red roll:2") == refusal(g, "red ready") == "You cannot do that now."
    assert refusal(play(g, "red rolled:4", "blue rolled:1"), "blue placed").startswith("It is not your turn")


@pytest.mark.rule("TMG-03")
def test_a_tie_is_asked_again_so_that_a_late_tap_rolls_nothing():
    g = play(lobby(), *READY, "red rolled:4")
    tied = play(g, "blue rolled:4")
    assert tied.question.step == g.question.step
    assert tied.question.number != g.question.number


@pytest.mark.rule("TMG-05")
def test_who_is_ready_is_not_waited_for_any_more_and_may_still_step_back():
    g = play(lobby(), *ARMIES, "red ready")
    assert engine.to_act(g) == ("red", "blue")
    assert engine.awaited(g) == ("blue",)


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-88")
def test_the_lobby_helps_each_player_as_far_as_it_got():
    empty = lobby(decks=1)
    usual = helped(empty, None)
    assert helped(empty, "red") == usual
    g = play(empty, *ARMIES)
    assert "Tactics Cards" in helped(g, "red")
    assert helped(g, None) == usual
    g = play(g, "red ready")
    assert helped(g, "red") == "Set-up continues once both players are ready."
    plain = play(lobby(), *ARMIES)
    assert helped(plain, "blue") == "You can change or replace your list until you tap Ready."


@pytest.mark.rule("TMG-59")
def test_a_refusal_knows_its_rule():
    g = table([infantry("mammoth", cannot_control=True)])
    with pytest.raises(IllegalAction) as caught:
        objective_tokens.claim(g, g.units["mammoth"], g.objectives["centre"])
    assert caught.value.rule == "TMG-59"


@pytest.mark.rule("TMG-04")
def test_each_seat_reads_who_deploys():
    g = play(lobby("here-we-stand"), *READY, "red rolled:1", "blue rolled:6", "blue pick-zone")
    assert asks(g) == "deploy blue"
    assert asked(g, "red") == asked(g, None) == "Blue deploys" != asked(g, "blue")


@pytest.mark.rule("TMG-82")
@pytest.mark.rule("TMG-86")
def test_points_that_would_end_the_match_are_asked_about_over_an_open_concession():
    g = fixed(clean_up(target=3), "army/red concede:red")
    assert engine.step_of(g).how == end_of_match.CONCESSION
    g = fixed(g, "army/blue points:blue:4", note="forgotten")
    assert engine.step_of(g).how == end_of_match.POINTS


@pytest.mark.rule("TMG-90")
def test_how_long_a_card_stays_is_not_asked_once_it_is_out_of_play():
    g = duel(decks=1)
    g.armies["red"].in_play = "c01"
    step = HowLong("red", "wolves")
    assert step.asked(g) == ("red",)
    g.armies["red"].in_play = ""
    assert step.asked(g) == ()
    g.armies["red"].in_play = "c01"
    assert HowLong("red", "nobody").asked(g) == ()


@pytest.mark.rule("TMG-54")
def test_who_fights_whom_stands_in_the_log():
    g = table([infantry("wolves"), ncu("sansa")])
    objective_tokens.engage(g, g.units["wolves"], g.units["lions"])
    assert said(g).endswith("Wolves and Lions are engaged.")


@pytest.mark.rule("TMG-68")
def test_the_turn_helps_with_the_reserve_only_who_has_one():
    g = table([infantry("wolves"), infantry("bears", place="reserve")], mode="a-clash-of-kings", round=2)
    with_reserve = helped(g, "red")
    g.units["bears"].place = "table"
    assert helped(g, "red") == Turn.help != with_reserve


@pytest.mark.rule("TMG-90")
def test_the_question_where_a_card_goes_closes_with_the_card():
    g = duel(decks=1)
    turn = asks(g)
    g.armies["red"].in_play = "c01"
    g.call(LayCard("red"))
    engine.advance(g)
    assert asks(g) == "lay-card red"
    g.armies["red"].in_play = ""
    engine.advance(g)
    assert asks(g) == turn


@pytest.mark.rule("TMG-95")
def test_the_question_which_mission_goes_names_the_one_that_came():
    assert str(SwapMission().asking(duel(), "red")) == SwapMission.title
    assert "replace" in str(SwapMission(next(iter(MISSIONS))).asking(duel(), "red"))


@pytest.mark.rule("TMG-14")
def test_who_has_nothing_to_add_stands_in_the_log():
    red, blue = [infantry("wolves", activated=True)], [infantry("lions", activated=True)]
    g = table(red, blue, step="end-of-turn")
    assert "Red is done." in said(play(g, "red done"))


@pytest.mark.rule("TMG-67")
def test_only_who_picks_reads_how_many_units_are_still_to_be_picked():
    g = play(lobby("a-clash-of-kings"), *READY, "red rolled:1", "blue rolled:6", "blue pick-zone")
    assert asked(g, "blue") == "Pick a Combat Unit to deploy: 2 more"
    assert asked(g, "red") == asked(g, None) == "Blue deploys"


@pytest.mark.rule("TMG-05")
def test_a_list_goes_by_its_commander_or_else_by_its_first_unit():
    text = demo_text("stark")
    (found,) = army_muster.listed(lobby(), text)
    assert found.title in text.splitlines()[1]
    (found,) = army_muster.listed(lobby(), "Faction: Stark\n\nCombat Units\n • Stark Sworn Swords ( 5 )")
    assert found.title.endswith("Sworn Swords")
